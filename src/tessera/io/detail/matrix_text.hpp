// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parser of Matrix Market text: checks the head and counts the entries first, so that the
/// caller can provide the memory, then fills it by several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tessera/io/detail/text.hpp"
#include "tessera/io/matrix_market_header.hpp"

namespace tessera::detail {

/// A piece of the entries' text: whole lines, and which entries stand there.
struct EntryChunk {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::size_t first_entry = 0;
  std::size_t num_entries = 0;
};

/// Called with the bytes parsed so far and all of them, from the thread that reads.
using Progress = std::function<void(std::size_t, std::size_t)>;

class MatrixText {
 public:
  /// Parses the head and finds where each entry stands. The text must outlive this object. Throws
  /// `Error(bad_input)` where the head is bad or the number of entries is not the promised one.
  MatrixText(const Text& text, int threads, Progress progress = {});

  const MatrixMarketHeader& header() const { return m_header; }

  /// Entries that `parse_entries` yields at most: those listed and those of an external diagonal.
  /// Bounded by the text's length, whatever its size line promises.
  std::size_t max_entries() const { return m_num_listed + m_num_diagonal; }

  /// Writes the stored entries with 0-based rows and columns in the file's order, the external
  /// diagonal after them; the zeros of an array are left out. Returns how many. Each array has
  /// room for `max_entries()`. Throws `Error(bad_input)` at the first bad line.
  template <class T>
  std::size_t parse_entries(std::int32_t* rows, std::int32_t* columns, T* values);

  /// The values of an `array` file in its order, zeros included.
  template <class T>
  std::vector<T> parse_array() const;

  /// AmgX's sections; empty where the file has none. Call after `parse_entries`.
  std::vector<double> take_rhs() { return std::move(m_rhs); }
  std::vector<double> take_solution() { return std::move(m_solution); }

  /// Throws `Error(bad_input)` at the line of entry `index`, in the order of `parse_entries`.
  [[noreturn]] void fail_at_entry(std::size_t index, const std::string& reason) const;

 private:
  void locate_entries();
  std::size_t count_entries();
  template <class T>
  void parse_listed(std::int32_t* rows, std::int32_t* columns, T* values);
  template <class T>
  std::size_t parse_dense(std::int32_t* rows, std::int32_t* columns, T* values);
  template <class T>
  void parse_sections(std::int32_t* rows, std::int32_t* columns, T* values);

  const Text& m_text;
  int m_threads;
  Progress m_progress;
  const char* m_body = nullptr;  ///< behind the size line; set while m_header is made
  MatrixMarketHeader m_header;
  const char* m_sections = nullptr;  ///< behind the last listed entry
  std::vector<EntryChunk> m_chunks;
  std::size_t m_num_listed = 0;
  std::size_t m_num_diagonal = 0;
  std::vector<double> m_rhs;
  std::vector<double> m_solution;
};

}  // namespace tessera::detail
