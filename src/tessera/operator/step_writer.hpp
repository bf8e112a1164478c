// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Writes the steps of a cycle that runs in one kernel.
#pragma once

#include "tessera/kernels/persistent/step_program.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// The vectors of a smoother's sweeps by their numbers in the program.
struct SweepVectors {
  std::size_t level = 0;  ///< whose other vectors the sweeps may use
  int b = kernels::no_vector;
  int x_in = kernels::no_vector;  ///< none: the guess is zero
  int x_out = kernels::no_vector;
};

/// What kernels::StepProgram is made of, step by step.
template <class Scalar, class Space>
class StepWriter {
 public:
  using Step = kernels::Step<Scalar>;

  /// The number of a level's vector for that purpose. What is written one after the other has the
  /// same ones.
  int vector(std::size_t level, const char* purpose, Ordinal length) {
    using Program = kernels::StepProgram<Scalar, Space>;
    const auto [place, is_new] = m_vectors.try_emplace(
        {level, purpose}, static_cast<int>(m_lengths.size()) + Program::given_x + 1);
    if (is_new) m_lengths.push_back(static_cast<std::size_t>(length));
    return place->second;
  }

  void push(const Step& step) { m_steps.push_back(step); }

  /// A step with A's rows; false, and nothing is written, where A is not in such.
  [[nodiscard]] bool multiply(Step step, const SparseOperator<Scalar, Space>& A) {
    if (!A.write_rows(step)) return false;
    push(step);
    return true;
  }

  /// A scaling of what the step before has written is made by the thread that writes it.
  void scale(const Step& step) {
    if (!m_steps.empty()) {
      Step& last = m_steps.back();
      using kernels::StepKind;
      const bool makes_vector = last.kind == StepKind::product || last.kind == StepKind::residual;
      if (makes_vector && last.y == step.b) {
        last.d = step.d;
        last.alpha = step.alpha;
        last.scaled = step.y;
        last.p = step.p;
        return;
      }
    }
    push(step);
  }

  const std::vector<Step>& steps() const { return m_steps; }
  /// Of the program's own vectors.
  const std::vector<std::size_t>& lengths() const { return m_lengths; }

 private:
  std::vector<Step> m_steps;
  std::map<std::pair<std::size_t, std::string>, int> m_vectors;
  std::vector<std::size_t> m_lengths;
};

}  // namespace tessera
