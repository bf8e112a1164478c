// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "c/engine.hpp"
#include "c/failure.hpp"
#include "c/runtime.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/words.hpp"

/// The handle: settings, and once set up a solver.
struct tessera_solver final : tessera::c::Handle {
  tessera::c::Settings settings;
  tessera_progress progress = nullptr;
  void* context = nullptr;
  std::string device;  ///< in force
  std::unique_ptr<tessera::c::Engine> engine;
  tessera_matrix matrix{};  ///< of the last setup or update
  std::optional<tessera::SolveResult> result;
  std::string json;

  void release() noexcept override { engine.reset(); }
};

namespace tessera::c {

namespace {

constexpr frontend::AdviceWords advice_words{
    "tessera_set_coordinates", "tessera_set_near_nullspace",
    "tessera_set_near_nullspace, tessera_set_coordinates", "values in double",
    "right-hand sides and guesses without a NaN or an infinity, and a "
    "setup without TESSERA_TRUSTED, which checks the matrix"};

/// The solver's engine. @throws Failure before a setup, and after the end of Kokkos
Engine& engine_of(tessera_solver& solver) {
  start_runtime();
  require_argument(solver.engine != nullptr, [] {
    return std::string("the solver has no matrix; call tessera_setup first");
  });
  return *solver.engine;
}

const SolveResult& result_of(tessera_solver& solver) {
  require_argument(solver.result.has_value(), [] {
    return std::string("there is no solve since the last setup; call tessera_solve first");
  });
  return *solver.result;
}

frontend::SolveReport report_of(tessera_solver& solver) {
  const Engine& engine = engine_of(solver);
  frontend::SolveReport report;
  report.build = frontend::build_info();
  report.machine = frontend::machine_info(frontend::choose_place("device", solver.device));
  report.requested_device = solver.device;
  report.date = frontend::date_text();
  report.peak_memory_bytes = frontend::peak_memory_bytes();
  report.problem.name = report.problem.rhs = "arrays of the caller";
  engine.describe(report);
  report.solved = solver.result.has_value();
  if (solver.result) {
    report.result = *solver.result;
    report.problem.num_rhs = static_cast<int>(solver.result->columns.size());
    report.solve_ms = solver.result->solve_ms;
    report.solve_repeats_ms = {report.solve_ms};
  }
  return report;
}

/// What the last error says of a solve that is not as good as asked.
std::string shortfall(tessera_solver& solver) {
  const SolveResult& result = result_of(solver);
  const std::string advised = advice(report_of(solver), advice_words);
  return fmt::format(
      "the solve ended as {} after {} iterations with a relative residual of {:.3g}{}{}",
      to_string(result.status), result.iterations, result.true_relative_residual,
      advised.empty() ? "" : "; ", advised);
}

void require_type(tessera_type type) {
  require_argument(type == TESSERA_DOUBLE || type == TESSERA_FLOAT, [&] {
    return fmt::format("type is {}; expected TESSERA_DOUBLE or TESSERA_FLOAT",
                       static_cast<int>(type));
  });
}

/// Throws unless vectors of that type and length go with the matrix.
void require_like_matrix(const Engine& engine, tessera_type type, std::int64_t rows) {
  require_type(type);
  const auto name = [](tessera_type t) {
    return t == TESSERA_DOUBLE ? "TESSERA_DOUBLE" : "TESSERA_FLOAT";
  };
  require_argument(type == engine.value_type(), [&] {
    return fmt::format("type is {}; expected {}, as the matrix has", name(type),
                       name(engine.value_type()));
  });
  require_argument(rows == engine.num_rows(), [&] {
    return fmt::format("rows is {}; expected {}, as the matrix has", rows, engine.num_rows());
  });
}

template <class T>
void append_column(std::vector<double>& to, const void* from, std::size_t first, std::size_t length,
                   tessera_memory memory, const char* name) {
  const T* const entries = static_cast<const T*>(from) + first;
#if TESSERA_HAVE_DEVICE
  if (lies_on_device(from, memory)) {
    const Kokkos::View<const T*, DeviceSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        there(entries, length);
    const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there);
    to.insert(to.end(), here.data(), here.data() + length);
    return;
  }
#endif
  static_cast<void>(reads_in_place<HostSpace>(from, memory, name));
  to.insert(to.end(), entries, entries + length);
}

KeptColumns keep(tessera_type type, const ColumnsOf& shape, const void* data, tessera_memory memory,
                 const char* name) {
  require_type(type);
  require_columns(shape, data, name, "leading_dimension");
  KeptColumns kept;
  kept.rows = shape.rows;
  kept.columns = shape.columns;
  kept.values.reserve(static_cast<std::size_t>(shape.rows) * shape.columns);
  for (std::int32_t j = 0; j < shape.columns; ++j) {
    const std::size_t first = static_cast<std::size_t>(j) * (j == 0 ? 0 : shape.leading);
    const auto length = static_cast<std::size_t>(shape.rows);
    if (type == TESSERA_DOUBLE)
      append_column<double>(kept.values, data, first, length, memory, name);
    else
      append_column<float>(kept.values, data, first, length, memory, name);
  }
  return kept;
}

/// Sets parameters by `set`, all or none.
template <class Set>
void set_parameters(tessera_solver& solver, const Set& set) {
  SolveParameters parameters = solver.settings.parameters;
  parameters::ParameterTree tree(parameters);
  set(tree);
  solver.settings.parameters = parameters;
}

}  // namespace
}  // namespace tessera::c

using namespace tessera::c;

/// A function that works on a solver.
template <class Work>
static tessera_status with_solver(const char* function, tessera_solver* solver,
                                  Work&& work) noexcept {
  return guarded(function, [&] {
    const HandleUse use(solver, "solver");
    return work(*solver);
  });
}

tessera_status tessera_create(tessera_solver** solver) {
  return guarded(__func__, [&] {
    require_pointer(solver, "solver");
    auto made = std::make_unique<tessera_solver>();
    add_handle(*made);
    *solver = made.release();
  });
}

tessera_status tessera_destroy(tessera_solver* solver) {
  return guarded(__func__, [&] { destroy_handle(solver, "solver"); });
}

tessera_status tessera_set(tessera_solver* solver, const char* words) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(words, "words");
    set_parameters(s, [&](auto& tree) { tessera::parameters::set_from_words(tree, words); });
  });
}

tessera_status tessera_set_json(tessera_solver* solver, const char* json) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(json, "json");
    set_parameters(s, [&](auto& tree) { tessera::parameters::set_from_json(tree, json, "json"); });
  });
}

tessera_status tessera_set_device(tessera_solver* solver, const char* device) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(device, "device");
    tessera::frontend::choose_place("device", device);
    s.settings.device = device;
  });
}

tessera_status tessera_set_stream(tessera_solver* solver, void* stream) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_argument(stream == nullptr || TESSERA_HAVE_DEVICE, [] {
      return std::string("this build of Tessera is for hosts, which have no streams");
    });
    s.settings.stream = stream;
  });
}

tessera_status tessera_set_memory(tessera_solver* solver, tessera_memory memory) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_argument(memory == TESSERA_MEMORY_AUTO || memory == TESSERA_MEMORY_HOST ||
                         memory == TESSERA_MEMORY_DEVICE,
                     [&] {
                       return fmt::format(
                           "memory is {}; expected TESSERA_MEMORY_AUTO, "
                           "TESSERA_MEMORY_HOST or TESSERA_MEMORY_DEVICE",
                           static_cast<int>(memory));
                     });
    s.settings.memory = memory;
  });
}

tessera_status tessera_set_block_size(tessera_solver* solver, int32_t block_size) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_argument(block_size >= 0, [&] {
      return fmt::format("block_size is {}; expected 0 or more", block_size);
    });
    s.settings.block_size = block_size;
  });
}

/// Keeps `count` columns, or none, where the settings have `member`, and then calls `kept`.
template <class Kept>
static tessera_status set_vectors(const char* function, tessera_solver* solver,
                                  KeptColumns Settings::* member, tessera_type type,
                                  const ColumnsOf& shape, const void* vectors, const Kept& kept) {
  return with_solver(function, solver, [&](tessera_solver& s) {
    s.settings.*member = shape.columns == 0
                             ? KeptColumns{}
                             : keep(type, shape, vectors, s.settings.memory, "vectors");
    kept(s.settings);
  });
}

tessera_status tessera_set_near_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                          int32_t count, const void* vectors,
                                          int64_t leading_dimension) {
  return set_vectors(__func__, solver, &Settings::near_nullspace, type,
                     {rows, count, leading_dimension}, vectors, [&](Settings& settings) {
                       if (count != 0) settings.coordinates = {};
                     });
}

tessera_status tessera_set_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                     int32_t count, const void* vectors,
                                     int64_t leading_dimension) {
  return set_vectors(__func__, solver, &Settings::nullspace, type, {rows, count, leading_dimension},
                     vectors, [](Settings&) {});
}

tessera_status tessera_set_left_nullspace(tessera_solver* solver, tessera_type type, int64_t rows,
                                          int32_t count, const void* vectors,
                                          int64_t leading_dimension) {
  return set_vectors(__func__, solver, &Settings::left_nullspace, type,
                     {rows, count, leading_dimension}, vectors, [](Settings&) {});
}

tessera_status tessera_set_coordinates(tessera_solver* solver, tessera_type type, int64_t nodes,
                                       int32_t dimension, const void* coordinates,
                                       int64_t leading_dimension) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    KeptColumns kept;
    if (nodes != 0) {
      require_argument(dimension == 2 || dimension == 3,
                       [&] { return fmt::format("dimension is {}; expected 2 or 3", dimension); });
      kept = keep(type, {nodes, dimension, leading_dimension}, coordinates, s.settings.memory,
                  "coordinates");
    }
    s.settings.coordinates = std::move(kept);
    if (nodes != 0) s.settings.near_nullspace = {};
  });
}

tessera_status tessera_set_progress(tessera_solver* solver, tessera_progress progress,
                                    void* context) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    s.progress = progress;
    s.context = context;
  });
}

tessera_status tessera_setup(tessera_solver* solver, const tessera_matrix* A) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(A, "A");
    require_matrix(*A);
    start_runtime();
    s.result.reset();
    s.engine.reset();
    s.device = s.settings.device;
    s.engine = set_up_engine(s.settings, *A);
    s.matrix = *A;
  });
}

tessera_status tessera_forecast(tessera_solver* solver, const tessera_matrix* A,
                                int64_t* setup_bytes, int64_t* kept_bytes, int64_t* solve_bytes) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(A, "A");
    require_matrix(*A);
    start_runtime();
    const tessera::MemoryForecast forecast = forecast_memory(s.settings, *A);
    if (setup_bytes != nullptr) *setup_bytes = static_cast<int64_t>(forecast.setup_bytes);
    if (kept_bytes != nullptr) *kept_bytes = static_cast<int64_t>(forecast.kept_bytes);
    if (solve_bytes != nullptr) *solve_bytes = static_cast<int64_t>(forecast.solve_bytes);
  });
}

tessera_status tessera_update(tessera_solver* solver, const tessera_matrix* A) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    Engine& engine = engine_of(s);
    const tessera_matrix matrix = A == nullptr ? s.matrix : *A;
    require_matrix(matrix);
    const auto same_kind = [&](const char* name, std::int64_t now, std::int64_t before) {
      require_argument(now == before, [&] {
        return fmt::format("A->{} is {}, and was {} at setup; another matrix needs tessera_setup",
                           name, now, before);
      });
    };
    same_kind("value_type", matrix.value_type, s.matrix.value_type);
    same_kind("offset_type", matrix.offset_type, s.matrix.offset_type);
    same_kind("block_size", matrix.block_size, s.matrix.block_size);
    same_kind("rows", matrix.rows, s.matrix.rows);
    same_kind("entries", matrix.entries, s.matrix.entries);
    engine.start_after(s.settings.stream);
    engine.update(matrix);
    s.matrix = matrix;
    s.result.reset();
  });
}

tessera_status tessera_solve(tessera_solver* solver, tessera_type type, int64_t rows,
                             int32_t columns, const void* b, int64_t b_leading, void* x,
                             int64_t x_leading) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    Engine& engine = engine_of(s);
    require_like_matrix(engine, type, rows);
    const VectorPair vectors{b, {rows, columns, b_leading}, x, {rows, columns, x_leading}};
    require_columns(vectors.in_shape, b, "b", "b_leading");
    require_columns(vectors.out_shape, x, "x", "x_leading");
    require_apart(b, vectors.in_shape, x, vectors.out_shape,
                  type == TESSERA_DOUBLE ? sizeof(double) : sizeof(float));
    tessera::Logger logger;
    if (s.progress != nullptr) {
      logger = [&s](const tessera::IterationInfo& now) {
        return s.progress(s.context, now.iteration, now.relative_residual, now.elapsed_ms) == 0;
      };
    }
    s.result.reset();
    engine.start_after(s.settings.stream);
    s.result = engine.solve(vectors, logger);
    const tessera_status status = status_of(s.result->status);
    if (status != TESSERA_SUCCESS) set_last_error("tessera_solve", shortfall(s).c_str());
    return status;
  });
}

tessera_status tessera_apply(tessera_solver* solver, tessera_type type, int64_t rows,
                             int32_t columns, const void* r, int64_t r_leading, void* z,
                             int64_t z_leading) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    Engine& engine = engine_of(s);
    require_like_matrix(engine, type, rows);
    const VectorPair vectors{r, {rows, columns, r_leading}, z, {rows, columns, z_leading}};
    require_columns(vectors.in_shape, r, "r", "r_leading");
    require_columns(vectors.out_shape, z, "z", "z_leading");
    engine.start_after(s.settings.stream);
    engine.apply(vectors);
  });
}

tessera_status tessera_result(tessera_solver* solver, int32_t* iterations,
                              double* relative_residual, double* setup_ms, double* solve_ms) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    const tessera::SolveResult& result = result_of(s);
    if (iterations != nullptr) *iterations = result.iterations;
    if (relative_residual != nullptr) *relative_residual = result.true_relative_residual;
    if (setup_ms != nullptr) *setup_ms = engine_of(s).setup_ms();
    if (solve_ms != nullptr) *solve_ms = result.solve_ms;
  });
}

tessera_status tessera_column_result(tessera_solver* solver, int32_t column, tessera_status* status,
                                     int32_t* iterations, double* relative_residual) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    const auto& columns = result_of(s).columns;
    require_argument(column >= 0 && static_cast<std::size_t>(column) < columns.size(), [&] {
      return fmt::format("column is {}; the last solve had {}, from 0 on", column, columns.size());
    });
    const tessera::ColumnResult& result = columns[static_cast<std::size_t>(column)];
    if (status != nullptr) *status = status_of(result.status);
    if (iterations != nullptr) *iterations = result.iterations;
    if (relative_residual != nullptr) *relative_residual = result.true_relative_residual;
  });
}

tessera_status tessera_history(tessera_solver* solver, double* residuals, int64_t capacity,
                               int64_t* count) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_argument(capacity >= 0,
                     [&] { return fmt::format("capacity is {}; expected 0 or more", capacity); });
    if (capacity > 0) require_pointer(residuals, "residuals");
    const auto& history = result_of(s).residual_history;
    const auto length = static_cast<std::int64_t>(history.size());
    std::copy_n(history.begin(), std::min(capacity, length), residuals);
    if (count != nullptr) *count = length;
  });
}

tessera_status tessera_report(tessera_solver* solver, const char** json) {
  return with_solver(__func__, solver, [&](tessera_solver& s) {
    require_pointer(json, "json");
    s.json = report_json(report_of(s), advice_words);
    *json = s.json.c_str();
  });
}
