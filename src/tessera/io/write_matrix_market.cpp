// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/format_text.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

namespace detail {

/// Counts the entries that have no mirror image of the right value.
template <class Scalar, class Space, class Offset>
struct CountUnmirrored {
  kernels::CsrView<Scalar, Space, Offset> A;
  Scalar sign;

  KOKKOS_FUNCTION bool has(Ordinal row, Ordinal column, Scalar value) const {
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      if (A.columns(k) == column) return A.values(k) == value;
    }
    return false;
  }

  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const {
    const auto row = static_cast<Ordinal>(i);
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      const Ordinal column = A.columns(k);
      const bool good = column == row ? sign > 0 : has(column, row, sign * A.values(k));
      count += good ? 0 : 1;
    }
  }
};

template <class Scalar, class Space, class Offset>
struct CountDiagonal {
  kernels::CsrView<Scalar, Space, Offset> A;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const {
    const auto row = static_cast<Ordinal>(i);
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      count += A.columns(k) == row ? 1 : 0;
    }
  }
};

template <class Functor, class Space>
std::size_t count_in_range(const Space& exec, const char* label, std::size_t size,
                           const Functor& functor) {
  std::size_t count = 0;
  Kokkos::parallel_reduce(label,
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, size),
                          functor, count);
  return count;
}

inline const char* name_of(MatrixSymmetry symmetry) {
  switch (symmetry) {
    case MatrixSymmetry::general:
      return "general";
    case MatrixSymmetry::symmetric:
      return "symmetric";
    case MatrixSymmetry::skew_symmetric:
      break;
  }
  return "skew-symmetric";
}

/// Entries that the file stores; checks that a mirrored matrix is one.
template <class Scalar, class Space, class Offset>
std::size_t count_stored(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         MatrixSymmetry symmetry) {
  if (symmetry == MatrixSymmetry::general) return A.num_entries;
  const bool skew = symmetry == MatrixSymmetry::skew_symmetric;
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; a symmetric file needs a square matrix";
  });
  const std::size_t unmirrored =
      count_in_range(exec, "tessera::io::count_unmirrored", A.num_rows,
                     CountUnmirrored<Scalar, Space, Offset>{A, skew ? Scalar(-1) : Scalar(1)});
  require(unmirrored == 0, [&] {
    return "A is not " + std::string(skew ? "skew-symmetric" : "symmetric") + ": " +
           std::to_string(unmirrored) + " of its entries have no equal mirror image";
  });
  const std::size_t diagonal = count_in_range(exec, "tessera::io::count_diagonal", A.num_rows,
                                              CountDiagonal<Scalar, Space, Offset>{A});
  return (A.num_entries - diagonal) / 2 + diagonal;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void write_matrix_market(const Space& exec, const std::filesystem::path& path,
                         const kernels::Csr<Scalar, Space, Offset>& A,
                         const MatrixMarketWriteOptions& options) {
  require(A.offsets.extent(0) == static_cast<std::size_t>(A.num_rows) + 1,
          [] { return std::string("A.offsets must have num_rows + 1 elements"); });
  const std::size_t stored = detail::count_stored(exec, A.view(), options.symmetry);
  const detail::HostCopy<Offset, Space> offsets(exec, A.offsets);
  const detail::HostCopy<Ordinal, Space> columns(exec, A.columns);
  const detail::HostCopy<Scalar, Space> values(exec, A.values);
  detail::OutputFile file(path);
  file.write(std::string("%%MatrixMarket matrix coordinate real ") +
             detail::name_of(options.symmetry) + "\n" + detail::format_comment(options.comment) +
             std::to_string(A.num_rows) + " " + std::to_string(A.num_cols) + " " +
             std::to_string(stored) + "\n");
  detail::write_entries(
      file,
      detail::HostRows<Scalar, Offset>{A.num_rows, A.num_entries(), offsets.data(), columns.data(),
                                       values.data()},
      options.symmetry, detail::host_threads(exec, 0));
  file.commit();
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, write_matrix_market)

}  // namespace tessera
