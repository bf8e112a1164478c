// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening from outside the library, which makes P alone: the hierarchy multiplies, stores and
/// ends as for its own.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/setup/coarsen_level.hpp"
#include "tessera/amg/setup/decide_storage.hpp"
#include "tessera/amg/setup/level_galerkin_product.hpp"
#include "tessera/amg/setup/store_level.hpp"

#include <memory>
#include <vector>

namespace tessera::test::own_coarsening_test {

using amg::Products;

//! [coarsening]
/// Groups of consecutive unknowns. Of Poisson's equation in one dimension they make that of fewer
/// points.
template <class Scalar, class Space, class Offset>
class Runs : public amg::Coarsening<Scalar, Space, Offset> {
 public:
  using Base = amg::Coarsening<Scalar, Space, Offset>;
  using typename Base::Coarse;
  using typename Base::Fine;

  explicit Runs(Ordinal length, Ordinal missing_rows = 0)
      : m_length(length), m_missing_rows(missing_rows) {}

  std::optional<Coarse> initialize(const Space& exec, const Fine& fine,
                                   const typename Base::ConstVectors&, const amg::CoarseningLimits&,
                                   typename Base::Product& product,
                                   amg::PhaseTimer<Space>& timer) override {
    timer.start(exec, "runs");
    HostMatrix<Scalar> P;
    P.num_rows = fine.A->num_rows() - m_missing_rows;
    P.num_cols = (fine.A->num_rows() + m_length - 1) / m_length;
    for (Ordinal i = 0; i < P.num_rows; ++i) {
      P.push(i / m_length, Scalar(1));
      P.end_row();
    }
    Coarse coarse;
    coarse.P = make_csr<Offset>(exec, P);
    coarse.aggregation = "runs";
    coarse.notes.push_back("grouped in runs");
    product.make(exec, coarse);
    return coarse;
  }

 private:
  Ordinal m_length;
  Ordinal m_missing_rows;
};
//! [coarsening]

template <class Param>
class OwnCoarsening : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Setup = amg::HierarchySetup<Scalar, Space, Offset>;
  using Level = amg::SetupLevel<Scalar, Space, Offset>;
  using StoredA = StoredCsr<Scalar, Space, Offset>;
  static constexpr Ordinal n = 12;

  Space exec;
  amg::PhaseTimer<Space> timer{exec, false};
  std::vector<std::string> notes;
  std::optional<amg::NearNullspace<Scalar, Space>> B;

  static amg::Parameters parameters(Products products) {
    amg::Parameters p;
    p.products = products;
    return p;
  }

  /// A hierarchy of one level, whose operator is 2 on the diagonal and -1 beside it.
  Setup setup(const amg::Parameters& p, Ordinal length, Ordinal missing_rows = 0) {
    Setup result(p, true);
    result.symmetric = true;
    Level& here = result.levels.emplace_back();
    const auto A = make_csr<Offset>(exec, poisson<Scalar>(n));
    here.fine = {std::make_shared<StoredA>(exec, A), {}, 2, 1, true};
    here.chosen = amg::uniform_choice(p);
    here.coarsening = std::make_unique<Runs<Scalar, Space, Offset>>(length, missing_rows);
    result.finest_entries = result.entries_so_far = A.num_entries();
    B.emplace(exec, n, ConstMultiVectorView<Scalar, Space>(), 1);
    notes.clear();
    amg::decide_storage(exec, p, false, here, timer);
    return result;
  }

  [[nodiscard]] bool coarsen(Setup& setup) {
    return amg::coarsen_level(exec, setup, setup.levels.back(), *B, timer, notes);
  }

  /// `A` is `factor` times the operator of `size` points, whose entries are small integers.
  void expect_poisson(const kernels::Csr<Scalar, Space, Offset>& A, Ordinal size, double factor) {
    ASSERT_EQ(A.num_rows, size);
    ASSERT_EQ(A.num_cols, size);
    EXPECT_EQ(to_dense(to_host(A)).values, to_dense(times(poisson<Scalar>(size), factor)).values);
  }
};
TYPED_TEST_SUITE(OwnCoarsening, Matrices, TypeNames);

TYPED_TEST(OwnCoarsening, GivesPAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const Products products : {Products::csr, Products::mbsr}) {
    SCOPED_TRACE(products == Products::csr ? "rows" : "tiles");
    auto setup = this->setup(this->parameters(products), 2);
    auto& here = setup.levels.back();
    ASSERT_TRUE(this->coarsen(setup));
    this->expect_poisson(here.coarse.A, 6, 1);
    EXPECT_EQ(here.storage.coarse_tiles.has_value(), products == Products::mbsr);
    EXPECT_EQ(this->notes, std::vector<std::string>{"grouped in runs"});
    EXPECT_EQ(setup.entries_so_far, setup.finest_entries + here.coarse.A.num_entries());
    // Without vectors of its own: one of ones.
    EXPECT_EQ(to_host(MultiVector<Scalar, Space>(this->B->copy(this->exec))),
              std::vector<Scalar>(6, Scalar(1)));

    const auto next = amg::next_level(this->exec, here, 1, this->timer);
    EXPECT_EQ(next.fine.A->num_rows(), 6);
    EXPECT_EQ(next.fine.number, 1);
    EXPECT_EQ(next.fine.block_size, 1);
    EXPECT_TRUE(next.fine.symmetric);
    EXPECT_EQ(next.storage.tiles != nullptr, products == Products::mbsr);
  }
}

/// By the class's own `compute`.
TYPED_TEST(OwnCoarsening, FollowsNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const Products products : {Products::csr, Products::mbsr}) {
    SCOPED_TRACE(products == Products::csr ? "rows" : "tiles");
    auto setup = this->setup(this->parameters(products), 2);
    auto& here = setup.levels.back();
    ASSERT_TRUE(this->coarsen(setup));
    EXPECT_FALSE(here.coarsening->makes_new_interpolation());
    const auto values = times(poisson<Scalar>(this->n), 4).values;
    Kokkos::deep_copy(this->exec, here.fine.A->matrix().values, to_device(this->exec, values));
    if (here.storage.converts) amg::refill_tiles(this->exec, here);
    amg::LevelGalerkinProduct<Scalar, Space, Offset> product(here, true, this->timer);
    here.coarsening->compute(this->exec, here.fine, false, product, here.coarse, this->timer);
    this->expect_poisson(here.coarse.A, 6, 4);
  }
}

/// What tiles hold is not kept in rows, unless the cycle reads it so.
TYPED_TEST(OwnCoarsening, IsStoredAsTheCycleReadsIt) {
  for (const StorageFormat format : {StorageFormat::csr, StorageFormat::mbsr}) {
    for (const Products products : {Products::csr, Products::mbsr}) {
      auto p = this->parameters(products);
      p.storage.format = format;
      auto setup = this->setup(p, 2);
      const auto& here = setup.levels.back();
      EXPECT_EQ(here.storage.multiplies_tiles, products == Products::mbsr);
      EXPECT_EQ(here.storage.comes_first, products == Products::mbsr);
      EXPECT_EQ(here.storage.reads_rows, format == StorageFormat::csr);
      EXPECT_EQ(here.storage.stores_P_in_rows, format == StorageFormat::csr);
      ASSERT_TRUE(this->coarsen(setup));
      const bool freed = products == Products::mbsr && format == StorageFormat::mbsr;
      EXPECT_EQ(here.coarse.P.values.extent(0), freed ? 0U : static_cast<std::size_t>(this->n));
    }
  }
}

TYPED_TEST(OwnCoarsening, EndsWhereTheHierarchyDoes) {
  auto stalled = this->setup(this->parameters(Products::csr), 1);
  EXPECT_FALSE(this->coarsen(stalled));
  EXPECT_EQ(this->notes,
            std::vector<std::string>{"coarsening stalled: 12 nodes would make 12 coarse ones"});
  auto p = this->parameters(Products::csr);
  p.max_levels = 1;
  auto last = this->setup(p, 2);
  EXPECT_FALSE(this->coarsen(last));
  EXPECT_EQ(this->notes, std::vector<std::string>{"stopped at max_levels = 1"});
}

/// What was freed for a product that is not used comes back.
TYPED_TEST(OwnCoarsening, LeavesItsLevelWhereTheNextIsTooLarge) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->parameters(Products::mbsr);
  p.max_operator_complexity = 1.1;
  auto setup = this->setup(p, 2);
  auto& here = setup.levels.back();
  int calls = 0;
  here.storage.write_values = [&calls](const Space& space, Array<Scalar, Space>& values) {
    ++calls;
    values = to_device(space, poisson<Scalar>(TestFixture::n).values);
  };
  EXPECT_FALSE(this->coarsen(setup));
  ASSERT_EQ(this->notes.size(), 1U);
  EXPECT_NE(this->notes.front().find("max_operator_complexity"), std::string::npos);
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(here.storage.coarse_tiles.has_value());
  this->expect_poisson(here.fine.A->matrix(), this->n, 1);
  EXPECT_EQ(setup.entries_so_far, setup.finest_entries);
  EXPECT_EQ(this->B->view().extent(0), static_cast<std::size_t>(this->n)) << "the level's own";
}

TYPED_TEST(OwnCoarsening, OfAnotherSizeIsAnError) {
  auto setup = this->setup(this->parameters(Products::csr), 2, 1);
  expect_error(error_of([&] { static_cast<void>(this->coarsen(setup)); }), ErrorKind::precondition,
               {"P is 11 by 6", "12 rows"});
}

}  // namespace tessera::test::own_coarsening_test
