// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/step_program.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/detail/step_waits.hpp"

#include <algorithm>
#include <utility>

namespace tessera::kernels {
namespace detail {

/// Of shared memory, for the steps and the addresses of their vectors. With what a worker needs for
/// itself this is within the 48 kB that any kernel may have.
inline constexpr std::size_t max_scratch_bytes = 40 << 10;

/// What a step reads, in entries of a matrix.
template <class Scalar>
std::size_t entries_of(const Step<Scalar>& step) {
  const auto n = static_cast<std::size_t>(step.num_rows);
  // A dense one is in double.
  if (step.kind == StepKind::dense) return n * n;
  return std::max(step.num_entries, n);
}

/// Lanes of a device that share a row: each has two entries of it or more, on average.
template <class Scalar>
int lanes_of(const Step<Scalar>& step) {
  const std::size_t per_row = step.num_rows == 0 ? 0 : entries_of(step) / step.num_rows;
  std::size_t lanes = 1;
  while (lanes < 32 && 2 * lanes <= per_row)
    lanes *= 2;
  return static_cast<int>(lanes);
}

/// The number of the first step that has the matrix of `step`, one of `steps`.
template <class Scalar>
int first_with_matrix(const std::vector<Step<Scalar>>& steps, const Step<Scalar>& step) {
  const auto has_it = [&](const Step<Scalar>& other) {
    if (&other == &step) return true;
    return (step.has_matrix() && other.has_matrix() && other.offsets == step.offsets &&
            other.wide_offsets == step.wide_offsets && other.values == step.values) ||
           (step.dense != nullptr && other.dense == step.dense);
  };
  return static_cast<int>(std::find_if(steps.begin(), steps.end(), has_it) - steps.begin());
}

/// The first and last column of each share's rows, step after step, by a team each; of the first
/// step with each matrix, where all share it.
template <class Scalar, class Space>
struct FindColumns {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  const Step<Scalar>* steps;
  int shares;
  ColumnRange* columns;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int number = team.league_rank() / shares;
    const int share = team.league_rank() % shares;
    const Step<Scalar>& step = steps[number];
    if (!step.has_matrix() || step.by_one_block || step.matrix != number) return;
    const auto begin = offset_of(step, first_row_of_share(step.num_rows, share, shares));
    const auto end = offset_of(step, first_row_of_share(step.num_rows, share + 1, shares));
    using Bounds = Kokkos::MinMax<Ordinal>;
    typename Bounds::value_type found;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, begin, end),
        [&](std::int64_t entry, typename Bounds::value_type& bounds) {
          const Ordinal column = step.columns[entry];
          if (column < bounds.min_val) bounds.min_val = column;
          if (column > bounds.max_val) bounds.max_val = column;
        },
        Bounds(found));
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if (begin < end) columns[team.league_rank()] = {found.min_val, found.max_val};
    });
  }

 private:
  KOKKOS_FUNCTION static std::int64_t offset_of(const Step<Scalar>& step, Ordinal row) {
    return step.offsets != nullptr ? static_cast<std::int64_t>(step.offsets[row])
                                   : step.wide_offsets[row];
  }
};

/// `v` stays where it is until the copy, which is queued, is done.
template <class T, class Space>
Array<T, Space> copy_to_device(const Space& exec, const char* label, const std::vector<T>& v) {
  const auto result = allocate<T>(exec, label, v.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      v.data(), v.size());
  Kokkos::deep_copy(exec, result, host);
  return result;
}

/// In entries, so that vectors begin at lines of the cache.
inline constexpr std::size_t vector_alignment = 64;

}  // namespace detail

template <class Scalar, class Space>
bool StepProgram<Scalar, Space>::fits(std::size_t num_steps, std::size_t num_vectors) {
  return num_steps * sizeof(Step<Scalar>) + (num_vectors + 2) * sizeof(Scalar*) <=
         detail::max_scratch_bytes;
}

template <class Scalar, class Space>
StepProgram<Scalar, Space>::StepProgram(std::vector<Step<Scalar>> steps,
                                        const std::vector<std::size_t>& lengths,
                                        const StepSharing& sharing)
    : m_steps(std::move(steps)), m_lengths(lengths) {
  for (auto& step : m_steps) {
    step.lanes = detail::lanes_of(step);
    step.by_one_block = detail::entries_of(step) <= sharing.one_block_entries;
    step.matrix = detail::first_with_matrix(m_steps, step);
  }
}

template <class Scalar, class Space>
auto StepProgram<Scalar, Space>::bytes() const -> Bytes {
  Bytes result;
  result.of_one_block =
      m_steps.size() *
          (sizeof(Step<Scalar>) + sizeof(detail::StagedRows<Scalar>) + sizeof(detail::ShareRange)) +
      (m_lengths.size() + 2) * sizeof(Scalar*) + 1024;
  for (std::size_t number = 0; number < m_steps.size(); ++number) {
    const Step<Scalar>& step = m_steps[number];
    if (step.matrix != static_cast<int>(number)) continue;
    const auto n = static_cast<std::size_t>(step.num_rows);
    std::size_t bytes = 0;
    if (step.kind == StepKind::dense) bytes = n * n * sizeof(double);
    if (step.has_matrix())
      bytes =
          step.num_entries * (sizeof(Scalar) + sizeof(Ordinal)) + (n + 1) * sizeof(Ordinal) + 64;
    (step.by_one_block ? result.of_one_block : result.of_others) += bytes;
  }
  const std::size_t n = m_steps.empty() ? 0 : m_steps.back().num_rows;
  for (const std::size_t length : m_lengths)
    result.of_vectors += length * sizeof(Scalar) + detail::vector_alignment;
  result.of_vectors += 2 * n * sizeof(Scalar);
  return result;
}

template <class Scalar, class Space>
detail::PlainProgram<Scalar> StepProgram<Scalar, Space>::inside(const Space& exec) {
  static_assert(sizeof(std::uintptr_t) == sizeof(Scalar*));
  const auto num_vectors = m_lengths.size() + 2;
  if (m_inside_vectors.extent(0) == 0) {
    const auto n = static_cast<std::int64_t>(m_steps.back().num_rows);
    std::vector<detail::VectorPlace> places{{n, 0}, {n, 0}};
    for (const std::size_t length : m_lengths)
      places.push_back({static_cast<std::int64_t>(length), 1});
    for (const auto& step : m_steps) {
      // The first step may be run by whoever hands the program its vector.
      if (step.by_one_block && &step != &m_steps.front()) continue;
      const int named[] = {step.b, step.x, step.y, step.p, step.scaled};
      for (const int v : named) {
        if (v != no_vector) places[v].is_of_one_block = 0;
      }
    }
    places[given_b].is_of_one_block = places[given_x].is_of_one_block = 0;
    std::vector<std::size_t> begins;
    std::size_t length = 0;
    for (const auto& place : places) {
      begins.push_back(length);
      length += (place.length + detail::vector_alignment - 1) / detail::vector_alignment *
                detail::vector_alignment;
    }
    m_inside_work = allocate<Scalar>(exec, "tessera::persistent::program", length);
    std::vector<std::uintptr_t> vectors;
    for (const std::size_t begin : begins)
      vectors.push_back(reinterpret_cast<std::uintptr_t>(m_inside_work.data() + begin));
    m_device_steps = detail::copy_to_device(exec, "tessera::persistent::steps", m_steps);
    m_inside_places = detail::copy_to_device(exec, "tessera::persistent::places", places);
    m_inside_vectors = detail::copy_to_device(exec, "tessera::persistent::addresses", vectors);
    exec.fence("tessera::persistent::program");  // the copies' sources end here
  }
  return {m_device_steps.data(), static_cast<int>(m_steps.size()),
          reinterpret_cast<Scalar* const*>(m_inside_vectors.data()), m_inside_places.data(),
          static_cast<int>(num_vectors)};
}

template <class Scalar, class Space>
const detail::ShareRange* StepProgram<Scalar, Space>::waits(const Space& exec, int shares) {
  if (shares == m_shares_of_waits) return m_waits.data();
  using detail::ColumnRange;
  const auto num_steps = static_cast<int>(m_steps.size());
  const std::vector<ColumnRange> none(m_steps.size() * shares);
  const auto columns = detail::copy_to_device(exec, "tessera::persistent::columns", none);
  Kokkos::parallel_for(
      "tessera::persistent::columns",
      Kokkos::TeamPolicy<Space>(exec, num_steps * shares, Kokkos::AUTO),
      detail::FindColumns<Scalar, Space>{m_device_steps.data(), shares, columns.data()});
  std::vector<ColumnRange> found(none.size());
  const Kokkos::View<ColumnRange*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      found.data(), found.size());
  Kokkos::deep_copy(exec, host, columns);
  exec.fence("tessera::persistent::columns");
  std::vector<detail::StepAccess> accesses;
  for (const auto& step : m_steps) {
    std::vector<ColumnRange> of_shares;
    if (step.has_matrix() && !step.by_one_block) {
      const auto begin = found.begin() + static_cast<std::ptrdiff_t>(step.matrix) * shares;
      of_shares.assign(begin, begin + shares);
    }
    accesses.push_back(detail::access_of(step, std::move(of_shares)));
  }
  const auto ranges = detail::shares_to_wait_for(accesses, shares);
  m_waits = detail::copy_to_device(exec, "tessera::persistent::waits", ranges);
  exec.fence("tessera::persistent::waits");  // the copy's source ends here
  m_shares_of_waits = shares;
  return m_waits.data();
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, StepProgram)

}  // namespace tessera::kernels
