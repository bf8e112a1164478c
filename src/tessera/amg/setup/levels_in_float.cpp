// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/levels_in_float.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/setup/descend.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/amg/setup/refresh.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/magnitudes.hpp"

#include <algorithm>
#include <string>

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
bool descend_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                      const std::optional<LevelParameters>& chosen,
                      const NearNullspace<Scalar, Space>& B, PhaseTimer<Space>& timer,
                      Hierarchy<Scalar, Space>& hierarchy) {
  if constexpr (std::is_same_v<Scalar, double>) {
    auto& fine = setup.levels.back().fine;
    const LevelParameters choice = chosen ? *chosen : listed_choice(setup.parameters, fine.number);
    if (choice.vectors != VectorScalar::float32) return false;
    timer.start(exec, "change of precision");
    auto tail = std::make_unique<HierarchySetup<float, Space, Offset>>(setup.parameters,
                                                                       setup.keeps_pattern);
    tail->first_level = fine.number;
    tail->symmetric = setup.symmetric;
    tail->finest_entries = setup.finest_entries;
    tail->entries_so_far = setup.entries_so_far;
    tail->first_choice = chosen;
    tail->nullspace = setup.nullspace;
    auto levels = std::make_shared<Hierarchy<float, Space>>();
    const auto near_nullspace = allocate_multivector<float>(exec, "tessera::amg::near_nullspace",
                                                            B.view().extent(0), B.view().extent(1));
    kernels::copy(exec, B.view(), MultiVectorView<float, Space>(near_nullspace));
    bool fits = float_has_room_for(magnitudes(exec, fine.A->view())) &&
                usable_near_nullspace<float, Space>(exec, near_nullspace);
    if (fits) {
      NearNullspace<float, Space> B_float(exec, fine.A->num_rows(), near_nullspace,
                                          fine.block_size);
      // Tiles, if its products are of tiles, it makes from these rows.
      auto A = std::make_shared<StoredCsr<float, Space, Offset>>(
          exec, kernels::convert_values<float>(exec, fine.A->matrix()));
      FineLevel<float, Space, Offset> first{std::move(A), {}, 0, fine.block_size};
      first.box = fine.box;
      first.functions = fine.functions;
      fits = descend(exec, *tail, std::move(first), B_float, timer, *levels);
    }
    if (fits) {
      setup.tail = std::move(tail);
      const auto& told = levels->info;
      auto& info = hierarchy.info;
      info.levels.insert(info.levels.end(), told.levels.begin(), told.levels.end());
      info.notes.insert(info.notes.end(), told.notes.begin(), told.notes.end());
      hierarchy.tail = std::move(levels);
      if (!setup.keeps_pattern) {
        fine = {};
        setup.levels.back().storage = {};
      }
      return true;
    }
    hierarchy.info.notes.push_back("vectors of level " + std::to_string(tail->first_level) +
                                   " in double: float does not hold the levels from there on");
  }
  return false;
}

template <class Scalar, class Space, class Offset>
bool refresh_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                      bool keeps_interpolation, PhaseTimer<Space>& timer,
                      Hierarchy<Scalar, Space>& hierarchy) {
  timer.start(exec, "change of precision");
  const StoredCsr<Scalar, Space, Offset>& A = *setup.levels.back().fine.A;
  const auto& A_float = setup.tail->levels.front().fine.A;
  if (!float_has_room_for(magnitudes(exec, A.view()))) return false;
  kernels::copy(exec, ConstMultiVectorView<Scalar, Space>(as_multivector(A.matrix().values)),
                as_multivector(A_float->matrix().values));
  if (!refresh(exec, *setup.tail, keeps_interpolation, timer, *hierarchy.tail)) return false;
  const auto& below = hierarchy.tail->info.levels;
  std::copy(below.begin(), below.end(),
            hierarchy.info.levels.begin() + static_cast<std::ptrdiff_t>(hierarchy.levels.size()));
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, descend_in_float)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refresh_in_float)

}  // namespace tessera::amg
