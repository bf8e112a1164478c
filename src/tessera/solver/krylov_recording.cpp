// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Iterations of a KrylovMethod as its runner queues them: recorded, or one after the other.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/queue_event.hpp"
#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/solver/krylov_method.hpp"

#include <cstdint>

namespace tessera {

template <class Scalar, class Space>
bool KrylovMethod<Scalar, Space>::runs_ahead() const {
  if (m_parameters.residual == ResidualKind::true_residual) return false;
  return m_parameters.ahead == RunAhead::automatic ? kernels::QueueEvent<Space>::waits_for_no_more
                                                   : m_parameters.ahead == RunAhead::on;
}

template <class Scalar, class Space>
typename KrylovMethod<Scalar, Space>::RepeatedSystem KrylovMethod<Scalar, Space>::repeated(
    const System& system) const {
  auto* const captured = dynamic_cast<CapturedPreconditioner<Scalar, Space>*>(system.M);
  // Where no iteration can be recorded, M's own recording is better than none.
  if (captured == nullptr || m_runner == nullptr || !m_runner->failure().empty())
    return {system, 0};
  return {{system.A, captured->inner(), system.b, system.x}, captured->revision()};
}

template <class Scalar, class Space>
typename IterationRunner<Space>::Key KrylovMethod<Scalar, Space>::key_of(
    const RepeatedSystem& repeated, const void* variant) {
  const auto at = [](const auto* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
  const System& system = repeated.system;
  return {at(&system.A),       at(system.M),       repeated.M_revision, at(variant),
          at(system.b.data()), system.b.stride(1), at(system.x.data()), system.x.stride(1)};
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::run_iteration(
    const Space& exec, const RepeatedSystem& repeated, const void* variant,
    const typename IterationRunner<Space>::Work& iteration) const {
  if (m_runner == nullptr) {
    iteration(exec);
    return;
  }
  m_runner->run(exec, key_of(repeated, variant), 0, iteration, iteration);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::run_iteration_at(const Space& exec, const System& system,
                                                   int position,
                                                   const SystemWork& iteration) const {
  if (m_runner == nullptr) {
    iteration(exec, system);
    return;
  }
  const RepeatedSystem repeated = this->repeated(system);
  m_runner->run(
      exec, key_of(repeated, nullptr), position,
      [iteration, inner = repeated.system](const Space& instance) { iteration(instance, inner); },
      [&](const Space& instance) { iteration(instance, system); });
}

#define TESSERA_INSTANTIATE(Scalar, Space)                                                      \
  template bool KrylovMethod<Scalar, Space>::runs_ahead() const;                                \
  template typename KrylovMethod<Scalar, Space>::RepeatedSystem                                 \
  KrylovMethod<Scalar, Space>::repeated(const System&) const;                                   \
  template void KrylovMethod<Scalar, Space>::run_iteration(                                     \
      const Space&, const RepeatedSystem&, const void*,                                         \
      const typename IterationRunner<Space>::Work&) const;                                      \
  template void KrylovMethod<Scalar, Space>::run_iteration_at(const Space&, const System&, int, \
                                                              const SystemWork&) const;
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
