// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve.hpp"

#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tessera/amg/check_candidates.hpp"
#include "tessera/amg/check_vectors.hpp"
#include "tessera/amg/equilibrated_preconditioner.hpp"
#include "tessera/amg/equilibration.hpp"
#include "tessera/amg/mixed_precision.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/node_by_node_preconditioner.hpp"
#include "tessera/core/captured_preconditioner.hpp"
#include "tessera/core/check_parameters.hpp"
#include "tessera/core/crs_matrix.hpp"
#include "tessera/core/memory_watch.hpp"
#include "tessera/core/same_pattern.hpp"
#include "tessera/core/storage_names.hpp"
#include "tessera/core/validate.hpp"
#include "tessera/direct/direct_preconditioner.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/inspect.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/launch_graph.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/ladder.hpp"
#include "tessera/pick.hpp"
#include "tessera/solver/iteration_runner.hpp"
#include "tessera/solver/jacobi_preconditioner.hpp"
#include "tessera/solver/make_solver.hpp"
#include "tessera/solver/rate_watch.hpp"

namespace tessera {

namespace detail {

/// Also the iterations before one is recorded whole. On an H200 the recording of a cycle takes 0.1
/// to 0.2 ms, which ten launches of it save where launches are what limits. A solve of some ten
/// iterations is over by then.
inline constexpr int cycles_before_recording = 24;

/// What an iteration takes with multigrid, on the stiffness matrices where it takes too many, and
/// without, per entry of the matrix. These are of one thread of the host that direct::Cost's rates
/// are of, and not measured on the way: the same choice for any number of threads.
inline constexpr double cycle_seconds_per_entry = 25e-9;
inline constexpr double product_seconds_per_entry = 5e-9;

/// The near-nullspace that multigrid is made from; no vectors stand for a unit vector for each
/// unknown of a vertex.
template <class Scalar, class Space>
struct NearNullspace {
  ConstMultiVectorView<Scalar, Space> candidates;
  std::vector<int> annihilated;  ///< columns of which A makes zero
  int block_size = 1;  ///< unknowns a vertex
};

/// Multigrid in the matrix's own precision, and with offsets as long as those of `A`, or of 64 bits
/// where they do not count the entries of one of its products; null where a NaN or an infinity
/// appears in it.
template <class Scalar, class Space, class Offset>
std::shared_ptr<amg::Multigrid<Scalar, Space>> make_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<Scalar, Space, Offset>& A,
    const NearNullspace<Scalar, Space>& near, HierarchyInfo& info) {
  std::string note;
  try {
    auto multigrid = std::make_shared<amg::Multigrid<Scalar, Space>>(p);
    const bool finite =
        multigrid->try_setup(exec, A, near.candidates, near.block_size, near.annihilated);
    info = multigrid->info();
    if (!finite) return nullptr;
    return multigrid;
  } catch (const OffsetOverflow& overflow) {
    if constexpr (std::is_same_v<Offset, std::int64_t>) throw;
    note = "multigrid with 64-bit offsets: one of its products has " +
           std::to_string(overflow.num_entries()) + " entries";
  }
  auto multigrid =
      make_multigrid(exec, p, kernels::convert_offsets<std::int64_t>(exec, A), near, info);
  info.notes.push_back(note);
  return multigrid;
}

/// A with a copy of its values, and the same pattern. The finest level needs it: diagonals and
/// coarse levels are of the values at setup, which the caller may change afterwards.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> with_own_values(const Space& exec,
                                                    const kernels::Csr<Scalar, Space, Offset>& A) {
  const auto values = allocate<Scalar>(exec, "tessera::amg::values", A.values.extent(0));
  Kokkos::deep_copy(exec, values, A.values);
  return {A.num_rows, A.num_cols, A.offsets, A.columns, values};
}

/// The same vectors in another precision.
template <class To, class From, class Space>
MultiVector<To, Space> converted(const Space& exec, const ConstMultiVectorView<From, Space>& v) {
  const auto result =
      allocate_multivector<To>(exec, "tessera::candidates", v.extent(0), v.extent(1));
  kernels::copy(exec, v, MultiVectorView<To, Space>(result));
  return result;
}

/// What was found of the nodes beyond what the user said; empty where it is nothing.
inline std::string nodes_note(const amg::Nodes& nodes, int given_block_size) {
  if (nodes.block_size == 1) return {};
  const std::string count = std::to_string(nodes.block_size) + " unknowns a node";
  if (nodes.by_unknown) return count + ", numbered unknown by unknown: found from the pattern";
  return given_block_size == 0 ? count + ": found from the pattern" : std::string();
}

/// The near-nullspace of a matrix whose nodes are known: the candidates given or, for several
/// unknowns a node, a unit vector for each. Where A annihilates the constant but none of those, the
/// constant takes the place of the first.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> default_candidates(const Space& exec,
                                              const CrsMatrix<Scalar, Space, Offset>& A,
                                              const amg::Nodes& nodes, bool zero_row_sums) {
  const auto vectors = amg::unit_vectors<Scalar, Space>(exec, nodes);
  if (zero_row_sums && nullspace_columns<Scalar>(exec, A.view(), A.plan(), vectors).empty()) {
    Kokkos::deep_copy(exec, Kokkos::subview(vectors, Kokkos::ALL, 0), Scalar(1));
  }
  return vectors;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
struct Solver<Scalar, Space, Offset>::State {
  using Near = detail::NearNullspace<Scalar, Space>;

  explicit State(const SolveParameters& given) : parameters(given), effective(given) {}

  /// Gives the memory of the preconditioner back; factors of A are there before what is made of
  /// them.
  void release_preconditioner() {
    M.reset();
    captured.reset();
    refill = nullptr;
  }
  /// Fills in `effective` by what is known of A, and builds what it names.
  void choose_and_build(const Space& exec, const ConstVectors& given, int block_size);
  /// Picks what is open; a direct solver has its factors then. Adds to the notes.
  void choose(const Space& exec, const ConstVectors& given, int block_size);
  /// The facts, but for those that a solve has shown to mislead.
  MatrixFacts known_facts() const {
    MatrixFacts known = facts;
    if (diagonal_failed) known.decided_rows = 0;
    return known;
  }
  /// Orders A for factors, once for each pattern and no more than the parameters allow.
  void order(const Space& exec);
  /// What factors would take, where they may be picked; null elsewhere.
  const direct::Cost* direct_cost(const Space& exec);
  /// True where they would be ready sooner than a solve that goes on for so long.
  bool direct_would_do(const Space& exec, double seconds);
  /// Makes the factors. False where there are none of finite numbers, or they do not fit.
  bool factor(const Space& exec);
  /// Takes the factors for a preconditioner.
  void take_factors();
  /// Builds what `effective` names or, where its numbers are not finite, the next of multigrid in
  /// float, in double, and Jacobi.
  void build(const Space& exec, const Near& near);
  /// Looks for the nodes of A and for vectors that A annihilates, and returns what multigrid takes,
  /// numbered node by node: in `storage`, or as it was given.
  Near find_near_nullspace(const Space& exec, const ConstVectors& given,
                           MultiVector<Scalar, Space>& storage);
  /// Takes A's new values into the multigrid that was built. False where that cannot be.
  bool update_multigrid(const Space& exec);
  /// Multigrid of `by_node`, A with its unknowns numbered node by node.
  std::shared_ptr<Preconditioner<Scalar, Space>> multigrid_of(const Space& exec,
                                                              const Matrix& by_node,
                                                              const Near& near);
  /// The same of A with rows and columns scaled by powers of two.
  template <class Working>
  std::shared_ptr<Preconditioner<Scalar, Space>> equilibrated_multigrid(const Space& exec,
                                                                        const Matrix& by_node,
                                                                        const Near& near);
  bool equilibrates() const { return effective.equilibration == Equilibration::powers_of_two; }
  /// Multigrid of `own`, whose values are nobody else's, in their precision, for vectors of Scalar;
  /// null where its numbers are not finite.
  template <class Working>
  std::shared_ptr<Preconditioner<Scalar, Space>> multigrid_in(
      const Space& exec, const kernels::Csr<Working, Space, Offset>& own,
      const detail::NearNullspace<Working, Space>& near);
  /// Makes `refill`, where parameters say that something is reused.
  template <class Working>
  void keep_refill(const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid,
                   const Array<Working, Space>& own_values);
  /// Multigrid in `effective.precision`; null where its numbers are not finite.
  std::shared_ptr<Preconditioner<Scalar, Space>> try_multigrid(const Space& exec, const Near& near);
  /// Turns to the matrix's own precision inside multigrid.
  void leave_float(const std::string& note);
  /// Keeps what the user gave, where `update_values` sets up anew.
  void keep_given(const Space& exec, const ConstVectors& candidates, int block_size);
  /// Keeps the near-nullspace where a later solve may build anew.
  void keep_candidates(const Space& exec, const ConstVectors& candidates);
  /// Solves with what is built, from the x that `before` left, if any. Sets `slow`.
  SolveResult attempt(const Space& exec, const ConstVectors& b, const Vectors& x,
                      const SolveResult* before);
  /// Makes the method that `effective` names.
  void make_krylov();
  /// What to go on with after that attempt, if anything; puts it into `effective`.
  std::optional<Rung> rung_after(const Space& exec, const SolveResult& result);
  /// Takes what a rung of the ladder has put into `effective`.
  void climb(const Space& exec, const Rung& rung);

  SolveParameters parameters;
  SolveParameters effective;  ///< with every open choice filled in
  Logger logger;
  CrsMatrix<Scalar, Space, Offset> A;
  MatrixFacts facts;
  MultiVector<float, Space> float_candidates;  ///< for multigrid in float, and after it in double
  MultiVector<Scalar, Space> candidates;  ///< for a second multigrid after one in double
  std::vector<int> annihilated;  ///< candidates of which A makes zero
  amg::Nodes nodes;
  MultiVector<Scalar, Space> given_candidates;  ///< by the user, for a setup anew
  int given_block_size = 0;
  std::shared_ptr<Preconditioner<Scalar, Space>> M;
  std::shared_ptr<CapturedPreconditioner<Scalar, Space>> captured;  ///< M, where it is one
  std::shared_ptr<direct::SparseDirect> factors;  ///< of A, or ordered for them
  bool ordered = false;  ///< `factors` is known, or known not to be possible
  bool direct_failed = false;  ///< there are no factors of finite numbers
  bool diagonal_failed = false;  ///< dividing by it took too many iterations
  /// Takes values of A, numbered node by node, into the multigrid inside `M`, and gives what there
  /// is to know of it by now; false where its numbers are not finite. Empty without multigrid.
  std::function<bool(const Space&, const Matrix&, HierarchyInfo&)> refill;
  amg::Equilibration<Space> equilibration;  ///< where the preconditioner is of A so scaled
  std::unique_ptr<KrylovSolver<Scalar, Space>> krylov;
  std::vector<std::string> notes;
  HierarchyInfo info;
  double setup_ms = 0;
  bool slow = false;  ///< the last attempt was ended for its poor rate
  double seconds_left = 0;  ///< of the last attempt, where it was slow
  bool ready = false;
};

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::build(const Space& exec, const Near& near) {
  info = {};
  release_preconditioner();
  if (effective.preconditioner == PreconditionerKind::amg) {
    M = try_multigrid(exec, near);
    if (M == nullptr && effective.precision == Precision::single) {
      leave_float("preconditioner in double: float's range does not hold the hierarchy");
      M = try_multigrid(exec, near);
    }
    if (M == nullptr) {
      const ValidationReport report = validate(exec, A.view());
      if (report.has(MatrixDefect::not_finite)) {
        throw Error(ErrorKind::bad_input, to_string(report));
      }
      effective.preconditioner = PreconditionerKind::jacobi;
      notes.push_back("preconditioner jacobi: no hierarchy of finite numbers was found");
    }
    if (kernels::has_launch_graphs<Space> && effective.graph && M != nullptr) {
      captured = std::make_shared<CapturedPreconditioner<Scalar, Space>>(
          std::move(M), detail::cycles_before_recording);
      M = captured;
    }
  }
  if (effective.preconditioner == PreconditionerKind::direct) take_factors();
  if (effective.preconditioner == PreconditionerKind::jacobi) {
    M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, A.view());
  }
  info.notes.insert(info.notes.begin(), notes.begin(), notes.end());
  // Float somewhere inside, or R in another scalar than P: symmetric to that round-off alone.
  const bool is_rounded =
      std::any_of(info.levels.begin(), info.levels.end(), [](const LevelInfo& level) {
        return level.precision != scalar_name<Scalar>() || level.P.storage != level.R.storage;
      });
  if (effective.solver.name == SolverName::cg && is_rounded) effective.solver.flexible = true;
  make_krylov();
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::make_krylov() {
  krylov = make_solver<Scalar, Space>(effective.solver);
  // Factors are applied on the host, which a recording cannot wait for.
  if (effective.graph && effective.preconditioner != PreconditionerKind::direct)
    krylov->set_runner(make_recording_runner<Space>(detail::cycles_before_recording));
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::order(const Space& exec) {
  if (ordered) return;
  ordered = true;
  factors.reset();
  auto host = direct::to_host(exec, A.view());
  if (!host) return;
  factors = std::make_shared<direct::SparseDirect>(
      std::move(*host), facts.symmetric && facts.positive_diagonal, parameters.direct.most_bytes());
}

template <class Scalar, class Space, class Offset>
const direct::Cost* Solver<Scalar, Space, Offset>::State::direct_cost(const Space& exec) {
  const bool open = parameters.preconditioner == PreconditionerKind::automatic && !direct_failed;
  if (!kernels::is_host_space<Space> || !direct::available() || !open) return nullptr;
  order(exec);
  return factors != nullptr && factors->fits() ? &factors->cost() : nullptr;
}

template <class Scalar, class Space, class Offset>
bool Solver<Scalar, Space, Offset>::State::direct_would_do(const Space& exec, double seconds) {
  if (effective.preconditioner == PreconditionerKind::direct) return false;
  const direct::Cost* cost = direct_cost(exec);
  return cost != nullptr && cost->seconds() < seconds;
}

template <class Scalar, class Space, class Offset>
bool Solver<Scalar, Space, Offset>::State::factor(const Space& exec) {
  if (!direct::available()) {
    throw Error(ErrorKind::configuration,
                "preconditioner=direct: this library was built without a sparse direct solver "
                "(TESSERA_ENABLE_SUITESPARSE)");
  }
  order(exec);
  const bool asked_for = parameters.preconditioner == PreconditionerKind::direct;
  if (factors == nullptr || !factors->fits()) {
    if (!asked_for) return false;
    const double bytes = factors == nullptr ? 0 : factors->cost().bytes();
    throw Error(ErrorKind::configuration,
                factors == nullptr
                    ? std::string("preconditioner=direct: the matrix has too many entries")
                    : "preconditioner=direct: the factors would take " +
                          std::to_string(static_cast<std::int64_t>(bytes / (1 << 20))) +
                          " MiB, more than direct.max_memory_mb");
  }
  if (factors->factor(std::numeric_limits<Scalar>::epsilon())) return true;
  const ValidationReport report = validate(exec, A.view());
  if (report.has(MatrixDefect::not_finite)) throw Error(ErrorKind::bad_input, to_string(report));
  return false;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::take_factors() {
  M = std::make_shared<direct::DirectPreconditioner<Scalar, Space>>(factors);
  notes.push_back("factors: " + factors->description());
  // Those of an indefinite matrix are no inner product.
  if (!factors->is_cholesky() && effective.solver.name == SolverName::cg &&
      parameters.solver.name == SolverName::automatic) {
    effective.solver.name = SolverName::gmres;
    effective.solver.flexible = parameters.solver.flexible;
    notes.push_back("solver gmres: the matrix is not positive definite");
  }
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::choose(const Space& exec, const ConstVectors& given,
                                                  int block_size) {
  const auto kind = parameters.preconditioner;
  const MatrixFacts seen = known_facts();
  const bool by_diagonal = diagonal_may_do(parameters, seen);
  const bool multigrid_is_open =
      (kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic) &&
      (!by_diagonal || block_size > 0);
  nodes = amg::find_nodes(exec, A.view(), multigrid_is_open ? block_size : 1);
  const direct::Cost* cost = nullptr;
  if (!by_diagonal && may_pay_directly(parameters, seen, given.extent(1) > 0))
    cost = direct_cost(exec);
  const auto pick_all = [&] {
    effective = parameters;
    return pick(effective, seen, std::is_same_v<Scalar, double>, nodes.block_size,
                nodes.coupled && given.extent(1) == 0, cost);
  };
  auto picks = pick_all();
  if (effective.preconditioner == PreconditionerKind::direct && !factor(exec)) {
    direct_failed = true;
    cost = nullptr;
    picks = pick_all();
  }
  for (const Pick& picked : picks)
    notes.push_back(picked.note());
  if (effective.preconditioner == PreconditionerKind::direct && direct_failed) {
    effective.preconditioner = PreconditionerKind::jacobi;
    notes.push_back("preconditioner jacobi: no factors of finite numbers were found");
  }
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::choose_and_build(const Space& exec,
                                                            const ConstVectors& given,
                                                            int block_size) {
  choose(exec, given, block_size);
  MultiVector<Scalar, Space> storage;
  Near near{given, {}, nodes.block_size};
  if (effective.preconditioner == PreconditionerKind::amg) {
    const std::string note = detail::nodes_note(nodes, block_size);
    if (!note.empty()) notes.push_back(note);
    near = find_near_nullspace(exec, given, storage);
  }
  annihilated = near.annihilated;
  float_candidates = {};
  build(exec, near);
  keep_candidates(exec, near.candidates);
}

template <class Scalar, class Space, class Offset>
typename Solver<Scalar, Space, Offset>::State::Near
Solver<Scalar, Space, Offset>::State::find_near_nullspace(const Space& exec,
                                                          const ConstVectors& given,
                                                          MultiVector<Scalar, Space>& storage) {
  Near near{given, {}, nodes.block_size};
  if (given.extent(1) == 0 && nodes.block_size == 1) {
    if (facts.symmetric && facts.zero_row_sums) near.annihilated = {0};
    return near;
  }
  if (given.extent(1) == 0) {
    storage = detail::default_candidates(exec, A, nodes, facts.zero_row_sums);
    near.candidates = storage;
  }
  if (facts.symmetric) {
    near.annihilated = nullspace_columns(exec, A.view(), A.plan(), near.candidates);
  }
  // Candidates of another length are left for multigrid to refuse.
  if (nodes.by_unknown && near.candidates.extent(0) == static_cast<std::size_t>(A.num_rows())) {
    const auto by_node = allocate_multivector<Scalar>(
        exec, "tessera::candidates", near.candidates.extent(0), near.candidates.extent(1));
    amg::to_node_by_node<Scalar, Space>(exec, nodes, near.candidates, by_node);
    storage = by_node;
    near.candidates = storage;
  }
  return near;
}

template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> Solver<Scalar, Space, Offset>::State::try_multigrid(
    const Space& exec, const Near& near) {
  if (!nodes.by_unknown) return multigrid_of(exec, A.arrays(), near);
  auto inner = multigrid_of(exec, amg::node_by_node(exec, A.view(), nodes), near);
  if (inner == nullptr) return nullptr;
  return std::make_shared<amg::NodeByNodePreconditioner<Scalar, Space>>(nodes, std::move(inner));
}

template <class Scalar, class Space, class Offset>
std::shared_ptr<Preconditioner<Scalar, Space>> Solver<Scalar, Space, Offset>::State::multigrid_of(
    const Space& exec, const Matrix& by_node, const Near& near) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (effective.precision == Precision::single) {
      float_candidates = detail::converted<float>(exec, near.candidates);
      if (equilibrates()) return equilibrated_multigrid<float>(exec, by_node, near);
      return multigrid_in<float>(exec, kernels::convert_values<float>(exec, by_node),
                                 {float_candidates, near.annihilated, near.block_size});
    }
  }
  if (equilibrates()) return equilibrated_multigrid<Scalar>(exec, by_node, near);
  // A renumbered matrix is a copy already.
  return multigrid_in<Scalar>(
      exec, nodes.by_unknown ? by_node : detail::with_own_values(exec, by_node), near);
}

template <class Scalar, class Space, class Offset>
template <class Working>
std::shared_ptr<Preconditioner<Scalar, Space>>
Solver<Scalar, Space, Offset>::State::equilibrated_multigrid(const Space& exec,
                                                             const Matrix& by_node,
                                                             const Near& near) {
  equilibration = amg::equilibrate(exec, by_node.view(), facts.symmetric);
  const auto values = allocate<Working>(exec, "tessera::equilibrated", by_node.num_entries());
  amg::equilibrated_values<Working>(exec, by_node.view(), equilibration, values);
  const kernels::Csr<Working, Space, Offset> own{by_node.num_rows, by_node.num_cols,
                                                 by_node.offsets, by_node.columns, values};
  const std::size_t num_candidates = near.candidates.extent(1);
  const auto own_candidates = [&]() -> MultiVector<Working, Space> {
    if (num_candidates == 0 && near.block_size > 1) return {};
    if (num_candidates == 0) return amg::equilibrated_constant(exec, own.view(), equilibration);
    return detail::converted<Working>(
        exec, ConstVectors(amg::equilibrated_candidates<Scalar, Space>(exec, equilibration,
                                                                       near.candidates)));
  };
  auto candidates = own_candidates();
  if (near.block_size == 1 && num_candidates <= 1) {
    // What is cut off weak couplings is made up for where the vector is about constant. So
    // coefficients that jump keep their rows' proportions.
    using Own = ConstMultiVectorView<Working, Space>;
    const double before =
        num_candidates == 0 ? 1 : amg::magnitude_span<Scalar, Space>(exec, near.candidates);
    if (amg::magnitude_span<Working, Space>(exec, Own(candidates)) > 4 * before) {
      equilibration = amg::scale_uniformly(exec, by_node.view());
      amg::equilibrated_values<Working>(exec, by_node.view(), equilibration, values);
      candidates = own_candidates();
    }
  }
  auto inner = multigrid_in<Working>(exec, own, {candidates, near.annihilated, near.block_size});
  if (inner == nullptr) return nullptr;
  return std::make_shared<amg::EquilibratedPreconditioner<Scalar, Space>>(exec, equilibration,
                                                                          std::move(inner));
}

template <class Scalar, class Space, class Offset>
template <class Working>
std::shared_ptr<Preconditioner<Scalar, Space>> Solver<Scalar, Space, Offset>::State::multigrid_in(
    const Space& exec, const kernels::Csr<Working, Space, Offset>& own,
    const detail::NearNullspace<Working, Space>& near) {
  const bool are_given = std::is_same_v<Working, Scalar> && !equilibrates();
  if (!are_given && !amg::usable_candidates<Working, Space>(exec, near.candidates)) return nullptr;
  auto multigrid = detail::make_multigrid(exec, effective.amg, own, near, info);
  if (multigrid == nullptr) return nullptr;
  keep_refill(multigrid, own.values);
  if constexpr (std::is_same_v<Working, Scalar>) {
    return multigrid;
  } else {
    return std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(std::move(multigrid),
                                                                      own.num_rows);
  }
}

template <class Scalar, class Space, class Offset>
template <class Working>
void Solver<Scalar, Space, Offset>::State::keep_refill(
    const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid,
    const Array<Working, Space>& own_values) {
  if (effective.amg.reuse == amg::Reuse::none) return;
  refill = [multigrid, own_values, scales = equilibrates(), scaling = equilibration](
               const Space& exec, const Matrix& by_node, HierarchyInfo& info) {
    if (scales) {
      // By the powers of the first setup, as are the candidates.
      amg::equilibrated_values<Working>(exec, by_node.view(), scaling, own_values);
    } else {
      kernels::copy(exec, ConstVectors(as_multivector(by_node.values)), as_multivector(own_values));
    }
    if (!multigrid->try_update(exec)) return false;
    info = multigrid->info();
    return true;
  };
}

template <class Scalar, class Space, class Offset>
bool Solver<Scalar, Space, Offset>::State::update_multigrid(const Space& exec) {
  if (!refill) return false;
  const Matrix by_node = nodes.by_unknown ? amg::node_by_node(exec, A.view(), nodes) : A.arrays();
  if (captured != nullptr) captured->forget();
  if (!refill(exec, by_node, info)) return false;
  info.notes.insert(info.notes.begin(), notes.begin(), notes.end());
  return true;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::leave_float(const std::string& note) {
  effective.precision = Precision::same;
  effective.solver.flexible = parameters.solver.flexible || needs_flexible_cg(effective);
  notes.push_back(note);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::keep_candidates(const Space& exec,
                                                           const ConstVectors& given) {
  candidates = {};
  const bool of_use =
      effective.precision == Precision::same && may_strengthen(parameters, effective, facts);
  if (of_use && given.extent(1) > 0) candidates = detail::converted<Scalar>(exec, given);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::keep_given(const Space& exec, const ConstVectors& given,
                                                      int block_size) {
  given_block_size = block_size;
  // They may be those that were kept before.
  if (given.data() == given_candidates.data()) return;
  given_candidates = {};
  if (given.extent(1) > 0) given_candidates = detail::converted<Scalar>(exec, given);
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::State::attempt(const Space& exec, const ConstVectors& b,
                                                          const Vectors& x,
                                                          const SolveResult* before) {
  slow = false;
  const double reachable = std::numeric_limits<Scalar>::epsilon();
  RateWatch watch(std::max(effective.solver.tolerance, reachable), effective.solver.max_iterations);
  const bool may_factor =
      kernels::is_host_space<Space> && parameters.preconditioner == PreconditionerKind::automatic;
  const bool strengthens = may_strengthen(parameters, effective, facts);
  const bool has_answer = strengthens || diagonal_may_do(parameters, known_facts());
  const double seconds_per_iteration =
      facts.entries * (effective.preconditioner == PreconditionerKind::amg
                           ? detail::cycle_seconds_per_entry
                           : detail::product_seconds_per_entry);
  if (has_answer || may_factor) {
    krylov->set_logger([&](const IterationInfo& now) {
      if (logger && !logger(now)) return false;
      if (!watch.is_slow(now)) return true;
      const double iterations_left =
          strengthens ? std::min<double>(watch.foreseen(), RateWatch::too_many) : watch.foreseen();
      seconds_left = iterations_left * seconds_per_iteration;
      slow = has_answer || direct_would_do(exec, seconds_left);
      return !slow;
    });
  } else {
    krylov->set_logger(logger);
  }
  SolveResult result = krylov->solve(exec, A, M.get(), b, x, before);
  krylov->set_logger({});
  return result;
}

template <class Scalar, class Space, class Offset>
std::optional<Rung> Solver<Scalar, Space, Offset>::State::rung_after(const Space& exec,
                                                                     const SolveResult& result) {
  if (result.converged()) return std::nullopt;
  const bool at_end = slow || result.status != SolveStatus::interrupted;
  const bool may_factor = at_end && effective.preconditioner != PreconditionerKind::direct &&
                          !diagonal_may_do(parameters, known_facts());
  const MatrixFacts known = known_facts();
  const SolveParameters before = effective;
  while (const auto rung = next_rung({parameters, known, result, slow,
                                      may_factor ? direct_cost(exec) : nullptr, seconds_left},
                                     effective)) {
    if (effective.preconditioner != PreconditionerKind::direct ||
        before.preconditioner == PreconditionerKind::direct || factor(exec))
      return rung;
    direct_failed = true;
    effective = before;
  }
  return std::nullopt;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::State::climb(const Space& exec, const Rung& rung) {
  if (rung.picks_anew) {
    diagonal_failed = true;
    notes = {rung.note};
    choose_and_build(exec, given_candidates, given_block_size);
    return;
  }
  notes.push_back(rung.note);
  if (!rung.rebuilds) {
    info.notes.insert(info.notes.begin() + static_cast<std::ptrdiff_t>(notes.size()) - 1,
                      rung.note);
    make_krylov();
    return;
  }
  if (float_candidates.extent(1) > 0) {
    candidates =
        detail::converted<Scalar>(exec, ConstMultiVectorView<float, Space>(float_candidates));
  }
  build(exec, {candidates, annihilated, nodes.block_size});
}

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(SolveParameters parameters)
    : m_state(std::make_unique<State>(parameters)) {
  check_parameters(parameters);
  amg::check_vectors(parameters.amg.levels,
                     std::is_same_v<Scalar, double> && parameters.precision != Precision::single);
}

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::~Solver() = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(Solver&&) noexcept = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>& Solver<Scalar, Space, Offset>::operator=(Solver&&) noexcept =
    default;

template <class Scalar, class Space, class Offset>
typename Solver<Scalar, Space, Offset>::State& Solver<Scalar, Space, Offset>::state() const {
  require(m_state != nullptr, [] {
    return std::string("this Solver was moved from; assign another one to it before it is used");
  });
  return *m_state;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::setup(const Space& exec, const Matrix& A,
                                          const ConstVectors& candidates, int block_size) {
  State& s = state();
  exec.fence("tessera::Solver::setup");
  Kokkos::Timer timer;
  s.ready = false;
  amg::check_candidates<Scalar, Space>(exec, A.num_rows, candidates);
  s.release_preconditioner();
  s.factors.reset();
  const MemoryWatch memory(Space::memory_space::name(), s.parameters.amg.measure_memory);
  {
    const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(s.parameters.amg));
    s.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
    s.keep_given(exec, candidates, block_size);
    s.facts = inspect(exec, A.view(), s.A.plan());
    s.notes.clear();
    s.ordered = s.direct_failed = s.diagonal_failed = false;
    s.choose_and_build(exec, candidates, block_size);
  }
  s.info.setup_peak_bytes = memory.peak_bytes();
  exec.fence("tessera::Solver::setup");
  s.setup_ms = timer.seconds() * 1e3;
  s.ready = true;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec) {
  update_values(exec, state().A.arrays());
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec, const Matrix& A) {
  State& s = state();
  require(s.ready, [] {
    return std::string("Solver::update_values before a setup that succeeded; call Solver::setup");
  });
  require_same_pattern(exec, s.A.view(), A.view());
  const auto setup_anew = [&] { setup(exec, A, s.given_candidates, s.given_block_size); };
  if (s.effective.preconditioner == PreconditionerKind::amg && !s.refill) return setup_anew();
  exec.fence("tessera::Solver::update_values");
  const Kokkos::Timer timer;
  s.ready = false;
  s.A = CrsMatrix<Scalar, Space, Offset>(A, s.A.plan());
  s.krylov->forget_recordings();
  if (s.effective.preconditioner == PreconditionerKind::jacobi) {
    s.M = std::make_shared<JacobiPreconditioner<Scalar, Space>>(exec, s.A.view());
  } else if (s.effective.preconditioner == PreconditionerKind::direct) {
    const bool was_cholesky = s.factors->is_cholesky();
    auto host = direct::to_host(exec, s.A.view());
    // The method was picked for the kind of factors.
    if (!s.factors->factor(std::move(*host), std::numeric_limits<Scalar>::epsilon()) ||
        s.factors->is_cholesky() != was_cholesky)
      return setup_anew();
  } else if (s.refill && !s.update_multigrid(exec)) {
    return setup_anew();
  }
  exec.fence("tessera::Solver::update_values");
  s.setup_ms = timer.seconds() * 1e3;
  s.ready = true;
}

template <class Scalar, class Space, class Offset>
Preconditioner<Scalar, Space>* Solver<Scalar, Space, Offset>::preconditioner() const {
  require(state().ready, [] {
    return std::string("Solver::preconditioner before a setup that succeeded; call Solver::setup");
  });
  return state().M.get();
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                 const Vectors& x) {
  State& s = state();
  require(s.ready, [] {
    return std::string("Solver::solve before a setup that succeeded; call Solver::setup first");
  });
  SolveResult result = s.attempt(exec, b, x, nullptr);
  while (const auto rung = s.rung_after(exec, result)) {
    const Kokkos::Timer timer;
    s.ready = false;
    s.climb(exec, *rung);
    s.ready = true;
    exec.fence("tessera::Solver::climb");
    result.solve_ms += timer.seconds() * 1e3;
    result = s.attempt(exec, b, x, &result);
  }
  return result;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_logger(Logger logger) {
  state().logger = std::move(logger);
}

template <class Scalar, class Space, class Offset>
const SolveParameters& Solver<Scalar, Space, Offset>::parameters() const {
  return state().effective;
}

template <class Scalar, class Space, class Offset>
const HierarchyInfo& Solver<Scalar, Space, Offset>::hierarchy() const {
  return state().info;
}

template <class Scalar, class Space, class Offset>
double Solver<Scalar, Space, Offset>::setup_ms() const {
  return state().setup_ms;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) template class Solver<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
