// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The staged CSR product that also sums up <x, A x>.
#pragma once

#include "tessera/kernels/spmv/detail/staging.hpp"

#include <cstddef>

namespace tessera::kernels::detail {

/// What the staged product leaves of <x, y>: how many warps it had, and the share of each.
template <class Scalar>
struct StoreAndShare {
  Columns<Scalar> y;
  const Scalar* x;
  double* shares;

  using Read = Scalar;  ///< of x
  KOKKOS_INLINE_FUNCTION Read read(Ordinal row, int) const { return x[row]; }
  KOKKOS_INLINE_FUNCTION double operator()(Ordinal row, int column, Scalar sum, Read at) const {
    y(row, column) = sum;
    return static_cast<double>(at) * static_cast<double>(sum);
  }
  KOKKOS_INLINE_FUNCTION void take_share(int warp, int warps, double share) const {
    if (warp == 0) shares[0] = warps;
    shares[1 + warp] = share;
  }
};

/// Adds up the shares in an order that depends on their number alone, by one team.
template <class Scalar, class Space>
struct AddShares {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  const double* shares;
  Scalar* result;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int count = static_cast<int>(shares[0]);
    double total = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, team.team_size()),
        [&](const int thread, double& sum) {
          for (int first = thread; first < count; first += at_once * team.team_size()) {
            double parts[at_once];
            for (int s = 0; s < at_once; ++s) {
              const int share = first + s * team.team_size();
              parts[s] = share < count ? shares[1 + share] : 0.0;
            }
            for (const double part : parts)
              sum += part;
          }
        },
        total);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = static_cast<Scalar>(total); });
  }

 private:
  /// Loads that a thread has in flight: one after the other, thousands of shares cost 8 us.
  static constexpr int at_once = 8;
};

/// Bytes of workspace that `sweep_staged_dot` takes for a matrix of so many rows.
template <class Space>
std::size_t staged_dot_bytes(const Space&, Ordinal, int) {
  return 0;
}
#if defined(KOKKOS_ENABLE_CUDA)
inline std::size_t staged_dot_bytes(const Kokkos::Cuda& exec, Ordinal num_rows, int lanes) {
  constexpr int max_block_warps = 8;
  const int num_parts = (num_rows - 1) / (32 / lanes) + 1;
  const int warps = cuda::max_staging_warps(exec, num_parts, max_block_warps);
  return (1 + static_cast<std::size_t>(warps)) * sizeof(double);
}
#endif

/// y = A x and result(0) = <x, y> for one vector and a square A: the staged product sums up on the
/// way, and a small kernel adds the warps' shares. Returns false, with nothing done, where
/// `choose_staged_rows` has no kernel.
template <class Scalar, class Space, class Offset>
bool sweep_staged_dot(const Space& exec, const CsrSpmvPlan<Space>& plan,
                      const CsrView<Scalar, Space, Offset>& A,
                      const ConstMultiVectorView<Scalar, Space>& x,
                      const MultiVectorView<Scalar, Space>& y,
                      const ArrayView<Scalar, Space>& result) {
  auto* const shares = reinterpret_cast<double*>(plan.workspace.data());
  if (shares == nullptr) return false;
  const StoreAndShare<Scalar> store{Columns<Scalar>(y), x.data(), shares};
  const auto kernel = choose_staged_rows(exec, plan, A, x, store);
  if (!kernel) return false;
  launch_staged_parts(exec, "tessera::spmv_dot", plan.launches, *kernel);
  constexpr int team_size = 1024;
  Kokkos::parallel_for("tessera::spmv_dot", Kokkos::TeamPolicy<Space>(exec, 1, team_size),
                       AddShares<Scalar, Space>{shares, result.data()});
  return true;
}

}  // namespace tessera::kernels::detail
