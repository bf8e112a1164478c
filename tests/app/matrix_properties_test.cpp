// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/matrix_properties.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "app/info_text.hpp"
#include "support/device.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

namespace tessera::app::matrix_properties_test {

using Matrix = kernels::Csr<double, HostSpace, std::int64_t>;
struct Entry {
  Ordinal row, col;
  double value;
};

/// A matrix with the entries in the order given within each row.
Matrix make(Ordinal rows, Ordinal cols, const std::vector<Entry>& entries) {
  std::vector<std::vector<std::pair<Ordinal, double>>> by_row(rows);
  for (const Entry& entry : entries)
    by_row[entry.row].emplace_back(entry.col, entry.value);
  return test::make_csr<std::int64_t>(HostSpace(), test::from_rows(cols, by_row));
}

Matrix laplacian1d(Ordinal n) {
  return test::make_csr<std::int64_t>(HostSpace(), test::poisson<double>(n));
}

MatrixProperties properties_of(const Matrix& A) { return matrix_properties(HostSpace(), A); }

TEST(MatrixProperties, OfTheOneDimensionalLaplacian) {
  const MatrixProperties p = properties_of(laplacian1d(100));
  EXPECT_EQ(p.rows, 100);
  EXPECT_EQ(p.entries, 298);
  EXPECT_EQ(p.shortest_row, 2);
  EXPECT_EQ(p.longest_row, 3);
  EXPECT_NEAR(p.mean_row, 2.98, 1e-12);
  EXPECT_EQ(p.bandwidth, 1);
  EXPECT_TRUE(p.symmetric());
  EXPECT_TRUE(p.looks_spd());
  EXPECT_EQ(p.asymmetry, 0);
  EXPECT_EQ(p.dominant_rows, 100);
  EXPECT_EQ(p.strictly_dominant_rows, 2);
  EXPECT_EQ(p.zero_sum_rows, 98);
  EXPECT_EQ(p.positive_couplings, 0);
  EXPECT_EQ(p.smallest, 1);
  EXPECT_EQ(p.largest, 2);
  EXPECT_EQ(p.tiles, 25 + 2 * 24);
  EXPECT_EQ(recommend(p)[0].setting, "solver.name=cg");
}

/// True where `info` recommends the setting.
bool recommends(const MatrixProperties& info, const std::string& setting) {
  const auto advice = recommend(info);
  return std::any_of(advice.begin(), advice.end(),
                     [&](const Recommendation& one) { return one.setting == setting; });
}

TEST(MatrixProperties, AreWhatSolvePicksFrom) {
  const HostSpace exec;
  std::vector<Entry> dominant;  // and nonsymmetric
  std::vector<Entry> saddle{{0, 0, 1}, {0, 1, 2}, {1, 0, 2}};  // no diagonal in row 1
  std::vector<Entry> wide;  // a diagonal from 1 to 1e8
  for (Ordinal i = 0; i < 50; ++i) {
    dominant.push_back({i, i, 4});
    dominant.push_back({i, (i + 1) % 50, -1});
    wide.push_back({i, i, i % 2 == 0 ? 1 : 1e8});
  }
  for (const Matrix& A :
       {laplacian1d(50), make(50, 50, dominant), make(2, 2, saddle), make(50, 50, wide)}) {
    const MatrixProperties info = properties_of(A);
    Solver<double, HostSpace, std::int64_t> solver;
    solver.setup(exec, A);
    SolveParameters picked = solver.parameters();
    for (const auto& [key, value] : parameters::ParameterTree(picked).values()) {
      if (key != "solver.name" && key != "preconditioner" && key != "precision") continue;
      EXPECT_TRUE(recommends(info, key + "=" + parameters::to_text(value)))
          << key << "=" << parameters::to_text(value);
    }
  }
  EXPECT_TRUE(recommends(properties_of(make(50, 50, wide)), "precision=same"));
}

TEST(MatrixProperties, RecommendNoMultigridForALargeSaddlePoint) {
  for (const Ordinal pairs : {300, 1500}) {
    std::vector<Entry> saddle;
    for (Ordinal i = 0; i < pairs; ++i) {
      saddle.push_back({i, i, 1});
      saddle.push_back({i, pairs + i, 2});
      saddle.push_back({pairs + i, i, 2});
    }
    const MatrixProperties info = properties_of(make(2 * pairs, 2 * pairs, saddle));
    const bool small = pairs == 300;
    EXPECT_EQ(recommends(info, "preconditioner=none"), !small);
    EXPECT_EQ(recommends(info, "preconditioner=amg"), small);
    EXPECT_EQ(recommends(info, "amg.coarse_size=600"), small);
  }
}

TEST(MatrixProperties, SayWhichFormatSuitsAndWhy) {
  const MatrixProperties p = properties_of(laplacian1d(100));
  const std::string name = kernels::name_of(p.format.format);
  EXPECT_TRUE(p.format.reason.starts_with(name)) << p.format.reason;
  EXPECT_NE(info_text(p, "A.mtx", false).find(p.format.reason), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(info_json(p, "A.mtx"))["format"]["choice"], name);
}

TEST(MatrixProperties, OfEdgeCases) {
  const MatrixProperties empty = properties_of(make(0, 0, {}));
  EXPECT_EQ(empty.entries, 0);
  EXPECT_EQ(empty.longest_row, 0);
  EXPECT_FALSE(empty.constant_nullspace());
  const MatrixProperties hollow = properties_of(make(5, 5, {}));
  EXPECT_EQ(hollow.empty_rows, 5);
  EXPECT_EQ(hollow.zero_diagonal, 5);
  const MatrixProperties wide = properties_of(make(2, 7, {{0, 6, 1}, {1, 0, 1}}));
  EXPECT_FALSE(wide.square());
  EXPECT_EQ(wide.bandwidth, 6);
  EXPECT_NE(recommend(wide)[0].reason.find("not square"), std::string::npos);
  const MatrixProperties one = properties_of(make(1, 1, {{0, 0, 4}}));
  EXPECT_EQ(one.single_entry_rows, 1);
  EXPECT_TRUE(one.looks_spd());
}

TEST(MatrixProperties, FindsWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MatrixProperties p = properties_of(
      make(3, 3, {{0, 2, 5}, {0, 0, 1}, {0, 2, 5}, {1, 1, -2}, {1, 0, nan}, {2, 2, 0}}));
  EXPECT_EQ(p.duplicates, 1) << "rows need not be sorted";
  EXPECT_EQ(p.not_finite, 1);
  EXPECT_EQ(p.explicit_zeros, 1);
  EXPECT_EQ(p.zero_diagonal, 1);
  EXPECT_EQ(p.negative_diagonal, 1);
  EXPECT_FALSE(p.pattern_symmetric());
  EXPECT_EQ(p.unmatched_pattern, 3);
  EXPECT_NE(recommend(p)[0].reason.find("NaN"), std::string::npos);
}

TEST(MatrixProperties, AgreeWithAPlainCountOnRandomMatrices) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Ordinal n = std::uniform_int_distribution<Ordinal>(1, 90)(random);
    std::set<std::pair<Ordinal, Ordinal>> places;
    const int wanted = std::uniform_int_distribution<int>(0, 4 * n)(random);
    for (int k = 0; k < wanted; ++k) {
      places.insert({static_cast<Ordinal>(random() % n), static_cast<Ordinal>(random() % n)});
    }
    std::vector<Entry> entries;
    for (const auto& [i, j] : places)
      entries.push_back({i, j, 1.0 + static_cast<double>(random() % 5)});
    std::shuffle(entries.begin(), entries.end(), random);
    const MatrixProperties p = properties_of(make(n, n, entries));

    std::int64_t unmatched = 0;
    std::set<std::pair<Ordinal, Ordinal>> tiles;
    for (const auto& [i, j] : places) {
      if (!places.contains({j, i})) ++unmatched;
      tiles.insert({i / 4, j / 4});
    }
    EXPECT_EQ(p.entries, static_cast<std::int64_t>(places.size()));
    EXPECT_EQ(p.unmatched_pattern, unmatched);
    EXPECT_EQ(p.tiles, static_cast<std::int64_t>(tiles.size()));
    std::int64_t drawn = 0;
    for (const std::int64_t cell : p.picture)
      drawn += cell;
    EXPECT_EQ(drawn, p.entries) << "each entry is in the picture once";
  }
}

TEST(PatternPicture, DrawsDiagonalAndIgnoresTheRest) {
  const MatrixProperties p = properties_of(make(2, 2, {{0, 0, 1}, {1, 1, 1}}));
  EXPECT_EQ(pattern_picture(p, false), "  ##\n");
  EXPECT_EQ(pattern_picture(p, true), "  \u2811\n");
  EXPECT_EQ(pattern_picture(properties_of(make(0, 0, {})), true), "");
}

TEST(InfoText, NamesEveryProperty) {
  const MatrixProperties p = properties_of(laplacian1d(50));
  const std::string text = info_text(p, "a.mtx", false);
  for (const char* part : {"a.mtx: 50 x 50", "bandwidth", "symmetric, exactly", "no zeros",
                           "4 x 4 tiles", "solver.name=cg"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  const auto json = nlohmann::json::parse(info_json(p, "a.mtx"));
  EXPECT_EQ(json["rows"], 50);
  EXPECT_EQ(json["symmetric"], true);
}

TEST(InfoText, RecommendsNothingForAMatrixWithoutRows) {
  const MatrixProperties p = properties_of(make(0, 0, {}));
  const std::string text = info_text(p, "none.mtx", false);
  EXPECT_EQ(text.find("solver.name"), std::string::npos) << text;
  EXPECT_EQ(text.find("0 of the"), std::string::npos) << text;
  EXPECT_NE(text.find("The matrix has no rows"), std::string::npos) << text;
  EXPECT_EQ(nlohmann::json::parse(info_json(p, "none.mtx"))["recommended"].size(), 1u);
}

}  // namespace tessera::app::matrix_properties_test
