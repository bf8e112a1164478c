// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/minimum_degree.hpp"

#include "tessera/kernels/error.hpp"

#ifdef TESSERA_HAVE_SUITESPARSE
#include <amd.h>
#endif

#include <cstddef>
#include <limits>
#include <string>

namespace tessera::direct::detail {

#ifdef TESSERA_HAVE_SUITESPARSE
namespace {

/// What amd_2 reads, and what it leaves: amd_order makes the sum of the pattern and its transpose
/// first, and forgets the tree.
struct Workspace {
  std::vector<int> start, graph, length;
  std::vector<int> pivots;  ///< of the element that a row stands for, 0 where it is in another's
  std::vector<int> rank, order, head;
  std::vector<int> size;  ///< of the element: its pivots and the rows that it leaves
  std::vector<int> degree, flag;

  explicit Workspace(int n)
      : start(n), length(n), pivots(n), rank(n), order(n), head(n), size(n), degree(n), flag(n) {}
};

/// The pattern without its diagonal, in the room that AMD is at its best with.
int copy_graph(int n, const std::vector<int>& offsets, const std::vector<int>& columns,
               Workspace& work) {
  const std::size_t room = columns.size() + columns.size() / 5 + static_cast<std::size_t>(n) + 1;
  require(room <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
          [] { return std::string("AMD cannot order so many entries"); });
  work.graph.resize(room);
  int end = 0;
  for (int i = 0; i < n; ++i) {
    work.start[i] = end;
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (columns[e] != i) work.graph[end++] = columns[e];
    }
    work.length[i] = end - work.start[i];
  }
  return end;
}

/// The elements in their order. Dense rows, which come last and are in none, make one that takes
/// what the roots of the forest leave.
void list_elements(int num_dense, const Workspace& work, MinimumDegree& result) {
  const int n = static_cast<int>(work.order.size());
  const int end = n - num_dense;
  std::vector<int> number(n);
  for (int k = 0; k < end;) {
    const int i = work.order[k];
    const int e = work.pivots[i] > 0 ? i : work.start[i];
    number[e] = static_cast<int>(result.elements.size());
    // The parent's own row, for it has no number yet.
    result.elements.push_back({k, work.pivots[e], work.size[e], work.start[e]});
    k += work.pivots[e];
  }
  result.num_dense = num_dense;
  const int root = num_dense > 0 ? static_cast<int>(result.elements.size()) : -1;
  for (Element& element : result.elements)
    element.parent = element.parent < 0 ? root : number[element.parent];
  if (num_dense > 0) result.elements.push_back({end, num_dense, num_dense, -1});
}

}  // namespace

MinimumDegree minimum_degree(int n, const std::vector<int>& offsets,
                             const std::vector<int>& columns) {
  MinimumDegree result;
  if (n == 0) return result;
  Workspace work(n);
  const int end = copy_graph(n, offsets, columns, work);
  double info[AMD_INFO];
  amd_2(n, work.start.data(), work.graph.data(), work.length.data(),
        static_cast<int>(work.graph.size()), end, work.pivots.data(), work.rank.data(),
        work.order.data(), work.head.data(), work.size.data(), work.degree.data(), work.flag.data(),
        nullptr, info);
  result.entries = n + info[AMD_LNZ];
  result.flops = 2 * info[AMD_NMULTSUBS_LDL] + info[AMD_NDIV] + n;
  list_elements(static_cast<int>(info[AMD_NDENSE]), work, result);
  result.order = std::move(work.order);
  result.rank = std::move(work.rank);
  return result;
}
#else
MinimumDegree minimum_degree(int, const std::vector<int>&, const std::vector<int>&) {
  throw Error(ErrorKind::configuration, "this library was built without SuiteSparse");
}
#endif

}  // namespace tessera::direct::detail
