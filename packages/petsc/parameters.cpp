// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "petsc/parameters.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "petsc/status.hpp"

namespace tessera::petsc {

namespace {

/// A parameter as an option.
struct Option {
  std::string key;  ///< amg.cycle
  std::string name;  ///< -pc_tessera_amg_cycle
  std::string meaning;
  std::string default_value;
  bool boolean = false;
};

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The options of a node of the schema. Lists have no option: their length is not known.
void append_options(const nlohmann::json& node, const std::string& path,
                    std::vector<Option>& options) {
  for (const auto& [name, member] : node.at("properties").items()) {
    const std::string key = path.empty() ? name : path + "." + name;
    if (member.at("type") == "object") {
      append_options(member, key, options);
    } else if (member.contains("default")) {
      Option option{key, "-pc_tessera_" + key, member.at("description").get<std::string>(),
                    text_of(member.at("default")), member.at("type") == "boolean"};
      std::replace(option.name.begin(), option.name.end(), '.', '_');
      if (member.contains("enum")) {
        std::string choices;
        for (const auto& choice : member.at("enum"))
          choices += (choices.empty() ? "" : ", ") + text_of(choice);
        option.meaning += " (" + choices + ")";
      }
      options.push_back(std::move(option));
    }
  }
}

PetscErrorCode all_options(const std::vector<Option>** all) {
  static std::vector<Option> options;
  PetscFunctionBegin;
  if (options.empty()) {
    const char* schema = nullptr;
    TESSERA_CALL(tessera_parameter_schema(&schema));
    append_options(nlohmann::json::parse(schema), "", options);
  }
  *all = &options;
  PetscFunctionReturn(PETSC_SUCCESS);
}

}  // namespace

PetscErrorCode Parameters::set(const std::string& option, const std::string& words,
                               tessera_solver* solver, bool* changed) {
  PetscFunctionBegin;
  const auto before = m_set.find(option);
  if (before != m_set.end() && before->second == words) PetscFunctionReturn(PETSC_SUCCESS);
  const tessera_status status = tessera_set(solver, words.c_str());
  PetscCheck(status >= 0, PETSC_COMM_SELF, error_of(status), "%s: %s", option.c_str(),
             tessera_last_error());
  m_set[option] = words;
  *changed = true;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode Parameters::set_from_options(OptionItems PetscOptionsObject, tessera_solver* solver,
                                            bool* changed) {
  std::array<char, 4096> text{};
  PetscBool given = PETSC_FALSE;
  const std::vector<Option>* options = nullptr;
  PetscFunctionBegin;
  *changed = false;
  PetscCall(all_options(&options));
  PetscOptionsHeadBegin(PetscOptionsObject,
                        "Tessera: algebraic multigrid and other preconditioners");
  PetscCall(PetscOptionsString("-pc_tessera_options",
                               "parameters as words: amg.cycle=w amg.levels.0.smoother.type=ilu",
                               "tessera", "", text.data(), text.size(), &given));
  if (given) PetscCall(set("-pc_tessera_options", text.data(), solver, changed));
  if (*changed)  // what follows has the last word again
    std::erase_if(m_set, [](const auto& entry) { return entry.first != "-pc_tessera_options"; });
  for (const Option& option : *options) {
    const auto now = m_set.find(option.name);
    const std::string value =
        now == m_set.end() ? option.default_value : now->second.substr(option.key.size() + 1);
    if (option.boolean) {
      PetscBool chosen = value == "true" ? PETSC_TRUE : PETSC_FALSE;
      PetscCall(PetscOptionsBool(option.name.c_str(), option.meaning.c_str(), "tessera", chosen,
                                 &chosen, &given));
      if (given)
        PetscCall(set(option.name, option.key + (chosen ? "=true" : "=false"), solver, changed));
    } else {
      PetscCall(PetscOptionsString(option.name.c_str(), option.meaning.c_str(), "tessera",
                                   value.c_str(), text.data(), text.size(), &given));
      if (given) PetscCall(set(option.name, option.key + "=" + text.data(), solver, changed));
    }
  }
  PetscOptionsHeadEnd();
  PetscFunctionReturn(PETSC_SUCCESS);
}

std::vector<std::string> Parameters::settings() const {
  std::vector<std::string> all;
  // In the order of the options' names; that for words of all kinds yields to those of its
  // parameters.
  const auto words = m_set.find("-pc_tessera_options");
  if (words != m_set.end()) all.push_back(words->second);
  for (const auto& [option, setting] : m_set)
    if (option != "-pc_tessera_options") all.push_back(setting);
  return all;
}

PetscErrorCode Parameters::set_again(tessera_solver* solver) const {
  PetscFunctionBegin;
  for (const std::string& words : settings())
    TESSERA_CALL(tessera_set(solver, words.c_str()));
  PetscFunctionReturn(PETSC_SUCCESS);
}

std::string Parameters::words() const {
  std::string all;
  for (const auto& [option, setting] : m_set)
    all += (all.empty() ? "" : " ") + setting;
  return all;
}

}  // namespace tessera::petsc
