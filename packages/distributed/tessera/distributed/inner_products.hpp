// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products over all processes.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/exact_products.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tessera::distributed {

/// Sums in double in each process, in an order that its share alone decides, and one reduction of
/// as many of them as are asked for at a time: by the host, or on the device where the communicator
/// orders sums by the stream. With a communicator that is reproducible products are summed exactly,
/// and the reduction is the host's.
template <class Space>
class InnerProducts {
 public:
  using Vectors = ConstMultiVectorView<double, Space>;
  using Pair = std::pair<Vectors, Vectors>;

  InnerProducts() = default;
  /// Of vectors with k columns.
  InnerProducts(const Space& exec, std::shared_ptr<const Communicator> processes, std::size_t k);

  /// For each pair (x, y) and column j <x_j, y_j>: those of the first pair come first. Numbers of
  /// `along` are summed over the processes in the same reduction. Waits for `exec`. Collective.
  std::vector<double> operator()(const Space& exec, std::span<const Pair> pairs,
                                 std::span<double> along = {});
  std::vector<double> operator()(const Space& exec, std::initializer_list<Pair> pairs) {
    return (*this)(exec, std::span(pairs.begin(), pairs.size()));
  }

  /// Room for so many numbers in one reduction, those along included: memory of sums stays where
  /// it is as long as there are no more.
  void reserve(const Space& exec, std::size_t count);

  /// The same for vectors of so many rows, where sums are exact.
  void reserve_rows(const Space& exec, std::size_t rows) {
    if (m_processes->is_reproducible()) m_exact.reserve(exec, rows);
  }

  /// Whether `queue` is there: the communicator orders sums by the stream, and they need not be
  /// exact.
  bool stays_on_device() const;
  /// The same sums, left on the device, where they stay until the next ones: queued on `exec`, for
  /// which nobody waits. `along` is read when its turn comes. Collective.
  ArrayView<const double, Space> queue(const Space& exec, std::span<const Pair> pairs,
                                       const kernels::ReportView<const double, Space>& along = {});
  ArrayView<const double, Space> queue(const Space& exec, std::initializer_list<Pair> pairs,
                                       const kernels::ReportView<const double, Space>& along = {}) {
    return queue(exec, std::span(pairs.begin(), pairs.size()), along);
  }
  /// The host waits for what is queued on `exec` on any process. Where `stays_on_device`.
  void wait(const Space& exec) const;

  std::size_t num_columns() const { return m_k; }
  const Communicator& processes() const { return *m_processes; }

 private:
  /// This process's, into the first of `m_sums` and, where given, of the report.
  void take_products(const Space& exec, std::span<const Pair> pairs,
                     const kernels::ReportView<double, Space>& report);
  std::vector<double> exact_sums(const Space& exec, std::span<const Pair> pairs,
                                 std::span<double> along);
  void sum_in_order(const Space& exec, std::span<const Pair> pairs, std::span<double> along);

  std::shared_ptr<const Communicator> m_processes;
  std::size_t m_k = 0;
  kernels::ReductionWorkspace<Space> m_workspace;
  Array<double, Space> m_sums;  ///< those of the pairs, and what is summed along
  kernels::Report<double, Space> m_report;
  ExactProducts<double, Space> m_exact;
};

}  // namespace tessera::distributed
