// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Host threads for text: the parser core knows no Kokkos, so that a fuzzer builds in seconds.
#pragma once

#include <cstddef>
#include <functional>

namespace tessera::detail {

/// Calls `task(i)` for i = 0 .. count - 1 from `threads` threads, the caller's one of them. Where
/// tasks throw, the exception of the lowest `i` is thrown again, whatever the threads' order was.
/// `after_own_task`, where set, is called on the caller's thread after each task that it ran.
void for_each_task(int threads, std::size_t count, const std::function<void(std::size_t)>& task,
                   const std::function<void()>& after_own_task = {});

}  // namespace tessera::detail
