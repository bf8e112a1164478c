// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Text to files, such as reports, by the rules of the files of matrices and vectors.
#pragma once

#include <filesystem>
#include <string_view>

namespace tessera {

/// Writes `text`. The file is there in whole or not at all, also where the program is killed
/// meanwhile; throws `Error(io)` where it cannot be. What is not a regular file, or is one by its
/// descriptor's name (/dev/stdout), is written directly.
void write_text(const std::filesystem::path& path, std::string_view text);

/// True for a device, a pipe or a descriptor's name: nothing there can be lost.
bool is_written_directly(const std::filesystem::path& path);

/// Throws `Error(io)` where nothing can be written to `path`. It leaves nothing behind, and does
/// not wait for a pipe's reader.
void check_writable(const std::filesystem::path& path);

}  // namespace tessera
