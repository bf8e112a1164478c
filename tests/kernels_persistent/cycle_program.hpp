// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid cycles as step programs.
#pragma once

#include "solver/solver_fixture.hpp"

#include "tessera/amg/cycle/single_kernel.hpp"
#include "tessera/amg/multigrid.hpp"

namespace tessera::test {

/// A cycle with levels enough for a small matrix.
struct CycleShape {
  amg::CycleType type = amg::CycleType::v;
  SmootherType smoother = SmootherType::jacobi;
  int sweeps = 1;
  std::size_t one_block_entries = 0;
};

template <class Scalar, class Space>
class Cycle {
 public:
  Cycle(const Space& exec, const HostMatrix<double>& A, const CycleShape& shape = {})
      : m_grid(parameters(shape)) {
    m_grid.setup(exec, make_csr<std::int32_t>(exec, converted<Scalar>(A)));
    program =
        amg::cycle_program(shape.type, m_grid.hierarchy(),
                           kernels::StepSharing{.one_block_entries = shape.one_block_entries});
  }

  kernels::StepProgram<Scalar, Space> program;

 private:
  static amg::Parameters parameters(const CycleShape& shape) {
    amg::Parameters p;
    p.coarse_size = 10;
    p.cycle = shape.type;
    p.smoother.type = shape.smoother;
    p.smoother.sweeps = shape.sweeps;
    p.storage.format = StorageFormat::csr;
    return p;
  }
  amg::Multigrid<Scalar, Space> m_grid;
};

}  // namespace tessera::test
