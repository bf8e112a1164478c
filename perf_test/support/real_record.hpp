// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What compare_real has found so far, and its file.
#pragma once

#include "support/real_work.hpp"
#include "support/record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

inline void print_result(const nlohmann::json& system, const nlohmann::json& result) {
  std::printf("%-40s %-6s %8d  %-17s %-13s ", system["name"].get<std::string>().c_str(),
              system["rhs"].get<std::string>().c_str(), system["rows"].get<int>(),
              result["solver"].get<std::string>().c_str(),
              result["status"].get<std::string>().c_str());
  if (result.contains("total_ms")) {
    const auto& residual = result["true_relative_residual"];
    std::printf("%10.1f %10.1f %10.1f ms %6d %10.2e  %s%s\n", result["setup_ms"].get<double>(),
                result["solve_ms"].get<double>(), result["total_ms"].get<double>(),
                result["iterations"].get<int>(),
                residual.is_null() ? std::nan("") : residual.get<double>(),
                result["method"].get<std::string>().c_str(),
                result.contains("as") ? " (the same solve)" : "");
  } else {
    std::printf("%s\n", result.value("message", "").c_str());
  }
  std::fflush(stdout);
}

/// What has come back so far, and its file, which may hold what an earlier run has done.
class RealRecord {
 public:
  /// @throws std::invalid_argument where the file is of another build, of other settings, or holds
  ///         what is not asked for.
  RealRecord(nlohmann::json head, const RealWork& work, std::string file)
      : m_work(work),
        m_file(std::move(file)),
        m_head(std::move(head)),
        m_systems(work.num_systems()),
        m_results(work.num_solves()) {
    if (!m_file.empty() && std::filesystem::exists(m_file)) go_on();
  }

  /// Null where the solve is yet to be done.
  const nlohmann::json& result(const RealSolve& solve) const {
    return m_results[m_work.number_of(solve)];
  }

  void add(const std::string& text) {
    const auto message = nlohmann::json::parse(text);
    const RealSolve solve{message.at("test"), message.at("rhs"), message.at("solver")};
    nlohmann::json& system = m_systems[m_work.system_of(solve)];
    if (message.contains("error")) {
      ++m_num_without_system;
      if (system.is_null()) {
        const std::string& name = m_work.cases[solve.test].name;
        const std::string& rhs = m_work.rhs[solve.rhs];
        system = {{"name", name}, {"rhs", rhs}, {"error", message["error"]}};
        std::printf("%s, %s: %s\n", name.c_str(), rhs.c_str(),
                    message["error"].get<std::string>().c_str());
      }
    } else {
      system = message["system"];
      m_results[m_work.number_of(solve)] = message["result"];
      print_result(system, message["result"]);
    }
    write();
  }

  std::size_t num_missing() const {
    const auto missing = std::count(m_results.begin(), m_results.end(), nullptr);
    return static_cast<std::size_t>(missing) - m_num_without_system;
  }

 private:
  void go_on() {
    auto found = nlohmann::json::parse(std::ifstream(m_file));
    for (const auto& [key, value] : m_head.items()) {
      if (key != "rhs" && found.value(key, nlohmann::json()) != value) refuse("another " + key);
    }
    if (found.at("run").at("commit") != app::build_info().commit) refuse("another commit");
    m_head["earlier_runs"] = found.value("earlier_runs", nlohmann::json::array());
    m_head["earlier_runs"].push_back(found["run"]);
    std::map<std::string, nlohmann::json> versions;
    for (const auto& solver : found.at("solvers"))
      versions[solver.at("name")] = solver.value("version", "");
    for (auto& system : found.at("systems")) {
      if (system.contains("error")) continue;
      const auto results = system.at("results");
      system.erase("results");
      for (auto result : results) {
        result["version"] = versions.at(result.at("solver"));
        take(system, result);
      }
    }
  }

  void take(const nlohmann::json& system, const nlohmann::json& result) {
    const auto find = [&](const auto& all, const std::string& name, auto name_of) {
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const auto& one) { return name_of(one) == name; });
      if (at == all.end()) refuse(name + ", which is not asked for");
      return static_cast<std::size_t>(at - all.begin());
    };
    const RealSolve solve{
        find(m_work.cases, system.at("name"), [](const RealCase& one) { return one.name; }),
        find(m_work.rhs, system.at("rhs"), [](const std::string& one) { return one; }),
        find(m_work.solvers, result.at("solver"),
             [](const FoundSolver& one) { return one.solver.name; })};
    m_systems[m_work.system_of(solve)] = system;
    m_results[m_work.number_of(solve)] = result;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument("--out: " + m_file + " has " + what +
                                ": name another file, or go on as it was begun");
  }

  void write() const {
    if (m_file.empty()) return;
    nlohmann::json record = m_head;
    record["solvers"] = solvers();
    record["systems"] = nlohmann::json::array();
    for (std::size_t number = 0; number < m_systems.size(); ++number) {
      nlohmann::json system = m_systems[number];
      if (system.is_null()) continue;
      if (!system.contains("error")) system["results"] = nlohmann::json::array();
      for (std::size_t i = 0; i < m_work.solvers.size(); ++i) {
        nlohmann::json result = m_results[number * m_work.solvers.size() + i];
        if (result.is_null()) continue;
        result.erase("version");
        system["results"].push_back(result);
      }
      record["systems"].push_back(system);
    }
    // Whoever stops this program finds a whole file.
    write_record(m_file + ".part", record);
    std::filesystem::rename(m_file + ".part", m_file);
  }

  /// Their versions are known from the first result of each.
  nlohmann::json solvers() const {
    nlohmann::json all = nlohmann::json::array();
    for (const FoundSolver& found : m_work.solvers) {
      const RealSolver& solver = found.solver;
      all.push_back({{"name", solver.name}, {"text", solver.text}});
      if (!solver.of.empty()) {
        all.back()["variant"] = solver.variant;
        all.back()["of"] = solver.of;
      }
    }
    for (std::size_t number = 0; number < m_results.size(); ++number) {
      if (m_results[number].contains("version"))
        all[number % m_work.solvers.size()]["version"] = m_results[number]["version"];
    }
    return all;
  }

  const RealWork& m_work;
  std::string m_file;
  nlohmann::json m_head;
  std::vector<nlohmann::json> m_systems, m_results;
  std::size_t m_num_without_system = 0;
};

}  // namespace tessera::perf
