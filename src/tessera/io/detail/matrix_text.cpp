// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/matrix_text.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "tessera/io/detail/entry_lines.hpp"
#include "tessera/io/detail/header.hpp"
#include "tessera/io/detail/parallel.hpp"

namespace tessera::detail {

namespace {

// The start of data line number `index` of the chunk, counted from 0.
const char* find_data_line(const Text& text, const EntryChunk& chunk, std::size_t index) {
  const char* line = next_data_line(text, chunk.begin);
  for (; index > 0; --index) {
    line = next_data_line(text, std::min(end_of_line(text, line) + 1, text.end));
  }
  return line;
}

std::string promise(const char* what, std::size_t promised, std::size_t found) {
  return "the size line promises " + std::to_string(promised) + " " + what + ", but " +
         std::to_string(found) + " are there";
}

}  // namespace

MatrixText::MatrixText(const Text& text, int threads, Progress progress)
    : m_text(text),
      m_threads(threads),
      m_progress(std::move(progress)),
      m_header(parse_header(text, m_body)),
      m_sections(text.end) {
  if (m_header.object == MatrixObject::coordinate) locate_entries();
  if (m_header.object == MatrixObject::array) {
    // Two bytes at least for each number: a size line cannot ask for more than the text holds.
    const auto size = static_cast<std::size_t>(text.end - m_body);
    if (static_cast<std::size_t>(m_header.num_entries) > size / 2 + 1) {
      fail_at(text, text.end,
              "the size line promises " + std::to_string(m_header.num_entries) +
                  " values, but only " + std::to_string(size) + " bytes follow it");
    }
    m_num_listed = static_cast<std::size_t>(m_header.num_entries);
  }
}

void MatrixText::locate_entries() {
  m_num_listed = static_cast<std::size_t>(m_header.num_entries);
  m_chunks = split_lines(m_text, m_body, m_threads);
  const std::size_t found = count_entries();
  if (found < m_num_listed) {
    fail_at(m_text, m_text.end, promise("entries", m_num_listed, found));
  }
  const auto beyond = [this](const EntryChunk& c) {
    return c.first_entry + c.num_entries > m_num_listed;
  };
  const auto cut = std::find_if(m_chunks.begin(), m_chunks.end(), beyond);
  if (cut != m_chunks.end()) {
    m_sections = find_data_line(m_text, *cut, m_num_listed - cut->first_entry);
    cut->num_entries = m_num_listed - cut->first_entry;
    cut->end = m_sections;
    m_chunks.erase(cut + 1, m_chunks.end());
  }
  const bool sections = m_header.external_diagonal || m_header.has_rhs || m_header.has_solution;
  if (m_sections < m_text.end && !sections) {
    fail_at(m_text, m_sections, promise("entries", m_num_listed, found));
  }
  if (m_header.external_diagonal) {
    m_num_diagonal =
        static_cast<std::size_t>(m_header.num_rows) * static_cast<std::size_t>(m_header.block_cols);
    const auto left = static_cast<std::size_t>(m_text.end - m_sections);
    if (m_num_diagonal > left / 2 + 1) {
      fail_at(
          m_text, m_text.end,
          "the external diagonal's " + std::to_string(m_num_diagonal) + " values are not there");
    }
  }
}

std::size_t MatrixText::count_entries() {
  for_each_task(m_threads, m_chunks.size(), [this](std::size_t i) {
    EntryChunk& c = m_chunks[i];
    c.num_entries = count_data_lines(m_text, c.begin, c.end);
  });
  std::size_t found = 0;
  for (EntryChunk& chunk : m_chunks) {
    chunk.first_entry = found;
    found += chunk.num_entries;
  }
  return found;
}

template <class T>
std::size_t MatrixText::parse_entries(std::int32_t* rows, std::int32_t* columns, T* values) {
  if (m_header.object == MatrixObject::array) return parse_dense(rows, columns, values);
  parse_listed(rows, columns, values);
  if (m_sections < m_text.end || m_num_diagonal > 0 || m_header.has_rhs || m_header.has_solution) {
    parse_sections(rows, columns, values);
  }
  return max_entries();
}

template <class T>
void MatrixText::parse_listed(std::int32_t* rows, std::int32_t* columns, T* values) {
  std::atomic<std::size_t> done{0};
  const auto total = static_cast<std::size_t>(m_text.end - m_text.begin);
  const auto report = [&] { m_progress(done.load(), total); };
  for_each_task(
      m_threads, m_chunks.size(),
      [&](std::size_t i) {
        const EntryChunk& c = m_chunks[i];
        parse_chunk(m_text, m_header, c, rows, columns, values);
        done += static_cast<std::size_t>(c.end - c.begin);
      },
      m_progress ? std::function<void()>(report) : std::function<void()>());
  if (m_progress) m_progress(total, total);
}

template <class T>
std::vector<T> MatrixText::parse_array() const {
  std::vector<T> values = parse_value_list<T>(m_text, m_body, m_header.field, m_threads, false);
  if (values.size() != m_num_listed) {
    fail_at(m_text, m_text.end, promise("values", m_num_listed, values.size()));
  }
  return values;
}

template <class T>
std::size_t MatrixText::parse_dense(std::int32_t* rows, std::int32_t* columns, T* values) {
  const std::vector<T> dense = parse_array<T>();
  const bool general = m_header.symmetry == MatrixSymmetry::general;
  const bool skew = m_header.symmetry == MatrixSymmetry::skew_symmetric;
  const auto num_rows = static_cast<std::int32_t>(m_header.num_rows);
  std::size_t next = 0;
  std::size_t count = 0;
  for (std::int32_t j = 0; next < dense.size(); ++j) {
    for (std::int32_t i = general ? 0 : j + (skew ? 1 : 0); i < num_rows; ++i, ++next) {
      if (dense[next] == T(0)) continue;
      rows[count] = i;
      columns[count] = j;
      values[count++] = dense[next];
    }
  }
  return count;
}

template <class T>
void MatrixText::parse_sections(std::int32_t* rows, std::int32_t* columns, T* values) {
  const std::vector<double> list =
      parse_value_list<double>(m_text, m_sections, MatrixField::real, m_threads, false);
  const auto n = static_cast<std::size_t>(m_header.num_rows);
  const std::size_t num_rhs = m_header.has_rhs ? n : 0;
  const std::size_t num_solution =
      m_header.has_solution ? static_cast<std::size_t>(m_header.num_cols) : 0;
  if (list.size() != m_num_diagonal + num_rhs + num_solution) {
    fail_at(m_text, m_text.end,
            "%%AMGX promises " + std::to_string(m_num_diagonal + num_rhs + num_solution) +
                " values behind the entries, but " + std::to_string(list.size()) + " are there");
  }
  const auto rhs = list.begin() + static_cast<std::ptrdiff_t>(m_num_diagonal);
  const auto solution = rhs + static_cast<std::ptrdiff_t>(num_rhs);
  m_rhs.assign(rhs, solution);
  m_solution.assign(solution, list.end());

  const auto br = static_cast<std::size_t>(m_header.block_rows);
  const auto bc = static_cast<std::size_t>(m_header.block_cols);
  for (std::size_t k = 0; k < m_num_diagonal; ++k) {
    const std::size_t block = k / (br * bc);
    const std::size_t in_block = k % (br * bc);
    rows[m_num_listed + k] = static_cast<std::int32_t>(block * br + in_block / bc);
    columns[m_num_listed + k] = static_cast<std::int32_t>(block * bc + in_block % bc);
    values[m_num_listed + k] = static_cast<T>(list[k]);
  }
}

void MatrixText::fail_at_entry(std::size_t index, const std::string& reason) const {
  for (const EntryChunk& c : m_chunks) {
    if (index < c.first_entry + c.num_entries) {
      fail_at(m_text, find_data_line(m_text, c, index - c.first_entry), reason);
    }
  }
  fail_at(m_text, m_sections, reason);
}

template std::size_t MatrixText::parse_entries(std::int32_t*, std::int32_t*, float*);
template std::size_t MatrixText::parse_entries(std::int32_t*, std::int32_t*, double*);
template std::vector<float> MatrixText::parse_array() const;
template std::vector<double> MatrixText::parse_array() const;

}  // namespace tessera::detail
