// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Copies an empty View, which g++ 12 may miscompile; TesseraViewCopies.cmake tries it.
#include <Kokkos_Core.hpp>

int main() {
  const Kokkos::View<int*, Kokkos::HostSpace> first;
  const auto second = first;
  return static_cast<int>(second.extent(0));
}
