// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/nullspace_vectors.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solver/make_solver.hpp"

#include <Kokkos_Timer.hpp>

#include <cmath>
#include <memory>
#include <utility>

namespace tessera::detail {

/// The method that was picked, as far down as it goes.
inline SolverParameters for_nullspace_vectors(const SolverParameters& picked) {
  constexpr int max_iterations = 100;
  SolverParameters p;
  p.name = picked.name == SolverName::cg ? SolverName::cg : SolverName::fgmres;
  p.tolerance = 1e-15;
  p.max_iterations = max_iterations;
  p.time_limit_s = picked.time_limit_s;
  p.nullspace = NullspaceKind::none;
  p.cg.flexible = true;
  p.gmres.restart = picked.gmres.restart;
  return p;
}

/// The search for one vector after another.
template <class Scalar, class Space>
class SearchForVectors {
 public:
  using Vectors = MultiVector<Scalar, Space>;
  using View = MultiVectorView<Scalar, Space>;

  SearchForVectors(const Space& exec, const LinearOperator<Scalar, Space>& A,
                   Preconditioner<Scalar, Space>* M, const NullspaceProjector<Scalar, Space>& known,
                   const SolverParameters& picked)
      : m_exec(exec),
        m_A(A),
        m_M(M),
        m_known(known),
        m_time_limit_s(picked.time_limit_s),
        m_solver(make_solver<Scalar, Space>(for_nullspace_vectors(picked))),
        m_image(vector("tessera::nullspace::image")),
        m_correction(vector("tessera::nullspace::correction")),
        m_workspace(exec, 1, 1),
        m_norm(allocate<double>(exec, "tessera::nullspace::norm", 1)),
        m_report(kernels::allocate_report<double>(exec, "tessera::nullspace::report", 1)),
        m_found(allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", A.num_rows(),
                                             max_nullspace_vectors)) {
    m_known.prepare(exec, 1);
    project_by(m_known);
  }

  int count() const { return m_count; }
  /// Where the next vector begins, n by 1.
  View next() const { return View(m_found.data() + m_count * m_found.stride(1), rows(), 1); }
  Vectors found() const { return Kokkos::subview(m_found, Kokkos::ALL, std::pair(0, m_count)); }

  /// What a vector came to.
  enum class End { taken, nothing_there, unknown };
  /// Takes what `next` holds to the nullspace, and keeps it where anything is there.
  End take_next();

 private:
  std::size_t rows() const { return m_found.extent(0); }
  Vectors vector(const char* label) const {
    return allocate_multivector<Scalar>(m_exec, label, m_A.num_rows(), 1);
  }
  void project_by(const NullspaceProjector<Scalar, Space>& projector) {
    if (!projector.empty()) m_solver->set_nullspace(projector);
  }
  void project(const View& w) const {
    m_known.apply(m_exec, w);
    m_own.apply(m_exec, w);
  }
  /// Divides w by its length, which it returns.
  double normalise(const View& w) const;

  const Space& m_exec;
  const LinearOperator<Scalar, Space>& m_A;
  Preconditioner<Scalar, Space>* m_M;
  NullspaceProjector<Scalar, Space> m_known;
  NullspaceProjector<Scalar, Space> m_own;  ///< of what was found
  double m_time_limit_s;
  Kokkos::Timer m_timer;
  std::unique_ptr<KrylovSolver<Scalar, Space>> m_solver;
  Vectors m_image;
  Vectors m_correction;
  kernels::ReductionWorkspace<Space> m_workspace;
  Array<double, Space> m_norm;
  kernels::ReportView<double, Space> m_report;
  Vectors m_found;
  int m_count = 0;
};

template <class Scalar, class Space>
double SearchForVectors<Scalar, Space>::normalise(const View& w) const {
  kernels::squared_norm<Scalar, Space>(m_exec, m_workspace, w, m_norm, m_report);
  kernels::normalise<Scalar, Space>(m_exec, m_norm, w, w);
  m_exec.fence("tessera::nullspace::normalise");
  return std::sqrt(m_report(0));
}

template <class Scalar, class Space>
auto SearchForVectors<Scalar, Space>::take_next() -> End {
  // Of a regular A each pass leaves round-off over its least eigenvalue; what is in the nullspace
  // stays. Images are those of vectors that a solve took there, to the digits that it leaves.
  constexpr int max_passes = 4;
  constexpr double stays = 0.5;
  constexpr double converged = 1e-4;
  constexpr double most = 10 * annihilated_image<Scalar>;
  const View w = next();
  project(w);
  normalise(w);
  for (int pass = 0; pass < max_passes; ++pass) {
    if (m_time_limit_s > 0 && m_timer.seconds() > m_time_limit_s) return End::unknown;
    m_A.apply(m_exec, Scalar(-1), w, Scalar(0), m_image);
    Kokkos::deep_copy(m_exec, m_correction, Scalar(0));
    m_solver->solve(m_exec, m_A, m_M, m_image, m_correction);
    kernels::axpby<Scalar, Space>(m_exec, Scalar(1), m_correction, Scalar(1), w);
    project(w);
    const double length = normalise(w);
    const double image = relative_images<Scalar, Space>(m_exec, m_A, w)[0];
    // Negated, for they may be NaNs.
    if (!(length > 0) || !(image <= converged)) return End::unknown;
    if (pass > 0 && !(length >= stays)) return End::nothing_there;
    if (pass == 0 || image > most) continue;
    ++m_count;
    m_own = NullspaceProjector<Scalar, Space>(m_exec, found());
    m_own.prepare(m_exec, 1);
    return End::taken;
  }
  return End::unknown;
}

template <class Scalar, class Space>
NullspaceVectors<Scalar, Space> find_nullspace_vectors(
    const Space& exec, const LinearOperator<Scalar, Space>& A, Preconditioner<Scalar, Space>* M,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r,
    const NullspaceProjector<Scalar, Space>& known, const SolverParameters& picked) {
  SearchForVectors<Scalar, Space> search(exec, A, M, known, picked);
  kernels::copy<Scalar, Scalar, Space>(exec, r, search.next());
  NullspaceVectors<Scalar, Space> result;
  using End = typename SearchForVectors<Scalar, Space>::End;
  End end = search.take_next();
  if (end != End::taken) return result;
  while (search.count() < max_nullspace_vectors && end == End::taken) {
    const MultiVectorView<Scalar, Space> w = search.next();
    const auto seed = static_cast<std::uint32_t>(search.count());
    Kokkos::parallel_for(
        "tessera::nullspace::hashed",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, A.num_rows()),
        KOKKOS_LAMBDA(const Ordinal i) {
          const std::uint32_t hash = kernels::hash32(static_cast<std::uint32_t>(i), seed);
          w(i, 0) = static_cast<Scalar>(0x1p-31 * hash - 1.0);
        });
    end = search.take_next();
  }
  result.all = end == End::nothing_there;
  result.vectors = search.found();
  return result;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, find_nullspace_vectors)

}  // namespace tessera::detail
