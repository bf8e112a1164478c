// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The cycles of a solve with tiles: as `SolveCycles`, with a way back from lowered precision.
#pragma once

#include "tessera/kernels/persistent/detail/tile_share.hpp"

namespace tessera::kernels::detail {

/// `Method` is as SolveCycles says; `iterate` has a `FallingControl` and `FallingNotes`, and
/// `Method::falls` says whether precision may fall.
template <class Method, class Crew>
class TiledCycles : public SolveCycles<Method, Crew> {
 public:
  using SolveCycles<Method, Crew>::SolveCycles;

  // Inlined, as are iterations: what is passed on by reference, shares above all, lies in memory
  // otherwise, and is read anew behind each meeting.
  KOKKOS_FORCEINLINE_FUNCTION void run(double epsilon) {
    const auto& arguments = m_method.arguments;
    double sizes[2];
    this->measure(sizes);
    const Scales scales(sizes[0] / arguments.A.num_rows, sizes[1],
                        Scales::harmless_exponent<typename Method::scalar_type>);
    FallingControl control(arguments.limits, epsilon, scales.rhs, arguments.history);
    double rhs = 0, residual = 0;
    double of_guess = sizes[1] == 0 ? 0 : scales.of_x();
    bool is_useful = false;
    while (!is_useful) {
      this->load_x(of_guess);
      m_crew.barrier();
      m_method.start(m_crew, m_shares, scales, rhs, residual);
      is_useful =
          of_guess == 0 || m_crew.has_failed() || !this->is_too_long(epsilon, rhs, residual);
      of_guess = 0;
    }
    bool goes_on = !m_crew.has_failed() && control.begin(rhs, residual, m_crew.is_first());
    if (!m_crew.has_failed()) this->keep_x();
    if constexpr (Method::falls) {
      m_crew.for_each_share([&](int number) { m_shares(number).reset_levels(m_crew); });
      m_crew.synchronize_lanes();
    }
    bool lowers = Method::falls && arguments.options.falls;
    while (goes_on) {
      control.begin_cycle();
      LevelCounts level_counts;
      FallingNotes notes{.counts = level_counts, .lowers = lowers};
      m_method.iterate(m_crew, m_shares, scales, control, notes);
      lowers = lowers && notes.lowers;
      m_repeated += static_cast<double>(notes.repeated);
      this->store_x(1);
      m_crew.barrier();
      m_method.start(m_crew, m_shares, scales, rhs, residual);
      const bool was_lowered = Method::falls && add_up(notes);
      if (m_crew.has_failed()) break;
      if (!was_lowered) {
        goes_on = control.end_cycle(residual, m_crew.time_is_up(), Method::restarts);
      } else {
        goes_on = control.end_lowered_cycle(residual, m_crew.time_is_up());
        if (goes_on) {
          lowers = false;
          if (!control.is_best()) start_from_kept(scales, control);
        }
      }
      if (m_crew.has_failed()) break;
      if (goes_on && control.is_best()) {
        control.keep();
        this->keep_x();
      }
    }
    if (m_crew.has_failed()) return;  // the host's note that the workers were lost stands
    if (control.takes_kept()) {
      this->take_kept_x();
      control.take_kept();
    }
    this->store_x(1 / scales.of_x());
    if constexpr (Method::falls) {
      if (m_crew.is_first()) {
        for (int k = 0; k < num_tile_levels; ++k)
          arguments.work[k] = m_work[k];
        arguments.work[place_of_returned] = lowers ? 0 : 1;
        arguments.work[place_of_raised] = m_raised;
        arguments.work[place_of_repeated] = m_repeated;
      }
    }
    this->report(control, scales);
  }

 private:
  using SolveCycles<Method, Crew>::m_method;
  using SolveCycles<Method, Crew>::m_crew;
  using SolveCycles<Method, Crew>::m_shares;

  /// The cycle's tiles. True where a number was read in less than its tile has.
  KOKKOS_FUNCTION bool add_up(const FallingNotes& notes) {
    double counts[num_tile_levels];
    double changes[2];  // whether some were lowered, raised
    // Notes are a lane's, of all of its shares: they count with its first.
    bool is_counted = false;
    m_crew.template sum<num_tile_levels>(counts, [&](int number, double* part) {
      std::int64_t tiles[num_tile_levels] = {};
      m_shares(number).count_levels(m_crew, tiles);
      const LevelCounts none;
      const LevelCounts& moves = is_counted ? none : notes.counts;
      for (int k = 0; k < num_tile_levels; ++k)
        part[k] = static_cast<double>(moves.reads(k, tiles[k], notes.products));
      is_counted = true;
    });
    is_counted = false;
    m_crew.template sum<2>(changes, [&](int, double* part) {
      if (!is_counted) {
        part[0] = notes.has_lowered ? 1 : 0;
        part[1] = static_cast<double>(notes.raised);
      }
      is_counted = true;
    });
    for (int k = 0; k < num_tile_levels; ++k)
      m_work[k] += counts[k];
    m_raised += changes[1];
    return changes[0] > 0;
  }

  KOKKOS_FUNCTION void start_from_kept(const Scales& scales, FallingControl& control) {
    this->take_kept_x();
    control.take_kept();
    this->store_x(1);
    m_crew.barrier();
    double rhs = 0, residual = 0;
    m_method.start(m_crew, m_shares, scales, rhs, residual);
  }

  double m_work[num_tile_levels] = {};
  double m_raised = 0;
  double m_repeated = 0;
};

}  // namespace tessera::kernels::detail
