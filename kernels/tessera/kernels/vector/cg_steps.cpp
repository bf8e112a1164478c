// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/cg_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/cg_functors.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {

template <class Space>
void cg_start(const Space& exec, const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
              const NonDeduced<ArrayView<const double, Space>>& norm, bool preconditioned) {
  const int k = static_cast<int>(scalars.rz.extent(0));
  detail::require_length("norm", norm.extent(0), scalars.rz.extent(0));
  Kokkos::parallel_for("tessera::cg::start",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(exec, 0, k),
                       detail::CgStart<Space>{{columns, scalars}, norm, preconditioned});
}

template <class Scalar, class Space>
void cg_update(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const NonDeduced<ArrayView<const Scalar, Space>>& pq,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& p,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q,
               const MultiVectorView<Scalar, Space>& x,
               const NonDeduced<MultiVectorView<Scalar, Space>>& r, CgAfterUpdate after,
               const NonDeduced<MultiVectorView<float, Space>>& r_float) {
  detail::require_same_shape("p", p, x);
  detail::require_same_shape("q", q, x);
  detail::require_same_shape("r", r, x);
  if (r_float.data() != nullptr) detail::require_same_shape("r_float", r_float, x);
  detail::require_length("pq", pq.extent(0), x.extent(1));
  const Ordinal n = detail::rows_of(x);
  const int k = detail::columns_of(x);
  const detail::CgUpdate<Scalar, Space> update{{columns, scalars}, pq, q, r, r_float, after};
  if (after == CgAfterUpdate::leave) {
    detail::reduce_entries(exec, "tessera::cg::update", workspace, n, k,
                           detail::CgUpdateAtOnce<Scalar, Space>{update, p, x});
  } else {
    detail::reduce_entries(exec, "tessera::cg::update", workspace, n, k, update);
  }
}

template <class Scalar, class Space>
void cg_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const ConstMultiVectorView<Scalar, Space>& r, CgAfterUpdate after) {
  detail::reduce_entries(exec, "tessera::cg::settle", workspace, detail::rows_of(r),
                         detail::columns_of(r),
                         detail::CgSettle<Scalar, Space>{{columns, scalars}, r, after});
}

template <class Scalar, class Preconditioned, class Space>
void cg_beta(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
             const ConstMultiVectorView<Scalar, Space>& r,
             const ConstMultiVectorView<Preconditioned, Space>& z,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q, bool flexible) {
  detail::require_same_shape("z", z, r);
  detail::require_same_shape("q", q, r);
  const detail::CgTakeBeta<Space> take{{columns, scalars}, flexible};
  const Ordinal n = detail::rows_of(r);
  const int k = detail::columns_of(r);
  if (flexible) {
    detail::reduce_entries(exec, "tessera::cg::flexible_beta", workspace, n, k,
                           detail::CgFlexibleBeta<Scalar, Preconditioned, Space>{take, r, z, q});
  } else {
    detail::reduce_entries(exec, "tessera::cg::beta", workspace, n, k,
                           detail::CgBeta<Scalar, Preconditioned, Space>{take, r, z});
  }
}

template <class Scalar, class Preconditioned, class Space>
void cg_direction(const Space& exec, const ColumnState<Space>& columns,
                  const CgScalars<Space>& scalars, CgStep step,
                  const ConstMultiVectorView<Preconditioned, Space>& z,
                  const MultiVectorView<Scalar, Space>& p,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& kept) {
  using Direction = detail::CgDirection<Scalar, Preconditioned, Space>;
  detail::require_same_shape("p", p, z);
  detail::require_same_shape("x", x, z);
  detail::require_same_shape("kept", kept, z);
  const Ordinal n = detail::rows_of(z);
  const int k = detail::columns_of(z);
  const Direction direction{
      columns.active, columns.event, scalars.place, scalars.alpha, scalars.beta, z, p, x, kept};
  if (step == CgStep::deferred) {
    detail::for_each_entry(exec, "tessera::cg::direction", n, k, direction);
  } else {
    detail::for_each_entry(exec, "tessera::cg::direction", n, k,
                           detail::CgDirectionAfterStep<Scalar, Preconditioned, Space>{direction});
  }
}

template <class Scalar, class Space>
void cg_finish(const Space& exec, const CgScalars<Space>& scalars, CgStep step, bool one_more,
               const ConstMultiVectorView<Scalar, Space>& p,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& kept,
               const NonDeduced<MultiVectorView<Scalar, Space>>& x) {
  detail::require_same_shape("kept", kept, p);
  detail::require_same_shape("x", x, p);
  require(!one_more || step == CgStep::deferred, [] {
    return std::string("cg_finish: an iteration whose step was taken at once cannot be left out");
  });
  detail::for_each_entry(exec, "tessera::cg::finish", detail::rows_of(p), detail::columns_of(p),
                         detail::CgFinish<Scalar, Space>{
                             scalars.alpha, one_more ? scalars.place_before : scalars.place,
                             step == CgStep::deferred, one_more, p, kept, x});
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, cg_start)

#define TESSERA_INSTANTIATE_CG_OF_Z(Scalar, Preconditioned, Space)                               \
  template void cg_beta<Scalar, Preconditioned, Space>(                                          \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                 \
      const CgScalars<Space>&, const ConstMultiVectorView<Scalar, Space>&,                       \
      const ConstMultiVectorView<Preconditioned, Space>&,                                        \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&, bool);                             \
  template void cg_direction<Scalar, Preconditioned, Space>(                                     \
      const Space&, const ColumnState<Space>&, const CgScalars<Space>&, CgStep,                  \
      const ConstMultiVectorView<Preconditioned, Space>&, const MultiVectorView<Scalar, Space>&, \
      const NonDeduced<MultiVectorView<Scalar, Space>>&,                                         \
      const NonDeduced<MultiVectorView<Scalar, Space>>&);

#define TESSERA_INSTANTIATE_CG(Scalar, Space) TESSERA_INSTANTIATE_CG_OF_Z(Scalar, Scalar, Space);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CG)
#undef TESSERA_INSTANTIATE_CG
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, cg_update)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, cg_settle)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, cg_finish)

#define TESSERA_INSTANTIATE_CG_MIXED(Space) TESSERA_INSTANTIATE_CG_OF_Z(double, float, Space)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CG_MIXED)
#undef TESSERA_INSTANTIATE_CG_MIXED
#undef TESSERA_INSTANTIATE_CG_OF_Z

}  // namespace tessera::kernels
