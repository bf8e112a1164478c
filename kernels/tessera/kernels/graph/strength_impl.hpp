// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of strength_of_connection.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/graph/offsets.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"
#include "tessera/kernels/graph/strength.hpp"

namespace tessera::kernels {

/// Visits the strong neighbours of a vertex, one unknown a vertex. Squares are compared, so that
/// ties are exact where the entries are; in double, so that squares of floats stay finite.
template <class Scalar, class Space, class Offset>
struct ScalarStrength {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> diagonal_norm;  ///< empty where theta_squared is 0
  double theta_squared;

  KOKKOS_FUNCTION double diagonal(Ordinal i) const {
    double value = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (A.columns(k) == i) value += static_cast<double>(A.values(k));
    }
    return Kokkos::abs(value);
  }

  KOKKOS_FUNCTION bool strong(Ordinal i, Ordinal j, double value) const {
    if (value == 0) return false;
    if (theta_squared == 0) return true;
    return value * value > theta_squared * (diagonal_norm(i) * diagonal_norm(j));
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
  ArrayView<const double, Space> diagonal_norm;  ///< empty where theta_squared is 0
  double theta_squared;
  Ordinal block_size;

  KOKKOS_FUNCTION double diagonal(Ordinal node) const {
    double sum = 0;
    for (Offset k = begin(node); k < end(node); ++k) {
      if (A.columns(k) / block_size == node) sum += square(k);
    }
    return Kokkos::sqrt(sum);
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_each_strong(Ordinal node, const Visit& visit) const {
    constexpr int capacity = 32;
    SortedBatch<capacity> batch;
    do {
      batch.next();
      for (Offset k = begin(node); k < end(node); ++k) {
        const Ordinal j = A.columns(k) / block_size;
        if (j != node && A.values(k) != Scalar(0)) batch.insert(j);
      }
      double norm_squared[capacity];
      if (theta_squared > 0) sum_squares(node, batch, norm_squared);
      for (int at = 0; at < batch.size(); ++at) {
        const Ordinal j = batch.key(at);
        if (theta_squared == 0 ||
            norm_squared[at] > theta_squared * (diagonal_norm(node) * diagonal_norm(j))) {
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

  template <int Capacity>
  KOKKOS_FUNCTION void sum_squares(Ordinal node, const SortedBatch<Capacity>& batch,
                                   double* sums) const {
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

template <class Space, class Strength>
void store_diagonal_norms(const Space& exec, const Strength& strength,
                          const Array<double, Space>& norms) {
  Kokkos::parallel_for(
      "tessera::strength::diagonal", Kokkos::RangePolicy<Space>(exec, 0, norms.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) { norms(i) = strength.diagonal(i); });
}

/// Count, scan, fill.
template <class Space, class Offset, class Strength>
Graph<Space, Offset> strong_graph(const Space& exec, Ordinal num_vertices,
                                  const Strength& strength) {
  const Kokkos::RangePolicy<Space> vertices(exec, 0, num_vertices);
  auto offsets = allocate<Offset>(exec, "tessera::strength::offsets", num_vertices + 1);
  Kokkos::parallel_for(
      "tessera::strength::count", vertices, KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        strength.for_each_strong(i, CountStrong<Offset>{count});
        offsets(i) = count;
      });
  const std::size_t num_edges = counts_to_offsets(exec, offsets);
  auto columns = allocate<Ordinal>(exec, "tessera::strength::columns", num_edges);
  Kokkos::parallel_for(
      "tessera::strength::fill", vertices, KOKKOS_LAMBDA(const Ordinal i) {
        Ordinal* next = columns.data() + offsets(i);
        strength.for_each_strong(i, StoreStrong{next});
      });
  return {num_vertices, offsets, columns};
}

template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            int block_size) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           "; expected a square matrix";
  });
  require(theta >= 0, [&] { return "theta = " + std::to_string(theta) + "; expected >= 0"; });
  require(block_size > 0 && A.num_rows % block_size == 0, [&] {
    return "block_size = " + std::to_string(block_size) + "; expected a divisor of the " +
           std::to_string(A.num_rows) + " rows";
  });
  const Ordinal num_vertices = A.num_rows / block_size;
  Array<double, Space> norms;
  if (theta > 0) norms = allocate<double>(exec, "tessera::strength::diagonal", num_vertices);
  const double theta_squared = theta * theta;
  if (block_size == 1) {
    const ScalarStrength<Scalar, Space, Offset> strength{A, norms, theta_squared};
    store_diagonal_norms(exec, strength, norms);
    return strong_graph<Space, Offset>(exec, num_vertices, strength);
  }
  const NodeStrength<Scalar, Space, Offset> strength{A, norms, theta_squared, block_size};
  store_diagonal_norms(exec, strength, norms);
  return strong_graph<Space, Offset>(exec, num_vertices, strength);
}

}  // namespace tessera::kernels
