// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/nested_dissection.hpp"

#ifdef TESSERA_HAVE_SCOTCH
#include <cstdio>  // for what scotch.h declares

#include <scotch.h>
#endif

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tessera::direct::detail {

#ifdef TESSERA_HAVE_SCOTCH
namespace {

/// What SCOTCH begins with `init` and ends with `exit`.
template <class T, int (*init)(T*), void (*exit)(T*)>
class ScotchObject {
 public:
  ScotchObject() { m_valid = init(&m_object) == 0; }
  ~ScotchObject() {
    if (m_valid) exit(&m_object);
  }
  ScotchObject(const ScotchObject&) = delete;
  ScotchObject& operator=(const ScotchObject&) = delete;

  bool valid() const { return m_valid; }
  T* get() { return &m_object; }

 private:
  T m_object{};
  bool m_valid = false;
};

using ScotchGraph = ScotchObject<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using ScotchStrategy = ScotchObject<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using ScotchContext = ScotchObject<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;

/// Gives it one thread and random numbers of its own, from the same seed: what is ordered elsewhere
/// at the same time, or was before, does not change an order.
bool separate(SCOTCH_Context* context) {
  const bool done = SCOTCH_contextRandomClone(context) == 0 &&
                    SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
                    SCOTCH_contextThreadSpawn(context, 1, nullptr) == 0;
  if (!done) return false;
  SCOTCH_contextRandomSeed(context, 1);
  SCOTCH_contextRandomReset(context);
  return true;
}

bool is_permutation(const std::vector<SCOTCH_Num>& order) {
  const auto n = static_cast<SCOTCH_Num>(order.size());
  std::vector<bool> seen(order.size(), false);
  for (const SCOTCH_Num i : order) {
    if (i < 0 || i >= n || seen[i]) return false;
    seen[i] = true;
  }
  return true;
}

}  // namespace

bool can_dissect() { return true; }

std::optional<std::vector<int>> nested_dissection(int n, const HostArray<int>& offsets,
                                                  const HostArray<int>& columns) {
  std::vector<SCOTCH_Num> starts = {0};
  std::vector<SCOTCH_Num> neighbours;
  neighbours.reserve(columns.size());
  for (int i = 0; i < n; ++i) {
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (columns[e] != i) neighbours.push_back(columns[e]);
    }
    starts.push_back(static_cast<SCOTCH_Num>(neighbours.size()));
  }
  ScotchContext context;
  ScotchGraph graph;
  ScotchGraph bound;
  ScotchStrategy strategy;
  if (!context.valid() || !graph.valid() || !bound.valid() || !strategy.valid() ||
      !separate(context.get()))
    return std::nullopt;
  std::vector<SCOTCH_Num> order(n);
  const bool done = SCOTCH_graphBuild(graph.get(), 0, n, starts.data(), starts.data() + 1, nullptr,
                                      nullptr, starts.back(), neighbours.data(), nullptr) == 0 &&
                    SCOTCH_contextBindGraph(context.get(), graph.get(), bound.get()) == 0 &&
                    SCOTCH_graphOrder(bound.get(), strategy.get(), nullptr, order.data(), nullptr,
                                      nullptr, nullptr) == 0;
  if (!done || !is_permutation(order)) return std::nullopt;
  return std::vector<int>(order.begin(), order.end());
}
#else
bool can_dissect() { return false; }

std::optional<std::vector<int>> nested_dissection(int, const HostArray<int>&,
                                                  const HostArray<int>&) {
  return std::nullopt;
}
#endif

double distinct_entries(int n, const HostArray<int>& offsets, const HostArray<int>& columns) {
  // Rows with the same columns, their own counted, have the same sum of hashes.
  std::vector<std::pair<std::uint64_t, int>> rows;
  rows.reserve(n);
  const auto hash = [](int j) {
    std::uint64_t h = static_cast<std::uint64_t>(j) + 0x9E3779B97F4A7C15U;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9U;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBU;
    return h ^ (h >> 31);
  };
  for (int i = 0; i < n; ++i) {
    std::uint64_t sum = hash(i);
    int length = 0;
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (columns[e] == i) continue;
      sum += hash(columns[e]);
      ++length;
    }
    rows.emplace_back(sum, length);
  }
  std::sort(rows.begin(), rows.end());
  // A class of m rows is one node; of its neighbours each has, on average, as many rows.
  double result = 0;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    while (end < rows.size() && rows[end] == rows[i])
      ++end;
    const auto alike = static_cast<double>(end - i);
    result += std::max(0.0, rows[i].second + 1 - alike) / alike;
    i = end;
  }
  return result;
}

}  // namespace tessera::direct::detail
