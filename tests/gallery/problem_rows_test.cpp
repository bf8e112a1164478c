// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a problem by range are those of the whole, to the last bit, and take no more memory.
#include "tessera/gallery/problem_rows.hpp"

#include "gallery/gallery_test.hpp"
#include "support/error_of.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <vector>

namespace tessera::test::problem_rows_test {

/// Several bricks of unstructured problems a direction, several cells of graph's; both numberings
/// of elasticity.
std::vector<GalleryParameters> small_problems() {
  std::vector<GalleryParameters> problems;
  for (const auto& known : problem_names()) {
    const auto name = known.name;
    const bool elastic = name.starts_with("elasticity");
    const bool flat = name.find("2d") != name.npos || name == "graph";
    GalleryParameters parameters{.problem = known.value,
                                 .n = elastic ? 4 : (flat ? 19 : 9),
                                 .order = 2,
                                 .refine = 1,
                                 .mesh_contrast = 0.3};
    problems.push_back(parameters);
    parameters.numbering = Numbering::unknowns;
    if (elastic) problems.push_back(parameters);
  }
  return problems;
}

/// Every row and none, one row, and parts that end anywhere.
std::vector<RowRange> ranges(Ordinal rows) {
  std::vector<RowRange> result{{0, -1}, {0, 0},        {rows, 0},     {rows / 2, 0},
                               {0, 1},  {rows - 1, 1}, {rows / 3, -1}};
  for (const Ordinal parts : {1, 2, 3, 4, 7}) {
    for (Ordinal k = 0; k < parts; ++k) {
      const auto first = static_cast<Ordinal>(std::int64_t{rows} * k / parts);
      const auto end = static_cast<Ordinal>(std::int64_t{rows} * (k + 1) / parts);
      result.push_back({first, end - first});
    }
  }
  return result;
}

/// Rows `first` up to `first` + `count` of vectors stored column after column.
template <class Scalar>
std::vector<Scalar> rows_of(const std::vector<Scalar>& v, std::size_t rows, std::size_t first,
                            std::size_t count) {
  std::vector<Scalar> result;
  for (std::size_t start = first; start < v.size(); start += rows)
    result.insert(result.end(), v.begin() + start, v.begin() + start + count);
  return result;
}

/// What `coordinates` are of rows `first` up to `first` + `count`.
template <class Scalar>
std::vector<Scalar> coordinates_of(const std::vector<Scalar>& whole, Ordinal rows, int block_size,
                                   Numbering numbering, Ordinal first, Ordinal count) {
  const Ordinal nodes = rows / block_size;
  std::vector<Scalar> result;
  if (count == 0 || whole.empty()) return result;
  if (numbering == Numbering::nodes)
    return rows_of(whole, nodes, first / block_size,
                   (first + count - 1) / block_size + 1 - first / block_size);
  if (count == rows) return whole;
  for (std::size_t start = 0; start < whole.size(); start += nodes)
    for (Ordinal i = first; i < first + count; ++i)
      result.push_back(whole[start + i % nodes]);
  return result;
}

TESSERA_TEST_SUITE(ProblemRows, Matrices, TypeNames);

TESSERA_TYPED_TEST(ProblemRows, AreThoseOfTheWhole) {
  for (const GalleryParameters& parameters : small_problems()) {
    SCOPED_TRACE(to_string(parameters.problem));
    const auto whole = generate<TypeParam>(parameters);
    const HostMatrix<Scalar> A = to_host(whole.A);
    const Ordinal rows = num_problem_rows(parameters);
    ASSERT_EQ(rows, A.num_rows);
    const auto b = to_host(whole.b);
    const auto modes = to_host(whole.near_nullspace);
    const auto coordinates = to_host(whole.coordinates);
    for (const RowRange& range : ranges(rows)) {
      const Ordinal first = range.first;
      const Ordinal count = range.count < 0 ? rows - first : range.count;
      SCOPED_TRACE("rows " + std::to_string(first) + " to " + std::to_string(first + count));
      const auto part = make_problem_rows<Scalar, Space, Offset>(exec, parameters, range);
      const HostMatrix<Scalar> own = to_host(part.A);
      ASSERT_EQ(own.num_rows, count);
      ASSERT_EQ(own.num_cols, rows);
      ASSERT_EQ(own.offsets.front(), 0);
      const auto begin = A.offsets[first];
      const auto end = A.offsets[first + count];
      for (Ordinal i = 0; i < count; ++i)
        ASSERT_EQ(own.offsets[i + 1], A.offsets[first + i + 1] - begin);
      ASSERT_TRUE(std::equal(own.columns.begin(), own.columns.end(), A.columns.begin() + begin,
                             A.columns.begin() + end));
      ASSERT_TRUE(std::equal(own.values.begin(), own.values.end(), A.values.begin() + begin,
                             A.values.begin() + end));
      ASSERT_EQ(to_host(part.b), rows_of(b, rows, first, count));
      ASSERT_EQ(part.near_nullspace.extent(1), whole.near_nullspace.extent(1));
      ASSERT_EQ(to_host(part.near_nullspace), rows_of(modes, rows, first, count));
      ASSERT_EQ(to_host(part.coordinates), coordinates_of(coordinates, rows, whole.block_size,
                                                          parameters.numbering, first, count));
      ASSERT_EQ(part.block_size, whole.block_size);
      ASSERT_EQ(part.symmetric, whole.symmetric);
      ASSERT_EQ(part.positive_definite, whole.positive_definite);
      ASSERT_EQ(part.singular, whole.singular);
      ASSERT_EQ(part.description, whole.description);
    }
  }
}

TESSERA_TYPED_TEST(ProblemRows, RefusesRowsThatThereAreNot) {
  for (const GalleryParameters& parameters : small_problems()) {
    const Ordinal rows = num_problem_rows(parameters);
    const auto make = [&](const RowRange& range) {
      return error_of([&] { make_problem_rows<Scalar, Space, Offset>(exec, parameters, range); });
    };
    const std::string there_are = "there are " + std::to_string(rows);
    expect_error(make({rows - 1, 2}), ErrorKind::precondition, {"2 rows", there_are});
    expect_error(make({-1, 2}), ErrorKind::precondition, {"from -1", there_are});
    expect_error(make({rows + 1, -1}), ErrorKind::precondition, {"the rows from", there_are});
  }
}

/// The most bytes at once while a part is made, over those while the whole is.
template <class Space>
double share_of_memory(const GalleryParameters& parameters, const RowRange& range) {
  const Space exec;
  const auto peak = [&](const RowRange& rows) {
    const MemoryTracker tracker(Space::memory_space::name(), true);
    const auto problem = make_problem_rows<double, Space>(exec, parameters, rows);
    exec.fence("tessera::test: rows made");
    return static_cast<double>(tracker.peak_bytes());
  };
  peak({});  // what Kokkos keeps for its reductions is there from then on
  return peak(range) / peak({});
}

TESSERA_TEST_SUITE(ProblemRowsMemory, Spaces, TypeNames);

TESSERA_TYPED_TEST(ProblemRowsMemory, IsThatOfTheRows) {
  for (const auto& known : problem_names()) {
    const bool flat = known.name.find("2d") != known.name.npos || known.name == "graph";
    const GalleryParameters parameters{
        .problem = known.value, .n = flat ? 96 : 24, .order = 2, .refine = 3};
    const Ordinal rows = num_problem_rows(parameters);
    const RowRange eighth{rows / 2, rows / 8};
    // Two layers around the rows of so small a mesh are as many numbers as an eighth has.
    EXPECT_LT(share_of_memory<Space>(parameters, eighth), 0.16) << known.name;
  }
}

}  // namespace tessera::test::problem_rows_test
