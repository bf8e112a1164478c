// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the two solves within one launch have in common: their arguments, scales, and the cycles
/// around their iterations.
#pragma once

#include "tessera/kernels/persistent/detail/multiply_rows.hpp"
#include "tessera/kernels/persistent/detail/preconditioners.hpp"
#include "tessera/kernels/persistent/detail/row_shares.hpp"
#include "tessera/kernels/persistent/detail/scales.hpp"
#include "tessera/kernels/persistent/detail/solve_control.hpp"

namespace tessera::kernels::detail {

/// The arguments of a solve, by plain pointers: vectors that others write within the launch must
/// not be read through caches for constants.
template <class Scalar, class Offset>
struct SolveArguments {
  PlainMatrix<Scalar, Offset> A;
  const Scalar* b;
  Scalar* x;
  Scalar* vectors;  ///< of the workspace, `stride` apart
  std::size_t stride;
  double* history;
  double* reported_history;
  PersistentOutcome* outcome;
  PersistentLimits limits;
  int lanes_per_row;
  std::size_t scratch_bytes;
  int register_entries = 0;  ///< that a lane holds
  bool has_window = false;  ///< where a share has columns that lie close together

  KOKKOS_FUNCTION Scalar* vector(int k) const { return vectors + k * stride; }
};

/// What a worker keeps of a vector for a share of rows: in shared memory, or in the vector.
template <class Scalar>
KOKKOS_FUNCTION Scalar* own_part(Scratch& scratch, int rows, Scalar* part) {
  Scalar* const staged = scratch.take<Scalar>(rows);
  return staged != nullptr ? staged : part;
}

/// Whether products with that preconditioner may read a window: where this is the work of the whole
/// group, it wants the shared memory itself.
template <class Preconditioner>
inline constexpr bool may_have_window = Preconditioner::reach != Reach::group;

/// For methods whose products read the matrix as it was made: there is no level to choose. See
/// `DynamicLevels`.
struct FixedLevels {
  struct Notes {};

  template <class... Any>
  KOKKOS_FUNCTION static int rule(const Any&...) {
    return 0;
  }
  template <class... Any>
  KOKKOS_FUNCTION static int monitor(const Any&...) {
    return 0;
  }
  template <class... Any>
  KOKKOS_FUNCTION static double matrix_norm(const Any&...) {
    return 0;
  }
  template <class Group, class Rule, class AnyNotes, class Product, class Step>
  KOKKOS_FORCEINLINE_FUNCTION static auto step_of_product(const Group&, Rule&, double, AnyNotes&,
                                                          const Product& product,
                                                          const Step& step) {
    product(false);
    return step();
  }
};

/// What any method keeps for a share of rows, of whose entries a lane holds up to `max_held`; and
/// what methods leave to it, for `TileShare` does it otherwise.
template <class Scalar, class Offset, class Preconditioner, int max_held = 0,
          bool has_window = (max_held > 0 && may_have_window<Preconditioner>)>
struct KrylovShare : RowShare<Scalar, Offset, max_held, has_window> {
  using Base = RowShare<Scalar, Offset, max_held, has_window>;
  using Arguments = SolveArguments<Scalar, Offset>;
  using Levels = FixedLevels;
  using scalar_type = Scalar;
  using preconditioner_type = Preconditioner;
  static constexpr bool is_dynamic = false;  ///< whether precision may be lowered
  static constexpr int held_limit = max_held;
  /// The same with entries in registers, and with a window alone. With other preconditioners there
  /// are none, for the time that they take to compile.
  static constexpr bool may_hold_entries =
      Preconditioner::reach == Reach::row && max_held == 0 && !has_window;
  using Holding = KrylovShare<Scalar, Offset, Preconditioner, max_held_entries>;
  using Windowed = KrylovShare<Scalar, Offset, Preconditioner, 0, true>;

  // Of the share's rows.
  Scalar* x = nullptr;
  Scalar* r = nullptr;
  // Of all rows.
  Scalar* all_of_x = nullptr;
  typename Preconditioner::Share M;

  KrylovShare() = default;
  template <class Group>
  KOKKOS_FUNCTION KrylovShare(const Group& group, const Arguments& arguments, int share)
      : Base(group, arguments.A, share) {}

  /// Before anything is staged.
  template <class Group>
  KOKKOS_FUNCTION void note_rows(const Group& group, const Arguments& arguments, Scratch& scratch) {
    this->note_long_rows(group, arguments.lanes_per_row, scratch);
    this->hold_entries(group, arguments.lanes_per_row, arguments.register_entries);
  }
  /// In what the vectors have left.
  template <class Group>
  KOKKOS_FUNCTION void stage_matrix(const Group& group, const Arguments& arguments,
                                    Scratch& scratch) {
    if (this->rows != arguments.A.num_rows && arguments.has_window)
      this->open_window(group, arguments.lanes_per_row, scratch);
    this->stage_entries(group, scratch);
  }
  /// What `multiply_rows` multiplies.
  KOKKOS_FUNCTION const KrylovShare& products() const { return *this; }
  /// Calls `function(l, values)` for each row, by one lane each. Of its N values, tiles that fall
  /// ask for the norms.
  template <int first_norm, int N, class Group, class Function>
  KOKKOS_FUNCTION void visit(const Group& group, const Arguments&, const Function& function) const {
    visit_rows(group, *this, [&](int l) {
      double values[N];
      function(l, values);
    });
  }
};

/// The residual of a share's rows, by all lanes of the worker: calls `f(l, r)` for each by one of
/// them, and adds the squares of b and r to `sums`. x is whole. An entry of it that is not finite
/// makes a NaN of the sum, as a column without entries would not.
template <class Group, class Share, class Scalar, class Offset, class Function>
KOKKOS_FUNCTION void residual_of_rows(const Group& group, const Share& share,
                                      const SolveArguments<Scalar, Offset>& arguments,
                                      const Scales& scales, double* sums, const Function& f) {
  const Scalar* const x = share.all_of_x;
  multiply_rows(
      group, share, arguments.lanes_per_row, [&](Ordinal c) { return x[c]; },
      [&](int l, Scalar Ax) {
        const double b = scales.rhs * static_cast<double>(arguments.b[share.first + l]);
        const auto r = static_cast<Scalar>(b - scales.matrix * static_cast<double>(Ax));
        sums[0] += b * b;
        sums[1] += static_cast<double>(r) * static_cast<double>(r) +
                   0 * static_cast<double>(x[share.first + l]);
        f(l, r);
      });
}

/// The cycles of a solve. `Method` has
///
/// - `Share`, with `x`, the share's rows of the iterate, and `all_of_x`, which products read,
///   and `make_share(group, share)`;
/// - `start(group, shares, scales, rhs, residual)`: the residual b - A x, what the first iteration
///   needs of it, and both squared norms;
/// - `iterate(group, shares, scales, control, notes)` until the control or the group says
/// otherwise.
template <class Method, class Group>
class SolveCycles {
 public:
  KOKKOS_FUNCTION SolveCycles(const Method& method, Group& group)
      : m_method(method), m_group(group), m_shares(group, method) {}

  KOKKOS_FUNCTION void run(double epsilon) {
    const auto& arguments = m_method.arguments;
    double sizes[2];
    measure(sizes);
    const Scales scales(sizes[0] / arguments.A.num_rows, sizes[1],
                        Scales::harmless_exponent<Scalar>);
    SolveControl control(arguments.limits, epsilon, scales.rhs, arguments.history);
    double rhs = 0, residual = 0;
    double of_guess = sizes[1] == 0 ? 0 : scales.of_x();
    bool is_useful = false;
    while (!is_useful) {
      load_x(of_guess);
      m_group.barrier();
      m_method.start(m_group, m_shares, scales, rhs, residual);
      is_useful = of_guess == 0 || m_group.has_failed() || !is_too_long(epsilon, rhs, residual);
      of_guess = 0;
    }
    bool goes_on = !m_group.has_failed() && control.begin(rhs, residual, m_group.is_first());
    if (!m_group.has_failed()) keep_x();
    while (goes_on) {
      control.begin_cycle();
      iterate(scales, control);
      store_x(1);
      m_group.barrier();
      m_method.start(m_group, m_shares, scales, rhs, residual);
      if (m_group.has_failed()) break;
      goes_on = control.end_cycle(residual, m_group.time_is_up(), Method::restarts);
      if (goes_on && control.is_best()) {
        control.keep();
        keep_x();
      }
    }
    if (m_group.has_failed()) return;  // the host's note that the workers were lost stands
    if (control.takes_kept()) {
      take_kept_x();
      control.take_kept();
    }
    store_x(1 / scales.of_x());
    report(control, scales);
  }

 protected:
  using Scalar = typename Method::scalar_type;

  template <class Function>
  KOKKOS_FUNCTION void visit(const Function& function) const {
    m_group.for_each_share([&](int number) {
      const auto& share = m_shares(number);
      visit_rows(m_group, share, [&](int l) { function(share, l); });
    });
  }

  KOKKOS_FUNCTION void iterate(const Scales& scales, SolveControl& control) const {
    FixedLevels::Notes notes;
    m_method.iterate(m_group, m_shares, scales, control, notes);
  }

  /// Whether a guess with this residual, by squared norms, holds nothing of b's digits: it is taken
  /// for 0. Where its residual overflows the host does that, for a NaN may be its own.
  KOKKOS_FUNCTION static bool is_too_long(double epsilon, double rhs, double residual) {
    return Kokkos::isfinite(residual) && residual * (epsilon * epsilon) > rhs;
  }

  /// The sums of the absolute values of A and of b.
  KOKKOS_FUNCTION void measure(double (&sizes)[2]) {
    const auto& arguments = m_method.arguments;
    m_group.template sum<2>(sizes, [&](int number, double* part) {
      const auto& share = m_shares(number);
      const auto end = static_cast<std::int64_t>(share.offsets[share.rows]);
      for (auto e = static_cast<std::int64_t>(share.offsets[0]) + m_group.lane(); e < end;
           e += m_group.num_lanes())
        part[0] += Kokkos::abs(static_cast<double>(arguments.A.values[e]));
      visit_rows(m_group, share, [&](int l) {
        part[1] += Kokkos::abs(static_cast<double>(arguments.b[share.first + l]));
      });
    });
  }
  KOKKOS_FUNCTION void load_x(double factor) const {
    Scalar* const x = m_method.arguments.x;
    visit([&](const auto& share, int l) {
      const Scalar value =
          factor == 0 ? Scalar(0) : static_cast<Scalar>(factor * x[share.first + l]);
      share.x[l] = value;
      share.all_of_x[share.first + l] = value;
    });
  }
  KOKKOS_FUNCTION void store_x(double factor) const {
    const bool scales = factor != 1;
    Scalar* const x = m_method.arguments.x;
    visit([&](const auto& share, int l) {
      const Scalar value = share.x[l];
      x[share.first + l] = scales ? static_cast<Scalar>(factor * value) : value;
    });
  }
  KOKKOS_FUNCTION void keep_x() const {
    Scalar* const kept = m_method.arguments.vector(Method::kept);
    visit([&](const auto& share, int l) { kept[share.first + l] = share.x[l]; });
  }
  KOKKOS_FUNCTION void take_kept_x() const {
    const Scalar* const kept = m_method.arguments.vector(Method::kept);
    visit([&](const auto& share, int l) { share.x[l] = kept[share.first + l]; });
  }
  KOKKOS_FUNCTION void report(const SolveControl& control, const Scales& scales) const {
    const auto& arguments = m_method.arguments;
    m_group.synchronize_lanes();
    // By the worker that has written the history.
    m_group.for_each_share([&](int number) {
      if (number != 0) return;
      for (int i = m_group.lane(); i <= control.iterations(); i += m_group.num_lanes())
        arguments.reported_history[i] = arguments.history[i];
    });
    if (m_group.is_first()) *arguments.outcome = control.outcome(scales.of_x());
  }

  const Method& m_method;
  Group& m_group;
  SharesOf<typename Method::Share, Group, Method> m_shares;
};

}  // namespace tessera::kernels::detail
