// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Settings of a solver: parameters, its device, and what a setup is told of the matrix.

#include <fmt/format.h>

#include "c/solver_handle.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/words.hpp"

namespace tessera::c {

namespace {

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
