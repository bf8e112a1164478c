// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The reference of a product of tiles, and the types and forms that its tests run over.
#pragma once

#include "support/mbsr.hpp"
#include "support/reference.hpp"
#include "support/reference_product.hpp"
#include "support/share.hpp"

#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

#include <cmath>
#include <map>

namespace tessera::kernels::test {

using namespace ::tessera::test;

/// The storages of a product's factors and of the product, and a space.
template <class StorageA, class StorageB, class StorageC, class SpaceType>
struct Product {
  using A = StorageA;
  using B = StorageB;
  using C = StorageC;
  using Space = SpaceType;
};

#define TESSERA_DETAIL_PRODUCTS(Space)                                                             \
  Product<double, double, double, Space>, Product<double, double, float, Space>,                   \
      Product<float, float, double, Space>, Product<float, float, float, Space>,                   \
      Product<Half, Half, double, Space>, Product<Half, Half, float, Space>,                       \
      Product<float, double, double, Space>, Product<double, float, double, Space>,                \
      Product<Half, double, double, Space>, Product<double, Half, double, Space>,                  \
      Product<Half, float, float, Space> TESSERA_IF_ALL_STORAGE_SCALARS(                           \
          , Product<BFloat16, BFloat16, double, Space>, Product<BFloat16, BFloat16, float, Space>, \
          Product<BFloat16, double, double, Space>, Product<double, BFloat16, double, Space>,      \
          Product<BFloat16, float, float, Space>)

using Products = TESSERA_TEST_SPACES(TESSERA_DETAIL_PRODUCTS);
#undef TESSERA_DETAIL_PRODUCTS

/// Readable names: half_double_double_OpenMP.
struct ProductNames {
  template <class Param>
  static std::string GetName(int) {
    return scalar_name<typename Param::A>() + "_" + scalar_name<typename Param::B>() + "_" +
           scalar_name<typename Param::C>() + "_" + Param::Space::name();
  }
};

/// The forms of the product that a space can run.
template <class Space>
std::vector<bool> forms() {
  if (is_host_space<Space>) return {false, true};
  return {true};
}

/// The bound on |computed - exact| of a sum of n products, each rounded and added in arithmetic of
/// roundoff u, then rounded to C's storage: (1 + u)^n - 1 on the magnitudes is below n u / (1 - n
/// u) (Higham, Accuracy and Stability, lemma 3.1); subnormal results of C round by less than 1e-45.
template <class P>
long double entry_bound(const ReferenceEntry& entry) {
  using Scalar = ProductArithmetic<typename P::A, typename P::B, typename P::C>;
  const long double nu = (entry.products + 1) * static_cast<long double>(unit_roundoff<Scalar>);
  const long double sum_bound = nu / (1 - nu) * entry.magnitude;
  return sum_bound + unit_roundoff<typename P::C> * (std::abs(entry.sum) + sum_bound) + 1e-45L;
}

/// Fails unless C is well formed, has exactly the pattern of the products of entries, and values
/// within their bound.
template <class P>
void expect_product(const Mbsr<typename P::C, typename P::Space>& C,
                    const std::vector<ReferenceRow>& reference, Ordinal num_cols) {
  ASSERT_NO_FATAL_FAILURE(expect_well_formed(C));
  ::tessera::test::expect_product(to_host_matrix(C), reference, num_cols, entry_bound<P>);
}

/// The same; A and B: what the factors stand for, rounding to storage included.
template <class P>
void expect_product(const Mbsr<typename P::C, typename P::Space>& C, const HostMatrix<double>& A,
                    const HostMatrix<double>& B) {
  expect_product<P>(C, reference_product(A, B), B.num_cols);
}

template <class Storage, class Space>
void expect_same_bits(const Mbsr<Storage, Space>& C, const Mbsr<Storage, Space>& D) {
  EXPECT_EQ(C.scale, D.scale);
  EXPECT_EQ(C.num_entries, D.num_entries);
  EXPECT_TRUE(same_bits(C.tile_offsets, D.tile_offsets));
  EXPECT_TRUE(same_bits(C.tile_columns, D.tile_columns));
  EXPECT_TRUE(same_bits(C.maps, D.maps));
  EXPECT_TRUE(same_bits(C.value_offsets, D.value_offsets));
  EXPECT_TRUE(same_bits(C.values, D.values));
}

/// Both phases in one form.
template <class StorageC, class StorageA, class StorageB, class Space>
Mbsr<StorageC, Space> multiply_tiles(const Space& exec, const MbsrView<StorageA, Space>& A,
                                     const MbsrView<StorageB, Space>& B, TileLayout layout,
                                     bool by_teams) {
  MbsrSpgemmPlan<Space> plan;
  plan.by_teams = by_teams;
  const auto C = spgemm_symbolic<StorageC>(exec, A, B, layout, plan);
  spgemm_numeric(exec, plan, A, B, C);
  return C;
}

/// A square or wide matrix with rows of given lengths.
inline HostMatrix<double> with_row_lengths(Ordinal num_cols, const std::vector<Ordinal>& lengths,
                                           std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::pair<Ordinal, double>>> rows;
  for (const Ordinal length : lengths) {
    std::map<Ordinal, double> row;
    while (static_cast<Ordinal>(row.size()) < std::min(length, num_cols))
      row[random.below(num_cols)] = random.uniform(-1, 1);
    rows.emplace_back(row.begin(), row.end());
  }
  return from_rows(num_cols, rows);
}

}  // namespace tessera::kernels::test
