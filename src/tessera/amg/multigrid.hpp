// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation multigrid: setup and cycle.
#pragma once

#include "tessera/amg/coarse_solver.hpp"
#include "tessera/amg/hierarchy_info.hpp"
#include "tessera/amg/level.hpp"
#include "tessera/amg/parameters.hpp"

#include <vector>

namespace tessera::amg {

/// Smoothed aggregation as in Bell, Dalton & Olson, SIAM J. Sci. Comput. 34 (2012), every step on
/// the device. One application is one cycle from the guess zero.
template <class Scalar, class Space, class Offset = std::int32_t>
class Multigrid : public Preconditioner<Scalar, Space> {
 public:
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// @throws Error of kind `configuration` where a parameter is out of its range.
  explicit Multigrid(Parameters parameters = {});
  /// These are written out of the class: HIP takes an implicit destructor for one of the device
  /// too, and there the levels have none.
  Multigrid(Multigrid&& other) noexcept;
  Multigrid& operator=(Multigrid&& other) noexcept;
  ~Multigrid() override;

  /// Builds the hierarchy of `A` (n by n, pattern and values symmetric for a symmetric cycle).
  /// Where `parameters.symmetry` leaves open whether it is symmetric, two products with it decide.
  /// `candidates`: n by m near-nullspace vectors, m <= 10; no columns stand for a unit vector
  /// for each unknown of a vertex.
  /// `block_size`: unknowns a vertex, row `i` belonging to vertex `i / block_size`. `nullspace`:
  /// the candidates, by column, of which a symmetric A makes zero; the inverse of the coarsest
  /// matrix leaves them out. `A`'s arrays are shared, not copied: values that change while the
  /// hierarchy is kept would no longer fit to the rest of it. Give it a copy then, as `Solver`
  /// does.
  /// @throws Error where A is not square, or n is not a multiple of the block size, or the
  ///         candidates' length is not n, or they are more than 10; of kind `bad_input` where a
  ///         candidate is all zeros or holds a NaN or an infinity, or one appears in the hierarchy;
  ///         `OffsetOverflow` where an `Offset` does not count the entries of one of its matrices.
  void setup(const Space& exec, const Matrix& A, const ConstVectors& candidates = {},
             int block_size = 1, const std::vector<int>& nullspace = {});

  /// The same; false, and nothing is set up, where a NaN or an infinity appears in the hierarchy.
  [[nodiscard]] bool try_setup(const Space& exec, const Matrix& A,
                               const ConstVectors& candidates = {}, int block_size = 1,
                               const std::vector<int>& nullspace = {});

  /// Allocates the work vectors for `k` right-hand sides.
  void prepare(const Space& exec, int k) override;

  /// z = one cycle for A z = r from the guess zero; z and r do not overlap.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

  const Parameters& parameters() const { return m_parameters; }
  const std::vector<Level<Scalar, Space, Offset>>& levels() const { return m_levels; }
  const HierarchyInfo& info() const { return m_info; }
  double setup_ms() const { return m_setup_ms; }

 private:
  /// False where a number is not finite; the hierarchy is as far as it got.
  bool build(const Space& exec, const Matrix& A, const ConstVectors& candidates, int block_size,
             const std::vector<int>& nullspace);
  void cycle(const Space& exec, std::size_t depth, const ConstVectors& b, const Vectors& x);
  void solve_coarsest(const Space& exec, const ConstVectors& b, const Vectors& x);

  Parameters m_parameters;
  std::vector<Level<Scalar, Space, Offset>> m_levels;
  CoarseSolver<Scalar, Space> m_coarse_solver;
  bool m_coarsest_is_relaxed = false;
  HierarchyInfo m_info;
  double m_setup_ms = 0;
  int m_prepared_columns = 0;
};

}  // namespace tessera::amg
