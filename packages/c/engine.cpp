// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "c/engine.hpp"

#include <algorithm>

#include "c/matrix_rows.hpp"
#include "c/streams.hpp"
#include "frontend/near_nullspace.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"

namespace tessera::c {

namespace {

/// An instance of its own on a device, whose stream starts after work on the default one.
template <class Space>
Space own_instance() {
  // The threads of a host have no shares for ever more solvers: these take turns on them.
  if constexpr (std::is_same_v<Space, HostSpace>)
    return Space();
  else
    return Kokkos::Experimental::partition_space(Space(), 1)[0];
}

template <class Scalar, class Space, class Offset>
class TypedEngine final : public Engine {
 public:
  /// Sets up with `A` or, where `forecast` is not null, says there what that would take.
  TypedEngine(const Settings& settings, const tessera_matrix& A, MemoryForecast* forecast)
      : m_exec(own_instance<Space>()),
        m_memory(settings.memory),
        m_solver(settings.parameters),
        m_picked(settings.parameters.preconditioner == PreconditionerKind::automatic) {
    start_after(settings.stream);
    const auto matrix = rows_of<Scalar, Space, Offset>(m_exec, A, m_memory);
    m_rows = matrix.num_rows;
    m_entries = static_cast<std::int64_t>(matrix.num_entries());
    int block_size = settings.block_size > 0 ? settings.block_size : A.block_size;
    MultiVector<Scalar, Space> near_nullspace;
    if (settings.coordinates.rows > 0) {
      near_nullspace = frontend::rigid_body_modes_of(
          m_exec, matrix.view(), columns_of(settings.coordinates), "coordinates", "");
      block_size = settings.coordinates.columns;
    } else if (settings.near_nullspace.columns > 0) {
      near_nullspace = columns_of(settings.near_nullspace);
    }
    require_argument(block_size <= 1 || m_rows % block_size == 0, [&] {
      return "block_size is " + std::to_string(block_size) + ", and the " + std::to_string(m_rows) +
             " rows are not a multiple of it";
    });
    m_near_nullspace = static_cast<int>(near_nullspace.extent(1));
    if (settings.nullspace.columns > 0 || settings.left_nullspace.columns > 0)
      m_solver.set_nullspace(m_exec, columns_of(settings.nullspace),
                             columns_of(settings.left_nullspace));
    if (forecast != nullptr)
      *forecast = m_solver.forecast_memory(m_exec, matrix, near_nullspace, block_size);
    else
      m_solver.setup(m_exec, matrix, near_nullspace, block_size);
    m_exec.fence("tessera::c::set_up");
  }

  void start_after(void* stream) override { queue_after(m_exec, stream); }

  tessera_type value_type() const override {
    return std::is_same_v<Scalar, double> ? TESSERA_DOUBLE : TESSERA_FLOAT;
  }
  std::int64_t num_rows() const override { return m_rows; }

  void update(const tessera_matrix& A) override {
    kernels::announce_thread();
    m_solver.update_values(m_exec, rows_of<Scalar, Space, Offset>(m_exec, A, m_memory));
    m_exec.fence("tessera::c::update");
  }

  SolveResult solve(const VectorPair& vectors, const Logger& logger) override {
    m_solver.set_logger(logger, LogTiming::may_be_late);
    SolveResult result;
    with_vectors(vectors, true,
                 [&](const auto& b, const auto& x) { result = m_solver.solve(m_exec, b, x); });
    return result;
  }

  void apply(const VectorPair& vectors) override {
    with_vectors(vectors, false, [&](const auto& r, const auto& z) {
      if (auto* const preconditioner = m_solver.preconditioner()) {
        preconditioner->prepare(m_exec, static_cast<int>(r.extent(1)));
        preconditioner->apply(m_exec, r, z);
      } else {
        copy_columns(m_exec, z, r);
      }
      m_exec.fence("tessera::c::apply");
    });
  }

  double setup_ms() const override { return m_solver.setup_ms(); }

  void describe(frontend::SolveReport& report) const override {
    report.problem.rows = m_rows;
    report.problem.entries = m_entries;
    report.problem.near_nullspace = m_near_nullspace;
    report.preconditioner_picked = m_picked;
    report.setup_ms = m_solver.setup_ms();
    report.setup_repeats_ms = {report.setup_ms};
    frontend::describe_solver(m_solver, report);
  }

 private:
  MultiVector<Scalar, Space> columns_of(const KeptColumns& kept) const {
    const auto columns =
        allocate_multivector<Scalar>(m_exec, "tessera::c::columns", kept.rows, kept.columns);
    const auto host = Kokkos::create_mirror_view(columns);
    std::transform(kept.values.begin(), kept.values.end(), host.data(),
                   [](double value) { return static_cast<Scalar>(value); });
    Kokkos::deep_copy(m_exec, columns, host);
    m_exec.fence("tessera::c::columns_of");
    return columns;
  }

  /// Calls `work` with the vectors where it is done; the result comes back if they were copied.
  template <class Work>
  void with_vectors(const VectorPair& vectors, bool reads_out, const Work& work) const {
    const auto& in_shape = vectors.in_shape;
    const auto& out_shape = vectors.out_shape;
    if (m_rows == 0) {
      const MultiVector<Scalar, Space> none("tessera::c::none", 0, in_shape.columns);
      const MultiVector<Scalar, Space> nothing("tessera::c::none", 0, in_shape.columns);
      return work(ConstMultiVectorView<Scalar, Space>(none),
                  MultiVectorView<Scalar, Space>(nothing));
    }
    const bool in_lies_there = reads_in_place<Space>(vectors.in, m_memory, "the input vector");
    const bool out_lies_there = reads_in_place<Space>(vectors.out, m_memory, "the output vector");
    kernels::announce_thread();
    MultiVector<Scalar, Space> in_copy, out_copy;
    auto in = columns_in_place<const Scalar, Space>(vectors.in, in_shape);
    auto out = columns_in_place<Scalar, Space>(vectors.out, out_shape);
    if (!in_lies_there) {
      in_copy = allocate_multivector<Scalar>(m_exec, "tessera::c::in", m_rows, in_shape.columns);
      copy_columns(m_exec, in_copy,
                   columns_in_place<const Scalar, HostSpace>(vectors.in, in_shape));
      in = in_copy;
    }
    const auto on_host = columns_in_place<Scalar, HostSpace>(vectors.out, out_shape);
    if (!out_lies_there) {
      out_copy = allocate_multivector<Scalar>(m_exec, "tessera::c::out", m_rows, out_shape.columns);
      if (reads_out) copy_columns(m_exec, out_copy, on_host);
      out = out_copy;
    }
    work(in, out);
    if (!out_lies_there) copy_columns(m_exec, on_host, out_copy);
  }

  Space m_exec;
  tessera_memory m_memory;
  Solver<Scalar, Space, Offset> m_solver;
  bool m_picked;
  Ordinal m_rows = 0;
  std::int64_t m_entries = 0;
  int m_near_nullspace = 0;
};

template <class Scalar, class Space>
std::unique_ptr<Engine> of_offsets(const Settings& settings, const tessera_matrix& A,
                                   MemoryForecast* forecast) {
  if (A.offset_type == TESSERA_INT32)
    return std::make_unique<TypedEngine<Scalar, Space, std::int32_t>>(settings, A, forecast);
  return std::make_unique<TypedEngine<Scalar, Space, std::int64_t>>(settings, A, forecast);
}

template <class Space>
std::unique_ptr<Engine> of_values(const Settings& settings, const tessera_matrix& A,
                                  MemoryForecast* forecast) {
  kernels::announce_thread();
  return A.value_type == TESSERA_DOUBLE ? of_offsets<double, Space>(settings, A, forecast)
                                        : of_offsets<float, Space>(settings, A, forecast);
}

/// An engine where the settings have the work done.
std::unique_ptr<Engine> placed_engine(const Settings& settings, const tessera_matrix& A,
                                      MemoryForecast* forecast) {
  const frontend::Place place = place_of(settings);
#if TESSERA_HAVE_DEVICE
  if (place == frontend::Place::device) return of_values<DeviceSpace>(settings, A, forecast);
#endif
  require_argument(settings.stream == nullptr, [] {
    return std::string(
        "a stream was set, and the solver works on the host; take it back "
        "(tessera_set_stream with null), or set the device to \"device\" in a "
        "build for one");
  });
  static_cast<void>(place);
  return of_values<HostSpace>(settings, A, forecast);
}

}  // namespace

frontend::Place place_of(const Settings& settings) {
  return frontend::choose_place("device", settings.device);
}

std::unique_ptr<Engine> set_up_engine(const Settings& settings, const tessera_matrix& A) {
  return placed_engine(settings, A, nullptr);
}

MemoryForecast forecast_memory(const Settings& settings, const tessera_matrix& A) {
  MemoryForecast forecast;
  placed_engine(settings, A, &forecast);
  return forecast;
}

}  // namespace tessera::c
