// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/strength.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/offsets.hpp"

namespace tessera::kernels {

/// A vertex whose diagonal outweighs its couplings by this factor is isolated: relaxation alone
/// solves it, as the penalty that many codes fix Dirichlet values by.
inline constexpr double dominance = 10;

/// Visits the strong neighbours of a vertex, one unknown a vertex. Squares are compared, so that
/// ties are exact where the entries are; in double, so that squares of floats stay finite.
template <class Scalar, class Space, class Offset>
struct ScalarStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scale;  ///< empty where theta_squared is 0
  double theta_squared;

  /// The scale of vertex i with the sign of its diagonal; infinite where the diagonal outweighs all
  /// couplings together, so that none of them is strong.
  KOKKOS_FUNCTION double measure(Ordinal i, StrengthMeasure measure) const {
    double diagonal = 0;
    double least = 0;
    double greatest = 0;
    double sum = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const auto value = static_cast<double>(A.values(k));
      if (A.columns(k) == i) {
        diagonal += value;
      } else {
        sum += Kokkos::abs(value);
        least = Kokkos::min(least, value);
        greatest = Kokkos::max(greatest, value);
      }
    }
    const double sign = diagonal < 0 ? -1 : 1;
    if (Kokkos::abs(diagonal) > dominance * sum) {
      return sign * Kokkos::Experimental::infinity_v<double>;
    }
    if (measure == StrengthMeasure::diagonal) return diagonal;
    return diagonal < 0 ? -greatest : -least;
  }

  KOKKOS_FUNCTION bool strong(Ordinal i, Ordinal j, double value) const {
    if (theta_squared == 0) return value != 0;
    return is_strong(value, scale(i), scale(j), theta_squared);
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal i, const Visit& visit) const {
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      if (j != i && strong(i, j, static_cast<double>(A.values(k)))) visit(j);
    }
  }
};

/// The same for nodes of `block_size` unknowns: column sets of a node's rows are merged and the
/// squares of each block's entries summed, 32 neighbours at a time.
template <class Scalar, class Space, class Offset>
struct NodeStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scale;  ///< empty where theta_squared is 0
  double theta_squared;
  Ordinal block_size;

  static constexpr int capacity = 32;
  using Batch = SortedBatch<capacity>;

  KOKKOS_FUNCTION double measure(Ordinal node, StrengthMeasure measure) const {
    return measure == StrengthMeasure::diagonal ? diagonal(node) : largest(node);
  }

  KOKKOS_FUNCTION double diagonal(Ordinal node) const {
    double sum = 0;
    for (Offset k = begin(node); k < end(node); ++k) {
      if (A.columns(k) / block_size == node) sum += square(k);
    }
    return Kokkos::sqrt(sum);
  }

  KOKKOS_FUNCTION double largest(Ordinal node) const {
    double value = 0;
    Batch batch;
    do {
      collect(node, batch);
      double norm_squared[capacity];
      sum_squares(node, batch, norm_squared);
      for (int at = 0; at < batch.size(); ++at)
        value = Kokkos::max(value, norm_squared[at]);
    } while (batch.overflown());
    return Kokkos::sqrt(value);
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal node, const Visit& visit) const {
    Batch batch;
    do {
      collect(node, batch);
      double norm_squared[capacity];
      if (theta_squared > 0) sum_squares(node, batch, norm_squared);
      for (int at = 0; at < batch.size(); ++at) {
        const Ordinal j = batch.key(at);
        if (theta_squared == 0 || norm_squared[at] > theta_squared * (scale(node) * scale(j))) {
          visit(j);
        }
      }
    } while (batch.overflown());
  }

 private:
  KOKKOS_FUNCTION Offset begin(Ordinal node) const { return A.offsets(node * block_size); }
  KOKKOS_FUNCTION Offset end(Ordinal node) const { return A.offsets((node + 1) * block_size); }
  KOKKOS_FUNCTION double square(Offset k) const {
    const auto value = static_cast<double>(A.values(k));
    return value * value;
  }

  /// The next neighbours of `node`.
  KOKKOS_FUNCTION void collect(Ordinal node, Batch& batch) const {
    batch.next();
    for (Offset k = begin(node); k < end(node); ++k) {
      const Ordinal j = A.columns(k) / block_size;
      if (j != node && A.values(k) != Scalar(0)) batch.insert(j);
    }
  }

  KOKKOS_FUNCTION void sum_squares(Ordinal node, const Batch& batch, double* sums) const {
    for (int at = 0; at < batch.size(); ++at)
      sums[at] = 0;
    for (Offset k = begin(node); k < end(node); ++k) {
      const int at = batch.find(A.columns(k) / block_size);
      if (at >= 0) sums[at] += square(k);
    }
  }
};

template <class Offset>
struct CountStrong {
  Offset& count;
  KOKKOS_FUNCTION void operator()(Ordinal) const { ++count; }
};

struct StoreStrong {
  Ordinal*& next;
  KOKKOS_FUNCTION void operator()(Ordinal j) const { *next++ = j; }
};

/// The scale of a hub, against which no coupling is strong.
inline constexpr double hub_scale = Kokkos::Experimental::infinity_v<double>;

template <class Space, class Strength, class Hub>
void store_scale(const Space& exec, const Strength& strength, StrengthMeasure measure,
                 const Hub& is_hub, const Array<double, Space>& scale) {
  Kokkos::parallel_for(
      "tessera::strength::scale", Kokkos::RangePolicy<Space>(exec, 0, scale.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        scale(i) = is_hub(i) ? hub_scale : strength.measure(i, measure);
      });
}

/// Count, scan, fill. The row of a hub is not read.
template <class Space, class Offset, class Strength>
Graph<Space, Offset> strong_graph(const Space& exec, Ordinal num_vertices,
                                  const Strength& strength) {
  const Kokkos::RangePolicy<Space> vertices(exec, 0, num_vertices);
  auto offsets = allocate<Offset>(exec, "tessera::strength::offsets", num_vertices + 1);
  Kokkos::parallel_for(
      "tessera::strength::count", vertices, KOKKOS_LAMBDA(const Ordinal i) {
        const bool is_hub = strength.theta_squared > 0 && strength.scale(i) == hub_scale;
        Offset count = 0;
        if (!is_hub) strength.for_each_strong(i, CountStrong<Offset>{count});
        offsets(i) = count;
      });
  const std::size_t num_edges = counts_to_offsets<Offset, Space>(exec, offsets);
  auto columns = allocate<Ordinal>(exec, "tessera::strength::columns", num_edges);
  Kokkos::parallel_for(
      "tessera::strength::fill", vertices, KOKKOS_LAMBDA(const Ordinal i) {
        if (offsets(i) == offsets(i + 1)) return;
        Ordinal* next = columns.data() + offsets(i);
        strength.for_each_strong(i, StoreStrong{next});
      });
  return {num_vertices, offsets, columns};
}

template <class Scalar, class Space, class Offset>
void require_vertices(const CsrView<Scalar, Space, Offset>& A, int block_size) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix";
  });
  require(block_size > 0 && A.num_rows % block_size == 0, [&] {
    return "block_size = " + std::to_string(block_size) + "; expected a divisor of the " +
           std::to_string(A.num_rows) + " rows";
  });
}

template <class Scalar, class Space, class Offset>
Array<double, Space> coupling_scale(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    StrengthMeasure measure, int block_size,
                                    std::size_t longest_row) {
  require_vertices(A, block_size);
  const HubTest<Space, Offset> is_hub{A.offsets, block_size, longest_row};
  const auto scale = allocate<double>(exec, "tessera::strength::scale", A.num_rows / block_size);
  if (block_size == 1) {
    store_scale(exec, ScalarStrength<Scalar, Space, Offset>{A, {}, 0.0}, measure, is_hub, scale);
  } else {
    store_scale(exec, NodeStrength<Scalar, Space, Offset>{A, {}, 0.0, block_size}, measure, is_hub,
                scale);
  }
  return scale;
}

template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            const NonDeduced<ArrayView<const double, Space>>& scale,
                                            int block_size) {
  require_vertices(A, block_size);
  require(theta >= 0, [&] { return "theta = " + std::to_string(theta) + "; expected >= 0"; });
  const Ordinal num_vertices = A.num_rows / block_size;
  require(theta == 0 || scale.extent(0) == static_cast<std::size_t>(num_vertices), [&] {
    return "scale has " + std::to_string(scale.extent(0)) + " entries; expected one for each of " +
           std::to_string(num_vertices) + " vertices";
  });
  const double theta_squared = theta * theta;
  if (block_size == 1) {
    return strong_graph<Space, Offset>(
        exec, num_vertices, ScalarStrength<Scalar, Space, Offset>{A, scale, theta_squared});
  }
  return strong_graph<Space, Offset>(
      exec, num_vertices, NodeStrength<Scalar, Space, Offset>{A, scale, theta_squared, block_size});
}

template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            int block_size) {
  Array<double, Space> scale;
  if (theta > 0) scale = coupling_scale(exec, A, StrengthMeasure::diagonal, block_size);
  return strength_of_connection(exec, A, theta, scale, block_size);
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                             \
  template Array<double, SPACE> coupling_scale(                                                \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, StrengthMeasure, int, std::size_t); \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double,                             \
      const NonDeduced<ArrayView<const double, SPACE>>&, int);                                 \
  template Graph<SPACE, OFFSET> strength_of_connection(                                        \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, double, int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
