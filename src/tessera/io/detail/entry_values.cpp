// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/entry_values.hpp"

#include <limits>

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::detail {

template <class Space, class Offset>
struct FindDuplicate {
  SortedEntries<Space, Offset> sorted;

  KOKKOS_FUNCTION void operator()(Ordinal row, Offset& first) const {
    for (Offset k = sorted.offsets(row) + 1; k < sorted.offsets(row + 1) && k < first; ++k) {
      if (sorted.columns(k) == sorted.columns(k - 1)) first = k;
    }
  }
};

template <class Scalar, class Space, class Offset>
struct GatherValues {
  Array<Offset, Space> sources;
  ArrayView<const Scalar, Space> listed;
  Scalar mirror_sign;
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    const Offset source = sources(k);
    values(k) = source >= 0 ? listed(source) : mirror_sign * listed(-1 - source);
  }
};

template <class Space, class Offset>
struct CountDistinct {
  SortedEntries<Space, Offset> sorted;
  Array<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Offset& sum, bool final) const {
    if (final) offsets(row) = sum;
    if (static_cast<std::size_t>(row) + 1 == offsets.extent(0)) return;
    const Offset begin = sorted.offsets(row);
    for (Offset k = begin; k < sorted.offsets(row + 1); ++k) {
      sum += k == begin || sorted.columns(k) != sorted.columns(k - 1) ? 1 : 0;
    }
  }
};

template <class Scalar, class Space, class Offset>
struct SumRuns {
  SortedEntries<Space, Offset> sorted;
  Array<Scalar, Space> values;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> sums;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    Offset to = offsets(row) - 1;
    const Offset begin = sorted.offsets(row);
    for (Offset k = begin; k < sorted.offsets(row + 1); ++k) {
      if (k == begin || sorted.columns(k) != sorted.columns(k - 1)) {
        ++to;
        columns(to) = sorted.columns(k);
        sums(to) = values(k);
      } else {
        sums(to) += values(k);
      }
    }
  }
};

template <class Space, class Offset>
std::optional<std::size_t> find_duplicate(const Space& exec,
                                          const SortedEntries<Space, Offset>& sorted) {
  const auto num_rows = static_cast<Ordinal>(sorted.offsets.extent(0) - 1);
  constexpr Offset none = std::numeric_limits<Offset>::max();
  Offset first = none;
  Kokkos::parallel_reduce("tessera::io::find_duplicate",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, num_rows),
                          FindDuplicate<Space, Offset>{sorted}, Kokkos::Min<Offset>(first));
  if (num_rows == 0 || first == none) return std::nullopt;
  Offset source = 0;
  Kokkos::deep_copy(exec, source, Kokkos::subview(sorted.sources, first));
  exec.fence("tessera::io: the duplicate's number");
  return static_cast<std::size_t>(source < 0 ? -1 - source : source);
}

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> gather_values(const Space& exec, const SortedEntries<Space, Offset>& sorted,
                                   const ArrayView<const Scalar, Space>& listed,
                                   Scalar mirror_sign) {
  const std::size_t size = sorted.sources.extent(0);
  const auto values = allocate<Scalar>(exec, "tessera::io::values", size);
  Kokkos::parallel_for(
      "tessera::io::gather_values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, size),
      GatherValues<Scalar, Space, Offset>{sorted.sources, listed, mirror_sign, values});
  return values;
}

template <class Scalar, class Space, class Offset>
void sum_duplicates(const Space& exec, SortedEntries<Space, Offset>& sorted,
                    Array<Scalar, Space>& values) {
  const std::size_t length = sorted.offsets.extent(0);
  const auto num_rows = static_cast<Ordinal>(length - 1);
  const auto offsets = allocate<Offset>(exec, "tessera::io::offsets", length);
  Offset size = 0;
  Kokkos::parallel_scan("tessera::io::count_distinct",
                        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, length),
                        CountDistinct<Space, Offset>{sorted, offsets}, size);
  const auto columns = allocate<Ordinal>(exec, "tessera::io::columns", size);
  const auto sums = allocate<Scalar>(exec, "tessera::io::values", size);
  Kokkos::parallel_for("tessera::io::sum_runs",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, num_rows),
                       SumRuns<Scalar, Space, Offset>{sorted, values, offsets, columns, sums});
  exec.fence("tessera::io: duplicates are summed");  // before the old arrays go
  sorted.offsets = offsets;
  sorted.columns = columns;
  values = sums;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, find_duplicate)

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, gather_values)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sum_duplicates)

}  // namespace tessera::detail
