// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Symmetry is judged relative to the rows, whatever their sizes.
#include "tessera/matrix/symmetry_probe.hpp"

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/operator/error.hpp"

#include <functional>
#include <limits>

namespace tessera::test::symmetry_probe_test {

template <class Param>
class SymmetryProbe : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Value = std::function<double(Ordinal row, Ordinal column)>;

  static constexpr Ordinal side = 40;

  /// The 5-point pattern on `side` by `side` points; values of 0 are stored.
  static HostMatrix<Scalar> five_point(const Value& value) {
    return by_rows<Scalar>(side * side, side * side, [&](auto& A, Ordinal i) {
      const auto push = [&](Ordinal j) { A.push(j, static_cast<Scalar>(value(i, j))); };
      if (i >= side) push(i - side);
      if (i % side > 0) push(i - 1);
      push(i);
      if (i % side < side - 1) push(i + 1);
      if (i < side * (side - 1)) push(i + side);
    });
  }

  static double laplacian(Ordinal i, Ordinal j) { return i == j ? 4 : -1; }
  static double upwind(Ordinal i, Ordinal j) { return i == j ? 4.5 : j == i - 1 ? -1.5 : -1; }

  /// What `change(value, i, j)` makes of a symmetric matrix looks so, and of another one does not.
  template <class Change>
  void expect_told_apart(const Change& change) const {
    const auto changed = [&](const Value& value) {
      return five_point([&](Ordinal i, Ordinal j) { return change(value(i, j), i, j); });
    };
    EXPECT_TRUE(looks(changed(laplacian)));
    EXPECT_FALSE(looks(changed(upwind)));
  }
  bool looks(const HostMatrix<Scalar>& A) const {
    const Space exec;
    const auto csr = make_csr<Offset>(exec, A);
    return looks_symmetric(exec, csr.view(), kernels::analyse_spmv(exec, csr.view()));
  }
};
TYPED_TEST_SUITE(SymmetryProbe, Matrices, TypeNames);

TYPED_TEST(SymmetryProbe, TellsAPlainMatrix) {
  this->expect_told_apart([](double value, Ordinal, Ordinal) { return value; });
  EXPECT_TRUE(this->looks({}));
}

TYPED_TEST(SymmetryProbe, HugeRowsDoNotDrownTheOthers) {
  for (const double huge : {1e3, 1e8, 1e12, 1e20, 1e30}) {
    SCOPED_TRACE(huge);
    const auto left = [](Ordinal i) { return i % TestFixture::side < TestFixture::side / 2; };
    this->expect_told_apart([&](double value, Ordinal i, Ordinal j) {
      return value + (i == j && left(i) ? huge : 0.0);
    });
    // Two huge couplings that are the same in both directions.
    this->expect_told_apart(
        [&](double value, Ordinal i, Ordinal j) { return i + j == 201 ? huge : value; });
  }
}

TYPED_TEST(SymmetryProbe, ScaledFromBothSidesIsStillSymmetric) {
  TESSERA_TEST_TYPES(TypeParam);
  const double most = std::is_same_v<Scalar, float> ? 18 : 150;
  const auto scale = [&](Ordinal i) { return std::pow(10.0, most * std::sin(1.0 + i)); };
  // One side times the other first: the same rounding in both directions.
  this->expect_told_apart(
      [&](double value, Ordinal i, Ordinal j) { return value * (scale(i) * scale(j)); });
  for (const double exponent : {0.1, most}) {
    EXPECT_FALSE(this->looks(this->five_point([&](Ordinal i, Ordinal j) {
      return this->laplacian(i, j) * std::pow(10.0, exponent * std::sin(1.0 + i));
    }))) << "rows alone, by up to 1e"
         << exponent;
  }
}

TYPED_TEST(SymmetryProbe, TakesRoundOffForNothingAndOneEntryForSomething) {
  TESSERA_TEST_TYPES(TypeParam);
  const double epsilon = std::numeric_limits<Scalar>::epsilon();
  Random random(7);
  EXPECT_TRUE(this->looks(this->five_point([&](Ordinal i, Ordinal j) {
    return this->laplacian(i, j) * (1 + 4 * epsilon * random.uniform());
  })));
  EXPECT_FALSE(this->looks(this->five_point(
      [&](Ordinal i, Ordinal j) { return i == 777 && j == 778 ? -2 : this->laplacian(i, j); })));
  EXPECT_FALSE(this->looks(this->five_point(
      [&](Ordinal i, Ordinal j) { return i == 777 && j == 778 ? 0 : this->laplacian(i, j); })));
}

TYPED_TEST(SymmetryProbe, TakesEmptyRowsAndZeroDiagonals) {
  for (const double size : {1e-25, 1.0, 1e25}) {
    SCOPED_TRACE(size);
    this->expect_told_apart([&](double value, Ordinal i, Ordinal j) {
      return i % 7 == 3 || j % 7 == 3 ? 0.0 : size * value;
    });
    EXPECT_FALSE(this->looks(this->five_point([&](Ordinal i, Ordinal j) {
      return i % 7 == 3 ? 0.0 : size * this->laplacian(i, j);
    }))) << "rows alone";
    this->expect_told_apart([&](double value, Ordinal i, Ordinal j) {
      return i == j && i % 3 > 0 ? 0.0 : size * value;
    });
  }
}

TYPED_TEST(SymmetryProbe, RefusesWhatIsNotFiniteOrNotSquare) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const double value : {std::nan(""), HUGE_VAL}) {
    EXPECT_FALSE(this->looks(this->five_point([&](Ordinal i, Ordinal j) {
      return i == 777 && j == 777 ? value : this->laplacian(i, j);
    })));
  }
  HostMatrix<Scalar> wide = identity<Scalar>(3);
  wide.num_cols = 4;
  EXPECT_THROW(this->looks(wide), Error);
}

}  // namespace tessera::test::symmetry_probe_test
