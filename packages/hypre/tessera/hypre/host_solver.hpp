// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `distributed::Solver` for matrices and vectors in the memory of the host, whose owner sets up
/// again whenever values have changed.
#pragma once

#include "tessera/distributed/solver.hpp"
#include "tessera/hypre/host_parts.hpp"
#include "tessera/hypre/host_rows.hpp"
#include "tessera/hypre/node_order.hpp"
#include "tessera/hypre/parameters.hpp"
#include "tessera/hypre/runtime.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::hypre {

/// Vectors column after column, each of as many entries as this process has rows.
using HostVectors = std::vector<std::vector<double>>;

/// Calls are collective but for `const` ones, and Kokkos is initialised.
class HostSolver final : public ArrayHolder {
 public:
  using Space = DeviceSpace;

  /// Sets up, or takes new values where all processes have the pattern of before, and parameters
  /// and vectors are those of before. `rows` is called on each process and may throw there. Where
  /// the device is the host, what it returns is shared as `distributed::Solver::setup` says: its
  /// arrays stay as they are until the next call or the solver's end. With numbering=by_unknown
  /// they are copied.
  /// @throws Error on all processes where one fails; there is nothing to solve with then.
  void set_up(const std::shared_ptr<const distributed::Communicator>& processes,
              const std::function<HostParts()>& rows);

  /// Whoever changes these has the next `set_up` begin from the start.
  Parameters& change_parameters();
  void set_near_nullspace(HostVectors vectors);
  void set_logger(Logger logger);
  const Parameters& parameters() const { return m_parameters; }
  const HostVectors& near_nullspace() const { return m_near_nullspace; }

  bool is_ready() const { return m_solver != nullptr && !m_released; }
  /// @throws Error unless it is; `setup` is what messages call `set_up`.
  void require_ready(const char* setup) const;
  std::int64_t num_rows() const { return m_num_rows; }  ///< of this process
  /// z = M r. r and z: `num_rows()` entries. They do not overlap.
  void apply(const double* r, double* z);
  /// From the guess in x.
  SolveResult solve(const double* b, double* x);

  /// As of `distributed::Solver`.
  HierarchyInfo hierarchy() const { return solver().hierarchy(); }
  std::vector<std::string> description() const { return solver().description(); }
  std::int64_t num_all_rows() const { return solver().num_rows(); }
  int num_setups() const { return m_setups; }
  int num_updates() const { return m_updates; }

  void release() noexcept override;

 private:
  using Solver = distributed::Solver<Space>;
  using HostCopy =
      decltype(Kokkos::create_mirror_view(std::declval<const MultiVector<double, Space>&>()));
  /// The arrays of a part, or their copies on the device.
  struct TakenPart {
    Array<const std::int64_t, Space> offsets;
    Array<const Ordinal, Space> columns;
    Array<const double, Space> values;
  };
  struct Taken {
    HostParts parts;
    TakenPart own, ghost;
    distributed::RowsInParts<Space> rows() const;
  };
  static Taken taken(const Space& exec, HostParts parts);
  void set_up_by_node(const std::shared_ptr<const distributed::Communicator>& processes,
                      const HostParts& rows);
  /// `again`: whether this process has the pattern of before; `update` and `setup` are given the
  /// solver.
  template <class Update, class Setup>
  void update_or_begin(const std::shared_ptr<const distributed::Communicator>& processes,
                       bool again, const Update& update, const Setup& setup);
  MultiVector<double, Space> vectors_for_device() const;
  void find_exports();
  void make_copies(std::size_t n);
  void forget_copies();
  template <class Work>
  void with_vectors(const double* from, double* to, bool reads_to, const Work& work);
  Solver& solver() const;

  Parameters m_parameters;
  HostVectors m_near_nullspace;
  Logger m_logger;
  Taken m_taken;  ///< what the solver shares
  HostRows m_rows;  ///< by node, where they were reordered; without values between calls
  NodeOrder m_order;
  bool m_is_by_node = false;  ///< whether the solver has `m_rows`
  std::int64_t m_num_rows = 0;
  std::shared_ptr<const distributed::Communicator> m_processes;
  std::unique_ptr<Solver> m_solver;  ///< null where there was no setup, or it failed
  MultiVector<double, Space> m_from, m_to;  ///< copies, where the given vectors cannot be used
  HostCopy m_host_from, m_host_to;  ///< these in the host's memory
  bool m_changed = true;  ///< what a setup depends on besides the matrix
  bool m_released = false;  ///< Kokkos has ended
  int m_setups = 0;
  int m_updates = 0;
};

}  // namespace tessera::hypre
