// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Seeded mutations of inputs, for bytes and for text alike.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Makes inputs from others; the same seed makes the same ones on every machine.
class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<Bytes> inputs, std::size_t max_bytes)
      : m_random(seed), m_inputs(std::move(inputs)), m_max_bytes(max_bytes) {}

  Bytes next() {
    Bytes bytes = other();
    for (std::size_t n = std::size_t{1} << below(5); n > 0; --n)
      change(bytes);
    bytes.resize(std::min(bytes.size(), m_max_bytes));
    return bytes;
  }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t size;
  };

  /// 0 where n is.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(m_random() % n); }

  const Bytes& other() { return m_inputs[below(m_inputs.size())]; }

  /// Short ones mostly.
  Piece piece(const Bytes& bytes) {
    const std::size_t begin = below(bytes.size());
    const std::size_t longest = std::min(bytes.size() - begin, std::size_t{1} << below(10));
    return {begin, std::min(bytes.size() - begin, 1 + below(longest))};
  }

  /// A number or a word around a random place; empty where there is none.
  Piece token(const Bytes& bytes) {
    const auto inside = [](std::uint8_t c) {
      return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.' || c == '_';
    };
    std::size_t begin = below(bytes.size());
    while (begin < bytes.size() && !inside(bytes[begin]))
      ++begin;
    std::size_t end = begin;
    while (begin > 0 && inside(bytes[begin - 1]))
      --begin;
    while (end < bytes.size() && inside(bytes[end]))
      ++end;
    return {begin, end - begin};
  }

  template <class Range>
  static void replace(Bytes& bytes, Piece old, const Range& by) {
    const auto at = bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(old.begin),
                                bytes.begin() + static_cast<std::ptrdiff_t>(old.begin + old.size));
    bytes.insert(at, by.begin(), by.end());
  }

  static Bytes cut(const Bytes& bytes, Piece piece) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(piece.begin);
    return {begin, begin + static_cast<std::ptrdiff_t>(piece.size)};
  }

  void change(Bytes& bytes) {
    // Without bounds, copies of copies would take all of the time.
    if (bytes.size() > m_max_bytes) bytes.resize(m_max_bytes);
    const std::size_t at = below(bytes.size());
    switch (below(bytes.empty() ? 2 : 10)) {
      case 0:
        return replace(bytes, {at, 0}, Bytes(1 + below(8), static_cast<std::uint8_t>(m_random())));
      case 1: {
        const Bytes& from = other();
        return replace(bytes, {at, 0}, cut(from, piece(from)));
      }
      case 2:
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1U << below(8)));
        return;
      case 3:
        return replace(bytes, piece(bytes), Bytes());
      case 4: {
        const Bytes copy = cut(bytes, piece(bytes));
        return replace(bytes, {at, below(2) * std::min(copy.size(), bytes.size() - at)}, copy);
      }
      case 5: {  // two inputs, one behind the other
        const Bytes& from = other();
        const std::size_t begin = below(from.size());
        return replace(bytes, {at, bytes.size() - at}, cut(from, {begin, from.size() - begin}));
      }
      case 6:
        return set_number(bytes, at);
      case 7:
        return replace(bytes, token(bytes), std::string_view(limits[below(limits.size())]));
      case 8: {
        const Bytes& from = other();
        return replace(bytes, token(bytes), cut(from, token(from)));
      }
      default:
        return change_digit(bytes, token(bytes));
    }
  }

  /// A binary number at its limits, of 1, 2, 4 or 8 bytes.
  void set_number(Bytes& bytes, std::size_t at) {
    const std::uint64_t number = numbers[below(numbers.size())] + below(3) - 1;
    const std::size_t size = std::min(std::size_t{1} << below(4), bytes.size() - at);
    for (std::size_t i = 0; i < size; ++i)
      bytes[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
  }

  void change_digit(Bytes& bytes, Piece word) {
    constexpr std::string_view in_numbers = "0123456789-+.eE";
    if (word.size == 0) return;
    bytes[word.begin + below(word.size)] =
        static_cast<std::uint8_t>(in_numbers[below(in_numbers.size())]);
  }

  static constexpr std::array limits = {
      "0",
      "-0",
      "-1",
      "1",
      "2",
      "2147483647",
      "2147483648",
      "-2147483649",
      "4294967296",
      "9223372036854775807",
      "-9223372036854775808",
      "9223372036854775808",
      "18446744073709551616",
      "1e308",
      "1e309",
      "-1e308",
      "1e-308",
      "1e-320",
      "5e-324",
      "1e-400",
      "3.5e38",
      "1e-46",
      "nan",
      "-nan",
      "inf",
      "-inf",
      "infinity",
      "0x10",
      "1.",
      ".5",
      "1e",
      "00",
      "true",
      "null",
      "0.1000000000000000055511151231257827021181583404541015625"};

  static constexpr std::array<std::uint64_t, 14> numbers = {
      0,
      0x7f,
      0xff,
      0x7fff,
      0xffff,
      0x7fffffff,
      0x80000000,
      0xffffffff,
      std::uint64_t{1} << 56U,
      std::uint64_t{1} << 63U,
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()),
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()),
      std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity())};

  std::mt19937_64 m_random;
  std::vector<Bytes> m_inputs;
  std::size_t m_max_bytes;
};

}  // namespace tessera::fuzz
