// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/inverse_blocks.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::kernels {
namespace detail {

/// A small matrix of one thread, in memory that all share: by itself each would need so much of its
/// own that a device sets gigabytes aside. There entries of the same place of all matrices lie
/// side by side, for threads that read them at the same time; on a host those of one matrix do.
struct SmallBlock {
  double* entries;
  std::size_t stride;
  int width;
  int n;

  KOKKOS_FUNCTION double& operator()(int i, int j) const {
    return entries[static_cast<std::size_t>(i * width + j) * stride];
  }

  /// Inverts it in place; false where a pivot is no larger than `least`. Rows are of size 1.
  KOKKOS_FUNCTION bool invert(double least) const {
    int swapped[max_block_rows];
    for (int c = 0; c < n; ++c) {
      int p = c;
      for (int i = c + 1; i < n; ++i) {
        if (Kokkos::abs((*this)(i, c)) > Kokkos::abs((*this)(p, c))) p = i;
      }
      swapped[c] = p;
      if (!(Kokkos::abs((*this)(p, c)) > least)) return false;
      for (int j = 0; j < n; ++j)
        swap((*this)(p, j), (*this)(c, j));
      const double pivot = 1 / (*this)(c, c);
      (*this)(c, c) = 1;
      for (int j = 0; j < n; ++j)
        (*this)(c, j) *= pivot;
      for (int i = 0; i < n; ++i) {
        if (i == c) continue;
        const double factor = (*this)(i, c);
        (*this)(i, c) = 0;
        for (int j = 0; j < n; ++j)
          (*this)(i, j) -= factor * (*this)(c, j);
      }
    }
    for (int c = n - 1; c >= 0; --c) {
      for (int i = 0; i < n; ++i)
        swap((*this)(i, swapped[c]), (*this)(i, c));
    }
    return true;
  }

 private:
  KOKKOS_FUNCTION static void swap(double& a, double& b) {
    const double kept = a;
    a = b;
    b = kept;
  }
};

template <class Scalar, class Space, class Offset>
struct InvertBlocks {
  CsrView<Scalar, Space, Offset> A;
  int block_rows;
  Ordinal blocks;
  ArrayView<double, Space> work;
  ArrayView<Scalar, Space> result;

  KOKKOS_FUNCTION void operator()(Ordinal number, Ordinal& singular) const {
    const Ordinal first = number * block_rows;
    const int n = first + block_rows < A.num_rows ? block_rows : A.num_rows - first;
    const auto place = static_cast<std::size_t>(number);
    const SmallBlock block =
        is_host_space<Space>
            ? SmallBlock{work.data() + place * block_rows * block_rows, 1, block_rows, n}
            : SmallBlock{work.data() + place, static_cast<std::size_t>(blocks), block_rows, n};
    double diagonal[max_block_rows];
    double sizes[max_block_rows];
    read(first, block, diagonal, sizes);
    const bool is_symmetric = scale_rows(block, sizes);
    constexpr double rounding = Kokkos::Experimental::epsilon_v<double>;
    bool is_regular = block.invert(max_block_rows * rounding);
    for (int i = 0; i < block.n && is_regular; ++i) {
      for (int j = 0; j < block.n; ++j) {
        block(i, j) *= sizes[j];
        is_regular = is_regular && Kokkos::isfinite(static_cast<Scalar>(block(i, j)));
      }
    }
    if (!is_regular) ++singular;
    for (int i = 0; i < block.n; ++i) {
      for (int j = 0; j < block_rows; ++j) {
        double value = 0;
        if (is_regular && j < block.n && !is_empty(first + i)) {
          value = is_symmetric ? 0.5 * block(i, j) + 0.5 * block(j, i) : block(i, j);
        } else if (!is_regular && i == j && diagonal[i] != 0) {
          value = 1 / diagonal[i];
        }
        result(static_cast<std::size_t>(first + i) * block_rows + j) = static_cast<Scalar>(value);
      }
    }
  }

 private:
  KOKKOS_FUNCTION bool is_empty(Ordinal row) const { return A.offsets(row) == A.offsets(row + 1); }

  /// An empty row becomes one of the identity, and its column as well.
  KOKKOS_FUNCTION void read(Ordinal first, const SmallBlock& block, double* diagonal,
                            double* sizes) const {
    for (int i = 0; i < block.n; ++i) {
      for (int j = 0; j < block.n; ++j)
        block(i, j) = 0;
      sizes[i] = 0;
      for (Offset e = A.offsets(first + i); e < A.offsets(first + i + 1); ++e) {
        const Ordinal j = A.columns(e) - first;
        if (j < 0 || j >= block.n || is_empty(first + j)) continue;
        block(i, j) += static_cast<double>(A.values(e));
      }
      diagonal[i] = block(i, i);
      if (is_empty(first + i)) block(i, i) = 1;
      for (int j = 0; j < block.n; ++j)
        sizes[i] = Kokkos::fmax(sizes[i], Kokkos::abs(block(i, j)));
    }
  }

  /// Brings each row to the size 1; `sizes` become what they were multiplied by. Returns whether
  /// the block was symmetric.
  KOKKOS_FUNCTION static bool scale_rows(const SmallBlock& block, double* sizes) {
    bool is_symmetric = true;
    for (int i = 0; i < block.n; ++i) {
      for (int j = 0; j < i; ++j)
        is_symmetric = is_symmetric && block(i, j) == block(j, i);
    }
    for (int i = 0; i < block.n; ++i) {
      sizes[i] = sizes[i] > 0 ? 1 / sizes[i] : 1;
      for (int j = 0; j < block.n; ++j)
        block(i, j) *= sizes[i];
    }
    return is_symmetric;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> inverse_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    int block_rows, Ordinal* singular) {
  require(A.num_rows == A.num_cols, [&] {
    return "inverse_blocks: A is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols) + ", expected a square matrix";
  });
  require(block_rows >= 1 && block_rows <= max_block_rows, [&] {
    return "inverse_blocks: blocks of " + std::to_string(block_rows) + " rows, expected 1 to " +
           std::to_string(max_block_rows);
  });
  const auto result = allocate<Scalar>(exec, "tessera::inverse_blocks",
                                       static_cast<std::size_t>(A.num_rows) * block_rows);
  const Ordinal blocks = A.num_rows / block_rows + (A.num_rows % block_rows != 0 ? 1 : 0);
  const auto work = allocate<double>(exec, "tessera::inverse_blocks::work",
                                     static_cast<std::size_t>(blocks) * block_rows * block_rows);
  Ordinal count = 0;
  Kokkos::parallel_reduce(
      "tessera::inverse_blocks", Kokkos::RangePolicy<Space>(exec, 0, blocks),
      detail::InvertBlocks<Scalar, Space, Offset>{A, block_rows, blocks, work, result}, count);
  if (singular != nullptr) *singular = count;
  return result;
}

template <class Scalar, class Space>
void multiply_blocks(const Space& exec, const NonDeduced<ArrayView<const Scalar, Space>>& blocks,
                     int block_rows, const ConstMultiVectorView<Scalar, Space>& r,
                     const MultiVectorView<Scalar, Space>& z) {
  const auto n = static_cast<Ordinal>(r.extent(0));
  const auto num_columns = static_cast<int>(r.extent(1));
  require(
      blocks.extent(0) == static_cast<std::size_t>(n) * block_rows && z.extent(0) == r.extent(0),
      [&] {
        return "multiply_blocks: " + std::to_string(blocks.extent(0)) + " entries of blocks for " +
               std::to_string(n) + " rows, expected " + std::to_string(block_rows) + " per row";
      });
  Kokkos::parallel_for(
      "tessera::multiply_blocks", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal first = i - i % block_rows;
        const int count = first + block_rows < n ? block_rows : n - first;
        for (int c = 0; c < num_columns; ++c) {
          Scalar sum = 0;
          for (int j = 0; j < count; ++j)
            sum += blocks(static_cast<std::size_t>(i) * block_rows + j) * r(first + j, c);
          z(i, c) = sum;
        }
      });
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, multiply_blocks)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, inverse_blocks)

}  // namespace tessera::kernels
