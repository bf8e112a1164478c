// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_choices.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/check_vectors.hpp"
#include "tessera/amg/setup/energy_span.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/check_parameters.hpp"

#include <algorithm>

namespace tessera::amg {
namespace detail {

/// What `automatic` comes to for the matrices of a level of that span.
inline StorageScalar scalar_for(double span) {
  if (span <= rules::widest_span_for_half) return StorageScalar::automatic;
  return span <= rules::widest_span_for_level_in_float ? StorageScalar::float32
                                                       : StorageScalar::same;
}

}  // namespace detail

LevelParameters listed_choice(const Parameters& p, int number) {
  if (p.levels.empty()) return uniform_choice(p);
  return p.levels[std::min(static_cast<std::size_t>(number), p.levels.size() - 1)];
}

template <class Scalar, class Space, class Offset>
LevelParameters choices_for(const Parameters& p, const FineLevel<Scalar, Space, Offset>& fine,
                            int number, bool symmetric) {
  LevelParameters chosen = listed_choice(p, number);
  if (p.choose_level) {
    const LevelFacts facts{
        number,          fine.A->num_rows(),   static_cast<std::int64_t>(fine.A->num_entries()),
        fine.block_size, fine.spectral_radius, symmetric};
    chosen = p.choose_level(facts, chosen);
    const std::string where = "amg.choose_level of level " + std::to_string(number) + ": ";
    check_parameters(chosen, where);
    if (chosen.vectors == VectorScalar::float64 && !std::is_same_v<Scalar, double>) {
      if (number == 0) refuse_double_vectors(where);
      refuse_wider_vectors(where);
    }
  }
  chosen.smoother = smoother_for(chosen.smoother, fine.block_size, symmetric);
  return chosen;
}

bool has_open_storage(const LevelParameters& asked) {
  return asked.A.scalar == StorageScalar::automatic || asked.P.scalar == StorageScalar::automatic ||
         asked.R.scalar == StorageScalar::automatic;
}

template <class Scalar, class Space, class Offset>
void pick_storage(const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  SetupLevel<Scalar, Space, Offset>& here) {
  if (!has_open_storage(here.asked)) return;
  const StorageScalar suits =
      detail::scalar_for(energy_span<Scalar, Space>(exec, here.fine.inverse_diagonal, b));
  const auto pick = [&](const StorageParameters& asked, StorageParameters& chosen) {
    if (asked.scalar == StorageScalar::automatic) chosen.scalar = suits;
  };
  pick(here.asked.A, here.chosen.A);
  pick(here.asked.P, here.chosen.P);
  pick(here.asked.R, here.chosen.R);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, choices_for)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, pick_storage)

}  // namespace tessera::amg
