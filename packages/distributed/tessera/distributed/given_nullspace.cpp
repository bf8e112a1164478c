// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/given_nullspace.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/rows_product.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/solver/nullspace_projector.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

template <class Space>
using NullspaceVectors = ConstMultiVectorView<double, Space>;

/// Of all processes, by column. Collective.
template <class Space>
std::vector<double> largest_magnitudes(const Space& exec, const Communicator& processes,
                                       const NullspaceVectors<Space>& vectors) {
  std::vector<double> largest(vectors.extent(1), 0.0);
  on_all_processes(processes, [&] {
    if (vectors.extent(0) == 0 || largest.empty()) return;
    const auto report = kernels::allocate_report<double>(exec, "tessera::distributed::nullspace",
                                                         vectors.extent(1));
    kernels::column_magnitudes<double, Space>(exec, vectors, report);
    exec.fence("tessera::distributed::nullspace");
    std::copy_n(report.data(), largest.size(), largest.begin());
  });
  processes.maximum(largest);
  return largest;
}

/// The minus of what brings magnitudes to about 1.
std::vector<int> exponents_to_one(const std::vector<double>& largest) {
  std::vector<int> exponents;
  for (const double size : largest)
    exponents.push_back(size > 0 && std::isfinite(size) ? -std::ilogb(size) : 0);
  return exponents;
}

/// Throws where processes have other numbers of vectors. Collective.
void agree_on_count(const Communicator& processes, std::size_t count, const char* what) {
  const auto own = static_cast<double>(count);
  double most[] = {own, -own};
  processes.maximum(most);
  on_all_processes(processes, [&] {
    if (most[0] != -most[1])
      throw Error(ErrorKind::precondition, "there are " + std::to_string(count) +
                                               " vectors of the " + what +
                                               " on this process, and another number on another");
  });
}

template <class Space>
MultiVector<double, Space> copied_vectors(const Space& exec, const Communicator& processes,
                                          const NullspaceVectors<Space>& vectors,
                                          const char* what) {
  agree_on_count(processes, vectors.extent(1), what);
  if (vectors.extent(1) == 0) return {};
  const auto largest = largest_magnitudes<Space>(exec, processes, vectors);
  const bool has_rows = processes.sum_of(static_cast<double>(vectors.extent(0))) > 0;
  for (std::size_t j = 0; j < largest.size(); ++j)
    if (has_rows && (!(largest[j] > 0) || !std::isfinite(largest[j])))
      throw Error(ErrorKind::bad_input,
                  "vector " + std::to_string(j) + " of the " + what +
                      (largest[j] == 0 ? " is all zeros" : " holds a NaN or an infinity"));
  MultiVector<double, Space> copy;
  on_all_processes(processes, [&] {
    copy = allocate_multivector<double>(exec, "tessera::distributed::nullspace", vectors.extent(0),
                                        vectors.extent(1));
    if (vectors.extent(0) > 0)
      kernels::scale_columns<double, Space>(exec, exponents_to_one(largest), vectors, copy);
    exec.fence("tessera::distributed::set_nullspace");
  });
  return copy;
}

/// u = v with the signs of a hash of the row among all.
template <class Space>
struct MixSignsOfAll {
  NullspaceVectors<Space> v;
  MultiVectorView<double, Space> u;
  Partition::Global first;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    std::uint64_t bits = (static_cast<std::uint64_t>(first + i) + 1) * 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    const double sign = (bits >> 63) != 0 ? -1 : 1;
    for (int j = 0; j < static_cast<int>(u.extent(1)); ++j)
      u(i, j) = sign * v(i, j);
  }
};

/// tessera::relative_images over all processes. Collective.
template <class Space>
std::vector<double> relative_images_of_all(const Space& exec, const Matrix<Space>& A,
                                           const NullspaceVectors<Space>& vectors) {
  const std::size_t n = vectors.extent(0), q = vectors.extent(1);
  const Communicator& processes = *A.processes;
  MultiVector<double, Space> u, y, z;
  std::unique_ptr<RowsProduct<Space>> rows;
  InnerProducts<Space> products;
  on_all_processes(processes, [&] {
    rows = std::make_unique<RowsProduct<Space>>(exec, A, q);
    products = InnerProducts<Space>(exec, A.processes, q);
    products.reserve(exec, 2 * q);
    for (auto* const made : {&u, &y, &z})
      *made = allocate_multivector<double>(exec, "tessera::distributed::nullspace", n, q);
    Kokkos::parallel_for("tessera::distributed::nullspace::mix_signs",
                         Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(n)),
                         MixSignsOfAll<Space>{vectors, u, A.row_shares->first()});
    exec.fence("tessera::distributed::nullspace");
  });
  rows->apply(exec, vectors, y);
  rows->apply(exec, u, z);
  auto largest = largest_magnitudes<Space>(exec, processes, y);
  const auto of_mixed = largest_magnitudes<Space>(exec, processes, z);
  for (std::size_t t = 0; t < q; ++t)
    largest[t] = std::max(largest[t], of_mixed[t]);
  const auto exponents = exponents_to_one(largest);
  for (const auto& image : {y, z})
    if (n > 0) kernels::scale_columns<double, Space>(exec, exponents, image, image);
  const auto squares = products(exec, {{y, y}, {z, z}});
  std::vector<double> images(q, 0.0);
  for (std::size_t t = 0; t < q; ++t) {
    const double image = std::sqrt(squares[t]), size = std::sqrt(squares[q + t]);
    if (image > 0 && std::isfinite(image) && std::isfinite(size)) images[t] = image / size;
  }
  return images;
}

/// Orthonormal, once A is seen to annihilate it. Collective.
template <class Space>
std::shared_ptr<NullspaceProjector<Space>> checked_projector(const Space& exec,
                                                             const Matrix<Space>& A,
                                                             const NullspaceVectors<Space>& vectors,
                                                             const std::string& name) {
  on_all_processes(*A.processes, [&] {
    if (vectors.extent(0) != static_cast<std::size_t>(A.rows.num_rows))
      throw Error(ErrorKind::precondition, name + " has " + std::to_string(vectors.extent(0)) +
                                               " rows on this process, expected " +
                                               std::to_string(A.rows.num_rows) +
                                               ", as A has there");
  });
  auto made = std::make_shared<VectorProjector<Space>>(exec, A.processes, vectors);
  require_small_images(relative_images_of_all<Space>(exec, A, made->vectors()),
                       annihilated_image<double>, name);
  return made;
}

}  // namespace

template <class Space>
GivenNullspace<Space> copied_nullspace(
    const Space& exec, const Communicator& processes,
    const NonDeduced<ConstMultiVectorView<double, Space>>& basis,
    const NonDeduced<ConstMultiVectorView<double, Space>>& left) {
  GivenNullspace<Space> made;
  made.basis = copied_vectors<Space>(exec, processes, basis, "nullspace");
  made.left = copied_vectors<Space>(exec, processes, left, "left nullspace");
  if (made.left.extent(1) > 0 && made.empty())
    throw Error(ErrorKind::precondition,
                "Solver::set_nullspace: a left nullspace was given, and none of the matrix itself; "
                "a square matrix has both or none");
  return made;
}

template <class Space>
NullspaceProjectors<Space> checked_nullspace(const Space& exec, const Matrix<Space>& A,
                                             bool symmetric, const GivenNullspace<Space>& given) {
  NullspaceProjectors<Space> made;
  made.of_x = checked_projector<Space>(exec, A, given.basis, "the nullspace given");
  if (symmetric) made.of_residuals = made.of_x;
  if (given.left.extent(1) == 0) return made;
  auto of_transpose =
      checked_projector<Space>(exec, Transposition<Space>().make(exec, A), given.left,
                               "the left nullspace given, of the transpose,");
  if (!symmetric) made.of_residuals = of_transpose;
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, copied_nullspace)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, checked_nullspace)

}  // namespace tessera::distributed
