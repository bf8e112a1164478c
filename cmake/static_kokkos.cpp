// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A shared library with a Kokkos inside; TesseraSharedKokkos.cmake tries whether it can be linked.
#include <Kokkos_Core.hpp>

struct Fill {
  Kokkos::View<int*> values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = i; }
};

extern "C" void tessera_probe() {
  Kokkos::initialize();
  const Kokkos::View<int*> values("tessera::probe", 3);
  Kokkos::parallel_for("tessera::probe", 3, Fill{values});
  Kokkos::fence("tessera::probe");
  Kokkos::finalize();
}
