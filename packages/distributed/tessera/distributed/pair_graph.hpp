// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The couplings that pairwise aggregation goes by, over processes.
#pragma once

#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/kernels/graph/couplings.hpp"

#include <cstdint>
#include <memory>

namespace tessera::distributed {

/// Own nodes come first, and behind them ghosts, other processes' nodes, in ascending order.
template <class Space>
struct NumbersAmongAll {
  using Number = Partition::Global;

  Number first = 0;
  Ordinal own = 0;
  Array<const Number, Space> ghosts;

  KOKKOS_FUNCTION Number number(Ordinal place) const {
    return place < own ? first + place : ghosts(place - own);
  }
  KOKKOS_FUNCTION bool is_own(Number number) const {
    return number >= first && number < first + own;
  }
  KOKKOS_FUNCTION Ordinal place(Number number) const {
    return is_own(number) ? static_cast<Ordinal>(number - first) : own + place_in(ghosts, number);
  }
};

/// Nodes that are to be paired: this process's, and those of others that they are coupled to. It
/// stands for the latter in kernels::pairwise_detail::match.
template <class Space>
struct PairGraph {
  using Numbers = NumbersAmongAll<Space>;
  using Couplings = kernels::pairwise_detail::Couplings<Space, std::int64_t>;

  std::shared_ptr<const Communicator> processes;
  std::shared_ptr<const Partition> nodes;
  GlobalNumbers<Space> ghosts;
  Plan<Space> plan;  ///< from own nodes to ghosts
  NodeHalo<Space> halo;
  Numbers numbers;
  /// Rows of own nodes, entries in the order of all nodes; scales of ghosts, too.
  Couplings couplings;

  Ordinal num_own() const { return nodes->own(); }
  std::size_t num_here() const { return static_cast<std::size_t>(num_own()) + ghosts.extent(0); }

  template <class T>
  void fill(const Space& exec, const Array<T, Space>& by_node) const {
    halo.fill(exec, by_node);
  }
  std::int64_t sum(std::int64_t own) const { return processes->sum_of(own); }
  template <class Work>
  void on_all(const Work& work) const {
    on_all_processes(*processes, work);
  }
};

/// Own rows, own columns first and behind them `others`, by number.
template <class Space>
struct NumberedPart {
  LocalRows<Space> rows;
  GlobalNumbers<Space> others;
};

template <class Space>
LocalRows<Space> no_entries(const Space& exec, Ordinal num_rows, Ordinal num_cols);

/// Own nodes by `shares`, and those of two lists of others, without couplings. Collective.
template <class Space>
PairGraph<Space> nodes_to_pair(const Space& exec,
                               const std::shared_ptr<const Communicator>& processes,
                               const std::shared_ptr<const Partition>& shares,
                               const GlobalNumbers<Space>& ghosts,
                               const GlobalNumbers<Space>& more_ghosts);

/// Gives own nodes the couplings a + b, and scales whose values are yet to be set.
template <class Space>
void take_couplings(const Space& exec, const NumberedPart<Space>& a, const NumberedPart<Space>& b,
                    PairGraph<Space>& made);

/// kernels::pairwise_detail::couplings_of the level's unknowns, to the bit: sums are of two
/// numbers. `fine`: with its transpose; `longest_row`: of a row that is no hub's. Collective.
template <class Space>
PairGraph<Space> pair_graph(const Space& exec, const LevelRows<Space>& fine,
                            std::size_t longest_row);

}  // namespace tessera::distributed
