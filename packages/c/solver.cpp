// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solver's life: made, set up, solved with, destroyed.
#include <fmt/format.h>

#include "c/matrix_rows.hpp"
#include "c/solver_handle.hpp"

namespace tessera::c {

Engine& engine_of(tessera_solver& solver) {
  start_runtime();
  require_argument(solver.engine != nullptr, [] {
    return std::string("the solver has no matrix; call tessera_setup first");
  });
  return *solver.engine;
}

void require_type(tessera_type type) {
  require_argument(type == TESSERA_DOUBLE || type == TESSERA_FLOAT, [&] {
    return fmt::format("type is {}; expected TESSERA_DOUBLE or TESSERA_FLOAT",
                       static_cast<int>(type));
  });
}

namespace {

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

}  // namespace
}  // namespace tessera::c

using namespace tessera::c;

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
