// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/bicgstab_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/bicgstab_functors.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {

template <class Scalar, class Space>
void bicgstab_start(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const NonDeduced<ArrayView<const double, Space>>& norm,
                    const ConstMultiVectorView<Scalar, Space>& r,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& shadow,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& p) {
  detail::require_same_shape("shadow", shadow, r);
  detail::require_same_shape("p", p, r);
  detail::reduce_entries(
      exec, "tessera::bicgstab::start", workspace, detail::rows_of(r), detail::columns_of(r),
      detail::BicgstabStart<Scalar, Space>{{columns, scalars}, norm, r, shadow, p});
}

template <class Scalar, class Space>
void bicgstab_alpha(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const ConstMultiVectorView<Scalar, Space>& shadow,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v) {
  detail::require_same_shape("v", v, shadow);
  detail::reduce_entries(exec, "tessera::bicgstab::alpha", workspace, detail::rows_of(shadow),
                         detail::columns_of(shadow),
                         detail::BicgstabAlpha<Scalar, Space>{{columns, scalars}, shadow, v});
}

template <class Scalar, class Space>
void bicgstab_half_step(const Space& exec, const ColumnState<Space>& columns,
                        const BicgstabScalars<Space>& scalars,
                        const ConstMultiVectorView<Scalar, Space>& v,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& r) {
  detail::require_same_shape("r", r, v);
  detail::for_each_entry(exec, "tessera::bicgstab::half_step", detail::rows_of(r),
                         detail::columns_of(r),
                         detail::BicgstabHalfStep<Scalar, Space>{{columns, scalars}, v, r});
}

template <class Scalar, class Space>
void bicgstab_omega(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const ConstMultiVectorView<Scalar, Space>& t,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& s) {
  detail::require_same_shape("s", s, t);
  detail::reduce_entries(exec, "tessera::bicgstab::omega", workspace, detail::rows_of(t),
                         detail::columns_of(t),
                         detail::BicgstabOmega<Scalar, Space>{{columns, scalars}, t, s});
}

template <class Scalar, class Space>
void bicgstab_update(const Space& exec, const ReductionWorkspace<Space>& workspace,
                     const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& shadow,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& p_hat,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& s_hat,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& t,
                     const MultiVectorView<Scalar, Space>& x,
                     const NonDeduced<MultiVectorView<Scalar, Space>>& r, bool settle) {
  detail::require_same_shape("shadow", shadow, x);
  detail::require_same_shape("p_hat", p_hat, x);
  detail::require_same_shape("s_hat", s_hat, x);
  detail::require_same_shape("t", t, x);
  detail::require_same_shape("r", r, x);
  detail::reduce_entries(exec, "tessera::bicgstab::update", workspace, detail::rows_of(x),
                         detail::columns_of(x),
                         detail::BicgstabUpdate<Scalar, Space>{
                             {columns, scalars}, shadow, p_hat, s_hat, t, x, r, settle});
}

template <class Scalar, class Space>
void bicgstab_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
                     const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                     const ConstMultiVectorView<Scalar, Space>& shadow,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r) {
  detail::require_same_shape("r", r, shadow);
  detail::reduce_entries(exec, "tessera::bicgstab::settle", workspace, detail::rows_of(r),
                         detail::columns_of(r),
                         detail::BicgstabSettle<Scalar, Space>{{columns, scalars}, shadow, r});
}

template <class Scalar, class Space>
void bicgstab_direction(const Space& exec, const ColumnState<Space>& columns,
                        const BicgstabScalars<Space>& scalars,
                        const ConstMultiVectorView<Scalar, Space>& r,
                        const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& p) {
  detail::require_same_shape("v", v, r);
  detail::require_same_shape("p", p, r);
  detail::for_each_entry(exec, "tessera::bicgstab::direction", detail::rows_of(r),
                         detail::columns_of(r),
                         detail::BicgstabDirection<Scalar, Space>{{columns, scalars}, r, v, p});
}

#define TESSERA_STATE(Space)                                                 \
  const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&, \
      const BicgstabScalars<Space>&
#define TESSERA_CONST(Scalar, Space) const NonDeduced<ConstMultiVectorView<Scalar, Space>>&
#define TESSERA_MUTABLE(Scalar, Space) const NonDeduced<MultiVectorView<Scalar, Space>>&

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_start)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_alpha)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_half_step)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_omega)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_update)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_settle)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, bicgstab_direction)
#undef TESSERA_MUTABLE
#undef TESSERA_CONST
#undef TESSERA_STATE

}  // namespace tessera::kernels
