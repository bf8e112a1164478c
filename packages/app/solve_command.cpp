// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>

#include "app/interrupt.hpp"
#include "app/machine.hpp"
#include "app/options.hpp"
#include "app/output_file.hpp"
#include "app/report.hpp"
#include "app/settings.hpp"
#include "app/solve_plan.hpp"
#include "app/solve_run.hpp"
#include "app/system.hpp"
#include "app/terminal.hpp"
#include "app/transcript.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

namespace {

/// The options, checked, before anything is read or started.
struct Plan {
  std::optional<GalleryParameters> gallery;
  SolveParameters parameters;
  bool single = false;  ///< everything in float
  Place place = Place::host;
  SolveOutputs outputs;
};

void choose_precision(const SolveOptions& options, Plan& plan) {
  static const std::vector<std::string> known{"auto", "double", "float", "mixed"};
  if (options.precision == "double") {
    plan.parameters.precision = Precision::same;
  } else if (options.precision == "float") {
    plan.parameters.precision = Precision::same;
    plan.single = true;
  } else if (options.precision == "mixed") {
    plan.parameters.precision = Precision::single;
  } else if (options.precision != "auto") {
    throw UsageError(fmt::format("--precision {}: expected one of: {}", options.precision,
                                 parameters::join_names(known)));
  }
}

Plan make_plan(const SolveOptions& options) {
  check_given(options);
  Plan plan;
  plan.gallery = chosen_problem(options, "tessera");
  if (options.profile && options.report.empty() && options.html.empty()) {
    throw UsageError("--profile needs --report FILE or --html FILE to write to");
  }
  // The command shows what each step takes, and what setup needs.
  plan.parameters.amg.measure_phases = true;
  plan.parameters.amg.measure_memory = true;
  parameters::ParameterTree tree(plan.parameters);
  set_solve_parameters(tree, options);
  choose_precision(options, plan);
  plan.place = frontend::choose_place("--device", options.device);
  plan.outputs = plan_outputs(options);
  return plan;
}

/// 2^exponents[j] x_j in double.
template <class Scalar, class Space>
MultiVector<double, Space> with_powers(const Space& exec, const MultiVector<Scalar, Space>& x,
                                       const std::vector<int>& exponents) {
  const auto wide = allocate_multivector<double>(exec, "tessera::app::x", x.extent(0), x.extent(1));
  kernels::copy<Scalar, double, Space>(exec, x, wide);
  kernels::scale_columns<double, Space>(exec, exponents, wide, wide);
  return wide;
}

/// `exponents`: of the powers of two that x lacks, or empty.
template <class Scalar, class Space>
void write_solution(const Space& exec, const Plan& plan, const MultiVector<Scalar, Space>& x,
                    const std::vector<int>& exponents) {
  if (!plan.outputs.solution) return;
  plan.outputs.solution->guarded([&] {
    if (exponents.empty()) {
      write_vector(exec, plan.outputs.solution->path(), x);
    } else {
      write_vector(exec, plan.outputs.solution->path(), with_powers(exec, x, exponents));
    }
  });
}

template <class Scalar, class Space>
void write_outputs(const Space& exec, const Plan& plan, const MultiVector<Scalar, Space>& x,
                   const std::vector<int>& exponents, const SolveReport& report) {
  write_each({[&] { write_solution(exec, plan, x, exponents); },
              [&] {
                if (plan.outputs.report) plan.outputs.report->write(report_json(report));
              },
              [&] {
                if (plan.outputs.html) plan.outputs.html->write(report_html(report));
              }});
}

/// True where the head of the matrix can be read before the matrix: a pipe gives its bytes once.
bool is_read_twice(const std::string& matrix) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(matrix, ignored);
}

/// The system with 32-bit offsets, which must count its entries.
template <class Scalar, class Space>
System<Scalar, Space, std::int32_t> narrowed(const Space& exec,
                                             const System<Scalar, Space, std::int64_t>& wide) {
  return {kernels::convert_offsets<std::int32_t>(exec, wide.A), wide.b, wide.near_nullspace,
          wide.block_size, wide.exponents};
}

template <class Scalar, class Space>
using LoadedSystem =
    std::variant<System<Scalar, Space, std::int32_t>, System<Scalar, Space, std::int64_t>>;

/// The system with offsets of 32 bits wherever they do.
template <class Scalar, class Space>
LoadedSystem<Scalar, Space> load_narrowest(const Space& exec, const SolveOptions& options,
                                           const Plan& plan, Progress& progress,
                                           SolveReport& report) {
  const auto load = [&]<class Offset>(std::type_identity<Offset>) {
    return load_system<Scalar, Space, Offset>(exec, options, plan.gallery, progress, report.problem,
                                              report.picks);
  };
  if (!plan.gallery && !is_read_twice(options.matrix)) {
    auto wide = load(std::type_identity<std::int64_t>());
    if (wide.A.num_entries() > std::numeric_limits<std::int32_t>::max()) return wide;
    return narrowed(exec, wide);
  }
  if (!plan.gallery && inspect_matrix(options.matrix).needs_64_bit_offsets())
    return load(std::type_identity<std::int64_t>());
  try {
    return load(std::type_identity<std::int32_t>());
  } catch (const OffsetOverflow&) {
    // How the gallery says that 32 bits do not count a problem's entries.
    return load(std::type_identity<std::int64_t>());
  }
}

/// Runs `work`; where memory runs out in it, the error names the step.
template <class Work>
auto in_step(const char* step, const Work& work) {
  return detail::with_memory_errors([step] { return std::string(step); }, work, "");
}

/// Loads the system, solves it, and writes what was asked for.
template <class Scalar, class Space>
ExitCode solve_in(const SolveOptions& options, const Plan& plan, Transcript& transcript,
                  SolveReport& report) {
  const Space exec;
  Progress progress(!options.quiet);
  const auto loaded = in_step("the system to be solved", [&] {
    return load_narrowest<Scalar, Space>(exec, options, plan, progress, report);
  });
  // Not before: what is read may be a pipe that says nothing for hours, and there is no x to keep.
  const InterruptGuard interrupt(options.quiet);
  const auto x = std::visit(
      [&](const auto& system) {
        return solve_system(exec, system, plan.parameters, options, transcript, progress, report);
      },
      loaded);
  return in_step("the outputs", [&] {
    transcript.show(convergence_text(report) + "\n" + result_text(report));
    report.peak_memory_bytes = peak_memory_bytes();
    std::fflush(stdout);  // an output may go there as well, by another way
    write_outputs(exec, plan, x,
                  std::visit([](const auto& system) { return system.exponents; }, loaded), report);
    return exit_code(report.result.status);
  });
}

/// What is known of a solve before its system. Kokkos must be initialised.
SolveReport begin_report(const SolveOptions& options, const Plan& plan) {
  SolveReport report;
  report.build = build_info();
  report.machine = machine_info(plan.place);
  report.requested_device = options.device;
  report.date = date_text();
  report.command_line = options.command_line;
  return report;
}

}  // namespace

ExitCode run_solve(const SolveOptions& options) {
  Transcript transcript(!options.quiet);
  open_log(options, transcript);
  const auto solve = [&] {
    const Plan plan = make_plan(options);
    const KokkosSession kokkos(options.threads);
    SolveReport report = begin_report(options, plan);
#if TESSERA_HAVE_DEVICE
    if (plan.place == Place::device) {
      return plan.single ? solve_in<float, DeviceSpace>(options, plan, transcript, report)
                         : solve_in<double, DeviceSpace>(options, plan, transcript, report);
    }
#endif
    return plan.single ? solve_in<float, HostSpace>(options, plan, transcript, report)
                       : solve_in<double, HostSpace>(options, plan, transcript, report);
  };
  try {
    const ExitCode code = in_step("the command", solve);
    transcript.finish();
    return code;
  } catch (const std::exception& error) {
    transcript.keep("tessera: " + failure_of(error).message + "\n");
    throw;
  }
}

}  // namespace tessera::app
