// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_relaxation.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/store.hpp"
#include "tessera/smoother/fine_points_smoother.hpp"

#include <memory>

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
bool relax_fine_points(const Space& exec, const SetupLevel<Scalar, Space, Offset>& here,
                       Level<Scalar, Space>& level) {
  using StoredM = StoredCsr<Scalar, Space, Offset>;
  const auto& fine_points = here.coarse.fine_points;
  if (fine_points.M.num_rows == 0) return false;
  const auto rows = std::make_shared<const StoredM>(exec, fine_points.M);
  const auto M = store(exec, rows, here.chosen.R);
  level.smoother = std::make_unique<FinePointsSmoother<Scalar, Space>>(
      level.A, M.op, fine_points.sweeps, fine_points.coarse_weights);
  level.relaxes_before = false;
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, relax_fine_points)

}  // namespace tessera::amg
