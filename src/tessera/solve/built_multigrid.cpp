// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/built_multigrid.hpp"

#include "tessera/amg/cycle/single_kernel.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <type_traits>

namespace tessera::detail {

template <class Scalar, class Space>
bool BuiltMultigrid<Scalar, Space>::coarsest_is_indefinite() const {
  if (same != nullptr) return amg::coarsest_is_indefinite(same->hierarchy());
  return in_float != nullptr && amg::coarsest_is_indefinite(in_float->hierarchy());
}

/// How workers share the steps of a cycle within a solve: on a device one block runs those that its
/// shared memory holds.
template <class Space>
kernels::StepSharing sharing_within_a_solve() {
  kernels::StepSharing sharing;
  if (kernels::is_host_space<Space>) sharing.one_block_entries = 0;
  return sharing;
}

template <class Scalar, class Space>
std::string BuiltMultigrid<Scalar, Space>::write_steps(const Space& exec,
                                                       CycleProgram<Scalar, Space>& program) const {
  program = {};
  if (by_unknown) return "unknowns are renumbered for multigrid";
  const auto write = [&](const auto& multigrid, auto& written) -> std::string {
    using Program = typename std::decay_t<decltype(written)>::element_type;
    const auto type = multigrid.parameters().cycle;
    std::string obstacle = amg::obstacle_to_one_kernel(type, multigrid.hierarchy());
    if (obstacle.empty()) {
      written = std::make_unique<Program>(
          amg::cycle_program(type, multigrid.hierarchy(), sharing_within_a_solve<Space>()));
    }
    return obstacle;
  };
  std::string obstacle = "there is no hierarchy";
  if (same != nullptr) {
    obstacle = write(*same, program.same);
  } else if constexpr (!std::is_same_v<Scalar, float>) {
    if (in_float != nullptr) obstacle = write(*in_float, program.in_float);
  }
  if (obstacle.empty() && scaling) {
    program.rows = amg::factors_in<Scalar, Space>(exec, scaling->rows);
    program.columns = amg::factors_in<Scalar, Space>(exec, scaling->columns);
  }
  return obstacle;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_STRUCT, BuiltMultigrid)

}  // namespace tessera::detail
