// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems for programs that call multigrid's setup themselves.
#pragma once

#include "support/real_systems.hpp"

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/amg/coarsening/nodes.hpp"

#include <filesystem>
#include <string>

namespace tessera::perf {

/// A system as setup takes it: numbered node by node, on the default execution space.
struct NumberedSystem {
  std::string name;
  kernels::Csr<double, DeviceSpace> A;
  MultiVector<double, DeviceSpace> near_nullspace;  ///< n by m; m may be 0
  int block_size = 1;
};

/// A system of `A` and `near_nullspace`, whose nodes are found; `block_size`: 0 where it is not
/// known.
inline NumberedSystem numbered_system(const DeviceSpace& exec, const std::string& name,
                                      const kernels::Csr<double, DeviceSpace>& A,
                                      const MultiVector<double, DeviceSpace>& near_nullspace,
                                      int block_size) {
  const auto nodes = amg::find_nodes(exec, A.view(), block_size);
  if (!nodes.by_unknown) return {name, A, near_nullspace, nodes.block_size};
  NumberedSystem system{name, amg::node_by_node(exec, A.view(), nodes), {}, nodes.block_size};
  if (near_nullspace.extent(1) > 0) {
    system.near_nullspace = allocate_multivector<double>(exec, "tessera::perf::near_nullspace",
                                                         A.num_rows, near_nullspace.extent(1));
    amg::to_node_by_node<double, DeviceSpace>(exec, nodes, near_nullspace, system.near_nullspace);
  }
  return system;
}

/// Of the gallery: NAME:KEY=VALUE,KEY=VALUE.
inline NumberedSystem numbered_system_of_gallery(const DeviceSpace& exec, const std::string& text) {
  const auto parameters = app::gallery_parameters(gallery_case(text).problem);
  const auto problem = make_problem<double, DeviceSpace>(exec, parameters);
  return numbered_system(exec, text, problem.A, problem.near_nullspace, problem.block_size);
}

/// Of a file.
inline NumberedSystem numbered_system_of_file(const DeviceSpace& exec, const RealCase& matrix) {
  using Memory = DeviceSpace::memory_space;
  const auto host = matrix.make(std::filesystem::temp_directory_path()).A;
  const kernels::Csr<double, DeviceSpace> A{
      host.num_rows, host.num_cols, Kokkos::create_mirror_view_and_copy(Memory(), host.offsets),
      Kokkos::create_mirror_view_and_copy(Memory(), host.columns),
      Kokkos::create_mirror_view_and_copy(Memory(), host.values)};
  return numbered_system(exec, matrix.name, A, {}, 0);
}

}  // namespace tessera::perf
