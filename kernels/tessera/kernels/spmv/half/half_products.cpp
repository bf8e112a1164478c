// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/half/half_products.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/detail/classical.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

namespace tessera::kernels {
namespace detail {

/// An entry of a vector in float.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION float in_float(const Columns<Scalar>& v, Ordinal row, int column) {
  return static_cast<float>(v(row, column));
}

struct HalfScaleAdd {
  float alpha;
  float beta;
  Columns<Half> y;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, float sum) const {
    const float old = beta == 0 ? 0 : beta * in_float(y, row, column);
    y(row, column) = Half(alpha * sum + old);
  }
};

struct HalfSubtractFrom {
  Columns<const Half> b;
  Columns<Half> r;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, float sum) const {
    r(row, column) = Half(in_float(b, row, column) - sum);
  }
};

struct HalfJacobiUpdate {
  const float* d;
  Columns<const Half> b;
  Columns<const Half> x_in;
  Columns<Half> x_out;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, float sum) const {
    const float step = d[row] * (in_float(b, row, column) - sum);
    x_out(row, column) = Half(in_float(x_in, row, column) + step);
  }
};

struct HalfChebyshevUpdate {
  const float* d;
  float alpha;
  float beta;
  Columns<const Half> b;
  Columns<const Half> x_in;
  Columns<Half> p;
  Columns<Half> x_out;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row, int column, float sum) const {
    float direction = alpha * d[row] * (in_float(b, row, column) - sum);
    if (beta != 0) direction += beta * in_float(p, row, column);
    p(row, column) = Half(direction);
    x_out(row, column) = Half(in_float(x_in, row, column) + direction);
  }
};

template <class Storage, class Space, class Offset, class Epilogue>
void half_sweep(const Space& exec, const char* label, int threads_per_row,
                const CsrView<Storage, Space, Offset>& A,
                const ConstMultiVectorView<Half, Space>& x, const Epilogue& epilogue) {
  if (A.num_rows == 0) return;
  for_few_column_groups(static_cast<int>(x.extent(1)), [&](auto columns, int first) {
    sweep_classical<columns.value>(exec, label, threads_per_row, A, x, first, epilogue);
  });
}

}  // namespace detail

template <class Storage, class Space, class Offset>
void half_spmv(const Space& exec, int threads_per_row, float alpha,
               const CsrView<Storage, Space, Offset>& A,
               const NonDeduced<ConstMultiVectorView<Half, Space>>& x, float beta,
               const NonDeduced<MultiVectorView<Half, Space>>& y) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(y, "y", A.num_rows, x.extent(1));
  detail::half_sweep(exec, "tessera::half_spmv", threads_per_row, A, x,
                     detail::HalfScaleAdd{alpha, beta, detail::Columns<Half>(y)});
}

template <class Storage, class Space, class Offset>
void half_residual(const Space& exec, int threads_per_row, const CsrView<Storage, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
                   const NonDeduced<MultiVectorView<Half, Space>>& r) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(b, "b", A.num_rows, x.extent(1));
  detail::require_shape(r, "r", A.num_rows, x.extent(1));
  detail::half_sweep(
      exec, "tessera::half_residual", threads_per_row, A, x,
      detail::HalfSubtractFrom{detail::Columns<const Half>(b), detail::Columns<Half>(r)});
}

template <class Storage, class Space, class Offset>
void half_jacobi_sweep(const Space& exec, int threads_per_row,
                       const CsrView<Storage, Space, Offset>& A,
                       const NonDeduced<ArrayView<const float, Space>>& d,
                       const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                       const NonDeduced<ConstMultiVectorView<Half, Space>>& x_in,
                       const NonDeduced<MultiVectorView<Half, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  detail::half_sweep(
      exec, "tessera::half_jacobi_sweep", threads_per_row, A, x_in,
      detail::HalfJacobiUpdate{d.data(), detail::Columns<const Half>(b),
                               detail::Columns<const Half>(x_in), detail::Columns<Half>(x_out)});
}

template <class Storage, class Space, class Offset>
void half_chebyshev_step(const Space& exec, int threads_per_row,
                         const CsrView<Storage, Space, Offset>& A,
                         const NonDeduced<ArrayView<const float, Space>>& d, float alpha,
                         float beta, const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                         const NonDeduced<ConstMultiVectorView<Half, Space>>& x_in,
                         const NonDeduced<MultiVectorView<Half, Space>>& p,
                         const NonDeduced<MultiVectorView<Half, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(p, "p", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  detail::half_sweep(
      exec, "tessera::half_chebyshev_step", threads_per_row, A, x_in,
      detail::HalfChebyshevUpdate{d.data(), alpha, beta, detail::Columns<const Half>(b),
                                  detail::Columns<const Half>(x_in), detail::Columns<Half>(p),
                                  detail::Columns<Half>(x_out)});
}

#define TESSERA_INSTANTIATE(Storage, Space, Offset)                                         \
  template void half_spmv(const Space&, int, float, const CsrView<Storage, Space, Offset>&, \
                          const ConstMultiVectorView<Half, Space>&, float,                  \
                          const MultiVectorView<Half, Space>&);                             \
  template void half_residual(const Space&, int, const CsrView<Storage, Space, Offset>&,    \
                              const ConstMultiVectorView<Half, Space>&,                     \
                              const ConstMultiVectorView<Half, Space>&,                     \
                              const MultiVectorView<Half, Space>&);                         \
  template void half_jacobi_sweep(                                                          \
      const Space&, int, const CsrView<Storage, Space, Offset>&,                            \
      const ArrayView<const float, Space>&, const ConstMultiVectorView<Half, Space>&,       \
      const ConstMultiVectorView<Half, Space>&, const MultiVectorView<Half, Space>&);       \
  template void half_chebyshev_step(                                                        \
      const Space&, int, const CsrView<Storage, Space, Offset>&,                            \
      const ArrayView<const float, Space>&, float, float,                                   \
      const ConstMultiVectorView<Half, Space>&, const ConstMultiVectorView<Half, Space>&,   \
      const MultiVectorView<Half, Space>&, const MultiVectorView<Half, Space>&);
#define TESSERA_INSTANTIATE_STORAGE(Storage, Space) \
  TESSERA_INSTANTIATE(Storage, Space, std::int32_t) \
  TESSERA_INSTANTIATE(Storage, Space, std::int64_t)
#define TESSERA_INSTANTIATE_SPACE(Space)    \
  TESSERA_INSTANTIATE_STORAGE(float, Space) \
  TESSERA_INSTANTIATE_STORAGE(Half, Space)  \
  TESSERA_IF_ALL_STORAGE_SCALARS(TESSERA_INSTANTIATE_STORAGE(BFloat16, Space))
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)
#undef TESSERA_INSTANTIATE_SPACE
#undef TESSERA_INSTANTIATE_STORAGE
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
