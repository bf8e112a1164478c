// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/problem.hpp"

#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem(const Space& exec,
                                            const GalleryParameters& parameters) {
  return make_problem_rows<Scalar, Space, Offset>(exec, parameters, RowRange());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_problem)

}  // namespace tessera
