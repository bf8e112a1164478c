// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/machine.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <type_traits>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/parameters/nearest_name.hpp"

namespace tessera::app {

std::string version_text() {
  const BuildInfo info = build_info();
  return fmt::format("tessera {} ({})\nKokkos {}, execution spaces: {}\ncompiled by {}\n",
                     info.version, info.commit, info.kokkos_version,
                     parameters::join_names(info.execution_spaces), info.compiler);
}

KokkosSession::KokkosSession(int threads) {
  frontend::initialize_kokkos(threads);
  keep_freed_memory(std::max(Kokkos::device_id(), 0));
}

namespace {

// Without finalize, Kokkos' static destructors free the memory of Threads, and by then the list of
// execution spaces, which freeing reads, is gone.
#if defined(KOKKOS_ENABLE_THREADS)
constexpr bool must_end =
    TESSERA_HAVE_DEVICE || std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::Threads>;
#else
constexpr bool must_end = TESSERA_HAVE_DEVICE;
#endif

}  // namespace

KokkosSession::~KokkosSession() {
  // On the way of an error the program ends anyway, and where memory ran out while a host's teams
  // were given more, Kokkos (5.2) frees twice what they had.
  const bool is_on_the_way = std::uncaught_exceptions() > m_exceptions;
  if (!is_on_the_way || must_end) Kokkos::finalize();
}

}  // namespace tessera::app
