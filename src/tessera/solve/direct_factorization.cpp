// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/direct_factorization.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/validate.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace tessera::detail {

template <class Scalar, class Space, class Offset>
void DirectFactorization<Scalar, Space, Offset>::order(const Space& exec, const System& system) {
  if (m_ordered) return;
  m_factors.reset();
  auto host = direct::to_host(exec, system.A.view());
  if (host) {
    m_factors = std::make_shared<direct::SparseDirect>(
        std::move(*host), system.facts.symmetric && system.facts.positive_diagonal,
        system.parameters.direct.max_bytes(), system.parameters.direct.ordering);
  }
  m_ordered = true;
}

template <class Scalar, class Space, class Offset>
const direct::Cost* DirectFactorization<Scalar, Space, Offset>::cost(const Space& exec,
                                                                     const System& system) {
  const bool open = system.parameters.preconditioner == PreconditionerKind::automatic && !m_failed;
  if (!kernels::is_host_space<Space> || !direct::available() || !open) return nullptr;
  order(exec, system);
  if (m_factors == nullptr) return nullptr;
  if (!m_factors->fits()) m_factors->settle_order();
  return m_factors->fits() ? &m_factors->cost() : nullptr;
}

template <class Scalar, class Space, class Offset>
double DirectFactorization<Scalar, Space, Offset>::bytes(const Space& exec, const System& system) {
  if (!kernels::is_host_space<Space> || !direct::available()) return 0;
  order(exec, system);
  if (m_factors == nullptr) return 0;
  m_factors->settle_order();
  const double of_A = static_cast<double>(system.A.num_entries()) * (sizeof(double) + sizeof(int));
  return m_factors->cost().bytes() + of_A;
}

template <class Scalar, class Space, class Offset>
bool DirectFactorization<Scalar, Space, Offset>::make(const Space& exec, const System& system) {
  if (!direct::available()) {
    throw Error(ErrorKind::configuration,
                "preconditioner=direct: this library was built without a sparse direct solver "
                "(TESSERA_ENABLE_SUITESPARSE)");
  }
  order(exec, system);
  if (m_factors != nullptr) m_factors->settle_order();
  const bool asked_for = system.parameters.preconditioner == PreconditionerKind::direct;
  if (m_factors == nullptr || !m_factors->fits()) {
    if (!asked_for) return false;
    const double bytes = m_factors == nullptr ? 0 : m_factors->cost().bytes();
    throw Error(ErrorKind::configuration,
                m_factors == nullptr
                    ? std::string("preconditioner=direct: the matrix has too many entries")
                    : fmt::format("preconditioner=direct: the factors would take {:.3g} MiB, more "
                                  "than direct.max_memory_mb, which is {:g}; raise it, or take "
                                  "another preconditioner",
                                  bytes / (1 << 20), system.parameters.direct.max_memory_mb));
  }
  if (m_factors->factor(direct::host_instance(exec), std::numeric_limits<Scalar>::epsilon()))
    return true;
  const ValidationReport report = validate(exec, system.A.view());
  if (report.has(MatrixDefect::not_finite)) throw Error(ErrorKind::bad_input, to_string(report));
  return false;
}

template <class Scalar, class Space, class Offset>
bool DirectFactorization<Scalar, Space, Offset>::update(const Space& exec, const System& system) {
  const bool was_cholesky = m_factors->is_cholesky();
  auto host = direct::to_host(exec, system.A.view());
  return host.has_value() &&
         m_factors->factor(direct::host_instance(exec), std::move(*host),
                           std::numeric_limits<Scalar>::epsilon()) &&
         m_factors->is_cholesky() == was_cholesky;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, DirectFactorization)

}  // namespace tessera::detail
