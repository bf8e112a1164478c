// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The report of `validate`, and instantiations.
#include "tessera/core/validate_impl.hpp"

#include "tessera/kernels/instantiate.hpp"

#include <algorithm>

namespace tessera {

const char* to_string(MatrixDefect defect) {
  switch (defect) {
    case MatrixDefect::offsets:
      return "offsets";
    case MatrixDefect::column:
      return "column";
    case MatrixDefect::unsorted:
      return "unsorted";
    case MatrixDefect::duplicate:
      return "duplicate";
    case MatrixDefect::not_finite:
      return "not_finite";
  }
  return "unknown";
}

bool ValidationReport::valid() const {
  return std::all_of(problems.begin(), problems.end(), [](const MatrixProblem& problem) {
    return problem.defect == MatrixDefect::unsorted;
  });
}

bool ValidationReport::has(MatrixDefect defect) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const MatrixProblem& problem) { return problem.defect == defect; });
}

std::string to_string(const ValidationReport& report) {
  if (report.problems.empty()) return "the matrix is valid";
  std::string text;
  for (const MatrixProblem& problem : report.problems) {
    if (!text.empty()) text += "\n";
    text += std::string(to_string(problem.defect)) + ": " + problem.message;
  }
  return text;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                      \
  template ValidationReport validate(const Space& exec,                                 \
                                     const kernels::CsrView<Scalar, Space, Offset>& A); \
  template void require_valid(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera
