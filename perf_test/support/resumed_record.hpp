// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A record of systems that a second start of the program goes on with: a peer's library may end
/// the process.
#pragma once

#include "support/record.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera::perf {

/// `systems`, each with its name as `system`, beside what `head` says; `ended` names what was at
/// work when an earlier process ended.
class ResumedRecord {
 public:
  /// @throws std::invalid_argument where the file is there and has another head.
  ResumedRecord(nlohmann::json head, std::string file)
      : m_json(std::move(head)), m_file(std::move(file)) {
    const nlohmann::json asked = m_json;
    m_json["systems"] = nlohmann::json::array();
    m_json["ended"] = nlohmann::json::array();
    if (m_file.empty() || !std::filesystem::exists(m_file)) return;
    const auto found = nlohmann::json::parse(std::ifstream(m_file));
    for (const auto& [key, value] : asked.items()) {
      if (found.value(key, nlohmann::json()) != value)
        throw std::invalid_argument("--out: " + m_file + " has another " + key +
                                    ": name another file");
    }
    m_json["systems"] = found.at("systems");
    m_json["ended"] = found.at("ended");
    if (found.contains("running")) m_json["ended"].push_back(found["running"]);
  }

  bool has(const std::string& system) const {
    const auto& all = m_json["systems"];
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& one) { return one["system"] == system; });
  }

  bool has_ended(const std::string& system, const std::string& what) const {
    const auto& all = m_json["ended"];
    return std::find(all.begin(), all.end(), named(system, what)) != all.end();
  }

  /// That this begins is written first.
  void begin(const std::string& system, const std::string& what) {
    m_json["running"] = named(system, what);
    write();
  }

  void add(const nlohmann::json& system) {
    m_json.erase("running");
    m_json["systems"].push_back(system);
    write();
  }

  void set(const std::string& key, const nlohmann::json& value) {
    m_json[key] = value;
    write();
  }

  const nlohmann::json& systems() const { return m_json["systems"]; }

 private:
  static nlohmann::json named(const std::string& system, const std::string& what) {
    return {{"system", system}, {"what", what}};
  }

  /// Whoever ends this process leaves a whole file.
  void write() const {
    if (m_file.empty()) return;
    write_record(m_file + ".part", m_json);
    std::filesystem::rename(m_file + ".part", m_file);
  }

  nlohmann::json m_json;
  std::string m_file;
};

}  // namespace tessera::perf
