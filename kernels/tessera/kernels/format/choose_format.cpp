// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `choose_format`.
#include "tessera/kernels/format/select_format.hpp"

#include <cstdio>
#include <limits>

namespace tessera::kernels {
namespace {

/// With three digits and a unit: "1.74 GB".
std::string text_of_bytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 4; ++unit)
    bytes /= 1000;
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f %s", decimals, bytes, units[unit]);
  return text;
}

std::string text_of(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

struct Candidate {
  Format format = Format::csr;
  TileLayout layout = TileLayout::packed;
  double bytes = std::numeric_limits<double>::infinity();
};

/// The fewest bytes among the formats that could take the place of CSR; CSR where there is none.
Candidate best_rival(const FormatStatistics& s) {
  Candidate best;
  const auto consider = [&](Format format, TileLayout layout, double bytes) {
    if (bytes < best.bytes) best = {format, layout, bytes};
  };
  const bool dense = s.entries_per_tile() >= min_dense_entries_per_tile;
  consider(Format::mbsr, dense ? TileLayout::dense : TileLayout::packed,
           dense ? s.mbsr_dense_bytes : s.mbsr_packed_bytes);
  if (s.ell_padding <= max_ell_padding) {
    consider(Format::ell, TileLayout::packed, s.ell_bytes);
  } else {
    consider(Format::hyb, TileLayout::packed, s.hyb_bytes);
  }
  consider(Format::coo, TileLayout::packed, s.coo_bytes);
  return best;
}

std::string evenness(const char* what, bool uneven, std::int64_t longest, double mean) {
  if (!uneven) return std::string(what) + " even";
  return std::string(what) + " uneven (longest " + std::to_string(longest) + ", mean " +
         text_of(mean, 1) + "): load-balanced kernel";
}

/// What is said of a format before its bytes.
std::string remark(const Candidate& c, const FormatStatistics& s) {
  switch (c.format) {
    case Format::mbsr:
    case Format::csr:
      return text_of(s.entries_per_tile(), 2) + " entries per tile";
    case Format::ell:
      return std::to_string(s.rows.longest) + " slots per row, " + text_of(100 * s.ell_padding, 1) +
             " % padding";
    case Format::hyb:
      return std::to_string(s.hyb_width) + " slots per row and " + std::to_string(s.hyb_rest) +
             " entries beside";
    case Format::coo:
      return text_of(s.rows.mean, 2) + " entries per row, " + std::to_string(s.rows.empty_rows) +
             " rows empty";
  }
  return {};
}

std::string title(const Candidate& c) {
  const std::string name = name_of(c.format);
  if (c.format != Format::mbsr) return name;
  return name + (c.layout == TileLayout::packed ? ", packed" : ", dense");
}

/// Where the product runs, as far as its speed goes by it.
std::string place(const FormatStatistics& s, bool small, bool on_host) {
  if (!small) return on_host ? "on a host" : "on a device";
  return (on_host ? "in" : "near") +
         (" a cache of " + text_of_bytes(static_cast<double>(s.cache_bytes)));
}

/// How the rows of the chosen format compare.
std::string row_remark(const Candidate& c, const FormatStatistics& s) {
  if (c.format == Format::mbsr) {
    return evenness("tile rows", s.tile_rows_uneven(), s.longest_tile_row, s.mean_tile_row);
  }
  return evenness("rows", s.rows_uneven(), s.rows.longest, s.rows.mean);
}

}  // namespace

const char* name_of(Format format) {
  switch (format) {
    case Format::csr:
      return "csr";
    case Format::coo:
      return "coo";
    case Format::ell:
      return "ell";
    case Format::hyb:
      return "hyb";
    case Format::mbsr:
      return "mbsr";
  }
  return "";
}

FormatChoice choose_format(const FormatStatistics& s, bool on_host) {
  const bool small =
      s.csr_bytes <= (on_host ? 1 : small_caches) * static_cast<double>(s.cache_bytes);
  const double min_saving = small     ? min_saving_if_small
                            : on_host ? min_saving_on_host
                                      : min_saving_on_device;
  const Candidate csr{Format::csr, TileLayout::packed, s.csr_bytes};
  const Candidate rival = best_rival(s);
  const bool rival_wins = s.num_entries > 0 && rival.bytes <= (1 - min_saving) * s.csr_bytes;
  const Candidate& chosen = rival_wins ? rival : csr;
  const Candidate& other = rival_wins ? csr : rival;

  FormatChoice choice;
  choice.format = chosen.format;
  choice.layout = chosen.layout;
  choice.statistics = s;
  const bool by_tiles = chosen.format == Format::mbsr;
  const bool by_rows = chosen.format == Format::csr;
  choice.load_balanced = (by_tiles && s.tile_rows_uneven()) || (by_rows && s.rows_uneven());
  if (s.num_entries == 0) {
    choice.reason = "csr: no entries";
    return choice;
  }
  choice.reason = title(chosen) + ": " + remark(chosen, s) + ", " + text_of_bytes(chosen.bytes) +
                  " a product against " + text_of_bytes(other.bytes) + " in " + title(other);
  if (!rival_wins && rival.bytes < csr.bytes) {
    choice.reason += ": " + text_of(100 * (1 - rival.bytes / csr.bytes), 0) +
                     " % saved, under the " + text_of(100 * min_saving, 0) + " % that pay " +
                     place(s, small, on_host);
  }
  const bool fixed_kernel = chosen.format != Format::csr && chosen.format != Format::mbsr;
  if (!fixed_kernel) choice.reason += "; " + row_remark(chosen, s);
  return choice;
}

}  // namespace tessera::kernels
