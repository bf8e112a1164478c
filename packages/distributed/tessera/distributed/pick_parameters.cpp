// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/pick_parameters.hpp"

#include "tessera/amg/setup/smoother_for.hpp"
#include "tessera/distributed/agreed_facts.hpp"
#include "tessera/distributed/row_facts.hpp"
#include "tessera/distributed/skew_facts.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <cmath>
#include <string>

namespace tessera::distributed {
namespace {

/// An iteration costs messages and sums besides what is multiplied: in long rows a polynomial that
/// saves iterations is worth its products where Jacobi would do on one process.
void select_for_messages(amg::Parameters& p, const MatrixFacts& facts, int block_size,
                         std::vector<std::string>& notes) {
  const bool is_long = facts.entries > rules::max_entries_in_the_plane * facts.rows;
  const bool has_few = facts.positive_couplings <= rules::few_positive_couplings;
  if (!facts.on_host || !facts.symmetric || block_size > 1 || !is_long || !has_few) return;
  bool any = false;
  amg::for_each_smoother(p, [&](SmootherParameters& smoother) {
    if (!amg::is_left_open(smoother)) return;
    smoother.type = rules::smoother_over_processes;
    any = true;
  });
  if (any)
    notes.push_back("smoother chebyshev: rows of " +
                    std::to_string(std::lround(facts.entries / facts.rows)) +
                    " entries, whose polynomials save iterations and what these send");
}

}  // namespace

template <class Space>
PickedParameters pick_parameters(const Space& exec, const Matrix<Space>& A,
                                 const MultiVector<double, Space>& vectors,
                                 const SolveParameters& asked, int block_size, bool symmetric,
                                 FactorsOfShares factors) {
  PickedParameters picked{asked, {}, false};
  SolveParameters& p = picked.solve;
  p.preconditioner = PreconditionerKind::amg;
  MatrixFacts facts = agreed_facts(exec, A, symmetric);
  add_row_facts(exec, A, vectors, facts);
  if (!symmetric && factors == FactorsOfShares::allowed) {
    add_skew_facts(exec, A, facts);
  } else if (!symmetric) {
    add_block_facts(exec, A, facts);
    amg::for_each_smoother(p.amg, [&](SmootherParameters& smoother) {
      smoother = amg::smoother_for(smoother, block_size, symmetric);
    });
  }
  picked.may_reduce = may_reduce(asked.amg, facts, block_size);
  const auto num_vectors = vectors.extent(1);
  const bool lacks_vectors =
      block_size > 1 && (num_vectors == 0 || num_vectors == static_cast<std::size_t>(block_size));
  select_for_messages(p.amg, facts, block_size, picked.notes);
  for (const Selection& s : select_parameters(p, facts, true, block_size, lacks_vectors))
    if (s.setting.starts_with("amg.")) picked.notes.push_back(s.note());
  return picked;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, pick_parameters)

}  // namespace tessera::distributed
