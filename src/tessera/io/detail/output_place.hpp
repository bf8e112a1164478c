// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a path to write to stands for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera::detail {

/// The number of the open file that a name such as /dev/stdout or /dev/fd/3 stands for, whether or
/// not it is open: that file is meant, not one that takes the name's place.
std::optional<int> descriptor_of(const std::filesystem::path& path);

/// True for a descriptor that is open for writing.
bool is_writable(int descriptor);

/// The file behind symbolic links, which may be missing; its folder is absolute where it exists.
std::filesystem::path behind_links(std::filesystem::path path);

/// What the system's number of an error says of an output, and what helps where that is known.
std::string write_error_text(int error);

}  // namespace tessera::detail
