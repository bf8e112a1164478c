// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The corrections that a cycle is made of. The levels outlive them.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tessera::amg::detail {

/// The relaxation of a coarsest level in place of a direct solve; by a smoother that relaxes one
/// way, as often the other way afterwards.
template <class Scalar, class Space>
class RelaxedCorrection : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  RelaxedCorrection(const Level<Scalar, Space>& level, int sweeps)
      : m_level(level), m_sweeps(sweeps) {}

  void prepare(const Space& exec, int k) override {
    m_level.smoother->prepare(exec, k);
    m_other = allocate_multivector<Scalar>(exec, "tessera::amg::u", m_level.A->num_rows(), k);
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    auto& smoother = *m_level.smoother;
    const int total = smoother.relaxes_one_way() ? 2 * m_sweeps : m_sweeps;
    // The last one writes x.
    Vectors here = x;
    Vectors next = smoother.works_in_place() ? x : Vectors(m_other);
    if (total % 2 == 0) std::swap(here, next);
    smoother.apply(exec, b, here);
    for (int i = 1; i < total; ++i) {
      if (i < m_sweeps) {
        smoother.smooth(exec, b, here, next);
      } else {
        smoother.smooth_after(exec, b, here, next);
      }
      std::swap(here, next);
    }
  }

 private:
  const Level<Scalar, Space>& m_level;
  int m_sweeps;
  MultiVector<Scalar, Space> m_other;
};

/// Smoothing, a correction by the next level, and smoothing. The first is left out where the level
/// relaxes after the correction alone.
template <class Scalar, class Space>
class Visit : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// `number`: the level's, for profilers.
  Visit(const Level<Scalar, Space>& level, int number,
        std::shared_ptr<Preconditioner<Scalar, Space>> coarse)
      : m_level(level),
        m_region("tessera::level " + std::to_string(number)),
        m_coarse(std::move(coarse)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = 0;
    const std::size_t n = m_level.A->num_rows();
    const std::size_t n_coarse = m_level.R->num_rows();
    m_level.smoother->prepare(exec, k);
    m_u = {};
    if (!m_level.smoother->works_in_place())
      m_u = allocate_multivector<Scalar>(exec, "tessera::amg::u", n, k);
    m_r = {};
    if (m_level.relaxes_before) m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r", n, k);
    m_b_coarse = allocate_multivector<Scalar>(exec, "tessera::amg::b", n_coarse, k);
    m_x_coarse = allocate_multivector<Scalar>(exec, "tessera::amg::x", n_coarse, k);
    m_coarse->prepare(exec, k);
    m_columns = k;
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    const kernels::ProfilingRegion region(m_region);
    const Vectors u = m_level.smoother->works_in_place() ? x : Vectors(m_u);
    if (m_level.relaxes_before) {
      m_level.smoother->apply(exec, b, u);
      m_level.A->residual(exec, b, u, m_r);
      m_level.R->apply(exec, 1, m_r, 0, m_b_coarse);
    } else {
      m_level.R->apply(exec, 1, b, 0, m_b_coarse);
    }
    m_coarse->apply(exec, m_b_coarse, m_x_coarse);
    m_level.P->apply(exec, 1, m_x_coarse, m_level.relaxes_before ? 1 : 0, u);
    m_level.smoother->smooth_after(exec, b, u, x);
  }

 private:
  const Level<Scalar, Space>& m_level;
  std::string m_region;  ///< for profilers
  std::shared_ptr<Preconditioner<Scalar, Space>> m_coarse;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Scalar, Space> m_u;  ///< the iterate before post-smoothing
  MultiVector<Scalar, Space> m_r;  ///< the residual to restrict
  MultiVector<Scalar, Space> m_b_coarse;
  MultiVector<Scalar, Space> m_x_coarse;
};

/// One correction for the level of `A`, and another for what it has left.
template <class Scalar, class Space>
class TwoCorrections : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  using Operator = typename Level<Scalar, Space>::Operator;

  TwoCorrections(std::shared_ptr<const Operator> A,
                 std::shared_ptr<Preconditioner<Scalar, Space>> first,
                 std::shared_ptr<Preconditioner<Scalar, Space>> second)
      : m_A(std::move(A)), m_first(std::move(first)), m_second(std::move(second)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = 0;
    const std::size_t n = m_A->num_rows();
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r", n, k);
    m_e = allocate_multivector<Scalar>(exec, "tessera::amg::e", n, k);
    m_first->prepare(exec, k);
    m_second->prepare(exec, k);
    m_columns = k;
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    m_first->apply(exec, b, x);
    m_A->residual(exec, b, x, m_r);
    m_second->apply(exec, m_r, m_e);
    kernels::axpby<Scalar, Space>(exec, Scalar(1), m_e, Scalar(1), x);
  }

 private:
  std::shared_ptr<const Operator> m_A;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_first;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_second;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Scalar, Space> m_r;
  MultiVector<Scalar, Space> m_e;
};

}  // namespace tessera::amg::detail
