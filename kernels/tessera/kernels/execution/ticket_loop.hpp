// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that wait for one another within one launch.
///
/// Workers, the 32 lanes of a warp or a thread of a host, draw tickets from one counter; ticket t
/// is for the t-th few rows in an order in which each row comes after those that it needs. So
/// whoever holds the smallest ticket that is not done waits for nobody, and its worker runs: the
/// launch ends whichever and however few blocks are resident at once, in whatever order they start
/// (the counter-based scheme of Li, Sjogreen and Yang, "GPU sparse kernels for AMG", section 3, and
/// of Liu et al., Euro-Par 2016, with dynamic tickets in place of the blocks' numbers).
///
/// Rows of one warp may need one another. Its lanes go round together therefore: in each round each
/// looks once at what it waits for, and publishes what is complete. No lane waits inside a round,
/// so that this also ends where the lanes of a warp have one program counter.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/lane_group.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::kernels {

/// How a launch of workers is laid out.
struct TicketShape {
  int lanes = 1;  ///< that share a row, 1, 2, ... or 32; 1 on a host
  std::uint32_t num_tickets = 0;
  std::uint32_t rows_per_ticket = 1;
  std::uint32_t num_workers = 1;

  /// Every worker draws until it gets one that is too high: a launch draws so many in all, and the
  /// next one starts from there.
  KOKKOS_FUNCTION std::uint64_t draws() const { return std::uint64_t(num_tickets) + num_workers; }
};

/// Threads of a team on a device.
inline constexpr int ticket_team = 128;
inline constexpr int ticket_warp = 32;

/// A row that waits for longer than so many rounds, some minutes, takes what it waits for as
/// missing.
inline constexpr std::uint32_t max_rounds = 1u << 28;

/// `lanes` share a row. `rows_at_once`: about as many as can be worked on; those beyond would look
/// again and again at what is not there yet, and keep the memory from those that are in
/// time. 0: as many as run.
template <class Space>
TicketShape ticket_shape(const Space& exec, Ordinal num_rows, int lanes, double rows_at_once = 0) {
  TicketShape shape;
  const auto rows = static_cast<std::uint32_t>(num_rows);
  if constexpr (is_host_space<Space>) {
    shape.rows_per_ticket = 64;
    shape.num_tickets = (rows + shape.rows_per_ticket - 1) / shape.rows_per_ticket;
    shape.num_workers =
        std::max(1u, std::min(static_cast<std::uint32_t>(exec.concurrency()), shape.num_tickets));
  } else {
    shape.lanes = lanes;
    shape.rows_per_ticket = ticket_warp / lanes;
    shape.num_tickets = (rows + shape.rows_per_ticket - 1) / shape.rows_per_ticket;
    constexpr std::uint32_t warps = ticket_team / ticket_warp;
    const double resident = exec.concurrency() / ticket_team;
    const double of_use =
        rows_at_once > 0 ? std::ceil(rows_at_once * lanes / ticket_team) : resident;
    const double needed = std::ceil(static_cast<double>(shape.num_tickets) / warps);
    const double teams = std::max(1.0, std::min({needed, resident, of_use}));
    shape.num_workers = static_cast<std::uint32_t>(teams) * warps;
  }
  return shape;
}

/// What `lanes_where` gives where it holds for every lane.
KOKKOS_INLINE_FUNCTION std::uint32_t all_lanes(const LaneGroup& group) {
  return group.size() == 32 ? ~std::uint32_t(0) : (std::uint32_t(1) << group.size()) - 1;
}

/// `Task`: a row's work, a class with
/// - `Row`: what a lane keeps of one;
/// - `Row begin(std::uint32_t position, int lane, int lanes)` of the row at that position of the
///   order; a `position` at or beyond the end gives an empty row;
/// - `bool advance(Row&, const LaneGroup&, bool give_up)`: goes as far as it can without waiting;
///   true where the lane has nothing to wait for any more. `give_up`: nothing is to be waited for.
///   Called by all lanes of the warp in each round;
/// - `finish(Row&, const LaneGroup&, bool publish)`: what is left once all lanes of the row have
///   advanced to their ends; called by all lanes of the warp in each round, with `publish` true
///   once for each row.
template <class Space, class Task>
struct TicketLoop {
  Task task;
  TicketShape shape;
  std::uint64_t* drawn;  ///< 0 before the first launch

  void run(const Space& exec, const char* label) const {
    if (shape.num_tickets == 0) return;
    if constexpr (is_host_space<Space>) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, shape.num_workers), *this);
    } else {
      const auto teams = static_cast<int>(shape.num_workers / (ticket_team / ticket_warp));
      Kokkos::parallel_for(label, Kokkos::TeamPolicy<Space>(exec, teams, ticket_team, 1), *this);
    }
  }

  /// A worker of a host.
  KOKKOS_FUNCTION void operator()(const int) const { work(LaneGroup(1, 0), LaneGroup(1, 0)); }
  /// The lanes of the workers of a device.
  template <class Member>
    requires requires(const Member& member) { member.team_rank(); }
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    work(LaneGroup(ticket_warp, member.team_rank()), LaneGroup(shape.lanes, member.team_rank()));
  }

 private:
  KOKKOS_FUNCTION void work(const LaneGroup& worker, const LaneGroup& group) const {
    for (;;) {
      std::uint64_t ticket = 0;
      if (worker.lane() == 0)
        ticket = Kokkos::atomic_fetch_add(drawn, std::uint64_t(1)) % shape.draws();
      ticket = worker.from_lane(ticket, 0);
      if (ticket >= shape.num_tickets) return;
      const auto first = static_cast<std::uint32_t>(ticket) * shape.rows_per_ticket;
      if (worker.size() == 1) {
        for (std::uint32_t p = first; p < first + shape.rows_per_ticket; ++p)
          run_rows(worker, group, p);
      } else {
        run_rows(worker, group, first + worker.lane() / group.size());
      }
    }
  }

  /// A row for each group of the worker.
  KOKKOS_FUNCTION void run_rows(const LaneGroup& worker, const LaneGroup& group,
                                std::uint32_t position) const {
    auto row = task.begin(position, group.lane(), group.size());
    bool done = false;
    for (std::uint32_t round = 0;; ++round) {
      const bool ready = task.advance(row, group, round >= max_rounds);
      const bool complete = group.lanes_where(ready) == all_lanes(group);
      task.finish(row, group, complete && !done);
      done = done || complete;
      if (worker.lanes_where(!done) == 0) return;
      pause_between_tries(round);
    }
  }
};

}  // namespace tessera::kernels
