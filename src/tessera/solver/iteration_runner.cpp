// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/iteration_runner.hpp"

#include <algorithm>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solver/detail/recorded_work.hpp"

namespace tessera {

template <class Space>
std::unique_ptr<IterationRunner<Space>> make_recording_runner([[maybe_unused]] int runs_before) {
  if constexpr (kernels::has_launch_graphs<Space>) {
    using Runner = detail::RecordedWork<Space, detail::LaunchGraphs<Space>>;
    return std::make_unique<Runner>(std::max(runs_before, 1));
  } else {
    return nullptr;
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_recording_runner)

}  // namespace tessera
