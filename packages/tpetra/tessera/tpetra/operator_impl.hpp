// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `Operator`, for whoever instantiates it for other types than Tpetra's defaults.
#pragma once

#include "tessera/tpetra/operator_levels_impl.hpp"
#include "tessera/tpetra/product_arguments.hpp"

#include <Teuchos_FancyOStream.hpp>

#include <ostream>
#include <utility>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Teuchos::ParameterList& list)
    : Operator(A, operator_detail::parameters_from(list), operator_detail::user_data_in(list)) {}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Parameters& parameters,
                                        const Teuchos::ParameterList& user_data)
    : m_state(std::make_unique<State>(parameters)) {
  State& s = *m_state;
  s.A = s.checked_matrix(A);
  s.map = s.A->getRowMap();
  s.take_user_data(user_data);
  const int size = s.map->getComm()->getSize();
  if (size > 1 && s.parameters.distributed == Distribution::refuse)
    throw Error(ErrorKind::configuration,
                "the matrix is distributed over " + std::to_string(size) +
                    " processes, and parameter 'distributed' is 'refuse'");
  if (size > 1 && s.solves())
    throw Error(
        ErrorKind::configuration,
        "parameter 'apply' is 'solve', which is for one process, and the matrix is distributed "
        "over " +
            std::to_string(size) + "; take 'preconditioner' under a Krylov method of Belos");
  s.set_up();
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::~Operator() = default;

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::update(const Teuchos::RCP<const Base>& A) {
  State& s = *m_state;
  const auto next = s.checked_matrix(A);
  if (s.has_levels()) {
    s.update_levels(next);
  } else {
    s.update_local_solver(next);
  }
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::getDomainMap() const -> Teuchos::RCP<const Map> {
  return m_state->map;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::getRangeMap() const -> Teuchos::RCP<const Map> {
  return m_state->map;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode,
                                          double alpha, double beta) const {
  State& s = *m_state;
  if (mode != Teuchos::NO_TRANS && !s.is_symmetric)
    operator_detail::refuse(
        "Tessera's operator has a transpose only where it is known to be symmetric, which it is "
        "not here: " +
        description());
  if (s.has_levels()) return s.apply_levels(X, Y, alpha, beta);
  const auto apply_to = [&](const auto& x, const auto& y) {
    if (alpha != 0 && x.extent(1) > 0) s.apply_locally(Space(), x, y);
  };
  // With alpha = 0 nothing of X is looked at but its shape.
  const bool copied = s.with_views(X, Y, alpha != 1 || beta != 0, false, apply_to);
  if (alpha == 0) {
    product_detail::scale_result(Y, beta);
  } else if (copied) {
    Y.update(alpha, s.workspace, beta);
  }
}

template <class GlobalOrdinal, class Node>
SolveResult Operator<GlobalOrdinal, Node>::solve(const Vectors& b, Vectors& x) {
  State& s = *m_state;
  if (s.is_distributed())
    operator_detail::refuse(
        "Tessera's own methods solve on one process, and the matrix is distributed over " +
        std::to_string(s.map->getComm()->getSize()));
  const bool copied = s.with_views(b, x, false, true, [&](const auto& from, const auto& to) {
    s.solve_locally(Space(), from, to);
  });
  s.prepared_columns = -1;  // what was picked may be another one now
  if (copied) Tpetra::deep_copy(x, s.workspace);
  return s.result;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::set_logger(Logger logger) {
  m_state->solver.set_logger(std::move(logger));
}

template <class GlobalOrdinal, class Node>
bool Operator<GlobalOrdinal, Node>::hasTransposeApply() const {
  return m_state->is_symmetric;
}

template <class GlobalOrdinal, class Node>
std::string Operator<GlobalOrdinal, Node>::description() const {
  const State& s = *m_state;
  const Parameters shown = parameters();
  std::string text = "tessera::tpetra::Operator{";
  parameters::ParameterTree tree(const_cast<Parameters&>(shown));
  for (const auto& parameter : tree.parameters()) {
    const bool is_shown = parameter.key == "apply" || parameter.key == "preconditioner" ||
                          parameter.key == "precision" || parameter.key == "amg.cycle" ||
                          (parameter.key == "solver.name" && s.solves());
    if (is_shown) text += parameter.key + "=" + parameters::to_text(parameter.get()) + ", ";
  }
  text += "rows=" + std::to_string(s.map->getGlobalNumElements());
  if (s.is_distributed())
    text += std::string(", distributed=") + (s.levels ? "multigrid" : "block_jacobi") +
            ", processes=" + std::to_string(s.map->getComm()->getSize());
  return text + "}";
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::describe(Teuchos::FancyOStream& out,
                                             Teuchos::EVerbosityLevel verbosity) const {
  const auto level = verbosity == Teuchos::VERB_DEFAULT ? Teuchos::VERB_LOW : verbosity;
  if (level == Teuchos::VERB_NONE) return;
  const State& s = *m_state;
  Teuchos::OSTab tab(out);
  out << description() << '\n';
  const int rank = s.map->getComm()->getRank();
  if (s.levels != nullptr) {
    for (const std::string& line : s.levels->description())
      out << line << '\n';
    return;
  }
  if (s.num_rows() == 0) {
    out << "process " << rank << " has no rows\n";
    return;
  }
  const HierarchyInfo& info = s.solver.hierarchy();
  Teuchos::OSTab inner(out);
  out << "process " << rank << ", setup " << s.solver.setup_ms() << " ms\n";
  for (std::size_t l = 0; l < info.levels.size(); ++l)
    out << "level " << l << ": " << info.levels[l].rows << " unknowns, " << info.levels[l].entries
        << " entries\n";
  for (const std::string& note : info.notes)
    out << note << '\n';
}

template <class GlobalOrdinal, class Node>
HierarchyInfo Operator<GlobalOrdinal, Node>::hierarchy() const {
  const State& s = *m_state;
  if (s.levels != nullptr) return s.levels->info();
  return s.num_rows() > 0 ? s.solver.hierarchy() : HierarchyInfo();
}

template <class GlobalOrdinal, class Node>
Parameters Operator<GlobalOrdinal, Node>::parameters() const {
  Parameters p = m_state->parameters;
  if (m_state->num_rows() > 0 && !m_state->levels) p.solve = m_state->solver.parameters();
  return p;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::local_solver() const -> const LocalSolver& {
  return m_state->solver;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::local_matrix() const -> const LocalMatrix& {
  return m_state->local;
}

template <class GlobalOrdinal, class Node>
const SolveResult& Operator<GlobalOrdinal, Node>::last_result() const {
  return m_state->result;
}

}  // namespace tessera::tpetra
