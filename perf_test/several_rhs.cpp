// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves of AMG-PCG with several right-hand sides at once on the default execution space: levels
/// in compressed rows beside levels on tiles, with tensor cores and without.
#include "app/kernel_profiler.hpp"
#include "app/settings.hpp"
#include "support/real_systems.hpp"
#include "support/run_options.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace {

using Space = tessera::DeviceSpace;
using Solver = tessera::Solver<double, Space>;
using tessera::TensorCoreUse;

/// How the levels' matrices lie in memory, and what multiplies tiles.
struct SolveVariant {
  const char* name;
  tessera::StorageFormat format;
  TensorCoreUse tensor_cores = TensorCoreUse::automatic;

  void set(tessera::SolveParameters& p) const {
    p.amg.storage.format = format;
    if (format == tessera::StorageFormat::csr) p.amg.products = tessera::amg::Products::csr;
    p.tensor_cores = tensor_cores;
  }
};

std::vector<SolveVariant> all_variants() {
  using tessera::StorageFormat;
  std::vector<SolveVariant> variants{
      {"rows", StorageFormat::csr},
      {"tiles, tensor cores off", StorageFormat::mbsr, TensorCoreUse::off}};
  if (tessera::kernels::has_tensor_core_spmv<Space>()) {
    variants.push_back({"tiles, tensor cores auto", StorageFormat::mbsr, TensorCoreUse::automatic});
    variants.push_back({"tiles, tensor cores on", StorageFormat::mbsr, TensorCoreUse::on});
  }
  return variants;
}

/// Hashed values in [-1, 1), others in each column.
tessera::MultiVector<double, Space> random_columns(const Space& exec, tessera::Ordinal n, int k) {
  const auto v = tessera::allocate_multivector<double>(exec, "tessera::perf::random", n, k);
  for (int j = 0; j < k; ++j) {
    Kokkos::parallel_for(
        "tessera::perf::random", Kokkos::RangePolicy<Space>(exec, 0, n),
        KOKKOS_LAMBDA(const tessera::Ordinal i) {
          const std::uint32_t hash = tessera::kernels::hash32(static_cast<std::uint32_t>(i),
                                                              static_cast<std::uint32_t>(j));
          v(i, j) = 0x1p-31 * hash - 1.0;
        });
  }
  return v;
}

nlohmann::json storage_json(const tessera::StorageInfo& stored) {
  return {{"format", stored.format}, {"storage", stored.storage}, {"kernel", stored.kernel}};
}

/// Rows and kernels of each level, printed as well.
nlohmann::json levels_json(const tessera::HierarchyInfo& info) {
  nlohmann::json levels = nlohmann::json::array();
  for (std::size_t i = 0; i < info.levels.size(); ++i) {
    const auto& level = info.levels[i];
    nlohmann::json json{{"rows", level.rows},
                        {"entries", level.entries},
                        {"vectors", level.precision},
                        {"smoother", level.smoother}};
    std::printf("    level %zu %10lld rows, vectors in %s\n", i, static_cast<long long>(level.rows),
                level.precision.c_str());
    for (const auto& [name, stored] :
         {std::pair("A", &level.A), {"P", &level.P}, {"R", &level.R}}) {
      if (stored->format.empty()) continue;
      json[name] = storage_json(*stored);
      std::printf("        %s: %s in %s, %s\n", name, stored->format.c_str(),
                  stored->storage.c_str(), stored->kernel.c_str());
    }
    levels.push_back(json);
  }
  return levels;
}

/// The kernels of one solve by level, each fenced: of all levels' time, what tensor cores take.
nlohmann::json kernels_json(const std::vector<tessera::app::KernelTime>& kernels) {
  nlohmann::json list = nlohmann::json::array();
  std::map<int, std::pair<double, double>> by_level;
  for (const auto& kernel : kernels) {
    list.push_back({{"level", kernel.level},
                    {"kernel", kernel.kernel},
                    {"calls", kernel.calls},
                    {"ms", kernel.ms}});
    auto& [all, tensor_cores] = by_level[kernel.level];
    all += kernel.ms;
    if (kernel.kernel.ends_with(" by tensor cores")) tensor_cores += kernel.ms;
  }
  for (const auto& [level, ms] : by_level) {
    if (level >= 0 && ms.second > 0) {
      std::printf("        level %d: %.2f of %.2f ms by tensor cores (fenced)\n", level, ms.second,
                  ms.first);
    }
  }
  return list;
}

/// One problem, set up in one way.
class Measurement {
 public:
  Measurement(const Space& exec, const tessera::Problem<double, Space>& problem,
              const tessera::SolveParameters& parameters)
      : m_exec(exec), m_problem(problem), m_parameters(parameters), m_solver(parameters) {
    set_up(m_solver);
    set_up(m_solver);  // the first finds cold caches
  }

  const tessera::HierarchyInfo& hierarchy() const { return m_solver.hierarchy(); }
  double setup_ms() const { return m_solver.setup_ms(); }

  /// Medians of `repeats` solves from the guess zero, after one that warms up.
  nlohmann::json solve(int columns, int repeats) {
    make_vectors(columns);
    std::vector<double> ms;
    tessera::SolveResult result;
    for (int i = 0; i <= repeats; ++i) {
      Kokkos::deep_copy(m_exec, m_x, 0.0);
      m_exec.fence("tessera::perf");
      const Kokkos::Timer timer;
      result = m_solver.solve(m_exec, m_b, m_x);
      m_exec.fence("tessera::perf");
      if (i > 0) ms.push_back(timer.seconds() * 1e3);
    }
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2];
    std::printf("    %2d right-hand sides %10.2f ms %9.3f ms each %4d iterations %10.2e  %s\n",
                columns, median, median / columns, result.iterations, result.true_relative_residual,
                std::string(tessera::to_string(result.status)).c_str());
    std::fflush(stdout);
    return {{"columns", columns},
            {"solve_ms", median},
            {"solve_ms_min", ms.front()},
            {"solve_ms_max", ms.back()},
            {"ms_per_right_hand_side", median / columns},
            {"iterations", result.iterations},
            {"status", std::string(tessera::to_string(result.status))},
            {"true_relative_residual", result.true_relative_residual}};
  }

  /// One more solve, launch by launch, each of its kernels fenced.
  nlohmann::json kernels(int columns) {
    if (m_launched == nullptr) {
      auto parameters = m_parameters;
      parameters.graph = false;
      m_launched = std::make_unique<Solver>(parameters);
      set_up(*m_launched);
    }
    make_vectors(columns);
    Kokkos::deep_copy(m_exec, m_x, 0.0);
    tessera::app::KernelProfiler profiler;
    m_launched->solve(m_exec, m_b, m_x);
    return kernels_json(profiler.take());
  }

 private:
  void set_up(Solver& solver) {
    solver.setup(m_exec, m_problem.A, m_problem.near_nullspace, m_problem.block_size);
  }

  void make_vectors(int columns) {
    if (static_cast<int>(m_b.extent(1)) == columns) return;
    m_b = random_columns(m_exec, m_problem.A.num_rows, columns);
    m_x = tessera::allocate_multivector<double>(m_exec, "tessera::perf::x", m_problem.A.num_rows,
                                                columns);
  }

  Space m_exec;
  const tessera::Problem<double, Space>& m_problem;
  tessera::SolveParameters m_parameters;
  Solver m_solver;
  std::unique_ptr<Solver> m_launched;
  tessera::MultiVector<double, Space> m_b, m_x;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"AMG-PCG with several right-hand sides: levels in rows and on tiles"};
  std::vector<std::string> cases{"elasticity3d:n=60", "beam:order=3,refine=4", "poisson3d:n=128"};
  std::vector<int> columns{1, 4, 8, 16};
  bool kernels = false;
  tessera::perf::RunOptions options;
  options.repeats = 3;
  options.rhs = "random";
  app.add_option("--cases", cases, "problems as NAME:KEY=VALUE,KEY=VALUE");
  app.add_option("--columns", columns, "numbers of right-hand sides")->check(CLI::PositiveNumber);
  app.add_flag("--kernels", kernels, "time the kernels of one more solve of each, by level");
  options.add_to(app);
  app.remove_option(app.get_option("--rhs"));  // random ones, each another
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::keep_freed_memory(std::max(Kokkos::device_id(), 0));
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  for (const auto& text : cases) {
    const auto gallery =
        tessera::app::gallery_parameters(tessera::perf::gallery_case(text).problem);
    const auto problem = tessera::make_problem<double, Space>(exec, gallery);
    for (const SolveVariant& variant : all_variants()) {
      auto parameters = options.parameters();
      variant.set(parameters);
      Measurement measurement(exec, problem, parameters);
      std::printf("%s, %s: setup %.2f ms\n", text.c_str(), variant.name, measurement.setup_ms());
      nlohmann::json json{{"name", text},
                          {"way", variant.name},
                          {"setup_ms", measurement.setup_ms()},
                          {"levels", levels_json(measurement.hierarchy())},
                          {"solves", nlohmann::json::array()}};
      for (const int k : columns) {
        json["solves"].push_back(measurement.solve(k, options.repeats));
        if (kernels) json["solves"].back()["kernels"] = measurement.kernels(k);
      }
      results.push_back(json);
    }
  }
  nlohmann::json json = options.to_json();
  json["space"] = Space::name();
  json["results"] = results;
  tessera::perf::write_record(options.out, json);
}
