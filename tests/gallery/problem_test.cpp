// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What holds for every problem of the gallery: shapes, structure, symmetry, definiteness, the same
/// bits each time.
#include "gallery/gallery_test.hpp"
#include "support/error_of.hpp"
#include "support/same_matrix.hpp"

#include <algorithm>

namespace tessera::problem_test {

TESSERA_TEST_SUITE(ProblemTest, test::Matrices, test::TypeNames);

/// Every problem at a few sizes small enough for dense algebra.
std::vector<GalleryParameters> small_problems() {
  std::vector<GalleryParameters> list;
  for (const auto& entry : problem_names()) {
    if (entry.value == ProblemKind::beam) {
      list.push_back({.problem = entry.value, .order = 1, .refine = 0});
      list.push_back({.problem = entry.value, .order = 2, .refine = 0});
      list.push_back({.problem = entry.value, .order = 1, .refine = 1});
    } else if (entry.value == ProblemKind::lshape) {
      for (int order = 1; order <= 8; ++order) {
        list.push_back({.problem = entry.value, .order = order, .refine = 0});
      }
      list.push_back({.problem = entry.value, .order = 3, .refine = 1});
    } else {
      for (const int n : {1, 2, 3, 5})
        list.push_back({.problem = entry.value, .n = n});
      list.push_back({.problem = entry.value, .n = 4, .mesh_contrast = 0.3});
    }
  }
  return list;
}

TESSERA_TYPED_TEST(ProblemTest, IsSound) {
  for (const auto& parameters : small_problems()) {
    SCOPED_TRACE(std::string(to_string(parameters.problem)) + " " + std::to_string(parameters.n));
    const auto problem = test::generate<TypeParam>(parameters);
    const auto A = test::to_host(problem.A);
    test::expect_sound(A);
    const auto n = static_cast<std::size_t>(A.num_rows);
    EXPECT_EQ(problem.b.extent(0), n);
    EXPECT_EQ(problem.b.extent(1), 1u);
    EXPECT_EQ(problem.near_nullspace.extent(0), n);
    const bool is_one_vertex = n == 3 && problem.block_size == 3;
    EXPECT_EQ(problem.near_nullspace.extent(1), problem.block_size == 1                    ? 1u
                                                : problem.block_size == 2 || is_one_vertex ? 3u
                                                                                           : 6u);
    // What a setup refuses.
    const auto modes = test::to_host(problem.near_nullspace);
    for (std::size_t j = 0; j < problem.near_nullspace.extent(1); ++j) {
      const auto first = modes.begin() + static_cast<std::ptrdiff_t>(j * n);
      EXPECT_TRUE(std::any_of(first, first + static_cast<std::ptrdiff_t>(n),
                              [](auto value) { return value != 0; }));
    }
    EXPECT_EQ(n % problem.block_size, 0u);
    if (problem.coordinates.extent(0) > 0) {
      EXPECT_EQ(problem.coordinates.extent(0), n / problem.block_size);
    }
    for (const Scalar value : test::to_host(problem.b))
      ASSERT_TRUE(std::isfinite(value));
    EXPECT_FALSE(problem.description.empty());
  }
}

TESSERA_TYPED_TEST(ProblemTest, IsSymmetricAndDefiniteAsItSays) {
  for (const auto& parameters : small_problems()) {
    SCOPED_TRACE(std::string(to_string(parameters.problem)) + " " + std::to_string(parameters.n));
    const auto problem = test::generate<TypeParam>(parameters);
    const auto A = test::to_host(problem.A);
    // One point has no neighbour upstream.
    if (A.num_rows > 1) {
      EXPECT_EQ(test::is_symmetric(A), problem.symmetric);
    }
    if (problem.symmetric && A.num_rows <= 250) {
      EXPECT_EQ(test::is_positive_definite(test::to_dense(A), test::roundings<Scalar>(100)),
                problem.positive_definite);
    }
    EXPECT_EQ(problem.singular, parameters.problem == ProblemKind::neumann2d ||
                                    parameters.problem == ProblemKind::neumann3d);
  }
}

TYPED_TEST(ProblemTest, HasTheSameBitsEachTime) {
  for (const auto& parameters : small_problems()) {
    const auto once = test::generate<TypeParam>(parameters);
    const auto again = test::generate<TypeParam>(parameters);
    test::expect_same(test::to_host(once.A), test::to_host(again.A));
    EXPECT_EQ(test::to_host(once.b), test::to_host(again.b));
    EXPECT_EQ(test::to_host(once.near_nullspace), test::to_host(again.near_nullspace));
  }
}

TESSERA_TYPED_TEST(ProblemTest, HasTheSamePatternOnTheHost) {
  using Host = test::Types<Scalar, HostSpace, std::int64_t>;
  for (const auto& parameters : small_problems()) {
    const auto here = test::matrix_of<TypeParam>(parameters);
    const auto there = test::matrix_of<Host>(parameters);
    EXPECT_EQ(here.offsets, there.offsets);
    EXPECT_EQ(here.columns, there.columns);
    for (std::size_t e = 0; e < here.num_entries(); ++e) {
      // Entries below are at most 1000, the contrast of the jumps.
      ASSERT_NEAR(here.values[e], there.values[e], test::roundings<Scalar>(1e4));
    }
  }
}

TEST(ProblemNames, AreAllThere) {
  const auto names = problem_names();
  ASSERT_EQ(names.size(), 20u);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(names[i].value), i);
    EXPECT_EQ(to_string(names[i].value), names[i].name);
    EXPECT_FALSE(names[i].text.empty());
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(names[i].name, names[j].name);
  }
}

/// Gives each member another value that every problem takes.
struct ChangeMember {
  std::string_view name;

  void operator()(std::string_view member, int& value, std::string_view, Range<int>) const {
    if (member == name) value = value > 1 ? value / 2 : value + 1;
  }
  void operator()(std::string_view member, double& value, std::string_view, Range<double>) const {
    if (member == name) value /= 2;
  }
  void operator()(std::string_view, ProblemKind&, std::string_view, EnumNames<ProblemKind>) const {}
  void operator()(std::string_view member, Numbering& value, std::string_view,
                  EnumNames<Numbering>) const {
    if (member == name) value = Numbering::unknowns;
  }
};

TEST(ParameterNames, AreThoseThatChangeTheProblem) {
  using Host = test::Types<double, HostSpace, std::int32_t>;
  constexpr std::string_view members[] = {
      "n",        "order",     "refine",        "epsilon", "theta",
      "contrast", "peclet",    "poisson_ratio", "degree",  "shift",
      "seed",     "numbering", "mesh_contrast"};
  for (const auto& entry : problem_names()) {
    const GalleryParameters parameters{.problem = entry.value, .n = 12, .order = 2, .refine = 0};
    const auto A = test::matrix_of<Host>(parameters);
    const auto names = parameter_names(entry.value);
    for (const std::string_view member : members) {
      SCOPED_TRACE(std::string(entry.name) + ", " + std::string(member));
      GalleryParameters other = parameters;
      ChangeMember change{member};
      describe_parameters(change, other);
      const auto B = test::matrix_of<Host>(other);
      const bool named = std::find(names.begin(), names.end(), member) != names.end();
      EXPECT_EQ(!(A == B), named);
    }
  }
}

/// Expects an error of that kind whose message holds each of `parts`.
template <class Offset = std::int32_t>
void expect_refused(const GalleryParameters& parameters, ErrorKind kind,
                    std::initializer_list<std::string> parts) {
  test::expect_error(
      test::error_of([&] { make_problem<double, DeviceSpace, Offset>(DeviceSpace(), parameters); }),
      kind, parts);
}

TEST(ProblemErrors, NameParameterValueAndRange) {
  const auto expect = [](const GalleryParameters& parameters, const std::string& name_and_value,
                         const std::string& range) {
    expect_refused(parameters, ErrorKind::configuration, {name_and_value, range});
  };
  using Kind = ProblemKind;
  expect({.n = 0}, "n = 0", "1 to 46340");
  expect({.n = -3}, "n = -3", "1 to 46340");
  expect({.n = 46341}, "n = 46341", "1 to 46340");
  expect({.problem = Kind::beam, .order = 0}, "order = 0", "1 to 8");
  expect({.problem = Kind::beam, .order = 9}, "order = 9", "1 to 8");
  expect({.problem = Kind::lshape, .refine = -1}, "refine = -1", "0 to 12");
  expect({.problem = Kind::lshape, .refine = 13}, "refine = 13", "0 to 12");
  expect({.problem = Kind::anisotropic2d, .epsilon = 0.0}, "epsilon = 0", "1e-12 to 1");
  expect({.problem = Kind::anisotropic2d, .theta = std::nan("")}, "theta = nan", "-6.3 to 6.3");
  expect({.problem = Kind::jump2d, .contrast = -1.0}, "contrast = -1", "1e-12 to");
  expect({.problem = Kind::unstructured2d, .mesh_contrast = 0.0}, "mesh_contrast = 0", "1e-12 to");
  expect({.problem = Kind::convdiff2d, .peclet = -1.0}, "peclet = -1", "0 to");
  expect({.problem = Kind::elasticity3d, .poisson_ratio = 0.5}, "poisson_ratio = 0.5", "to 0.499");
  expect({.problem = Kind::elasticity3d, .numbering = static_cast<Numbering>(7)}, "numbering = 7",
         "one of: nodes, unknowns");
  expect({.problem = Kind::graph, .degree = 0.0}, "degree = 0", "0.01 to 1000");
  expect({.problem = Kind::graph, .shift = 0.0}, "shift = 0", "1e-12 to");
  expect({.problem = Kind::graph, .seed = -1}, "seed = -1", "0 or more");
  expect({.problem = static_cast<Kind>(99)}, "problem = 99", "one of: poisson2d, ");
}

TEST(ProblemErrors, TooManyRows) {
  using Kind = ProblemKind;
  for (const GalleryParameters& parameters :
       {GalleryParameters{.problem = Kind::poisson3d, .n = 1291},
        GalleryParameters{.problem = Kind::anisotropic3d, .n = 1291},
        GalleryParameters{.problem = Kind::unstructured3d, .n = 1291},
        GalleryParameters{.problem = Kind::elasticity3d, .n = 1000},
        GalleryParameters{.problem = Kind::elasticity2d, .n = 46340},
        GalleryParameters{.problem = Kind::beam, .order = 8, .refine = 12},
        GalleryParameters{.problem = Kind::lshape, .order = 8, .refine = 12}}) {
    expect_refused<std::int64_t>(parameters, ErrorKind::configuration,
                                 {"2147483647", to_string(parameters.problem).data()});
  }
}

TEST(ProblemErrors, TooManyEntriesForNarrowOffsets) {
  // 8,137,585,000 entries and more; nothing is allocated.
  expect_refused({.problem = ProblemKind::beam, .order = 7, .refine = 4}, ErrorKind::precondition,
                 {"64-bit offsets", std::to_string(8065LL * 1009 * 1009)});
}

}  // namespace tessera::problem_test
