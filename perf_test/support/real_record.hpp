// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What compare_real has found so far, and its file.
#pragma once

#include "support/real_solvers.hpp"
#include "support/real_systems.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// Which solver is to solve which system: those of a system follow one another.
struct RealWork {
  std::vector<RealCase> cases;
  std::vector<FoundSolver> solvers;

  std::size_t size() const { return cases.size() * solvers.size(); }
  std::size_t case_of(std::size_t item) const { return item / solvers.size(); }
  std::size_t solver_of(std::size_t item) const { return item % solvers.size(); }
};

inline void print_result(const nlohmann::json& system, const nlohmann::json& result) {
  std::printf("%-40s %8d  %-10s %-13s ", system["name"].get<std::string>().c_str(),
              system["rows"].get<int>(), result["solver"].get<std::string>().c_str(),
              result["status"].get<std::string>().c_str());
  if (result.contains("total_ms")) {
    const auto& residual = result["true_relative_residual"];
    std::printf("%10.1f %10.1f %10.1f ms %6d %10.2e\n", result["setup_ms"].get<double>(),
                result["solve_ms"].get<double>(), result["total_ms"].get<double>(),
                result["iterations"].get<int>(),
                residual.is_null() ? std::nan("") : residual.get<double>());
  } else {
    std::printf("%s\n", result.value("message", "").c_str());
  }
  std::fflush(stdout);
}

/// What has come back so far, and its file.
class RealRecord {
 public:
  RealRecord(nlohmann::json head, const RealWork& work, std::string file)
      : m_work(work),
        m_file(std::move(file)),
        m_head(std::move(head)),
        m_systems(work.cases.size()),
        m_results(work.size()) {}

  void add(const std::string& text) {
    const auto message = nlohmann::json::parse(text);
    const std::size_t item = message.at("item");
    const std::size_t number = m_work.case_of(item);
    ++m_num_received;
    if (message.contains("error")) {
      const std::string& name = m_work.cases[number].name;
      if (m_systems[number].is_null()) {
        std::printf("%s: %s\n", name.c_str(), message["error"].get<std::string>().c_str());
        m_systems[number] = {{"name", name}, {"error", message["error"]}};
      }
    } else {
      m_systems[number] = message["system"];
      m_results[item] = message["result"];
      print_result(message["system"], message["result"]);
    }
    write();
  }

  std::size_t num_missing() const { return m_work.size() - m_num_received; }

 private:
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
    for (const FoundSolver& found : m_work.solvers)
      all.push_back({{"name", found.solver.name}, {"text", found.solver.text}});
    for (std::size_t item = 0; item < m_results.size(); ++item) {
      if (m_results[item].contains("version"))
        all[m_work.solver_of(item)]["version"] = m_results[item]["version"];
    }
    return all;
  }

  const RealWork& m_work;
  std::string m_file;
  nlohmann::json m_head;
  std::vector<nlohmann::json> m_systems, m_results;
  std::size_t m_num_received = 0;
};

}  // namespace tessera::perf
