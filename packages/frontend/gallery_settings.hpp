// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A problem of the gallery by the texts that a user gives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::frontend {

/// The gallery's parameters for a problem's name and (key of GalleryParameters, text) each. `namer`
/// is how messages call a key.
/// @throws Error of kind configuration for a wrong name or value, and for a parameter that the
///         problem has no use for
GalleryParameters gallery_parameters(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings,
    parameters::ParameterTree::Namer namer);

}  // namespace tessera::frontend
