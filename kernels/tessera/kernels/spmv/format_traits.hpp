// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a storage format says of itself: one struct for each, in spmv/NAME/NAME_format.hpp.
///
/// @code
/// struct EllFormat {
///   static constexpr StorageFormat value = StorageFormat::ell;
///   static constexpr std::string_view name = "ell";
///   static constexpr std::string_view text = "...";  // what users read beside the name
///
///   // A in this format, each value stored as value / scale rounded to Storage.
///   template <class Storage, class Scalar, class Space, class Offset>
///   static Ell<Storage, Space> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
///                                      const Conversion& how);
///   template <class Storage, class Space>
///   static std::size_t bytes(const Ell<Storage, Space>& A);  // of all arrays
///   // What the products of vectors of Working run, for tables.
///   template <class Working, class Matrix>
///   static std::string kernel_name(const Matrix& A, const EllSpmvPlan& plan);
///   // How it would do for a matrix: what `select_format` goes by.
///   static FormatEstimate estimate(const FormatStatistics& statistics);
/// };
/// @endcode
///
/// A format with variants says `variant(A)` as well, "packed". `FormatOf` and `PlanOf` are
/// specialised beside the struct, for the matrix and for its view; products are the verbs of
/// spmv/products.hpp. The struct stands in the list of spmv/storage_formats.hpp; what stores
/// matrices, names formats, chooses one and tests them goes by that list.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/format/storage_format.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace tessera::kernels {

/// How a matrix is brought into a format.
struct Conversion {
  double scale = 1;  ///< a power of two, 1 for CSR
  TileLayout layout = TileLayout::packed;  ///< of mBSR
};

/// One format as a candidate for a matrix.
struct FormatEstimate {
  /// Of one product with one vector; infinite where it cannot hold the matrix or is not considered.
  double bytes = std::numeric_limits<double>::infinity();
  std::string title = "csr";  ///< "mbsr, packed"
  std::string remark = {};  ///< "4.02 entries per tile"
  std::string row_remark = {};  ///< "rows even"; empty where no kernel is chosen by that
  TileLayout layout = TileLayout::packed;  ///< of mBSR
  bool load_balanced = false;  ///< the kernel for uneven rows is the faster
};

/// The trait of a matrix that owns its memory, as `type`, and the scalar that it is stored in, as
/// `storage_type`.
template <class Matrix>
struct FormatOf;

namespace detail {

/// The plan that a matrix view's products take, as `type`; views without products have none.
template <class Matrix>
struct PlanOf {};

/// "1.74", with so many decimals.
std::string text_of(double value, int decimals);
/// "rows even", or by how much not. `what`: "rows".
std::string evenness(const char* what, bool uneven, std::int64_t longest, double mean);
/// "staged, 4 lanes per row".
std::string with_lanes(const char* kernel, int lanes, const char* of);

}  // namespace detail
}  // namespace tessera::kernels
