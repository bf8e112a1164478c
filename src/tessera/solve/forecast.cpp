// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/solve/forecast.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/matrix/same_pattern.hpp"
#include "tessera/solve/chosen_system.hpp"
#include "tessera/solve/matrix_piece.hpp"
#include "tessera/solve/solve_attempts.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::detail {

namespace {

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

/// What a piece took, and how large it is.
struct TriedPiece {
  MemoryForecast took;
  double entries = 0;
  double rows = 0;
};

std::size_t bytes_by_two(const Sample& larger, const Sample& smaller, double size) {
  const double share = static_cast<double>(larger.bytes) / larger.size;
  const double more =
      larger.bytes > smaller.bytes ? static_cast<double>(larger.bytes - smaller.bytes) : 0.0;
  const double slope =
      larger.size > smaller.size ? std::min(share, more / (larger.size - smaller.size)) : share;
  return larger.bytes + static_cast<std::size_t>(std::ceil(slope * (size - larger.size)));
}

template <class Scalar, class Space, class Offset>
PickedFor picked_for(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& near_nullspace,
                     int block_size, const SolveParameters& parameters,
                     const NonDeduced<MultiVector<Scalar, Space>>& given_nullspace) {
  ChosenSystem<Scalar, Space, Offset> all(parameters);
  all.give_nullspace(given_nullspace, {});
  PickedFor picked;
  picked.factor_bytes = all.choose_only(exec, A, near_nullspace, block_size);
  picked.effective = all.choices().effective;
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
  const auto try_piece = [&](double max_entries) -> TriedPiece {
    const auto piece = piece_around_the_middle<Scalar, Space, Offset>(
        exec, A.view(), picked.nodes, near_nullspace, static_cast<std::size_t>(max_entries));
    return {tried<Scalar, Space, Offset>(exec, piece.A, piece.vectors, picked.nodes.block_size,
                                         for_a_piece(picked.effective), {}),
            static_cast<double>(piece.A.num_entries()), static_cast<double>(piece.A.num_rows)};
  };
  TriedPiece larger, smaller;
  try {
    larger = try_piece(trial_entries);
    // On a host next to nothing is beside what grows: a piece of nothing says so.
    if (!kernels::is_host_space<Space>) smaller = try_piece(trial_entries / 4);
  } catch (const Error& error) {
    // What suits A need not suit a piece of it, such as aggregates that are boxes of a grid.
    if (error.kind() == ErrorKind::out_of_memory) throw;
    return tried<Scalar, Space, Offset>(exec, A, near_nullspace, block_size, parameters,
                                        given_nullspace);
  }
  const auto by_entries = [&](std::size_t MemoryForecast::* bytes) {
    return bytes_by_two({larger.entries, larger.took.*bytes},
                        {smaller.entries, smaller.took.*bytes}, entries);
  };
  // Factors, and an orthogonal basis of the nullspace.
  const std::size_t more =
      static_cast<std::size_t>(picked.factor_bytes) + given_nullspace.span() * sizeof(Scalar);
  MemoryForecast forecast;
  forecast.setup_bytes = by_entries(&MemoryForecast::setup_bytes) + more;
  forecast.kept_bytes = by_entries(&MemoryForecast::kept_bytes) + more;
  forecast.solve_bytes =
      bytes_by_two({larger.rows, larger.took.solve_bytes}, {smaller.rows, smaller.took.solve_bytes},
                   static_cast<double>(A.num_rows));
  forecast.share = larger.entries / entries;
  return forecast;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, picked_for)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, forecast_memory)

}  // namespace tessera::detail
