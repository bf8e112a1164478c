// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mbsr.hpp"
#include "tessera/kernels/precision/float_pairs.hpp"

#include <bit>
#include <cmath>

namespace tessera::test::minifloat_test {

/// What a format is, written down apart from the library's own definition.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;
  bool saturates;

  int width() const { return 1 + exponent_bits + mantissa_bits; }
  std::uint32_t patterns() const { return 1u << width(); }
  std::uint32_t sign_bit() const { return patterns() / 2; }
};

template <class Storage>
Format format() {
  if (std::is_same_v<Storage, Half>) return {5, 10, true, false};
  if (std::is_same_v<Storage, BFloat16>) return {8, 7, true, false};
  if (std::is_same_v<Storage, Fp8E4M3>) return {4, 3, false, true};
  return {5, 2, true, true};
}

/// The number that a pattern stands for, by the definition of the format.
double reference_decode(const Format& f, std::uint32_t pattern) {
  const std::uint32_t mantissa = pattern & ((1u << f.mantissa_bits) - 1);
  const std::uint32_t all_ones = (1u << f.exponent_bits) - 1;
  const std::uint32_t exponent = (pattern >> f.mantissa_bits) & all_ones;
  const double sign = (pattern & f.sign_bit()) != 0 ? -1 : 1;
  if (exponent == all_ones) {
    const bool last = mantissa == (1u << f.mantissa_bits) - 1;
    if (f.has_infinity) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
    if (last) return std::nan("");
  }
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const double fraction = std::ldexp(mantissa, -f.mantissa_bits);
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias);
  return sign * std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
}

/// The magnitudes of a format that are finite, ascending: number i is pattern i.
std::vector<double> finite_magnitudes(const Format& f) {
  std::vector<double> list;
  for (std::uint32_t pattern = 0; std::isfinite(reference_decode(f, pattern)); ++pattern)
    list.push_back(reference_decode(f, pattern));
  return list;
}

/// The pattern that `value`, not NaN, is rounded to: the nearer of its two neighbours, the even one
/// where they are equally near. The number after the largest finite one, were the exponents not
/// bounded, is a neighbour too.
std::uint32_t reference_encode(const Format& f, const std::vector<double>& finite, double value) {
  const std::uint32_t sign = std::signbit(value) ? f.sign_bit() : 0;
  const double magnitude = std::abs(value);
  const std::size_t count = finite.size();
  const double after_largest = 2 * finite[count - 1] - finite[count - 2];
  const std::uint32_t too_large =
      sign | static_cast<std::uint32_t>(f.saturates ? count - 1 : count);
  if (magnitude >= after_largest) return too_large;
  const auto above = static_cast<std::uint32_t>(
      std::upper_bound(finite.begin(), finite.end(), magnitude) - finite.begin());
  const std::uint32_t below = above - 1;
  const double upper = above == count ? after_largest : finite[above];
  const double to_upper = upper - magnitude;
  const double to_lower = magnitude - finite[below];
  const bool up = to_upper < to_lower || (to_upper == to_lower && above % 2 == 0);
  if (up && above == count) return too_large;
  return sign | (up ? above : below);
}

/// The patterns of `values` as the space's own code rounds them.
template <class Storage, class Real, class Space>
std::vector<std::uint32_t> encode(const Space& exec, const std::vector<Real>& values) {
  const auto source = to_device(exec, values);
  const auto target = allocate<std::uint32_t>(exec, "tessera::test", values.size());
  Kokkos::parallel_for(
      "tessera::test", Kokkos::RangePolicy<Space>(exec, 0, values.size()),
      KOKKOS_LAMBDA(const std::size_t i) { target(i) = static_cast<Storage>(source(i)).bits; });
  return to_host(target);
}

/// The numbers of all patterns as the space's own code reads them.
template <class Storage, class Real, class Space>
std::vector<Real> decode_all(const Space& exec) {
  const std::uint32_t patterns = format<Storage>().patterns();
  const auto target = allocate<Real>(exec, "tessera::test", patterns);
  Kokkos::parallel_for(
      "tessera::test", Kokkos::RangePolicy<Space>(exec, 0, patterns),
      KOKKOS_LAMBDA(const std::uint32_t i) {
        target(i) = static_cast<Real>(Storage::from_bits(i));
      });
  return to_host(target);
}

/// The same read two by two: as the first, and as the second, each beside another pattern.
template <class Storage, class Space>
std::array<std::vector<float>, 2> decode_pairs(const Space& exec) {
  const std::uint32_t patterns = format<Storage>().patterns();
  const auto first = allocate<float>(exec, "tessera::test", patterns);
  const auto second = allocate<float>(exec, "tessera::test", patterns);
  Kokkos::parallel_for(
      "tessera::test", Kokkos::RangePolicy<Space>(exec, 0, patterns),
      KOKKOS_LAMBDA(const std::uint32_t i) {
        const std::uint32_t partner = (i * 37 + 11) % patterns;
        const Storage both[2] = {Storage::from_bits(i), Storage::from_bits(partner)};
        float pair[2];
        to_floats(both, pair);
        first(i) = pair[0];
        second(partner) = pair[1];
      });
  return {to_host(first), to_host(second)};
}

#define TESSERA_TEST_MINIFLOATS(Space) \
  Stored<Half, Space>, Stored<BFloat16, Space>, Stored<Fp8E4M3, Space>, Stored<Fp8E5M2, Space>
using Minifloats = TESSERA_TEST_SPACES(TESSERA_TEST_MINIFLOATS);
#undef TESSERA_TEST_MINIFLOATS
TESSERA_TEST_SUITE(MinifloatTest, Minifloats, StoredNames);

template <class Real>
void expect_same_numbers(const std::vector<Real>& actual, const Format& f) {
  ASSERT_EQ(actual.size(), f.patterns());
  for (std::uint32_t pattern = 0; pattern < f.patterns(); ++pattern) {
    const double expected = reference_decode(f, pattern);
    const auto number = static_cast<double>(actual[pattern]);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(number)) << pattern;
    } else {
      ASSERT_EQ(number, expected) << pattern;
      ASSERT_EQ(std::signbit(number), std::signbit(expected)) << pattern;
    }
  }
}

TESSERA_STORED_TEST(MinifloatTest, ReadsEveryPattern) {
  expect_same_numbers(decode_all<Storage, double>(exec), format<Storage>());
  expect_same_numbers(decode_all<Storage, float>(exec), format<Storage>());
}

TESSERA_STORED_TEST(MinifloatTest, WritesWhatItRead) {
  const Format f = format<Storage>();
  const auto numbers = decode_all<Storage, float>(exec);
  const auto patterns = encode<Storage>(exec, numbers);
  for (std::uint32_t pattern = 0; pattern < f.patterns(); ++pattern) {
    if (std::isnan(numbers[pattern])) {
      ASSERT_TRUE(std::isnan(reference_decode(f, patterns[pattern])));
    } else if (std::isinf(numbers[pattern]) && f.saturates) {
      ASSERT_EQ(patterns[pattern], pattern - 1);
    } else {
      ASSERT_EQ(patterns[pattern], pattern);
    }
  }
}

/// Every number, every midpoint of two, and what is next to them; each with both signs.
std::vector<double> delicate_values(const std::vector<double>& finite) {
  std::vector<double> list;
  for (std::size_t i = 0; i < finite.size(); ++i) {
    const double step =
        i + 1 < finite.size() ? finite[i + 1] - finite[i] : finite[i] - finite[i - 1];
    for (const double value : {finite[i], finite[i] + step / 2}) {
      for (const double near :
           {std::nextafter(value, -1.0), value, std::nextafter(value, HUGE_VAL)}) {
        list.push_back(near);
        list.push_back(-near);
      }
    }
  }
  for (const double extreme :
       {HUGE_VAL, 1e308, 2 * finite.back(), 0x1p-1022, 0x1p-1074, 0x1p-300}) {
    list.push_back(extreme);
    list.push_back(-extreme);
  }
  return list;
}

/// Fails the running test where a pattern is not the reference's.
template <class Real>
void expect_reference(const std::vector<std::uint32_t>& patterns, const std::vector<Real>& values,
                      const Format& f) {
  const auto finite = finite_magnitudes(f);
  ASSERT_EQ(patterns.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(patterns[i], reference_encode(f, finite, static_cast<double>(values[i])))
        << values[i];
  }
}

TESSERA_STORED_TEST(MinifloatTest, RoundsToNearestTiesToEven) {
  const Format f = format<Storage>();
  const auto delicate = delicate_values(finite_magnitudes(f));
  expect_reference(encode<Storage>(exec, delicate), delicate, f);
  const std::vector<float> floats(delicate.begin(), delicate.end());
  expect_reference(encode<Storage>(exec, floats), floats, f);
}

TESSERA_STORED_TEST(MinifloatTest, RoundsRandomNumbers) {
  const Format f = format<Storage>();
  const auto finite = finite_magnitudes(f);
  Random random(31);
  std::vector<double> values;
  for (int i = 0; i < 200000; ++i) {
    // Any exponent of a double at times, mostly those of the format and a little beyond.
    const int least = std::ilogb(finite[1]) - 4;
    const int span = std::ilogb(finite.back()) + 4 - least;
    const int exponent = i % 10 == 0 ? random.below(2000) - 1000 : least + random.below(span);
    values.push_back(std::ldexp(random.uniform(-2, 2), exponent));
  }
  expect_reference(encode<Storage>(exec, values), values, f);
}

/// Beside every midpoint of two numbers, as close as 2^-52 and as far as 2^-8 of its size: a float
/// on the way would make a tie of some of these.
TESSERA_STORED_TEST(MinifloatTest, RoundsOnceBesideTies) {
  const Format f = format<Storage>();
  const auto finite = finite_magnitudes(f);
  std::vector<double> values;
  for (std::size_t i = 0; i + 1 < finite.size(); ++i) {
    const double tie = finite[i] + (finite[i + 1] - finite[i]) / 2;
    for (const int distance : {52, 51, 40, 30, 29, 28, 26, 25, 24, 23, 20, 12, 8}) {
      for (const double sign : {-1.0, 1.0}) {
        values.push_back(sign * tie * (1 + std::ldexp(1.0, -distance)));
        values.push_back(sign * tie * (1 - std::ldexp(1.0, -distance)));
      }
    }
  }
  expect_reference(encode<Storage>(exec, values), values, f);
}

TESSERA_STORED_TEST(MinifloatTest, ReadsEveryPair) {
  for (const auto& numbers : decode_pairs<Storage>(exec))
    expect_same_numbers(numbers, format<Storage>());
}

TESSERA_STORED_TEST(MinifloatTest, NaNKeepsItsSign) {
  const std::uint32_t sign_bit = format<Storage>().sign_bit();
  const auto patterns = encode<Storage>(
      exec, std::vector<double>{std::copysign(std::nan(""), 1), std::copysign(std::nan(""), -1)});
  EXPECT_EQ(patterns[0] & sign_bit, 0u);
  EXPECT_EQ(patterns[1], patterns[0] | sign_bit);
}

#if TESSERA_HAVE_DEVICE
/// The device may have instructions of its own where the host's code works on bits.
template <class Storage>
class MinifloatOnDeviceTest : public ::testing::Test {};
using MinifloatStorages = ::testing::Types<Half, BFloat16, Fp8E4M3, Fp8E5M2>;
TYPED_TEST_SUITE(MinifloatOnDeviceTest, MinifloatStorages);

TYPED_TEST(MinifloatOnDeviceTest, HasTheBitsOfTheHost) {
  const DeviceSpace exec;
  // Floats of every exponent, NaN and infinities among them, and doubles around them.
  std::vector<float> floats;
  for (std::uint64_t pattern = 0; pattern < (std::uint64_t(1) << 32); pattern += 4093)
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  std::vector<double> doubles;
  Random random(33);
  for (const float value : floats) {
    auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
    bits ^= static_cast<std::uint64_t>(random.below(1 << 29));  // beyond what a float has
    doubles.push_back(std::bit_cast<double>(bits));
  }
  const auto of_floats = encode<TypeParam>(exec, floats);
  const auto of_doubles = encode<TypeParam>(exec, doubles);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    if (!std::isnan(floats[i])) {
      ASSERT_EQ(of_floats[i], TypeParam(floats[i]).bits) << floats[i];
    }
    ASSERT_EQ(of_doubles[i], TypeParam(doubles[i]).bits) << doubles[i];
  }
}
#endif

TESSERA_STORED_TEST(MinifloatTest, NaNStaysNaN) {
  const Format f = format<Storage>();
  const std::vector<double> values{std::nan(""), -std::nan(""),
                                   std::bit_cast<double>(0x7ff0000000000001ull),
                                   std::bit_cast<double>(0xffffffffffffffffull)};
  for (const std::uint32_t pattern : encode<Storage>(exec, values))
    EXPECT_TRUE(std::isnan(reference_decode(f, pattern)));
  const Storage nan(std::nan(""));
  EXPECT_FALSE(nan == nan);
}

TESSERA_STORED_TEST(MinifloatTest, IsUsableInConstantExpressions) {
  static_assert(static_cast<float>(Storage(-1.5)) == -1.5f);
  static_assert(static_cast<double>(Storage(3)) == 3);
  static_assert(Storage(0.0) == Storage(-0.0f));
  static_assert(!(Storage(1) == Storage(2)));
  EXPECT_EQ(Storage(-0.0).bits, format<Storage>().sign_bit());
}

#if defined(__FLT16_MANT_DIG__) && !defined(__CUDACC__) && !defined(__HIPCC__)
TEST(HalfTest, AgreesWithTheCompilers) {
  Random random(32);
  for (int i = 0; i < 300000; ++i) {
    const double value = std::ldexp(random.uniform(-2, 2), random.below(44) - 28);
    const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    ASSERT_EQ(Half(value).bits, expected) << value;
  }
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const auto expected =
        static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(pattern)));
    const auto actual = static_cast<float>(Half::from_bits(pattern));
    ASSERT_TRUE(actual == expected || (std::isnan(actual) && std::isnan(expected))) << pattern;
  }
}
#endif

}  // namespace tessera::test::minifloat_test
