// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_relaxation.hpp"

#include "tessera/amg/setup/level_formats.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/store.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/smoother/fine_points_smoother.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"

#include <memory>
#include <string>

namespace tessera::amg {
namespace {

template <class Scalar, class Space, class Offset>
bool asks_for_points(const SetupLevel<Scalar, Space, Offset>& here) {
  return here.chosen.smoother.points != RelaxationPoints::all;
}

}  // namespace

template <class Scalar, class Space, class Offset>
bool relax_fine_points(const Space& exec, const Parameters& p,
                       const SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level) {
  using StoredM = StoredCsr<Scalar, Space, Offset>;
  const auto& fine_points = here.coarse.fine_points;
  if (fine_points.M.num_rows == 0 || asks_for_points(here)) return false;
  const auto rows = std::make_shared<const StoredM>(exec, fine_points.M);
  const auto M =
      stored_as_set(p, here.fine.number, "R", [&] { return store(exec, rows, here.chosen.R); });
  level.smoother = std::make_unique<FinePointsSmoother<Scalar, Space>>(
      level.A, M.op, fine_points.sweeps, fine_points.coarse_weights);
  level.relaxes_before = false;
  return true;
}

template <class Scalar, class Space, class Offset>
bool relax_points(const Space& exec, const SetupLevel<Scalar, Space, Offset>& here,
                  Level<Scalar, Space>& level) {
  const SmootherParameters& p = here.chosen.smoother;
  if (!asks_for_points(here) || here.coarse.coarse_number.extent(0) == 0) return false;
  level.smoother = make_points_smoother<Scalar, Space, Offset>(
      exec, p, here.fine.A->view(), here.fine.inverse_diagonal, here.fine.spectral_radius,
      here.coarse.coarse_number);
  level.points = p.points;
  level.relaxes_before = here.coarse.fine_points.M.num_rows == 0;
  return true;
}

void refuse_points(RelaxationPoints points, int number, const std::string& coarsening_name) {
  throw Error(ErrorKind::configuration,
              "amg.smoother.points = " + std::string(relaxation_points_name(points)) +
                  " on level " + std::to_string(number) + ", whose coarsening, " + coarsening_name +
                  ", has no fine and coarse points; use amg.coarsening = classical or reduction, "
                  "or points = all");
}

template <class Scalar, class Space, class Offset>
void require_points(const SetupLevel<Scalar, Space, Offset>& here) {
  if (asks_for_points(here) && here.coarse.coarse_number.extent(0) == 0)
    refuse_points(here.chosen.smoother.points, here.fine.number, here.coarsening_name);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, relax_fine_points)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, relax_points)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, require_points)

}  // namespace tessera::amg
