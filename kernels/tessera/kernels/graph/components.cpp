// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/components.hpp"

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

/// Labels never rise, and are rows of their own component that are no greater than the row: so
/// that what a thread reads late is still a valid label.
template <class Scalar, class Space, class Offset>
struct HookToLeast {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<Ordinal, Space> label;

  KOKKOS_FUNCTION void operator()(Ordinal i, int& changed) const {
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      if (j == i || static_cast<double>(A.values(e)) == 0) continue;
      const Ordinal own = load_relaxed(&label(i));
      const Ordinal other = load_relaxed(&label(j));
      if (own == other) continue;
      changed = 1;
      const Ordinal least = own < other ? own : other;
      const Ordinal greatest = own < other ? other : own;
      Kokkos::atomic_min(&label(greatest), least);
      Kokkos::atomic_min(&label(i), least);
      Kokkos::atomic_min(&label(j), least);
    }
  }
};

template <class Space>
struct FollowToRoot {
  ArrayView<Ordinal, Space> label;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    Ordinal root = load_relaxed(&label(i));
    for (Ordinal next = load_relaxed(&label(root)); next != root; next = load_relaxed(&label(root)))
      root = next;
    store_relaxed(&label(i), root);
  }
};

template <class Space>
struct LabelByRow {
  ArrayView<Ordinal, Space> label;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { label(i) = i; }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<Ordinal, Space> connected_components(const Space& exec,
                                           const CsrView<Scalar, Space, Offset>& A) {
  const auto label = allocate<Ordinal>(exec, "tessera::graph::components", A.num_rows);
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>> rows(exec, 0, A.num_rows);
  Kokkos::parallel_for("tessera::graph::label_by_row", rows, detail::LabelByRow<Space>{label});
  for (int changed = A.num_rows > 0 ? 1 : 0; changed != 0;) {
    Kokkos::parallel_reduce("tessera::graph::hook_to_least", rows,
                            detail::HookToLeast<Scalar, Space, Offset>{A, label},
                            Kokkos::Max<int>(changed));
    // Where nothing changed, each maximum is that over nothing: the least int.
    if (changed != 1) break;
    Kokkos::parallel_for("tessera::graph::follow_to_root", rows,
                         detail::FollowToRoot<Space>{label});
  }
  return label;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, connected_components)

}  // namespace tessera::kernels
