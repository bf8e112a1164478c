// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The seeds of the fuzzer of parameters (checks/fuzz/corpus_json): one that is refused at its
/// first key has little of what could go wrong behind it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace tessera::parameters::fuzz_seeds_test {

const std::filesystem::path folder =
    std::filesystem::path(TESSERA_SOURCE_FOLDER) / "checks/fuzz/corpus_json";

TEST(FuzzSeeds, AreAcceptedButForThoseThatShallNotBe) {
  const std::set<std::string> wrong{"escapes.json", "refused_kinds.json", "truncated.json"};
  int accepted = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    SolveParameters p;
    ParameterTree tree(p);
    const bool is_wrong = wrong.count(file.path().filename().string()) == 1;
    if (is_wrong) {
      EXPECT_THROW(set_from_json_file(tree, file.path().string()), Error) << file.path();
    } else {
      EXPECT_NO_THROW(set_from_json_file(tree, file.path().string())) << file.path();
      ++accepted;
    }
  }
  EXPECT_GE(accepted, 7);
}

// A parameter that is new has to come into the seeds.
TEST(FuzzSeeds, HaveEveryKey) {
  const std::string name = "every_key.json";
  std::ifstream file(folder / name);
  std::set<std::string> keys;
  const nlohmann::json flat = nlohmann::json::parse(file).flatten();
  for (const auto& entry : flat.items()) {
    std::string key = entry.key().substr(1);
    std::replace(key.begin(), key.end(), '/', '.');
    keys.insert(key);
  }
  SolveParameters p;
  const ParameterTree tree(p);
  const auto expect_key = [&](const std::string& key) {
    const bool is_registered = key.find(".own_") != key.npos;  // by a test of this program
    EXPECT_TRUE(is_registered || keys.count(key) == 1) << key << " is not in " << name;
  };
  for (const Parameter& parameter : tree.parameters())
    expect_key(parameter.key);
  for (const ParameterList& list : tree.lists()) {
    for (const Parameter& parameter : list.parameters)
      expect_key(list.key_of(0, parameter.key));
  }
}

}  // namespace tessera::parameters::fuzz_seeds_test
