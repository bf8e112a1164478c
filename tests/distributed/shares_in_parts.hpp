// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shares of rows in two parts.
#pragma once

#include "distributed/shares.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/to_host.hpp"

#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace tessera::test {

/// How the entries of a row lie in the own part.
enum class RowOrder { ascending, diagonal_first, drawn };
inline constexpr RowOrder row_orders[] = {RowOrder::ascending, RowOrder::diagonal_first,
                                          RowOrder::drawn};

/// One part on the host.
struct HostPartOfRows {
  std::vector<std::int64_t> offsets{0};
  std::vector<Ordinal> columns;
  std::vector<double> values;
};

/// The lists of a halo, which a test may change.
struct HostLists {
  std::vector<Ordinal> exports;
  std::vector<distributed::HaloLists::Neighbour> receivers, senders;

  HostLists() = default;
  /// Those of a plan, which is null on one process.
  explicit HostLists(const distributed::Plan<Space>& plan) {
    if (plan == nullptr) return;
    exports = distributed::to_host(Space(), plan->exports);
    receivers = plan->receivers;
    senders = plan->senders;
  }
};

/// The same rows in two parts, whose arrays a test may change.
struct PartsOfShare {
  Ordinal num_rows = 0;
  HostPartOfRows own, ghost;
  std::vector<std::int64_t> ghosts;
  std::optional<HostLists> halo;

  PartsOfShare(const HostShare& rows, std::int64_t first, RowOrder order) {
    num_rows = rows.num_rows();
    const auto is_own = [&](std::int64_t j) { return j >= first && j < first + num_rows; };
    for (const auto column : rows.columns)
      if (!is_own(column)) ghosts.push_back(column);
    std::ranges::sort(ghosts);
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    std::mt19937 draw(static_cast<std::uint32_t>(first + 1));
    for (std::size_t i = 0; i < static_cast<std::size_t>(num_rows); ++i) {
      std::vector<std::pair<std::int64_t, double>> row;
      for (auto e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e)
        row.emplace_back(rows.columns[static_cast<std::size_t>(e)],
                         rows.values[static_cast<std::size_t>(e)]);
      std::ranges::sort(row);
      const auto diagonal = first + static_cast<std::int64_t>(i);
      if (order == RowOrder::diagonal_first)
        std::ranges::stable_partition(row,
                                      [&](const auto& entry) { return entry.first == diagonal; });
      if (order == RowOrder::drawn) std::shuffle(row.begin(), row.end(), draw);
      for (const auto& [column, value] : row) {
        HostPartOfRows& part = is_own(column) ? own : ghost;
        part.columns.push_back(static_cast<Ordinal>(
            is_own(column) ? column - first
                           : std::ranges::lower_bound(ghosts, column) - ghosts.begin()));
        part.values.push_back(value);
      }
      own.offsets.push_back(static_cast<std::int64_t>(own.columns.size()));
      ghost.offsets.push_back(static_cast<std::int64_t>(ghost.columns.size()));
    }
  }
};

/// The same where a solver takes it. Its lists are those of `given`, and stay there, where they are
/// lent.
struct SharedParts {
  struct Part {
    Array<std::int64_t, Space> offsets;
    Array<Ordinal, Space> columns;
    Array<double, Space> values;

    explicit Part(const HostPartOfRows& given)
        : offsets(on_device(given.offsets)),
          columns(on_device(given.columns)),
          values(on_device(given.values)) {}
  };
  Part own, ghost;
  distributed::RowsInParts<Space> rows;

  enum class Lists { copied, lent };

  explicit SharedParts(const PartsOfShare& given, Lists lists = Lists::copied)
      : own(given.own), ghost(given.ghost) {
    const auto view = [&](const Part& part, std::size_t num_cols) {
      return distributed::RowsInParts<Space>::Part{
          given.num_rows,         static_cast<Ordinal>(num_cols),
          part.columns.extent(0), part.offsets,
          part.columns,           part.values};
    };
    rows = {view(own, static_cast<std::size_t>(given.num_rows)),
            view(ghost, given.ghosts.size()),
            list_of(given.ghosts, lists),
            {}};
    if (given.halo)
      rows.halo = distributed::HaloLists{list_of(given.halo->exports, lists), given.halo->receivers,
                                         given.halo->senders};
  }
  SharedParts(const HostShare& given, std::int64_t first, RowOrder order)
      : SharedParts(PartsOfShare(given, first, order)) {}

  template <class T>
  static distributed::HostArray<T> list_of(const std::vector<T>& given, Lists lists) {
    if (lists == Lists::copied) return distributed::host_array(given);
    return distributed::HostArray<T>(given.data(), given.size());
  }

  /// All values, where they lie.
  void scale(double factor) const {
    for (const auto& values : {own.values, ghost.values}) {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
      for (std::size_t e = 0; e < host.extent(0); ++e)
        host(e) *= factor;
      Kokkos::deep_copy(values, host);
    }
  }
};

template <class View>
auto host_list(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename View::non_const_value_type>(host.data(),
                                                          host.data() + host.extent(0));
}

/// Rows of 0 to 160 columns of all, which need not have a diagonal.
inline HostShare drawn_rows(int rows_of_each) {
  HostShare host;
  std::mt19937 draw(static_cast<std::uint32_t>(7 + process()));
  const std::int64_t all = static_cast<std::int64_t>(rows_of_each) * num_processes();
  std::vector<std::int64_t> columns(static_cast<std::size_t>(all));
  for (int i = 0; i < rows_of_each; ++i) {
    std::iota(columns.begin(), columns.end(), 0);
    std::shuffle(columns.begin(), columns.end(), draw);
    const auto length = std::min<std::size_t>(columns.size(), i % 7 == 0 ? i : i % 11);
    for (std::size_t k = 0; k < length; ++k)
      host.push(columns[k], std::sin(static_cast<double>(host.columns.size() + 1)));
    host.end_row();
  }
  return host;
}

/// To 1e-12, and with smoothers that do not depend on the shares.
inline distributed::Parameters accurate_solve(const GalleryParameters& gallery) {
  distributed::Parameters p;
  p.gather_rows = 200;
  p.solve.solver.tolerance = 1e-12;
  relax_all_rows(p, gallery);
  return p;
}

inline void expect_close(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  EXPECT_LE(apart, 1e-9 * largest);
}

}  // namespace tessera::test
