// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/jacobi.hpp"

#include <cmath>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/step_writer.hpp"

namespace tessera {
namespace detail {

template <class Scalar, class Space, class Offset>
struct L1JacobiWeight {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<Scalar, Space> weights;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double diagonal = 0;
    double sum = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value = A.values(e);
      sum += Kokkos::abs(value);
      if (A.columns(e) == i) {
        diagonal += value;
      }
    }
    const double weight = diagonal == 0 ? 0 : (diagonal > 0 ? 1 / sum : -1 / sum);
    weights(i) = static_cast<Scalar>(weight);
  }
};

template <class Scalar, class Space, class Offset>
struct Spai0Weight {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<Scalar, Space> weights;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double diagonal = 0;
    double squares = 0;
    double magnitudes = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value = A.values(e);
      squares += value * value;
      magnitudes += Kokkos::abs(value);
      if (A.columns(e) == i) {
        diagonal += value;
      }
    }
    const double weight = squares > 0 ? diagonal / squares : 0;
    const bool amplifies = Kokkos::abs(weight) * magnitudes > 2;
    weights(i) = static_cast<Scalar>(amplifies ? Kokkos::copysign(2 / magnitudes, weight) : weight);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> l1_jacobi_weights(const Space& exec,
                                       const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto weights = allocate<Scalar>(exec, "tessera::smoother::l1_jacobi_weights", A.num_rows);
  Kokkos::parallel_for("tessera::smoother::l1_jacobi_weights",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows),
                       detail::L1JacobiWeight<Scalar, Space, Offset>{A, weights});
  return weights;
}

template <class Scalar, class Space, class Offset>
Array<Scalar, Space> spai0_weights(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto weights = allocate<Scalar>(exec, "tessera::smoother::spai0_weights", A.num_rows);
  Kokkos::parallel_for("tessera::smoother::spai0_weights",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows),
                       detail::Spai0Weight<Scalar, Space, Offset>{A, weights});
  return weights;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, l1_jacobi_weights)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, spai0_weights)

template <class Scalar, class Space>
JacobiSmoother<Scalar, Space>::JacobiSmoother(std::shared_ptr<const Operator> A,
                                              const Array<const Scalar, Space>& weights, int sweeps)
    : m_A(std::move(A)), m_weights(weights), m_sweeps(sweeps) {
  require(m_A->num_rows() == m_A->num_cols(), [&] {
    return "A is " + std::to_string(m_A->num_rows()) + " by " + std::to_string(m_A->num_cols()) +
           ", expected a square matrix";
  });
  require(weights.extent(0) == static_cast<std::size_t>(m_A->num_rows()), [&] {
    return "weights have length " + std::to_string(weights.extent(0)) + ", expected " +
           std::to_string(m_A->num_rows());
  });
  require(sweeps >= 1,
          [&] { return "sweeps is " + std::to_string(sweeps) + ", expected at least 1"; });
}

template <class Scalar, class Space>
void JacobiSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  if (m_sweeps > 1 && m_other.extent(1) < static_cast<std::size_t>(k)) {
    m_other = allocate_multivector<Scalar>(exec, "tessera::jacobi::other", m_A->num_rows(), k);
  }
}

template <class Scalar, class Space>
typename JacobiSmoother<Scalar, Space>::Vectors JacobiSmoother<Scalar, Space>::target(
    int remaining, const Vectors& x_out) const {
  return remaining % 2 == 0 ? x_out : Vectors(m_other.data(), x_out.extent(0), x_out.extent(1));
}

template <class Scalar, class Space>
void JacobiSmoother<Scalar, Space>::sweep(const Space& exec, int sweeps, const ConstVectors& b,
                                          ConstVectors x_in, const Vectors& x_out) const {
  for (int remaining = sweeps - 1; remaining >= 0; --remaining) {
    const Vectors x = target(remaining, x_out);
    m_A->jacobi_sweep(exec, m_weights, b, x_in, x);
    x_in = x;
  }
}

template <class Scalar, class Space>
void JacobiSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                          const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  const Vectors first = target(m_sweeps - 1, x_out);
  kernels::multiply<Scalar, Space>(exec, Scalar(1), m_weights, b, first);
  sweep(exec, m_sweeps - 1, b, first, x_out);
}

template <class Scalar, class Space>
void JacobiSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                           const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  sweep(exec, m_sweeps, b, x_in, x_out);
}

template <class Scalar, class Space>
bool JacobiSmoother<Scalar, Space>::write_steps(StepWriter<Scalar, Space>& writer,
                                                const SweepVectors& at) const {
  const auto target_of = [&](int remaining) {
    return remaining % 2 == 0 ? at.x_out
                              : writer.vector(at.level, "other iterate", m_A->num_rows());
  };
  int x = at.x_in;
  int first = 0;
  if (x == kernels::no_vector) {
    x = target_of(m_sweeps - 1);
    writer.scale({.kind = kernels::StepKind::scale,
                  .num_rows = m_A->num_rows(),
                  .d = m_weights.data(),
                  .b = at.b,
                  .y = x});
    first = 1;
  }
  for (int number = first; number < m_sweeps; ++number) {
    const int next = target_of(m_sweeps - 1 - number);
    const kernels::Step<Scalar> step{
        .kind = kernels::StepKind::jacobi, .d = m_weights.data(), .b = at.b, .x = x, .y = next};
    if (!writer.multiply(step, *m_A)) return false;
    x = next;
  }
  return true;
}

template <class Scalar, class Space>
JacobiSmoother<Scalar, Space> make_jacobi(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const Array<const Scalar, Space>& inverse_diagonal, double omega, double spectral_radius,
    int sweeps) {
  require(spectral_radius > 0 && std::isfinite(spectral_radius), [&] {
    return "spectral_radius is " + std::to_string(spectral_radius) +
           ", expected positive and finite";
  });
  const auto weights =
      allocate<Scalar>(exec, "tessera::jacobi::weights", inverse_diagonal.extent(0));
  kernels::axpby<Scalar, Space>(exec, static_cast<Scalar>(omega / spectral_radius),
                                as_multivector(inverse_diagonal), Scalar(0),
                                as_multivector(weights));
  return {A, weights, sweeps};
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, JacobiSmoother)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_jacobi)

}  // namespace tessera
