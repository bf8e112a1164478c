// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/minimum_degree.hpp"

#include "tessera/kernels/execution/error.hpp"

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
  HostArray<int> all;
  int* start;  ///< of a row in the graph; the parent then
  int* length;
  int* pivots;  ///< of the element that a row stands for, 0 where it is in another's
  int* rank;
  int* order;
  int* head;
  int* size;  ///< of the element: its pivots and the rows that it leaves
  int* degree;
  int* flag;
  int* graph;
  int room;  ///< for the graph: what AMD is at its best with

  Workspace(std::size_t n, std::size_t entries) {
    const std::size_t in_all = entries + entries / 5 + n + 1;
    require(in_all <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
            [] { return std::string("AMD cannot order so many entries"); });
    room = static_cast<int>(in_all);
    all.resize(9 * n + in_all);
    int* next = all.data();
    for (int** const array :
         {&start, &length, &pivots, &rank, &order, &head, &size, &degree, &flag, &graph}) {
      *array = next;
      next += n;
    }
  }
};

/// The pattern without its diagonal; returns where it ends.
int copy_graph(int n, const HostArray<int>& offsets, const HostArray<int>& columns,
               Workspace& work) {
  int end = 0;
  for (int i = 0; i < n; ++i) {
    work.start[i] = end;
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      work.graph[end] = columns[e];
      end += columns[e] != i ? 1 : 0;
    }
    work.length[i] = end - work.start[i];
  }
  return end;
}

/// The elements in their order. Dense rows, which come last and are in none, make one that takes
/// what the roots of the forest leave.
void list_elements(int n, int num_dense, const Workspace& work, EliminationOrder& result) {
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

EliminationOrder minimum_degree(int n, const HostArray<int>& offsets,
                                const HostArray<int>& columns) {
  EliminationOrder result;
  if (n == 0) return result;
  Workspace work(n, columns.size());
  const int end = copy_graph(n, offsets, columns, work);
  double info[AMD_INFO];
  amd_2(n, work.start, work.graph, work.length, work.room, end, work.pivots, work.rank, work.order,
        work.head, work.size, work.degree, work.flag, nullptr, info);
  result.entries = n + info[AMD_LNZ];
  result.flops = 2 * info[AMD_NMULTSUBS_LDL] + info[AMD_NDIV] + n;
  list_elements(n, static_cast<int>(info[AMD_NDENSE]), work, result);
  result.order.assign(work.order, work.order + n);
  result.rank.assign(work.rank, work.rank + n);
  return result;
}
#else
EliminationOrder minimum_degree(int, const HostArray<int>&, const HostArray<int>&) {
  throw Error(ErrorKind::configuration, "this library was built without SuiteSparse");
}
#endif

}  // namespace tessera::direct::detail
