// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Flexible GMRES.
#pragma once

#include "tessera/solver/gmres.hpp"

namespace tessera {

/// GMRES whose preconditioner may differ from iteration to iteration, at the price of a second
/// block of vectors (Saad, SIAM J. Sci. Comput. 14, 1993); always preconditioned from the right.
template <class Scalar, class Space>
class FlexibleGmres : public Gmres<Scalar, Space> {
 public:
  explicit FlexibleGmres(const SolverParameters& parameters)
      : Gmres<Scalar, Space>(parameters, true) {}
};

}  // namespace tessera
