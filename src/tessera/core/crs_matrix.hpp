// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse matrix that users hold.
#pragma once

#include "tessera/core/linear_operator.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/csr_spmv.hpp"

#include <memory>

namespace tessera {

/// A matrix in compressed sparse rows over Kokkos Views, and the operator it is. Copies share the
/// arrays and the plan of the product; as the plan may hold workspace, one matrix and its copies
/// serve one product at a time.
template <class Scalar, class Space, class Offset = std::int32_t>
class CrsMatrix : public LinearOperator<Scalar, Space> {
 public:
  using offset_type = Offset;
  using arrays_type = kernels::Csr<Scalar, Space, Offset>;
  using view_type = kernels::CsrView<Scalar, Space, Offset>;
  using typename LinearOperator<Scalar, Space>::ConstVectors;
  using typename LinearOperator<Scalar, Space>::Vectors;

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

  Ordinal num_rows() const override { return m_arrays.num_rows; }
  Ordinal num_cols() const override { return m_arrays.num_cols; }
  std::size_t num_entries() const { return m_arrays.num_entries(); }

  /// The Views; valid beyond the matrix's life unless an owner was given.
  const arrays_type& arrays() const { return m_arrays; }
  /// What a kernel sees.
  view_type view() const { return m_arrays.view(); }
  /// How the product runs.
  const kernels::CsrSpmvPlan<Space>& plan() const { return m_plan; }

  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override;
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override;
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Scalar, Space>& result) const override;

 private:
  std::shared_ptr<const void> m_owner;
  arrays_type m_arrays;
  kernels::CsrSpmvPlan<Space> m_plan;
};

}  // namespace tessera
