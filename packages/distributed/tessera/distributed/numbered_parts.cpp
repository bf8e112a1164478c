// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/numbered_parts.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/pattern_hash.hpp"
#include "tessera/distributed/share_checks.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

/// Of a part without an entry.
template <class Space>
bool has_no_arrays(const kernels::CsrView<double, Space, std::int64_t>& part) {
  return part.offsets.extent(0) == 0 && part.columns.extent(0) == 0 && part.values.extent(0) == 0;
}

template <class Space>
void check_part(const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& part,
                Ordinal num_rows, std::size_t num_cols, const char* name) {
  const std::string what = std::string("the ") + name + " part ";
  if (has_no_arrays(part) && part.num_entries == 0) return;
  if (part.num_rows != num_rows || static_cast<std::size_t>(part.num_cols) != num_cols)
    refuse_share(what + "is " + std::to_string(part.num_rows) + " by " +
                 std::to_string(part.num_cols) + ", expected " + std::to_string(num_rows) + " by " +
                 std::to_string(num_cols));
  if (part.offsets.extent(0) != static_cast<std::size_t>(num_rows) + 1)
    refuse_share(what + "has " + std::to_string(part.offsets.extent(0)) + " offsets, expected " +
                 std::to_string(num_rows) + " + 1");
  if (part.num_entries != part.columns.extent(0))
    refuse_share(what + "is said to have " + std::to_string(part.num_entries) + " entries");
  try {
    check_offsets<Space>(exec, part.offsets, part.columns.extent(0), part.values.extent(0));
  } catch (const Error& error) {
    throw Error(error.kind(), what + "is wrong: " + error.what());
  }
}

template <class Space>
void check_sizes(const Space& exec, const RowsInParts<Space>& rows) {
  const Ordinal n = rows.own.num_rows;
  check_part<Space>(exec, rows.own, n, static_cast<std::size_t>(n), "own");
  check_part<Space>(exec, rows.ghost, n, rows.ghosts.extent(0), "ghost");
}

void check_ghosts(const HostArray<Global>& ghosts, const Partition& shares) {
  for (std::size_t g = 0; g < ghosts.extent(0); ++g) {
    const auto say = [&](const std::string& what) {
      refuse_share("ghost " + std::to_string(g) + " is column " + std::to_string(ghosts(g)) + what);
    };
    if (ghosts(g) < 0 || ghosts(g) >= shares.size())
      say("; there are " + std::to_string(shares.size()) + " rows in all");
    if (shares.is_own(ghosts(g))) say(", which is this process's own");
    if (g > 0 && ghosts(g - 1) >= ghosts(g))
      say(" behind column " + std::to_string(ghosts(g - 1)) + "; they have to ascend");
  }
}

/// Whether the lists are of neighbours in ascending order that share out `length` entries.
void check_neighbours(const std::vector<HaloLists::Neighbour>& neighbours, std::size_t length,
                      const Partition& shares, int rank, const char* name) {
  const std::string what = std::string("the list of ") + name + " of the halo ";
  int before = -1;
  Ordinal first = 0;
  for (const auto& n : neighbours) {
    if (n.process <= before || n.process >= shares.processes() || n.process == rank)
      refuse_share(what + "has process " + std::to_string(n.process) + " behind process " +
                   std::to_string(before));
    if (n.first != first || n.length < 0)
      refuse_share(what + "has " + std::to_string(n.length) + " entries from " +
                   std::to_string(n.first) + " on for process " + std::to_string(n.process));
    before = n.process;
    first += n.length;
  }
  if (static_cast<std::size_t>(first) != length)
    refuse_share(what + "is of " + std::to_string(first) + " entries, and there are " +
                 std::to_string(length));
}

void check_halo(const HaloLists& halo, const HostArray<Global>& ghosts, const Partition& shares,
                int rank) {
  check_neighbours(halo.senders, ghosts.extent(0), shares, rank, "senders");
  check_neighbours(halo.receivers, halo.exports.extent(0), shares, rank, "receivers");
  for (const auto& sender : halo.senders)
    for (Ordinal g = sender.first; g < sender.first + sender.length; ++g)
      if (shares.owner(ghosts(g)) != sender.process)
        refuse_share("the halo has column " + std::to_string(ghosts(g)) + " sent by process " +
                     std::to_string(sender.process) + ", but process " +
                     std::to_string(shares.owner(ghosts(g))) + " has it");
  for (std::size_t i = 0; i < halo.exports.extent(0); ++i)
    if (halo.exports(i) < 0 || halo.exports(i) >= shares.own())
      refuse_share("the halo sends unknown " + std::to_string(halo.exports(i)) + " of " +
                   std::to_string(shares.own()));
}

/// The arrays given; a process without rows, and no entries of ghosts, have arrays of their own.
template <class Space>
std::shared_ptr<const SplitRows<Space>> shared_parts(const Space& exec,
                                                     const RowsInParts<Space>& rows) {
  const Ordinal n = rows.own.num_rows;
  const auto part = [&](const kernels::CsrView<double, Space, std::int64_t>& given,
                        std::size_t num_cols) {
    return n == 0 || has_no_arrays(given)
               ? rows_without_entries(exec, n, static_cast<Ordinal>(num_cols))
               : shared_rows(given);
  };
  return std::make_shared<const SplitRows<Space>>(SplitRows<Space>{
      part(rows.own, static_cast<std::size_t>(n)), part(rows.ghost, rows.ghosts.extent(0))});
}

/// @throws Error where a column is outside of the part's, or twice in a row.
template <class Space>
void check_joined(const Space& exec, const JoinedRows<Space>& joined,
                  const RowsInParts<Space>& rows, const Partition& shares,
                  const GlobalNumbers<Space>& ghosts) {
  if (joined.outside != nowhere) {
    const auto e = static_cast<std::size_t>(joined.outside);
    const bool is_own = e < rows.own.num_entries;
    const auto& part = is_own ? rows.own : rows.ghost;
    const auto place = is_own ? e : e - rows.own.num_entries;
    refuse_share(std::string("a column of the ") + (is_own ? "own" : "ghost") + " part is " +
                 std::to_string(entry_of<Ordinal>(exec, part.columns, place)) + "; it has " +
                 std::to_string(part.num_cols));
  }
  if (joined.twice != nowhere)
    refuse_twice(exec, joined.rows, ColumnNumbers<Space>(shares.first(), shares.own(), ghosts),
                 static_cast<Ordinal>(joined.twice), shares.first());
}

/// The lists, where all processes have them; else null. Collective.
const HaloLists* lists_of_all(const Communicator& processes,
                              const std::optional<HaloLists>& lists) {
  const bool all_have_them = processes.minimum_of(lists ? 1 : 0) > 0;
  return lists && all_have_them ? &*lists : nullptr;
}

/// By the lists that all processes have. Collective.
template <class Space>
Plan<Space> halo_by_lists(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                          const Partition& shares, const HaloLists& lists,
                          const HostArray<Global>& ghosts) {
  on_all_processes(*processes, [&] { check_halo(lists, ghosts, shares, processes->rank()); });
  // Hashes of what each sends to each cancel with those of what that one expects, so that nobody
  // waits for what does not come.
  const auto hash = [](int from, int to, Ordinal length) {
    return scrambled(
        scrambled(static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)) +
        static_cast<std::uint64_t>(length));
  };
  std::uint64_t left = 0;
  for (const auto& receiver : lists.receivers)
    left += hash(processes->rank(), receiver.process, receiver.length);
  for (const auto& sender : lists.senders)
    left -= hash(sender.process, processes->rank(), sender.length);
  if (processes->sum_of(static_cast<std::int64_t>(left)) != 0)
    refuse_share(
        "the halo's lists do not fit together: a process sends another number of entries than "
        "another one expects of it");
  return halo_plan(exec, processes, shares, lists);
}

template <class Space>
std::size_t num_entries(const SplitRows<Space>& parts) {
  return parts.own.num_entries() + parts.others.num_entries();
}

}  // namespace

template <class Space>
Numbered<Space> numbered_parts(const Space& exec,
                               const std::shared_ptr<const Communicator>& processes,
                               const RowsInParts<Space>& rows, bool copies, Joining joining) {
  on_all_processes(*processes, [&] { check_sizes(exec, rows); });
  const auto shares = std::make_shared<const Partition>(*processes, rows.own.num_rows);
  Numbered<Space> made;
  on_all_processes(*processes, [&] {
    check_ghosts(rows.ghosts, *shares);
    made.matrix.ghosts = shared_from_host(exec, rows.ghosts);
    made.ghosts = pattern_hash(rows.ghosts);
    made.matrix.parts = shared_parts(exec, rows);
    auto joined = joined_rows(exec, *made.matrix.parts, copies, joining);
    check_joined(exec, joined, rows, *shares, made.matrix.ghosts);
    made.matrix.rows = joined.rows;
    made.place = joined.place;
  });
  made.matrix.processes = processes;
  made.matrix.row_shares = made.matrix.column_shares = shares;
  const HaloLists* const lists = lists_of_all(*processes, rows.halo);
  made.has_given_lists = lists != nullptr;
  made.matrix.halo = lists != nullptr ? halo_by_lists(exec, processes, *shares, *lists, rows.ghosts)
                                      : halo_plan(exec, processes, *shares, made.matrix.ghosts);
  return made;
}

template <class Space>
void free_joined_rows(Numbered<Space>& numbered, bool all) {
  LocalRows<Space>& rows = numbered.matrix.rows;
  rows.values = {};
  if (!all) return;
  rows.offsets = {};
  rows.columns = {};
  numbered.place = {};
}

template <class Space>
void rejoin(const Space& exec, Numbered<Space>& numbered, bool copies) {
  const SplitRows<Space>& parts = *numbered.matrix.parts;
  LocalRows<Space>& rows = numbered.matrix.rows;
  const std::size_t entries = num_entries(parts);
  if (rows.offsets.extent(0) > 0 && rows.values.extent(0) == entries) return;
  if (rows.offsets.extent(0) > 0 && numbered.place.extent(0) == entries) {
    rows.values = joined_values<Space>(exec, parts, numbered.place);
    return;
  }
  const auto joined = joined_rows(exec, parts, copies);
  if (joined.outside != nowhere || joined.twice != nowhere)
    refuse_share("the pattern of the rows has changed since setup");
  rows = joined.rows;
  numbered.place = joined.place;
}

template <class Space>
Numbered<Space> with_parts(const Space& exec, const Numbered<Space>& numbered,
                           const RowsInParts<Space>& rows, bool copies, bool takes_lists) {
  Numbered<Space> made = numbered;
  on_all_processes(*numbered.matrix.processes, [&] {
    check_sizes(exec, rows);
    const SplitRows<Space>& before = *numbered.matrix.parts;
    const auto parts = shared_parts(exec, rows);
    if (parts->own.num_rows != before.own.num_rows ||
        parts->own.num_entries() != before.own.num_entries() ||
        parts->others.num_entries() != before.others.num_entries() ||
        !(pattern_hash(rows.ghosts) == numbered.ghosts))
      refuse_share("the rows have " + std::to_string(num_entries(*parts)) +
                   " entries, and those of setup had " + std::to_string(num_entries(before)) +
                   "; the pattern has to be the same");
    made.matrix.parts = parts;
    free_joined_rows(made, made.place.extent(0) == 0);
    rejoin(exec, made, copies);
    if (takes_lists) made.matrix.ghosts = shared_from_host(exec, rows.ghosts);
  });
  if (!takes_lists) return made;
  const auto& processes = made.matrix.processes;
  const Partition& shares = *made.matrix.column_shares;
  const HaloLists* const lists = lists_of_all(*processes, rows.halo);
  made.has_given_lists = lists != nullptr;
  if (lists != nullptr)
    made.matrix.halo = halo_by_lists(exec, processes, shares, *lists, rows.ghosts);
  else if (numbered.has_given_lists)  // and these may be gone
    made.matrix.halo = halo_plan(exec, processes, shares, made.matrix.ghosts);
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbered_parts)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_parts)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, free_joined_rows)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rejoin)

}  // namespace tessera::distributed
