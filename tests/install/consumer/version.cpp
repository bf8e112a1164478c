// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include <tessera/version.hpp>

#include <cstdio>

int main() {
  std::printf("Tessera %s\n", tessera::version().data());
  return tessera::version() == TESSERA_VERSION ? 0 : 1;
}
