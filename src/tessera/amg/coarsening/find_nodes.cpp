// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/find_nodes.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::amg {

/// How the nodes that were looked at agree with a numbering.
struct Agreement {
  Ordinal coupled = 0;  ///< nodes with a row that reaches another node
  Ordinal alike = 0;  ///< of these: two such rows or more, which all reach the same nodes
  Ordinal unlike = 0;  ///< of these: rows that reach different nodes
  Ordinal mixed = 0;  ///< of these: each such row has an entry of another unknown
  Ordinal chained = 0;  ///< of these: entries of other unknowns, but not of the last in the first
  Ordinal wrapped = 0;  ///< of these: the last is coupled to the first of a next node one way only

  KOKKOS_FUNCTION Agreement& operator+=(const Agreement& other) {
    coupled += other.coupled;
    alike += other.alike;
    unlike += other.unlike;
    mixed += other.mixed;
    chained += other.chained;
    wrapped += other.wrapped;
    return *this;
  }

  /// The points of a grid that is a few points wide are chained, and are no unknowns of one node.
  bool fits() const {
    return coupled > 0 && 2 * alike >= coupled && unlike <= alike / 100 && 2 * chained <= coupled &&
           2 * wrapped <= coupled;
  }
  bool mixes() const { return coupled > 0 && 2 * mixed >= coupled; }
};

/// The numberings that are tried at once: each number of unknowns, in both ways.
inline constexpr int max_numberings = 2 * (max_unknowns_found - 1);

/// What the samples say of each numbering, so that one reduction is waited for.
struct Agreements {
  Agreement of[max_numberings];

  KOKKOS_FUNCTION Agreements& operator+=(const Agreements& other) {
    for (int c = 0; c < max_numberings; ++c)
      of[c] += other.of[c];
    return *this;
  }
};

/// Looks at one node. The set of nodes that a row reaches is known by the least and the greatest of
/// their hashes, whatever the order of the entries and however many lie in one node: sets that
/// differ have both the same only by chance, and not so on all nodes.
template <class Scalar, class Space, class Offset>
struct CompareRowsOfNode {
  kernels::CsrView<Scalar, Space, Offset> A;

  KOKKOS_FUNCTION bool has_entry(Ordinal row, Ordinal column) const {
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      if (A.columns(k) == column) return true;
    }
    return false;
  }

  /// How the couplings of one unknown to another one, of other nodes, are answered.
  struct Answers {
    bool some = false;  ///< of such couplings: the other unknown is coupled to this one there, too
    bool none = false;  ///< the other is not
  };

  KOKKOS_FUNCTION Answers answers(const Nodes& nodes, Ordinal node, int from, int to) const {
    Answers result;
    const Ordinal row = nodes.row(node, from);
    for (Offset k = A.offsets(row); k < A.offsets(row + 1) && !result.some; ++k) {
      const Ordinal column = A.columns(k);
      const Ordinal reached = nodes.node(column);
      if (reached == node || nodes.unknown(column) != to) continue;
      (has_entry(nodes.row(node, to), nodes.row(reached, from)) ? result.some : result.none) = true;
    }
    return result;
  }

  /// Between two nodes, unknowns are coupled both ways or, in one-way physics, always the same way.
  /// Where a line is cut into pieces, the last point of each is coupled to the next one's first.
  KOKKOS_FUNCTION bool is_wrapped(const Nodes& nodes, Ordinal node) const {
    const int last = nodes.block_size - 1;
    const Answers up = answers(nodes, node, 0, last);
    if (up.some || !up.none) return false;
    const Answers down = answers(nodes, node, last, 0);
    return down.none && !down.some;
  }

  KOKKOS_FUNCTION void operator()(const Nodes& nodes, Ordinal node, Agreement& sum) const {
    const std::uint32_t own = kernels::hash32(static_cast<std::uint32_t>(node));
    std::uint32_t first_least = own;
    std::uint32_t first_greatest = own;
    int rows = 0;
    bool differ = false;
    int mixed_rows = 0;
    bool any_mixed = false;
    bool ends_meet = false;
    for (int unknown = 0; unknown < nodes.block_size; ++unknown) {
      const Ordinal row = nodes.row(node, unknown);
      std::uint32_t least = own;
      std::uint32_t greatest = own;
      bool mixed = false;
      for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
        const Ordinal column = A.columns(k);
        const auto reached = static_cast<std::uint32_t>(nodes.node(column));
        const std::uint32_t hash = kernels::hash32(reached);
        least = hash < least ? hash : least;
        greatest = hash > greatest ? hash : greatest;
        const int other = nodes.unknown(column);
        mixed = mixed || other != unknown;
        const int last = nodes.block_size - 1;
        ends_meet = ends_meet || (unknown == 0 && other == last) || (unknown == last && other == 0);
      }
      any_mixed = any_mixed || mixed;
      if (least == greatest) continue;  // it stays within its node
      mixed_rows += mixed ? 1 : 0;
      if (rows > 0) differ = differ || least != first_least || greatest != first_greatest;
      first_least = least;
      first_greatest = greatest;
      ++rows;
    }
    sum.coupled += rows > 0 ? 1 : 0;
    sum.alike += rows > 1 && !differ ? 1 : 0;
    sum.unlike += differ ? 1 : 0;
    sum.mixed += rows > 0 && mixed_rows == rows ? 1 : 0;
    sum.chained += rows > 0 && any_mixed && !ends_meet ? 1 : 0;
    sum.wrapped += rows > 1 && !differ && is_wrapped(nodes, node) ? 1 : 0;
  }
};

/// Compares the rows of every node.
template <class Scalar, class Space, class Offset>
Agreement compare_all(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                      const Nodes& nodes) {
  const CompareRowsOfNode<Scalar, Space, Offset> compare{A};
  Agreement result;
  Kokkos::parallel_reduce(
      "tessera::nodes::compare_all", Kokkos::RangePolicy<Space>(exec, 0, nodes.num_nodes),
      KOKKOS_LAMBDA(const Ordinal node, Agreement& sum) { compare(nodes, node, sum); }, result);
  exec.fence("tessera::nodes::compare_all");
  return result;
}

inline constexpr Ordinal sampled_nodes = 64;

/// Compares the rows of so many nodes at the most in each of the numberings.
template <class Scalar, class Space, class Offset>
Agreements compare_samples(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                           const std::vector<Nodes>& numberings) {
  Kokkos::Array<Nodes, max_numberings> tried{};
  std::copy(numberings.begin(), numberings.end(), tried.data());
  const CompareRowsOfNode<Scalar, Space, Offset> compare{A};
  const auto count = static_cast<Ordinal>(numberings.size());
  Agreements result;
  Kokkos::parallel_reduce(
      "tessera::nodes::compare_samples", Kokkos::RangePolicy<Space>(exec, 0, count * sampled_nodes),
      KOKKOS_LAMBDA(const Ordinal i, Agreements& sum) {
        const Ordinal c = i / sampled_nodes;
        const Ordinal step = (tried[c].num_nodes + sampled_nodes - 1) / sampled_nodes;
        const Ordinal node = i % sampled_nodes * step;
        if (node < tried[c].num_nodes) compare(tried[c], node, sum.of[c]);
      },
      result);
  exec.fence("tessera::nodes::compare_samples");
  return result;
}

inline bool fits(const Agreement& agreement, const Nodes& nodes) {
  return nodes.by_unknown ? agreement.fits() && agreement.mixes() : agreement.fits();
}

/// Of the numberings that fit the samples those in one of the two ways, most unknowns first.
inline std::vector<Nodes> fitting(const std::vector<Nodes>& tried, const Agreements& samples,
                                  bool by_unknown) {
  std::vector<Nodes> result;
  for (std::size_t c = 0; c < tried.size(); ++c) {
    if (tried[c].by_unknown != by_unknown || !fits(samples.of[c], tried[c])) continue;
    result.push_back(tried[c]);
  }
  return result;
}

/// In a dense matrix each number fits, and none is meant.
inline bool contradict(const std::vector<Nodes>& numberings) {
  int multiple = 1;
  for (const Nodes& nodes : numberings)
    multiple = std::lcm(multiple, nodes.block_size);
  return multiple > max_unknowns_found;
}

/// Those that fit all nodes; none where they contradict each other. Samples are equally far apart,
/// and may all lie at the same place of their lines: on lines of 5 nodes of 3 unknowns the first 5
/// of 15 rows reach the same groups of 5, and others do not.
template <class Scalar, class Space, class Offset>
std::vector<Nodes> confirmed(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                             const std::vector<Nodes>& numberings) {
  std::vector<Nodes> result;
  for (const Nodes& nodes : numberings) {
    if (!fits(compare_all(exec, A, nodes), nodes)) continue;
    result.push_back(nodes);
    if (contradict(result)) return {};
  }
  return result;
}

template <class Scalar, class Space, class Offset>
Nodes search_nodes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  std::vector<Nodes> tried;
  for (int m = max_unknowns_found; m > 1; --m) {
    if (A.num_rows % m != 0) continue;
    for (const bool by_unknown : {false, true})
      tried.push_back({m, A.num_rows / m, by_unknown});
  }
  const Nodes none{1, A.num_rows, false};
  if (tried.empty()) return none;
  const auto samples = compare_samples(exec, A, tried);
  for (const bool by_unknown : {false, true}) {
    std::vector<Nodes> fit = fitting(tried, samples, by_unknown);
    if (contradict(fit)) fit = confirmed(exec, A, fit);
    for (const Nodes& nodes : fit) {
      const auto agreement = compare_all(exec, A, nodes);
      if (!fits(agreement, nodes)) continue;
      return {nodes.block_size, nodes.num_nodes, by_unknown, agreement.mixes()};
    }
  }
  return none;
}

template <class Scalar, class Space, class Offset>
Nodes find_nodes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                 int block_size) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  require(block_size >= 0 && (block_size == 0 || A.num_rows % block_size == 0), [&] {
    return "block_size must divide the number of rows: " + std::to_string(block_size) +
           " does not divide " + std::to_string(A.num_rows);
  });
  if (block_size == 1 || A.num_rows == 0) return {1, A.num_rows, false};
  if (block_size == 0) return search_nodes(exec, A);
  Nodes as_said{block_size, A.num_rows / block_size, false};
  const auto agreement = compare_all(exec, A, as_said);
  as_said.coupled = agreement.mixes();
  if (agreement.fits()) return as_said;
  Nodes other{block_size, A.num_rows / block_size, true};
  const auto renumbered = compare_all(exec, A, other);
  other.coupled = renumbered.mixes();
  return renumbered.fits() ? other : as_said;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_nodes)

}  // namespace tessera::amg
