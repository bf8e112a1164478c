// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/hierarchy_builder.hpp"

#include "tessera/amg/setup/descend.hpp"
#include "tessera/amg/setup/level_info.hpp"
#include "tessera/amg/setup/refresh.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"
#include "tessera/matrix/symmetry_probe.hpp"
#include "tessera/operator/out_of_memory.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tessera::amg {
namespace detail {

void check_arguments(Ordinal num_rows, Ordinal num_cols, int block_size) {
  require(num_rows == num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(num_rows) + " by " +
           std::to_string(num_cols);
  });
  require(block_size >= 1 && num_rows % block_size == 0, [&] {
    return "block_size must divide the number of rows: " + std::to_string(block_size) +
           " does not divide " + std::to_string(num_rows);
  });
}

/// Adds the notes of all levels, those in float included, to `notes`.
template <class Scalar, class Space, class Offset>
void append_level_notes(const HierarchySetup<Scalar, Space, Offset>& setup,
                        std::vector<std::string>& notes) {
  const auto append = [&](const std::vector<std::string>& some) {
    notes.insert(notes.end(), some.begin(), some.end());
  };
  for (const auto& level : setup.levels) {
    append(level.notes.products);
    append(level.notes.A);
    append(level.notes.smoother);
    append(level.notes.connection);
  }
  if (setup.tail != nullptr) append_level_notes(*setup.tail, notes);
}

/// The pattern of the user's `A`, its values or those that the setup writes. By value, and its end
/// is that of this function: an object that a View was moved from may hold the array still (Kokkos
/// 4.6 on CUDA), and setup frees these values at times.
template <class Scalar, class Space, class Offset>
std::shared_ptr<StoredCsr<Scalar, Space, Offset>> finest_operator(
    const Space& exec, kernels::Csr<Scalar, Space, Offset> A,
    const FinestExtras<Scalar, Space>& extras) {
  using StoredA = StoredCsr<Scalar, Space, Offset>;
  if (extras.write_values) extras.write_values(exec, A.values);
  return extras.plan != nullptr ? std::make_shared<StoredA>(std::move(A), *extras.plan)
                                : std::make_shared<StoredA>(exec, std::move(A));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void HierarchyBuilder<Scalar, Space, Offset>::complete(const Space& exec, PhaseTimer<Space>& timer,
                                                       HierarchyInfo& info) {
  const std::size_t num_notes = info.notes.size();
  detail::append_level_notes(m_setup, info.notes);
  m_num_level_notes = info.notes.size() - num_notes;
  timer.stop(exec);
  info.levels.back().setup_ms += timer.lap();
  info.setup_phases_ms = timer.phases();
  info.setup_ms = timer.total_ms();
  sum_complexities(info);
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::build_hierarchy(
    const Space& exec, const Csr& A, const ConstMultiVectorView<Scalar, Space>& near_nullspace,
    int block_size, const std::vector<int>& nullspace, Hierarchy<Scalar, Space>& hierarchy,
    const FinestExtras<Scalar, Space>& extras) {
  const Parameters& p = m_setup.parameters;
  detail::check_arguments(A.num_rows, A.num_cols, block_size);
  const kernels::ProfilingRegion region("tessera::setup");
  const ArrayPool<Space> pool(exec, pools_memory<Space>(p));
  PhaseTimer<Space> timer(exec, p.measure_phases);
  hierarchy = {};
  return tessera::detail::with_memory_errors(timer.step(), [&] {
    NearNullspace<Scalar, Space> B(exec, A.num_rows, near_nullspace, block_size);
    timer.start(exec, "analyse");
    auto finest = detail::finest_operator(exec, A, extras);
    m_setup.symmetric = p.symmetry == AssumedSymmetry::automatic
                            ? looks_symmetric(exec, finest->view(), finest->plan())
                            : p.symmetry == AssumedSymmetry::symmetric;
    m_setup.finest_entries = A.num_entries();
    m_setup.entries_so_far = A.num_entries();
    m_setup.nullspace = nullspace;
    m_setup.write_values = extras.write_values;
    FineLevel<Scalar, Space, Offset> first{std::move(finest), {}, 0, block_size};
    first.functions = extras.functions;
    if (!descend(exec, m_setup, std::move(first), B, timer, hierarchy)) return false;
    complete(exec, timer, hierarchy.info);
    return true;
  });
}

template <class Scalar, class Space, class Offset>
bool HierarchyBuilder<Scalar, Space, Offset>::update(const Space& exec, bool keeps_interpolation,
                                                     Hierarchy<Scalar, Space>& hierarchy) {
  const kernels::ProfilingRegion region("tessera::setup");
  const ArrayPool<Space> pool(exec, pools_memory<Space>(m_setup.parameters));
  PhaseTimer<Space> timer(exec, m_setup.parameters.measure_phases);
  auto& info = hierarchy.info;
  // Those at the end are of the values before.
  info.notes.resize(info.notes.size() - m_num_level_notes);
  return tessera::detail::with_memory_errors(timer.step(), [&] {
    if (!refresh(exec, m_setup, keeps_interpolation, timer, hierarchy)) return false;
    complete(exec, timer, info);
    return true;
  });
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, HierarchyBuilder)

}  // namespace tessera::amg
