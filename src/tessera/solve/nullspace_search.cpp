// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/nullspace_search.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solver/cg.hpp"
#include "tessera/solver/nullspace_projector.hpp"

#include <limits>
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
    near.annihilated = nullspace_columns(exec, A.view(), A.plan(), near.near_nullspace);
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

/// Looks for a vector that a symmetric A with a positive diagonal annihilates on some of its
/// connected components: the part in A's nullspace of a vector that is near it, w = w0 - A^+ A w0,
/// w0 being `amg::equilibrated_constant`. The system A e = -A w0 always has a solution, so that CG
/// with a multigrid of its own needs to know no nullspace. Where A is regular, w is zero but for
/// what the solve leaves, which A does not annihilate.
/// `picked`: of which the multigrid's parameters are taken, and the time limit.
template <class Space, class Offset>
ComponentNullspace<double, Space> find_scaled_constants(const Space& exec,
                                                        const CrsMatrix<double, Space, Offset>& A,
                                                        const SolveParameters& picked);

/// What the solve leaves of A w, over |A| |w|, row by row of a matrix whose entries lie about 1.
/// The least eigenvalue of a regular A lies above that, or is round-off itself.
inline constexpr double annihilated = 1e4 * std::numeric_limits<double>::epsilon();
inline constexpr int max_iterations_for_nullspace = 100;
/// Of inverse iteration: CG leaves a solve some digits early where rounding has brought the part of
/// its residual in the nullspace into the preconditioner.
inline constexpr int max_passes_for_nullspace = 3;
/// Where less of ||w||^2 is left, A is regular: it takes w to nothing but zero.
inline constexpr double regular = 1e-12;

/// CG as far down as it goes.
inline SolverParameters to_the_last_digit(const SolverParameters& picked) {
  SolverParameters p;
  p.name = SolverName::cg;
  p.tolerance = 1e-15;
  p.max_iterations = max_iterations_for_nullspace;
  p.time_limit_s = picked.time_limit_s;
  p.nullspace = NullspaceKind::none;
  p.cg.flexible = true;
  return p;
}

/// Multigrid as it was picked, in double and compressed rows, for a matrix that is used once.
inline amg::Parameters plain_multigrid(amg::Parameters p) {
  p.reuse = amg::Reuse::none;
  p.levels.clear();
  p.choose_level = {};
  p.storage = {};
  p.symmetry = amg::AssumedSymmetry::symmetric;
  return p;
}

/// ||v||^2. Waits for the device.
template <class Space>
double squared_length(const Space& exec, const MultiVector<double, Space>& v) {
  const kernels::ReductionWorkspace<Space> workspace(exec, 1, 1);
  const auto norm = allocate<double>(exec, "tessera::nullspace::norm", 1);
  const auto report = kernels::allocate_report<double>(exec, "tessera::nullspace::report", 1);
  kernels::squared_norm<double, Space>(exec, workspace, v, norm, report);
  exec.fence("tessera::nullspace::norm");
  return report(0);
}

template <class Space, class Offset>
ComponentNullspace<double, Space> find_scaled_constants(const Space& exec,
                                                        const CrsMatrix<double, Space, Offset>& A,
                                                        const SolveParameters& picked) {
  using Vectors = MultiVector<double, Space>;
  const Ordinal n = A.num_rows();
  const auto scaling = amg::equilibrate(exec, A.view(), true);
  const auto values = allocate<double>(exec, "tessera::nullspace::values", A.num_entries());
  amg::equilibrated_values<double>(exec, A.view(), scaling, values);
  const auto& arrays = A.arrays();
  const kernels::Csr<double, Space, Offset> scaled{n, n, arrays.offsets, arrays.columns, values};
  const CrsMatrix<double, Space, Offset> scaled_A(scaled, A.plan());
  const Vectors w = amg::equilibrated_constant(exec, scaled.view(), scaling);
  const auto& of_x = scaling.columns;

  const auto start = allocate<double>(exec, "tessera::nullspace::start", n);
  kernels::multiply<double, Space>(exec, 1.0, of_x, w,
                                   MultiVectorView<double, Space>(start.data(), n, 1));

  const Vectors image = allocate_multivector<double>(exec, "tessera::nullspace::image", n, 1);
  const Vectors correction =
      allocate_multivector<double>(exec, "tessera::nullspace::correction", n, 1);
  const Array<double, Space> in_scaled(w.data(), n);
  const double first_length = squared_length(exec, w);
  ComponentNullspace<double, Space> found;
  for (int pass = 0; pass < max_passes_for_nullspace && found.empty(); ++pass) {
    // From w as it is by now: the coarsest matrix is as singular as its near-nullspace vector is
    // near.
    amg::Multigrid<double, Space> multigrid(plain_multigrid(picked.amg));
    try {
      if (!multigrid.try_setup(exec, scaled, w)) return {};
    } catch (const OffsetOverflow&) {
      return {};  // nothing is known then
    } catch (const Error& error) {
      // What was set for multigrid need not suit this matrix.
      if (error.kind() != ErrorKind::configuration) throw;
      return {};
    }
    Kokkos::deep_copy(exec, correction, 0.0);
    scaled_A.apply(exec, -1.0, w, 0.0, image);
    Cg<double, Space> cg(to_the_last_digit(picked.solver));
    cg.solve(exec, scaled_A, &multigrid, image, correction);
    kernels::axpby<double, Space>(exec, 1.0, correction, 1.0, w);
    // Negated, for it may be a NaN.
    if (!(squared_length(exec, w) > regular * first_length)) return {};
    found = singular_components(exec, scaled.view(), in_scaled, annihilated);
  }
  if (found.empty()) return found;
  found.weight = allocate<double>(exec, "tessera::nullspace::weight", n);
  kernels::multiply<double, Space>(exec, 1.0, of_x, w,
                                   MultiVectorView<double, Space>(found.weight.data(), n, 1));
  found.elsewhere = start;
  return found;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, find_scaled_constants)

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

template <class Scalar, class Space, class Offset>
CrsMatrix<Scalar, Space, Offset> transposed(const Space& exec,
                                            const CrsMatrix<Scalar, Space, Offset>& A) {
  return CrsMatrix<Scalar, Space, Offset>(exec, kernels::transpose(exec, A.view()));
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::take_given(const Space& exec, System& system) {
  const NullspaceKind asked = system.parameters.solver.nullspace;
  const std::size_t count = system.given_nullspace.extent(1);
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::configuration, what); };
  if (count == 0)
    refuse("solver.nullspace=given, and none was; call Solver::set_nullspace before a setup");
  if (asked != NullspaceKind::automatic && asked != NullspaceKind::given)
    refuse(
        "a nullspace was given by Solver::set_nullspace and 'solver.nullspace' names another "
        "one, expected auto or given");
  const auto require_rows = [&](const MultiVector<Scalar, Space>& given) {
    require(given.extent(0) == static_cast<std::size_t>(system.A.num_rows()), [&] {
      return "the nullspace given has " + std::to_string(given.extent(0)) + " rows, expected " +
             std::to_string(system.A.num_rows()) + ", as A has";
    });
  };
  require_rows(system.given_nullspace);
  m_projector = NullspaceProjector<Scalar, Space>(exec, system.given_nullspace);
  require_annihilated<Scalar, Space>(exec, system.A, m_projector.vectors(), "the nullspace given");
  system.facts.given_nullspace = static_cast<int>(count);
  m_transposed_projector = {};
  if (system.given_transposed_nullspace.extent(1) == 0) return;
  require_rows(system.given_transposed_nullspace);
  m_transposed_projector =
      NullspaceProjector<Scalar, Space>(exec, system.given_transposed_nullspace);
  require_annihilated<Scalar, Space>(exec, transposed(exec, system.A),
                                     m_transposed_projector.vectors(),
                                     "the left nullspace given, of the transpose,");
}

template <class Scalar, class Space, class Offset>
void NullspaceSearch<Scalar, Space, Offset>::settle(const Space& exec, System& system) {
  const MatrixFacts& facts = system.facts;
  const NullspaceKind asked = system.parameters.solver.nullspace;
  if (asked == NullspaceKind::given || system.given_nullspace.extent(1) > 0) {
    take_given(exec, system);
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
  if (kind == NullspaceKind::given) {
    const auto is_annihilated = [&](const auto& A, const auto& vectors) {
      const auto images = relative_images<Scalar, Space>(exec, A, vectors);
      return std::ranges::all_of(images,
                                 [](double image) { return image <= annihilated_image<Scalar>; });
    };
    return is_annihilated(system.A, m_projector.vectors()) &&
           (m_transposed_projector.empty() ||
            is_annihilated(transposed(exec, system.A), m_transposed_projector.vectors()));
  }
  const auto n = static_cast<std::size_t>(system.A.num_rows());
  const auto v = allocate_multivector<Scalar>(exec, "tessera::nullspace::v", n, 1);
  Kokkos::deep_copy(exec, v, Scalar(1));
  if (kind == NullspaceKind::components) {
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
