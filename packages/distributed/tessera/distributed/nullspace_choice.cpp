// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/nullspace_choice.hpp"

#include "tessera/distributed/component_projector.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/nullspace_search.hpp"

#include <memory>
#include <string>

namespace tessera::distributed {
namespace {

template <class Space>
NullspaceProjectors<Space> given_projectors(const Space& exec, const NullspaceSource<Space>& source,
                                            NullspaceKind& kind, std::vector<std::string>& notes) {
  const auto refuse = [](const char* what) { throw Error(ErrorKind::configuration, what); };
  if (source.given.empty())
    refuse("solver.nullspace=given, and none was; call Solver::set_nullspace before a setup");
  if (kind != NullspaceKind::automatic && kind != NullspaceKind::given)
    refuse(
        "a nullspace was given by Solver::set_nullspace and 'solver.nullspace' names another one, "
        "expected auto or given");
  const std::size_t count = source.given.basis.extent(1);
  if (kind == NullspaceKind::automatic)
    notes.push_back("nullspace given: " + std::to_string(count) + " of its vectors " +
                    (count == 1 ? "was" : "were") + " set by the program");
  kind = NullspaceKind::given;
  return checked_nullspace(exec, source.A, source.symmetric, source.given);
}

/// The projection of a symmetric matrix's residuals, too.
template <class Space>
NullspaceProjectors<Space> of_both_sides(std::shared_ptr<NullspaceProjector<Space>> projector) {
  return {projector, projector};
}

template <class Space>
const ComponentNullspace& found_components(const Space& exec,
                                           const NullspaceSource<Space>& source) {
  KnownComponents<Space>& known = source.components;
  const ComponentNullspace& found =
      known.singular.find(exec, source.A, tessera::detail::sum_round_off<double>);
  if (known.singular.found_others()) known.projector.reset();
  return found;
}

/// Of the components that were found last.
template <class Space>
NullspaceProjectors<Space> by_components(const Space& exec, const NullspaceSource<Space>& source,
                                         const ComponentNullspace& found) {
  auto& projector = source.components.projector;
  if (projector == nullptr)
    projector = std::make_shared<ComponentProjector<Space>>(exec, source.A.processes, found);
  return of_both_sides<Space>(projector);
}

template <class Space>
NullspaceProjectors<Space> constant_of(const Space& exec, const Matrix<Space>& A) {
  return of_both_sides<Space>(VectorProjector<Space>::constant(exec, A.processes, A.rows.num_rows));
}

}  // namespace

template <class Space>
NullspaceProjectors<Space> choose_nullspace(const Space& exec, const NullspaceSource<Space>& source,
                                            NullspaceKind& kind, std::vector<std::string>& notes) {
  const Matrix<Space>& A = source.A;
  if (kind == NullspaceKind::given || !source.given.empty())
    return given_projectors(exec, source, kind, notes);
  const SumsOfRows& sums = source.sums;
  if (kind == NullspaceKind::constant && !sums.all_zero)
    throw Error(ErrorKind::configuration,
                "solver.nullspace=constant is not in the nullspace of the matrix: there are rows "
                "that do not sum to zero");
  if (kind == NullspaceKind::constant) return constant_of(exec, A);
  const bool is_asked_for = kind == NullspaceKind::components;
  const bool is_likely = kind == NullspaceKind::automatic && (sums.all_zero || sums.any_of_zeros);
  const ComponentNullspace none;
  const ComponentNullspace& found =
      source.symmetric && (is_asked_for || is_likely) ? found_components(exec, source) : none;
  if (is_asked_for && found.empty())
    throw tessera::detail::no_component_is_singular(source.symmetric);
  if (is_asked_for) return by_components(exec, source, found);
  kind = NullspaceKind::none;
  if (!source.symmetric || !is_likely) return {};
  if (sums.all_zero && found.num_components <= 1) {
    kind = NullspaceKind::constant;
    notes.push_back("nullspace constant: every row sums to zero");
    return constant_of(exec, A);
  }
  if (found.empty()) return {};
  kind = NullspaceKind::components;
  notes.push_back("nullspace components: " + std::to_string(found.num_rows) + " of " +
                  std::to_string(A.row_shares->size()) +
                  " rows are in connected components that are singular, " +
                  std::to_string(found.num_components) + " in number");
  return by_components(exec, source, found);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, choose_nullspace)

}  // namespace tessera::distributed
