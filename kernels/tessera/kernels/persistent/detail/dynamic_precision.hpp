// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which precision tiles are demoted to, and when a solve goes back up; see
/// persistent/tiled_solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/entry_batch.hpp"
#include "tessera/kernels/persistent/detail/scales.hpp"
#include "tessera/kernels/persistent/detail/solve_control.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"

namespace tessera::kernels::detail {

/// The level that a tile is at, from what its segment weighs.
struct LevelRule {
  /// Tiles are demoted where the weight is that much below the end of a range, and rise at the end
  /// itself, so that none goes up and down with every iteration.
  static constexpr double hysteresis = 4;
  /// A step so many times as long as estimated makes too much of what tiles have lost.
  static constexpr double slack = 16;

  bool lowers = false;
  double gain = 0;  ///< |alpha| ||A||; infinite where it is not known
  double amplification = 1;  ///< of errors in a product, by the method's coefficients
  double bypassed = 0, fp8 = 0, half = 0, fp32 = 0;  ///< ends of ranges

  /// Notes a step of length `length`. Half of what it was stays, for lengths go up and down.
  KOKKOS_FUNCTION void step(double length, double matrix_norm) {
    const double now = Kokkos::abs(length) * matrix_norm;
    gain = Kokkos::isfinite(gain) && gain > 2 * now ? gain / 2 : now;
  }

  KOKKOS_FUNCTION void forget_steps() { gain = Kokkos::Experimental::infinity_v<double>; }

  /// Whether the step that a product has led to is far longer than those it was made for.
  KOKKOS_FUNCTION bool is_outgrown_by(double length, double matrix_norm) const {
    return Kokkos::abs(length) * matrix_norm > slack * gain;
  }

  LevelRule() = default;
  KOKKOS_FUNCTION LevelRule(const DynamicRanges& ranges, double epsilon)
      : gain(Kokkos::Experimental::infinity_v<double>),
        bypassed(ranges.bypassed * epsilon),
        fp8(ranges.fp8 * epsilon),
        half(ranges.half * epsilon),
        fp32(ranges.fp32 * epsilon) {}

  /// For a tile that is at `now` and was made for `own`. Comparisons with NaN leave it there.
  KOKKOS_FUNCTION int next(double norm, int now, int own) const {
    if (!lowers) return own;
    if (norm == 0) return 0;
    const double weight = amplification * gain * norm;
    const int needed = needs(weight, own);
    if (now < needed) return needed;
    const int calm = needs(hysteresis * weight, own);
    return calm < now ? calm : now;
  }

 private:
  KOKKOS_FUNCTION int needs(double weight, int own) const {
    constexpr int of_fp8 = 1, of_half = 2, of_fp32 = 4;
    if (weight <= bypassed) return 0;
    if (weight <= fp8) return of_fp8;
    if (weight <= half) return own <= of_half + 1 ? own : of_half;  // bfloat16 is no longer
    if (weight <= fp32) return own < of_fp32 ? own : of_fp32;
    return own;
  }
};

/// What the host is told of tiles: those of each level, whether the solve went back up, how many
/// were raised, and how many products were repeated.
inline constexpr int place_of_returned = num_tile_levels;
inline constexpr int place_of_raised = num_tile_levels + 1;
inline constexpr int place_of_repeated = num_tile_levels + 2;
inline constexpr int num_tile_notes = num_tile_levels + 3;

/// How often products of a cycle read tiles, by the tiles' levels. Few tiles go to another level,
/// so that only this is noted, and all others are counted once, at the end: a product must not wait
/// for counts that a lane has no registers for. In 64 bits: a thread of a host has all tiles of its
/// shares, and a cycle any number of products: 1e5 tiles are 2^31 after 21,475 of them.
struct LevelCounts {
  std::int64_t before_moves[num_tile_levels] = {};

  /// A tile goes from one level to another before product `product`, counted from 1.
  KOKKOS_FUNCTION void move(int from, int to, std::int64_t product) {
    before_moves[from] += product - 1;
    before_moves[to] -= product - 1;
  }
  /// Of `products` products, after which so many tiles are at the level.
  KOKKOS_FUNCTION std::int64_t reads(int level, std::int64_t tiles, std::int64_t products) const {
    return products * tiles + before_moves[level];
  }
};

/// What a lane notes in a cycle. `counts` lies elsewhere: an array whose index is not known stays
/// in memory, and with it all of the structure that it is in.
struct DynamicNotes {
  LevelCounts& counts;
  bool lowers = false;  ///< the same everywhere
  bool has_lowered = false;  ///< whether a tile of this lane has lost something
  std::int32_t products = 0;  ///< begun; the same everywhere
  std::int64_t repeated = 0;  ///< of these; the same everywhere
  std::int64_t raised = 0;  ///< tiles, by this lane

  /// For the product that has begun.
  KOKKOS_FUNCTION void move(int from, int to) {
    counts.move(from, to, products);
    raised += to > from ? 1 : 0;
  }
};

/// A product, and the step that it leads to. Tiles are chosen by the steps before; where this one
/// is far longer, or there is none, the product is done again with tiles that suit it. Otherwise
/// one jump of the length, from the large rows of a matrix to its small ones, and errors count for
/// 1e7 times what they may (watt_1). `product(again)` says whether a tile lost something.
template <class Group, class Product, class Step>
KOKKOS_FUNCTION auto step_of_product(const Group& group, LevelRule& rule, double matrix_norm,
                                     DynamicNotes& notes, const Product& product,
                                     const Step& step) {
  // One call of the product, whose code is large where it is inlined.
  TESSERA_NO_UNROLL
  for (bool again = false;; again = true) {
    const bool lowered = product(again);
    const auto length = step();
    // Sums of a cooperative group that has failed are not the same everywhere.
    if (again || group.has_failed() || !lowered) return length;
    if (length.what != Iterated::well) {
      rule.forget_steps();
    } else if (rule.is_outgrown_by(length.value, matrix_norm)) {
      rule.step(length.value, matrix_norm);
    } else {
      return length;
    }
    ++notes.repeated;
  }
}

/// A control that can go on after a cycle with lowered tiles, whatever has become of that.
class DynamicControl : public SolveControl {
 public:
  using SolveControl::SolveControl;

  /// The norm of the residual at which the solve ends, over the root of the number of segments.
  KOKKOS_FUNCTION double epsilon(Ordinal num_segments) const {
    return num_segments > 0 ? Kokkos::sqrt(m_threshold / num_segments) : 0;
  }

  /// The iterations left in which tiles may be lowered; less than 0 beyond.
  KOKKOS_FUNCTION int dynamic_iterations(const TileOptions& options) const {
    const bool is_open = options.dynamic_iterations < 0;
    return (is_open ? m_limits.max_iterations / 2 : options.dynamic_iterations) - m_iterations;
  }

  /// In place of `end_cycle`. True where another cycle begins.
  KOKKOS_FUNCTION bool end_lowered_cycle(double residual, bool time_is_up) {
    m_true = residual;
    if (residual <= m_threshold) return end(PersistentEnd::converged);
    if (m_stop == PersistentEnd::none && time_is_up) m_stop = PersistentEnd::time_limit;
    if (m_stop != PersistentEnd::none) return end(m_stop);
    return true;
  }
};

/// Whether a cycle with lowered tiles has stalled, has slowed down, or has taken its share of the
/// iterations. Decided by each lane from sums that are the same everywhere.
///
/// Where precision is lowered, BiCGSTAB above all may go on at a small part of its rate, with a new
/// best residual now and then. The rate that counts is the mean until tiles were lowered, or until
/// half of `patience` iterations have passed; in each following half, the residual must fall by
/// half of what that rate is for. A solve that would have slowed down anyway loses no more than
/// what lower precision gains.
class SlowdownMonitor {
 public:
  /// `residual`: squared, at the start of the cycle; `most`: the share of the iterations, less than
  /// 0 where it has been taken.
  KOKKOS_FUNCTION SlowdownMonitor(double residual, int patience, int most)
      : m_start(residual),
        m_best(residual),
        m_patience(patience),
        m_period(patience > 1 ? patience / 2 : 1),
        m_most(most) {}

  /// With the squared norm after an iteration, and whether a product of it had a lowered tile. True
  /// where none is to be lowered any more.
  KOKKOS_FUNCTION bool has_slowed(double residual, bool lowered) {
    ++m_iterations;
    m_has_lowered = m_has_lowered || lowered;
    if (residual < m_best) {
      m_best = residual;
      m_since = 0;
    } else {
      ++m_since;
    }
    if (!m_has_lowered) return false;
    return m_since > m_patience || m_iterations >= m_most || is_below_rate();
  }

 private:
  KOKKOS_FUNCTION bool is_below_rate() {
    if (m_iterations < m_period || m_iterations < m_next) return false;
    const bool is_first = m_next == 0;
    if (is_first) m_rate = Kokkos::log(m_start / m_best) / m_iterations;
    const bool is_slow =
        !is_first && Kokkos::log(m_marked / m_best) < min_share * m_rate * m_period;
    m_marked = m_best;
    m_next = m_iterations + m_period;
    return is_slow;
  }

  static constexpr double min_share = 0.5;  ///< of the rate before

  double m_start, m_best;
  double m_marked = 0;  ///< the best at the start of this period
  double m_rate = 0;  ///< logarithms an iteration
  int m_patience, m_period, m_most;
  int m_iterations = 0, m_next = 0, m_since = 0;
  bool m_has_lowered = false;
};

/// The levels of a method's tiles where they may be demoted; each of these stays a variable of its
/// own.
struct DynamicLevels {
  template <class Arguments>
  KOKKOS_FUNCTION static LevelRule rule(const Arguments& arguments, const DynamicControl& control) {
    return {arguments.options.ranges, control.epsilon(arguments.tiles.num_tile_rows)};
  }
  template <class Arguments>
  KOKKOS_FUNCTION static SlowdownMonitor monitor(const Arguments& arguments,
                                                 const DynamicControl& control, double residual) {
    return {residual, arguments.options.patience, control.dynamic_iterations(arguments.options)};
  }
  template <class Arguments>
  KOKKOS_FUNCTION static double matrix_norm(const Arguments& arguments, const Scales& scales) {
    return arguments.options.matrix_norm * scales.matrix;
  }
  template <class Group, class Product, class Step>
  KOKKOS_FORCEINLINE_FUNCTION static auto step_of_product(const Group& group, LevelRule& rule,
                                                          double matrix_norm, DynamicNotes& notes,
                                                          const Product& product,
                                                          const Step& step) {
    return detail::step_of_product(group, rule, matrix_norm, notes, product, step);
  }
};

}  // namespace tessera::kernels::detail
