// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/warm_up.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/graph/hash.hpp"

namespace tessera {
namespace detail {

template <class Scalar, class Space, class Offset>
void solve_once(const Space& exec, const SolveParameters& parameters, ProblemKind kind, int n) {
  GalleryParameters gallery;
  gallery.problem = kind;
  gallery.n = n;
  const auto problem = make_problem<Scalar, Space, Offset>(exec, gallery);
  const Ordinal size = problem.A.num_rows;
  const auto b = allocate_multivector<Scalar>(exec, "tessera::warm_up::b", size);
  const auto x = allocate_multivector<Scalar>(exec, "tessera::warm_up::x", size);
  // Hashed, so that there are as many iterations as a cycle's recording waits for.
  Kokkos::parallel_for(
      "tessera::warm_up::fill", Kokkos::RangePolicy<Space>(exec, 0, size),
      KOKKOS_LAMBDA(const Ordinal i) {
        b(i, 0) =
            static_cast<Scalar>(0x1p-31 * kernels::hash32(static_cast<std::uint32_t>(i)) - 1.0);
        x(i, 0) = 0;
      });
  Solver<Scalar, Space, Offset> solver(parameters);
  solver.setup(exec, problem.A);
  solver.solve(exec, b, x);
}

/// On a device with more than the 100,000 rows from which products look for rows that repeat.
template <class Scalar, class Space, class Offset>
void solve_small_systems(const Space& exec, const SolveParameters& parameters) {
  constexpr bool on_host = kernels::is_host_space<Space>;
  solve_once<Scalar, Space, Offset>(exec, parameters, ProblemKind::poisson2d, on_host ? 16 : 400);
  solve_once<Scalar, Space, Offset>(exec, parameters, ProblemKind::poisson3d, on_host ? 8 : 60);
  solve_once<Scalar, Space, Offset>(exec, parameters, ProblemKind::graph, on_host ? 16 : 150);
}

template <class Space, class Offset>
void solve_small_systems(const Space& exec, const WarmUpOptions& options) {
  solve_small_systems<double, Space, Offset>(exec, options.parameters);
  if (options.float_matrices) solve_small_systems<float, Space, Offset>(exec, options.parameters);
}

}  // namespace detail

template <class Space>
void warm_up(const Space& exec, const WarmUpOptions& options) {
  const kernels::ProfilingRegion region("tessera::warm_up");
  if (options.bytes > 0) allocate<std::byte>(exec, "tessera::warm_up::memory", options.bytes);
  detail::solve_small_systems<Space, std::int32_t>(exec, options);
  if (options.wide_offsets) detail::solve_small_systems<Space, std::int64_t>(exec, options);
  exec.fence("tessera::warm_up");
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, warm_up)

}  // namespace tessera
