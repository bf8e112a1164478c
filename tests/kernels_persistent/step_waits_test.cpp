// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// For whom shares wait between the steps of a cycle: enough that, entry by entry, each reads what
/// was written before and overwrites what was read before, and not for all.
#include "kernels_persistent/cycle_program.hpp"
#include "support/random_matrix.hpp"

#include "tessera/kernels/persistent/detail/step_waits.hpp"

#include <functional>
#include <map>

namespace tessera::test::step_waits_test {

using kernels::no_vector;
using kernels::StepKind;
using kernels::detail::ShareRange;
using Step = kernels::Step<double>;

/// Goes through a program entry by entry, with what each share knows of the others by its waits.
class Orders {
 public:
  Orders(const std::vector<Step>& steps, int shares) : m_steps(steps), m_shares(shares) {}

  /// How often something was read or overwritten that others may not have done with.
  int mistakes(const ShareRange* waits) {
    m_done.assign(static_cast<std::size_t>(m_shares) * m_shares, 0);
    m_entries.clear();
    m_mistakes = 0;
    for (std::size_t number = 0; number < m_steps.size(); ++number) {
      if (number > 0) wait(number, waits + (number - 1) * m_shares);
      // Nobody sees what others do in the same step.
      std::vector<std::function<void()>> after;
      for (Ordinal i = 0; i < m_steps[number].num_rows; ++i)
        run_row(static_cast<int>(number), i, after);
      for (const auto& note : after)
        note();
    }
    return m_mistakes;
  }

 private:
  struct Use {
    int share = 0;
    int step = -1;
  };
  struct Entry {
    Use written;
    std::vector<Use> read;
  };

  int& done(int share, int other) { return m_done[share * m_shares + other]; }

  void wait(std::size_t number, const ShareRange* ranges) {
    if (m_steps[number - 1].by_one_block && m_steps[number].by_one_block) return;
    if (ranges[0].is_barrier()) {
      std::fill(m_done.begin(), m_done.end(), static_cast<int>(number));
      return;
    }
    const std::vector<int> before = m_done;
    for (int share = 0; share < m_shares; ++share) {
      for (int other = ranges[share].first; other <= ranges[share].last; ++other) {
        for (int third = 0; third < m_shares; ++third)
          done(share, third) = std::max(done(share, third), before[other * m_shares + third]);
        done(share, other) = std::max(done(share, other), static_cast<int>(number));
      }
    }
  }

  void expect_done(int share, const Use& use) {
    if (use.step >= 0 && use.share != share && done(share, use.share) <= use.step) ++m_mistakes;
  }

  void run_row(int number, Ordinal i, std::vector<std::function<void()>>& after) {
    const Step& step = m_steps[number];
    int share = 0;
    if (!step.by_one_block) {
      while (i >= kernels::detail::first_row_of_share(step.num_rows, share + 1, m_shares))
        ++share;
    }
    const auto read = [&, share](int v, Ordinal entry) {
      Entry& at = m_entries[{v, entry}];
      expect_done(share, at.written);
      after.push_back([&at, share, number] { at.read.push_back({share, number}); });
    };
    if (step.b != no_vector) read(step.b, i);
    if (step.kind == StepKind::jacobi || step.kind == StepKind::chebyshev ||
        step.kind == StepKind::add)
      read(step.x, i);
    if (step.kind == StepKind::add || step.kind == StepKind::add_product) read(step.y, i);
    if (step.kind == StepKind::chebyshev && step.beta != 0) read(step.p, i);
    if (step.has_matrix()) {
      for (auto e = step.offsets[i]; e < step.offsets[i + 1]; ++e)
        read(step.x, step.columns[e]);
    }
    if (step.kind == StepKind::dense) {
      for (Ordinal c = 0; c < step.num_rows; ++c)
        read(step.x, c);
    }
    for (const int v : {step.y, step.p, step.scaled}) {
      if (v == no_vector) continue;
      Entry& at = m_entries[{v, i}];
      expect_done(share, at.written);
      for (const Use& use : at.read)
        expect_done(share, use);
      after.push_back([&at, share, number] { at = {{share, number}, {}}; });
    }
  }

  const std::vector<Step>& m_steps;
  int m_shares;
  std::vector<int> m_done;
  std::map<std::pair<int, Ordinal>, Entry> m_entries;
  int m_mistakes = 0;
};

std::vector<ShareRange> waits_of(kernels::StepProgram<double, HostSpace>& program, int shares) {
  const HostSpace exec;
  program.inside(exec);
  const ShareRange* const waits = program.waits(exec, shares);
  return {waits, waits + (program.steps().size() - 1) * shares};
}

/// A ring, whose first and last rows are coupled.
HostMatrix<double> ring(std::int32_t n) {
  return by_rows<double>(n, n, [&](auto& A, std::int32_t i) {
    std::vector<std::int32_t> columns{(i + n - 1) % n, i, (i + 1) % n};
    std::sort(columns.begin(), columns.end());
    for (const auto c : columns)
      A.push(c, c == i ? 2.1 : -1.0);
  });
}

TEST(StepWaits, AreEnough) {
  const HostSpace exec;
  const std::vector<HostMatrix<double>> matrices{poisson<double>(15, 14), ring(150),
                                                 random_spd_matrix<double>(120, 0.03, 5)};
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    for (const auto type : {amg::CycleType::v, amg::CycleType::w}) {
      const bool is_jacobi = (type == amg::CycleType::v) == (k % 2 == 0);
      for (const std::size_t one_block : {0, 300, 700, 1 << 20}) {
        Cycle<double, HostSpace> cycle(
            exec, matrices[k],
            {.type = type,
             .smoother = is_jacobi ? SmootherType::jacobi : SmootherType::chebyshev,
             .sweeps = 1 + static_cast<int>(k % 2),
             .one_block_entries = one_block});
        // Fewer than rows, and more.
        for (const int shares : {1, 2, 3, 8, 41, one_block == 300 ? 230 : 17}) {
          SCOPED_TRACE(std::to_string(k) + ", " + std::to_string(one_block) + " entries, " +
                       std::to_string(shares) + " shares");
          const auto waits = waits_of(cycle.program, shares);
          EXPECT_EQ(Orders(cycle.program.steps(), shares).mistakes(waits.data()), 0);
        }
      }
    }
  }
}

/// Without those after one of the steps something is read too early, or overwritten.
TEST(StepWaits, AreNeeded) {
  const HostSpace exec;
  for (const std::size_t one_block : {0, 700}) {
    Cycle<double, HostSpace> cycle(exec, poisson<double>(15, 14), {.one_block_entries = one_block});
    const auto& steps = cycle.program.steps();
    const int shares = 8;
    const auto waits = waits_of(cycle.program, shares);
    int left_out = 0;
    for (std::size_t number = 0; number + 1 < steps.size(); ++number) {
      auto fewer = waits;
      const auto here = fewer.begin() + static_cast<std::ptrdiff_t>(number) * shares;
      const bool any = std::any_of(
          here, here + shares, [](const ShareRange& range) { return range.first <= range.last; });
      std::fill(here, here + shares, ShareRange{});
      EXPECT_EQ(Orders(steps, shares).mistakes(fewer.data()) > 0, any) << number;
      left_out += any ? 1 : 0;
    }
    EXPECT_GE(left_out, 3);
  }
}

TEST(StepWaits, AreForNeighboursOnAGridAndForTheOneBlock) {
  const HostSpace exec;
  Cycle<double, HostSpace> cycle(exec, poisson<double>(10, 100), {.one_block_entries = 2500});
  const auto& steps = cycle.program.steps();
  const int shares = 20;  // each of 50 rows, five lines
  const auto waits = waits_of(cycle.program, shares);
  bool comes_from_one_block = false;
  for (std::size_t number = 0; number + 1 < steps.size(); ++number) {
    const bool after_one = steps[number].by_one_block;
    const bool before_one = steps[number + 1].by_one_block;
    for (int share = 0; share < shares; ++share) {
      const ShareRange& range = waits[number * shares + share];
      EXPECT_FALSE(range.is_barrier());
      if (before_one) {
        EXPECT_EQ(range.last, share == 0 && !after_one ? shares - 1 : -1);
      } else if (after_one) {
        comes_from_one_block = true;
        EXPECT_LE(range.last, 0) << "for share 0 alone";
      } else if (range.first <= range.last && steps[number + 1].num_rows == 1000) {
        EXPECT_GE(range.first, share - 1);
        EXPECT_LE(range.last, share + 1);
      }
    }
  }
  EXPECT_TRUE(comes_from_one_block);
}

TEST(StepWaits, AreABarrierWhereAllReadOfAll) {
  const HostSpace exec;
  const auto A = by_rows<double>(40, 40, [&](auto& A, std::int32_t i) {
    for (std::int32_t c = 0; c < 40; ++c)
      A.push(c, c == i ? 50.0 : -1.0);
  });
  Cycle<double, HostSpace> cycle(exec, A);
  const auto& steps = cycle.program.steps();
  const auto waits = waits_of(cycle.program, 5);
  bool any = false;
  for (std::size_t number = 0; number + 1 < steps.size(); ++number) {
    if (steps[number + 1].kind != StepKind::residual) continue;
    any = true;
    for (int share = 0; share < 5; ++share)
      EXPECT_TRUE(waits[number * 5 + share].is_barrier());
  }
  EXPECT_TRUE(any);
}

}  // namespace tessera::test::step_waits_test
