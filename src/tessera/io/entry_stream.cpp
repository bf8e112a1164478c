// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/entry_stream.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tessera/io/detail/entry_lines.hpp"
#include "tessera/io/detail/header.hpp"
#include "tessera/io/detail/line_stream.hpp"
#include "tessera/io/detail/parallel.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera {

namespace {

using detail::Text;

/// The head of a file, which the first bytes of `lines` hold, and those of its body.
MatrixMarketHeader read_head(detail::LineStream& lines) {
  constexpr std::size_t first = std::size_t{1} << 20U;
  constexpr std::size_t longest = std::size_t{64} << 20U;
  for (std::size_t size = first;; size *= 2) {
    const Text text = lines.look_ahead(size);
    const bool is_last = lines.is_all_here() || size >= longest;
    const char* body = nullptr;
    try {
      MatrixMarketHeader header = detail::parse_header(text, body);
      // Else the text may end within the size line.
      if (body < text.end || is_last) {
        lines.skip(static_cast<std::size_t>(body - text.begin));
        return header;
      }
    } catch (const Error&) {
      if (is_last || !detail::has_matrix_market_banner(text)) throw;
    }
  }
}

}  // namespace

class EntryStream::Impl {
 public:
  Impl(const std::filesystem::path& path, int threads)
      : m_name(path.string()), m_threads(threads), m_lines(path), m_header(read_head(m_lines)) {
    m_has_sections = m_header.external_diagonal || m_header.has_rhs || m_header.has_solution;
    if (m_header.external_diagonal) m_num_diagonal = m_header.num_rows * m_header.block_cols;
    if (m_header.has_rhs) m_num_rhs = m_header.num_rows;
    if (m_header.has_solution) m_num_solution = m_header.num_cols;
  }

  const MatrixMarketHeader& header() const { return m_header; }
  std::int64_t num_found() const { return m_found; }
  std::vector<double> take_rhs() { return std::move(m_rhs); }

  bool is_divisible() const {
    return m_lines.is_divisible() && m_header.object == MatrixObject::coordinate && !m_has_sections;
  }

  void take_part(int part, int parts) {
    if (parts == 1) return;
    const std::size_t begin = m_lines.position();
    const std::size_t size = m_lines.file_size() - std::min(begin, m_lines.file_size());
    const auto border = [&](int p) {
      const auto q = static_cast<std::size_t>(p);
      const auto all = static_cast<std::size_t>(parts);
      return begin + size / all * q + std::min(size % all, q);
    };
    m_is_part = true;
    m_lines.restrict_to(border(part), border(part + 1));
  }

  bool next(EntryBatch& batch) {
    batch = {};
    const std::size_t position = m_lines.position();
    Text text;
    if (!m_lines.next(text)) {
      if (m_has_sections) check_sections();
      return false;
    }
    try {
      parse(text, batch);
    } catch (const Error&) {
      if (!m_is_part) throw;
      // Once more, for the line's number in the file.
      text.lines_before = m_lines.count_lines_before(position);
      parse(text, batch);
    }
    return true;
  }

  void check_found(std::int64_t found) const {
    if (found == m_header.num_entries) return;
    throw Error(ErrorKind::bad_input,
                m_name + ": the size line promises " + std::to_string(m_header.num_entries) +
                    (m_header.object == MatrixObject::array ? " values" : " entries") + ", but " +
                    std::to_string(found) + " are there");
  }

 private:
  void parse(const Text& text, EntryBatch& batch) {
    if (m_header.object == MatrixObject::array) return parse_array(text, batch);
    const char* const end = m_has_sections ? end_of_entries(text) : text.end;
    if (end > text.begin) parse_entries({text.name, text.begin, end, text.lines_before}, batch);
    if (end == text.end) return;
    const auto lines = static_cast<std::size_t>(std::count(text.begin, end, '\n'));
    parse_section({text.name, end, text.end, text.lines_before + lines}, batch);
  }

  /// Behind the lines of entries, of which all may have come before.
  const char* end_of_entries(const Text& text) const {
    const char* line = detail::next_data_line(text, text.begin);
    for (std::int64_t left = m_header.num_entries - m_found; left > 0 && line < text.end; --left) {
      line = std::min(detail::end_of_line(text, line) + 1, text.end);
      line = detail::next_data_line(text, line);
    }
    return line;
  }

  void parse_entries(const Text& text, EntryBatch& batch) {
    auto chunks = detail::split_lines(text, text.begin, m_threads);
    std::size_t size = 0;
    for (detail::EntryChunk& chunk : chunks) {
      chunk.first_entry = size;
      chunk.num_entries = detail::count_data_lines(text, chunk.begin, chunk.end);
      size += chunk.num_entries;
    }
    EntryBatch stored{std::vector<Ordinal>(size), std::vector<Ordinal>(size),
                      std::vector<double>(size)};
    detail::for_each_task(m_threads, chunks.size(), [&](std::size_t i) {
      detail::parse_chunk(text, m_header, chunks[i], stored.rows.data(), stored.columns.data(),
                          stored.values.data());
    });
    m_found += static_cast<std::int64_t>(size);
    if (m_header.symmetry == MatrixSymmetry::general) {
      batch = std::move(stored);
      return;
    }
    for (std::size_t k = 0; k < size; ++k)
      add(batch, stored.rows[k], stored.columns[k], stored.values[k]);
  }

  /// With its mirror image, where it has one.
  void add(EntryBatch& batch, Ordinal row, Ordinal column, double value) const {
    const auto push = [&](Ordinal i, Ordinal j, double v) {
      batch.rows.push_back(i);
      batch.columns.push_back(j);
      batch.values.push_back(v);
    };
    push(row, column, value);
    if (m_header.symmetry == MatrixSymmetry::general || row == column) return;
    push(column, row, m_header.symmetry == MatrixSymmetry::skew_symmetric ? -value : value);
  }

  /// Values column after column, of a symmetric matrix from the diagonal down; zeros are left out.
  void parse_array(const Text& text, EntryBatch& batch) {
    const auto values =
        detail::parse_value_list<double>(text, text.begin, m_header.field, m_threads, false);
    for (const double value : values) {
      ++m_found;
      if (m_found > m_header.num_entries) continue;  // `check_found` says so
      if (m_found == 1) m_row = first_row_of(0);
      while (m_row >= m_header.num_rows)
        m_row = first_row_of(++m_column);
      if (value != 0)
        add(batch, static_cast<Ordinal>(m_row), static_cast<Ordinal>(m_column), value);
      ++m_row;
    }
  }

  std::int64_t first_row_of(std::int64_t column) const {
    if (m_header.symmetry == MatrixSymmetry::general) return 0;
    return column + (m_header.symmetry == MatrixSymmetry::skew_symmetric ? 1 : 0);
  }

  /// AmgX's values behind the entries: the diagonal's blocks, a right-hand side, a solution.
  void parse_section(const Text& text, EntryBatch& batch) {
    const auto values =
        detail::parse_value_list<double>(text, text.begin, MatrixField::real, m_threads, false);
    const std::int64_t br = m_header.block_rows;
    const std::int64_t bc = m_header.block_cols;
    for (const double value : values) {
      const std::int64_t k = m_section_values++;
      if (k < m_num_diagonal) {
        const std::int64_t block = k / (br * bc);
        const std::int64_t in_block = k % (br * bc);
        add(batch, static_cast<Ordinal>(block * br + in_block / bc),
            static_cast<Ordinal>(block * bc + in_block % bc), value);
      } else if (k < m_num_diagonal + m_num_rhs) {
        m_rhs.push_back(value);
      }
    }
  }

  void check_sections() const {
    check_found(m_found);
    const std::int64_t promised = m_num_diagonal + m_num_rhs + m_num_solution;
    if (m_section_values == promised) return;
    throw Error(ErrorKind::bad_input, m_name + ": %%AMGX promises " + std::to_string(promised) +
                                          " values behind the entries, but " +
                                          std::to_string(m_section_values) + " are there");
  }

  std::string m_name;
  int m_threads;
  detail::LineStream m_lines;
  MatrixMarketHeader m_header;
  bool m_is_part = false;
  bool m_has_sections = false;
  std::int64_t m_found = 0;
  std::int64_t m_num_diagonal = 0;
  std::int64_t m_num_rhs = 0;
  std::int64_t m_num_solution = 0;
  std::int64_t m_section_values = 0;
  std::int64_t m_row = 0;  ///< of an array's next value
  std::int64_t m_column = 0;
  std::vector<double> m_rhs;
};

EntryStream::EntryStream(const std::filesystem::path& path, int threads)
    : m_impl(std::make_unique<Impl>(path, threads)) {}
EntryStream::~EntryStream() = default;

const MatrixMarketHeader& EntryStream::header() const { return m_impl->header(); }
bool EntryStream::is_divisible() const { return m_impl->is_divisible(); }
void EntryStream::take_part(int part, int parts) { m_impl->take_part(part, parts); }
bool EntryStream::next(EntryBatch& batch) { return m_impl->next(batch); }
std::int64_t EntryStream::num_found() const { return m_impl->num_found(); }
void EntryStream::check_found(std::int64_t found) const { m_impl->check_found(found); }
std::vector<double> EntryStream::take_rhs() { return m_impl->take_rhs(); }

}  // namespace tessera
