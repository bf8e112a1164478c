// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch on tiles in mixed precision.
#pragma once
#include "kernels_persistent/persistent_solves.hpp"

#include "tessera/kernels/persistent/tiled_solve.hpp"

namespace tessera::test {

using kernels::DynamicRanges;
using kernels::TileCriterion;
using kernels::TiledReport;
using kernels::TileLevel;
using kernels::TileLoss;
using kernels::TileOptions;

template <class Scalar>
struct TiledAnswer {
  TiledReport report;
  std::vector<Scalar> x;
  std::int64_t num_tiles = 0;

  Answer<Scalar> plain() const { return {report, x}; }
};

template <class Scalar, class Space, class Offset>
class Tiled {
 public:
  TiledAnswer<Scalar> solve(Method method, const HostMatrix<Scalar>& A,
                            const std::vector<Scalar>& b, const TileOptions& options,
                            With with = With::nothing,
                            const PersistentLimits& limits = reachable<Scalar>(),
                            const TileCriterion& criterion = {}, std::vector<Scalar> x0 = {},
                            const PersistentTuning& tuning = {}, double time_limit_s = 0) {
    const auto matrix = make_csr<Offset>(m_exec, A);
    const auto view = matrix.view();
    const auto tiles = kernels::csr_to_mixed_tiles(m_exec, view, criterion);
    Array<Scalar, Space> d;
    if (with == With::jacobi) d = kernels::inverse_diagonal(m_exec, view);
    if (x0.empty()) x0.assign(b.size(), Scalar(0));
    const auto rhs = to_device(m_exec, b);
    const auto x = to_device(m_exec, x0);
    TiledAnswer<Scalar> answer;
    answer.num_tiles = static_cast<std::int64_t>(tiles.num_tiles());
    answer.report = persistent_solve(method, m_exec, m_workspace, view, tiles.view(), d, rhs, x,
                                     limits, options, time_limit_s, tuning);
    answer.x = to_host(x);
    return answer;
  }

 private:
  Space m_exec;
  kernels::TiledWorkspace<Scalar, Space> m_workspace;
};

inline const TileOptions fixed{};
inline const TileOptions dynamic{.is_dynamic = true};
inline const TileOptions as_in_the_paper{.is_dynamic = true,
                                         .ranges = DynamicRanges::of_the_paper()};

/// So many systems that do not touch.
template <class Scalar>
HostMatrix<Scalar> side_by_side(const HostMatrix<Scalar>& A, std::int32_t count) {
  const std::int32_t n = A.num_rows;
  return by_rows<Scalar>(count * n, count * n, [&](auto& result, std::int32_t row) {
    for (auto e = A.offsets[row % n]; e < A.offsets[row % n + 1]; ++e)
      result.push(row - row % n + A.columns[e], A.values[e]);
  });
}

/// A, each row and column times a number near one that no fewer bits hold.
template <class Scalar>
HostMatrix<Scalar> with_long_numbers(HostMatrix<Scalar> A) {
  const auto factors = some_vector<double>(A.num_rows, 3);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
    value = static_cast<Scalar>(value * (1 + factors[i] / 8) * (1 + factors[j] / 8));
  });
  return A;
}

/// Next to nothing beside the first point, in two steps: tiles are in few bits there until p, which
/// gets from point to point, reactivates them. BiCGSTAB takes errors for 8 times as large and more.
template <class Scalar>
std::vector<Scalar> quiet_but_for_the_first(std::size_t n, Method method, double tolerance) {
  auto b = some_vector<Scalar>(n);
  const double quiet = tolerance / (method == Method::cg ? 1 : 64);
  for (std::size_t i = 0; i < n; ++i)
    b[i] *= static_cast<Scalar>(quiet * (i < n / 2 ? 2e-2 : 2e-4));
  b[0] = 1;
  return b;
}

}  // namespace tessera::test
