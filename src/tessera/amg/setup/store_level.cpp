// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/store_level.hpp"

#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/amg/setup/level_formats.hpp"
#include "tessera/amg/setup/level_relaxation.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/magnitudes.hpp"
#include "tessera/matrix/store.hpp"
#include "tessera/smoother/make_smoother.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>

namespace tessera::amg {
namespace detail {

/// Keeps notes on a matrix that is stored in another scalar than asked for.
void note_storage(const char* name, int level, const std::string& note,
                  std::vector<std::string>& notes) {
  if (!note.empty())
    notes.push_back(std::string(name) + " of level " + std::to_string(level) + " " + note);
}

/// Of an operator in double beside vectors in float.
inline constexpr const char* widened_note =
    "stored in double has float's digits only, as its vectors do: amg.storage.scalar=same takes "
    "fewer bytes, vectors in double (precision=same) keep all digits";

/// Whether the levels' matrices may be stored in half, as far as is known before setup.
bool may_store_half(const Parameters& p) {
  const auto narrow = [](const StorageParameters& storage) {
    return storage.scalar == StorageScalar::half || storage.scalar == StorageScalar::automatic;
  };
  return p.choose_level || (p.levels.empty() && narrow(p.storage)) ||
         std::any_of(p.levels.begin(), p.levels.end(),
                     [&](const LevelParameters& level) { return narrow(level.A); });
}

/// Values times two to the `exponent`, without rounding but where they leave the range.
template <class Scalar, class Space>
void scale_by_power(const Space& exec, const Array<Scalar, Space>& values, int exponent) {
  if (values.extent(0) == 0) return;
  const MultiVectorView<Scalar, Space> scaled = as_multivector(values);
  kernels::scale(exec, static_cast<Scalar>(std::ldexp(1.0, exponent)), scaled);
}

/// R in whatever form there is of it.
template <class Scalar, class Space, class Offset>
void scale_R(const Space& exec, const SetupLevel<Scalar, Space, Offset>& here, int exponent) {
  scale_by_power(exec, here.coarse.R.values, exponent);
  const auto& tiles = here.storage.coarse_tiles;
  if (tiles) scale_by_power(exec, tiles->R.values, exponent);
}

template <class Scalar, class Space, class Offset>
void scale_restriction(const Space& exec, const Parameters& p,
                       SetupLevel<Scalar, Space, Offset>& here) {
  here.storage.restriction_exponent = 0;
  if (!p.scale_restriction || !may_store_half(p)) return;
  const auto& coarse = here.coarse;
  const int exponent = exponent_into_range<Half>(magnitudes(exec, coarse.A.view()));
  if (exponent == 0) return;
  scale_R(exec, here, exponent);
  scale_by_power(exec, coarse.A.values, exponent);
  // Their values, not their scale: products and the levels below take it for 1.
  const auto& tiles = here.storage.coarse_tiles;
  if (tiles) scale_by_power(exec, tiles->A.values, exponent);
  here.storage.restriction_exponent = exponent;
  here.notes.connection.push_back("restriction to level " + std::to_string(here.fine.number + 1) +
                                  " scaled by 2^" + std::to_string(exponent) +
                                  ": the level's operator would leave half's range");
}

/// Says so where a product could not be made of tiles.
template <class Scalar, class Space, class Offset>
void note_products(SetupLevel<Scalar, Space, Offset>& here) {
  if (!here.storage.multiplies_tiles || here.storage.coarse_tiles) return;
  const bool drops = here.coarse.drops.below > 0;
  here.notes.products.push_back(
      "products of level " + std::to_string(here.fine.number) + " in compressed rows: " +
      (drops ? "small entries are dropped from them" : "mBSR cannot hold one of them"));
}

/// Plans the products of those of a level's P and R that the cycle reads in compressed rows though
/// the coarse operator was made of tiles, if it was. Plans hold for new values.
template <class Scalar, class Space, class Offset>
void plan_beside_tiles(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  using StoredA = StoredCsr<Scalar, Space, Offset>;
  const auto& coarse = here.coarse;
  auto& storage = here.storage;
  if (!storage.coarse_tiles) return;
  const auto& of_tiles = *storage.coarse_tiles;
  const auto in_rows = [&](const auto& rows, const auto& tiles) {
    return std::make_shared<StoredA>(
        exec, rows.num_cols == 0 ? kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.view()) : rows);
  };
  if (storage.P == nullptr && !takes_tiles(here.chosen.P))
    storage.P = in_rows(coarse.P, of_tiles.P);
  if (takes_tiles(here.chosen.R)) return;
  if (storage.R != nullptr && coarse.R.num_cols > 0) return;
  storage.R = in_rows(coarse.R, of_tiles.R);
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void finish_level(const Space& exec, const Parameters& p, SetupLevel<Scalar, Space, Offset>& here,
                  bool relaxes, Level<Scalar, Space>& level, PhaseTimer<Space>& timer) {
  const auto& fine = here.fine;
  level.block_size = fine.block_size;
  level.spectral_radius = relaxes ? fine.spectral_radius : 0;
  if (!relaxes) {
    // The direct solve has a copy of its own.
    level.A = fine.A;
    return;
  }
  timer.start(exec, "storage");
  // Tiles that are too empty to be multiplied are not read either, unless asked for.
  const bool reads_tiles =
      here.storage.multiplies_tiles || here.chosen.A.format != StorageFormat::automatic;
  const auto A = stored_as_set(p, fine.number, "A", [&] {
    return store(exec, fine.A, here.chosen.A, reads_tiles ? here.storage.tiles.get() : nullptr);
  });
  here.notes.A.clear();
  detail::note_storage("A", fine.number, A.note, here.notes.A);
  if (std::is_same_v<Scalar, float> && A.scalar == StorageScalar::float64)
    detail::note_storage("A", fine.number, detail::widened_note, here.notes.A);
  level.A = A.op;
  timer.start(exec, "smoother");
  if (relax_fine_points(exec, p, here, level) || relax_points(exec, here, level)) return;
  // A level that is not split, the coarsest or one that waits for it, relaxes all points.
  SmootherParameters parameters = here.chosen.smoother;
  parameters.points = RelaxationPoints::all;
  level.smoother =
      make_smoother<Scalar, Space>(exec, parameters, level.A, fine.A->view(), fine.inverse_diagonal,
                                   fine.spectral_radius, fine.block_size);
  here.notes.smoother.clear();
  const std::string where = "smoother of level " + std::to_string(fine.number) + ": ";
  if (parameters.type == SmootherType::fsai && !fine.symmetric && fine.number == 0)
    here.notes.smoother.push_back(where +
                                  "fsai reads the lower triangle alone, and the matrix is "
                                  "not symmetric");
  const std::string note = level.smoother->note();
  if (!note.empty()) here.notes.smoother.push_back(where + note);
}

template <class Scalar, class Space, class Offset>
SetupLevel<Scalar, Space, Offset> next_level(const Space& exec,
                                             SetupLevel<Scalar, Space, Offset>& here,
                                             int block_size, PhaseTimer<Space>& timer) {
  using StoredA = StoredCsr<Scalar, Space, Offset>;
  detail::note_products(here);
  timer.start(exec, "analyse");
  const auto& coarse = here.coarse;
  auto& storage = here.storage;
  SetupLevel<Scalar, Space, Offset> next{{nullptr,
                                          {},
                                          0,
                                          block_size,
                                          here.fine.symmetric,
                                          here.fine.number + 1,
                                          coarse.box,
                                          coarse.functions}};
  if (storage.coarse_tiles) {
    next.fine.A = std::make_shared<StoredA>(exec, coarse.A);
    next.storage.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(storage.coarse_tiles->A);
    return next;
  }
  const auto plans = kernels::analyse_spmv_together<Scalar, Space, Offset>(
      exec, {coarse.P.view(), coarse.R.view(), coarse.A.view()});
  storage.P = std::make_shared<StoredA>(coarse.P, plans[0]);
  storage.R = std::make_shared<StoredA>(coarse.R, plans[1]);
  next.fine.A = std::make_shared<StoredA>(coarse.A, plans[2]);
  return next;
}

template <class Scalar, class Space, class Offset>
void connect_levels(const Space& exec, const Parameters& p, bool symmetric,
                    SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level,
                    PhaseTimer<Space>& timer) {
  timer.start(exec, "storage");
  here.notes.connection.clear();
  detail::scale_restriction(exec, p, here);
  const auto& storage = here.storage;
  const auto* const tiles = storage.coarse_tiles ? &*storage.coarse_tiles : nullptr;
  detail::plan_beside_tiles(exec, here);
  const auto store_P = [&](const StorageParameters& as) {
    return stored_as_set(p, here.fine.number, "P", [&] {
      return store(exec, storage.P, as, tiles != nullptr ? &tiles->P : nullptr);
    });
  };
  const auto store_R = [&](const StorageParameters& as) {
    return stored_as_set(p, here.fine.number, "R", [&] {
      return store(exec, storage.R, as, tiles != nullptr ? &tiles->R : nullptr);
    });
  };
  auto P = store_P(here.chosen.P);
  auto R = store_R(here.chosen.R);
  // Rounded to different scalars R is no longer P's transpose, nor the cycle symmetric: bcsstk15
  // with P in bfloat16 and R in half takes 106 iterations, with both in bfloat16 84.
  if (symmetric && here.chosen.P.scalar == here.chosen.R.scalar && P.scalar != R.scalar) {
    const bool P_is_wider = width_of(P.scalar) > width_of(R.scalar);
    auto& narrower = P_is_wider ? R : P;
    narrower = P_is_wider ? store_R({here.chosen.R.format, P.scalar})
                          : store_P({here.chosen.P.format, R.scalar});
    if (narrower.note.empty())
      narrower.note = std::string("stored as ") + (P_is_wider ? "P" : "R") + " is";
  }
  detail::note_storage("P", here.fine.number, P.note, here.notes.connection);
  detail::note_storage("R", here.fine.number, R.note, here.notes.connection);
  level.P = P.op;
  level.R = R.op;
  // Else `finish_level` comes once the coarsening is done.
  if (!here.storage.comes_first || relax_fine_points(exec, p, here, level)) return;
  if (here.chosen.smoother.points == RelaxationPoints::all) return;
  restore_values(exec, here);
  relax_points(exec, here, level);
  release_operator(here);
}

template <class Scalar, class Space, class Offset>
void unscale_restriction(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  auto& exponent = here.storage.restriction_exponent;
  if (exponent != 0) detail::scale_R(exec, here, -exponent);
  exponent = 0;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, finish_level)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, next_level)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, connect_levels)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, unscale_restriction)

}  // namespace tessera::amg
