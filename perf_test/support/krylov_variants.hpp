// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The ways by which mille_feuille solves a system: a table, to which another way is added by a
/// class and a line.
#pragma once

#include "support/tile_variants.hpp"
#include "support/variant.hpp"
#include "tessera/amg/cycle/single_kernel.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/persistent/solve.hpp"
#include "tessera/solve.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include "support/cusparse_graph_krylov.hpp"
#include "support/cusparse_ilu.hpp"
#endif

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// A whole solve in one kernel, in double.
class OneKernel : public SolveVariant {
 public:
  OneKernel(const DeviceSpace& exec, const KrylovSystem& system, const VariantOptions& options)
      : m_exec(exec), m_options(options) {
    const auto A = system.device.view();
    if (options.preconditioner == "jacobi") {
      m_stored = kernels::inverse_diagonal(exec, A);
      m_M = m_stored;
    } else if (options.preconditioner == "block_jacobi") {
      m_stored = kernels::inverse_blocks(exec, A, options.block_rows);
      m_M.blocks = m_stored;
      m_M.block_rows = options.block_rows;
    } else if (options.preconditioner == "ilu") {
      const auto ilu = incomplete_factors(exec, system);
      m_factors = {exec, ilu.factors().lower(), ilu.factors().upper(), options.factor_mode};
      m_M.factors = &m_factors;
    } else if (options.preconditioner == "amg") {
      options.cycle_in_float ? write_steps(m_in_float, m_float_program, float_matrix(system))
                             : write_steps(m_same, m_program, system.device);
      m_M.program = m_program.get();
      m_M.float_program = m_float_program.get();
    }
  }

  VariantEnd solve(KrylovSystem& system) override {
    const kernels::PersistentLimits limits{.tolerance = m_options.tolerance,
                                           .max_iterations = m_options.max_iterations};
    const auto solve = system.is_definite
                           ? kernels::persistent_cg<double, DeviceSpace, Ordinal>
                           : kernels::persistent_bicgstab<double, DeviceSpace, Ordinal>;
    Kokkos::deep_copy(m_exec, system.x, 0.0);
    const auto report = solve(m_exec, m_workspace, system.device.view(), m_M, system.rhs(),
                              system.iterate(), limits, m_options.time_limit_s, m_options.tuning);
    m_shape = report.shape;
    m_lanes_per_row = report.lanes_per_row;
    return {word(report.end), report.iterations, report.history};
  }
  nlohmann::json more() const override {
    nlohmann::json row{{"shares", m_shape.shares},
                       {"lanes", m_shape.lanes},
                       {"scratch_bytes", m_shape.scratch_bytes},
                       {"lanes_per_row", m_lanes_per_row}};
    if (m_num_steps > 0) {
      row["steps"] = m_num_steps;
      row["neighbour_waits"] = m_options.tuning.neighbour_waits;
    }
    if (m_M.factors != nullptr) {
      row["factors_by_one_block"] = m_factors.by_one_block();
      row["levels"] = {m_factors.lower().num_levels, m_factors.upper().num_levels};
    }
    return row;
  }

 private:
  kernels::Csr<float, DeviceSpace> float_matrix(const KrylovSystem& system) const {
    return kernels::convert_values<float>(m_exec, system.device);
  }
  template <class Grid, class Program, class Matrix>
  void write_steps(std::unique_ptr<Grid>& grid, std::unique_ptr<Program>& program,
                   const Matrix& A) {
    amg::Parameters p;
    p.storage.format = StorageFormat::csr;
    grid = std::make_unique<Grid>(p);
    grid->setup(m_exec, A);
    const std::string obstacle = amg::obstacle_to_one_kernel(p.cycle, grid->hierarchy());
    if (!obstacle.empty()) throw std::runtime_error(obstacle);
    program = std::make_unique<Program>(amg::cycle_program(
        p.cycle, grid->hierarchy(), {.one_block_entries = m_options.one_block_entries}));
    m_num_steps = program->steps().size();
  }

  DeviceSpace m_exec;
  VariantOptions m_options;
  Array<double, DeviceSpace> m_stored;
  std::unique_ptr<amg::Multigrid<double, DeviceSpace>> m_same;
  std::unique_ptr<amg::Multigrid<float, DeviceSpace>> m_in_float;
  std::unique_ptr<kernels::StepProgram<double, DeviceSpace>> m_program;
  std::unique_ptr<kernels::StepProgram<float, DeviceSpace>> m_float_program;
  std::size_t m_num_steps = 0;
  kernels::FactorsInside<double, DeviceSpace> m_factors;
  kernels::PersistentPreconditioner<double, DeviceSpace> m_M;
  kernels::PersistentWorkspace<double, DeviceSpace> m_workspace;
  kernels::CooperativeShape m_shape;
  int m_lanes_per_row = 0;
};

/// `Solver`: in one kernel, or with iterations that are replayed as a graph or not.
template <SingleKernel single_kernel, bool graph>
class BySolver : public SolveVariant {
 public:
  BySolver(const DeviceSpace& exec, const KrylovSystem& system, const VariantOptions& options)
      : m_exec(exec), m_solver(parameters(system, options)) {
    m_solver.setup(exec, system.device);
  }
  VariantEnd solve(KrylovSystem& system) override {
    Kokkos::deep_copy(m_exec, system.x, 0.0);
    SolveResult result = m_solver.solve(m_exec, system.b, system.x);
    if (single_kernel == SingleKernel::on && !result.in_one_kernel)
      throw std::runtime_error("the solve was not one kernel");
    return {std::string(to_string(result.status)), result.iterations,
            std::move(result.residual_history)};
  }

 private:
  static SolveParameters parameters(const KrylovSystem& system, const VariantOptions& options) {
    SolveParameters p;
    for (const auto& known : preconditioner_names) {
      if (known.name == options.preconditioner) p.preconditioner = known.value;
    }
    p.graph = graph;
    p.precision = options.cycle_in_float ? Precision::automatic : Precision::same;
    p.block_rows = options.block_rows;
    p.solver.name = system.is_definite ? SolverName::cg : SolverName::bicgstab;
    p.solver.tolerance = options.tolerance;
    p.solver.max_iterations = options.max_iterations;
    p.solver.time_limit_s = options.time_limit_s;
    p.solver.nullspace = NullspaceKind::none;
    p.solver.single_kernel = single_kernel;
    return p;
  }

  DeviceSpace m_exec;
  Solver<double, DeviceSpace> m_solver;
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Of Jacobi for the vendor's loops; empty for those that take none, or make their own.
inline Array<double, DeviceSpace> vendor_diagonal(const DeviceSpace& exec,
                                                  const KrylovSystem& system,
                                                  const VariantOptions& options) {
  if (options.preconditioner == "none" || options.preconditioner == "ilu") return {};
  if (options.preconditioner != "jacobi") throw std::runtime_error("not with this preconditioner");
  return kernels::inverse_diagonal(exec, system.device.view());
}

/// The vendor's product and vector operations, scalars on the host; plain, with Jacobi, or with
/// SpSV on our factors, as those of the vendor have no shifts.
class Vendor : public SolveVariant {
 public:
  Vendor(const DeviceSpace& exec, const KrylovSystem& system, const VariantOptions& options)
      : m_options(options),
        m_cusparse(exec),
        m_krylov(exec, system.device, vendor_diagonal(exec, system, options)) {
    if (options.preconditioner != "ilu") return;
    const auto ilu = incomplete_factors(exec, system);
    const auto& pattern = ilu.factors().pattern;
    m_factors = {pattern.num_rows, pattern.num_rows, pattern.offsets, pattern.columns,
                 ilu.factors().values};
    m_between = allocate_multivector<double>(exec, "tessera::perf::between", pattern.num_rows);
    m_lower.emplace(m_cusparse, m_factors, true, m_between.data(), m_between.data());
    m_upper.emplace(m_cusparse, m_factors, false, m_between.data(), m_between.data());
    m_krylov.set_preconditioner([this](const double* r, double* z) {
      m_lower->solve(r, m_between.data());
      m_upper->solve(m_between.data(), z);
    });
  }
  VariantEnd solve(KrylovSystem& system) override {
    const int most = m_options.max_iterations;
    const int iterations = system.is_definite
                               ? m_krylov.cg(system.b, system.x, m_options.tolerance, most)
                               : m_krylov.bicgstab(system.b, system.x, m_options.tolerance, most);
    return {iterations < most ? "ended" : "max_iterations", iterations, {}};
  }

 private:
  VariantOptions m_options;
  CusparseHandle m_cusparse;
  CusparseKrylov m_krylov;
  kernels::Csr<double, DeviceSpace> m_factors;
  MultiVector<double, DeviceSpace> m_between;
  std::optional<CusparseTriangle> m_lower, m_upper;
};

/// The same with scalars on the device and ten iterations in a graph; without SpSV.
class VendorGraph : public SolveVariant {
 public:
  VendorGraph(const DeviceSpace& exec, const KrylovSystem& system, const VariantOptions& options)
      : m_options(options), m_krylov(exec, system.device, vendor_diagonal(exec, system, options)) {
    if (options.preconditioner == "ilu") throw std::runtime_error("not with this preconditioner");
  }
  VariantEnd solve(KrylovSystem& system) override {
    const int most = m_options.max_iterations;
    const GraphEnd end = system.is_definite
                             ? m_krylov.cg(system.b, system.x, m_options.tolerance, most)
                             : m_krylov.bicgstab(system.b, system.x, m_options.tolerance, most);
    return {
        end.iterations < most ? "ended" : "max_iterations", end.iterations, {}, end.iterations_run};
  }
  nlohmann::json more() const override { return {{"algorithm", m_krylov.algorithm()}}; }

 private:
  VariantOptions m_options;
  CusparseGraphKrylov m_krylov;
};
#endif

/// A row of the table of ways.
struct VariantMaker {
  const char* name;
  std::unique_ptr<SolveVariant> (*make)(const DeviceSpace&, const KrylovSystem&,
                                        const VariantOptions&);
};

template <class Kind>
std::unique_ptr<SolveVariant> make_variant(const DeviceSpace& exec, const KrylovSystem& system,
                                           const VariantOptions& options) {
  return std::make_unique<Kind>(exec, system, options);
}

inline const std::vector<VariantMaker>& known_variants() {
  static const std::vector<VariantMaker> variants{
      {"one kernel", make_variant<OneKernel>},
      {"tiles", make_variant<OnTiles<TileVariant::fixed>>},
      {"falling tiles", make_variant<OnTiles<TileVariant::by_the_papers_ranges>>},
      {"falling tiles by default", make_variant<OnTiles<TileVariant::by_default_ranges>>},
      {"Solver, one kernel", make_variant<BySolver<SingleKernel::on, true>>},
      {"graph", make_variant<BySolver<SingleKernel::off, true>>},
      {"launches", make_variant<BySolver<SingleKernel::off, false>>},
#if defined(KOKKOS_ENABLE_CUDA)
      {"cuSPARSE + cuBLAS", make_variant<Vendor>},
      {"cuSPARSE + cuBLAS in a graph", make_variant<VendorGraph>},
#endif
  };
  return variants;
}

}  // namespace tessera::perf
