// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/info_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "app/machine.hpp"
#include "app/matrix_properties.hpp"
#include "app/options.hpp"
#include "app/terminal.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/solve.hpp"

namespace tessera::app {

namespace {

/// U+2800 plus eight dots as UTF-8.
std::string braille(unsigned dots) {
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
          static_cast<char>(0x80 | (dots & 0x3F))};
}

/// A braille character is two dots wide and four high; the bit of each dot, row by row.
constexpr unsigned dot_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

/// Dots of the picture: small matrices are not blown up to fill it.
struct Canvas {
  int height;
  int width;
};

Canvas canvas(const MatrixProperties& info) {
  const auto side = [](std::int64_t n) {
    return static_cast<int>(std::min<std::int64_t>(n, picture_side));
  };
  return {side(info.rows), side(info.cols)};
}

bool any_entry(const MatrixProperties& info, const Canvas& size, int y, int x) {
  if (y >= size.height || x >= size.width) return false;
  for (int v = y * picture_side / size.height; v < (y + 1) * picture_side / size.height; ++v) {
    const std::size_t row = v;
    for (int u = x * picture_side / size.width; u < (x + 1) * picture_side / size.width; ++u) {
      if (info.picture[row * picture_side + u] > 0) return true;
    }
  }
  return false;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? std::string("none")
                    : fmt::format("{:.1f}%",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// What to solve with; a matrix without rows asks for nothing.
std::vector<Recommendation> recommendations(const MatrixProperties& info) {
  if (info.rows == 0) return {{"", "The matrix has no rows: there is nothing to solve."}};
  return recommend(info);
}

std::string symmetry_text(const MatrixProperties& info) {
  if (!info.square()) return "not square";
  if (!info.pattern_symmetric()) {
    return fmt::format("pattern nonsymmetric ({} of the entries have no partner)",
                       percent(info.unmatched_pattern, info.entries));
  }
  if (info.asymmetry == 0) return "symmetric, exactly";
  if (info.symmetric()) return fmt::format("symmetric to rounding ({:.1e})", info.asymmetry);
  return fmt::format(
      "pattern symmetric, values not (largest difference {:.1e} of the largest entry)",
      info.asymmetry);
}

std::string diagonal_text(const MatrixProperties& info) {
  std::string text =
      info.zero_diagonal == 0 ? "no zeros" : fmt::format("{} zero or missing", info.zero_diagonal);
  text += info.negative_diagonal == 0 ? ", none negative"
                                      : fmt::format(", {} negative", info.negative_diagonal);
  return text;
}

}  // namespace

std::string pattern_picture(const MatrixProperties& info, bool unicode) {
  const Canvas size = canvas(info);
  const int cell_height = unicode ? 4 : 2;
  const int cell_width = unicode ? 2 : 1;
  std::string picture;
  for (int y = 0; y < size.height; y += cell_height) {
    picture += "  ";
    for (int x = 0; x < size.width; x += cell_width) {
      unsigned dots = 0;
      for (int v = 0; v < cell_height; ++v) {
        for (int u = 0; u < cell_width; ++u) {
          if (any_entry(info, size, y + v, x + u)) dots |= dot_bits[v][u];
        }
      }
      picture += unicode ? braille(dots) : std::string(dots != 0 ? "#" : " ");
    }
    picture += "\n";
  }
  return picture;
}

std::string info_text(const MatrixProperties& info, const std::string& name, bool unicode) {
  std::string out =
      fmt::format("{}: {} x {}, {} entries\n\n", name, info.rows, info.cols, info.entries);
  out += pattern_picture(info, unicode) + "\n";
  const auto line = [&out](const char* what, const std::string& text) {
    out += fmt::format("  {:<22}{}\n", what, text);
  };
  line("entries per row",
       fmt::format("mean {:.2f}, from {} to {}, standard deviation {:.2f}", info.mean_row,
                   info.shortest_row, info.longest_row, info.row_deviation));
  line("empty rows", fmt::format("{}; rows with their diagonal alone: {}", info.empty_rows,
                                 info.single_entry_rows));
  line("bandwidth", fmt::format("{}", info.bandwidth));
  line("duplicates", fmt::format("{}", info.duplicates));
  line("magnitudes", fmt::format("from {:.3e} to {:.3e}; explicit zeros: {}", info.smallest,
                                 info.largest, info.explicit_zeros));
  line("NaN or infinite", fmt::format("{}", info.not_finite));
  line("symmetry", symmetry_text(info));
  line("diagonal", diagonal_text(info));
  line("diagonal dominance",
       fmt::format("{} of the rows, {} strictly", percent(info.dominant_rows, info.rows),
                   percent(info.strictly_dominant_rows, info.rows)));
  line("positive couplings",
       fmt::format(
           "{} of the off-diagonal entries have the diagonal's sign",
           percent(info.positive_couplings, std::max<std::int64_t>(1, info.entries - info.rows))));
  line("4 x 4 tiles", fmt::format("{}, {:.2f} of 16 places filled", info.tiles, info.tile_density));
  line("format of products", info.format.reason);
  if (info.has_forecast) {
    const auto megabytes = [](std::size_t bytes) {
      return fmt::format("{:.3g} MB", 1e-6 * static_cast<double>(bytes));
    };
    line("memory to solve",
         fmt::format("forecast {} at the peak of setup, {} with a solve, beside the matrix",
                     megabytes(info.memory.setup_bytes),
                     megabytes(info.memory.kept_bytes + info.memory.solve_bytes)));
  }
  out += "\nRecommended\n";
  const auto recommended = recommendations(info);
  std::size_t width = 0;
  for (const Recommendation& advice : recommended)
    width = std::max(width, advice.setting.size());
  for (const Recommendation& advice : recommended) {
    out += advice.setting.empty()
               ? fmt::format("  {}\n", advice.reason)
               : fmt::format("  -p {:<{}}  {}\n", advice.setting, width, advice.reason);
  }
  return out;
}

std::string info_json(const MatrixProperties& info, const std::string& name) {
  nlohmann::ordered_json json = {
      {"matrix", name},
      {"rows", info.rows},
      {"cols", info.cols},
      {"entries", info.entries},
      {"row_length",
       {{"shortest", info.shortest_row},
        {"longest", info.longest_row},
        {"mean", info.mean_row},
        {"standard_deviation", info.row_deviation}}},
      {"empty_rows", info.empty_rows},
      {"single_entry_rows", info.single_entry_rows},
      {"bandwidth", info.bandwidth},
      {"duplicates", info.duplicates},
      {"not_finite", info.not_finite},
      {"explicit_zeros", info.explicit_zeros},
      {"smallest_magnitude", info.smallest},
      {"largest_magnitude", info.largest},
      {"pattern_symmetric", info.pattern_symmetric()},
      {"symmetric", info.symmetric()},
      {"asymmetry", info.asymmetry},
      {"zero_diagonal", info.zero_diagonal},
      {"negative_diagonal", info.negative_diagonal},
      {"dominant_rows", info.dominant_rows},
      {"strictly_dominant_rows", info.strictly_dominant_rows},
      {"positive_couplings", info.positive_couplings},
      {"zero_sum_rows", info.zero_sum_rows},
      {"tiles", info.tiles},
      {"tile_density", info.tile_density},
      {"format",
       {{"choice", kernels::name_of(info.format.format)}, {"reason", info.format.reason}}}};
  if (info.has_forecast) {
    json["memory"] = {{"setup_forecast_bytes", info.memory.setup_bytes},
                      {"kept_forecast_bytes", info.memory.kept_bytes},
                      {"solve_forecast_bytes", info.memory.solve_bytes},
                      {"peak_forecast_bytes", info.memory.peak_bytes()}};
  }
  for (const Recommendation& advice : recommendations(info)) {
    json["recommended"].push_back({{"setting", advice.setting}, {"reason", advice.reason}});
  }
  // A NaN among the values leaves statistics that JSON cannot hold: they become null.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// What `tessera solve` would take on this host. False where it has nothing to solve with this
/// matrix.
bool make_forecast(const HostSpace& exec, const kernels::Csr<double, HostSpace, std::int64_t>& A,
                   MatrixProperties& properties) {
  const bool is_clean = properties.not_finite == 0 && properties.duplicates == 0;
  if (!properties.square() || properties.rows == 0 || !is_clean) return false;
  try {
    properties.memory = Solver<double, HostSpace, std::int64_t>().forecast_memory(exec, A);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::out_of_memory) throw;
    return false;
  }
  return true;
}

ExitCode run_info(const InfoOptions& options) {
  const KokkosSession kokkos(0);
  const HostSpace exec;
  ReadOptions how;
  how.duplicates = options.sum_duplicates ? Duplicates::sum : Duplicates::error;
  MatrixProperties properties;
  {
    Progress progress(true);
    progress.start("reading " + options.matrix);
    const auto file = read_matrix<double, std::int64_t>(exec, options.matrix, how);
    std::string step = "looking at " + options.matrix;
    progress.start(step);
    detail::with_memory_errors([&] { return step; },
                               [&] { properties = matrix_properties(exec, file.A); }, "");
    step = "forecast of memory for " + options.matrix;
    progress.start(step);
    detail::with_memory_errors(
        [&] { return step; },
        [&] { properties.has_forecast = make_forecast(exec, file.A, properties); }, "");
  }
  fmt::print("{}", options.json ? info_json(properties, options.matrix)
                                : info_text(properties, options.matrix, terminal_shows_unicode()));
  return ExitCode::success;
}

}  // namespace tessera::app
