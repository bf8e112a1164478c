// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's cycle over MueLu's levels can be told.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/solve.hpp"

namespace tessera::hybrid {

/// Those of `amg::Parameters` that are left where somebody else makes the levels, by their names.
struct CycleParameters {
  amg::CycleType cycle = amg::CycleType::v;
  amg::AssumedSymmetry symmetry = amg::AssumedSymmetry::automatic;
  int spectral_radius_steps = 8;
  SmootherParameters smoother;
  StorageParameters storage;
  std::vector<amg::LevelParameters> levels;
};

struct Parameters {
  Precision precision = Precision::same;
  TensorCoreUse tensor_cores = TensorCoreUse::automatic;
  CycleParameters amg;
};

template <class Visitor>
void describe_parameters(Visitor& visit, CycleParameters& p) {
  visit("cycle", p.cycle, "the cycle's shape", EnumNames<amg::CycleType>(amg::cycle_names));
  visit("symmetry", p.symmetry, "whether the matrix counts as symmetric",
        EnumNames<amg::AssumedSymmetry>(amg::assumed_symmetry_names));
  visit("spectral_radius_steps", p.spectral_radius_steps,
        "products with the matrix for the spectral radius of D^-1 A on each level", Range{2, 100});
  visit.section("smoother", p.smoother, "relaxation on every level but the coarsest");
  visit.section("storage", p.storage, "how the levels' matrices are stored");
  visit.list("levels", p.levels,
             "choices by level from the finest on, in place of amg.smoother and amg.storage; the "
             "last one holds for all levels below",
             [&p] {
               amg::Parameters of_all;
               of_all.smoother = p.smoother;
               of_all.storage = p.storage;
               return amg::uniform_choice(of_all);
             });
}

/// Names are those of `SolveParameters`.
template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("precision", p.precision, "precision of the preconditioner",
        EnumNames<Precision>(precision_names));
  visit("tensor_cores", p.tensor_cores,
        "on a GPU, whether products with a matrix of tiles go to tensor cores",
        EnumNames<TensorCoreUse>(tensor_core_names));
  visit.section("amg", p.amg, "the cycle");
}

}  // namespace tessera::hybrid
