// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `choose_format` and of what the traits of formats say in words.
#include "tessera/kernels/spmv/storage_formats.hpp"

#include <cstdio>
#include <utility>

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

/// One format, and how it would do.
struct Candidate {
  Format format = Format::csr;
  FormatEstimate estimate;
};

/// CSR, and the fewest bytes among the formats that could take its place; CSR with infinitely many
/// where there is none.
struct Candidates {
  Candidate csr;
  Candidate rival;

  explicit Candidates(const FormatStatistics& s) : csr{Format::csr, CsrFormat::estimate(s)} {
    for_each_format([&]<class Trait>() {
      if constexpr (Trait::value != Format::csr) {
        FormatEstimate estimate = Trait::estimate(s);
        if (estimate.bytes < rival.estimate.bytes) rival = {Trait::value, std::move(estimate)};
      }
    });
  }
};

/// Where the product runs, as far as its speed goes by it.
std::string place(const FormatStatistics& s, bool small, bool on_host) {
  if (!small) return on_host ? "on a host" : "on a device";
  return (on_host ? "in" : "near") +
         (" a cache of " + text_of_bytes(static_cast<double>(s.cache_bytes)));
}

}  // namespace

namespace detail {

std::string text_of(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

std::string evenness(const char* what, bool uneven, std::int64_t longest, double mean) {
  if (!uneven) return std::string(what) + " even";
  return std::string(what) + " uneven (longest " + std::to_string(longest) + ", mean " +
         text_of(mean, 1) + "): load-balanced kernel";
}

std::string with_lanes(const char* kernel, int lanes, const char* of) {
  if (lanes <= 1) return kernel;
  return std::string(kernel) + ", " + std::to_string(lanes) + " lanes per " + of;
}

}  // namespace detail

const char* name_of(Format format) {
  const char* name = "";
  for_each_format([&]<class Trait>() {
    if (Trait::value == format) name = Trait::name.data();
  });
  return name;
}

FormatChoice choose_format(const FormatStatistics& s, bool on_host) {
  const bool small =
      s.csr_bytes <= (on_host ? 1 : rules::small_caches.value) * static_cast<double>(s.cache_bytes);
  const double min_saving = small     ? rules::min_saving_if_small
                            : on_host ? rules::min_saving_on_host
                                      : rules::min_saving_on_device;
  const auto [csr, rival] = Candidates(s);
  const double rival_bytes = rival.estimate.bytes;
  const bool rival_wins = s.num_entries > 0 && rival_bytes <= (1 - min_saving) * s.csr_bytes;
  const Candidate& chosen = rival_wins ? rival : csr;
  const FormatEstimate& best = chosen.estimate;
  const FormatEstimate& other = rival_wins ? csr.estimate : rival.estimate;

  FormatChoice choice;
  choice.format = chosen.format;
  choice.layout = best.layout;
  choice.statistics = s;
  choice.load_balanced = best.load_balanced;
  if (s.num_entries == 0) {
    choice.reason = "csr: no entries";
    return choice;
  }
  choice.reason = best.title + ": " + best.remark + ", " + text_of_bytes(best.bytes) +
                  " per product against " + text_of_bytes(other.bytes) + " in " + other.title;
  if (!rival_wins && rival_bytes < s.csr_bytes) {
    choice.reason += ": " + detail::text_of(100 * (1 - rival_bytes / s.csr_bytes), 0) +
                     " % saved, under the " + detail::text_of(100 * min_saving, 0) +
                     " % that pay " + place(s, small, on_host);
  }
  if (!best.row_remark.empty()) choice.reason += "; " + best.row_remark;
  return choice;
}

}  // namespace tessera::kernels
