// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions for multigrid.hpp: the setup reads as the paper's Algorithm 1.
#pragma once

#include "tessera/amg/check_candidates.hpp"
#include "tessera/amg/coarsen.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/phase_timer.hpp"
#include "tessera/amg/smoother_for.hpp"
#include "tessera/amg/spectral_radius.hpp"
#include "tessera/core/check_parameters.hpp"
#include "tessera/core/overlap.hpp"
#include "tessera/core/symmetry_probe.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/inverse_diagonal.hpp"
#include "tessera/smoother/make_smoother.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cmath>

namespace tessera::amg {
namespace detail {

/// The size at which coarsening ends: the user's, or ours, for a device pays a launch for every
/// level, and a host the cube of the size. Never more than is solved densely: relaxation alone
/// would be a poor end.
template <class Space>
int coarse_size(const Parameters& p) {
  const int open = kernels::is_host_space<Space> ? 200 : 150;
  return std::min(p.coarse_size > 0 ? p.coarse_size : open, p.max_dense_size);
}

inline void check_arguments(Ordinal num_rows, Ordinal num_cols, int block_size) {
  require(num_rows == num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(num_rows) + " by " +
           std::to_string(num_cols);
  });
  require(block_size >= 1 && num_rows % block_size == 0, [&] {
    return "block_size must divide the number of rows: " + std::to_string(block_size) +
           " does not divide " + std::to_string(num_rows);
  });
}

template <class Scalar>
const char* precision_name() {
  return std::is_same_v<Scalar, float> ? "float" : "double";
}

template <class Scalar, class Space, class Offset>
LevelInfo level_info(const Level<Scalar, Space, Offset>& level) {
  LevelInfo info;
  info.rows = level.A.matrix.num_rows;
  info.entries = static_cast<std::int64_t>(level.A.matrix.num_entries());
  info.entries_per_row =
      info.rows == 0 ? 0.0 : static_cast<double>(info.entries) / static_cast<double>(info.rows);
  info.unknowns_per_vertex = level.block_size;
  info.precision = precision_name<Scalar>();
  return info;
}

/// Operator and grid complexity from the levels' sizes.
inline void sum_complexities(HierarchyInfo& info) {
  double rows = 0;
  double entries = 0;
  for (const auto& level : info.levels) {
    rows += static_cast<double>(level.rows);
    entries += static_cast<double>(level.entries);
  }
  const auto& finest = info.levels.front();
  info.grid_complexity = finest.rows == 0 ? 1.0 : rows / static_cast<double>(finest.rows);
  info.operator_complexity =
      finest.entries == 0 ? 1.0 : entries / static_cast<double>(finest.entries);
}

/// The spectral radius of D^-1 A by the method that the parameters name. Below an indefinite matrix
/// a level may have a diagonal of two signs, which leaves Lanczos without an inner product and with
/// a NaN: then Arnoldi decides.
template <class Scalar, class Space, class Offset>
double estimate_spectral_radius(const Space& exec, const Level<Scalar, Space, Offset>& level,
                                const Parameters& p) {
  const auto A = level.A.matrix.view();
  if (p.spectral_radius == SpectralRadiusMethod::lanczos) {
    const double rho = spectral_radius_lanczos(exec, A, level.A.plan, level.inverse_diagonal,
                                               p.spectral_radius_steps);
    if (std::isfinite(rho)) return rho;
  }
  return spectral_radius_arnoldi(exec, A, level.A.plan, level.inverse_diagonal,
                                 p.spectral_radius_steps);
}

/// What the parameters say of a matrix's symmetry or, where they leave it open, the matrix itself.
template <class Scalar, class Space, class Offset>
bool is_symmetric(const Space& exec, const Level<Scalar, Space, Offset>& level,
                  MatrixSymmetry symmetry) {
  if (symmetry != MatrixSymmetry::automatic) return symmetry == MatrixSymmetry::symmetric;
  return looks_symmetric(exec, level.A.matrix.view(), level.A.plan);
}

/// The diagonal's inverse, the spectral radius and the smoother of a level. False where the radius
/// is not finite: the level holds a NaN, an infinity, or values whose products overflow.
template <class Scalar, class Space, class Offset>
bool prepare_relaxation(const Space& exec, Level<Scalar, Space, Offset>& level, const Parameters& p,
                        bool symmetric, PhaseTimer<Space>& timer) {
  const auto A = level.A.matrix.view();
  timer.start(exec, "spectral radius");
  level.inverse_diagonal = kernels::inverse_diagonal(exec, A);
  level.spectral_radius = estimate_spectral_radius(exec, level, p);
  if (!std::isfinite(level.spectral_radius)) return false;
  // A matrix without a usable diagonal leaves relaxation undamped.
  if (!(level.spectral_radius > 0)) level.spectral_radius = 1;
  timer.start(exec, "smoother");
  level.smoother = make_smoother(exec, smoother_for(p.smoother, level.block_size, symmetric),
                                 level.A.matrix, level.A.plan, level.spectral_radius);
  return true;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Multigrid<Scalar, Space, Offset>::Multigrid(Parameters parameters)
    : m_parameters(std::move(parameters)) {
  check_parameters(m_parameters, "amg.");
}

template <class Scalar, class Space, class Offset>
Multigrid<Scalar, Space, Offset>::Multigrid(Multigrid&&) noexcept = default;

template <class Scalar, class Space, class Offset>
Multigrid<Scalar, Space, Offset>& Multigrid<Scalar, Space, Offset>::operator=(
    Multigrid&&) noexcept = default;

template <class Scalar, class Space, class Offset>
Multigrid<Scalar, Space, Offset>::~Multigrid() = default;

template <class Scalar, class Space, class Offset>
void Multigrid<Scalar, Space, Offset>::setup(const Space& exec, const Matrix& A,
                                             const ConstVectors& candidates, int block_size,
                                             const std::vector<int>& nullspace) {
  check_candidates<Scalar, Space>(exec, A.num_rows, candidates);
  if (!try_setup(exec, A, candidates, block_size, nullspace)) {
    throw Error(ErrorKind::bad_input,
                std::string("the hierarchy holds a NaN, an infinity, or values whose products "
                            "overflow ") +
                    detail::precision_name<Scalar>());
  }
}

template <class Scalar, class Space, class Offset>
bool Multigrid<Scalar, Space, Offset>::try_setup(const Space& exec, const Matrix& A,
                                                 const ConstVectors& candidates, int block_size,
                                                 const std::vector<int>& nullspace) {
  if (build(exec, A, candidates, block_size, nullspace)) return true;
  m_info = {};
  m_levels.clear();
  return false;
}

template <class Scalar, class Space, class Offset>
bool Multigrid<Scalar, Space, Offset>::build(const Space& exec, const Matrix& A,
                                             const ConstVectors& candidates, int block_size,
                                             const std::vector<int>& nullspace) {
  detail::check_arguments(A.num_rows, A.num_cols, block_size);
  const Kokkos::Profiling::ScopedRegion region("tessera::setup");
  PhaseTimer<Space> timer(exec);
  m_info = {};
  m_levels.clear();
  m_prepared_columns = 0;
  m_coarsest_is_relaxed = false;

  Candidates<Scalar, Space> B(exec, A.num_rows, candidates, block_size);
  CoarseningState state{A.num_entries(), A.num_entries(), m_info.notes};
  timer.start(exec, "analyse");
  m_levels.push_back(make_level<Scalar, Space, Offset>(exec, A, block_size, 0));
  state.symmetric = detail::is_symmetric(exec, m_levels.front(), m_parameters.symmetry);
  const int coarse_size = detail::coarse_size<Space>(m_parameters);
  while (m_levels.back().A.matrix.num_rows > coarse_size) {
    auto& fine = m_levels.back();
    if (!detail::prepare_relaxation(exec, fine, m_parameters, state.symmetric, timer)) return false;
    m_info.levels.push_back(detail::level_info(fine));
    m_info.levels.back().spectral_radius = fine.spectral_radius;
    if (static_cast<int>(m_levels.size()) >= m_parameters.max_levels) {
      m_info.notes.push_back("stopped at max_levels = " + std::to_string(m_parameters.max_levels));
      break;
    }
    auto coarse = coarsen(exec, fine, B, m_parameters, state, timer);
    m_info.levels.back().aggregation = state.aggregation;
    m_info.levels.back().setup_ms = timer.lap();
    if (!coarse) break;
    const auto depth = static_cast<int>(m_levels.size());
    m_levels.push_back(
        make_level<Scalar, Space, Offset>(exec, *coarse, static_cast<int>(B.count()), depth));
  }

  timer.start(exec, "coarse solver");
  auto& last = m_levels.back();
  const bool last_is_listed = m_info.levels.size() == m_levels.size();
  if (!last_is_listed) m_info.levels.push_back(detail::level_info(last));
  if (last.A.matrix.num_rows <= m_parameters.max_dense_size) {
    if (!m_coarse_solver.try_setup(exec, last.A.matrix.view(), B.view(), nullspace)) return false;
    m_info.levels.back().aggregation = "dense " + m_coarse_solver.description();
    last.smoother.reset();
  } else {
    m_coarsest_is_relaxed = true;
    m_info.levels.back().aggregation = "relaxed";
    m_info.notes.push_back("the coarsest level has " + std::to_string(last.A.matrix.num_rows) +
                           " unknowns, more than max_dense_size, and is relaxed instead of solved");
  }
  timer.stop(exec);
  m_info.levels.back().setup_ms += timer.lap();
  m_info.setup_phases_ms = timer.phases();
  m_setup_ms = timer.total_ms();
  detail::sum_complexities(m_info);
  return true;
}

template <class Scalar, class Space, class Offset>
void Multigrid<Scalar, Space, Offset>::prepare(const Space& exec, int k) {
  if (m_prepared_columns == k) return;
  for (std::size_t depth = 0; depth < m_levels.size(); ++depth) {
    auto& level = m_levels[depth];
    const std::size_t n = level.A.matrix.num_rows;
    const bool coarsest = depth + 1 == m_levels.size();
    if (depth > 0) {
      level.b = allocate_multivector<Scalar>(exec, "tessera::amg::b", n, k);
      level.x = allocate_multivector<Scalar>(exec, "tessera::amg::x", n, k);
    }
    if (!coarsest || m_coarsest_is_relaxed) {
      level.u = allocate_multivector<Scalar>(exec, "tessera::amg::u", n, k);
      level.r = allocate_multivector<Scalar>(exec, "tessera::amg::r", n, k);
      level.smoother->prepare(exec, k);
    }
  }
  m_prepared_columns = k;
}

template <class Scalar, class Space, class Offset>
void Multigrid<Scalar, Space, Offset>::apply(const Space& exec, const ConstVectors& r,
                                             const Vectors& z) {
  require(!m_levels.empty(), [] { return std::string("Multigrid::apply before setup"); });
  require(r.extent(0) == static_cast<std::size_t>(m_levels.front().A.matrix.num_rows) &&
              r.extent(1) == z.extent(1) && r.extent(0) == z.extent(0),
          [&] {
            return "r and z must both be " + std::to_string(m_levels.front().A.matrix.num_rows) +
                   " by k, they are " + std::to_string(r.extent(0)) + " by " +
                   std::to_string(r.extent(1)) + " and " + std::to_string(z.extent(0)) + " by " +
                   std::to_string(z.extent(1));
          });
  require(!overlap(r, z),
          [] { return std::string("r and z overlap in memory; expected separate vectors"); });
  prepare(exec, static_cast<int>(r.extent(1)));
  cycle(exec, 0, r, z);
}

template <class Scalar, class Space, class Offset>
void Multigrid<Scalar, Space, Offset>::cycle(const Space& exec, std::size_t depth,
                                             const ConstVectors& b, const Vectors& x) {
  auto& level = m_levels[depth];
  const Kokkos::Profiling::ScopedRegion region(level.region);
  if (depth + 1 == m_levels.size()) {
    solve_coarsest(exec, b, x);
    return;
  }
  auto& coarse = m_levels[depth + 1];
  const auto A = level.A.matrix.view();

  level.smoother->apply_zero_guess(exec, b, level.u);
  const int visits = m_parameters.cycle == CycleType::w && depth > 0 ? 2 : 1;
  for (int visit = 0; visit < visits; ++visit) {
    kernels::restrict_residual(exec, level.A.plan, A, level.R.plan, level.R.matrix.view(), b,
                               level.u, level.r, coarse.b);
    cycle(exec, depth + 1, coarse.b, coarse.x);
    kernels::spmv(exec, level.P.plan, Scalar(1), level.P.matrix.view(), coarse.x, Scalar(1),
                  level.u);
    if (visit + 1 < visits) {
      level.smoother->apply(exec, b, level.u, x);
      Kokkos::deep_copy(exec, level.u, x);
    }
  }
  level.smoother->apply(exec, b, level.u, x);
}

template <class Scalar, class Space, class Offset>
void Multigrid<Scalar, Space, Offset>::solve_coarsest(const Space& exec, const ConstVectors& b,
                                                      const Vectors& x) {
  if (!m_coarsest_is_relaxed) {
    m_coarse_solver.apply(exec, b, x);
    return;
  }
  // An even number of further applications, so that the last one writes x.
  constexpr int pairs = 8;
  auto& level = m_levels.back();
  level.smoother->apply_zero_guess(exec, b, x);
  for (int i = 0; i < pairs; ++i) {
    level.smoother->apply(exec, b, x, level.u);
    level.smoother->apply(exec, b, level.u, x);
  }
}

}  // namespace tessera::amg
