// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/matrix/symmetry_probe.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

namespace tessera {
namespace detail {

/// The larger of the two, a where b is a NaN. On hosts fmax is a call for each entry.
KOKKOS_INLINE_FUNCTION double larger_of(double a, double b) {
  KOKKOS_IF_ON_DEVICE((return Kokkos::fmax(a, b);))
  KOKKOS_IF_ON_HOST((return b > a ? b : a;))
}

/// A number on the device.
template <class Space>
using DeviceDouble = Kokkos::View<double, typename Space::memory_space>;

/// sizes(i): the magnitude of row i's diagonal entry or, where that is zero, of its largest one.
template <class Scalar, class Space, class Offset>
struct FindRowSizes {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<double, Space> sizes;

  KOKKOS_FUNCTION void operator()(const Ordinal i, double& most) const {
    find(kernels::LaneGroup(1, 0), i, most);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i, double& most) const {
    find(group, i, most);
  }

 private:
  KOKKOS_FUNCTION void find(const kernels::LaneGroup& group, Ordinal i, double& most) const {
    const Offset end = i < 0 ? 0 : A.offsets(i + 1);
    double diagonal = 0;
    double largest = 0;
    for (Offset k = (i < 0 ? 0 : A.offsets(i)) + group.lane(); k < end; k += group.size()) {
      const double size = Kokkos::fabs(static_cast<double>(A.values(k)));
      largest = larger_of(largest, size);
      if (A.columns(k) == i) diagonal = size;
    }
    const auto larger = [](double a, double b) { return Kokkos::fmax(a, b); };
    diagonal = group.reduce(diagonal, larger);
    largest = group.reduce(largest, larger);
    if (i >= 0 && group.lane() == 0) sizes(i) = diagonal > 0 ? diagonal : largest;
    most = larger_of(most, largest);
  }
};

/// `of_all`: the largest of all magnitudes.
template <class Scalar, class Space, class Offset>
void find_row_sizes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const ArrayView<double, Space>& sizes, const DeviceDouble<Space>& of_all) {
  const char* const label = "tessera::symmetry_probe::sizes";
  const FindRowSizes<Scalar, Space, Offset> find{A, sizes};
  const Kokkos::Max<double, typename Space::memory_space> largest(of_all);
  const int lanes = kernels::lanes_per_row(A);
  if (lanes == 0) {
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), find, largest);
  } else {
    kernels::sum_of_rows<double>(exec, label, A.num_rows, lanes, find, largest);
  }
}

/// In place of sizes, scales(i) = 1 / sqrt(sizes(i)). A row of zeros is scaled as one of the
/// matrix's largest entry: what other rows hold in its column is then as small as it is beside
/// that.
template <class Space>
void scale_by_sizes(const Space& exec, const ArrayView<double, Space>& scales,
                    const DeviceDouble<Space>& of_all) {
  Kokkos::parallel_for(
      "tessera::symmetry_probe::scales", Kokkos::RangePolicy<Space>(exec, 0, scales.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const double size = scales(i) > 0 ? scales(i) : of_all();
        scales(i) = size > 0 ? 1 / Kokkos::sqrt(size) : 1;
      });
}

/// The probes S u and S v: S is `scales` over the root of the largest entry that they leave in the
/// row. A diagonal far below the couplings would else make them the largest of all.
template <class Scalar, class Space, class Offset>
struct FillProbes {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const double, Space> scales;
  MultiVectorView<Scalar, Space> probes;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    double largest = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      largest = larger_of(largest, scaled_entry(i, k));
    fill(i, largest);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    const Offset begin = i < 0 ? 0 : A.offsets(i);
    const Offset end = i < 0 ? 0 : A.offsets(i + 1);
    double largest = 0;
    for (Offset k = begin + group.lane(); k < end; k += group.size())
      largest = larger_of(largest, scaled_entry(i, k));
    largest = group.reduce(largest, [](double a, double b) { return Kokkos::fmax(a, b); });
    if (i >= 0 && group.lane() == 0) fill(i, largest);
  }

 private:
  KOKKOS_FUNCTION double scaled_entry(Ordinal i, Offset k) const {
    const double scaled = static_cast<double>(A.values(k)) * scales(i);
    return Kokkos::fabs(scaled * scales(A.columns(k)));
  }
  KOKKOS_FUNCTION void fill(Ordinal i, double largest_entry) const {
    const double largest = Kokkos::fmin(largest_entry, Kokkos::Experimental::finite_max_v<double>);
    const double scale = largest > 0 ? scales(i) / Kokkos::sqrt(largest) : scales(i);
    const auto key = static_cast<std::uint32_t>(2 * i);
    for (int j = 0; j < 2; ++j) {
      const double hashed = 0x1p-31 * kernels::hash32(key + static_cast<unsigned>(j)) - 1.0;
      probes(i, j) = static_cast<Scalar>(scale * hashed);
    }
  }
};

/// What symmetry makes zero, and how far round-off may keep it from that.
struct ProbeSums {
  double difference = 0;  ///< of <v, A u> and <u, A v>, row by row, so that no sum grows large
  double squares = 0;  ///< of what the rows' round-off is relative to

  KOKKOS_FUNCTION ProbeSums& operator+=(const ProbeSums& o) {
    difference += o.difference;
    squares += o.squares;
    return *this;
  }
};

template <class Scalar, class Space, class Offset>
ProbeSums sum_probes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                     const ConstMultiVectorView<Scalar, Space>& x,
                     const ConstMultiVectorView<Scalar, Space>& y) {
  return kernels::ordered_sum<ProbeSums>(
      exec, "tessera::symmetry_probe::sums", x.extent(0),
      KOKKOS_LAMBDA(const Ordinal i, ProbeSums& sum) {
        const double v_Au = static_cast<double>(x(i, 1)) * static_cast<double>(y(i, 0));
        const double u_Av = static_cast<double>(x(i, 0)) * static_cast<double>(y(i, 1));
        // What a row's terms, of up to 1 each, cancel to says little of their round-off.
        const auto terms = static_cast<double>(A.offsets(i + 1) - A.offsets(i));
        const double size =
            Kokkos::fmax(Kokkos::fabs(v_Au), Kokkos::fabs(u_Av)) + Kokkos::sqrt(terms);
        sum += ProbeSums{v_Au - u_Av, size * size};
      });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool looks_symmetric(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                     const kernels::CsrSpmvPlan<Space>& plan) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  // Two allocations for all, as each makes a GPU wait.
  const std::size_t n = A.num_rows;
  const auto numbers = allocate<double>(exec, "tessera::symmetry_probe::scales", n + 1);
  const auto vectors = allocate<Scalar>(exec, "tessera::symmetry_probe::vectors", 4 * n);
  const ArrayView<double, Space> scales(numbers.data(), n);
  const detail::DeviceDouble<Space> of_all(numbers.data() + n);
  const MultiVectorView<Scalar, Space> x(vectors.data(), n, 2);
  const MultiVectorView<Scalar, Space> y(vectors.data() + 2 * n, n, 2);
  detail::find_row_sizes<Scalar, Space, Offset>(exec, A, scales, of_all);
  detail::scale_by_sizes<Space>(exec, scales, of_all);
  kernels::for_each_row(exec, "tessera::symmetry_probe::probes", A.num_rows,
                        kernels::lanes_per_row(A),
                        detail::FillProbes<Scalar, Space, Offset>{A, scales, x});
  kernels::spmv(exec, plan, Scalar(1), A, x, Scalar(0), y);
  const auto sums = detail::sum_probes<Scalar, Space, Offset>(exec, A, x, y);
  // The rounding errors of the rows are independent, and their sum grows like the root of the sum
  // of their squares; so does the skew part's, as u and v are hashed. Entries that an assembly made
  // of large terms, each in an order of its own, differ by some hundred roundings.
  const double tolerance = 1000 * std::numeric_limits<Scalar>::epsilon() * std::sqrt(sums.squares);
  return std::isfinite(tolerance) && std::abs(sums.difference) <= tolerance;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, looks_symmetric)

}  // namespace tessera
