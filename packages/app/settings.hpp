// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters as the command line gives them: those of a solve, and those of the gallery.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/options.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

/// @throws UsageError where a -p is not a key and a value.
void check_settings(const std::vector<std::string>& settings);

/// Sets what the file of --config says, if there is one, and then what each -p does.
/// @throws Error for a file or a parameter, naming it.
void set_parameters(parameters::ParameterTree& tree, const std::string& config,
                    const std::vector<std::string>& settings);

/// The option for a member of GalleryParameters: "--poisson-ratio" for "poisson_ratio".
std::string option_name(std::string_view key);

/// The gallery's parameters for what was typed.
/// @throws UsageError for a wrong name or value, and for an option that the problem has no use for
GalleryParameters gallery_parameters(const GalleryChoice& choice);

/// The words as a shell takes them, quoted where they must be.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace tessera::app
