// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/header.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "tessera/io/detail/text.hpp"

namespace tessera::detail {

namespace {

constexpr std::string_view banner_word = "%%matrixmarket";
constexpr std::string_view layout =
    "expected '%%MatrixMarket matrix coordinate|array real|integer|pattern "
    "general|symmetric|skew-symmetric'";

/// How files begin that people take for a matrix, and what to do with them.
struct OtherFile {
  std::string_view mark;
  std::string_view advice;
  std::size_t place = 0;
};
constexpr OtherFile other_files[] = {
    {{"\xFD"
      "7zXZ\0",
      6},
     "this is an xz file: unpack it (xz -dk), or pack it with gzip"},
    {"\x28\xB5\x2F\xFD", "this is a zstd file: unpack it (zstd -d), or pack it with gzip"},
    {"BZh", "this is a bzip2 file: unpack it (bzip2 -dk), or pack it with gzip"},
    {"ustar", "this is a tar archive: unpack it (tar -xf), and name the .mtx file within", 257},
    {"PK\3\4", "this is a zip file, such as of NumPy: write the matrix as Matrix Market"},
    {"MATLAB ", "this is a MATLAB file: write the matrix as Matrix Market"},
    {"\x89HDF\r\n", "this is an HDF5 file: write the matrix as Matrix Market"},
    {"\xEF\xBB\xBF", "the file begins with a byte order mark: take it off"}};

std::string_view advice_for(const Text& text) {
  const std::string_view all(text.begin, static_cast<std::size_t>(text.end - text.begin));
  for (const OtherFile& other : other_files)
    if (all.substr(std::min(other.place, all.size())).starts_with(other.mark)) return other.advice;
  return {};
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

class HeaderParser {
 public:
  explicit HeaderParser(const Text& text) : m_text(text), m_line(text.begin) {}

  MatrixMarketHeader parse(const char*& body) {
    if (m_text.begin == m_text.end) fail_at(m_text, m_line, "the file is empty");
    parse_banner();
    advance();
    parse_comments();
    parse_size_line();
    advance();
    check();
    body = m_line;
    return std::move(m_header);
  }

 private:
  std::string_view line() const {
    const char* end = end_of_line(m_text, m_line);
    return {m_line, static_cast<std::size_t>(end - m_line)};
  }

  void advance() { m_line = std::min(end_of_line(m_text, m_line) + 1, m_text.end); }

  [[noreturn]] void fail(const std::string& reason) const { fail_at(m_text, m_line, reason); }

  void parse_banner() {
    std::string_view rest = line();
    const std::string word = lower(take_token(rest));
    if (word != banner_word) {
      const std::string_view advice = advice_for(m_text);
      fail("no Matrix Market banner; " + std::string(advice.empty() ? layout : advice));
    }
    std::array<std::string, 4> words;
    for (std::string& w : words) {
      w = lower(take_token(rest));
      if (w.empty()) fail("the banner ends early; " + std::string(layout));
    }
    if (!take_token(rest).empty()) fail("the banner has too many words; " + std::string(layout));
    // Not quoted alone: of a std::string, std::quoted is found as well where <iomanip> is read.
    if (words[0] != "matrix") fail(detail::quoted(words[0]) + " is not 'matrix' in the banner");
    set_object(words[1]);
    set_field(words[2]);
    set_symmetry(words[3]);
  }

  void set_object(const std::string& word) {
    if (word == "coordinate") {
      m_header.object = MatrixObject::coordinate;
    } else if (word == "array") {
      m_header.object = MatrixObject::array;
    } else {
      fail("unknown format " + detail::quoted(word) +
           " in the banner; expected coordinate or array");
    }
  }

  void set_field(const std::string& word) {
    if (word == "real" || word == "double") {
      m_header.field = MatrixField::real;
    } else if (word == "integer") {
      m_header.field = MatrixField::integer;
    } else if (word == "pattern") {
      m_header.field = MatrixField::pattern;
    } else if (word == "complex") {
      fail("the matrix is complex; only real matrices are supported");
    } else {
      fail("unknown field " + detail::quoted(word) +
           " in the banner; expected real, integer or pattern");
    }
  }

  void set_symmetry(const std::string& word) {
    if (word == "general") {
      m_header.symmetry = MatrixSymmetry::general;
    } else if (word == "symmetric") {
      m_header.symmetry = MatrixSymmetry::symmetric;
    } else if (word == "skew-symmetric") {
      m_header.symmetry = MatrixSymmetry::skew_symmetric;
    } else if (word == "hermitian") {
      fail("the matrix is hermitian; only real matrices are supported");
    } else {
      fail("unknown symmetry " + detail::quoted(word) +
           " in the banner; expected general, symmetric or skew-symmetric");
    }
  }

  void parse_comments() {
    for (; m_line < m_text.end; advance()) {
      std::string_view rest = line();
      const std::string word = lower(take_token(rest));
      if (word.empty()) continue;
      if (word[0] != '%') return;
      if (word == "%%amgx" || word == "%%nvamg") {
        parse_amgx(rest);
      } else {
        std::string_view comment = line();
        comment.remove_prefix(comment.find('%') + 1);
        while (!comment.empty() && is_blank(comment.back()))
          comment.remove_suffix(1);
        m_header.comment.append(comment).append("\n");
      }
    }
  }

  void parse_amgx(std::string_view rest) {
    std::array<int, 2> blocks = {1, 1};
    int given = 0;
    for (std::string word = lower(take_token(rest)); !word.empty();
         word = lower(take_token(rest))) {
      std::int64_t number = 0;
      std::string reason;
      if (word == "diagonal") {
        m_header.external_diagonal = true;
      } else if (word == "rhs") {
        m_header.has_rhs = true;
      } else if (word == "solution") {
        m_header.has_solution = true;
      } else if (word == "base0") {
        m_header.index_base = 0;
      } else if (is_digit(word[0]) && given < 2 && parse_count(word, number, reason) &&
                 number >= 1 && number <= 1024) {
        blocks[given++] = static_cast<int>(number);
      } else if (word != "sorted") {
        fail("unknown word " + detail::quoted(word) +
             " after %%AMGX; expected block sizes, diagonal, rhs, solution, sorted or base0");
      }
    }
    m_header.block_rows = blocks[0];
    m_header.block_cols = given == 2 ? blocks[1] : blocks[0];
  }

  void parse_size_line() {
    if (m_line >= m_text.end) fail("the file ends before its size line");
    const bool coordinate = m_header.object == MatrixObject::coordinate;
    const std::array<std::pair<const char*, std::int64_t*>, 3> fields = {
        std::pair{"rows", &m_header.num_rows}, std::pair{"columns", &m_header.num_cols},
        std::pair{"entries", &m_header.num_entries}};
    std::string_view rest = line();
    for (std::size_t i = 0; i < (coordinate ? 3U : 2U); ++i) {
      const std::string_view token = take_token(rest);
      std::string reason = "it is missing";
      if (token.empty() || !parse_count(token, *fields[i].second, reason)) {
        fail("bad number of " + std::string(fields[i].first) + " in the size line: " + reason);
      }
    }
    const std::string_view extra = take_token(rest);
    if (!extra.empty()) fail("the size line goes on after its numbers: " + detail::quoted(extra));
    check_sizes();
  }

  void check_sizes() const {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    const auto& h = m_header;
    if (h.num_rows > largest || h.num_cols > largest) {
      fail(std::to_string(h.num_rows) + " rows and " + std::to_string(h.num_cols) +
           " columns: at most 2147483647 of each are supported");
    }
    if (h.symmetry != MatrixSymmetry::general && h.num_rows != h.num_cols) {
      fail("the banner promises symmetry, but " + std::to_string(h.num_rows) + " by " +
           std::to_string(h.num_cols) + " is not square");
    }
    if (h.num_rows % h.block_rows != 0 || h.num_cols % h.block_cols != 0) {
      fail("the matrix does not divide into blocks of " + std::to_string(h.block_rows) + " by " +
           std::to_string(h.block_cols));
    }
  }

  void check() {
    auto& h = m_header;
    const bool amgx = h.external_diagonal || h.has_rhs || h.has_solution || h.index_base == 0;
    const bool general = h.symmetry == MatrixSymmetry::general;
    if (h.object == MatrixObject::array) {
      if (h.field == MatrixField::pattern) fail_at(m_text, m_text.begin, "an array has no pattern");
      if (amgx) fail_at(m_text, m_text.begin, "%%AMGX options need the coordinate format");
      const std::int64_t n = h.num_rows;
      h.num_entries = general ? n * h.num_cols
                              : n * (h.symmetry == MatrixSymmetry::symmetric ? n + 1 : n - 1) / 2;
    }
    if (h.external_diagonal && h.num_rows / h.block_rows != h.num_cols / h.block_cols) {
      fail_at(m_text, m_text.begin, "an external diagonal needs a square matrix of blocks");
    }
    if (h.external_diagonal && !general && (h.block_rows > 1 || h.block_cols > 1)) {
      fail_at(m_text, m_text.begin, "an external diagonal of blocks needs a general matrix");
    }
    if (h.external_diagonal && h.symmetry == MatrixSymmetry::skew_symmetric) {
      fail_at(m_text, m_text.begin, "a skew-symmetric matrix has no diagonal");
    }
  }

  const Text& m_text;
  const char* m_line;
  MatrixMarketHeader m_header;
};

}  // namespace

bool has_matrix_market_banner(const Text& text) {
  const std::string_view whole(text.begin, static_cast<std::size_t>(text.end - text.begin));
  return lower(whole.substr(0, banner_word.size())) == banner_word;
}

MatrixMarketHeader parse_header(const Text& text, const char*& body) {
  return HeaderParser(text).parse(body);
}

}  // namespace tessera::detail
