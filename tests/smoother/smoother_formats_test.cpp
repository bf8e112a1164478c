// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every smoother on a level in every format and storage: which of its sweeps read the stored
/// values and which the level's rows, and that symmetric ones stay symmetric.
#include "smoother_fixture.hpp"

#include "support/share.hpp"

#include "tessera/matrix/store.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera::test::smoother_formats_test {

TESSERA_TEST_SUITE(SmootherFormats, Matrices, TypeNames);

struct Relaxation {
  std::string name;
  SmootherParameters parameters;
  /// Whether residuals are products by the stored values; Gauss-Seidel reads rows of its own alone.
  bool reads_stored = true;
  int block_size = 1;  ///< rows of a node
};

std::vector<Relaxation> relaxations() {
  using Type = SmootherType;
  using Kind = ChebyshevKind;
  const auto natural = GaussSeidelOrder::natural;
  std::vector<Relaxation> list = {
      {"gauss_seidel", {.type = Type::gauss_seidel}, false},
      {"gauss_seidel in natural order",
       {.type = Type::gauss_seidel, .gauss_seidel = {.order = natural}},
       false},
      {"ssor",
       {.type = Type::gauss_seidel, .gauss_seidel = {.omega = 1.25, .symmetric = true}},
       false},
      {"two stages", {.type = Type::two_stage_gauss_seidel}},
      {"two stages, symmetric",
       {.type = Type::two_stage_gauss_seidel,
        .gauss_seidel = {.symmetric = true, .inner_sweeps = 3}}},
      {"fsai", {.type = Type::fsai}},
      {"fsai of the square", {.type = Type::fsai, .fsai = {.pattern_power = 2}}},
      {"blocks of 4 rows", {.type = Type::block_jacobi, .block_jacobi = {.block_rows = 4}}},
      {"nodes of 3 rows",
       {.type = Type::block_jacobi, .block_jacobi = {.blocks = RelaxationBlocks::nodes}},
       true,
       3},
      {"chebyshev of the fourth kind",
       {.type = Type::chebyshev, .chebyshev = {.kind = Kind::fourth, .degree = 3}}},
      {"chebyshev, optimized",
       {.type = Type::chebyshev, .chebyshev = {.kind = Kind::fourth_optimized, .degree = 3}}}};
  for (const Type type : all_smoothers) {
    const std::string name(smoother_name(type));
    const bool is_listed = type == Type::gauss_seidel || type == Type::two_stage_gauss_seidel ||
                           type == Type::fsai || type == Type::block_jacobi;
    if (!is_listed && !is_registered(type)) list.push_back({name, {.type = type}});
  }
  for (Relaxation& one : list)
    one.parameters.sweeps = 2;
  return list;
}

/// How far a value is from what is stored for it, relative to it.
double unit_of(StorageScalar scalar) {
  switch (scalar) {
    case StorageScalar::float64:
      return 0x1p-53;
    case StorageScalar::float32:
      return 0x1p-24;
    case StorageScalar::half:
      return 0x1p-11;
    case StorageScalar::bfloat16:
      return 0x1p-8;
    default:
      return 0x1p-4;
  }
}

/// A level's matrix as it is stored, and what its products read.
template <class Scalar, class Space>
struct StoredLevel {
  std::string name;
  Stored<Scalar, Space> stored;
  HostMatrix<Scalar> values;
};

/// The stored values in A's pattern, by products with the columns of the identity.
template <class Scalar, class Space>
HostMatrix<Scalar> read_back(const Space& exec, const SparseOperator<Scalar, Space>& op,
                             HostMatrix<Scalar> A) {
  const int n = A.num_rows;
  std::vector<Scalar> identity(static_cast<std::size_t>(n) * n, Scalar(0));
  for (int i = 0; i < n; ++i)
    identity[i * n + i] = 1;
  const auto columns = to_multivector(exec, identity, n, n);
  const auto product = to_multivector(exec, identity, n, n);
  op.apply(exec, 1, columns, 0, product);
  const auto dense = to_host(product);
  for (int i = 0; i < n; ++i)
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      A.values[e] = dense[A.columns[e] * n + i];
  return A;
}

template <class Scalar, class Space, class Offset>
std::vector<StoredLevel<Scalar, Space>> stored_levels(const Space& exec,
                                                      const HostMatrix<Scalar>& A) {
  const auto rows =
      std::make_shared<const StoredCsr<Scalar, Space, Offset>>(exec, make_csr<Offset>(exec, A));
  std::vector<StorageScalar> scalars = {
      StorageScalar::same, StorageScalar::half,
      sizeof(Scalar) == 8 ? StorageScalar::float32 : StorageScalar::float64};
  if (TESSERA_ALL_STORAGE_SCALARS)
    scalars.insert(scalars.end(), {StorageScalar::bfloat16, StorageScalar::fp8});
  std::vector<StoredLevel<Scalar, Space>> levels;
  for (const auto& format : storage_format_names()) {
    if (is_registered(format.value)) continue;
    for (const StorageScalar scalar : scalars) {
      const auto stored = store(exec, rows, {format.value, scalar});
      EXPECT_EQ(stored.note, "") << format.name;
      levels.push_back({std::string(format.name) + " in " + stored.op->info().storage, stored,
                        read_back(exec, *stored.op, A)});
      const bool is_narrower = unit_of(stored.scalar) > std::numeric_limits<Scalar>::epsilon();
      EXPECT_EQ(levels.back().values.values != A.values, is_narrower) << levels.back().name;
    }
  }
  return levels;
}

/// From the guess zero, from one, and by the sweeps after the correction.
template <class Scalar, class Space, class Offset>
std::vector<Scalar> iterates(Bench<Scalar, Space, Offset>& bench, int n, int k) {
  const auto b = random_vector<Scalar>(n * k, 1);
  const auto guess = random_vector<Scalar>(n * k, 2);
  auto all = bench.from_zero(b, k);
  for (const auto& some : {bench.from(guess, b, k), bench.from_after(guess, b, k)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

template <class Scalar>
double largest_difference(const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
  return most;
}

constexpr double radius = 2;  // at least that of a dominant matrix

/// 45 rows: the last tile and the last block are not full. Three columns before one, so that the
/// second sweep has more room than it needs.
TESSERA_TYPED_TEST(SmootherFormats, SweepsAreThoseOnPlainRows) {
  const int n = 45;
  const auto A = random_spd_matrix<Scalar>(n, 0.2);
  const auto levels = stored_levels<Scalar, Space, Offset>(exec, A);
  Share share;
  for (const auto& [name, p, reads_stored, block_size] : relaxations()) {
    Bench<Scalar, Space, Offset> rows(block_size, A, p, radius);
    const std::vector<Scalar> of_rows[] = {iterates(rows, n, 3), iterates(rows, n, 1)};
    for (const auto& level : levels) {
      if (!share.takes()) continue;
      SCOPED_TRACE(name + " on " + level.name);
      Bench<Scalar, Space, Offset> bench(level.stored.op, A, p, radius, block_size);
      const std::vector<Scalar> x[] = {iterates(bench, n, 3), iterates(bench, n, 1)};
      if (!reads_stored) {
        EXPECT_EQ(x[0], of_rows[0]);
        EXPECT_EQ(x[1], of_rows[1]);
        continue;
      }
      // What solves the stored system stays.
      const auto solution = random_vector<Scalar>(n, 3);
      const auto product = multiply(level.values, solution);
      expect_close(bench.from(solution, {product.begin(), product.end()}),
                   {solution.begin(), solution.end()});
      // Residuals by the stored values in rows, all else by A's.
      Bench<Scalar, Space, Offset> held(std::make_shared<const StoredCsr<Scalar, Space, Offset>>(
                                            exec, make_csr<Offset>(exec, level.values)),
                                        A, p, radius, block_size);
      for (const int k : {3, 1}) {
        const auto& here = x[k == 3 ? 0 : 1];
        const auto expected = iterates(held, n, k);
        expect_close(here, {expected.begin(), expected.end()});
        const double unit = std::max(unit_of(level.stored.scalar), rounding<Scalar>);
        EXPECT_LT(largest_difference(here, of_rows[k == 3 ? 0 : 1]), 8 * unit) << k;
      }
    }
  }
}

/// And positive definite, with sweeps one way followed by those the other way: what conjugate
/// gradients ask for.
TESSERA_TYPED_TEST(SmootherFormats, SymmetricOnesStaySymmetric) {
  const int n = 30;
  const auto A = random_spd_matrix<Scalar>(n, 0.2);
  std::vector<Scalar> identity(n * n, Scalar(0));
  for (int i = 0; i < n; ++i)
    identity[i * n + i] = 1;
  const auto levels = stored_levels<Scalar, Space, Offset>(exec, A);
  Share share;
  for (const auto& [name, p, reads_stored, block_size] : relaxations()) {
    for (const auto& level : levels) {
      if (!share.takes()) continue;
      SCOPED_TRACE(name + " on " + level.name);
      Bench<Scalar, Space, Offset> bench(level.stored.op, A, p, radius, block_size);
      auto columns = bench.from_zero(identity, n);
      if (bench.relaxes_one_way()) columns = bench.from_after(columns, identity, n);
      Dense M(n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          M(i, j) = columns[j * n + i];
      expect_symmetric_and_definite<Scalar>(M, n);
    }
  }
}

}  // namespace tessera::test::smoother_formats_test
