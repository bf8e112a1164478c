// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/scaled_constants.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solver/cg.hpp"

#include <limits>

namespace tessera::detail {

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

/// One pass of inverse iteration on w, n by 1: multigrid from w as it is by now, since the coarsest
/// matrix is as singular as its near-nullspace vector is near. False where there is no multigrid,
/// and so nothing is known.
template <class Space, class Offset>
bool iterate_inversely(const Space& exec, const CrsMatrix<double, Space, Offset>& A,
                       const SolveParameters& picked, const MultiVector<double, Space>& w) {
  amg::Multigrid<double, Space> multigrid(plain_multigrid(picked.amg));
  try {
    if (!multigrid.try_setup(exec, A.arrays(), w)) return false;
  } catch (const OffsetOverflow&) {
    return false;
  } catch (const Error& error) {
    // What was set for multigrid need not suit this matrix.
    if (error.kind() != ErrorKind::configuration) throw;
    return false;
  }
  const auto image =
      allocate_multivector<double>(exec, "tessera::nullspace::image", w.extent(0), 1);
  const auto correction =
      allocate_multivector<double>(exec, "tessera::nullspace::correction", w.extent(0), 1);
  Kokkos::deep_copy(exec, correction, 0.0);
  A.apply(exec, -1.0, w, 0.0, image);
  Cg<double, Space> cg(to_the_last_digit(picked.solver));
  cg.solve(exec, A, &multigrid, image, correction);
  kernels::axpby<double, Space>(exec, 1.0, correction, 1.0, w);
  return true;
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
  const CrsMatrix<double, Space, Offset> scaled_A({n, n, arrays.offsets, arrays.columns, values},
                                                  A.plan());
  const Vectors w = amg::equilibrated_constant(exec, scaled_A.view(), scaling);
  const auto& of_x = scaling.columns;

  const auto start = allocate<double>(exec, "tessera::nullspace::start", n);
  kernels::multiply<double, Space>(exec, 1.0, of_x, w,
                                   MultiVectorView<double, Space>(start.data(), n, 1));

  const double first_length = squared_length(exec, w);
  const Array<double, Space> in_scaled(w.data(), n);
  ComponentNullspace<double, Space> found;
  const auto weight = allocate<double>(exec, "tessera::nullspace::weight", n);
  for (int pass = 0; pass < max_passes_for_nullspace && found.num_rows < n; ++pass) {
    if (!iterate_inversely(exec, scaled_A, picked, w)) break;
    // Negated, for it may be a NaN.
    if (!(squared_length(exec, w) > regular * first_length)) break;
    const auto more = singular_components(exec, scaled_A.view(), in_scaled, annihilated);
    // One component may be there before another. Where a pass finds no further one, the rest of A
    // is regular.
    if (!found.empty() && more.num_rows <= found.num_rows) break;
    if (more.empty()) continue;
    found = more;
    kernels::multiply<double, Space>(exec, 1.0, of_x, w,
                                     MultiVectorView<double, Space>(weight.data(), n, 1));
  }
  if (found.empty()) return found;
  found.weight = weight;
  found.elsewhere = start;
  return found;
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, find_scaled_constants)

}  // namespace tessera::detail
