// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/given_nullspace.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tessera::detail {

template <class Scalar, class Space>
MultiVector<Scalar, Space> nullspace_copy(const Space& exec,
                                          const ConstMultiVectorView<Scalar, Space>& basis) {
  const std::size_t count = basis.extent(1);
  if (count == 0) return {};
  const auto largest =
      kernels::allocate_report<double>(exec, "tessera::Solver::nullspace", static_cast<int>(count));
  const auto copy =
      allocate_multivector<Scalar>(exec, "tessera::Solver::nullspace", basis.extent(0), count);
  kernels::column_magnitudes<Scalar, Space>(exec, basis, largest);
  exec.fence("tessera::Solver::set_nullspace");
  std::vector<int> exponents(count, 0);
  for (std::size_t j = 0; j < count && basis.extent(0) > 0; ++j) {
    if (!(largest(j) > 0) || !std::isfinite(largest(j)))
      throw Error(ErrorKind::bad_input,
                  "vector " + std::to_string(j) + " of the nullspace " +
                      (largest(j) == 0 ? "is all zeros" : "holds a NaN or an infinity"));
    exponents[j] = -std::ilogb(largest(j));
  }
  kernels::scale_columns<Scalar, Space>(exec, exponents, basis, copy);
  exec.fence("tessera::Solver::set_nullspace");
  return copy;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, nullspace_copy)

template <class Scalar, class Space, class Offset>
CrsMatrix<Scalar, Space, Offset> transposed(const Space& exec,
                                            const CrsMatrix<Scalar, Space, Offset>& A) {
  return CrsMatrix<Scalar, Space, Offset>(exec, kernels::transpose(exec, A.view()));
}

template <class Scalar, class Space, class Offset>
NullspaceProjectors<Scalar, Space> checked_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system) {
  const NullspaceKind asked = system.parameters.solver.nullspace;
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::configuration, what); };
  if (system.given_nullspace.extent(1) == 0)
    refuse("solver.nullspace=given, and none was; call Solver::set_nullspace before a setup");
  if (asked != NullspaceKind::automatic && asked != NullspaceKind::given)
    refuse(
        "a nullspace was given by Solver::set_nullspace and 'solver.nullspace' names another "
        "one, expected auto or given");
  const auto require_rows = [&](const MultiVector<Scalar, Space>& given) {
    require(given.extent(0) == static_cast<std::size_t>(system.A.num_rows()), [&] {
      return "the nullspace given has " + std::to_string(given.extent(0)) + " rows, expected " +
             std::to_string(system.A.num_rows()) + ", as A has";
    });
  };
  using Projector = NullspaceProjector<Scalar, Space>;
  NullspaceProjectors<Scalar, Space> projectors;
  require_rows(system.given_nullspace);
  projectors.of_matrix = Projector(exec, system.given_nullspace);
  require_annihilated<Scalar, Space>(exec, system.A, projectors.of_matrix.vectors(),
                                     "the nullspace given");
  if (system.given_transposed_nullspace.extent(1) == 0) return projectors;
  require_rows(system.given_transposed_nullspace);
  projectors.of_transpose = Projector(exec, system.given_transposed_nullspace);
  require_annihilated<Scalar, Space>(exec, transposed(exec, system.A),
                                     projectors.of_transpose.vectors(),
                                     "the left nullspace given, of the transpose,");
  return projectors;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, checked_nullspace)

template <class Scalar, class Space, class Offset>
bool still_annihilated(const Space& exec, const CrsMatrix<Scalar, Space, Offset>& A,
                       const NonDeduced<NullspaceProjectors<Scalar, Space>>& projectors) {
  const auto is_annihilated = [&](const auto& matrix, const auto& vectors) {
    const auto images = relative_images<Scalar, Space>(exec, matrix, vectors);
    return std::ranges::all_of(images,
                               [](double image) { return image <= annihilated_image<Scalar>; });
  };
  return is_annihilated(A, projectors.of_matrix.vectors()) &&
         (projectors.of_transpose.empty() ||
          is_annihilated(transposed(exec, A), projectors.of_transpose.vectors()));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, still_annihilated)

}  // namespace tessera::detail
