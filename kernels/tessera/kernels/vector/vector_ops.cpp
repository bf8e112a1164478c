// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/vector_ops.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

struct Plain {};

template <class Scalar, class Space>
struct Axpby {
  Scalar alpha, beta;
  ConstMultiVectorView<Scalar, Space> x;
  MultiVectorView<Scalar, Space> y;

  KOKKOS_FUNCTION Plain coefficients(int) const { return {}; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Plain) const {
    const Scalar old = beta == Scalar(0) ? Scalar(0) : beta * y(i, j);
    y(i, j) = alpha == Scalar(0) ? old : alpha * x(i, j) + old;
  }
};

template <class From, class To, class Space>
struct Copy {
  ConstMultiVectorView<From, Space> x;
  MultiVectorView<To, Space> y;

  KOKKOS_FUNCTION Plain coefficients(int) const { return {}; }
  KOKKOS_FUNCTION From load(Ordinal i, int j) const { return x(i, j); }
  KOKKOS_FUNCTION void use(Ordinal i, int j, Plain, From xi) const {
    y(i, j) = static_cast<To>(xi);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Plain) const { use(i, j, {}, load(i, j)); }
};

template <class Scalar, class Space>
struct Multiply {
  Scalar alpha;
  ArrayView<const Scalar, Space> d;
  ConstMultiVectorView<Scalar, Space> r;
  MultiVectorView<Scalar, Space> z;

  struct Entry {
    Scalar d, r;
  };
  KOKKOS_FUNCTION Plain coefficients(int) const { return {}; }
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {d(i), r(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, Plain, const Entry& at) const {
    z(i, j) = alpha * at.d * at.r;
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Plain) const { use(i, j, {}, load(i, j)); }
};

template <class Scalar, class Space>
struct MultiplyIntoTwo {
  Multiply<Scalar, Space> product;
  MultiVectorView<Scalar, Space> copy;

  KOKKOS_FUNCTION Plain coefficients(int) const { return {}; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Plain) const {
    const Scalar value = product.alpha * product.d(i) * product.r(i, j);
    product.z(i, j) = value;
    copy(i, j) = value;
  }
};

}  // namespace detail

template <class Scalar, class Space>
void axpby(const Space& exec, NonDeduced<Scalar> alpha,
           const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
           const MultiVectorView<Scalar, Space>& y) {
  detail::require_same_shape("x", x, y);
  detail::for_each_entry(exec, "tessera::vector::axpby", detail::rows_of(y), detail::columns_of(y),
                         detail::Axpby<Scalar, Space>{alpha, beta, x, y});
}

template <class Scalar, class Space>
void scale(const Space& exec, NonDeduced<Scalar> alpha, const MultiVectorView<Scalar, Space>& y) {
  axpby<Scalar, Space>(exec, Scalar(0), y, alpha, y);
}

template <class From, class To, class Space>
void copy(const Space& exec, const ConstMultiVectorView<From, Space>& x,
          const MultiVectorView<To, Space>& y) {
  detail::require_same_shape("x", x, y);
  detail::for_each_entry(exec, "tessera::vector::copy", detail::rows_of(y), detail::columns_of(y),
                         detail::Copy<From, To, Space>{x, y});
}

template <class Scalar, class Space>
void multiply(const Space& exec, NonDeduced<Scalar> alpha,
              const NonDeduced<ArrayView<const Scalar, Space>>& d,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
              const MultiVectorView<Scalar, Space>& z) {
  detail::require_same_shape("r", r, z);
  detail::require_length("d", d.extent(0), z.extent(0));
  detail::for_each_entry(exec, "tessera::vector::multiply", detail::rows_of(z),
                         detail::columns_of(z), detail::Multiply<Scalar, Space>{alpha, d, r, z});
}

template <class Scalar, class Space>
void multiply_into_two(const Space& exec, NonDeduced<Scalar> alpha,
                       const NonDeduced<ArrayView<const Scalar, Space>>& d,
                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
                       const MultiVectorView<Scalar, Space>& z,
                       const NonDeduced<MultiVectorView<Scalar, Space>>& copy) {
  detail::require_same_shape("r", r, z);
  detail::require_same_shape("copy", copy, z);
  detail::require_length("d", d.extent(0), z.extent(0));
  detail::for_each_entry(exec, "tessera::vector::multiply_into_two", detail::rows_of(z),
                         detail::columns_of(z),
                         detail::MultiplyIntoTwo<Scalar, Space>{{alpha, d, r, z}, copy});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, copy, double)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, copy, float)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, axpby)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, scale)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, multiply)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, multiply_into_two)

}  // namespace tessera::kernels
