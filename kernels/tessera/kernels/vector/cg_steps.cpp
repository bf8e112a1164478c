// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/cg_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/column_state_view.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

template <class Space>
struct CgView {
  ColumnStateView<Space> columns;
  ArrayView<double, Space> rz, alpha, beta, min_norm;
  ArrayView<int, Space> place, place_before;

  CgView(const ColumnState<Space>& state, const CgScalars<Space>& scalars)
      : columns(state),
        rz(scalars.rz),
        alpha(scalars.alpha),
        beta(scalars.beta),
        min_norm(scalars.min_norm),
        place(scalars.place),
        place_before(scalars.place_before) {}

  KOKKOS_FUNCTION void settle(int j, double norm, CgAfterUpdate after) const {
    place_iterate(j, norm);
    columns.settle(j, norm);
    columns.take_turns(j);
    if (after == CgAfterUpdate::settle_and_beta) {
      beta(j) = rz(j) > 0 ? norm / rz(j) : 0;
      rz(j) = norm;
    }
  }

 private:
  /// The direction has kept the iterate that was before the step before this one.
  KOKKOS_FUNCTION void place_iterate(int j, double norm) const {
    const bool was_newest = place(j) == static_cast<int>(CgPlace::newest);
    CgPlace now = was_newest ? CgPlace::newest : CgPlace::kept;
    place_before(j) = static_cast<int>(now);
    if (alpha(j) != 0) {
      if (norm <= min_norm(j)) {
        min_norm(j) = norm;
        now = CgPlace::newest;
      } else if (was_newest) {
        now = CgPlace::before_step;
      }
    }
    place(j) = static_cast<int>(now);
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
    cg.columns.turn(j) = 0;
    cg.rz(j) = preconditioned ? 0 : norm(j);
    cg.alpha(j) = 0;
    cg.beta(j) = 0;
    cg.min_norm(j) = norm(j);
    cg.place(j) = static_cast<int>(CgPlace::newest);
    cg.place_before(j) = static_cast<int>(CgPlace::newest);
  }
};

template <class Scalar, class Space>
struct CgUpdate {
  static constexpr int num_sums = 1;
  CgView<Space> cg;
  ArrayView<const Scalar, Space> pq;
  ConstMultiVectorView<Scalar, Space> q;
  MultiVectorView<Scalar, Space> r;
  MultiVectorView<float, Space> r_float;
  CgAfterUpdate after;

  KOKKOS_FUNCTION ColumnQuotient<Scalar> step(int j) const {
    if (!cg.columns.iterates(j)) {
      return {};
    }
    const auto alpha = ColumnQuotient<Scalar>::of(cg.rz(j), static_cast<double>(pq(j)));
    if (alpha.event == ColumnEvent::none && pq(j) < Scalar(0)) {
      return {0, ColumnEvent::breakdown};
    }
    return alpha;
  }
  KOKKOS_FUNCTION Scalar coefficients(int j) const { return static_cast<Scalar>(step(j).value); }
  struct Entry {
    Scalar r, q;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {r(i, j), q(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, Scalar alpha, const Entry& at, double* sum) const {
    Scalar ri = at.r;
    if (alpha != Scalar(0)) {
      ri -= alpha * at.q;
      r(i, j) = ri;
      if (r_float.data() != nullptr) r_float(i, j) = static_cast<float>(ri);
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

/// The same for a residual that is recomputed: x makes its step too.
template <class Scalar, class Space>
struct CgUpdateAtOnce {
  static constexpr int num_sums = 1;
  CgUpdate<Scalar, Space> update;
  ConstMultiVectorView<Scalar, Space> p;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION Scalar coefficients(int j) const { return update.coefficients(j); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Scalar alpha, double* sum) const {
    if (alpha != Scalar(0)) x(i, j) += alpha * p(i, j);
    update(i, j, alpha, sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { update.finish(j, sum); }
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

template <class Scalar, class Preconditioned, class Space>
struct CgBeta {
  static constexpr int num_sums = 1;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r;
  ConstMultiVectorView<Preconditioned, Space> z;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(z(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { take(j, sum[0], 0); }
};

template <class Scalar, class Preconditioned, class Space>
struct CgFlexibleBeta {
  static constexpr int num_sums = 2;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r;
  ConstMultiVectorView<Preconditioned, Space> z;
  ConstMultiVectorView<Scalar, Space> q;

  struct Entry {
    Scalar r;
    Preconditioned z;
    Scalar q;
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

template <class Scalar, class Preconditioned, class Space>
struct CgDirection {
  struct Coefficients {
    bool iterates;
    bool keeps;
    Scalar alpha;  ///< 0 where x has made its step
    Scalar beta;
  };
  // No CgView: Kokkos passes a functor of 512 bytes by way of constant memory.
  ArrayView<const int, Space> active, event, place;
  ArrayView<const double, Space> alpha, beta;
  ConstMultiVectorView<Preconditioned, Space> z;
  MultiVectorView<Scalar, Space> p, x, kept;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    return {active(j) != 0 && event(j) == static_cast<int>(ColumnEvent::none),
            place(j) == static_cast<int>(CgPlace::before_step), static_cast<Scalar>(alpha(j)),
            static_cast<Scalar>(beta(j))};
  }
  struct Entry {
    Preconditioned z;
    Scalar p, x;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {z(i, j), p(i, j), x(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, const Coefficients& c, const Entry& at) const {
    if (c.keeps) kept(i, j) = at.x;
    if (c.alpha != Scalar(0)) x(i, j) = at.x + c.alpha * at.p;
    turn(i, j, c, at.z, at.p);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    use(i, j, c, load(i, j));
  }
  KOKKOS_FUNCTION void turn(Ordinal i, int j, const Coefficients& c, Preconditioned zi,
                            Scalar pi) const {
    if (!c.iterates) return;
    const auto wide = static_cast<Scalar>(zi);
    p(i, j) = c.beta == Scalar(0) ? wide : wide + c.beta * pi;
  }
};

/// The same where x has made its step.
template <class Scalar, class Preconditioned, class Space>
struct CgDirectionAfterStep {
  using Direction = CgDirection<Scalar, Preconditioned, Space>;
  using Coefficients = typename Direction::Coefficients;
  Direction direction;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const { return direction.coefficients(j); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    const Scalar pi = direction.p(i, j);
    if (c.keeps) direction.kept(i, j) = direction.x(i, j) - c.alpha * pi;
    direction.turn(i, j, c, direction.z(i, j), pi);
  }
};

template <class Scalar, class Space>
struct CgFinish {
  struct Coefficients {
    bool from_kept;
    Scalar step;
  };
  ArrayView<const double, Space> alpha;
  ArrayView<const int, Space> place;
  bool deferred;
  bool one_more;
  ConstMultiVectorView<Scalar, Space> p, kept;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    const auto where = static_cast<CgPlace>(place(j));
    if (where == CgPlace::kept) return {true, Scalar(0)};
    const auto step = static_cast<Scalar>(alpha(j));
    if (deferred) return {false, one_more || where != CgPlace::newest ? Scalar(0) : step};
    return {false, where == CgPlace::before_step ? -step : Scalar(0)};
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    if (c.from_kept) {
      x(i, j) = kept(i, j);
    } else if (c.step != Scalar(0)) {
      x(i, j) += c.step * p(i, j);
    }
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
