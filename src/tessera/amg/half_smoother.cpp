// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/half_smoother.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/half_ops.hpp"
#include "tessera/smoother/chebyshev.hpp"
#include "tessera/smoother/jacobi.hpp"

#include <utility>
#include <vector>

namespace tessera::amg {
namespace detail {

/// Sweeps of which each writes another vector than the one before, the last one `x_out`.
template <class Space>
class HalfSteps : public Smoother<Half, Space> {
 public:
  using typename Smoother<Half, Space>::ConstVectors;
  using typename Smoother<Half, Space>::Vectors;

  HalfSteps(std::shared_ptr<const HalfOperator<Space>> A, const Array<const float, Space>& diagonal,
            int num_steps)
      : m_A(std::move(A)), m_diagonal(diagonal), m_num_steps(num_steps) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    m_other = allocate_multivector<Half>(exec, "tessera::amg::half_other", m_A->num_rows(), k);
  }

  bool works_in_place() const override { return false; }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    const Vectors first = target(0, x);
    first_step(exec, b, first);
    run(exec, 1, b, first, x);
  }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override {
    run(exec, 0, b, x_in, x_out);
  }

 protected:
  /// The first of all steps where x_in is zero.
  virtual void first_step(const Space& exec, const ConstVectors& b, const Vectors& x) = 0;
  virtual void step(const Space& exec, int number, const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) = 0;

  const HalfOperator<Space>& A() const { return *m_A; }
  const Array<const float, Space>& diagonal() const { return m_diagonal; }
  int columns() const { return m_columns; }

 private:
  Vectors target(int number, const Vectors& x_out) const {
    return (m_num_steps - 1 - number) % 2 == 0 ? x_out : Vectors(m_other);
  }
  void run(const Space& exec, int first, const ConstVectors& b, ConstVectors x,
           const Vectors& x_out) {
    for (int number = first; number < m_num_steps; ++number) {
      const Vectors next = target(number, x_out);
      step(exec, number, b, x, next);
      x = next;
    }
  }

  std::shared_ptr<const HalfOperator<Space>> m_A;
  Array<const float, Space> m_diagonal;
  int m_num_steps;
  int m_columns = 0;
  MultiVector<Half, Space> m_other;
};

template <class Space>
class HalfJacobi : public HalfSteps<Space> {
 public:
  using typename Smoother<Half, Space>::ConstVectors;
  using typename Smoother<Half, Space>::Vectors;
  using HalfSteps<Space>::HalfSteps;

 protected:
  void first_step(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    kernels::half_multiply(exec, 1.0F, this->diagonal(), b, x);
  }
  void step(const Space& exec, int, const ConstVectors& b, const ConstVectors& x_in,
            const Vectors& x_out) override {
    this->A().jacobi_sweep(exec, this->diagonal(), b, x_in, x_out);
  }
};

template <class Space>
class HalfChebyshev : public HalfSteps<Space> {
 public:
  using typename Smoother<Half, Space>::ConstVectors;
  using typename Smoother<Half, Space>::Vectors;
  using Step = typename ChebyshevSmoother<float, Space>::Step;

  HalfChebyshev(std::shared_ptr<const HalfOperator<Space>> A,
                const Array<const float, Space>& diagonal, std::vector<Step> steps, int sweeps)
      : HalfSteps<Space>(std::move(A), diagonal, static_cast<int>(steps.size()) * sweeps),
        m_steps(std::move(steps)) {}

  void prepare(const Space& exec, int k) override {
    if (this->columns() == k) return;
    HalfSteps<Space>::prepare(exec, k);
    m_p = allocate_multivector<Half>(exec, "tessera::amg::half_p", this->A().num_rows(), k);
  }

 protected:
  void first_step(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    kernels::half_multiply(exec, m_steps[0].alpha, this->diagonal(), b, m_p);
    kernels::half_multiply(exec, m_steps[0].alpha, this->diagonal(), b, x);
  }
  void step(const Space& exec, int number, const ConstVectors& b, const ConstVectors& x_in,
            const Vectors& x_out) override {
    const Step& now = m_steps[number % m_steps.size()];
    this->A().chebyshev_step(exec, this->diagonal(), now.alpha, now.beta, b, x_in, m_p, x_out);
  }

 private:
  std::vector<Step> m_steps;  ///< of one sweep
  MultiVector<Half, Space> m_p;
};

}  // namespace detail

template <class Space>
std::shared_ptr<Smoother<Half, Space>> half_smoother(const Smoother<float, Space>* smoother,
                                                     std::shared_ptr<const HalfOperator<Space>> A) {
  if (const auto* const jacobi = dynamic_cast<const JacobiSmoother<float, Space>*>(smoother))
    return std::make_shared<detail::HalfJacobi<Space>>(std::move(A), jacobi->weights(),
                                                       jacobi->sweeps());
  if (const auto* const chebyshev = dynamic_cast<const ChebyshevSmoother<float, Space>*>(smoother))
    return std::make_shared<detail::HalfChebyshev<Space>>(
        std::move(A), chebyshev->inverse_diagonal(), chebyshev->steps(), chebyshev->sweeps());
  return nullptr;
}

#define TESSERA_INSTANTIATE(Space)                               \
  template std::shared_ptr<Smoother<Half, Space>> half_smoother( \
      const Smoother<float, Space>*, std::shared_ptr<const HalfOperator<Space>>);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
