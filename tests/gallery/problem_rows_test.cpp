// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a problem by range are those of the whole, to the last bit.
#include "tessera/gallery/problem_rows.hpp"

#include "support/error_of.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(ProblemRows, AreThoseOfTheWhole) {
  const HostSpace exec;
  for (const auto& known : problem_names()) {
    GalleryParameters parameters;
    parameters.problem = known.value;
    parameters.n = 7;
    const Ordinal rows = num_grid_rows(parameters);
    if (rows == 0) {
      expect_error(
          error_of([&] { make_problem_rows<double, HostSpace>(exec, parameters, {0, 1}); }),
          ErrorKind::precondition, {std::string(known.name), "no grid"});
      continue;
    }
    const auto whole = make_problem<double, HostSpace>(exec, parameters);
    exec.fence();
    ASSERT_EQ(rows, whole.A.num_rows) << known.name;
    for (const RowRange range :
         {RowRange{0, 1}, RowRange{0, rows}, RowRange{rows / 3, rows / 2}, RowRange{rows - 1, 1}}) {
      const auto part = make_problem_rows<double, HostSpace>(exec, parameters, range);
      exec.fence();
      ASSERT_EQ(part.A.num_rows, range.count) << known.name;
      ASSERT_EQ(part.A.num_cols, rows) << known.name;
      ASSERT_EQ(part.description, whole.description);
      for (Ordinal i = 0; i < range.count; ++i) {
        const auto begin = part.A.offsets(i);
        const auto from = whole.A.offsets(range.first + i);
        ASSERT_EQ(part.A.offsets(i + 1) - begin, whole.A.offsets(range.first + i + 1) - from);
        for (int e = 0; e < part.A.offsets(i + 1) - begin; ++e) {
          ASSERT_EQ(part.A.columns(begin + e), whole.A.columns(from + e)) << known.name;
          ASSERT_EQ(part.A.values(begin + e), whole.A.values(from + e)) << known.name;
        }
        ASSERT_EQ(part.b(i, 0), whole.b(range.first + i, 0)) << known.name;
      }
    }
    expect_error(
        error_of([&] { make_problem_rows<double, HostSpace>(exec, parameters, {rows - 1, 2}); }),
        ErrorKind::precondition, {"2 rows from " + std::to_string(rows - 1)});
  }
}

}  // namespace
}  // namespace tessera::test
