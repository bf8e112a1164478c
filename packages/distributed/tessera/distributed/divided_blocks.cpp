// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/divided_blocks.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// dense(k, j) = the entry of own row `rows`(k) in column j of its block.
template <class Space>
struct FillBlockRows {
  kernels::CsrView<double, Space, std::int64_t> A;
  ArrayView<const Ordinal, Space> rows;
  ArrayView<const Global, Space> ghosts;
  Global first;
  Ordinal num_own;
  int block_rows;
  MultiVectorView<double, Space> dense;

  KOKKOS_FUNCTION void operator()(const Ordinal k) const {
    for (int j = 0; j < block_rows; ++j)
      dense(k, j) = 0;
    const Ordinal i = rows(k);
    const Global begin = (first + i) / block_rows * block_rows;
    for (std::int64_t e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal c = A.columns(e);
      const Global j = (c < num_own ? first + c : ghosts(c - num_own)) - begin;
      if (j >= 0 && j < block_rows) dense(k, static_cast<Ordinal>(j)) = A.values(e);
    }
  }
};

/// The rows from `first` on, as many as columns, in compressed rows.
template <class Space>
kernels::Csr<double, Space, std::int64_t> compressed(const Space& exec,
                                                     const MultiVector<double, Space>& dense,
                                                     Ordinal first, Ordinal n) {
  const char* const label = "tessera::distributed::DividedBlocks";
  const auto length = static_cast<std::size_t>(n);
  const auto offsets = allocate<std::int64_t>(exec, label, length + 1);
  const auto columns = allocate<Ordinal>(exec, label, length * length);
  const auto values = allocate<double>(exec, label, length * length);
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, n + 1), KOKKOS_LAMBDA(const Ordinal i) {
        offsets(i) = static_cast<std::int64_t>(i) * n;
        for (Ordinal j = 0; j < n && i < n; ++j) {
          columns(i * n + j) = j;
          values(i * n + j) = dense(first + i, j);
        }
      });
  return {n, n, offsets, columns, values};
}

template <class Vectors>
Vectors rows_between(const Vectors& v, Ordinal first, Ordinal count) {
  return Vectors(Kokkos::subview(v, std::make_pair(first, first + count), Kokkos::ALL));
}

/// The numbers of own rows among those of divided blocks, which are the first and the last ones.
template <class Space>
Array<Ordinal, Space> among_divided(const Space& exec, const Array<const Ordinal, Space>& rows,
                                    Ordinal num_own, Ordinal num_first, Ordinal num_last) {
  const auto numbers =
      allocate<Ordinal>(exec, "tessera::distributed::DividedBlocks::exports", rows.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::DividedBlocks::exports",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        numbers(i) = rows(i) < num_first ? rows(i) : rows(i) - (num_own - num_last) + num_first;
      });
  exec.fence("tessera::distributed::DividedBlocks");
  return numbers;
}

}  // namespace

template <class Space>
bool DividedBlocks<Space>::are_there(const Partition& rows, int block_rows) {
  for (int p = 1; p < rows.processes(); ++p)
    if (rows.first(p) % block_rows != 0 && rows.first(p) < rows.size()) return true;
  return false;
}

template <class Space>
DividedBlocks<Space>::DividedBlocks(const Space& exec, const Matrix<Space>& A, int block_rows)
    : m_block_rows(block_rows), m_num_own(A.row_shares->own()) {
  plan(A);
  const auto rows = entries(exec, A);
  on_all_processes(*A.processes, [&] {
    const Global begin = A.row_shares->first();
    for (Block& block : m_blocks) {
      Ordinal singular = 0;
      block.inverse = kernels::inverse_blocks(
          exec, compressed(exec, rows, block.first, block.count).view(), m_block_rows, &singular);
      // Of the first block, another process tells where this one's rows are not its first ones.
      const bool begins_here = &block != &m_blocks.front() || begin % m_block_rows == 0;
      if (begins_here) m_num_singular += singular;
    }
  });
}

template <class Space>
void DividedBlocks<Space>::plan(const Matrix<Space>& A) {
  const Partition& shares = *A.row_shares;
  const Global first = shares.first(), end = first + m_num_own, m = m_block_rows;
  std::vector<Ordinal> rows, places;
  std::vector<Global> others;
  std::vector<Ordinal> places_of_others;
  Ordinal num_rows = 0;
  const auto add = [&](Global begin) {
    const Global behind = std::min(begin + m, shares.size());
    m_blocks.push_back({num_rows, static_cast<Ordinal>(behind - begin), {}});
    for (Global row = begin; row < behind; ++row) {
      const bool is_own = row >= first && row < end;
      if (is_own) rows.push_back(static_cast<Ordinal>(row - first));
      if (!is_own) others.push_back(row);
      (is_own ? places : places_of_others).push_back(num_rows++);
    }
  };
  if (m_num_own > 0 && first % m != 0) add(first / m * m);
  m_num_first = static_cast<Ordinal>(rows.size());
  if (m_num_own > m_num_first && end % m != 0 && end < shares.size()) add(end / m * m);
  m_num_last = static_cast<Ordinal>(rows.size()) - m_num_first;
  const Space exec;
  const Plan<Space> whole = halo_plan(exec, A.processes, shares, others);
  auto made = std::make_shared<CommunicationPlan<Space>>(*whole);
  made->num_source = static_cast<Ordinal>(rows.size());
  made->num_target = num_rows;
  made->num_same = 0;
  made->is_halo = false;
  on_all_processes(*A.processes, [&] {
    m_rows = from_host(exec, rows);
    m_places = from_host(exec, places);
    made->to = m_places;
    made->from = numbers_from(exec, 0, made->num_source);
    made->exports = among_divided<Space>(exec, whole->exports, m_num_own, m_num_first, m_num_last);
    made->remotes = from_host(exec, places_of_others);
    m_exchange = Exchange<double, Space>(made);
    m_exchange.reserve(static_cast<std::size_t>(m_block_rows), true);
  });
}

template <class Space>
MultiVector<double, Space> DividedBlocks<Space>::entries(const Space& exec,
                                                         const Matrix<Space>& A) {
  const auto width = static_cast<std::size_t>(m_block_rows);
  MultiVector<double, Space> own, all;
  on_all_processes(*A.processes, [&] {
    const char* const label = "tessera::distributed::DividedBlocks";
    own = allocate_multivector<double>(exec, label, m_rows.extent(0), width);
    all = allocate_multivector<double>(exec, label,
                                       static_cast<std::size_t>(m_exchange.num_target()), width);
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(m_rows.extent(0))),
        FillBlockRows<Space>{A.rows.view(), m_rows, A.ghosts, A.row_shares->first(),
                             A.num_own_columns(), m_block_rows, own});
    exec.fence(label);
  });
  m_exchange.forward(exec, own, all);
  exec.fence("tessera::distributed::DividedBlocks");
  return all;
}

template <class Space>
void DividedBlocks<Space>::prepare(const Space& exec, std::size_t k) {
  m_exchange.reserve(k, true);
  if (m_r.extent(1) == k) return;
  const auto num_rows = static_cast<std::size_t>(m_exchange.num_target());
  const char* const label = "tessera::distributed::DividedBlocks";
  m_own_r = allocate_multivector<double>(exec, label, m_rows.extent(0), k);
  m_z = allocate_multivector<double>(exec, label, num_rows, k);
  m_r = allocate_multivector<double>(exec, label, num_rows, k);
}

template <class Space>
void DividedBlocks<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  const auto columns = static_cast<Ordinal>(r.extent(1));
  const Kokkos::RangePolicy<Space> own(exec, 0, static_cast<Ordinal>(m_rows.extent(0)));
  const auto rows = m_rows;
  const auto places = m_places;
  const auto own_r = m_own_r;
  const auto of_blocks = m_z;
  Kokkos::parallel_for(
      "tessera::distributed::DividedBlocks::take", own, KOKKOS_LAMBDA(const Ordinal i) {
        for (Ordinal j = 0; j < columns; ++j)
          own_r(i, j) = r(rows(i), j);
      });
  m_exchange.forward(exec, m_own_r, m_r);
  for (const Block& block : m_blocks)
    kernels::multiply_blocks<double, Space>(
        exec, block.inverse, m_block_rows,
        rows_between(ConstVectors(m_r), block.first, block.count),
        rows_between(Vectors(m_z), block.first, block.count));
  Kokkos::parallel_for(
      "tessera::distributed::DividedBlocks::give", own, KOKKOS_LAMBDA(const Ordinal i) {
        for (Ordinal j = 0; j < columns; ++j)
          z(rows(i), j) = of_blocks(places(i), j);
      });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, DividedBlocks)

}  // namespace tessera::distributed
