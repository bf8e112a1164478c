// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters of the reduction multigrid.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera::amg {

/// Parameters of `ReductionCoarsening`.
struct ReductionParameters {
  double strength_threshold = 0.5;
  double converted_share = 0.2;
  int polynomial_order = 4;
  int polynomial_sparsity = 1;
  double coupling_drop = 0;
  double restriction_drop = 0.01;
  double operator_drop = 1e-5;
  bool lump_dropped = false;
  int fine_sweeps = 2;
  bool relax_coarse = false;
};

template <class Visitor>
void describe_parameters(Visitor& visit, ReductionParameters& p) {
  visit("strength_threshold", p.strength_threshold,
        "theta: points whose couplings are more than theta of the largest of either's row are not "
        "both coarse",
        Range{0.0, 1.0});
  visit("converted_share", p.converted_share,
        "the share of fine points that become coarse, those whose rows are the least dominated by "
        "their diagonals among fine points",
        Range{0.0, 0.9});
  visit("polynomial_order", p.polynomial_order,
        "order of the GMRES polynomial that approximates the inverse among fine points",
        Range{0, 10});
  visit("polynomial_sparsity", p.polynomial_sparsity,
        "the power of the matrix among fine points whose pattern that inverse has", Range{1, 3});
  visit(
      "coupling_drop", p.coupling_drop,
      "couplings below this share of the largest of their row are left out of that inverse and of "
      "the restriction",
      Range{0.0, 1.0});
  visit("restriction_drop", p.restriction_drop,
        "weights of the restriction below this share of the largest of their row are dropped",
        Range{0.0, 1.0});
  visit("operator_drop", p.operator_drop,
        "entries of coarse operators below this share of the largest of their row are dropped",
        Range{0.0, 1.0});
  visit("lump_dropped", p.lump_dropped,
        "whether what coarse operators drop is added to their diagonals");
  visit("fine_sweeps", p.fine_sweeps, "relaxations of the fine points after the correction",
        Range{1, 20});
  visit("relax_coarse", p.relax_coarse,
        "whether a Jacobi sweep on coarse points and one more on fine ones follow (FCF)");
}

}  // namespace tessera::amg
