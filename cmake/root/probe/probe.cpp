// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include <Kokkos_Core.hpp>

#include <concepts>

int main(int argc, char* argv[]) {
  static_assert(std::integral<int>);
  const Kokkos::ScopeGuard kokkos(argc, argv);
}
