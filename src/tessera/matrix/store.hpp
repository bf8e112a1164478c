// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix brought into the format and the scalar that a product is to read.
#pragma once

#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/matrix/unsuited_format.hpp"

#include <memory>
#include <string>

namespace tessera {

/// In the order in which scalars give way to each other, the widest the largest; 0 where it is not
/// one by itself.
constexpr int width_of(StorageScalar scalar) {
  switch (scalar) {
    case StorageScalar::float64:
      return 5;
    case StorageScalar::float32:
      return 4;
    case StorageScalar::bfloat16:
      return 3;
    case StorageScalar::half:
      return 2;
    case StorageScalar::fp8:
      return 1;
    case StorageScalar::same:
    case StorageScalar::automatic:
      break;
  }
  return 0;
}

/// An operator, and what of the choice could not be had.
template <class Working, class Space>
struct Stored {
  std::shared_ptr<const SparseOperator<Working, Space>> op;
  std::string note;  ///< empty where it is what was asked for
  StorageScalar scalar = StorageScalar::same;  ///< that was taken
};

/// A as `storage` says; A itself where that is what it is already. A scalar whose range does not
/// hold A gives way to the next wider one, bfloat16, float, and the vectors' own: the largest entry
/// must fit, and in no row may the largest one lose bits. `automatic` is half where that holds,
/// else float: bfloat16 has too few bits for coefficients that jump. Formats but CSR are scaled by
/// a power of two to make the best of the range. Waits for `exec` where the choice depends on the
/// entries. `tiles`, if given, are A's on packed tiles with the scale 1: mBSR is made from them,
/// and shares their arrays where it is the same. A may be null then, if the format is mBSR. The
/// format `automatic` is mBSR where there are tiles and CSR elsewhere.
/// @throws UnsuitedFormat where the format cannot hold the matrix: ELL for padding, mBSR for
///         columns that a row holds twice, a registered one for what its factory says; Error of
///         kind `configuration` where the library was built without the scalar.
template <class Working, class Space, class Offset>
Stored<Working, Space> store(const Space& exec,
                             const std::shared_ptr<const StoredCsr<Working, Space, Offset>>& A,
                             const StorageParameters& storage,
                             const NonDeduced<kernels::Mbsr<Working, Space>>* tiles = nullptr);

}  // namespace tessera
