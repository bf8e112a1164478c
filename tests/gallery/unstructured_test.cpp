// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Irregular meshes: elements that fit together and are nowhere inverted, and their matrices
/// against elements assembled one by one.
#include "gallery/gallery_test.hpp"

#include "tessera/gallery/detail/brick_numbering.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tessera::unstructured_test {

using gallery_detail::BrickNumbering;
using gallery_detail::CellDivision;
using gallery_detail::GridPoint;
using gallery_detail::SimplexMesh;

/// Calls `visit(vertices)` for each element, vertices as points of the grid.
template <int dim, class Visit>
void for_each_element(const SimplexMesh<dim>& mesh, Visit visit) {
  for (Ordinal z = dim == 3 ? -1 : 0; z < (dim == 3 ? mesh.n : 1); ++z) {
    for (Ordinal y = -1; y < mesh.n; ++y) {
      for (Ordinal x = -1; x < mesh.n; ++x) {
        const auto division = mesh.divide({x, y, z});
        for (int k = 0; k < CellDivision<dim>::kSimplices; ++k) {
          const auto simplex = division.simplex(k);
          std::array<GridPoint, dim + 1> vertices;
          for (int i = 0; i <= dim; ++i)
            vertices[i] = mesh.corner({x, y, z}, simplex.corner[i]);
          visit(vertices);
        }
      }
    }
  }
}

/// The determinant of the edges from vertex 0.
template <int dim>
long double determinant(const long double (&x)[dim + 1][dim]) {
  const auto edge = [&](int i, int d) { return x[i + 1][d] - x[0][d]; };
  const auto minor = [&](int i, int j, int d, int e) {
    return edge(i, d) * edge(j, e) - edge(i, e) * edge(j, d);
  };
  if constexpr (dim == 2) {
    return minor(0, 1, 0, 1);
  } else {
    return edge(0, 0) * minor(1, 2, 1, 2) + edge(0, 1) * minor(1, 2, 2, 0) +
           edge(0, 2) * minor(1, 2, 0, 1);
  }
}

template <int dim>
void grid_places(const std::array<GridPoint, dim + 1>& vertices, long double (&x)[dim + 1][dim]) {
  for (int i = 0; i <= dim; ++i) {
    const Ordinal at[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
    for (int d = 0; d < dim; ++d)
      x[i][d] = at[d] + 1;
  }
}

template <int dim>
void jittered_places(const SimplexMesh<dim>& mesh, const std::array<GridPoint, dim + 1>& vertices,
                     long double (&x)[dim + 1][dim]) {
  for (int i = 0; i <= dim; ++i) {
    double place[dim];
    mesh.place(vertices[i], place);
    std::copy_n(place, dim, x[i]);
  }
}

std::array<Ordinal, 3> key(const GridPoint& p) { return {p.x, p.y, p.z}; }

template <int dim>
void expect_elements_fill_the_domain(const SimplexMesh<dim>& mesh) {
  SCOPED_TRACE(std::to_string(dim) + "D, n = " + std::to_string(mesh.n) + ", seed " +
               std::to_string(mesh.seed));
  long double total = 0;
  long double smallest = 1;
  std::map<std::array<std::array<Ordinal, 3>, dim>, int> sides;
  for_each_element(mesh, [&](const std::array<GridPoint, dim + 1>& vertices) {
    long double flat[dim + 1][dim];
    long double moved[dim + 1][dim];
    grid_places<dim>(vertices, flat);
    jittered_places(mesh, vertices, moved);
    // dim! times the volume is 1 without jitter; a ratio below 0 is an inverted element.
    const long double before = determinant<dim>(flat);
    ASSERT_EQ(std::abs(before), 1);
    const long double ratio = determinant<dim>(moved) / before;
    total += ratio;
    smallest = std::min(smallest, ratio);
    for (int without = 0; without <= dim; ++without) {
      std::array<std::array<Ordinal, 3>, dim> side;
      for (int i = 0, at = 0; i <= dim; ++i) {
        if (i != without) side[at++] = key(vertices[i]);
      }
      std::sort(side.begin(), side.end());
      ++sides[side];
    }
  });
  EXPECT_GE(smallest, 0.25L);
  EXPECT_NEAR(static_cast<double>(total), (dim == 2 ? 2 : 6) * std::pow(mesh.n + 1.0, dim), 1e-6);
  std::size_t outer = 0;
  for (const auto& [side, count] : sides) {
    ASSERT_LE(count, 2);
    outer += count == 1;
  }
  // Two triangles a face of a boundary's cell, an edge in 2D.
  const auto along = static_cast<std::size_t>(mesh.n) + 1;
  EXPECT_EQ(outer, dim == 2 ? 4 * along : 2 * 6 * along * along);
}

TEST(SimplexMesh, ElementsFillTheDomainAndNoneIsInverted) {
  for (const std::uint64_t seed : {0, 1, 77, 2147483647}) {
    for (const Ordinal n : {1, 2, 3, 7, 60})
      expect_elements_fill_the_domain(SimplexMesh<2>{n, seed});
    for (const Ordinal n : {1, 2, 3, 11})
      expect_elements_fill_the_domain(SimplexMesh<3>{n, seed});
  }
}

template <int dim>
void expect_numbers_are_local_and_irregular(Ordinal n) {
  const SimplexMesh<dim> mesh{n, 1};
  const BrickNumbering<dim> numbering{mesh};
  const auto grid = mesh.free_vertices();
  std::vector<Ordinal> vertex(grid.size(), -1);
  for (Ordinal v = 0; v < grid.size(); ++v) {
    const Ordinal number = numbering.number(grid.point(v));
    ASSERT_GE(number, 0);
    ASSERT_LT(number, grid.size());
    ASSERT_EQ(vertex[number], -1) << "number " << number << " is given twice";
    vertex[number] = v;
  }
  // Vertices of one brick follow one another; what step comes next is anything but the grid's.
  std::map<Ordinal, int> steps;
  for (std::size_t i = 1; i < vertex.size(); ++i)
    ++steps[vertex[i] - vertex[i - 1]];
  int most = 0;
  for (const auto& [step, count] : steps)
    most = std::max(most, count);
  if (n > BrickNumbering<dim>::kSide) {
    EXPECT_LT(most, static_cast<int>(vertex.size()) / 10);
  }
}

TEST(SimplexMesh, NumbersAreLocalAndIrregular) {
  for (const Ordinal n : {1, 5, 8, 9, 41})
    expect_numbers_are_local_and_irregular<2>(n);
  for (const Ordinal n : {1, 3, 4, 10, 13})
    expect_numbers_are_local_and_irregular<3>(n);
}

TESSERA_TEST_SUITE(UnstructuredTest, test::Matrices, test::TypeNames);

/// The matrix and the load vector, element by element from |T| grad N_a . K grad N_b, with the
/// gradients from Cramer's rule; K is multiplied by `contrast` where the middle of the element is
/// in every second of 8 blocks per direction.
template <int dim>
struct Reference {
  test::Dense A;
  std::vector<long double> b;

  Reference(const SimplexMesh<dim>& mesh, double epsilon, double theta, double contrast)
      : A(mesh.free_vertices().size(), mesh.free_vertices().size()), b(A.num_rows) {
    const BrickNumbering<dim> numbering{mesh};
    const long double c = std::cos(theta);
    const long double s = std::sin(theta);
    long double K[3][3] = {};
    K[0][0] = c * c + epsilon * s * s;
    K[1][1] = s * s + epsilon * c * c;
    K[0][1] = K[1][0] = (1 - epsilon) * c * s;
    K[2][2] = epsilon;
    for_each_element(mesh, [&](const std::array<GridPoint, dim + 1>& vertices) {
      long double x[dim + 1][dim];
      jittered_places(mesh, vertices, x);
      const long double whole = determinant<dim>(x);
      const long double volume = std::abs(whole) / (dim == 2 ? 2 : 6);
      const long double a_of_block = is_second_block(mesh.n + 1, vertices) ? contrast : 1;
      // How shape function a grows along axis d: the share of the volume that vertex a's step has.
      long double gradient[dim + 1][dim];
      for (int a = 0; a <= dim; ++a) {
        for (int d = 0; d < dim; ++d) {
          long double moved[dim + 1][dim];
          std::copy_n(&x[0][0], (dim + 1) * dim, &moved[0][0]);
          moved[a][d] += 1;
          gradient[a][d] = -(determinant<dim>(moved) - whole) / whole;
        }
      }
      for (int a = 0; a <= dim; ++a) {
        if (!mesh.is_free(vertices[a])) continue;
        const Ordinal row = numbering.number(vertices[a]);
        b[row] += volume / (dim + 1);
        for (int e = 0; e <= dim; ++e) {
          if (!mesh.is_free(vertices[e])) continue;
          long double sum = 0;
          for (int i = 0; i < dim; ++i) {
            for (int j = 0; j < dim; ++j)
              sum += gradient[a][i] * K[i][j] * gradient[e][j];
          }
          A(row, numbering.number(vertices[e])) += a_of_block * volume * sum;
        }
      }
    });
  }

  /// The cell is where the vertices' middle lies on the grid of `cells` cells per direction, the
  /// first of which begins at -1.
  static bool is_second_block(int cells, const std::array<GridPoint, dim + 1>& vertices) {
    int blocks = 0;
    for (int d = 0; d < dim; ++d) {
      double middle = 0;
      for (const GridPoint& p : vertices)
        middle += (key(p)[d] + 1.0) / (dim + 1);
      blocks += static_cast<int>(std::floor(middle)) * 8 / cells;
    }
    return blocks % 2 == 1;
  }
};

template <class Param, int dim>
void expect_equals_reference(const GalleryParameters& parameters) {
  using Scalar = typename Param::Scalar;
  SCOPED_TRACE(std::to_string(dim) + "D, n = " + std::to_string(parameters.n));
  const auto problem = test::generate<Param>(parameters);
  const auto A = test::to_dense(test::to_host(problem.A));
  const auto b = test::to_host(problem.b);
  const Reference<dim> reference({parameters.n, static_cast<std::uint64_t>(parameters.seed)},
                                 parameters.epsilon, parameters.theta, parameters.mesh_contrast);
  test::expect_near(A, reference.A, test::roundings<Scalar>(200));
  for (std::size_t i = 0; i < b.size(); ++i)
    ASSERT_NEAR(b[i], static_cast<double>(reference.b[i]), test::roundings<Scalar>(20));
}

TYPED_TEST(UnstructuredTest, EqualsElementsAssembledOneByOne) {
  for (const double epsilon : {1.0, 0.01}) {
    GalleryParameters p{.problem = ProblemKind::unstructured2d, .epsilon = epsilon, .theta = 0.7};
    for (const int n : {1, 4, 11}) {
      p.n = p.seed = n;
      expect_equals_reference<TypeParam, 2>(p);
    }
    p.problem = ProblemKind::unstructured3d;
    p.theta = -1.2;
    for (const int n : {1, 2, 5}) {
      p.n = p.seed = n;
      expect_equals_reference<TypeParam, 3>(p);
    }
  }
}

/// Blocks are of single cells where these are less than 8 per direction.
TYPED_TEST(UnstructuredTest, EqualsElementsAssembledOneByOneWithJumps) {
  GalleryParameters p{
      .problem = ProblemKind::unstructured2d, .epsilon = 0.1, .theta = 0.7, .mesh_contrast = 0.125};
  for (const int n : {1, 4, 7, 20}) {
    p.n = p.seed = n;
    expect_equals_reference<TypeParam, 2>(p);
  }
  p.problem = ProblemKind::unstructured3d;
  for (const int n : {1, 2, 8}) {
    p.n = p.seed = n;
    expect_equals_reference<TypeParam, 3>(p);
  }
}

/// In the interior the constant and linear functions of the place are in the kernel, whatever the
/// mesh and the tensor.
TESSERA_TYPED_TEST(UnstructuredTest, LinearFunctionsAreInTheKernel) {
  for (const auto kind : {ProblemKind::unstructured2d, ProblemKind::unstructured3d}) {
    const int dim = kind == ProblemKind::unstructured2d ? 2 : 3;
    const int n = dim == 2 ? 30 : 9;
    const auto problem = test::generate<TypeParam>({.problem = kind, .n = n});
    const auto A = test::to_host(problem.A);
    const auto places = test::to_host(problem.coordinates);
    ASSERT_EQ(places.size(), static_cast<std::size_t>(A.num_rows) * dim);
    int interior = 0;
    for (int function = 0; function <= dim; ++function) {
      std::vector<Scalar> u(A.num_rows, Scalar(1));
      for (Ordinal i = 0; i < A.num_rows && function > 0; ++i)
        u[i] = places[i + (function - 1) * A.num_rows];
      const auto result = test::multiply(A, u);
      for (Ordinal i = 0; i < A.num_rows; ++i) {
        if (test::is_beside_the_boundary(places, i, dim, n)) continue;
        ++interior;
        ASSERT_NEAR(static_cast<double>(result[i]), 0, test::roundings<Scalar>(100)) << function;
      }
    }
    EXPECT_EQ(interior, (dim + 1) * std::pow(n - 2, dim));
  }
}

TYPED_TEST(UnstructuredTest, CellsHaveTheirDiagonalsAndRowsDiffer) {
  for (const auto kind : {ProblemKind::unstructured2d, ProblemKind::unstructured3d}) {
    const bool flat = kind == ProblemKind::unstructured2d;
    for (const int n : {1, 2, 17}) {
      const auto A = test::matrix_of<TypeParam>({.problem = kind, .n = n});
      // Edges along the axes, one diagonal a face of the cells, and one through each cell in 3D.
      const int m = n - 1;
      const int edges = flat ? 2 * n * m + m * m : 3 * n * n * m + 3 * n * m * m + m * m * m;
      EXPECT_EQ(A.num_entries(), static_cast<std::size_t>(A.num_rows + 2 * edges));
      std::set<std::int64_t> lengths;
      for (Ordinal i = 0; i < A.num_rows; ++i)
        lengths.insert(A.offsets[i + 1] - A.offsets[i]);
      if (n == 17) {
        EXPECT_GE(lengths.size(), flat ? 6u : 15u);
      }
    }
  }
}

TYPED_TEST(UnstructuredTest, SeedChangesMeshAndNumbering) {
  for (const auto kind : {ProblemKind::unstructured2d, ProblemKind::unstructured3d}) {
    const auto one = test::generate<TypeParam>({.problem = kind, .n = 9});
    const auto two = test::generate<TypeParam>({.problem = kind, .n = 9, .seed = 2});
    EXPECT_NE(test::to_host(one.A.columns), test::to_host(two.A.columns));
    EXPECT_NE(test::to_host(one.coordinates), test::to_host(two.coordinates));
  }
}

}  // namespace tessera::unstructured_test
