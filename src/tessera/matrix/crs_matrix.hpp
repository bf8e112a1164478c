// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse matrix that users hold.
#pragma once

#include "tessera/matrix/stored_matrix.hpp"

#include <memory>

namespace tessera {

/// A matrix in compressed sparse rows over Kokkos Views, and the operator it is. Copies share the
/// arrays and the plan of the product; as the plan may hold workspace, one matrix and its copies
/// serve one product at a time.
template <class Scalar, class Space, class Offset = std::int32_t>
class CrsMatrix : public StoredCsr<Scalar, Space, Offset> {
 public:
  using offset_type = Offset;
  using arrays_type = kernels::Csr<Scalar, Space, Offset>;
  using view_type = kernels::CsrView<Scalar, Space, Offset>;

  /// 0 by 0.
  CrsMatrix() = default;

  /// Takes the arrays without copying, and plans the product (one device pass). Throws where the
  /// lengths do not fit each other; the contents are checked by `validate` only. `owner`, if given,
  /// keeps alive what the arrays point into.
  CrsMatrix(const Space& exec, arrays_type arrays, std::shared_ptr<const void> owner = nullptr);

  /// The same from Views: offsets of length num_rows + 1 (or 0 where there are no rows), columns
  /// and values of length offsets(num_rows).
  CrsMatrix(const Space& exec, Ordinal num_rows, Ordinal num_cols,
            const NonDeduced<Array<const Offset, Space>>& offsets,
            const NonDeduced<Array<const Ordinal, Space>>& columns,
            const NonDeduced<Array<Scalar, Space>>& values)
      : CrsMatrix(exec, arrays_type{num_rows, num_cols, offsets, columns, values}) {}

  /// The same with a plan that was made for this pattern.
  CrsMatrix(arrays_type arrays, kernels::CsrSpmvPlan<Space> plan)
      : StoredCsr<Scalar, Space, Offset>(std::move(arrays), std::move(plan)) {}

  /// The Views; valid beyond the matrix's life unless an owner was given.
  const arrays_type& arrays() const { return this->matrix(); }
};

}  // namespace tessera
