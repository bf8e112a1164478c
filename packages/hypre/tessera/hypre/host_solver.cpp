// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/host_solver.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/operator/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::hypre {
namespace {

using Space = HostSolver::Space;

template <class T, class MemorySpace>
using Unmanaged2D =
    Kokkos::View<T**, Kokkos::LayoutLeft, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

constexpr bool host_memory_is_the_devices =
    Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible &&
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space::memory_space>::accessible;

/// A list where a solver takes it: itself where the host's memory is the device's, else a copy.
/// Waits for the copy.
template <class T>
Array<const T, Space> for_device(const Space& exec, const T* given, std::size_t size) {
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      given, size);
  if constexpr (host_memory_is_the_devices) {
    return Array<const T, Space>(given, size);
  } else {
    const auto copy = allocate<T>(exec, "tessera::hypre::rows", size);
    if (size > 0) Kokkos::deep_copy(exec, copy, host);
    exec.fence("tessera::hypre::rows");
    return copy;
  }
}

template <class T, class Allocator>
auto for_device(const Space& exec, const std::vector<T, Allocator>& given) {
  return for_device(exec, given.data(), given.size());
}

bool same_on_all(const distributed::Communicator& processes, bool own) {
  return processes.minimum_of(static_cast<double>(own)) > 0;
}

}  // namespace

Parameters& HostSolver::change_parameters() {
  m_changed = true;
  return m_parameters;
}

void HostSolver::set_near_nullspace(HostVectors vectors) {
  m_changed = true;
  m_near_nullspace = std::move(vectors);
}

void HostSolver::set_logger(Logger logger) {
  m_logger = std::move(logger);
  if (is_ready()) m_solver->set_logger(m_logger);
}

distributed::RowsInParts<Space> HostSolver::Taken::rows() const {
  const auto view_of = [&](const TakenPart& part, Ordinal num_cols) {
    return kernels::CsrView<double, Space, std::int64_t>{
        parts.num_rows, num_cols, part.columns.extent(0), part.offsets, part.columns, part.values};
  };
  return {view_of(own, parts.num_rows),
          view_of(ghost, static_cast<Ordinal>(parts.ghosts.extent(0))), parts.ghosts, parts.halo};
}

auto HostSolver::taken(const Space& exec, HostParts parts) -> Taken {
  Taken made;
  made.parts = std::move(parts);
  const auto for_solver = [&](const HostPart& part) {
    return TakenPart{distributed::shared_from_host(exec, part.offsets),
                     distributed::shared_from_host(exec, part.columns),
                     for_device(exec, part.values, part.num_entries())};
  };
  made.own = for_solver(made.parts.own);
  made.ghost = for_solver(made.parts.ghost);
  return made;
}

void HostSolver::set_up(const std::shared_ptr<const distributed::Communicator>& processes,
                        const std::function<HostParts()>& read_rows) {
  HostParts parts;
  distributed::on_all_processes(*processes, [&] { parts = read_rows(); });
  if (m_parameters.numbering == Numbering::by_unknown) return set_up_by_node(processes, parts);
  const Space exec;
  Taken next;
  distributed::on_all_processes(*processes, [&] { next = taken(exec, std::move(parts)); });
  const auto rows = next.rows();
  const bool again = is_ready() && m_solver->has_pattern(exec, rows);
  m_is_by_node = false;
  m_order = {};
  m_rows = {};
  m_num_rows = next.parts.num_rows;
  update_or_begin(
      processes, again, [&](Solver& solver) { solver.update_parts(exec, rows); },
      [&](Solver& solver) { solver.setup_parts(exec, rows, vectors_for_device()); });
  m_taken = std::move(next);
}

void HostSolver::set_up_by_node(const std::shared_ptr<const distributed::Communicator>& processes,
                                const HostParts& parts) {
  const int block_size = m_parameters.system.block_size;
  require(block_size > 0, [] {
    return std::string("numbering=by_unknown needs block_size, the unknowns per node");
  });
  NodeOrder order(*processes, parts.num_rows, block_size);
  HostRows rows;
  distributed::on_all_processes(*processes, [&] { rows = order.reordered(parts); });
  const bool again =
      m_is_by_node && rows.offsets == m_rows.offsets && rows.columns == m_rows.columns;
  m_is_by_node = true;
  m_order = std::move(order);
  m_rows = std::move(rows);
  m_num_rows = parts.num_rows;
  const Space exec;
  update_or_begin(
      processes, again,
      [&](Solver& solver) {
        Array<const double, Space> values;
        distributed::on_all_processes(*processes,
                                      [&] { values = for_device(exec, m_rows.values); });
        solver.update_values(exec, values);
      },
      [&](Solver& solver) {
        distributed::ShareOfRows<Space> rows_by_node;
        distributed::on_all_processes(*processes, [&] {
          rows_by_node = {for_device(exec, m_rows.offsets), for_device(exec, m_rows.columns),
                          for_device(exec, m_rows.values)};
        });
        solver.setup(exec, rows_by_node, vectors_for_device());
      });
  m_taken = {};
  m_rows.values = HostList<double>();  // {} would keep the memory
}

template <class Update, class Setup>
void HostSolver::update_or_begin(const std::shared_ptr<const distributed::Communicator>& processes,
                                 bool again, const Update& update, const Setup& setup) {
  if (same_on_all(*processes, again && is_ready() && !m_changed && m_processes == processes)) {
    try {
      update(*m_solver);
    } catch (...) {
      m_solver.reset();
      throw;
    }
    ++m_updates;
    return;
  }
  m_solver.reset();
  m_processes = processes;
  auto made = std::make_unique<Solver>(processes, m_parameters.system);
  made->set_logger(m_logger);
  setup(*made);
  m_solver = std::move(made);
  forget_copies();
  m_changed = false;
  ++m_setups;
}

/// Collective.
MultiVector<double, Space> HostSolver::vectors_for_device() const {
  const auto n = static_cast<std::size_t>(m_num_rows);
  MultiVector<double, Space> vectors;
  distributed::on_all_processes(*m_processes, [&] {
    for (const auto& vector : m_near_nullspace)
      require(vector.size() == n, [&] {
        return "a near-nullspace vector has " + std::to_string(vector.size()) +
               " entries on this process, expected " + std::to_string(n);
      });
    const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> host(
        "tessera::hypre::near_nullspace", n, m_near_nullspace.size());
    for (std::size_t j = 0; n > 0 && j < m_near_nullspace.size(); ++j) {
      double* const column = &host(0, j);
      if (m_order.is_identity()) {
        std::copy(m_near_nullspace[j].begin(), m_near_nullspace[j].end(), column);
      } else {
        m_order.to_nodes(m_near_nullspace[j].data(), column);
      }
    }
    vectors = Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), host);
  });
  return vectors;
}

void HostSolver::require_ready(const char* setup) const {
  require(is_ready(), [&] {
    return m_released ? std::string("Kokkos is finalised, and nothing can be solved after that")
                      : std::string(setup) + " comes first, and has to succeed";
  });
}

auto HostSolver::solver() const -> Solver& {
  require_ready("a setup");
  return *m_solver;
}

/// Room for vectors of n entries where those given cannot be used.
void HostSolver::make_copies(std::size_t n) {
  const MultiVector<double, Space> from("tessera::hypre::from", n, 1);
  const MultiVector<double, Space> to("tessera::hypre::to", n, 1);
  m_host_from = Kokkos::create_mirror_view(from);
  m_host_to = Kokkos::create_mirror_view(to);
  m_from = from;
  m_to = to;
}

void HostSolver::forget_copies() {
  m_from = m_to = {};
  m_host_from = m_host_to = {};
}

/// Calls `work` with views of the vectors, or with copies where they are in another memory or
/// order.
template <class Work>
void HostSolver::with_vectors(const double* from, double* to, bool reads_to, const Work& work) {
  const Space exec;
  const auto n = static_cast<std::size_t>(num_rows());
  if constexpr (host_memory_is_the_devices) {
    if (m_order.is_identity()) {
      work(exec, ConstMultiVectorView<double, Space>(from, n, 1),
           MultiVectorView<double, Space>(to, n, 1));
      return exec.fence("tessera::hypre::with_vectors");
    }
  }
  if (m_from.extent(1) != 1) distributed::on_all_processes(*m_processes, [&] { make_copies(n); });
  const auto& host_from = m_host_from;
  const auto& host_to = m_host_to;
  const auto copy_in = [&](const double* given, double* copy) {
    if (m_order.is_identity()) {
      std::copy_n(given, n, copy);
    } else {
      m_order.to_nodes(given, copy);
    }
  };
  copy_in(from, host_from.data());
  Kokkos::deep_copy(exec, m_from, host_from);
  if (reads_to) {
    copy_in(to, host_to.data());
    Kokkos::deep_copy(exec, m_to, host_to);
  }
  work(exec, ConstMultiVectorView<double, Space>(m_from), MultiVectorView<double, Space>(m_to));
  Kokkos::deep_copy(exec, host_to, m_to);
  exec.fence("tessera::hypre::with_vectors");
  if (m_order.is_identity()) {
    std::copy_n(host_to.data(), n, to);
  } else {
    m_order.from_nodes(host_to.data(), to);
  }
}

/// Before anything is sent: a shared list of what is sent may have been moved.
void HostSolver::find_exports() {
  if (!m_taken.parts.moved_exports || !m_solver->shares_exports()) return;
  auto& exports = m_taken.parts.halo->exports;
  const auto now = m_taken.parts.moved_exports(exports);
  if (now.data() == exports.data()) return;
  m_solver->move_exports(now);
  exports = now;
}

void HostSolver::apply(const double* r, double* z) {
  Solver& M = solver();
  find_exports();
  with_vectors(r, z, false, [&](const Space& exec, const auto& from, const auto& to) {
    M.apply_preconditioner(exec, from, to);
  });
}

SolveResult HostSolver::solve(const double* b, double* x) {
  Solver& method = solver();
  find_exports();
  SolveResult result;
  with_vectors(b, x, true, [&](const Space& exec, const auto& from, const auto& to) {
    result = method.solve(exec, from, to);
  });
  return result;
}

void HostSolver::release() noexcept {
  m_released = true;
  m_solver.reset();
  m_taken = {};
  forget_copies();
}

}  // namespace tessera::hypre
