// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening that the library did not write, and what it is held to.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tessera::amg {

/// Has another coarsening make P, and R where it does, and checks them before a product reads them:
///
/// - P is n by n_c, 0 < n_c < n, R n_c by n or 0 by 0. Rows have ascending columns in range, each
///   once, and finite values.
/// - Near-nullspace vectors, if any, have length n_c, as multigrid takes them; n_c is a multiple of
///   their number or, without them, of the unknowns per node.
/// - The coarse operator is the product's. What has called no product has it made here.
///
/// What does not hold, and what the other one throws, is an Error that begins with
/// "coarsening NAME of level NUMBER: ". Memory that ran out and `OffsetOverflow`, which setup
/// answers, go through as they are.
template <class Scalar, class Space, class Offset>
class CheckedCoarsening : public Coarsening<Scalar, Space, Offset> {
 public:
  using typename Coarsening<Scalar, Space, Offset>::Fine;
  using typename Coarsening<Scalar, Space, Offset>::Coarse;
  using typename Coarsening<Scalar, Space, Offset>::Product;
  using typename Coarsening<Scalar, Space, Offset>::ConstVectors;
  using Made = std::unique_ptr<Coarsening<Scalar, Space, Offset>>;

  /// `make` is called at once.
  CheckedCoarsening(const std::string& name, int level, const std::function<Made()>& make);
  CheckedCoarsening(const CheckedCoarsening&) = delete;
  CheckedCoarsening& operator=(const CheckedCoarsening&) = delete;
  ~CheckedCoarsening() override;

  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors& B,
                                   const CoarseningLimits& limits, Product& product,
                                   PhaseTimer<Space>& timer) override;
  void compute(const Space& exec, const Fine& fine, bool keeps_interpolation, Product& product,
               Coarse& coarse, PhaseTimer<Space>& timer) override;
  bool makes_new_interpolation() const override;

 private:
  std::string m_name;
  std::string m_who;  ///< "coarsening NAME of level NUMBER: "
  Made m_inner;
  bool m_has_own_R = false;
};

}  // namespace tessera::amg
