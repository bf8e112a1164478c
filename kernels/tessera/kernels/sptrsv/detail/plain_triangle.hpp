// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A triangle, and an order of its rows, by plain pointers: few bytes of a kernel's arguments.
#pragma once

#include "tessera/kernels/sptrsv/row_order.hpp"
#include "tessera/kernels/sptrsv/triangle.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

template <class Scalar, class Offset>
struct PlainTriangle {
  const Offset* begin = nullptr;
  const Offset* end = nullptr;
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const Scalar* inverse_diagonal = nullptr;  ///< null: ones
};

template <class Scalar, class Space, class Offset>
PlainTriangle<Scalar, Offset> plain(const TriangleView<Scalar, Space, Offset>& T) {
  return {T.begin.data(), T.end.data(), T.columns.data(), T.values.data(),
          T.has_unit_diagonal() ? nullptr : T.inverse_diagonal.data()};
}

}  // namespace tessera::kernels::detail
