// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/multigrid.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/cycle/cycle.hpp"
#include "tessera/amg/setup/hierarchy_builder.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/matrix/storage_names.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/overlap.hpp"

#include <string>

namespace tessera::amg {

template <class Scalar, class Space>
Multigrid<Scalar, Space>::Multigrid(Parameters parameters)
    : m_parameters(std::move(parameters)),
      m_hierarchy(std::make_unique<Hierarchy<Scalar, Space>>()) {
  check_parameters(m_parameters, "amg.");
  check_vectors(m_parameters.levels, std::is_same_v<Scalar, double>);
}

template <class Scalar, class Space>
Multigrid<Scalar, Space>::Multigrid(Multigrid&&) noexcept = default;

template <class Scalar, class Space>
Multigrid<Scalar, Space>& Multigrid<Scalar, Space>::operator=(Multigrid&&) noexcept = default;

template <class Scalar, class Space>
Multigrid<Scalar, Space>::~Multigrid() = default;

template <class Scalar, class Space>
template <class Offset>
void Multigrid<Scalar, Space>::setup(const Space& exec,
                                     const kernels::Csr<Scalar, Space, Offset>& A,
                                     const NonDeduced<ConstVectors>& near_nullspace, int block_size,
                                     const std::vector<int>& nullspace) {
  check_near_nullspace<Scalar, Space>(exec, A.num_rows, near_nullspace);
  if (!try_setup(exec, A, near_nullspace, block_size, nullspace)) {
    throw Error(ErrorKind::bad_input,
                std::string("the hierarchy holds a NaN, an infinity, or values whose products "
                            "overflow ") +
                    scalar_name<Scalar>());
  }
}

template <class Scalar, class Space>
template <class Offset>
bool Multigrid<Scalar, Space>::try_setup(const Space& exec,
                                         const kernels::Csr<Scalar, Space, Offset>& A,
                                         const NonDeduced<ConstVectors>& near_nullspace,
                                         int block_size, const std::vector<int>& nullspace,
                                         const FinestExtras<Scalar, Space>& extras) {
  const bool reuses = m_parameters.reuse != Reuse::none;
  auto builder = std::make_unique<HierarchyBuilder<Scalar, Space, Offset>>(m_parameters, reuses);
  // A hierarchy that was there is no part of what this setup needs.
  m_update.reset();
  m_cycle.reset();
  *m_hierarchy = {};
  const MemoryTracker memory(Space::memory_space::name(), m_parameters.measure_memory);
  const bool finite = builder->build_hierarchy(exec, A, near_nullspace, block_size, nullspace,
                                               *m_hierarchy, extras);
  m_hierarchy->info.setup_peak_bytes = memory.peak_bytes();
  m_symmetric = builder->is_symmetric();
  if (reuses && finite) m_update = std::move(builder);
  return finish_setup(finite);
}

template <class Scalar, class Space>
bool Multigrid<Scalar, Space>::try_update(const Space& exec) {
  require(m_update != nullptr, [] {
    return std::string(
        "Multigrid::try_update needs a setup that kept what it reuses; set reuse to "
        "symbolic, interpolation or hierarchy before setup");
  });
  if (m_parameters.reuse == Reuse::hierarchy) return true;
  const MemoryTracker memory(Space::memory_space::name(), m_parameters.measure_memory);
  // Where that throws, nothing is left that applies or updates.
  m_cycle.reset();
  auto update = std::move(m_update);
  const bool finite =
      update->update(exec, m_parameters.reuse == Reuse::interpolation, *m_hierarchy);
  m_update = std::move(update);
  m_hierarchy->info.setup_peak_bytes = memory.peak_bytes();
  return finish_setup(finite);
}

template <class Scalar, class Space>
bool Multigrid<Scalar, Space>::finish_setup(bool finite) {
  m_prepared_columns = 0;
  m_cycle.reset();
  if (finite) {
    m_cycle = make_cycle(m_parameters.cycle, *m_hierarchy, m_symmetric);
  } else {
    *m_hierarchy = {};
    m_update.reset();
  }
  return finite;
}

template <class Scalar, class Space>
void Multigrid<Scalar, Space>::prepare(const Space& exec, int k) {
  require(m_cycle != nullptr, [] { return std::string("Multigrid::prepare before setup"); });
  if (m_prepared_columns == k) return;
  m_prepared_columns = 0;
  m_cycle->prepare(exec, k);
  m_prepared_columns = k;
}

template <class Scalar, class Space>
void Multigrid<Scalar, Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  require(m_cycle != nullptr, [] { return std::string("Multigrid::apply before setup"); });
  const auto n = static_cast<Ordinal>(info().levels.front().rows);
  require(r.extent(0) == static_cast<std::size_t>(n) && r.extent(1) == z.extent(1) &&
              r.extent(0) == z.extent(0),
          [&] {
            return "r and z must both be " + std::to_string(n) + " by k, they are " +
                   std::to_string(r.extent(0)) + " by " + std::to_string(r.extent(1)) + " and " +
                   std::to_string(z.extent(0)) + " by " + std::to_string(z.extent(1));
          });
  require(!overlap(r, z),
          [] { return std::string("r and z overlap in memory; expected separate vectors"); });
  prepare(exec, static_cast<int>(r.extent(1)));
  m_cycle->apply(exec, r, z);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Multigrid)

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                               \
  template void Multigrid<Scalar, Space>::setup(                                 \
      const Space&, const kernels::Csr<Scalar, Space, Offset>&,                  \
      const ConstMultiVectorView<Scalar, Space>&, int, const std::vector<int>&); \
  template bool Multigrid<Scalar, Space>::try_setup(                             \
      const Space&, const kernels::Csr<Scalar, Space, Offset>&,                  \
      const ConstMultiVectorView<Scalar, Space>&, int, const std::vector<int>&,  \
      const FinestExtras<Scalar, Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
