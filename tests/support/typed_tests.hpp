// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The types that typed tests run over.
///
/// @code
/// TESSERA_TEST_SUITE(SpmvTest, Matrices, TypeNames);
/// TESSERA_TYPED_TEST(SpmvTest, Works) {  // has Scalar, Space, Offset and exec, a Space
/// @endcode
///
/// A test that needs its fixture is a TYPED_TEST with TESSERA_TEST_TYPES(TypeParam).
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::test {

/// One combination of types.
template <class ScalarType, class SpaceType, class OffsetType = std::int32_t>
struct Types {
  using Scalar = ScalarType;
  using Space = SpaceType;
  using Offset = OffsetType;
};

/// Brings a combination's types into a test's scope.
#define TESSERA_TEST_TYPES(Param)                         \
  using Scalar [[maybe_unused]] = typename Param::Scalar; \
  using Space [[maybe_unused]] = typename Param::Space;   \
  using Offset [[maybe_unused]] = typename Param::Offset

/// A suite of typed tests without a fixture.
#define TESSERA_TEST_SUITE(Suite, List, Names) \
  template <class Param>                       \
  class Suite : public ::testing::Test {};     \
  TYPED_TEST_SUITE(Suite, List, Names)

/// A test of a suite over `Types`; its body is a function of these types and of an instance.
#define TESSERA_TYPED_TEST(Suite, Name)                               \
  template <class TypeParam, class Scalar, class Space, class Offset> \
  void Suite##_##Name(const Space& exec);                             \
  TYPED_TEST(Suite, Name) {                                           \
    TESSERA_TEST_TYPES(TypeParam);                                    \
    Suite##_##Name<TypeParam, Scalar, Space, Offset>(Space());        \
  }                                                                   \
  template <class TypeParam, class Scalar, class Space, class Offset> \
  void Suite##_##Name([[maybe_unused]] const Space& exec)

/// The types that the macro `List` makes of a space, for every enabled space.
#if TESSERA_HAVE_DEVICE
#define TESSERA_TEST_SPACES(List) ::testing::Types<List(HostSpace), List(DeviceSpace)>
#else
#define TESSERA_TEST_SPACES(List) ::testing::Types<List(HostSpace)>
#endif

#define TESSERA_TEST_DOUBLE(Space) Types<double, Space>
#define TESSERA_TEST_SCALARS(Space) Types<double, Space>, Types<float, Space>
#define TESSERA_TEST_MATRICES(Space) \
  TESSERA_TEST_SCALARS(Space), Types<double, Space, std::int64_t>, Types<float, Space, std::int64_t>

/// Every enabled scalar, space and offset.
using Matrices = TESSERA_TEST_SPACES(TESSERA_TEST_MATRICES);
/// Every enabled scalar and space, with 32-bit offsets.
using Scalars = TESSERA_TEST_SPACES(TESSERA_TEST_SCALARS);
/// Every enabled space, with double and 32-bit offsets.
using Spaces = TESSERA_TEST_SPACES(TESSERA_TEST_DOUBLE);

/// Readable names: double_OpenMP_32.
class TypeNames {
 public:
  template <class Param>
  static std::string GetName(int) {
    return std::string(sizeof(typename Param::Scalar) == 8 ? "double_" : "float_") +
           Param::Space::name() + "_" + std::to_string(8 * sizeof(typename Param::Offset));
  }
};

}  // namespace tessera::test
