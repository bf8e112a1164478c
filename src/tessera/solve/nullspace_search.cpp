// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/nullspace_search.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solve/scaled_constants.hpp"

#include <cstddef>
#include <type_traits>

namespace tessera::detail {

template <class Scalar, class Space>
std::string description_of(const ComponentNullspace<Scalar, Space>& found) {
  const bool is_one = found.num_components == 1;
  return std::to_string(found.num_components) + " connected component" + (is_one ? "" : "s") +
         " of " + std::to_string(found.num_rows) + " rows in all " + (is_one ? "is" : "are") +
         " singular: A annihilates " + (is_one ? "its" : "their") +
         (found.is_constant ? " constant" : " constant times a diagonal");
}

Error no_component_is_singular(bool symmetric) {
  return Error(
      ErrorKind::configuration,
      std::string("solver.nullspace=components: ") +
          (symmetric ? "in each connected component of the matrix there is a row that does not "
                       "sum to zero, expected one of rows that all do"
                     : "the matrix is not symmetric, expected one that is") +
          "; with solver.nullspace=none nothing is projected out");
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::settle(const Space& exec, System& system) {
  const MatrixFacts& facts = system.facts;
  const NullspaceKind asked = system.parameters.solver.nullspace;
  if (asked == NullspaceKind::given || system.given_nullspace.extent(1) > 0) {
    m_projectors = checked_nullspace(exec, system);
    system.facts.given_nullspace = static_cast<int>(system.given_nullspace.extent(1));
    return;
  }
  if (asked == NullspaceKind::constant && !facts.zero_row_sums) {
    const auto ones =
        allocate_multivector<Scalar>(exec, "tessera::nullspace::ones", system.A.num_rows(), 1);
    Kokkos::deep_copy(exec, ones, Scalar(1));
    require_annihilated<Scalar, Space>(exec, system.A, ones, "solver.nullspace=constant");
  }
  const bool is_asked_for = asked == NullspaceKind::components;
  const bool is_likely = asked == NullspaceKind::automatic && facts.symmetric &&
                         (facts.zero_row_sums || facts.zero_rows > 0);
  if (m_knows_components || !(is_asked_for || is_likely)) return;
  m_knows_components = true;
  if (!is_asked_for || facts.symmetric) look_for_components(exec, system);
  if (is_asked_for && system.nullspace.empty()) throw no_component_is_singular(facts.symmetric);
}

template <class Scalar, class Space, class Offset>
std::string NullspaceSearch<Scalar, Space, Offset>::look(const Space& exec, System& system,
                                                         const SolveParameters& effective,
                                                         bool or_scaled) {
  if (!m_knows_components) {
    m_knows_components = true;
    look_for_components(exec, system);
  }
  if constexpr (std::is_same_v<Scalar, double>) {
    if (system.nullspace.empty() && or_scaled && !m_knows_scaled) {
      m_knows_scaled = true;
      take(exec, system, find_scaled_constants(exec, system.A, effective));
    }
  }
  return system.nullspace.empty() ? std::string() : description_of(system.nullspace);
}

template <class Scalar, class Space, class Offset>
bool NullspaceSearch<Scalar, Space, Offset>::still_holds(const Space& exec, const System& system,
                                                         NullspaceKind kind) const {
  constexpr double of_scaled = 100;  // which inverse iteration finds to a few digits less
  if (kind == NullspaceKind::none) return true;
  if (kind == NullspaceKind::given) return still_annihilated(exec, system.A, m_projectors);
  const auto n = static_cast<std::size_t>(system.A.num_rows());
  const auto v = allocate_multivector<Scalar>(exec, "tessera::nullspace::v", n, 1);
  Kokkos::deep_copy(exec, v, Scalar(1));
  if (kind == NullspaceKind::components) {
    // The weights less what is left of them: zeros but in singular components.
    const ConstMultiVectorView<Scalar, Space> weight(system.nullspace.weight.data(), n, 1);
    NullspaceProjector<Scalar, Space> projector = m_projectors.of_matrix;
    projector.prepare(exec, 1);
    kernels::copy<Scalar, Scalar, Space>(exec, weight, v);
    projector.apply(exec, v);
    kernels::axpby<Scalar, Space>(exec, Scalar(1), weight, Scalar(-1), v);
  }
  const double most = annihilated_image<Scalar> * (system.nullspace.is_constant ? 1 : of_scaled);
  return relative_images<Scalar, Space>(exec, system.A, v)[0] <= most;
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::look_for_components(const Space& exec,
                                                                 System& system) {
  take(exec, system, singular_components(exec, system.A.view(), {}, sum_round_off<Scalar>));
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::take(const Space& exec, System& system,
                                                  const ComponentNullspace<Scalar, Space>& found) {
  system.facts.singular_components = found.num_components;
  system.facts.singular_rows = found.num_rows;
  const bool is_the_constant =
      found.is_constant && found.num_components == 1 && found.num_rows == system.A.num_rows();
  const bool is_asked_for = system.parameters.solver.nullspace == NullspaceKind::components;
  if (found.empty() || (is_the_constant && !is_asked_for)) return;
  system.nullspace = found;
  m_projectors.of_matrix = NullspaceProjector<Scalar, Space>(found.projector(exec));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, NullspaceSearch)

}  // namespace tessera::detail
