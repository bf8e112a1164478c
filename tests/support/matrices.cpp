// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The only source that holds the path of the matrices: any other would differ from one clone of
/// the repository to the next, and ccache would never find it.
#include "support/matrices.hpp"

#include <cstdlib>

namespace tessera::test {

std::filesystem::path matrices() {
  const char* const folder = std::getenv("TESSERA_MATRICES");
  return folder != nullptr && *folder != '\0' ? folder : TESSERA_MATRICES;
}

std::filesystem::path packed_matrix(const std::string& name) {
  return matrices() / (name + ".mtx.xz");
}

std::string why_unreadable(const std::string& name) {
  const auto folder = matrices();
  if (!std::filesystem::is_directory(folder) || std::filesystem::is_empty(folder))
    return "the matrices are not there; TESSERA_MATRICES names their folder";
  if (!name.empty() && !std::filesystem::exists(packed_matrix(name)))
    return "the folder of matrices has no " + name;
  static const bool has_xz = std::system("xz --version > /dev/null 2>&1") == 0;
  return has_xz ? "" : "there is no xz to unpack the matrices";
}

}  // namespace tessera::test
