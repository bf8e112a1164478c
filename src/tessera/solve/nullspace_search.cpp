// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/nullspace_search.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solve/nullspace_vectors.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solve/scaled_constants.hpp"
#include "tessera/solver/nullspace_projector.hpp"

#include <type_traits>

namespace tessera::detail {

/// A unit vector for each unknown of a node. Where A annihilates the constant but none of those,
/// the constant takes the place of the first.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> default_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system) {
  const auto& A = system.A;
  const auto vectors = amg::unit_vectors<Scalar, Space>(exec, system.nodes);
  if (system.facts.zero_row_sums &&
      nullspace_columns<Scalar>(exec, A.view(), A.plan(), vectors).empty()) {
    Kokkos::deep_copy(exec, Kokkos::subview(vectors, Kokkos::ALL, 0), Scalar(1));
  }
  return vectors;
}

template <class Scalar, class Space, class Offset>
NearNullspace<Scalar, Space> find_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& given,
    MultiVector<Scalar, Space>& storage) {
  const auto& A = system.A;
  const amg::Nodes& nodes = system.nodes;
  NearNullspace<Scalar, Space> near{given, {}, nodes.block_size};
  if (given.extent(1) == 0 && nodes.block_size == 1) {
    const auto& nullspace = system.nullspace;
    const bool is_whole = nullspace.empty() || nullspace.num_rows == A.num_rows();
    if (!is_whole || !nullspace.is_constant) {
      storage = near_nullspace_vector_of(exec, nullspace);
      near.near_nullspace = storage;
    }
    if (!nullspace.empty() || (system.facts.symmetric && system.facts.zero_row_sums))
      near.annihilated = {0};
    return near;
  }
  if (given.extent(1) == 0) {
    storage = default_near_nullspace(exec, system);
    near.near_nullspace = storage;
  }
  if (system.facts.symmetric) {
    near.annihilated = system.annihilated && given.extent(1) > 0
                           ? *system.annihilated
                           : nullspace_columns(exec, A.view(), A.plan(), near.near_nullspace);
  }
  // Near-nullspace vectors of another length are left for multigrid to refuse.
  if (nodes.by_unknown && near.near_nullspace.extent(0) == static_cast<std::size_t>(A.num_rows())) {
    const auto by_node =
        allocate_multivector<Scalar>(exec, "tessera::near_nullspace", near.near_nullspace.extent(0),
                                     near.near_nullspace.extent(1));
    amg::to_node_by_node<Scalar, Space>(exec, nodes, near.near_nullspace, by_node);
    storage = by_node;
    near.near_nullspace = storage;
  }
  return near;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, find_near_nullspace)

template <class Scalar, class Space>
std::string description_of(const ComponentNullspace<Scalar, Space>& found) {
  const bool is_one = found.num_components == 1;
  return std::to_string(found.num_components) + " connected component" + (is_one ? "" : "s") +
         " of " + std::to_string(found.num_rows) + " rows in all " + (is_one ? "is" : "are") +
         " singular: A annihilates " + (is_one ? "its" : "their") +
         (found.is_constant ? " constant" : " constant times a diagonal");
}

inline Error no_component_is_singular(bool symmetric) {
  return Error(
      ErrorKind::configuration,
      std::string("solver.nullspace=components: ") +
          (symmetric ? "in each connected component of the matrix there is a row that does not "
                       "sum to zero, expected one of rows that all do"
                     : "the matrix is not symmetric, expected one that is") +
          "; with solver.nullspace=none nothing is projected out");
}

/// Whether the columns of A sum to zero: then no x reduces what b has of the constant, be A
/// symmetric or not.
template <class Scalar, class Space, class Offset>
bool columns_sum_to_zero(const Space& exec, const CrsMatrix<Scalar, Space, Offset>& A) {
  const CrsMatrix<Scalar, Space, Offset> transposed(exec, kernels::transpose(exec, A.view()));
  const auto ones = allocate_multivector<Scalar>(exec, "tessera::nullspace::ones", A.num_rows(), 1);
  Kokkos::deep_copy(exec, ones, Scalar(1));
  return relative_images<Scalar, Space>(exec, transposed, ones)[0] <= annihilated_image<Scalar>;
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::settle(const Space& exec, System& system) {
  const MatrixFacts& facts = system.facts;
  const NullspaceKind asked = system.parameters.solver.nullspace;
  if (asked == NullspaceKind::constant && !facts.zero_row_sums) {
    const auto ones =
        allocate_multivector<Scalar>(exec, "tessera::nullspace::ones", system.A.num_rows(), 1);
    Kokkos::deep_copy(exec, ones, Scalar(1));
    require_annihilated<Scalar, Space>(exec, system.A, ones, "solver.nullspace=constant");
  }
  const bool may_be_constant =
      asked == NullspaceKind::constant || (looks_for_nullspace(asked) && facts.zero_row_sums);
  if (may_be_constant && !facts.symmetric)
    system.facts.zero_column_sums = columns_sum_to_zero(exec, system.A);
  if (asked == NullspaceKind::constant && !facts.symmetric && !facts.zero_column_sums) {
    throw Error(
        ErrorKind::configuration,
        "solver.nullspace=constant: the matrix is not symmetric, and its columns do not sum "
        "to zero, expected rows and columns that do; with solver.nullspace=none nothing is "
        "projected out");
  }
  const bool is_asked_for = asked == NullspaceKind::components;
  const bool is_likely =
      looks_for_nullspace(asked) && facts.symmetric && (facts.zero_row_sums || facts.zero_rows > 0);
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
  if (!system.facts.symmetric && !columns_sum_to_zero(exec, system.A)) return false;
  const auto n = static_cast<std::size_t>(system.A.num_rows());
  if (kind == NullspaceKind::vectors) {
    for (const double image :
         relative_images<Scalar, Space>(exec, system.A, m_projector.vectors())) {
      if (!(image <= of_scaled * annihilated_image<Scalar>)) return false;
    }
    if (system.nullspace.empty()) return true;
  }
  const auto v = allocate_multivector<Scalar>(exec, "tessera::nullspace::v", n, 1);
  Kokkos::deep_copy(exec, v, Scalar(1));
  if (kind != NullspaceKind::constant) {
    // The weights less what is left of them: zeros but in singular components.
    const ConstMultiVectorView<Scalar, Space> weight(system.nullspace.weight.data(), n, 1);
    NullspaceProjector<Scalar, Space> projector = m_projector;
    projector.prepare(exec, 1);
    kernels::copy<Scalar, Scalar, Space>(exec, weight, v);
    projector.apply(exec, v);
    kernels::axpby<Scalar, Space>(exec, Scalar(1), weight, Scalar(-1), v);
  }
  const double most = annihilated_image<Scalar> * (system.nullspace.is_constant ? 1 : of_scaled);
  return relative_images<Scalar, Space>(exec, system.A, v)[0] <= most;
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::settle_vectors(
    const Space& exec, System& system,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& given) {
  using Vectors = MultiVectorView<Scalar, Space>;
  const MatrixFacts& facts = system.facts;
  if (facts.annihilated_vectors > 0) return;  // they stay where all is selected again
  system.annihilated.reset();
  const auto n = static_cast<std::size_t>(system.A.num_rows());
  const bool are_given = given.extent(1) > 0 && given.extent(0) == n;
  const bool are_likely = system.nodes.block_size > 1 && facts.zero_row_sums;
  if (!facts.symmetric || !(are_given || are_likely) || !system.nullspace.empty() ||
      !looks_for_nullspace(system.parameters.solver.nullspace))
    return;
  MultiVector<Scalar, Space> storage;
  if (!are_given) storage = amg::unit_vectors<Scalar, Space>(exec, system.nodes);
  const ConstMultiVectorView<Scalar, Space> v =
      are_given ? given : ConstMultiVectorView<Scalar, Space>(storage);
  const std::vector<int> found = nullspace_columns(exec, system.A.view(), system.A.plan(), v);
  if (are_given) system.annihilated = found;
  if (found.empty() || (found.size() == 1 && facts.zero_row_sums)) return;
  const auto own =
      allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", n, found.size());
  for (std::size_t t = 0; t < found.size(); ++t) {
    kernels::copy<Scalar, Scalar, Space>(
        exec,
        ConstMultiVectorView<Scalar, Space>(
            v.data() + static_cast<std::size_t>(found[t]) * v.stride(1), n, 1),
        Vectors(own.data() + t * own.stride(1), n, 1));
  }
  m_projector = NullspaceProjector<Scalar, Space>(exec, own);
  system.facts.annihilated_vectors = static_cast<int>(found.size());
}

template <class Scalar, class Space, class Offset>
std::string NullspaceSearch<Scalar, Space, Offset>::look_for_vectors(
    const Space& exec, System& system, Preconditioner<Scalar, Space>* M,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r, const SolverParameters& effective) {
  constexpr int max_looks = 3;  // with other preconditioners, or at the rest of a large nullspace
  if (m_looks == max_looks) return {};
  ++m_looks;
  const bool is_constant = effective.nullspace == NullspaceKind::constant;
  const auto known = is_constant
                         ? NullspaceProjector<Scalar, Space>::constant(exec, system.A.num_rows())
                         : m_projector;
  m_projector = known;
  std::size_t count = 0;
  const auto find = [&](Preconditioner<Scalar, Space>* preconditioner) {
    const auto found = find_nullspace_vectors<Scalar, Space>(exec, system.A, preconditioner, r,
                                                             m_projector, effective);
    count += found.vectors.extent(1);
    if (found.vectors.extent(1) > 0) m_projector.add(exec, found.vectors);
    return found.all;
  };
  // That of a singular matrix may be of no use. And without any, w + e is the whole part of w in
  // the nullspace, however large that is.
  const bool all = find(M) || (M != nullptr && find(nullptr));
  if (all) m_looks = max_looks;
  if (count == 0) return {};
  system.facts.annihilated_vectors += static_cast<int>(count);
  return "A annihilates " + std::to_string(count) + (count == 1 ? " vector" : " vectors") +
         (all ? "" : ", and maybe more") + (known.empty() ? "" : " beside those known before");
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
  m_projector = NullspaceProjector<Scalar, Space>(found.projector(exec));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, NullspaceSearch)

}  // namespace tessera::detail
