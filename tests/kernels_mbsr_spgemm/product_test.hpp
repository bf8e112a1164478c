// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The reference of a product of tiles, and the types and forms that its tests run over.
#pragma once

#include "support/mbsr.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

#include <cmath>
#include <cstring>
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

#if TESSERA_HAVE_DEVICE
using Products =
    ::testing::Types<TESSERA_DETAIL_PRODUCTS(HostSpace), TESSERA_DETAIL_PRODUCTS(DeviceSpace)>;
#else
using Products = ::testing::Types<TESSERA_DETAIL_PRODUCTS(HostSpace)>;
#endif
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

/// One entry of the reference: the sum, the sum of magnitudes, and the number of products.
struct ReferenceEntry {
  long double sum = 0;
  long double magnitude = 0;
  int products = 0;
};
using ReferenceRow = std::map<Ordinal, ReferenceEntry>;

/// Every pair of entries makes an entry, whatever the sum is.
inline std::vector<ReferenceRow> reference_product(const HostMatrix<double>& A,
                                                   const HostMatrix<double>& B) {
  std::vector<ReferenceRow> rows(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (auto j = B.offsets[A.columns[k]]; j < B.offsets[A.columns[k] + 1]; ++j) {
        const long double product = static_cast<long double>(A.values[k]) * B.values[j];
        ReferenceEntry& entry = rows[i][B.columns[j]];
        entry.sum += product;
        entry.magnitude += std::abs(product);
        ++entry.products;
      }
    }
  }
  return rows;
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
  const HostMatrix<double> c = to_host_matrix(C);
  ASSERT_EQ(c.num_rows, static_cast<Ordinal>(reference.size()));
  ASSERT_EQ(c.num_cols, num_cols);
  for (Ordinal i = 0; i < c.num_rows; ++i) {
    ASSERT_EQ(c.offsets[i + 1] - c.offsets[i], static_cast<std::int64_t>(reference[i].size()))
        << "row " << i;
    auto k = c.offsets[i];
    for (const auto& [column, entry] : reference[i]) {
      ASSERT_EQ(c.columns[k], column) << "row " << i;
      ASSERT_LE(std::abs(c.values[k] - entry.sum), entry_bound<P>(entry))
          << "row " << i << " column " << column;
      ++k;
    }
  }
}

/// The same; A and B: what the factors stand for, rounding to storage included.
template <class P>
void expect_product(const Mbsr<typename P::C, typename P::Space>& C, const HostMatrix<double>& A,
                    const HostMatrix<double>& B) {
  expect_product<P>(C, reference_product(A, B), B.num_cols);
}

template <class ViewType>
bool same_bits(const ViewType& a, const ViewType& b) {
  const auto x = to_host(a);
  const auto y = to_host(b);
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
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
