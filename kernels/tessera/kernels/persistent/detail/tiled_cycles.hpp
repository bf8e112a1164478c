// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The cycles of a solve with tiles: as `SolveCycles`, with a way back from lowered precision.
#pragma once

#include "tessera/kernels/persistent/detail/tile_share.hpp"

namespace tessera::kernels::detail {

/// `Method` is as SolveCycles says; `iterate` has a `DynamicControl` and `DynamicNotes`, and
/// `Method::is_dynamic` says whether precision may be lowered.
template <class Method, class Group>
class TiledCycles : public SolveCycles<Method, Group> {
 public:
  using SolveCycles<Method, Group>::SolveCycles;

  // Inlined, as are iterations: what is passed on by reference, shares above all, lies in memory
  // otherwise, and is read again behind each barrier.
  KOKKOS_FORCEINLINE_FUNCTION void run(double epsilon) {
    const auto& arguments = m_method.arguments;
    double sizes[2];
    this->measure(sizes);
    const Scales scales(sizes[0] / arguments.A.num_rows, sizes[1],
                        Scales::harmless_exponent<typename Method::scalar_type>);
    DynamicControl control(arguments.limits, epsilon, scales.rhs, arguments.history);
    double rhs = 0, residual = 0;
    double of_guess = sizes[1] == 0 ? 0 : scales.of_x();
    bool is_useful = false;
    while (!is_useful) {
      this->load_x(of_guess);
      m_group.barrier();
      m_method.start(m_group, m_shares, scales, rhs, residual);
      is_useful =
          of_guess == 0 || m_group.has_failed() || !this->is_too_long(epsilon, rhs, residual);
      of_guess = 0;
    }
    bool goes_on = !m_group.has_failed() && control.begin(rhs, residual, m_group.is_first());
    if (!m_group.has_failed()) this->keep_x();
    if constexpr (Method::is_dynamic) {
      m_group.for_each_share([&](int number) { m_shares(number).reset_levels(m_group); });
      m_group.synchronize_lanes();
    }
    bool lowers = Method::is_dynamic && arguments.options.is_dynamic;
    while (goes_on) {
      control.begin_cycle();
      LevelCounts level_counts;
      DynamicNotes notes{.counts = level_counts, .lowers = lowers};
      m_method.iterate(m_group, m_shares, scales, control, notes);
      lowers = lowers && notes.lowers;
      m_repeated += static_cast<double>(notes.repeated);
      this->store_x(1);
      m_group.barrier();
      m_method.start(m_group, m_shares, scales, rhs, residual);
      const bool was_lowered = Method::is_dynamic && add_up(notes);
      if (m_group.has_failed()) break;
      if (!was_lowered) {
        goes_on = control.end_cycle(residual, m_group.time_is_up(), Method::restarts);
      } else {
        goes_on = control.end_lowered_cycle(residual, m_group.time_is_up());
        if (goes_on) {
          lowers = false;
          if (!control.is_best()) start_from_kept(scales, control);
        }
      }
      if (m_group.has_failed()) break;
      if (goes_on && control.is_best()) {
        control.keep();
        this->keep_x();
      }
    }
    if (m_group.has_failed()) return;  // the host's note that the workers were lost stands
    if (control.takes_kept()) {
      this->take_kept_x();
      control.take_kept();
    }
    this->store_x(1 / scales.of_x());
    if constexpr (Method::is_dynamic) {
      if (m_group.is_first()) {
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
  using SolveCycles<Method, Group>::m_method;
  using SolveCycles<Method, Group>::m_group;
  using SolveCycles<Method, Group>::m_shares;

  /// The cycle's tiles. True where a number was read in less than its tile has.
  KOKKOS_FUNCTION bool add_up(const DynamicNotes& notes) {
    double counts[num_tile_levels];
    double changes[2];  // whether some were lowered, raised
    // Notes are a lane's, of all of its shares: they count with its first.
    bool is_counted = false;
    m_group.template sum<num_tile_levels>(counts, [&](int number, double* part) {
      std::int64_t tiles[num_tile_levels] = {};
      m_shares(number).count_levels(m_group, tiles);
      const LevelCounts none;
      const LevelCounts& moves = is_counted ? none : notes.counts;
      for (int k = 0; k < num_tile_levels; ++k)
        part[k] = static_cast<double>(moves.reads(k, tiles[k], notes.products));
      is_counted = true;
    });
    is_counted = false;
    m_group.template sum<2>(changes, [&](int, double* part) {
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

  KOKKOS_FUNCTION void start_from_kept(const Scales& scales, DynamicControl& control) {
    this->take_kept_x();
    control.take_kept();
    this->store_x(1);
    m_group.barrier();
    double rhs = 0, residual = 0;
    m_method.start(m_group, m_shares, scales, rhs, residual);
  }

  double m_work[num_tile_levels] = {};
  double m_raised = 0;
  double m_repeated = 0;
};

}  // namespace tessera::kernels::detail
