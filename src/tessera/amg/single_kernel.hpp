// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarse levels of a cycle in one kernel.
///
/// A cycle launches about five kernels a level. Here they are the steps of one kernel whose blocks
/// wait for each other: four a level of a V-cycle with one sweep of Jacobi (R with the first sweep,
/// which from zero is a scaling; the residual; P; the sweep behind), and one for the coarsest. The
/// numbers are those of the cycle kernel by kernel up to rounding.
#pragma once

#include "tessera/amg/cycle.hpp"
#include "tessera/amg/hierarchy.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/persistent/step_program.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <memory>
#include <string>
#include <utility>

namespace tessera::amg {

/// What `Parameters::single_kernel_rows` stands for where it is left open: none, as solves
/// kernel by kernel were as fast or faster on every problem that was tried on an H200
/// (docs/performance, "Coarse levels in one kernel").
inline constexpr int usual_single_kernel_rows = 0;

/// The number, in the whole hierarchy, of the first of the levels that run in one kernel: they have
/// no more than `most_rows` rows each, go on to the coarsest, are relaxed by a diagonal or by a
/// Chebyshev polynomial, and their operators, prolongators and restrictions are in compressed rows
/// of the vectors' scalar, none of them long enough to be shared out by entries; the coarsest is
/// relaxed, too, or has a dense inverse. `no_level` where there are none, where the cycle is a
/// K-cycle, whose steps depend on inner products, or where the device of `exec` has no such
/// kernels.
template <class Scalar, class Space>
int first_level_in_one_kernel(const Space& exec, CycleType type,
                              const Hierarchy<Scalar, Space>& hierarchy, int most_rows);

/// Why a whole cycle, from the finest level on, cannot be the steps of a program; empty where it
/// can: all levels are as for `first_level_in_one_kernel`, in one precision.
template <class Scalar, class Space>
std::string obstacle_to_one_kernel(CycleType type, const Hierarchy<Scalar, Space>& hierarchy);

/// What the table of levels says of one of them.
void show_as_one_kernel(LevelInfo& level);

/// What the level above takes of the level at `depth` of `hierarchy`, which has no tail, or, where
/// `once`, a single visit of it: the steps of CycleMaker's corrections. They read the hierarchy's
/// arrays.
template <class Scalar, class Space>
kernels::StepProgram<Scalar, Space> coarse_program(CycleType type,
                                                   const Hierarchy<Scalar, Space>& hierarchy,
                                                   std::size_t depth, bool once,
                                                   const kernels::StepSharing& sharing = {});

/// A correction by one kernel for one right-hand side, and by another correction for several.
template <class Scalar, class Space>
class SingleKernelCorrection : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// `depth`: the number of the first of the program's levels.
  SingleKernelCorrection(kernels::StepProgram<Scalar, Space> program, int depth,
                         std::shared_ptr<Preconditioner<Scalar, Space>> for_several)
      : m_program(std::move(program)),
        m_region("tessera::level " + std::to_string(depth)),
        m_for_several(std::move(for_several)) {}

  void prepare(const Space& exec, int k) override {
    if (k == 1) {
      m_program.prepare(exec);
    } else {
      m_for_several->prepare(exec, k);
    }
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    if (b.extent(1) == 1) {
      const Kokkos::Profiling::ScopedRegion region(m_region);
      run(exec, b, x);
    } else {
      m_for_several->apply(exec, b, x);
    }
  }

 private:
  /// A device that others share may refuse a launch all of whose blocks have to run at once.
  void run(const Space& exec, const ConstVectors& b, const Vectors& x) {
    try {
      m_program.run(exec, b.data(), x.data());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device) throw;
      throw Error(ErrorKind::device,
                  std::string(error.what()) +
                      "; with amg.single_kernel_rows=0 the levels go kernel by kernel",
                  error.where());
    }
  }

  kernels::StepProgram<Scalar, Space> m_program;
  std::string m_region;  ///< for profilers
  std::shared_ptr<Preconditioner<Scalar, Space>> m_for_several;
};

}  // namespace tessera::amg
