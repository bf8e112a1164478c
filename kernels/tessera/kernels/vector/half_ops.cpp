// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/half_ops.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

struct NothingElse {};

template <class From, class To, class Space>
struct HalfCopy {
  ConstMultiVectorView<From, Space> x;
  MultiVectorView<To, Space> y;

  KOKKOS_FUNCTION NothingElse coefficients(int) const { return {}; }
  KOKKOS_FUNCTION From load(Ordinal i, int j) const { return x(i, j); }
  KOKKOS_FUNCTION void use(Ordinal i, int j, NothingElse, From entry) const {
    y(i, j) = static_cast<To>(entry);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, NothingElse) const {
    use(i, j, {}, load(i, j));
  }
};

template <class Space>
struct HalfAdd {
  ConstMultiVectorView<Half, Space> x;
  MultiVectorView<Half, Space> y;

  KOKKOS_FUNCTION NothingElse coefficients(int) const { return {}; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, NothingElse) const {
    y(i, j) = Half(static_cast<float>(x(i, j)) + static_cast<float>(y(i, j)));
  }
};

template <class Space>
struct HalfMultiply {
  float alpha;
  ArrayView<const float, Space> d;
  ConstMultiVectorView<Half, Space> r;
  MultiVectorView<Half, Space> z;

  KOKKOS_FUNCTION NothingElse coefficients(int) const { return {}; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, NothingElse) const {
    z(i, j) = Half(alpha * d(i) * static_cast<float>(r(i, j)));
  }
};

}  // namespace detail

template <class Space>
void half_copy(const Space& exec, const NonDeduced<ConstMultiVectorView<float, Space>>& x,
               const NonDeduced<MultiVectorView<Half, Space>>& y) {
  detail::require_same_shape("x", x, y);
  detail::for_each_entry(exec, "tessera::vector::half_copy", detail::rows_of(y),
                         detail::columns_of(y), detail::HalfCopy<float, Half, Space>{x, y});
}

template <class Space>
void half_copy(const Space& exec, const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
               const NonDeduced<MultiVectorView<float, Space>>& y) {
  detail::require_same_shape("x", x, y);
  detail::for_each_entry(exec, "tessera::vector::half_copy", detail::rows_of(y),
                         detail::columns_of(y), detail::HalfCopy<Half, float, Space>{x, y});
}

template <class Space>
void half_add(const Space& exec, const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
              const NonDeduced<MultiVectorView<Half, Space>>& y) {
  detail::require_same_shape("x", x, y);
  detail::for_each_entry(exec, "tessera::vector::half_add", detail::rows_of(y),
                         detail::columns_of(y), detail::HalfAdd<Space>{x, y});
}

template <class Space>
void half_multiply(const Space& exec, float alpha,
                   const NonDeduced<ArrayView<const float, Space>>& d,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& r,
                   const NonDeduced<MultiVectorView<Half, Space>>& z) {
  detail::require_same_shape("r", r, z);
  detail::require_length("d", d.extent(0), z.extent(0));
  detail::for_each_entry(exec, "tessera::vector::half_multiply", detail::rows_of(z),
                         detail::columns_of(z), detail::HalfMultiply<Space>{alpha, d, r, z});
}

#define TESSERA_INSTANTIATE(Space)                                                       \
  template void half_copy(const Space&, const ConstMultiVectorView<float, Space>&,       \
                          const MultiVectorView<Half, Space>&);                          \
  template void half_copy(const Space&, const ConstMultiVectorView<Half, Space>&,        \
                          const MultiVectorView<float, Space>&);                         \
  template void half_add(const Space&, const ConstMultiVectorView<Half, Space>&,         \
                         const MultiVectorView<Half, Space>&);                           \
  template void half_multiply(const Space&, float, const ArrayView<const float, Space>&, \
                              const ConstMultiVectorView<Half, Space>&,                  \
                              const MultiVectorView<Half, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
