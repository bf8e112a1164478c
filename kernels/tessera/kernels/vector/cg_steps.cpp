// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/cg_steps.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/column_state_view.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

template <class Space>
struct CgView {
  ColumnStateView<Space> columns;
  ArrayView<double, Space> rz, alpha, beta;

  CgView(const ColumnState<Space>& state, const CgScalars<Space>& scalars)
      : columns(state), rz(scalars.rz), alpha(scalars.alpha), beta(scalars.beta) {}

  KOKKOS_FUNCTION void settle(int j, double norm, CgAfterUpdate after) const {
    columns.settle(j, norm);
    if (after == CgAfterUpdate::settle_and_beta) {
      beta(j) = rz(j) > 0 ? norm / rz(j) : 0;
      rz(j) = norm;
    }
  }
};

template <class Space>
struct CgStart {
  CgView<Space> cg;
  ArrayView<const double, Space> norm;
  bool preconditioned;

  KOKKOS_FUNCTION void operator()(int j) const {
    cg.columns.active(j) = norm(j) > cg.columns.target(j) ? 1 : 0;
    cg.columns.event(j) = static_cast<int>(ColumnEvent::none);
    cg.rz(j) = preconditioned ? 0 : norm(j);
    cg.alpha(j) = 0;
    cg.beta(j) = 0;
  }
};

template <class Scalar, class Space>
struct CgUpdate {
  static constexpr int num_sums = 1;
  CgView<Space> cg;
  ArrayView<const Scalar, Space> pq;
  ConstMultiVectorView<Scalar, Space> p, q;
  MultiVectorView<Scalar, Space> x, r;
  CgAfterUpdate after;

  KOKKOS_FUNCTION Quotient<Scalar> step(int j) const {
    if (!cg.columns.iterates(j)) {
      return {};
    }
    const auto alpha = Quotient<Scalar>::of(cg.rz(j), static_cast<double>(pq(j)));
    if (alpha.event == ColumnEvent::none && pq(j) < Scalar(0)) {
      return {0, ColumnEvent::breakdown};
    }
    return alpha;
  }
  KOKKOS_FUNCTION Scalar coefficients(int j) const { return static_cast<Scalar>(step(j).value); }
  struct Entry {
    Scalar x, r, p, q;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const {
    return {x(i, j), r(i, j), p(i, j), q(i, j)};
  }
  KOKKOS_FUNCTION void use(Ordinal i, int j, Scalar alpha, const Entry& at, double* sum) const {
    Scalar ri = at.r;
    if (alpha != Scalar(0)) {
      x(i, j) = at.x + alpha * at.p;
      ri -= alpha * at.q;
      r(i, j) = ri;
    }
    sum[0] += static_cast<double>(ri) * static_cast<double>(ri);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Scalar alpha, double* sum) const {
    use(i, j, alpha, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    const auto alpha = step(j);
    cg.alpha(j) = alpha.value;
    if (alpha.event != ColumnEvent::none) {
      cg.columns.note(j, alpha.event);
    }
    if (after != CgAfterUpdate::leave) {
      cg.settle(j, sum[0], after);
    }
  }
};

template <class Scalar, class Space>
struct CgSettle {
  static constexpr int num_sums = 1;
  CgView<Space> cg;
  ConstMultiVectorView<Scalar, Space> r;
  CgAfterUpdate after;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(r(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { cg.settle(j, sum[0], after); }
};

template <class Space>
struct CgTakeBeta {
  CgView<Space> cg;
  bool flexible;

  KOKKOS_FUNCTION void operator()(int j, double rz_new, double zq) const {
    const double rz_old = cg.rz(j);
    if (!Kokkos::isfinite(rz_new) || !Kokkos::isfinite(zq)) {
      cg.columns.note(j, ColumnEvent::not_a_number);
    } else if (!(rz_new > 0)) {
      cg.columns.note(j, ColumnEvent::breakdown);
    }
    const double numerator = flexible ? -cg.alpha(j) * zq : rz_new;
    const double beta = rz_old > 0 ? numerator / rz_old : 0;
    cg.beta(j) = Kokkos::isfinite(beta) ? beta : 0;
    cg.rz(j) = rz_new;
  }
};

template <class Scalar, class Space>
struct CgBeta {
  static constexpr int num_sums = 1;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r, z;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(z(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { take(j, sum[0], 0); }
};

template <class Scalar, class Space>
struct CgFlexibleBeta {
  static constexpr int num_sums = 2;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r, z, q;

  struct Entry {
    Scalar r, z, q;
  };
  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {r(i, j), z(i, j), q(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal, int, int, const Entry& at, double* sum) const {
    const double zi = at.z;
    sum[0] += static_cast<double>(at.r) * zi;
    sum[1] += static_cast<double>(at.q) * zi;
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    use(i, j, 0, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { take(j, sum[0], sum[1]); }
};

template <class Scalar, class Space>
struct CgDirection {
  struct Coefficients {
    bool iterates;
    Scalar beta;
  };
  CgView<Space> cg;
  ConstMultiVectorView<Scalar, Space> z;
  MultiVectorView<Scalar, Space> p;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    return {cg.columns.iterates(j), static_cast<Scalar>(cg.beta(j))};
  }
  struct Entry {
    Scalar z, p;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {z(i, j), p(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, const Coefficients& c, const Entry& at) const {
    if (c.iterates) p(i, j) = c.beta == Scalar(0) ? at.z : at.z + c.beta * at.p;
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    use(i, j, c, load(i, j));
  }
};

}  // namespace detail

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
               const NonDeduced<MultiVectorView<Scalar, Space>>& r, CgAfterUpdate after) {
  detail::require_same_shape("p", p, x);
  detail::require_same_shape("q", q, x);
  detail::require_same_shape("r", r, x);
  detail::reduce_entries(
      exec, "tessera::cg::update", workspace, detail::rows_of(x), detail::columns_of(x),
      detail::CgUpdate<Scalar, Space>{{columns, scalars}, pq, p, q, x, r, after});
}

template <class Scalar, class Space>
void cg_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const ConstMultiVectorView<Scalar, Space>& r, CgAfterUpdate after) {
  detail::reduce_entries(exec, "tessera::cg::settle", workspace, detail::rows_of(r),
                         detail::columns_of(r),
                         detail::CgSettle<Scalar, Space>{{columns, scalars}, r, after});
}

template <class Scalar, class Space>
void cg_beta(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
             const ConstMultiVectorView<Scalar, Space>& r,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q, bool flexible) {
  detail::require_same_shape("z", z, r);
  detail::require_same_shape("q", q, r);
  const detail::CgTakeBeta<Space> take{{columns, scalars}, flexible};
  const Ordinal n = detail::rows_of(r);
  const int k = detail::columns_of(r);
  if (flexible) {
    detail::reduce_entries(exec, "tessera::cg::flexible_beta", workspace, n, k,
                           detail::CgFlexibleBeta<Scalar, Space>{take, r, z, q});
  } else {
    detail::reduce_entries(exec, "tessera::cg::beta", workspace, n, k,
                           detail::CgBeta<Scalar, Space>{take, r, z});
  }
}

template <class Scalar, class Space>
void cg_direction(const Space& exec, const ColumnState<Space>& columns,
                  const CgScalars<Space>& scalars, const ConstMultiVectorView<Scalar, Space>& z,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& p) {
  detail::require_same_shape("p", p, z);
  detail::for_each_entry(exec, "tessera::cg::direction", detail::rows_of(z), detail::columns_of(z),
                         detail::CgDirection<Scalar, Space>{{columns, scalars}, z, p});
}

#define TESSERA_INSTANTIATE_CG_START(Space)                                                       \
  template void cg_start<Space>(const Space&, const ColumnState<Space>&, const CgScalars<Space>&, \
                                const NonDeduced<ArrayView<const double, Space>>&, bool);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CG_START)
#undef TESSERA_INSTANTIATE_CG_START

#define TESSERA_INSTANTIATE_CG(Scalar, Space)                                                   \
  template void cg_update<Scalar, Space>(                                                       \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const NonDeduced<ArrayView<const Scalar, Space>>&,               \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const MultiVectorView<Scalar, Space>&, const NonDeduced<MultiVectorView<Scalar, Space>>&, \
      CgAfterUpdate);                                                                           \
  template void cg_settle<Scalar, Space>(                                                       \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const ConstMultiVectorView<Scalar, Space>&, CgAfterUpdate);      \
  template void cg_beta<Scalar, Space>(                                                         \
      const Space&, const ReductionWorkspace<Space>&, const ColumnState<Space>&,                \
      const CgScalars<Space>&, const ConstMultiVectorView<Scalar, Space>&,                      \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                                   \
      const NonDeduced<ConstMultiVectorView<Scalar, Space>>&, bool);                            \
  template void cg_direction<Scalar, Space>(const Space&, const ColumnState<Space>&,            \
                                            const CgScalars<Space>&,                            \
                                            const ConstMultiVectorView<Scalar, Space>&,         \
                                            const NonDeduced<MultiVectorView<Scalar, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CG)
#undef TESSERA_INSTANTIATE_CG

}  // namespace tessera::kernels
