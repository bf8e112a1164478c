// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A problem of the gallery as programs are told of it on the command line.
#pragma once

#include "app/settings.hpp"
#include "support/real_systems.hpp"
#include "support/run_options.hpp"

#include <charconv>
#include <string>

namespace tessera::perf {

struct NamedCase {
  std::string name;
  GalleryParameters gallery;
};

/// "poisson3d:128", or "beam:order=3,refine=4"
inline NamedCase named_case(const std::string& text) {
  NamedCase result{text, {}};
  if (text.find('=') != std::string::npos) {
    result.gallery = app::gallery_parameters(gallery_case(text).problem);
    return result;
  }
  const auto colon = text.find(':');
  result.gallery.problem = problem_of_name(text.substr(0, colon));
  if (colon != std::string::npos) {
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), result.gallery.n);
  }
  return result;
}

}  // namespace tessera::perf
