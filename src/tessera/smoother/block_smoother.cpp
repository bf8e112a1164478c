// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/block_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/full_blocks.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/jacobi_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tessera {

/// v_i = a hashed number in (-1, 1).
template <class Scalar, class Space>
void start_powers(const Space& exec, const MultiVectorView<Scalar, Space>& v) {
  Kokkos::parallel_for(
      "tessera::smoother::start_powers", Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const auto bits = static_cast<std::int32_t>(kernels::hash32(static_cast<std::uint32_t>(i)));
        v(i, 0) = static_cast<Scalar>(0x1p-31 * bits);
      });
}

template <class Scalar, class Space>
double norm_of_power(const Space& exec, const MultiVectorView<Scalar, Space>& v) {
  const auto square = kernels::ordered_sum<double>(
      exec, "tessera::smoother::norm_of_power", v.extent(0),
      KOKKOS_LAMBDA(const Ordinal i, double& sum) {
        const auto value = static_cast<double>(v(i, 0));
        sum += value * value;
      });
  return std::sqrt(square);
}

/// The spectral radius of M A by how the last of its powers grow; 1 where that is no number.
template <class Scalar, class Space>
double radius_by_powers(const Space& exec, const SparseOperator<Scalar, Space>& A,
                        Preconditioner<Scalar, Space>& M) {
  constexpr int first_steps = 4, last_steps = 4;
  const auto v = allocate_multivector<Scalar>(exec, "tessera::smoother::power", A.num_rows(), 1);
  const auto w = allocate_multivector<Scalar>(exec, "tessera::smoother::power", A.num_rows(), 1);
  M.prepare(exec, 1);
  start_powers<Scalar, Space>(exec, v);
  double norm = norm_of_power<Scalar, Space>(exec, v);
  double growth = 1;
  for (int step = 0; step < first_steps + last_steps; ++step) {
    A.apply(exec, static_cast<Scalar>(1 / norm), v, Scalar(0), w);
    M.apply(exec, w, v);
    norm = norm_of_power<Scalar, Space>(exec, v);
    if (step >= first_steps) growth *= norm;
  }
  const double radius = std::pow(growth, 1.0 / last_steps);
  return std::isfinite(radius) ? std::max(radius, 1.0) : 1.0;
}

int rows_of_blocks(const BlockJacobiParameters& p, int block_size) {
  const std::string most = std::to_string(kernels::max_block_rows);
  const std::string name = "amg.smoother.block_jacobi.";
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::configuration, why); };
  if (p.block_rows < 0 || p.block_rows > kernels::max_block_rows)
    refuse(name + "block_rows = " + std::to_string(p.block_rows) + "; expected 1 to " + most +
           " rows, or 0 for the blocks that " + name + "blocks names");
  if (p.blocks == RelaxationBlocks::found) return p.block_rows;
  if (p.block_rows > 0)
    refuse(name + "block_rows = " + std::to_string(p.block_rows) + " beside " + name +
           "blocks = nodes, which takes as many rows as the level's nodes have; use block_rows = 0 "
           "for nodes, or blocks = found for so many rows");
  if (block_size > kernels::max_block_rows)
    refuse(name + "blocks = nodes on a level whose nodes have " + std::to_string(block_size) +
           " unknowns, and blocks have at most " + most +
           " rows; use block_rows, or fewer near-nullspace vectors where it is one of the coarse "
           "levels");
  return block_size;
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_block_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const BlockJacobiParameters& p,
    int block_size, int sweeps) {
  const int given = rows_of_blocks(p, block_size);
  auto blocks = std::make_unique<BlockJacobiPreconditioner<Scalar, Space>>(
      exec, entries, given > 0 ? given : kernels::find_full_blocks(exec, entries));
  const double omega = 2 / (1 + 1.25 * radius_by_powers<Scalar, Space>(exec, *A, *blocks));
  const std::string note = blocks->note();
  auto smoother =
      std::make_unique<CorrectionSmoother<Scalar, Space>>(A, std::move(blocks), omega, sweeps);
  smoother->set_note(note);
  return smoother;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_block_smoother)

}  // namespace tessera
