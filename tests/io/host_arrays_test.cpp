// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices from plain arrays: compressed rows, triplets, and arrays that stay where they lie.
#include "tessera/io/host_arrays.hpp"

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace tessera::test::host_arrays_test {

TESSERA_TEST_SUITE(HostArrays, Matrices, TypeNames);

using Ordinals = std::vector<Ordinal>;

template <class Scalar>
struct Triplets {
  Ordinals rows, columns;
  std::vector<Scalar> values;
  std::size_t size() const { return rows.size(); }
};

/// Rows of a matrix as maps, which sums of triplets are compared with.
template <class Scalar>
std::vector<std::map<Ordinal, Scalar>> summed(Ordinal num_rows, const Triplets<Scalar>& list) {
  std::vector<std::map<Ordinal, Scalar>> rows(num_rows);
  for (std::size_t k = 0; k < list.size(); ++k) {
    auto& row = rows[list.rows[k]];
    const auto [place, is_new] = row.try_emplace(list.columns[k], list.values[k]);
    if (!is_new) place->second += list.values[k];
  }
  return rows;
}

TESSERA_TYPED_TEST(HostArrays, RowsAreCopied) {
  auto A = random_spd_matrix<Scalar>(50, 0.1);
  std::vector<Offset> offsets(A.offsets.begin(), A.offsets.end());
  const auto copy = csr_from_host(exec, A.num_rows, A.num_cols, offsets.data(), A.columns.data(),
                                  A.values.data());
  const auto expected = A;
  std::fill(A.values.begin(), A.values.end(), Scalar(0));
  std::fill(offsets.begin(), offsets.end(), Offset(0));
  EXPECT_EQ(to_host(copy.values), expected.values);
  EXPECT_EQ(to_host(copy.columns), expected.columns);
  EXPECT_EQ(copy.num_entries(), expected.values.size());
  EXPECT_EQ(copy.num_rows, 50);
}

TESSERA_TYPED_TEST(HostArrays, TripletsAreSortedAndSummed) {
  std::mt19937 random(3);
  for (const Ordinal n : {1, 2, 7, 300}) {
    for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(5 * n)}) {
      Triplets<Scalar> list;
      for (std::size_t k = 0; k < count; ++k) {
        list.rows.push_back(static_cast<Ordinal>(random() % n));
        list.columns.push_back(static_cast<Ordinal>(random() % (n + 3)));
        list.values.push_back(static_cast<Scalar>(0.001 * (random() % 2000)) - 1);
      }
      const auto A = csr_from_triplets<Scalar, Space, Offset>(
          exec, n, n + 3, list.size(), list.rows.data(), list.columns.data(), list.values.data());
      const auto offsets = to_host(A.offsets);
      const auto columns = to_host(A.columns);
      const auto values = to_host(A.values);
      ASSERT_EQ(offsets.size(), static_cast<std::size_t>(n) + 1);
      const auto rows = summed(n, list);
      for (Ordinal i = 0; i < n; ++i) {
        ASSERT_EQ(offsets[i + 1] - offsets[i], static_cast<Offset>(rows[i].size()));
        auto k = offsets[i];
        for (const auto& [column, value] : rows[i]) {
          EXPECT_EQ(columns[k], column);
          EXPECT_EQ(values[k], value) << "sums are in the order of the list";
          ++k;
        }
      }
    }
  }
}

TESSERA_TYPED_TEST(HostArrays, SortedTripletsAndNoneAtAll) {
  const Ordinals rows{0, 0, 2}, columns{0, 2, 1};
  const std::vector<Scalar> values{1, 2, 3};
  const auto A = csr_from_triplets<Scalar, Space, Offset>(exec, 3, 3, 3, rows.data(),
                                                          columns.data(), values.data());
  EXPECT_EQ(to_host(A.offsets), (std::vector<Offset>{0, 2, 2, 3}));
  EXPECT_EQ(to_host(A.columns), columns);
  EXPECT_EQ(to_host(A.values), values);
  const Scalar* const no_values = nullptr;
  const auto none =
      csr_from_triplets<Scalar, Space, Offset>(exec, 0, 0, 0, nullptr, nullptr, no_values);
  EXPECT_EQ(none.num_rows, 0);
  EXPECT_EQ(none.num_entries(), 0u);
  const Offset* const no_offsets = nullptr;
  EXPECT_EQ(csr_from_host(exec, 0, 5, no_offsets, nullptr, no_values).num_cols, 5);
  const Offset zeros[] = {0, 0, 0};
  EXPECT_EQ(csr_from_host(exec, 2, 5, zeros, nullptr, no_values).num_entries(), 0u);
}

TESSERA_TYPED_TEST(HostArrays, NameTheFirstMistake) {
  using Offsets = std::vector<Offset>;
  const auto rows_error = [&](Ordinal n, const Offsets& offsets, const Ordinals& columns) {
    const std::vector<Scalar> values(columns.size(), Scalar(1));
    return error_of(
        [&] { csr_from_host(exec, n, n, offsets.data(), columns.data(), values.data()); });
  };
  expect_error(rows_error(2, {1, 1, 2}, {0, 1}), ErrorKind::bad_input, {"offsets[0] is 1"});
  expect_error(rows_error(2, {0, 2, 1}, {0, 1}), ErrorKind::bad_input,
               {"offsets[2] is 1, expected at least offsets[1] = 2"});
  expect_error(rows_error(2, {0, -1, 1}, {0, 1}), ErrorKind::bad_input, {"offsets[1] is -1"});
  expect_error(rows_error(2, {0, 1, 2}, {0, 2}), ErrorKind::bad_input, {"2"});
  expect_error(rows_error(2, {0, 1, 2}, {-1, 1}), ErrorKind::bad_input, {"-1"});
  expect_error(rows_error(2, {0, 2, 2}, {1, 1}), ErrorKind::bad_input, {"row 0"});
  expect_error(rows_error(-1, {0}, {}), ErrorKind::precondition, {"-1 by -1"});
  EXPECT_FALSE(rows_error(2, {0, 2, 2}, {1, 0})) << "the order of a row does not matter";
  const Scalar value = 1;
  const Offset offsets[] = {0, 1};
  const Ordinal zero = 0;
  const auto with = [&](const Offset* o, const Ordinal* c, const Scalar* v) {
    return error_of([&] { csr_from_host(exec, 1, 1, o, c, v); });
  };
  expect_error(with(nullptr, &zero, &value), ErrorKind::precondition, {"offsets is null"});
  expect_error(with(offsets, nullptr, &value), ErrorKind::precondition, {"columns is null"});
  expect_error(with(offsets, &zero, nullptr), ErrorKind::precondition, {"values is null"});

  const auto triplet_error = [&](Ordinal n, const Ordinals& rows, const Ordinals& columns) {
    const std::vector<Scalar> values(rows.size(), Scalar(1));
    return error_of([&] {
      csr_from_triplets<Scalar, Space, Offset>(exec, n, n, rows.size(), rows.data(), columns.data(),
                                               values.data());
    });
  };
  expect_error(triplet_error(3, {0, 3, 7}, {0, 0, 0}), ErrorKind::bad_input,
               {"rows[1] is 3, expected 0 to 2"});
  expect_error(triplet_error(3, {0, 1}, {0, -2}), ErrorKind::bad_input, {"columns[1] is -2"});
  expect_error(triplet_error(0, {0}, {0}), ErrorKind::bad_input, {"the matrix has none"});
  expect_error(triplet_error(-3, {}, {}), ErrorKind::precondition, {"-3 by -3"});
  expect_error(error_of([&] {
                 csr_from_triplets<Scalar, Space, Offset>(exec, 1, 1, 1, nullptr, &zero, &value);
               }),
               ErrorKind::precondition, {"rows is null, expected 1 numbers"});
}

TESSERA_TYPED_TEST(HostArrays, InPlaceTheMatrixReadsWhatLiesThere) {
  const auto source = make_csr(exec, random_spd_matrix<Scalar>(60, 0.1));
  const Array<Offset, Space> offsets("offsets", source.offsets.extent(0));
  Kokkos::parallel_for(
      "widen", Kokkos::RangePolicy<Space>(exec, 0, offsets.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { offsets(i) = source.offsets(i); });
  exec.fence();
  const Offset* const o = offsets.data();
  const Scalar* const v = source.values.data();
  const auto A = csr_in_place<Space>(60, 60, source.num_entries(), o, source.columns.data(), v);
  EXPECT_EQ(A.values.data(), v);
  EXPECT_EQ(A.offsets.data(), o);
  SolveParameters parameters;
  parameters.solver.tolerance = 1e-5;
  Solver<Scalar, Space, Offset> solver(parameters);
  solver.setup(exec, A);
  const auto before = to_host(source.values);
  const auto b = to_multivector(exec, random_vector<Scalar>(60, 1), 60);
  const auto x = to_multivector(exec, std::vector<Scalar>(60, Scalar(0)), 60);
  EXPECT_TRUE(solver.solve(exec, b, x).converged());
  EXPECT_EQ(to_host(source.values), before) << "they are read, and not written to";
  expect_error(error_of([&] { csr_in_place<Space>(-1, 1, 0, o, source.columns.data(), v); }),
               ErrorKind::precondition, {"-1 by 1"});
}

TEST(HostArraysOfManyEntries, AreRefusedWhereOffsetsDoNotCountThem) {
  const HostSpace exec;
  kernels::detail::max_entries<std::int32_t> = 2;
  const Ordinals places{0, 1, 2};
  const std::vector<double> values(3, 1.0);
  const auto error = error_of(
      [&] { csr_from_triplets(exec, 3, 3, 3, places.data(), places.data(), values.data()); });
  kernels::detail::max_entries<std::int32_t> = std::numeric_limits<std::int32_t>::max();
  expect_error(error, ErrorKind::precondition, {"the list of triplets has 3 entries"});
}

}  // namespace tessera::test::host_arrays_test
