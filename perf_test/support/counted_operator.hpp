// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix that counts and times its products.
#pragma once

#include "tessera/operator/sparse_operator.hpp"

#include <Kokkos_Timer.hpp>
#include <memory>
#include <utility>

namespace tessera::perf {

/// Products of one matrix: how many, and how long they took together.
struct ProductCount {
  int calls = 0;
  double ms = 0;
};

/// Passes each product on, with a fence before and after it. The counts are the caller's.
template <class Space>
class CountedOperator : public SparseOperator<double, Space> {
 public:
  using Inner = SparseOperator<double, Space>;
  using typename LinearOperator<double, Space>::ConstVectors;
  using typename LinearOperator<double, Space>::Vectors;

  CountedOperator(std::shared_ptr<const Inner> inner, ProductCount& count)
      : m_inner(std::move(inner)), m_count(count) {}

  Ordinal num_rows() const override { return m_inner->num_rows(); }
  Ordinal num_cols() const override { return m_inner->num_cols(); }
  std::size_t num_entries() const override { return m_inner->num_entries(); }
  StorageInfo info() const override { return m_inner->info(); }

  void apply(const Space& exec, double alpha, const ConstVectors& x, double beta,
             const Vectors& y) const override {
    counted(exec, [&] { m_inner->apply(exec, alpha, x, beta, y); });
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    counted(exec, [&] { m_inner->residual(exec, b, x, r); });
  }
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<double, Space>& result) const override {
    counted(exec, [&] { m_inner->apply_dot(exec, x, y, result); });
  }
  void jacobi_sweep(const Space& exec, const ArrayView<const double, Space>& d,
                    const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) const override {
    counted(exec, [&] { m_inner->jacobi_sweep(exec, d, b, x_in, x_out); });
  }
  void chebyshev_step(const Space& exec, const ArrayView<const double, Space>& d, double alpha,
                      double beta, const ConstVectors& b, const ConstVectors& x_in,
                      const Vectors& p, const Vectors& x_out) const override {
    counted(exec, [&] { m_inner->chebyshev_step(exec, d, alpha, beta, b, x_in, p, x_out); });
  }

 private:
  template <class Product>
  void counted(const Space& exec, const Product& product) const {
    exec.fence("tessera::perf");
    const Kokkos::Timer timer;
    product();
    exec.fence("tessera::perf");
    m_count.ms += timer.seconds() * 1e3;
    ++m_count.calls;
  }

  std::shared_ptr<const Inner> m_inner;
  ProductCount& m_count;
};

}  // namespace tessera::perf
