// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What becomes of a row's sum: the epilogues that the products of every format share, and the
/// checks of their arguments.
///
/// An epilogue is called once a row and column with (A x)(row, column). The sum's type may be wider
/// than the vectors': the update is computed in it and rounded once. What an epilogue needs of the
/// vectors, `read` gets beforehand, so that a kernel can ask for it while the sum is on its way.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <string>
#include <type_traits>

namespace tessera::kernels::detail {

/// Columns of a vector as a raw pointer: what an epilogue reads and writes.
template <class Scalar>
struct Columns {
  // Sums are carried in one of these two, and a plan has workspace for them.
  static_assert(std::is_same_v<std::remove_const_t<Scalar>, double> ||
                    std::is_same_v<std::remove_const_t<Scalar>, float>,
                "Tessera: vectors of products are double or float");

  Scalar* data = nullptr;
  std::size_t stride = 0;

  Columns() = default;
  template <class View>
  explicit Columns(const View& v) : data(v.data()), stride(v.stride(1)) {}
  KOKKOS_INLINE_FUNCTION Scalar& operator()(Ordinal row, int column) const {
    return data[row + column * stride];
  }
};

/// y = alpha A x + beta y.
template <class Scalar>
struct ScaleAdd {
  Scalar alpha;
  Scalar beta;
  Columns<Scalar> y;

  using Read = Scalar;  ///< of y; anything where beta is 0
  KOKKOS_INLINE_FUNCTION Read read(Ordinal row, int column) const {
    return beta == Scalar(0) ? Scalar(0) : y(row, column);
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum, const Read& old) const {
    y(row, column) =
        static_cast<Scalar>(beta == Scalar(0) ? alpha * sum : alpha * sum + beta * old);
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    (*this)(row, column, sum, read(row, column));
  }
};

/// y = alpha A x, whatever y holds. A kernel without a look at y is up to 5 % faster on a GPU.
template <class Scalar>
struct Scaled {
  Scalar alpha;
  Columns<Scalar> y;

  struct Read {};
  KOKKOS_INLINE_FUNCTION Read read(Ordinal, int) const { return {}; }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum, Read = {}) const {
    y(row, column) = static_cast<Scalar>(alpha * sum);
  }
};

/// r = b - A x.
template <class Scalar>
struct SubtractFrom {
  Columns<const Scalar> b;
  Columns<Scalar> r;

  using Read = Scalar;  ///< of b
  KOKKOS_INLINE_FUNCTION Read read(Ordinal row, int column) const { return b(row, column); }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum, Read b_entry) const {
    r(row, column) = static_cast<Scalar>(b_entry - sum);
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    (*this)(row, column, sum, read(row, column));
  }
};

/// r = b - A x, and the squares of what was stored: for one thread of a host.
template <class Scalar>
struct SubtractAndSquare {
  SubtractFrom<Scalar> subtract;
  double* squares;  ///< a sum for each column from `first_column` on
  int first_column;
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    subtract(row, column, sum);
    const auto entry = static_cast<double>(subtract.r(row, column));
    squares[column - first_column] += entry * entry;
  }
};

/// x_out = x_in + d .* (b - A x_in).
template <class Scalar>
struct JacobiUpdate {
  const Scalar* d;
  Columns<const Scalar> b;
  Columns<const Scalar> x_in;
  Columns<Scalar> x_out;

  struct Read {
    Scalar d, b, x;
  };
  KOKKOS_INLINE_FUNCTION Read read(Ordinal row, int column) const {
    return {d[row], b(row, column), x_in(row, column)};
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum, const Read& at) const {
    x_out(row, column) = static_cast<Scalar>(at.x + at.d * (at.b - sum));
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    (*this)(row, column, sum, read(row, column));
  }
};

/// p = beta p + alpha d .* (b - A x_in); x_out = x_in + p.
template <class Scalar>
struct ChebyshevUpdate {
  const Scalar* d;
  Scalar alpha;
  Scalar beta;
  Columns<const Scalar> b;
  Columns<const Scalar> x_in;
  Columns<Scalar> p;
  Columns<Scalar> x_out;

  struct Read {
    Scalar d, b, x, p;  ///< p: anything where beta is 0
  };
  KOKKOS_INLINE_FUNCTION Read read(Ordinal row, int column) const {
    return {d[row], b(row, column), x_in(row, column),
            beta != Scalar(0) ? p(row, column) : Scalar(0)};
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum, const Read& at) const {
    Sum direction = alpha * at.d * (at.b - sum);
    if (beta != Scalar(0)) direction += beta * at.p;
    p(row, column) = static_cast<Scalar>(direction);
    x_out(row, column) = static_cast<Scalar>(at.x + direction);
  }
  template <class Sum>
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, Sum sum) const {
    (*this)(row, column, sum, read(row, column));
  }
};

/// Scales a row of y; `beta == 0` overwrites.
template <class Scalar, class Space>
struct ScaleRowOfY {
  Scalar beta;
  MultiVectorView<Scalar, Space> y;
  int k;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    for (int c = 0; c < k; ++c) {
      y(row, c) = beta == Scalar(0) ? Scalar(0) : beta * y(row, c);
    }
  }
};

/// y = beta y, where `beta == 0` overwrites.
template <class Scalar, class Space>
void scale_in_place(const Space& exec, Scalar beta, const MultiVectorView<Scalar, Space>& y) {
  if (beta == Scalar(1) || y.size() == 0) return;
  const Ordinal num_rows = static_cast<Ordinal>(y.extent(0));
  const int k = static_cast<int>(y.extent(1));
  Kokkos::parallel_for("tessera::spmv_scale", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
                       ScaleRowOfY<Scalar, Space>{beta, y, k});
}

/// Throws unless `v` is `rows` by `k`.
template <class Vectors>
void require_shape(const Vectors& v, const char* name, std::size_t rows, std::size_t k) {
  require(v.extent(0) == rows && v.extent(1) == k, [&] {
    return std::string(name) + " is " + std::to_string(v.extent(0)) + " by " +
           std::to_string(v.extent(1)) + ", expected " + std::to_string(rows) + " by " +
           std::to_string(k);
  });
}

/// Throws unless `A`, a view of any format, is square and a diagonal has its length.
template <class Matrix>
void require_square(const Matrix& A, std::size_t diagonal_length) {
  const auto rows = static_cast<std::size_t>(A.num_rows);
  require(A.num_rows == A.num_cols && diagonal_length == rows, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           " and d has length " + std::to_string(diagonal_length) +
           ", expected a square A and d of as many rows";
  });
}

}  // namespace tessera::kernels::detail
