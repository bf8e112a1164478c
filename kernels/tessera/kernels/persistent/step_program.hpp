// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A list of steps that a solve within one kernel runs, one after the other: a cycle.
#pragma once

#include "tessera/kernels/persistent/detail/step_runner.hpp"
#include "tessera/kernels/persistent/selection_rules.hpp"
#include "tessera/kernels/persistent/step.hpp"

#include <cstddef>
#include <vector>

namespace tessera::kernels {

/// How a device's blocks share the steps of a program.
struct StepSharing {
  /// A step of at most so many entries is run by one block while the others wait.
  std::size_t one_block_entries = rules::one_block_entries;
};

/// A list of steps and the room for their vectors, as part of a cooperative group's work
/// (cooperative_group.hpp), whose workers synchronize after each step, or, where one of them runs
/// this step and the next, its lanes do. The sums of a row are taken in the order of its entries,
/// on a device by the number of lanes alone: the bits are the same each time.
template <class Scalar, class Space>
class StepProgram {
 public:
  /// The numbers of the caller's vectors; those of the program's own follow.
  static constexpr int given_b = 0;
  static constexpr int given_x = 1;

  /// The most steps and vectors that a kernel holds in a multiprocessor's memory.
  static bool fits(std::size_t num_steps, std::size_t num_vectors);

  StepProgram() = default;
  /// `lengths` of the program's own vectors. The arrays that the steps name outlive the program.
  StepProgram(std::vector<Step<Scalar>> steps, const std::vector<std::size_t>& lengths,
              const StepSharing& sharing = {});

  /// Makes room for the program, with vectors 0 and 1 of its own, and copies it to the device. Does
  /// nothing but return it the second time.
  detail::PlainProgram<Scalar> inside(const Space& exec);
  /// `PlainProgram::waits` of a cooperative group of so many shares, to go with what `inside` has
  /// returned; made by a pass over the matrices' columns where the last call was for another number
  /// of shares.
  const detail::ShareRange* waits(const Space& exec, int shares);
  /// Bytes of shared memory that hold all of its steps and matrices: those of the steps that one
  /// block runs, those of all others, and vectors that one block would keep.
  struct Bytes {
    std::size_t of_one_block = 0;
    std::size_t of_others = 0;
    std::size_t of_vectors = 0;
  };
  Bytes bytes() const;

  const std::vector<Step<Scalar>>& steps() const { return m_steps; }

 private:
  std::vector<Step<Scalar>> m_steps;
  std::vector<std::size_t> m_lengths;  ///< of the program's own vectors
  Array<Step<Scalar>, Space> m_device_steps;
  Array<Scalar, Space> m_inside_work;
  Array<detail::VectorPlace, Space> m_inside_places;
  Array<std::uintptr_t, Space> m_inside_vectors;  ///< addresses
  Array<detail::ShareRange, Space> m_waits;
  int m_shares_of_waits = 0;
};

}  // namespace tessera::kernels
