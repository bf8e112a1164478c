// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_choices.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/smoother/block_smoother.hpp"
#include "tessera/smoother/point_sets.hpp"

#include <algorithm>

namespace tessera::amg {

/// The largest of |a_ii| max_j b_ij^2 over the smallest, rows of zeros left out; 1 where there is
/// none. b are near-nullspace vectors (n by m), 1 / a_ii is `inverse_diagonal`. The number is the
/// same for A and b as for D A D and D^-1 b: of a discretisation it is the contrast of its
/// coefficients. Rounding A by u leaves a mode of the softest unknowns beside errors of u times it.
/// One pass, and a wait.
template <class Scalar, class Space>
double energy_span(const Space& exec, const Array<const Scalar, Space>& inverse_diagonal,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b);

template <class Scalar, class Space>
double energy_span(const Space& exec, const Array<const Scalar, Space>& inverse_diagonal,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b) {
  const auto m = static_cast<int>(b.extent(1));
  Kokkos::MinMaxScalar<double> extremes;
  Kokkos::parallel_reduce(
      "tessera::amg::energy_span", Kokkos::RangePolicy<Space>(exec, 0, inverse_diagonal.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Kokkos::MinMaxScalar<double>& found) {
        double square = 0;
        for (int j = 0; j < m; ++j) {
          const auto entry = static_cast<double>(b(i, j));
          square = Kokkos::max(square, entry * entry);
        }
        const double weight = square / Kokkos::abs(static_cast<double>(inverse_diagonal(i)));
        if (!(weight > 0) || !Kokkos::isfinite(weight)) return;
        found.min_val = Kokkos::min(found.min_val, weight);
        found.max_val = Kokkos::max(found.max_val, weight);
      },
      Kokkos::MinMax<double>(extremes));
  return extremes.max_val >= extremes.min_val ? extremes.max_val / extremes.min_val : 1;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, energy_span)

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
  check_points(chosen.smoother);
  // For what it throws, before a coarser level is made.
  if (chosen.smoother.type == SmootherType::block_jacobi)
    rows_of_blocks(chosen.smoother.block_jacobi, fine.block_size);
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
