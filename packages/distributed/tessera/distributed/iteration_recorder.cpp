// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/iteration_recorder.hpp"

#include "tessera/distributed/agreed_recorder.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {

template <class Space>
std::shared_ptr<IterationRecorder<Space>> make_iteration_recorder(
    [[maybe_unused]] std::shared_ptr<const Communicator> processes,
    [[maybe_unused]] int runs_before) {
  if constexpr (kernels::has_launch_graphs<Space>) {
    const Communicator::Ordered* const ordered = ordered_on<Space>(*processes);
    if (ordered == nullptr || !ordered->can_be_recorded()) return nullptr;
    using Recorder = AgreedRecorder<Space, MessageGraphs<Space>>;
    const auto made = std::make_shared<Recorder>(std::move(processes), runs_before);
    ordered->add(made);
    return made;
  } else {
    return nullptr;
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_iteration_recorder)

}  // namespace tessera::distributed
