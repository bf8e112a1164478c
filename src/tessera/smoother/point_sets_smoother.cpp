// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/point_sets_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/smoother/gauss_seidel.hpp"
#include "tessera/smoother/ranked_sets.hpp"

#include <string>
#include <utility>

namespace tessera {
namespace detail {

/// x_i = d_i b_i in the first set, 0 elsewhere.
template <class Scalar, class Space>
struct ScaleFirstSet {
  ArrayView<const Ordinal, Space> set_of;
  ArrayView<const Scalar, Space> d;
  ConstMultiVectorView<Scalar, Space> b;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    for (std::size_t j = 0; j < x.extent(1); ++j)
      x(i, j) = set_of(i) == 0 ? d(i) * b(i, j) : Scalar(0);
  }
};

/// d_i = sign(a_ii) / the sum of |a_ij| over the j of i's set; 0 where a_ii = 0.
template <class Scalar, class Space, class Offset>
struct L1WeightWithinSet {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Ordinal, Space> set_of;
  ArrayView<Scalar, Space> weights;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double diagonal = 0;
    double sum = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value = A.values(e);
      if (set_of(A.columns(e)) == set_of(i)) sum += Kokkos::abs(value);
      if (A.columns(e) == i) diagonal += value;
    }
    const double weight = diagonal == 0 ? 0 : (diagonal > 0 ? 1 / sum : -1 / sum);
    weights(i) = static_cast<Scalar>(weight);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<const Scalar, Space> weights_of_sets(
    const Space& exec, const SmootherParameters& parameters,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const NonDeduced<ArrayView<const Ordinal, Space>>& set_of) {
  const auto n = inverse_diagonal.extent(0);
  const auto weights = allocate<Scalar>(exec, "tessera::point_sets::weights", n);
  if (n == 0) return weights;
  if (parameters.type == SmootherType::l1_jacobi) {
    Kokkos::parallel_for(
        "tessera::point_sets::l1_weights", Kokkos::RangePolicy<Space>(exec, 0, n),
        detail::L1WeightWithinSet<Scalar, Space, Offset>{entries, set_of, weights});
    return weights;
  }
  const auto& p = parameters.jacobi;
  const double omega = p.omega / (p.omega_over_radius ? spectral_radius : 1.0);
  kernels::axpby<Scalar, Space>(exec, static_cast<Scalar>(omega), as_multivector(inverse_diagonal),
                                Scalar(0), as_multivector(weights));
  return weights;
}

template <class Scalar, class Space>
PointSetsSmoother<Scalar, Space>::PointSetsSmoother(
    std::unique_ptr<SetRelaxation<Scalar, Space>> relaxation,
    const Array<const Scalar, Space>& weights, const PointSets<Space>& sets, int sweeps)
    : m_relaxation(std::move(relaxation)), m_weights(weights), m_sets(sets), m_sweeps(sweeps) {
  require(sets.set_of.extent(0) == weights.extent(0) && sweeps >= 1, [&] {
    return "there are " + std::to_string(sets.set_of.extent(0)) + " points in sets, " +
           std::to_string(weights.extent(0)) + " weights and " + std::to_string(sweeps) +
           " sweeps; expected as many weights as points, and at least one sweep";
  });
}

template <class Scalar, class Space>
void PointSetsSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  m_relaxation->prepare(exec, k);
}

template <class Scalar, class Space>
void PointSetsSmoother<Scalar, Space>::forward(const Space& exec, int first, const ConstVectors& b,
                                               const Vectors& x) const {
  for (int set = first; set < num_sets(); ++set)
    m_relaxation->relax(exec, set, b, x);
}

template <class Scalar, class Space>
void PointSetsSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                             const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  Kokkos::parallel_for("tessera::point_sets::begin",
                       Kokkos::RangePolicy<Space>(exec, 0, x_out.extent(0)),
                       detail::ScaleFirstSet<Scalar, Space>{m_sets.set_of, m_weights, b, x_out});
  forward(exec, 1, b, x_out);
  for (int sweep = 1; sweep < m_sweeps; ++sweep)
    forward(exec, 0, b, x_out);
}

template <class Scalar, class Space>
void PointSetsSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                              const ConstVectors& /*x_in*/, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  for (int sweep = 0; sweep < m_sweeps; ++sweep)
    forward(exec, 0, b, x_out);
}

template <class Scalar, class Space>
void PointSetsSmoother<Scalar, Space>::smooth_after(const Space& exec, const ConstVectors& b,
                                                    const ConstVectors& /*x_in*/,
                                                    const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  for (int sweep = 0; sweep < m_sweeps; ++sweep) {
    for (int set = num_sets() - 1; set >= 0; --set)
      m_relaxation->relax(exec, set, b, x_out);
  }
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_points_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const Array<const Ordinal, Space>& coarse_number) {
  check_points(parameters);
  const auto n = static_cast<std::size_t>(entries.num_rows);
  require(coarse_number.extent(0) == n && parameters.points != RelaxationPoints::all, [&] {
    return "coarse_number has length " + std::to_string(coarse_number.extent(0)) + ", expected " +
           std::to_string(n) + ", and points that are not all";
  });
  const auto sets = make_point_sets<Space>(exec, coarse_number, parameters.points);
  if (parameters.type == SmootherType::gauss_seidel)
    return std::make_unique<GaussSeidelSmoother<Scalar, Space, Offset>>(
        exec, entries, inverse_diagonal, parameters.gauss_seidel, parameters.sweeps, sets);
  const auto weights =
      weights_of_sets(exec, parameters, entries, inverse_diagonal, spectral_radius, sets.set_of);
  return std::make_unique<PointSetsSmoother<Scalar, Space>>(
      std::make_unique<RankedSets<Scalar, Space, Offset>>(exec, entries, weights, sets), weights,
      sets, parameters.sweeps);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, PointSetsSmoother)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, weights_of_sets)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_points_smoother)

}  // namespace tessera
