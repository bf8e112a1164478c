// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "petsc/several_processes.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/distributed/multigrid.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/parameters.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/parameters/words.hpp"

namespace tessera::petsc {

namespace {

#if TESSERA_HAVE_DEVICE
using Space = DeviceSpace;
#else
using Space = HostSpace;
#endif
constexpr bool on_host = std::is_same_v<Space, HostSpace>;
constexpr int max_near_nullspace_vectors = 10;

tessera_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::precondition:
      return TESSERA_ERROR_ARGUMENT;
    case ErrorKind::bad_input:
      return TESSERA_ERROR_INPUT;
    case ErrorKind::configuration:
      return TESSERA_ERROR_CONFIGURATION;
    case ErrorKind::out_of_memory:
      return TESSERA_ERROR_MEMORY;
    case ErrorKind::device:
      return TESSERA_ERROR_DEVICE;
    default:
      return TESSERA_ERROR_INTERNAL;
  }
}

/// `work` is collective, and throws on all processes or on none.
template <class Work>
Outcome outcome_of(Work&& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {status_of(error.kind()), error.what()};
  } catch (const std::exception& error) {
    return {is_out_of_memory(error) ? TESSERA_ERROR_MEMORY : TESSERA_ERROR_INTERNAL, error.what()};
  }
}

/// A duplicate, so that Tessera's messages meet none of PETSc's.
std::shared_ptr<const distributed::Communicator> duplicate_of(MPI_Comm communicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  if (MPI_Comm_dup(communicator, &copy) != MPI_SUCCESS)
    throw Error(ErrorKind::out_of_memory, "MPI has no communicator to spare");
  const std::shared_ptr<const void> owner(nullptr, [copy](const void*) {
    MPI_Comm ended = copy;
    int finalized = 0;
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Comm_free(&ended);
  });
  return distributed::mpi_communicator(copy, {}, owner);
}

/// A list of the host where the work is done: itself, or a copy.
template <class T>
Array<const T, Space> in_space(const Space& exec, std::span<const T> given) {
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      given.data(), given.size());
  if constexpr (on_host) {
    return host;
  } else {
    const auto copy = allocate<T>(exec, "tessera::petsc::rows", given.size());
    Kokkos::deep_copy(exec, copy, host);
    exec.fence("tessera::petsc::rows");
    return copy;
  }
}

template <class Scalar>
MultiVectorView<Scalar, HostSpace> on_the_host(const SeveralProcesses::Columns<Scalar>& columns,
                                               std::size_t rows) {
  const MultiVectorView<Scalar, HostSpace> all(
      columns.data, static_cast<std::size_t>(columns.leading), columns.count);
  return Kokkos::subview(all, std::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL);
}

MultiVector<double, Space> copy_of(const Space& exec,
                                   const SeveralProcesses::Columns<const double>& columns,
                                   std::size_t rows) {
  const auto copy =
      allocate_multivector<double>(exec, "tessera::petsc::columns", rows, columns.count);
  const auto packed = Kokkos::create_mirror_view(copy);
  if (rows > 0 && columns.count > 0) Kokkos::deep_copy(packed, on_the_host(columns, rows));
  Kokkos::deep_copy(exec, copy, packed);
  exec.fence("tessera::petsc::columns");
  return copy;
}

/// Before anything is made of them, and also where an update would not look at them.
void require_finite(std::span<const double> values) {
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
}

class Levels final : public SeveralProcesses {
 public:
  explicit Levels(MPI_Comm communicator) : m_processes(duplicate_of(communicator)) {}

  Outcome set_up(const Settings& settings, const Rows& rows,
                 const Columns<const double>& near_nullspace) override {
    const Kokkos::Timer timer;
    return outcome_of([&] {
      m_multigrid.reset();
      m_A = {};
      const distributed::Parameters parameters = parameters_of(settings);
      const Space exec;
      Array<const std::int64_t, Space> offsets, columns;
      Array<const double, Space> values;
      MultiVector<double, Space> vectors;
      distributed::on_all_processes(*m_processes, [&] {
        if (near_nullspace.count > max_near_nullspace_vectors)
          throw Error(ErrorKind::precondition,
                      std::to_string(near_nullspace.count) +
                          " near-nullspace vectors are too many, at most 10");
        require_finite(rows.values);
        offsets = in_space(exec, rows.offsets);
        columns = in_space(exec, rows.columns);
        values = in_space(exec, rows.values);
        vectors = copy_of(exec, near_nullspace, rows.offsets.size() - 1);
      });
      m_A = distributed::numbered<Space>(exec, m_processes, {offsets, columns, values});
      m_multigrid = std::make_unique<distributed::Multigrid<Space>>(
          exec,
          distributed::MultigridParameters{parameters.solve, parameters.gather_rows,
                                           parameters.block_size},
          m_A.matrix, vectors);
      m_single = parameters.solve.precision == Precision::single;
      m_near_nullspace = near_nullspace.count;
      m_setup_ms = timer.seconds() * 1e3;
    });
  }

  Outcome update(std::span<const double> values) override {
    const Kokkos::Timer timer;
    return outcome_of([&] {
      const Space exec;
      Array<const double, Space> there;
      distributed::on_all_processes(*m_processes, [&] {
        require_finite(values);
        there = in_space(exec, values);
      });
      const auto next = distributed::with_values<Space>(exec, m_A, there);
      m_A.matrix = next;
      m_multigrid->update(exec, next);
      m_setup_ms = timer.seconds() * 1e3;
    });
  }

  Outcome apply(const Columns<const double>& r, const Columns<double>& z) override {
    return outcome_of([&] {
      const Space exec;
      const auto rows = static_cast<std::size_t>(m_A.matrix.rows.num_rows);
      if constexpr (on_host) {
        m_multigrid->apply(exec, on_the_host(r, rows), on_the_host(z, rows));
      } else {
        MultiVector<double, Space> in, out;
        distributed::on_all_processes(*m_processes, [&] {
          in = copy_of(exec, r, rows);
          out = allocate_multivector<double>(exec, "tessera::petsc::columns", rows, z.count);
        });
        m_multigrid->apply(exec, in, out);
        const auto packed = Kokkos::create_mirror_view(out);
        Kokkos::deep_copy(exec, packed, out);
        exec.fence("tessera::petsc::columns");
        if (rows > 0 && z.count > 0) Kokkos::deep_copy(on_the_host(z, rows), packed);
      }
    });
  }

  Report report() const override {
    Report shown;
    shown.preconditioner = "amg";
    shown.precision = m_single ? "float" : "double";
    shown.near_nullspace_vectors = m_near_nullspace;
    shown.setup_ms = m_setup_ms;
    if (m_multigrid == nullptr) return shown;
    const HierarchyInfo info = m_multigrid->info();
    for (const LevelInfo& level : info.levels) {
      shown.levels.push_back({static_cast<double>(level.rows), static_cast<double>(level.entries),
                              level.entries_per_row, level.precision, level.A.format,
                              level.smoother, level.coarsening});
    }
    shown.operator_complexity = info.operator_complexity;
    shown.grid_complexity = info.grid_complexity;
    shown.bytes = static_cast<double>(info.bytes);
    shown.notes = m_multigrid->description();
    shown.notes.insert(shown.notes.end(), info.notes.begin(), info.notes.end());
    return shown;
  }

 private:
  distributed::Parameters parameters_of(const Settings& settings) const {
    distributed::Parameters parameters;
    distributed::on_all_processes(*m_processes, [&] {
      parameters::ParameterTree tree(parameters);
      for (const std::string& words : settings.words)
        parameters::set_from_words(tree, words);
      if (settings.gather_rows > 0) parameters.gather_rows = settings.gather_rows;
      parameters.block_size = settings.block_size;
      check_parameters(parameters, "");
      const auto kind = parameters.solve.preconditioner;
      if (kind != PreconditionerKind::automatic && kind != PreconditionerKind::amg)
        throw Error(ErrorKind::configuration, "on several processes 'preconditioner' is amg");
      distributed::Multigrid<Space>::check(parameters.solve.amg);
    });
    return parameters;
  }

  std::shared_ptr<const distributed::Communicator> m_processes;
  distributed::Numbered<Space> m_A;
  std::unique_ptr<distributed::Multigrid<Space>> m_multigrid;
  bool m_single = false;
  int m_near_nullspace = 0;
  double m_setup_ms = 0;
};

}  // namespace

std::unique_ptr<SeveralProcesses> make_several_processes(MPI_Comm communicator) {
  return std::make_unique<Levels>(communicator);
}

}  // namespace tessera::petsc
