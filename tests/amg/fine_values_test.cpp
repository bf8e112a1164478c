// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values that are freed while tiles hold them, and come back where they are asked for.
#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"

#include <memory>
#include <utility>

namespace tessera::test::fine_values_test {

template <class Param>
class ReleasedValues : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = kernels::Csr<Scalar, Space, Offset>;
  using Level = amg::SetupLevel<Scalar, Space, Offset>;
  Space exec;

  Problem<Scalar, Space, Offset> problem(ProblemKind kind, int n) {
    return make_problem<Scalar, Space, Offset>(exec, {.problem = kind, .n = n});
  }

  /// A level of a copy of A's values. The writer counts its calls and writes `factor` times A.
  Level level(const Csr& A, int& calls, const double& factor) {
    Csr own = A;
    own.values = {};
    const auto write = [A, &calls, &factor](const Space& space, Array<Scalar, Space>& values) {
      ++calls;
      const auto made = to_device(space, times(to_host(A), factor).values);
      if (values.extent(0) == 0) values = Array<Scalar, Space>("tessera::test", made.extent(0));
      Kokkos::deep_copy(space, values, made);
    };
    write(exec, own.values);
    Level here{{std::make_shared<StoredCsr<Scalar, Space, Offset>>(exec, own), {}, 1.0, 1}};
    here.storage.write_values = write;
    return here;
  }

  static void multiply(const Space& exec, const Csr& A, double factor) {
    Kokkos::deep_copy(exec, A.values, to_device(exec, times(to_host(A), factor).values));
  }

  /// Parameters by which all levels are read as tiles, and new values may come.
  static SolveParameters on_tiles(int coarse_size, amg::Products products = amg::Products::mbsr) {
    SolveParameters p;
    p.amg.reuse = amg::Reuse::symbolic;
    p.amg.products = products;
    p.amg.storage.format = StorageFormat::mbsr;
    p.amg.coarse_size = coarse_size;
    return p;
  }

  /// Of A times 4, of A again, and of A times 1/4: the cycle is linear in 1 / A, and the factors
  /// are powers of two.
  void expect_updates_are_setups(const Problem<Scalar, Space, Offset>& problem,
                                 const SolveParameters& p, const char* products) {
    const Ordinal size = problem.A.num_rows;
    auto solver = set_up(exec, problem, p);
    const auto& info = solver.hierarchy();
    ASSERT_GE(info.levels.size(), 2U);
    EXPECT_EQ(info.levels.front().products, products);
    EXPECT_NE(info.levels.front().A.format, "csr");
    const auto first = preconditioned_waves<Scalar>(exec, solver, size);
    double scale = 1;
    for (const double factor : {4.0, 0.25, 0.25}) {
      multiply(exec, problem.A, factor);
      scale *= factor;
      solver.update_values(exec);
      auto scaled = preconditioned_waves<Scalar>(exec, solver, size);
      for (Scalar& value : scaled)
        value *= static_cast<Scalar>(scale);
      EXPECT_EQ(scaled, first) << "of A times " << scale;
    }
  }
};
TYPED_TEST_SUITE(ReleasedValues, Matrices, TypeNames);

TYPED_TEST(ReleasedValues, ComeBack) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = this->problem(ProblemKind::poisson2d, 13).A;
  const auto values = to_host(A.values);
  int calls = 0;
  double factor = 1;
  auto here = this->level(A, calls, factor);
  auto& fine = here.fine;
  amg::release_values(here);
  EXPECT_EQ(fine.A->matrix().values.extent(0), values.size()) << "no tiles have them";
  here.storage.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(
      kernels::csr_to_mbsr<Scalar>(this->exec, fine.A->view()));
  const std::weak_ptr<const void> rows = fine.A;
  amg::release_values(here);
  EXPECT_TRUE(rows.expired());
  EXPECT_EQ(fine.A->matrix().values.extent(0), 0U);
  EXPECT_EQ(fine.A->num_entries(), values.size()) << "the pattern stays";
  EXPECT_EQ(fine.A->matrix().columns.data(), A.columns.data());
  amg::release_values(here);
  amg::restore_values(this->exec, here);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(to_host(fine.A->matrix().values), values);
  amg::restore_values(this->exec, here);
  EXPECT_EQ(calls, 2) << "they are there";
  // New ones go where the old ones are, if those are there.
  factor = 2;
  const auto* const place = fine.A->matrix().values.data();
  amg::renew_values(this->exec, here.storage.write_values, fine);
  EXPECT_EQ(fine.A->matrix().values.data(), place);
  EXPECT_EQ(to_host(fine.A->matrix().values).front(), 2 * values.front());
  amg::release_values(here);
  factor = 3;
  amg::renew_values(this->exec, here.storage.write_values, fine);
  EXPECT_EQ(to_host(fine.A->matrix().values).front(), 3 * values.front());
}

TYPED_TEST(ReleasedValues, ThoseOfACallerStay) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = this->problem(ProblemKind::poisson2d, 13).A;
  typename TestFixture::Level here{
      {std::make_shared<StoredCsr<Scalar, Space, Offset>>(this->exec, A), {}, 1.0, 1}};
  here.storage.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(
      kernels::csr_to_mbsr<Scalar>(this->exec, A.view()));
  amg::release_values(here);
  EXPECT_EQ(here.fine.A->matrix().values.data(), A.values.data());
}

/// Whatever is freed on the way, an update makes the bits of a setup, and the first values
/// those of the first one, wherever the cycle reads P from.
TYPED_TEST(ReleasedValues, UpdatesAreSetupsOfTheNewValues) {
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::elasticity3d, 7), std::pair(ProblemKind::convdiff2d, 40)}) {
    for (const StorageFormat P_format : {StorageFormat::mbsr, StorageFormat::csr}) {
      for (const bool equilibrates : {false, true}) {
        auto p = this->on_tiles(30);
        p.equilibration = equilibrates ? Equilibration::powers_of_two : Equilibration::none;
        auto level = amg::uniform_choice(p.amg);
        level.P.format = P_format;
        p.amg.levels = {level};
        this->expect_updates_are_setups(this->problem(kind, n), p, "mbsr");
      }
    }
  }
}

/// The same where products are made of rows, of which the cycle reads none.
TYPED_TEST(ReleasedValues, OfRowsThatAreMultipliedAndNotRead) {
  for (const ProblemKind kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    for (const amg::Reuse reuse : {amg::Reuse::symbolic, amg::Reuse::interpolation}) {
      for (const StorageParameters& storage :
           {StorageParameters{.format = StorageFormat::mbsr},
            StorageParameters{.format = StorageFormat::mbsr, .scalar = StorageScalar::automatic},
            StorageParameters{.format = StorageFormat::hyb}}) {
        for (const double omega : {4.0 / 3, 0.0}) {
          auto p = this->on_tiles(30, amg::Products::csr);
          p.amg.reuse = reuse;
          p.amg.storage = storage;
          p.amg.smoothed_aggregation.prolongator_omega = omega;
          this->expect_updates_are_setups(this->problem(kind, 24), p, "csr");
        }
      }
    }
  }
}

/// Narrow storage whose range the restriction is scaled for is made from the values of each time.
TYPED_TEST(ReleasedValues, OfScaledRestrictions) {
  auto p = this->on_tiles(30, amg::Products::csr);
  p.amg.storage.scalar = StorageScalar::half;
  p.amg.scale_restriction = true;
  const auto problem = this->problem(ProblemKind::poisson2d, 24);
  this->multiply(this->exec, problem.A, 0x1p10);
  this->expect_updates_are_setups(problem, p, "csr");
}

/// A level that coarsening leaves without a next one needs them for its own factors.
TYPED_TEST(ReleasedValues, ACoarseningThatIsGivenUpHasThem) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto problem = this->problem(ProblemKind::elasticity3d, 6);
  const Ordinal size = problem.A.num_rows;
  auto p = this->on_tiles(10);
  p.amg.max_operator_complexity = 1.0001;
  auto solver = set_up(this->exec, problem, p);
  ASSERT_EQ(solver.hierarchy().levels.size(), 1U);
  const auto first = preconditioned_waves<Scalar>(this->exec, solver, size);
  this->multiply(this->exec, problem.A, 2);
  solver.update_values(this->exec);
  auto twice = preconditioned_waves<Scalar>(this->exec, solver, size);
  for (Scalar& value : twice)
    value *= 2;
  EXPECT_LE(relative_difference(twice, first), sizeof(Scalar) == 4 ? 1e-3 : 1e-10);
}

}  // namespace tessera::test::fine_values_test
