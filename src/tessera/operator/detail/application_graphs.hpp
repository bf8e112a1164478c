// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The recorded applications of one preconditioner.
#pragma once

#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

/// On spaces without graphs: none.
template <class Scalar, class Space>
class ApplicationGraphs {
 public:
  explicit ApplicationGraphs(int) {}

  void apply(const Space& exec, Preconditioner<Scalar, Space>& inner,
             const ConstMultiVectorView<Scalar, Space>& r,
             const MultiVectorView<Scalar, Space>& z) {
    inner.apply(exec, r, z);
  }
  void clear() {}
  std::size_t num_captures() const { return 0; }
  std::size_t num_launches() const { return 0; }
  const std::string& failure() const { return m_failure; }

 private:
  std::string m_failure;
};

template <class Scalar, class Space>
  requires kernels::has_launch_graphs<Space>
class ApplicationGraphs<Scalar, Space> {
 public:
  using Inner = Preconditioner<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;

  /// The recording for two vectors is made when they come for the time after `applications_before`.
  explicit ApplicationGraphs(int applications_before)
      : m_applications_before(applications_before) {}

  /// z = M r, M being `inner`, by a recording where there is one or it is time to make it.
  void apply(const Space& exec, Inner& inner, const ConstVectors& r, const Vectors& z) {
    const Operands operands(r, z);
    keep_to_shape(operands);
    if (!may_replay(exec, r, z)) {
      inner.apply(exec, r, z);
      return;
    }
    if (Recording* const known = find(operands)) {
      if (++known->applications >= m_applications_before && record(known->graph, inner, r, z)) {
        launch(exec, known->graph);
      } else {
        inner.apply(exec, r, z);
      }
      return;
    }
    apply_to_new(exec, inner, r, z);
    remember(operands);
  }

  /// Drops the recordings and counts new vectors from zero again.
  void clear() {
    m_recordings.clear();
    m_copied = {};
    m_r = {};
    m_z = {};
    m_has_run = false;
    m_new_operands = 0;
  }

  std::size_t num_captures() const { return m_num_captures; }
  std::size_t num_launches() const { return m_num_launches; }
  const std::string& failure() const { return m_failure; }

 private:
  using Graph = kernels::LaunchGraph<Space>;

  /// A short recurrence applies M to three pairs of vectors at most.
  static constexpr std::size_t max_recordings = 4;
  /// After so many applications to new vectors, further ones are taken not to come back.
  static constexpr int max_new_operands = 4;
  /// Up to so many bytes of r, copying r and z (four passes over such a vector) takes less time
  /// than the launches that it saves: an estimate from 40 launches of 1 us each and 4 TB/s.
  static constexpr std::size_t max_copied_bytes = std::size_t{32} << 20;

  /// What a recording reads and writes of its caller's.
  struct Operands {
    const Scalar* r;
    const Scalar* z;
    std::size_t rows, columns, r_stride, z_stride;

    Operands(const ConstVectors& r_in, const Vectors& z_out)
        : r(r_in.data()),
          z(z_out.data()),
          rows(r_in.extent(0)),
          columns(r_in.extent(1)),
          r_stride(r_in.stride(1)),
          z_stride(z_out.stride(1)) {}
    bool operator==(const Operands&) const = default;
  };

  struct Recording {
    Operands operands;
    Graph graph;  ///< once it was made
    int applications = 0;  ///< before this one
  };

  /// `inner` may have moved its memory where vectors of another shape came between.
  void keep_to_shape(const Operands& operands) {
    if (operands.rows == m_rows && operands.columns == m_columns) return;
    clear();
    m_rows = operands.rows;
    m_columns = operands.columns;
  }

  /// A tool is shown kernels as they are launched, and none of a recording. Vectors that do not fit
  /// together are for `inner` to refuse.
  bool may_replay(const Space& exec, const ConstVectors& r, const Vectors& z) const {
    return m_failure.empty() && r.size() > 0 && z.extent(0) == r.extent(0) &&
           z.extent(1) == r.extent(1) && !Kokkos::Tools::profileLibraryLoaded() &&
           (m_stream == nullptr || m_stream->is_on_device_of(exec)) && !kernels::is_recording(exec);
  }

  /// The recording for these vectors, moved to the front; null where there is none.
  Recording* find(const Operands& operands) {
    const auto known =
        std::find_if(m_recordings.begin(), m_recordings.end(),
                     [&](const Recording& entry) { return entry.operands == operands; });
    if (known == m_recordings.end()) return nullptr;
    std::rotate(m_recordings.begin(), known, known + 1);
    return &m_recordings.front();
  }

  void remember(const Operands& operands) {
    if (m_recordings.size() == max_recordings) m_recordings.pop_back();
    m_recordings.insert(m_recordings.begin(), {operands, Graph(), 0});
  }

  void apply_to_new(const Space& exec, Inner& inner, const ConstVectors& r, const Vectors& z) {
    if (!m_has_run) {
      run_once(exec, inner, r, z);
    } else if (m_new_operands < max_new_operands || !copy_and_launch(exec, inner, r, z)) {
      inner.apply(exec, r, z);
    }
    ++m_new_operands;
  }

  /// Runs `inner` on the instance that will record it, so that all that is made at a first use is
  /// there: scratch memory of the instance, memory of `inner`, kernels loaded at their first
  /// launch.
  void run_once(const Space& exec, Inner& inner, const ConstVectors& r, const Vectors& z) {
    if (!make_stream(exec)) {
      inner.apply(exec, r, z);
      return;
    }
    m_stream->run_within(exec, [&](const Space& instance) { inner.apply(instance, r, z); });
    m_has_run = true;
  }

  bool make_stream(const Space& exec) {
    if (m_stream != nullptr) return true;
    try {
      m_stream = std::make_unique<kernels::RecordingStream<Space>>(exec);
    } catch (const std::exception& error) {
      give_up(error.what());
    }
    return m_stream != nullptr;
  }

  /// Records z = M r into `graph` where it is not there yet; false where it cannot be.
  bool record(Graph& graph, Inner& inner, const ConstVectors& r, const Vectors& z) {
    if (graph.is_ready()) return true;
    Graph recorded =
        Graph::record(*m_stream, [&](const Space& instance) { inner.apply(instance, r, z); });
    if (!recorded.is_ready()) {
      give_up(recorded.failure());
      return false;
    }
    graph = std::move(recorded);
    ++m_num_captures;
    return true;
  }

  void launch(const Space& exec, const Graph& graph) {
    graph.launch(exec);
    ++m_num_launches;
  }

  /// False, with nothing done, where copies do not pay or cannot be.
  bool copy_and_launch(const Space& exec, Inner& inner, const ConstVectors& r, const Vectors& z) {
    if (r.size() * sizeof(Scalar) > max_copied_bytes || !make_copies(exec, r) ||
        !record(m_copied, inner, m_r, m_z)) {
      return false;
    }
    kernels::copy<Scalar, Scalar, Space>(exec, r, m_r);
    launch(exec, m_copied);
    kernels::copy<Scalar, Scalar, Space>(exec, m_z, z);
    return true;
  }

  bool make_copies(const Space& exec, const ConstVectors& r) {
    if (m_z.size() > 0) return true;
    try {
      m_r = allocate_multivector<Scalar>(exec, "tessera::captured::r", r.extent(0), r.extent(1));
      m_z = allocate_multivector<Scalar>(exec, "tessera::captured::z", r.extent(0), r.extent(1));
      return true;
    } catch (const std::exception&) {
      return false;  // too little memory is no reason to end a solve that needs none of it
    }
  }

  void give_up(const std::string& why) {
    m_failure = why.empty() ? std::string("an error without a message") : why;
    clear();
  }

  int m_applications_before;
  std::unique_ptr<kernels::RecordingStream<Space>> m_stream;  ///< outlives the recordings
  std::vector<Recording> m_recordings;  ///< the last used first
  Graph m_copied;  ///< of m_z = M m_r
  MultiVector<Scalar, Space> m_r;
  MultiVector<Scalar, Space> m_z;
  std::size_t m_rows = 0;
  std::size_t m_columns = 0;
  bool m_has_run = false;
  int m_new_operands = 0;
  std::size_t m_num_captures = 0;
  std::size_t m_num_launches = 0;
  std::string m_failure;
};

}  // namespace tessera::detail
