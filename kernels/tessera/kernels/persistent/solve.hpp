// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB, each of them from the first residual to the last within one launch of a
/// cooperative group.
///
/// For systems whose iterations take less time than the launches that they are made of (Yang et
/// al., Mille-feuille, SC'24, section III.C). Vectors and the matrix stay in registers and in
/// shared memory as far as they fit. Both work on the true residual at their start and end, and
/// start again from it where the recurrence has drifted away from it.
#pragma once

#include "tessera/kernels/execution/cooperative_group.hpp"
#include "tessera/kernels/execution/pinned_buffer.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/persistent/factors_inside.hpp"
#include "tessera/kernels/persistent/slow_rate.hpp"
#include "tessera/kernels/persistent/step_program.hpp"

#include <concepts>
#include <memory>
#include <vector>

namespace tessera::kernels {

/// How a solve within one launch ended.
enum class PersistentEnd : int {
  none,
  converged,  ///< the true residual meets one of the tolerances
  max_iterations,
  time_limit,
  stagnated,  ///< the recurrence is done, the true residual is not
  diverged,
  not_a_number,
  breakdown,
  slow,  ///< its residuals fall too slowly: see `SlowRate`
  barrier_timeout  ///< workers did not come to a barrier: see `Group::has_failed`
};

/// When a solve ends.
struct PersistentLimits {
  double tolerance = 1e-8;  ///< of ||b - A x|| over the reference
  double absolute_tolerance = 0;  ///< of ||b - A x||; the larger of the two bounds counts
  int max_iterations = 1000;
  double divergence_limit = 1e8;  ///< growth of the residual over its start
  bool relative_to_rhs = true;  ///< the reference is ||b||; else ||b - A x|| at the start
  double reference_norm = -1;  ///< the reference itself where it is not negative
  bool verify = true;  ///< starts again where the true residual is above the tolerance
  SlowRate slow_rate = {};
};

/// What the time of a solve depends on and its result does not, but for rounding. 0: chosen.
struct PersistentTuning {
  int shares = 0;  ///< blocks of a device
  int lanes = 0;  ///< threads of a block
  int lanes_per_row = 0;  ///< 1, 2, … or 32
  /// 1: the blocks are one cluster, where there are clusters and they can be; -1: they are not.
  /// Solves on tiles have none.
  int cluster = 0;
  bool stage = true;  ///< whether anything lies in shared memory
  /// Between steps of a program a share waits for those alone with which it shares vectors, not for
  /// all. Not in a cluster, whose barrier takes less time.
  bool neighbour_waits = true;
  /// Entries of the matrix, up to 8, that a thread of a device holds in registers for the whole
  /// solve, in blocks of 256 threads at most. -1: none. There are none but where M is a diagonal
  /// matrix or none, and none of rows that more threads share than others.
  int register_entries = 0;
  /// 1: a block of several whose threads hold entries fetches the part of the vector that its rows
  /// are multiplied by into shared memory first, where their columns lie close together
  /// (detail/column_window.hpp). 2: one of a cluster whose threads hold none, too. 0: neither.
  int window = 1;

  bool operator==(const PersistentTuning&) const = default;
};

/// How a solve's group is made up.
struct PersistentShape {
  CooperativeShape group;
  int lanes_per_row = 1;
  int register_entries = 0;  ///< of the matrix, at most, that a lane holds
  bool has_window = false;  ///< whether lanes that hold none may read windows of columns
};

/// After how many seconds a launch ends whatever it has come to.
inline constexpr double persistent_watchdog_s = 60;

/// How a solve ended, as its kernel notes it: squared norms, all scaled.
struct PersistentOutcome {
  PersistentEnd end;
  int iterations;
  double residual, rhs, reference;
  double unit;  ///< what a norm of 1 stands for
  double scale_of_x;  ///< what x was multiplied by meanwhile
};

/// How a solve ended.
struct PersistentReport {
  PersistentEnd end = PersistentEnd::none;
  int iterations = 0;
  double residual_norm = 0;  ///< ||b - A x|| of the x returned, recomputed
  double rhs_norm = 0;
  double reference_norm = 0;
  /// x was multiplied by a power of two meanwhile. An entry that overflows or becomes denormal as
  /// it is stored is rounded, and `end` says nothing of that.
  bool scaled_x = false;
  /// Residual norm over the reference, before the first iteration and after each one.
  std::vector<double> history;
  CooperativeShape shape;
  int lanes_per_row = 1;
  int register_entries = 0;  ///< of the matrix, at most, that a lane held
  bool may_have_window = false;  ///< of columns
};

/// M of a solve within one launch: at most one of its members is there.
template <class Scalar, class Space>
struct PersistentPreconditioner {
  PersistentPreconditioner() = default;
  /// A diagonal matrix; none where it is empty.
  template <std::convertible_to<ArrayView<const Scalar, Space>> Vector>
  PersistentPreconditioner(const Vector& diagonal) : inverse_diagonal(diagonal) {}

  ArrayView<const Scalar, Space> inverse_diagonal;  ///< of length n

  /// Blocks on the diagonal: `inverse_blocks`' result, of length n * block_rows.
  ArrayView<const Scalar, Space> blocks;
  int block_rows = 1;

  /// z = U^-1 L^-1 r. It outlives the solve.
  const FactorsInside<Scalar, Space>* factors = nullptr;

  /// z = columns program(rows r), the two diagonal matrices 1 where they are empty; a program in
  /// float under vectors in double takes an r of about the length of 1. The programs are prepared
  /// by a solve, and outlive it.
  StepProgram<Scalar, Space>* program = nullptr;
  StepProgram<float, Space>* float_program = nullptr;
  ArrayView<const Scalar, Space> rows;
  ArrayView<const Scalar, Space> columns;

  /// Whether it is a diagonal matrix, or none.
  bool is_diagonal() const {
    return blocks.extent(0) == 0 && factors == nullptr && program == nullptr &&
           float_program == nullptr;
  }
};

/// The vectors and the board of solves, kept from one to the next. One workspace serves one
/// instance at a time.
template <class Scalar, class Space>
class PersistentWorkspace {
 public:
  /// Iterations of one launch; where there are to be more, launches follow one another.
  static constexpr int max_history = 1 << 16;

  /// Makes room for systems of n rows; keeps it where there is enough.
  void prepare(const Space& exec, Ordinal n, int vectors, int iterations);

  /// The shape of the last solve where all that it depends on is the same; else `choose()`, which
  /// asks the device. `method` tells one method's kernel from another's.
  template <class Choose>
  const PersistentShape& shape(const void* method, Ordinal n, std::size_t entries,
                               const PersistentTuning& tuning, const Choose& choose) {
    const ShapeKey key{method, n, entries, tuning};
    if (key != m_shape_key) {
      m_shape = choose();
      m_shape_key = key;
    }
    return m_shape;
  }

  const BarrierState<Space>& board() const { return m_board; }
  Scalar* vector(int k) const { return m_vectors.data() + static_cast<std::size_t>(k) * m_stride; }
  std::size_t stride() const { return m_stride; }
  /// Where a solve keeps offsets of 32 bits of a matrix that has longer ones.
  Array<std::int32_t, Space>& offsets() { return m_offsets; }
  double* history() const { return m_history.data(); }
  PersistentOutcome* outcome() const {
    return reinterpret_cast<PersistentOutcome*>(m_report->data());
  }
  double* reported_history() const {
    return reinterpret_cast<double*>(m_report->data() + outcome_bytes);
  }

 private:
  struct ShapeKey {
    const void* method = nullptr;
    Ordinal n = 0;
    std::size_t entries = 0;
    PersistentTuning tuning;
    bool operator==(const ShapeKey&) const = default;
  };
  static constexpr std::size_t outcome_bytes = (sizeof(PersistentOutcome) + 63) / 64 * 64;

  BarrierState<Space> m_board;
  ShapeKey m_shape_key;
  PersistentShape m_shape;
  std::size_t m_stride = 0;
  int m_iterations = -1;
  Array<Scalar, Space> m_vectors;
  Array<std::int32_t, Space> m_offsets;
  Array<double, Space> m_history;
  std::unique_ptr<PinnedBuffer> m_report;
};

/// Solves A x = b by conjugate gradients from the guess x, for symmetric positive definite A and M;
/// waits for the end. A direction with <p, A p> <= 0 or a residual with <r, M r> <= 0 is a
/// breakdown.
///
/// Two barriers per iteration, and one for most steps of a program: products gather p = z + beta p
/// from z and the p before, so that no vector has to be complete before they begin. Sums are in
/// double. Systems whose entries are beyond 2^±200, in float beyond 2^±32, are scaled by powers of
/// two meanwhile.
/// @throws Error where lengths do not fit, or where the device's workers were lost; OffsetOverflow
/// where there are more than 2^31 - 1 entries.
template <class Scalar, class Space, class Offset>
PersistentReport persistent_cg(const Space& exec, PersistentWorkspace<Scalar, Space>& workspace,
                               const CsrView<Scalar, Space, Offset>& A,
                               const NonDeduced<PersistentPreconditioner<Scalar, Space>>& M,
                               const NonDeduced<ArrayView<const Scalar, Space>>& b,
                               const NonDeduced<ArrayView<Scalar, Space>>& x,
                               const PersistentLimits& limits, double time_limit_s = 0,
                               const PersistentTuning& tuning = {});

/// The same by BiCGSTAB, preconditioned from the right, for A that need not be symmetric. Three
/// barriers per iteration. One breakdown is answered by a start from the true residual.
template <class Scalar, class Space, class Offset>
PersistentReport persistent_bicgstab(const Space& exec,
                                     PersistentWorkspace<Scalar, Space>& workspace,
                                     const CsrView<Scalar, Space, Offset>& A,
                                     const NonDeduced<PersistentPreconditioner<Scalar, Space>>& M,
                                     const NonDeduced<ArrayView<const Scalar, Space>>& b,
                                     const NonDeduced<ArrayView<Scalar, Space>>& x,
                                     const PersistentLimits& limits, double time_limit_s = 0,
                                     const PersistentTuning& tuning = {});

}  // namespace tessera::kernels
