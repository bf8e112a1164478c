// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/component_nullspace.hpp"

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/components.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

namespace tessera::detail {

/// Marks a component by its label where A v is not zero in one of its rows.
template <class Scalar, class Space, class Offset>
struct MarkRegular {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Scalar, Space> v;
  ArrayView<const Ordinal, Space> label;
  ArrayView<int, Space> regular;
  double tolerance;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double sum = 0, size = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double term = static_cast<double>(A.values(e)) * static_cast<double>(v(A.columns(e)));
      sum += term;
      size += Kokkos::fabs(term);
    }
    // Negated, for they may be NaNs.
    const bool annihilated = Kokkos::fabs(sum) <= tolerance * size && v(i) != 0;
    if (!annihilated) kernels::store_relaxed(&regular(label(i)), 1);
  }
};

struct ComponentCounts {
  double components = 0;
  double rows = 0;

  KOKKOS_FUNCTION ComponentCounts& operator+=(const ComponentCounts& o) {
    components += o.components;
    rows += o.rows;
    return *this;
  }
};

/// Counts components that are not marked, and their rows.
template <class Space>
struct CountSingular {
  ArrayView<const Ordinal, Space> label;
  ArrayView<const int, Space> regular;

  KOKKOS_FUNCTION void operator()(const std::size_t i, ComponentCounts& sum) const {
    const bool singular = regular(label(i)) == 0;
    sum.rows += singular;
    sum.components += singular && label(i) == static_cast<Ordinal>(i);
  }
};

template <class Space>
struct UnlabelRegular {
  ArrayView<Ordinal, Space> label;
  ArrayView<const int, Space> regular;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (regular(label(i)) != 0) label(i) = -1;
  }
};

template <class Scalar, class Space>
struct WriteNearNullspaceVector {
  ArrayView<const Ordinal, Space> label;
  ArrayView<const Scalar, Space> weight;
  ArrayView<const Scalar, Space> elsewhere;
  MultiVectorView<Scalar, Space> near_nullspace_vector;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    constexpr auto faint = static_cast<Scalar>(0x1p-40);
    if (label(i) >= 0) {
      near_nullspace_vector(i, 0) = weight(i);
    } else {
      near_nullspace_vector(i, 0) = elsewhere.extent(0) == 0 ? faint : faint * elsewhere(i);
    }
  }
};

template <class Scalar, class Space, class Offset>
ComponentNullspace<Scalar, Space> singular_components(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Array<Scalar, Space>>& v, double tolerance) {
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>> rows(exec, 0, A.num_rows);
  ComponentNullspace<Scalar, Space> found;
  if (A.num_rows == 0) return found;
  found.is_constant = v.extent(0) == 0;
  found.weight = v;
  if (found.is_constant) {
    found.weight = allocate<Scalar>(exec, "tessera::nullspace::weight", A.num_rows);
    Kokkos::deep_copy(exec, found.weight, Scalar(1));
  }
  found.label = kernels::connected_components(exec, A);
  const auto regular = allocate<int>(exec, "tessera::nullspace::regular", A.num_rows);
  Kokkos::deep_copy(exec, regular, 0);
  Kokkos::parallel_for(
      "tessera::nullspace::mark_regular", rows,
      MarkRegular<Scalar, Space, Offset>{A, found.weight, found.label, regular, tolerance});
  const auto counts =
      kernels::ordered_sum<ComponentCounts>(exec, "tessera::nullspace::count_singular", A.num_rows,
                                            CountSingular<Space>{found.label, regular});
  found.num_components = static_cast<Ordinal>(counts.components);
  found.num_rows = static_cast<Ordinal>(counts.rows);
  if (found.empty()) return {};
  Kokkos::parallel_for("tessera::nullspace::unlabel_regular", rows,
                       UnlabelRegular<Space>{found.label, regular});
  return found;
}

template <class Scalar, class Space>
MultiVector<Scalar, Space> near_nullspace_vector_of(
    const Space& exec, const ComponentNullspace<Scalar, Space>& nullspace) {
  const auto n = static_cast<Ordinal>(nullspace.label.extent(0));
  const auto near_nullspace_vector =
      allocate_multivector<Scalar>(exec, "tessera::near_nullspace", n, 1);
  Kokkos::parallel_for(
      "tessera::nullspace::near_nullspace",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, n),
      WriteNearNullspaceVector<Scalar, Space>{nullspace.label, nullspace.weight,
                                              nullspace.elsewhere, near_nullspace_vector});
  return near_nullspace_vector;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, near_nullspace_vector_of)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, singular_components)

}  // namespace tessera::detail
