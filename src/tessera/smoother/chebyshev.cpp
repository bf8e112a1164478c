// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/chebyshev.hpp"

#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/step_writer.hpp"
#include "tessera/smoother/chebyshev_recurrence.hpp"

namespace tessera {

template <class Scalar, class Space>
ChebyshevSmoother<Scalar, Space>::ChebyshevSmoother(
    std::shared_ptr<const Operator> A, const Array<const Scalar, Space>& inverse_diagonal,
    double spectral_radius, const ChebyshevParameters& parameters, int sweeps)
    : m_A(std::move(A)), m_inverse_diagonal(inverse_diagonal), m_sweeps(sweeps) {
  require(m_A->num_rows() == m_A->num_cols(), [&] {
    return "A is " + std::to_string(m_A->num_rows()) + " by " + std::to_string(m_A->num_cols()) +
           ", expected a square matrix";
  });
  require(inverse_diagonal.extent(0) == static_cast<std::size_t>(m_A->num_rows()), [&] {
    return "inverse_diagonal has length " + std::to_string(inverse_diagonal.extent(0)) +
           ", expected " + std::to_string(m_A->num_rows());
  });
  require(sweeps >= 1,
          [&] { return "sweeps is " + std::to_string(sweeps) + ", expected at least 1"; });
  for (const PolynomialStep& step : chebyshev_steps(spectral_radius, parameters))
    m_steps.push_back({static_cast<Scalar>(step.alpha), static_cast<Scalar>(step.beta)});
}

template <class Scalar, class Space>
void ChebyshevSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  if (m_p.extent(1) < static_cast<std::size_t>(k)) {
    m_other = allocate_multivector<Scalar>(exec, "tessera::chebyshev::other", m_A->num_rows(), k);
    m_p = allocate_multivector<Scalar>(exec, "tessera::chebyshev::p", m_A->num_rows(), k);
  }
}

template <class Scalar, class Space>
typename ChebyshevSmoother<Scalar, Space>::Vectors ChebyshevSmoother<Scalar, Space>::target(
    int remaining, const Vectors& x_out) const {
  return remaining % 2 == 0 ? x_out : Vectors(m_other.data(), x_out.extent(0), x_out.extent(1));
}

template <class Scalar, class Space>
void ChebyshevSmoother<Scalar, Space>::run(const Space& exec, int first, const ConstVectors& b,
                                           ConstVectors x_in, const Vectors& x_out) const {
  const Vectors p(m_p.data(), x_out.extent(0), x_out.extent(1));
  for (int number = first; number < num_steps(); ++number) {
    const Step& step = m_steps[number % m_steps.size()];
    const Vectors x = target(num_steps() - 1 - number, x_out);
    m_A->chebyshev_step(exec, m_inverse_diagonal, step.alpha, step.beta, b, x_in, p, x);
    x_in = x;
  }
}

template <class Scalar, class Space>
void ChebyshevSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                             const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  const Vectors first = target(num_steps() - 1, x_out);
  if (m_steps.size() > 1) {
    const Vectors p(m_p.data(), x_out.extent(0), x_out.extent(1));
    kernels::multiply_into_two<Scalar, Space>(exec, m_steps[0].alpha, m_inverse_diagonal, b, p,
                                              first);
  } else {
    kernels::multiply<Scalar, Space>(exec, m_steps[0].alpha, m_inverse_diagonal, b, first);
  }
  run(exec, 1, b, first, x_out);
}

template <class Scalar, class Space>
void ChebyshevSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                              const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  run(exec, 0, b, x_in, x_out);
}

template <class Scalar, class Space>
bool ChebyshevSmoother<Scalar, Space>::write_steps(StepWriter<Scalar, Space>& writer,
                                                   const SweepVectors& at) const {
  const Ordinal rows = m_A->num_rows();
  const auto target_of = [&](int remaining) {
    return remaining % 2 == 0 ? at.x_out : writer.vector(at.level, "other iterate", rows);
  };
  int x = at.x_in;
  int first = 0;
  if (x == kernels::no_vector) {
    x = target_of(num_steps() - 1);
    const bool goes_on = m_steps.size() > 1;
    writer.scale({.kind = kernels::StepKind::scale,
                  .num_rows = rows,
                  .d = m_inverse_diagonal.data(),
                  .alpha = m_steps.front().alpha,
                  .b = at.b,
                  .y = x,
                  .p = goes_on ? writer.vector(at.level, "direction", rows) : kernels::no_vector});
    first = 1;
  }
  const int p = writer.vector(at.level, "direction", rows);
  for (int number = first; number < num_steps(); ++number) {
    const Step& of_sweep = m_steps[number % m_steps.size()];
    const int next = target_of(num_steps() - 1 - number);
    const kernels::Step<Scalar> step{.kind = kernels::StepKind::chebyshev,
                                     .d = m_inverse_diagonal.data(),
                                     .alpha = of_sweep.alpha,
                                     .beta = of_sweep.beta,
                                     .b = at.b,
                                     .x = x,
                                     .y = next,
                                     .p = p};
    if (!writer.multiply(step, *m_A)) return false;
    x = next;
  }
  return true;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, ChebyshevSmoother)

}  // namespace tessera
