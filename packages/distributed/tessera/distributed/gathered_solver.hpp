// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsest of several processes' levels, on one of them.
#pragma once

#include "tessera/distributed/column_powers.hpp"
#include "tessera/distributed/gathered_rows.hpp"
#include "tessera/solve.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::distributed {

/// What is made of a gathered level: Tessera's preconditioner of it as of any matrix.
struct GatheredParameters {
  SolveParameters solve;
  int block_size = 1;  ///< unknowns per node; 0: found from the pattern
};

/// A level that is gathered on the first of its processes and solved there.
template <class Space>
class GatheredSolver {
 public:
  /// `vectors`: near-nullspace, n by m, m the same on all. Collective over A's processes.
  GatheredSolver(const Space& exec, const Matrix<Space>& A,
                 const MultiVector<double, Space>& vectors, const GatheredParameters& parameters,
                 const Functions<Space>& functions);

  /// Takes new values in the same pattern. Collective.
  void update(const Space& exec, const Matrix<Space>& A);

  /// Makes room for k columns, so that `apply` allocates nothing but for columns far from 1. Sends
  /// nothing: a step of all processes.
  void prepare(const Space& exec, std::size_t k);
  /// x = M b over this process's rows, in double or float, of as many columns as there is room for.
  /// Collective.
  template <class Scalar>
  void apply(const Space& exec, const ConstMultiVectorView<Scalar, Space>& b,
             const MultiVectorView<Scalar, Space>& x);

  /// Whether M is known to be its own transpose; the same on all of A's processes.
  bool is_symmetric() const { return m_is_symmetric; }
  /// Whether M is multigrid of several levels; the same on all of A's processes.
  bool has_levels() const { return m_has_levels; }
  /// Whether an application on this process waits for the device, or works on the host.
  bool waits_for_host() const;
  /// What the first process has made of the level; nothing on the others.
  HierarchyInfo info() const;
  std::vector<std::string> description() const;

 private:
  bool has_rows() const { return m_rows.has_rows(); }
  void agree_on_facts();
  void precondition(const Space& exec);

  GatheredRows<Space> m_rows;
  tessera::Solver<double, Space, std::int64_t> m_solver;
  LocalPowers<Space> m_powers;
  int m_prepared_columns = -1;
  bool m_is_symmetric = false;
  bool m_has_levels = false;
  MultiVector<double, Space> m_r, m_z, m_gathered_r, m_gathered_z;
};

/// The same where a cycle has a smoother; `solver` is null on a process without a share in the
/// level.
template <class Scalar, class Space>
class GatheredCorrection : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;

  explicit GatheredCorrection(std::shared_ptr<GatheredSolver<Space>> solver)
      : m_solver(std::move(solver)) {}

  void prepare(const Space& exec, int k) override {
    if (m_solver != nullptr) m_solver->prepare(exec, static_cast<std::size_t>(k));
  }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    if (m_solver != nullptr) m_solver->template apply<Scalar>(exec, b, x);
  }
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors&,
              const Vectors& x) override {
    apply(exec, b, x);  // whatever the guess
  }

 private:
  std::shared_ptr<GatheredSolver<Space>> m_solver;
};

}  // namespace tessera::distributed
