// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The output of `tessera info`, for people and as JSON.
#pragma once

#include <string>

#include "app/matrix_properties.hpp"

namespace tessera::app {

/// The pattern as a picture of characters: braille dots where `unicode`, else "#" and " ".
std::string pattern_picture(const MatrixProperties& info, bool unicode);

/// All that is known, with the picture and the recommended settings. `name` is the file's.
std::string info_text(const MatrixProperties& info, const std::string& name, bool unicode);

/// The same as one JSON object.
std::string info_json(const MatrixProperties& info, const std::string& name);

}  // namespace tessera::app
