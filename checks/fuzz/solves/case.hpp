// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One run of fuzz_solves: all that is drawn for it.
#pragma once

#include "support/random_matrix.hpp"

#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::fuzz {

/// The stream of draws of one kind for one run.
class Draw : public test::Random {
 public:
  Draw(std::uint64_t seed, std::uint64_t run, std::uint64_t kind)
      : Random(Random(seed).next() ^ Random(2 * run + kind).next()) {}

  bool chance(double share) { return uniform() < share; }
  /// From `low` to `high`, both possible.
  int between(int low, int high) { return low + below(high - low + 1); }
  /// From 1 to `most`, as many small as large ones.
  int size_up_to(int most);
  /// A power of ten of up to that many digits, either way.
  double decades(double most);
};

/// Keys and values as `-p KEY=VALUE` takes them, in an order in which they can be set.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The system and the settings of a run. Numbers are in double, rounded to float where the solve is
/// in float.
struct Case {
  bool in_float = false;
  test::HostMatrix<double> A;
  test::HostMatrix<double> next_A;  ///< of the same pattern, for an update
  int num_columns = 1;
  std::vector<double> b;  ///< column after column, as all vectors
  std::vector<double> x0;
  std::vector<double> near_nullspace;
  int num_near_nullspace = 0;
  int block_size = 0;  ///< 0: to be found; one that does not divide the rows is refused
  std::vector<double> nullspace;  ///< a vector that is given as such; empty: none
  std::string description;  ///< of the system
  Settings settings;
  /// A number out of the range of its key, which the library itself has to refuse.
  std::optional<std::pair<std::string, double>> out_of_range;
  bool has_forecast = false;  ///< the setup comes after a forecast of its memory
  bool is_repeated = false;  ///< by another Solver, which has to find the same bits
  bool is_updated = false;  ///< to `next_A`, and solved again
};

/// The run of that number; the same on each machine, but for the last bits of powers.
Case draw_case(std::uint64_t seed, std::uint64_t run);

/// Adds the matrix and its vectors, and changes them.
void draw_system(Draw& draw, Case& drawn);
/// Changes the matrix, and adds right-hand sides, guesses and the values of an update.
void draw_changes(Draw& draw, Case& drawn);
/// Adds settings.
void draw_settings(Draw& draw, Case& drawn);

/// A value that the parameter takes.
std::string draw_value(Draw& draw, const parameters::Parameter& parameter);

/// What the settings come to.
SolveParameters parameters_of(const Case& drawn);

/// " -p KEY=VALUE" for each.
std::string to_text(const Case& drawn);

}  // namespace tessera::fuzz
