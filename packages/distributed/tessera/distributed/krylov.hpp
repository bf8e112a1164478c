// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Krylov methods over several processes share: start, true residuals, restarts, result.
#pragma once

#include "tessera/distributed/inner_products.hpp"
#include "tessera/distributed/iteration_recorder.hpp"
#include "tessera/distributed/nullspace_projector.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/solver/iteration_control.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace tessera::distributed {

/// What a method iterates on. All of it is over this process's rows, n by k.
template <class Space>
struct System {
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  std::shared_ptr<const Communicator> processes;
  const SparseOperator<double, Space>* A = nullptr;
  std::function<void(const Space&, const ConstVectors&, const Vectors&)> M;  ///< z = M r
  /// Makes room in M for so many columns on this process and sends nothing; 0: what there is may
  /// not be there on all. Null: M needs none.
  std::function<void(const Space&, std::size_t)> make_room = nullptr;
  /// Another number whenever memory or coefficients of A or M have changed; null: they never do.
  const std::uint64_t* revision = nullptr;
  NullspaceProjector<Space>* nullspace = nullptr;  ///< taken out of x; null: nothing is
  NullspaceProjector<Space>* left_nullspace = nullptr;  ///< the same of residuals
};

/// The base of the methods. A solve is a sequence of cycles that start from the true residual and
/// end with it, as on one process (tessera::KrylovMethod); statuses, limits and the history are
/// those of `IterationControl` there. Scalars are on the host, the same on all processes, so that
/// all decide alike: what only one knows, the time and its logger, goes along with the sums of an
/// iteration, and takes effect in the next one.
template <class Space>
class Krylov {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  explicit Krylov(const SolverParameters& parameters) : m_parameters(parameters) {}
  virtual ~Krylov() = default;

  void set_logger(Logger logger) { m_logger = std::move(logger); }
  /// By which a method whose iterations are alike runs them (CG does); null: kernel by kernel.
  void set_recorder(std::shared_ptr<IterationRecorder<Space>> recorder) {
    m_recorder = std::move(recorder);
  }

  /// From the guess in x. `before`: a solve that this one goes on from, or null. Memory is had in a
  /// step of all processes at the start, and what a method takes later, such as a growing basis, by
  /// `take`. Collective.
  /// @throws Error of kind out_of_memory on all processes where one has no room.
  SolveResult solve(const Space& exec, const System<Space>& system, const ConstVectors& b,
                    const Vectors& x, const SolveResult* before = nullptr);

 protected:
  using Pair = typename InnerProducts<Space>::Pair;
  using Numbers = std::vector<double>;  ///< one a column

  /// Makes room for vectors of n by k; sends nothing.
  virtual void prepare(const Space& exec, std::size_t n, std::size_t k) = 0;
  /// Iterates from x, whose residual is `residual()`, until `advance` says otherwise, and leaves
  /// its last iterate in x.
  virtual void run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) = 0;
  /// How many breakdowns of a column are answered by a restart.
  virtual int restarts_after_breakdown() const { return 0; }

  const SolverParameters& parameters() const { return m_parameters; }
  std::size_t num_columns() const { return m_start_norms.size(); }
  Vectors residual() const { return m_residual; }
  const Numbers& start_norms() const { return m_start_norms; }  ///< squares
  bool iterates(std::size_t j) const { return m_control.iterates(static_cast<int>(j)); }
  double target(std::size_t j) const { return m_control.target(static_cast<int>(j)); }
  int iterations_left() const { return m_control.iterations_left(); }

  MultiVector<double, Space> vectors_like_x(const Space& exec) const;
  /// Runs `work`, which makes room that later iterations need and sends nothing. Where this process
  /// has none, it goes on to the next `products`, by which all learn of it and throw.
  void take(const std::function<void()>& work);
  /// The inner products of pairs, all in one reduction; see `InnerProducts`.
  std::vector<double> products(const Space& exec, std::initializer_list<Pair> pairs) {
    return products(exec, std::span(pairs.begin(), pairs.size()));
  }
  std::vector<double> products(const Space& exec, std::span<const Pair> pairs);
  /// Whether sums may stay on the device, so that `queue_products` is there.
  bool sums_stay_on_device() const { return m_products.stays_on_device(); }
  /// The same sums on the device, and behind them what all processes wish, which is for `hear`;
  /// queued on `exec`. `say_wishes` comes before each time that this is run.
  ArrayView<const double, Space> queue_products(const Space& exec, std::span<const Pair> pairs);
  void say_wishes();
  /// The host waits for `exec`, and takes what stands in `heard_wishes` by then.
  void hear_wishes(const Space& exec);
  kernels::ReportView<double, Space> heard_wishes() const;
  /// Room for `count` sums and the wishes: memory of sums stays where it is then.
  void reserve_products(const Space& exec, std::size_t count);

  /// Work that `repeat` will run is given for this x. Collective.
  void begin_repeating(const Space& exec, const Vectors& x);
  /// Queues on `exec` what `work` queues, by the recorder where there is one: the same for every
  /// call since `begin_repeating`.
  void repeat(const Space& exec, const typename IterationRecorder<Space>::Work& work) {
    if (m_recorder != nullptr) return m_recorder->run(exec, work);
    work(exec);
  }

  void multiply(const Space& exec, const ConstVectors& x, const Vectors& y) const;
  /// z = M r, without its part in the nullspace.
  void precondition(const Space& exec, const ConstVectors& r, const Vectors& z);
  /// Makes `residual()` b - A x, without its part in the nullspace.
  void renew_residual(const Space& exec, const ConstVectors& b, const Vectors& x);
  /// Takes squared norms and what went wrong; decides as on one process. A column fails after
  /// `stagnation_window` iterations without progress; 0: no limit.
  tessera::detail::Step advance(const Numbers& norms,
                                const std::vector<kernels::ColumnEvent>& events,
                                int stagnation_window = 0);

 private:
  /// What this process wishes: to be interrupted, that the time is over, and to end for memory.
  std::array<double, 3> wishes() const;
  void make_room(const Space& exec, std::size_t n, std::size_t k);
  void make_room_to_scale(const Space& exec);
  void heed(const double* all_wishes);
  void project(const Space& exec, const Vectors& v) const;
  void measure(const Space& exec, const ConstVectors& b, const Vectors& x);
  void iterate(const Space& exec, const ConstVectors& b, const Vectors& x);
  void run_cycles(const Space& exec, const ConstVectors& b, const Vectors& x);
  void tell_logger(const IterationInfo& info);

  SolverParameters m_parameters;
  Logger m_logger;
  System<Space> m_system;
  tessera::detail::IterationControl m_control;
  InnerProducts<Space> m_products;
  kernels::Report<double, Space> m_wishes;  ///< this process's three, then those of all
  std::exception_ptr m_lacks_memory;  ///< what `take` has caught
  bool m_has_room = false;  ///< on all processes
  kernels::Report<double, Space> m_magnitudes;  ///< of columns
  std::shared_ptr<IterationRecorder<Space>> m_recorder;
  Kokkos::Timer m_timer;
  double m_ms_before = 0;
  double m_wants_interrupt = 0;  ///< this process's logger does
  MultiVector<double, Space> m_residual;
  MultiVector<double, Space> m_scaled_b, m_scaled_x;  ///< where columns are far from 1
  MultiVector<double, Space> m_kept;  ///< over all cycles the iterates of least true residual
  Numbers m_true_norms;  ///< squares, of b - A x
  Numbers m_start_norms;  ///< the same, projected
  Numbers m_outside_norms;
  Numbers m_kept_norms;
  Numbers m_kept_true_norms;
};

/// By `parameters.name`, `automatic` being FGMRES. GMRES from the right is FGMRES, which has the
/// same iterates and keeps the preconditioned vectors.
/// @throws Error of kind configuration for a solve in one kernel, and for what the method does not
///         have on one process either.
template <class Space>
std::unique_ptr<Krylov<Space>> make_krylov(const SolverParameters& parameters);

}  // namespace tessera::distributed
