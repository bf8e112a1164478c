// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mbsr.hpp"

#include <cmath>

namespace tessera::test::arithmetic_test {

static_assert(std::is_same_v<Arithmetic<double, float>, double>);
static_assert(std::is_same_v<Arithmetic<float, double>, double>);
static_assert(std::is_same_v<Arithmetic<Half, double>, double>);
static_assert(std::is_same_v<Arithmetic<float, float>, float>);
static_assert(std::is_same_v<Arithmetic<BFloat16, float>, float>);
static_assert(std::is_same_v<Arithmetic<Fp8E4M3, float>, float>);
static_assert(largest_finite<Half> == 65504 && smallest_normal<Half> == 0x1p-14);
static_assert(largest_finite<BFloat16> == 0x1.fep127 && smallest_normal<BFloat16> == 0x1p-126);
static_assert(largest_finite<Fp8E4M3> == 448 && smallest_normal<Fp8E4M3> == 0x1p-6);
static_assert(largest_finite<Fp8E5M2> == 57344 && smallest_normal<Fp8E5M2> == 0x1p-14);
static_assert(largest_finite<float> == 0x1.fffffep127 && smallest_normal<float> == 0x1p-126);

TESSERA_TEST_SUITE(PrecisionTest, StoredTypes, StoredNames);

/// A number after its way through the storage.
template <class Storage>
double stored(double value) {
  return static_cast<double>(static_cast<Storage>(value));
}

TESSERA_STORED_TEST(PrecisionTest, UnitRoundoffIsHalfTheGapAboveOne) {
  const double u = unit_roundoff<Storage>;
  EXPECT_EQ(stored<Storage>(1 + 2 * u), 1 + 2 * u);
  EXPECT_EQ(stored<Storage>(1 + u), 1);  // a tie, or 1 + u itself rounded to 1
  EXPECT_GT(stored<Storage>(1 + 2 * u), stored<Storage>(1 + 0.99 * u));
}

TESSERA_STORED_TEST(PrecisionTest, NormalNumbersAreRoundedByAtMostTheUnitRoundoff) {
  const int least = std::max(-1000, std::ilogb(smallest_normal<Storage>));
  const int span = std::min(1000, std::ilogb(largest_finite<Storage>)) - least;
  Random random(33);
  for (int i = 0; i < 100000; ++i) {
    const double value = std::ldexp(random.uniform(1, 2), least + random.below(span));
    ASSERT_LE(std::abs(stored<Storage>(value) - value), unit_roundoff<Storage> * value);
  }
}

TESSERA_STORED_TEST(PrecisionTest, ExtremesAreNumbersOfTheStorage) {
  EXPECT_EQ(stored<Storage>(largest_finite<Storage>), largest_finite<Storage>);
  EXPECT_EQ(stored<Storage>(smallest_normal<Storage>), smallest_normal<Storage>);
}

/// Sums of a View of storage scalars, read as `To`.
template <class To, class Storage, class Space>
double sum_as(const Space& exec, const Array<Storage, Space>& values) {
  const StorageReader<To, Storage> reader{values.data()};
  double sum = 0;
  Kokkos::parallel_reduce(
      "tessera::test", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, double& mine) { mine += reader[i]; }, sum);
  return sum;
}

/// The bits of every value as `To`, read by a StorageReader.
template <class To, class Storage, class Space>
std::vector<To> read_as(const Space& exec, const std::vector<Storage>& values) {
  const auto on_device = to_device(exec, values);
  const auto result = allocate<To>(exec, "tessera::test", values.size());
  const StorageReader<To, Storage> reader{on_device.data()};
  Kokkos::parallel_for(
      "tessera::test", Kokkos::RangePolicy<Space>(exec, 0, values.size()),
      KOKKOS_LAMBDA(const std::size_t i) { result(i) = reader[i]; });
  return to_host(result);
}

TESSERA_STORED_TEST(PrecisionTest, ReaderReadsEveryPattern) {
  if constexpr (sizeof(Storage) <= 2) {
    std::vector<Storage> values;
    for (std::uint32_t pattern = 0; pattern < 1u << (8 * sizeof(Storage)); ++pattern)
      values.push_back(Storage::from_bits(pattern));
    const auto as_float = read_as<float>(exec, values);
    const auto as_double = read_as<double>(exec, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto expected = static_cast<float>(values[i]);
      ASSERT_EQ(std::isnan(as_float[i]), std::isnan(expected)) << "pattern " << i;
      if (std::isnan(expected)) continue;
      ASSERT_EQ(as_float[i], expected) << "pattern " << i;
      ASSERT_EQ(std::signbit(as_float[i]), std::signbit(expected)) << "pattern " << i;
      ASSERT_EQ(as_double[i], static_cast<double>(expected)) << "pattern " << i;
    }
  }
}

TESSERA_STORED_TEST(PrecisionTest, ReaderReadsWithoutACopy) {
  std::vector<Storage> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(static_cast<Storage>(0.25 * (i % 7) - 0.5));
  double expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected += 0.25 * (i % 7) - 0.5;
  const auto on_device = to_device(exec, values);
  EXPECT_EQ(sum_as<double>(exec, on_device), expected);
  EXPECT_EQ(sum_as<float>(exec, on_device), expected);
}

}  // namespace tessera::test::arithmetic_test
