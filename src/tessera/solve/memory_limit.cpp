// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/solve/memory_limit.hpp"

#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <fmt/format.h>

#include <limits>

namespace tessera::detail {

double max_bytes(const SolveParameters& parameters) {
  return parameters.max_memory_mb > 0 ? parameters.max_memory_mb * 0x1p20
                                      : std::numeric_limits<double>::max();
}

std::vector<FrugalChoice> frugal_choices(const SolveParameters& asked, const PickedFor& picked,
                                         bool matrix_is_double) {
  std::vector<FrugalChoice> choices{{asked, ""}};
  SolveParameters p = asked;
  const auto give_up = [&](const char* what) { choices.push_back({p, what}); };
  const bool is_multigrid = picked.effective.preconditioner == PreconditionerKind::amg;
  if (is_multigrid && p.amg.levels.empty() && p.amg.storage.format == StorageFormat::automatic) {
    p.amg.storage.format = StorageFormat::csr;
    if (p.amg.products == amg::Products::automatic) p.amg.products = amg::Products::csr;
    give_up("tiles, for compressed rows on every level");
  }
  if (is_multigrid && p.amg.coarse_size == 0 && p.amg.coarse_sweeps == 0) {
    p.amg.coarse_size = rules::frugal_coarse_size;
    give_up("a large dense level, for one of fewer unknowns");
  }
  if (is_multigrid && matrix_is_double && p.precision == Precision::automatic &&
      picked.effective.precision == Precision::same && suits_float(picked.facts) &&
      !amg::chooses_vectors(p.amg.levels)) {
    p.precision = Precision::single;
    give_up("double inside multigrid, for float");
  }
  if (p.preconditioner != PreconditionerKind::automatic) return choices;
  if (picked.effective.preconditioner == PreconditionerKind::direct) {
    p.preconditioner = PreconditionerKind::amg;
    p.direct.max_memory_mb = 0;
    give_up("factors, for multigrid");
  }
  if (picked.effective.preconditioner != PreconditionerKind::jacobi) {
    p.preconditioner = PreconditionerKind::jacobi;
    p.direct.max_memory_mb = 0;
    give_up("multigrid, for the diagonal: expect many iterations");
  }
  return choices;
}

std::string mebibytes(double bytes) { return fmt::format("{:.3g} MiB", bytes / 0x1p20); }

std::string to_string(const MemoryForecast& forecast) {
  return fmt::format("{} at the peak of setup, and {} with a solve",
                     mebibytes(static_cast<double>(forecast.setup_bytes)),
                     mebibytes(static_cast<double>(forecast.kept_bytes + forecast.solve_bytes)));
}

std::string advice_for_limit(const SolveParameters& asked, const SolveParameters& effective) {
  std::string advice;
  const auto add = [&](const char* words) {
    advice += advice.empty() ? "" : ", ";
    advice += words;
  };
  if (effective.solver.name == SolverName::gmres || effective.solver.name == SolverName::fgmres)
    add("solver.gmres.restart lower");
  if (asked.amg.reuse != amg::Reuse::none && effective.preconditioner == PreconditionerKind::amg)
    add("amg.reuse=none, which keeps no plans");
  if (asked.preconditioner == PreconditionerKind::direct) add("preconditioner=amg for factors");
  if (asked.precision == Precision::same) add("precision=float");
  if (asked.preconditioner != PreconditionerKind::automatic &&
      asked.preconditioner != PreconditionerKind::jacobi)
    add("preconditioner=auto or jacobi");
  return "raise max_memory_mb" + (advice.empty() ? "" : ", or set " + advice);
}

}  // namespace tessera::detail
