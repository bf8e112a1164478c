// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/node_splitting.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// The place of `column` in an ascending row, or its end.
template <class Space, class Offset>
KOKKOS_INLINE_FUNCTION Offset place_in(const ArrayView<const Ordinal, Space>& columns, Offset begin,
                                       Offset end, Ordinal column) {
  Offset low = begin;
  Offset high = end;
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    if (columns(middle) < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && columns(low) == column ? low : end;
}

/// Columns of a node's row: its neighbours, and itself in between.
template <class Space, class Offset>
struct ColumnsOfNode {
  kernels::Graph<Space, Offset> neighbours;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;

  KOKKOS_FUNCTION void operator()(Ordinal node) const {
    Offset at = offsets(node);
    bool is_placed = false;
    for (Offset e = neighbours.offsets(node); e < neighbours.offsets(node + 1); ++e) {
      const Ordinal other = neighbours.columns(e);
      if (!is_placed && other > node) {
        columns(at++) = node;
        is_placed = true;
      }
      columns(at++) = other;
    }
    if (!is_placed) columns(at) = node;
  }
};

template <class Scalar, class Space, class Offset>
struct NormsOfNode {
  kernels::CsrView<Scalar, Space, Offset> A;
  int block_size;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<double, Space> squares;
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal node) const {
    const Offset begin = offsets(node);
    const Offset end = offsets(node + 1);
    for (Offset e = begin; e < end; ++e)
      squares(e) = 0;
    for (Ordinal i = node * block_size; i < (node + 1) * block_size; ++i) {
      for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
        const auto value = static_cast<double>(A.values(e));
        const Offset at = place_in<Space>(columns, begin, end, A.columns(e) / block_size);
        if (at < end) squares(at) += value * value;
      }
    }
    double beside = 0;
    Offset own = begin;
    for (Offset e = begin; e < end; ++e) {
      const double norm = Kokkos::sqrt(squares(e));
      values(e) = static_cast<Scalar>(-norm);
      if (columns(e) == node) {
        own = e;
      } else {
        beside += norm;
      }
    }
    const double norm = Kokkos::sqrt(squares(own));
    values(own) = static_cast<Scalar>(norm > 0 ? Kokkos::max(norm, beside) : 0);
  }
};

/// Whether entry `e` of row i of `part` is a strong coupling.
template <class Scalar, class Space, class Offset>
struct IsStrongInNodes {
  kernels::CsrView<Scalar, Space, Offset> part;
  kernels::Graph<Space, Offset> strong;
  int block_size;
  bool by_sign;

  KOKKOS_FUNCTION double diagonal(Ordinal i) const {
    double sum = 0;
    for (Offset e = part.offsets(i); e < part.offsets(i + 1); ++e)
      if (part.columns(e) == i) sum += static_cast<double>(part.values(e));
    return sum;
  }

  KOKKOS_FUNCTION bool operator()(Ordinal i, double diagonal, Offset e) const {
    const Ordinal node = i / block_size;
    const auto value = static_cast<double>(part.values(e));
    if (part.columns(e) == i || value == 0 || (by_sign && !(value * diagonal < 0))) return false;
    const Offset end = strong.offsets(node + 1);
    return place_in<Space>(strong.columns, strong.offsets(node), end,
                           part.columns(e) / block_size) < end;
  }
};

template <class Scalar, class Space, class Offset>
struct CountInNodes {
  IsStrongInNodes<Scalar, Space, Offset> is_strong;
  Array<Offset, Space> counts;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const auto& part = is_strong.part;
    const double diagonal = is_strong.diagonal(i);
    Offset count = 0;
    for (Offset e = part.offsets(i); e < part.offsets(i + 1); ++e)
      if (is_strong(i, diagonal, e)) ++count;
    counts(i) = count;
  }
};

template <class Scalar, class Space, class Offset>
struct ListInNodes {
  IsStrongInNodes<Scalar, Space, Offset> is_strong;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const auto& part = is_strong.part;
    const double diagonal = is_strong.diagonal(i);
    Offset at = offsets(i);
    for (Offset e = part.offsets(i); e < part.offsets(i + 1); ++e)
      if (is_strong(i, diagonal, e)) columns(at++) = part.columns(e);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> block_norms(const Space& exec,
                                                const kernels::CsrView<Scalar, Space, Offset>& A,
                                                int block_size) {
  // With a threshold of zero each block that is not zero.
  const kernels::Graph<Space, Offset> neighbours =
      kernels::strength_of_connection(exec, A, 0.0, {}, block_size);
  const Ordinal n = neighbours.num_nodes;
  const std::size_t total = neighbours.num_edges() + n;
  kernels::require_countable<Offset>(static_cast<std::int64_t>(total), "the matrix of nodes");
  const auto offsets = allocate<Offset>(exec, "tessera::nodes::offsets", n + 1ul);
  const auto columns = allocate<Ordinal>(exec, "tessera::nodes::columns", total);
  const auto squares = allocate<double>(exec, "tessera::nodes::squares", total);
  const auto values = allocate<Scalar>(exec, "tessera::nodes::norms", total);
  Kokkos::parallel_for(
      "tessera::nodes::offsets", Kokkos::RangePolicy<Space>(exec, 0, n + 1ul),
      KOKKOS_LAMBDA(const Ordinal node) {
        offsets(node) = neighbours.offsets(node) + static_cast<Offset>(node);
      });
  const Kokkos::RangePolicy<Space> nodes(exec, 0, n);
  Kokkos::parallel_for("tessera::nodes::columns", nodes,
                       detail::ColumnsOfNode<Space, Offset>{neighbours, offsets, columns});
  Kokkos::parallel_for(
      "tessera::nodes::norms", nodes,
      detail::NormsOfNode<Scalar, Space, Offset>{A, block_size, offsets, columns, squares, values});
  return {n, n, offsets, columns, values};
}

template <class Space>
Splitting<Space> unknowns_of_nodes(const Space& exec, const Splitting<Space>& nodes,
                                   int block_size) {
  const auto number = nodes.coarse_number;
  const std::size_t n = number.extent(0) * block_size;
  const auto of_unknowns = allocate<Ordinal>(exec, "tessera::nodes::coarse_number", n);
  Kokkos::parallel_for(
      "tessera::nodes::coarse_number", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal node = number(i / block_size);
        of_unknowns(i) = node < 0 ? -1 : node * block_size + i % block_size;
      });
  return {of_unknowns, nodes.num_coarse * block_size};
}

template <class Scalar, class Space, class Offset>
kernels::Graph<Space, Offset> strong_in_nodes(const Space& exec,
                                              const kernels::CsrView<Scalar, Space, Offset>& part,
                                              const kernels::Graph<Space, Offset>& strong,
                                              int block_size, bool by_sign) {
  const Ordinal n = part.num_rows;
  const detail::IsStrongInNodes<Scalar, Space, Offset> is_strong{part, strong, block_size, by_sign};
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  const auto offsets = allocate<Offset>(exec, "tessera::nodes::offsets", n + 1ul);
  Kokkos::parallel_for("tessera::nodes::count_strong", rows,
                       detail::CountInNodes<Scalar, Space, Offset>{is_strong, offsets});
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::nodes::columns", total);
  Kokkos::parallel_for("tessera::nodes::list_strong", rows,
                       detail::ListInNodes<Scalar, Space, Offset>{is_strong, offsets, columns});
  return {n, offsets, columns};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, block_norms)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, unknowns_of_nodes)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, strong_in_nodes)

}  // namespace tessera::amg
