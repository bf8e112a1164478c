// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/solve/forecast.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/matrix/same_pattern.hpp"
#include "tessera/solve/matrix_piece.hpp"
#include "tessera/solve/solve_attempts.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::detail {

namespace {

std::size_t times(std::size_t bytes, double factor) {
  return static_cast<std::size_t>(std::ceil(static_cast<double>(bytes) * factor));
}

/// A setup of `A`, and a solve that ends before its first iteration, with what they took.
template <class Scalar, class Space, class Offset>
MemoryForecast tried(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                     const ConstMultiVectorView<Scalar, Space>& near_nullspace, int block_size,
                     const SolveParameters& parameters,
                     const MultiVector<Scalar, Space>& given_nullspace) {
  const auto b = allocate_multivector<Scalar>(exec, "tessera::forecast::b", A.num_rows);
  const auto x = allocate_multivector<Scalar>(exec, "tessera::forecast::x", A.num_rows);
  Kokkos::deep_copy(exec, b, Scalar(1));
  Kokkos::deep_copy(exec, x, Scalar(0));
  MemoryForecast found;
  SolverState<Scalar, Space, Offset> state(parameters);
  state.give_nullspace(given_nullspace);
  Array<const std::uint64_t, Space> hashes;
  {
    const MemoryTracker memory(Space::memory_space::name(), true);
    state.choose_and_build(exec, A, near_nullspace, block_size);
    hashes = pattern_hashes(exec, A.view());
    exec.fence("tessera::forecast: after setup");
    found.setup_bytes = memory.peak_bytes();
    found.kept_bytes = static_cast<std::size_t>(std::max<std::int64_t>(memory.live_bytes(), 0));
  }
  state.set_ready(true);
  {
    const MemoryTracker memory(Space::memory_space::name(), true);
    const Logger stop = [](const IterationInfo&) { return false; };
    SolveAttempts<Scalar, Space, Offset> attempts(state, stop, LogTiming::live);
    attempts.solve(exec, b, x);
    found.solve_bytes = memory.peak_bytes();
  }
  return found;
}

/// The parameters by which a piece is set up as all of A would be.
SolveParameters for_a_piece(const SolveParameters& effective) {
  SolveParameters p = effective;
  p.solver.nullspace = NullspaceKind::none;  // which a piece does not have
  p.solver.single_kernel = SingleKernel::off;
  p.max_memory_mb = 0;
  // Factors of a piece tell nothing: what there is beside them is a diagonal's.
  if (p.preconditioner == PreconditionerKind::direct) p.preconditioner = PreconditionerKind::jacobi;
  return p;
}

}  // namespace

template <class Scalar, class Space, class Offset>
PickedFor picked_for(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& near_nullspace,
                     int block_size, const SolveParameters& parameters,
                     const NonDeduced<MultiVector<Scalar, Space>>& given_nullspace) {
  SolverState<Scalar, Space, Offset> all(parameters);
  all.give_nullspace(given_nullspace);
  PickedFor picked;
  picked.factor_bytes = all.choose_only(exec, A, near_nullspace, block_size);
  picked.effective = all.effective();
  picked.facts = all.system().facts;
  picked.nodes = all.system().nodes;
  return picked;
}

template <class Scalar, class Space, class Offset>
MemoryForecast forecast_memory(
    const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& near_nullspace, int block_size,
    const SolveParameters& parameters,
    const NonDeduced<MultiVector<Scalar, Space>>& given_nullspace, double trial_entries) {
  const auto entries = static_cast<double>(A.num_entries());
  if (entries <= trial_entries)
    return tried<Scalar, Space, Offset>(exec, A, near_nullspace, block_size, parameters,
                                        given_nullspace);
  const PickedFor picked = picked_for<Scalar, Space, Offset>(exec, A, near_nullspace, block_size,
                                                             parameters, given_nullspace);
  const auto piece = piece_around_the_middle<Scalar, Space, Offset>(
      exec, A.view(), picked.nodes, near_nullspace, static_cast<std::size_t>(trial_entries));
  MemoryForecast forecast;
  try {
    forecast = tried<Scalar, Space, Offset>(exec, piece.A, piece.vectors, picked.nodes.block_size,
                                            for_a_piece(picked.effective), {});
  } catch (const Error& error) {
    // What suits A need not suit a piece of it, such as aggregates that are boxes of a grid.
    if (error.kind() == ErrorKind::out_of_memory) throw;
    return tried<Scalar, Space, Offset>(exec, A, near_nullspace, block_size, parameters,
                                        given_nullspace);
  }
  const double more_entries = entries / static_cast<double>(piece.A.num_entries());
  const double more_rows = static_cast<double>(A.num_rows) / piece.A.num_rows;
  // Beside what grows with A: factors, and an orthogonal basis of the nullspace.
  const std::size_t more =
      static_cast<std::size_t>(picked.factor_bytes) + given_nullspace.span() * sizeof(Scalar);
  forecast.setup_bytes = times(forecast.setup_bytes, more_entries) + more;
  forecast.kept_bytes = times(forecast.kept_bytes, more_entries) + more;
  forecast.solve_bytes = times(forecast.solve_bytes, more_rows);
  forecast.share = 1 / more_entries;
  return forecast;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, picked_for)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, forecast_memory)

}  // namespace tessera::detail
