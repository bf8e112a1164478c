// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <algorithm>

namespace tessera::kernels {

template <class Scalar, class Space>
void PersistentWorkspace<Scalar, Space>::prepare(const Space& exec, Ordinal n, int vectors,
                                                 int iterations) {
  if (m_board.capacity() == 0) m_board = BarrierState<Space>(exec);
  constexpr std::size_t granule = 32;  // each vector begins at a multiple of a cache line
  const std::size_t stride = (static_cast<std::size_t>(n) + granule - 1) / granule * granule;
  if (stride * vectors > m_vectors.extent(0))
    m_vectors = allocate<Scalar>(exec, "tessera::persistent::vectors", stride * vectors);
  m_stride = stride;
  if (iterations > m_iterations) {
    const std::size_t length = static_cast<std::size_t>(iterations) + 1;
    m_history = allocate<double>(exec, "tessera::persistent::history", length);
    m_report = std::make_unique<PinnedBuffer>(outcome_bytes + length * sizeof(double));
    m_iterations = iterations;
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, PersistentWorkspace)

}  // namespace tessera::kernels
