// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup and a solve will take, by setting up a piece of the matrix.
#pragma once

#include "tessera/solve/memory_forecast.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solve/solver_state.hpp"

namespace tessera::detail {

/// What a setup would pick for a matrix.
struct PickedFor {
  SolveParameters effective;  ///< with every open choice filled in
  MatrixFacts facts;
  amg::Nodes nodes;
  double factor_bytes = 0;  ///< of the sparse factors that were picked, by their estimate
};

/// Bytes that a setup of a piece took, by what the piece has of entries or rows.
struct Sample {
  double size = 0;
  std::size_t bytes = 0;
};

/// What all of A, of `size`, takes by two pieces of it: a device's kernels have memory of their own
/// beside what grows with A, and a small piece has all of that. At most what the larger piece's
/// share says, and at least what it took.
std::size_t bytes_by_two(const Sample& larger, const Sample& smaller, double size);

/// Inspects A and fills in what is open, and makes nothing. Waits.
template <class Scalar, class Space, class Offset>
PickedFor picked_for(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& near_nullspace,
                     int block_size, const SolveParameters& parameters,
                     const NonDeduced<MultiVector<Scalar, Space>>& given_nullspace);

/// Picks what is open for all of A; then sets up a connected piece of it with that, and scales what
/// this took by the share of the entries; on a device, by this piece and a fourth of it. An A of up
/// to `trial_entries` is set up as a whole. Factors of a larger one are not made: of these the
/// estimate counts that they are picked by. Waits.
template <class Scalar, class Space, class Offset>
MemoryForecast forecast_memory(
    const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& near_nullspace, int block_size,
    const SolveParameters& parameters,
    const NonDeduced<MultiVector<Scalar, Space>>& given_nullspace,
    double trial_entries = rules::max_entries_of_trial);

}  // namespace tessera::detail
