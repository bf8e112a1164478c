// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The gallery's parameters as options of the command line.
#pragma once

#include <string>
#include <string_view>

#include "app/options.hpp"
#include "tessera/gallery/problem.hpp"

namespace tessera::app {

/// The option for a member of GalleryParameters: "--poisson-ratio" for "poisson_ratio".
std::string option_name(std::string_view key);

/// The gallery's parameters for what was typed.
/// @throws UsageError for a wrong name or value, and for an option that the problem has no use for
GalleryParameters gallery_parameters(const GalleryChoice& choice);

}  // namespace tessera::app
