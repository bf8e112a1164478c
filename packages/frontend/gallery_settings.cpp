// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "frontend/gallery_settings.hpp"

#include <fmt/format.h>

#include "tessera/operator/error.hpp"
#include "tessera/parameters/nearest_name.hpp"

namespace tessera::frontend {

namespace {

/// Throws unless the problem looks at the parameter: ignored, it would pass for understood.
void check_belongs(const std::string& key, ProblemKind problem,
                   parameters::ParameterTree::Namer namer) {
  std::vector<std::string> own;
  for (const std::string_view name : parameter_names(problem)) {
    if (name == key) return;
    own.push_back(namer(name));
  }
  throw Error(ErrorKind::configuration,
              fmt::format("{}: {} has no such option; its own: {}", namer(key), to_string(problem),
                          parameters::join_names(own)));
}

}  // namespace

GalleryParameters gallery_parameters(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings,
    parameters::ParameterTree::Namer namer) {
  GalleryParameters parameters;
  parameters::ParameterTree tree(parameters, namer);
  tree.set_text("problem", name, "gallery");
  for (const auto& [key, text] : settings) {
    check_belongs(key, parameters.problem, namer);
    tree.set_text(key, text, "gallery");
  }
  return parameters;
}

}  // namespace tessera::frontend
