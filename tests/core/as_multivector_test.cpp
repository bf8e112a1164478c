// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `as_multivector` makes of Views with and without strides.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/typed_tests.hpp"

#include <utility>

namespace tessera::test::as_multivector_test {

template <class Param>
class AsMultivector : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Memory = typename Space::memory_space;
  using Left = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;
  using Right = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

  /// Entry (i, j) is 10 i + j.
  template <class Field>
  static Field field(int n, int k) {
    const Field v("tessera::test", n, k);
    const auto host = Kokkos::create_mirror_view(v);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < k; ++j)
        host(i, j) = static_cast<Scalar>(10 * i + j);
    }
    Kokkos::deep_copy(v, host);
    return v;
  }

  template <class View>
  static void expect(const View& given, const std::vector<Scalar>& expected) {
    const auto v = as_multivector(given);
    EXPECT_EQ(v.data(), given.data()) << "no copy";
    EXPECT_EQ(v.extent(0) * v.extent(1), expected.size());
    const auto copy = MultiVector<Scalar, Space>("tessera::test", v.extent(0), v.extent(1));
    Kokkos::deep_copy(copy, v);
    EXPECT_EQ(to_host(copy), expected);
  }

  template <class View>
  static void expect_refused(const View& given, const std::string& stride) {
    expect_error(error_of([&] { as_multivector(given); }), ErrorKind::precondition,
                 {"a stride of " + stride, "copy it into a contiguous View"});
  }
};
TYPED_TEST_SUITE(AsMultivector, Scalars, TypeNames);

TYPED_TEST(AsMultivector, TakesWhatLiesSideBySide) {
  using T = TestFixture;
  const auto left = T::template field<typename T::Left>(3, 2);
  const auto right = T::template field<typename T::Right>(3, 2);
  T::expect(left, {0, 10, 20, 1, 11, 21});
  T::expect(Kokkos::subview(left, Kokkos::ALL, 1), {1, 11, 21});
  T::expect(Kokkos::subview(right, 2, Kokkos::ALL), {20, 21});
  // Rows of a longer MultiVector: a gap between the columns.
  const auto rows = std::pair<int, int>(1, 3);
  T::expect(Kokkos::subview(left, rows, Kokkos::ALL), {10, 20, 11, 21});
  // LayoutStride by type alone.
  using Strided = Kokkos::View<typename T::Scalar**, Kokkos::LayoutStride, typename T::Memory>;
  T::expect(Strided(Kokkos::subview(left, rows, Kokkos::ALL)), {10, 20, 11, 21});
  using StridedVector = Kokkos::View<typename T::Scalar*, Kokkos::LayoutStride, typename T::Memory>;
  T::expect(StridedVector(Kokkos::subview(left, rows, 0)), {10, 20});
  const Kokkos::View<const typename T::Scalar*, typename T::Memory> read_only =
      Kokkos::subview(left, Kokkos::ALL, 0);
  EXPECT_EQ(as_multivector(read_only).data(), left.data());
}

TYPED_TEST(AsMultivector, RefusesStrides) {
  using T = TestFixture;
  const auto left = T::template field<typename T::Left>(4, 3);
  const auto right = T::template field<typename T::Right>(4, 3);
  T::expect_refused(Kokkos::subview(right, Kokkos::ALL, 1), "3");
  T::expect_refused(Kokkos::subview(left, 1, Kokkos::ALL), "4");
  // Its rows lie side by side, its columns do not.
  using Strided = Kokkos::View<typename T::Scalar**, Kokkos::LayoutStride, typename T::Memory>;
  T::expect_refused(Strided(right), "3");
  // Columns that overlap.
  T::expect_refused(Strided(left.data(), Kokkos::LayoutStride(4, 1, 3, 2)), "2");
}

TYPED_TEST(AsMultivector, AnEntryAloneHasNoStride) {
  using T = TestFixture;
  const auto right = T::template field<typename T::Right>(4, 3);
  const auto one = std::pair<int, int>(2, 3);
  const auto none = std::pair<int, int>(2, 2);
  T::expect(Kokkos::subview(right, one, 1), {21});
  T::expect(Kokkos::subview(right, none, 1), {});
  const auto left = T::template field<typename T::Left>(4, 3);
  T::expect(Kokkos::subview(left, one, Kokkos::ALL), {20, 21, 22});
}

}  // namespace tessera::test::as_multivector_test
