// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/detail/step_waits.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::kernels::detail {
namespace {

/// The share that has a row, of `num_rows` by `shares`.
int share_of_row(Ordinal row, Ordinal num_rows, int shares) {
  return static_cast<int>(((static_cast<std::int64_t>(row) + 1) * shares - 1) / num_rows);
}

/// The shares that have entries `entries` of a vector where `step` writes it.
ShareRange owners(const StepAccess& step, const ColumnRange& entries, int shares) {
  const Ordinal last = std::min(entries.last, step.num_rows - 1);
  if (last < entries.first) return {};
  if (step.by_one_block) return {0, 0};
  return {share_of_row(entries.first, step.num_rows, shares),
          share_of_row(last, step.num_rows, shares)};
}

ColumnRange rows_of(const StepAccess& step, int share, int shares) {
  if (step.by_one_block) return {0, share == 0 ? step.num_rows - 1 : -1};
  return {first_row_of_share(step.num_rows, share, shares),
          first_row_of_share(step.num_rows, share + 1, shares) - 1};
}

/// A vector's writer, and who has read it since.
struct History {
  struct Read {
    int step;
    bool gathers;
  };
  int writer = -1;  ///< a step; -1 before the program
  std::vector<Read> reads;
};

class WaitFinder {
 public:
  WaitFinder(const std::vector<StepAccess>& steps, int shares)
      : m_steps(steps),
        m_shares(shares),
        m_known(static_cast<std::size_t>(shares) * shares, 0),
        m_ranges(shares) {
    for (const StepAccess& step : steps) {
      note_vector(step.gathered);
      for (const auto* const named : {&step.read, &step.written}) {
        for (const int v : *named)
          note_vector(v);
      }
    }
  }

  std::vector<ShareRange> find() {
    std::vector<ShareRange> result;
    const int num_steps = static_cast<int>(m_steps.size());
    for (int next = 0; next < num_steps; ++next) {
      if (next > 0) {
        find_ranges(next);
        learn(next);
        result.insert(result.end(), m_ranges.begin(), m_ranges.end());
      }
      remember(next);
    }
    return result;
  }

 private:
  using Count = std::int16_t;

  void note_vector(int v) {
    if (v >= static_cast<int>(m_vectors.size())) m_vectors.resize(v + 1);
  }
  /// How many steps of each share are done, as far as this one knows.
  Count* known_by(int share) { return m_known.data() + static_cast<std::size_t>(share) * m_shares; }

  void find_ranges(int next) {
    const StepAccess& step = m_steps[next];
    std::fill(m_ranges.begin(), m_ranges.end(), ShareRange{});
    if (step.by_one_block) {
      // For all that the steps of one block read until all share again.
      if (!m_steps[next - 1].by_one_block) m_ranges[0] = {1, m_shares - 1};
    } else {
      for (int share = 0; share < m_shares; ++share)
        wait_for_writers(step, share);
      for (const int v : step.written) {
        for (const auto& read : m_vectors[v].reads)
          wait_for_readers(step, read);
      }
    }
    const auto waits_for_all = [&](const ShareRange& range) {
      const auto share = static_cast<int>(&range - m_ranges.data());
      return range.first <= (share == 0 ? 1 : 0) &&
             range.last >= m_shares - (share == m_shares - 1 ? 2 : 1);
    };
    if (std::all_of(m_ranges.begin(), m_ranges.end(), waits_for_all))
      std::fill(m_ranges.begin(), m_ranges.end(), ShareRange::barrier());
  }

  /// Of what the share reads and overwrites.
  void wait_for_writers(const StepAccess& step, int share) {
    const ColumnRange rows = rows_of(step, share, m_shares);
    if (rows.last < rows.first) return;
    for (const auto* const named : {&step.read, &step.written}) {
      for (const int v : *named)
        wait_for_writer(v, rows, share);
    }
    if (step.gathered != no_vector)
      wait_for_writer(step.gathered, step.columns.empty() ? all_columns : step.columns[share],
                      share);
  }
  void wait_for_writer(int v, const ColumnRange& entries, int share) {
    const int writer = m_vectors[v].writer;
    if (writer < 0) return;
    const ShareRange shares = owners(m_steps[writer], entries, m_shares);
    for (int other = shares.first; other <= shares.last; ++other)
      wait_for(other, writer, share);
  }
  /// Of a vector that `step` overwrites.
  void wait_for_readers(const StepAccess& step, const History::Read& read) {
    const StepAccess& reader = m_steps[read.step];
    for (int other = 0; other < m_shares; ++other) {
      ColumnRange entries = rows_of(reader, other, m_shares);
      if (entries.last < entries.first) continue;
      if (read.gathers) entries = reader.columns.empty() ? all_columns : reader.columns[other];
      const ShareRange shares = owners(step, entries, m_shares);
      for (int share = shares.first; share <= shares.last; ++share)
        wait_for(other, read.step, share);
    }
  }

  void wait_for(int other, int step, int share) {
    if (other == share || known_by(share)[other] > step) return;
    ShareRange& range = m_ranges[share];
    const bool is_empty = range.last < range.first;
    range.first = is_empty ? other : std::min(range.first, other);
    range.last = is_empty ? other : std::max(range.last, other);
  }

  /// Whoever is waited for before `next` hands on all that it knows of others, too.
  void learn(int next) {
    if (m_ranges[0].is_barrier()) {
      std::fill(m_known.begin(), m_known.end(), static_cast<Count>(next));
      return;
    }
    const std::vector<Count> before = m_known;
    for (int share = 0; share < m_shares; ++share) {
      Count* const mine = known_by(share);
      const ShareRange& range = m_ranges[share];
      for (int other = range.first; other <= range.last; ++other) {
        const Count* const theirs = before.data() + static_cast<std::size_t>(other) * m_shares;
        for (int third = 0; third < m_shares; ++third)
          mine[third] = std::max(mine[third], theirs[third]);
      }
      for (int other = range.first; other <= range.last; ++other)
        mine[other] = static_cast<Count>(next);
    }
  }

  void remember(int number) {
    const StepAccess& step = m_steps[number];
    for (const int v : step.read)
      m_vectors[v].reads.push_back({number, false});
    if (step.gathered != no_vector) m_vectors[step.gathered].reads.push_back({number, true});
    for (const int v : step.written)
      m_vectors[v] = {number, {}};
  }

  static constexpr ColumnRange all_columns{0, 0x7fffffff};

  const std::vector<StepAccess>& m_steps;
  int m_shares;
  std::vector<Count> m_known;
  std::vector<ShareRange> m_ranges;  ///< of each share, before the next step
  std::vector<History> m_vectors;
};

}  // namespace

std::vector<ShareRange> shares_to_wait_for(const std::vector<StepAccess>& steps, int shares) {
  return WaitFinder(steps, shares).find();
}

}  // namespace tessera::kernels::detail
