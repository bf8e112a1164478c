// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A multigrid cycle, or whatever else a step program is, as the preconditioner of a solve within
/// one launch.
#pragma once

#include "tessera/kernels/persistent/detail/preconditioners.hpp"
#include "tessera/kernels/persistent/detail/step_runner.hpp"

namespace tessera::kernels::detail {

/// z = E program(D r), the program in `Inner`, which may be narrower than Scalar: r is brought to
/// about the length of 1 by a power of two.
template <class Scalar, class Inner>
struct CycleSteps {
  static constexpr Reach reach = Reach::group;
  using Share = StepRunner<Inner>;

  PlainProgram<Inner> program;
  const Scalar* rows;  ///< D; null for 1
  const Scalar* columns;  ///< E; null for 1

  KOKKOS_FUNCTION Ordinal granule() const { return 1; }

  template <class Group, class Rows>
  KOKKOS_FUNCTION Share make_share(const Group& group, const Rows& share, Scratch& scratch) const {
    return {group, program, share.number, scratch};
  }

  /// Does the first step of the row, too, where that is a scaling: a sweep from the guess zero.
  KOKKOS_FUNCTION void take(const Share& share, Ordinal i, Scalar r, double factor) const {
    double value = factor * static_cast<double>(r);
    if (rows != nullptr) value *= static_cast<double>(rows[i]);
    const auto b = static_cast<Inner>(value);
    share.vectors()[0][i] = b;
    if (!does_first_step(share)) return;
    const Step<Inner>& step = share.step(0);
    finish_row(step, share.vectors(), i, operands_of(step, share.vectors(), i), Inner(0));
  }

  template <class Group, class Shares>
  KOKKOS_FUNCTION void work(Group& group, const Shares& shares) const {
    const auto& any = shares(0);
    const int last = any.M.num_steps() - 1;
    for (int number = does_first_step(any.M) ? 1 : 0; number < last; ++number) {
      group.for_each_share([&](int share) {
        shares(share).M.run_rows(group, number, share, [](Ordinal, Inner) {});
      });
      if (any.M.step(number).by_one_block && any.M.step(number + 1).by_one_block) {
        // The others are at the next barrier.
        group.synchronize_lanes();
      } else {
        group.synchronize_neighbours(
            number + 1, [&](int share) { return any.M.waits_after(group, number, share); });
      }
    }
  }

  template <class Group, class Function>
  KOKKOS_FUNCTION void finish(const Group& group, const Share& share, int number,
                              const Scales& scales, double factor, const Function& f) const {
    const double back = 1 / (factor * scales.matrix);
    share.run_rows(group, share.num_steps() - 1, number, [&](Ordinal i, Inner y) {
      double z = back * static_cast<double>(y);
      if (columns != nullptr) z *= static_cast<double>(columns[i]);
      f(i, static_cast<Scalar>(z));
    });
  }

 private:
  KOKKOS_FUNCTION static bool does_first_step(const Share& share) {
    return share.num_steps() > 1 && share.step(0).kind == StepKind::scale && share.step(0).b == 0;
  }
};

}  // namespace tessera::kernels::detail
