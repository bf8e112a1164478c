// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver over several processes can be told.
#pragma once

#include "tessera/distributed/gather_rows.hpp"
#include "tessera/solve/parameters.hpp"

namespace tessera::distributed {

/// What decides on how many processes a coarse level is, where no number of rows is given.
enum class MessageCosts { assumed, measured };
inline constexpr EnumName<MessageCosts> message_costs_names[] = {
    {MessageCosts::assumed, "assumed",
     "so many rows for each process as usually outweigh messages: 1000 on a host, 200000 on a "
     "device"},
    {MessageCosts::measured, "measured",
     "the first setup measures messages, and levels are where rows and messages are expected to "
     "take least"}};

/// Those of `SolveParameters` keep their names and meanings. A preconditioner that is `automatic`
/// is amg or direct; a method that is `automatic` is cg where the matrix and the preconditioner are
/// symmetric and the diagonal is positive, else fgmres. What is refused, make_krylov and
/// check_for_processes say.
struct Parameters {
  int gather_rows = default_gather_rows;
  int rows_per_process = 0;
  MessageCosts message_costs = MessageCosts::assumed;
  int factor_rows = 100000;
  int block_size = 0;
  bool reproducible = false;
  SolveParameters solve;
};

template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("gather_rows", p.gather_rows, "levels of at most this many rows are gathered on process 0",
        Range{1, 100000000});
  visit("rows_per_process", p.rows_per_process,
        "rows that a process keeps of a coarse level, at least: levels with fewer for each go to "
        "fewer processes; 0: by message_costs",
        Range{0, 100000000});
  visit("message_costs", p.message_costs,
        "what decides where coarse levels are, with rows_per_process = 0",
        EnumNames<MessageCosts>(message_costs_names));
  visit("factor_rows", p.factor_rows,
        "matrices of at most this many rows may have sparse factors, which process 0 makes of all "
        "rows; 0: none",
        Range{0, 100000000});
  visit("block_size", p.block_size,
        "unknowns per node, numbered node by node; 0: found from the pattern", Range{0, 64});
  visit("reproducible", p.reproducible,
        "the same bits for any number of processes: inner products are summed exactly, and rows in "
        "the order of all columns, in compressed rows");
  describe_parameters(visit, p.solve);
}

}  // namespace tessera::distributed
