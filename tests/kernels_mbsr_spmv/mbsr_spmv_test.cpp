// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mbsr_spmv_fixture.hpp"
#include "support/error_of.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"

namespace tessera::test::mbsr_spmv_test {

TESSERA_TEST_SUITE(MbsrSpmv, MixedTypes, StoredNames);

TYPED_TEST(MbsrSpmv, EveryKernelMultiplies) {
  for_each_mbsr_case<TypeParam>(
      {1, 3}, [](const auto& t, const auto& plan) { expect_spmv(t, t.A.view(), plan, 1, 0); });
}

TYPED_TEST(MbsrSpmv, AlphaAndBeta) {
  const auto matrix = random_matrix<double>({.num_rows = 91, .num_cols = 302, .density = 0.1});
  for (const auto layout : tile_layouts) {
    const MbsrCase<TypeParam> t(matrix, layout, 2);
    for (const auto& plan : t.plans()) {
      for (const double alpha : {1.0, -1.0, 0.5}) {
        for (const double beta : {0.0, 1.0, -1.0, 0.25})
          ASSERT_NO_FATAL_FAILURE(expect_spmv(t, t.A.view(), plan, alpha, beta));
      }
    }
  }
}

TYPED_TEST(MbsrSpmv, AlphaZeroDoesNotReadX) {
  const auto matrix = random_matrix<double>({.num_rows = 40, .num_cols = 40, .density = 0.2});
  const MbsrCase<TypeParam> t(matrix, kernels::TileLayout::packed, 2);
  for (const auto& plan : t.plans())
    expect_x_unread(t, t.A.view(), plan);
}

TYPED_TEST(MbsrSpmv, AnyNumberOfColumns) {
  const auto uneven = random_matrix<double>(
      {.num_rows = 67, .num_cols = 1301, .density = 0.05, .dense_row = 31, .seed = 5});
  for (const auto layout : tile_layouts) {
    for (int k = 0; k <= 17; ++k) {
      const MbsrCase<TypeParam> t(uneven, layout, k);
      for (const auto& plan : t.plans())
        ASSERT_NO_FATAL_FAILURE(expect_spmv(t, t.A.view(), plan, 1, 0)) << k << " columns";
    }
    const MbsrCase<TypeParam> t(uneven, layout, 35);
    for (const auto& plan : t.plans())
      ASSERT_NO_FATAL_FAILURE(expect_spmv(t, t.A.view(), plan, -1, 1)) << "35 columns";
  }
}

TESSERA_STORED_TEST(MbsrSpmv, LargerLeadingDimension) {
  const auto matrix = random_matrix<double>({.num_rows = 41, .num_cols = 63, .density = 0.2});
  constexpr std::size_t padding = 5;
  for (const auto layout : tile_layouts) {
    const MbsrCase<TypeParam> t(matrix, layout, 6);
    const auto x = to_multivector(t.exec, all_nan<Working>((63 + padding) * 6), 63 + padding, 6);
    const auto y = to_multivector(t.exec, std::vector<Working>((41 + padding) * 6, Working(7)),
                                  41 + padding, 6);
    const auto x_part = Kokkos::subview(x, std::pair<int, int>(0, 63), Kokkos::ALL);
    const auto y_part = Kokkos::subview(y, std::pair<int, int>(0, 41), Kokkos::ALL);
    Kokkos::deep_copy(t.exec, x_part, t.x);
    for (const auto& plan : t.plans()) {
      kernels::spmv(t.exec, plan, Working(1), t.A.view(), x_part, Working(0), y_part);
      EXPECT_TRUE(is_within(to_host(y), [&](std::size_t place) {
        const std::size_t row = place % (41 + padding);
        return row < 41 ? t.spmv_bound(1, 0)(row + 41 * (place / (41 + padding))) : Bound{7};
      }));
    }
  }
}

TYPED_TEST(MbsrSpmv, ScaleMultipliesTheValues) {
  const auto matrix = random_matrix<double>(
      {.num_rows = 300, .num_cols = 1200, .density = 0.02, .dense_row = 7, .seed = 3});
  for (const double scale : {0.125, 16.0}) {
    for (const auto layout : tile_layouts) {
      for (const int k : {1, 5}) {
        const MbsrCase<TypeParam> t(matrix, layout, k, scale);
        for (const auto& plan : t.plans())
          ASSERT_NO_FATAL_FAILURE(expect_spmv(t, t.A.view(), plan, 0.5, -1));
      }
    }
  }
}

TYPED_TEST(MbsrSpmv, SameBitsEveryTime) {
  const auto matrix = random_matrix<double>(
      {.num_rows = 500, .num_cols = 2000, .density = 0.02, .dense_row = 7, .seed = 3});
  for (const auto layout : tile_layouts) {
    for (const int k : {1, 5}) {
      const MbsrCase<TypeParam> t(matrix, layout, k);
      for (const auto& plan : t.plans())
        expect_same_bits_each_time(t, t.A.view(), plan);
    }
  }
}

TESSERA_STORED_TEST(MbsrSpmv, InfinitiesInXArrive) {
  constexpr Ordinal column = 33;
  constexpr Working infinity = std::numeric_limits<Working>::infinity();
  const auto matrix = random_matrix<double>({.num_rows = 77, .num_cols = 58, .density = 0.2});
  for (const auto layout : tile_layouts) {
    const MbsrCase<TypeParam> t(matrix, layout, 3);
    auto x_host = t.x_host;
    x_host[58 + column] = -infinity;  // of the second of three vectors
    const auto x = to_multivector(t.exec, x_host, 58, 3);
    for (const auto& plan : t.plans()) {
      const auto y = t.rows_by_k(all_nan<Working>(t.size()));
      kernels::spmv(t.exec, plan, Working(1), t.A.view(), x, Working(0), y);
      const auto actual = to_host(y);
      auto finite = actual;
      std::fill_n(finite.begin() + 77, 77, Working(0));
      ASSERT_TRUE(is_within(
          finite, [&](std::size_t i) { return i / 77 == 1 ? Bound{} : t.spmv_bound(1, 0)(i); }));
      for (Ordinal row = 0; row < 77; ++row) {
        for (auto e = t.host.offsets[row]; e < t.host.offsets[row + 1]; ++e) {
          if (t.host.columns[e] != column || t.host.values[e] == 0) continue;
          ASSERT_EQ(actual[77 + row], t.host.values[e] > 0 ? -infinity : infinity) << row;
        }
      }
    }
  }
}

template <class Call>
void expect_precondition(const Call& call, const char* what) {
  SCOPED_TRACE(what);
  expect_error(error_of(call), ErrorKind::precondition, {});
}

TESSERA_STORED_TEST(MbsrSpmv, WrongArgumentsAreErrors) {
  const auto matrix = random_matrix<double>({.num_rows = 40, .num_cols = 30, .density = 0.2});
  const auto other = random_matrix<double>({.num_rows = 45, .num_cols = 30, .density = 0.2});
  const MbsrCase<TypeParam> t(matrix, kernels::TileLayout::packed, 2);
  const MbsrCase<TypeParam> dense(matrix, kernels::TileLayout::dense, 2);
  const MbsrCase<TypeParam> u(other, kernels::TileLayout::packed, 2);
  const auto multiply = [&](const auto& plan, const auto& x, const auto& y) {
    kernels::spmv(t.exec, plan, Working(1), t.A.view(), x, Working(0), y);
  };
  const auto wrong = allocate_multivector<Working, Space>(t.exec, "tessera::test", 29, 2);
  const auto three = allocate_multivector<Working, Space>(t.exec, "tessera::test", 40, 3);
  for (const auto& plan : t.plans()) {
    expect_precondition([&] { multiply(plan, wrong, t.y); }, "x of 29 rows");
    expect_precondition([&] { multiply(plan, t.x, wrong); }, "y of 29 rows");
    expect_precondition([&] { multiply(plan, t.x, three); }, "y of three columns");
  }
  for (const auto& plan : u.plans())
    expect_precondition([&] { multiply(plan, t.x, t.y); }, "a plan of another matrix");
  const auto for_dense =
      kernels::analyse_spmv(t.exec, dense.A.view(), kernels::MbsrSpmvKernel::load_balanced);
  expect_precondition([&] { multiply(for_dense, t.x, t.y); }, "a plan without value offsets");
}

TESSERA_STORED_TEST(MbsrSpmv, LongTileRowsAreBalanced) {
  const auto even = make_mbsr<Storage>(exec, poisson<double>(20, 20));
  const bool stages =
      kernels::has_staged_spmv<Space>() && even.layout == kernels::TileLayout::packed;
  EXPECT_EQ(kernels::analyse_spmv(exec, even.view()).kernel,
            stages ? kernels::MbsrSpmvKernel::staged : kernels::MbsrSpmvKernel::tile_row);
  const auto uneven = make_mbsr<Storage>(
      exec, random_matrix<double>(
                {.num_rows = 3000, .num_cols = 3000, .density = 0.001, .dense_row = 17}));
  EXPECT_EQ(kernels::analyse_spmv(exec, uneven.view()).kernel,
            kernels::MbsrSpmvKernel::load_balanced);
  const auto none =
      make_mbsr<Storage>(exec, random_matrix<double>({.num_rows = 9, .num_cols = 9, .density = 0}));
  EXPECT_EQ(kernels::analyse_spmv(exec, none.view(), kernels::MbsrSpmvKernel::load_balanced).kernel,
            kernels::MbsrSpmvKernel::tile_row);
}

TESSERA_STORED_TEST(MbsrSpmv, AHostTellsGridsFromMatricesInNoOrder) {
  const auto repeat = [&](const HostMatrix<double>& A) {
    return kernels::analyse_spmv(exec, make_mbsr<Storage>(exec, A).view()).maps_repeat;
  };
  EXPECT_TRUE(repeat(poisson<double>(90, 90)));
  EXPECT_TRUE(repeat(poisson<double>(20, 20, 20)));
  const auto scattered = random_matrix<double>({.num_rows = 500, .num_cols = 500, .density = 0.2});
  EXPECT_EQ(repeat(scattered), !kernels::is_host_space<Space>);
}

TESSERA_STORED_TEST(MbsrSpmv, LanesThatNoKernelHasAreErrors) {
  using kernels::MbsrSpmvKernel;
  const auto A = make_mbsr<Storage>(exec, poisson<double>(5, 5));
  for (const int lanes : {-4, 2, 6, 64})
    EXPECT_THROW(kernels::analyse_spmv(exec, A.view(), MbsrSpmvKernel::tile_row, lanes), Error);
  for (const int lanes : {-1, 3, 32})
    EXPECT_THROW(kernels::analyse_spmv(exec, A.view(), MbsrSpmvKernel::staged, lanes), Error);
  EXPECT_THROW(kernels::analyse_spmv(exec, A.view(), MbsrSpmvKernel::load_balanced, 8), Error);
}

TESSERA_STORED_TEST(MbsrSpmv, StagingAndTensorCoresAreAskedForWhereThereAreSome) {
  using kernels::MbsrSpmvKernel;
  const auto A = make_mbsr<Storage>(exec, poisson<double>(5, 5), kernels::TileLayout::packed);
  for (const auto& [kernel, is_there] :
       {std::pair(MbsrSpmvKernel::staged, kernels::has_staged_spmv<Space>()),
        {MbsrSpmvKernel::tensor_core, kernels::has_tensor_core_spmv<Space>()}}) {
    SCOPED_TRACE(static_cast<int>(kernel));
    const auto ask = [&, kernel = kernel] { return kernels::analyse_spmv(exec, A.view(), kernel); };
    if (is_there) {
      EXPECT_EQ(ask().kernel, kernel);
    } else {
      EXPECT_THROW(ask(), Error);
    }
  }
}

TESSERA_STORED_TEST(MbsrSpmv, SeveralVectorsGoToTensorCoresWhereTheyPay) {
  using Sum = Arithmetic<Storage, Working>;
  using kernels::MbsrSpmvKernel;
  const auto A = random_matrix<double>({.num_rows = 90, .num_cols = 110, .density = 0.6});
  const bool pay = kernels::has_tensor_core_spmv<Space>() && std::is_same_v<Sum, float> &&
                   std::string_view(Space::name()) == "Cuda";
  for (const auto layout : tile_layouts) {
    for (const int k : {4, 5, 16, 17}) {
      const MbsrCase<TypeParam> t(A, layout, k);
      const auto product = [&](const kernels::MbsrSpmvPlan<Space>& plan) {
        expect_spmv(t, t.A.view(), plan, 1, 0);
        const auto y = t.rows_by_k(t.y_host);
        kernels::spmv(t.exec, plan, Working(1), t.A.view(), t.x, Working(0), y);
        return to_host(y);
      };
      const auto expected = pay && k > 4 ? MbsrSpmvKernel::tensor_core : MbsrSpmvKernel::tile_row;
      EXPECT_EQ(product(kernels::analyse_spmv(exec, t.A.view())),
                product(kernels::analyse_spmv(exec, t.A.view(), expected)))
          << k << " vectors";
    }
  }
  const auto grid = make_mbsr<Storage>(exec, poisson<double>(20, 20, 20));
  EXPECT_FALSE(kernels::analyse_spmv(exec, grid.view()).several_by_tensor_cores);
}

}  // namespace tessera::test::mbsr_spmv_test
