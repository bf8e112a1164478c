// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/rebalanced_transfer.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

[[noreturn]] void refuse_square() {
  throw Error(ErrorKind::precondition,
              "a transfer between levels is not square: it has products and nothing else");
}

}  // namespace

template <class Scalar, class Space>
RebalancedTransfer<Scalar, Space>::RebalancedTransfer(const Space& exec,
                                                      std::shared_ptr<const Operator> transfer,
                                                      const Plan<Space>& plan, bool restricts)
    : m_transfer(std::move(transfer)), m_exchange(plan), m_restricts(restricts) {
  reserve(exec, 1);
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::reserve(const Space& exec, std::size_t k) const {
  reserve_messages<Scalar, Space>(exec, m_transfer.get(), k);
  m_exchange.reserve(k, !m_restricts);
  const auto rows = static_cast<std::size_t>(m_exchange.num_source());
  if (m_between.extent(0) != rows || m_between.extent(1) != k)
    m_between = allocate_multivector<Scalar>(exec, "tessera::distributed::between", rows, k);
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::apply(const Space& exec, Scalar alpha,
                                              const ConstVectors& x, Scalar beta,
                                              const Vectors& y) const {
  const auto rows = static_cast<std::size_t>(m_exchange.num_source());
  const std::size_t k = x.extent(1);
  if (m_between.extent(0) != rows || m_between.extent(1) != k)
    m_between = allocate_multivector<Scalar>(exec, "tessera::distributed::between", rows, k);
  if (m_restricts) {
    require(beta == 0, [] { return std::string("a moved restriction overwrites its result"); });
    m_transfer->apply(exec, alpha, x, 0, m_between);
    m_exchange.forward(exec, m_between, y);
  } else {
    m_exchange.backward(exec, x, m_between);
    m_transfer->apply(exec, alpha, m_between, beta, y);
  }
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::residual(const Space&, const ConstVectors&,
                                                 const ConstVectors&, const Vectors&) const {
  refuse_square();
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::apply_dot(const Space&, const ConstVectors&, const Vectors&,
                                                  const ArrayView<Scalar, Space>&) const {
  refuse_square();
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::jacobi_sweep(const Space&,
                                                     const ArrayView<const Scalar, Space>&,
                                                     const ConstVectors&, const ConstVectors&,
                                                     const Vectors&) const {
  refuse_square();
}

template <class Scalar, class Space>
void RebalancedTransfer<Scalar, Space>::chebyshev_step(const Space&,
                                                       const ArrayView<const Scalar, Space>&,
                                                       Scalar, Scalar, const ConstVectors&,
                                                       const ConstVectors&, const Vectors&,
                                                       const Vectors&) const {
  refuse_square();
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, RebalancedTransfer)

}  // namespace tessera::distributed
