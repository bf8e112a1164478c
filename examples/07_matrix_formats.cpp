// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix as CSR and as tiles, in double and in half: bytes, products, and the suggested
/// format.
// expect: half: [0-9.]+ of the bytes, largest difference [0-9.e-]+
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/fitting_scale.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/spmv/products.hpp"

#include <iostream>

namespace {

using Space = tessera::DeviceSpace;
using Vector = tessera::MultiVector<double, Space>;

/// The largest |u_i - v_i| over the largest |u_i|.
double largest_difference(const Space& exec, const Vector& u, const Vector& v) {
  double difference = 0;
  double size = 0;
  const Kokkos::RangePolicy<Space> rows(exec, 0, u.extent(0));
  Kokkos::parallel_reduce(
      "difference", rows,
      KOKKOS_LAMBDA(const int i, double& most) {
        most = Kokkos::max(most, Kokkos::abs(u(i, 0) - v(i, 0)));
      },
      Kokkos::Max<double>(difference));
  Kokkos::parallel_reduce(
      "size", rows,
      KOKKOS_LAMBDA(const int i, double& most) { most = Kokkos::max(most, Kokkos::abs(u(i, 0))); },
      Kokkos::Max<double>(size));
  return difference / size;
}

int run() {
  const Space exec;
  tessera::GalleryParameters gallery;
  gallery.n = 32;
  const auto A = tessera::make_problem<double, Space>(exec, gallery).A;
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto x = tessera::allocate_multivector<double>(exec, "x", n);
  const auto expected = tessera::allocate_multivector<double>(exec, "expected", n);
  const auto y = tessera::allocate_multivector<double>(exec, "y", n);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const int i) { x(i, 0) = 1.0 / (1 + i % 17); });
  namespace kernels = tessera::kernels;
  kernels::spmv(exec, kernels::analyse_spmv(exec, A.view()), 1.0, A.view(), x, 0.0, expected);

  //! [tiles]
  const auto tiles = kernels::csr_to_mbsr<double>(exec, A.view());
  const auto plan = kernels::analyse_spmv(exec, tiles.view());
  kernels::spmv(exec, plan, 1.0, tiles.view(), x, 0.0, y);  // y = A x
  //! [tiles]
  std::cout << "double: largest difference " << largest_difference(exec, expected, y) << '\n';

  //! [half]
  const double scale = kernels::fitting_scale<tessera::Half>(exec, A.view());
  const auto half =
      kernels::csr_to_mbsr<tessera::Half>(exec, A.view(), kernels::TileLayout::packed, scale);
  kernels::spmv(exec, plan, 1.0, half.view(), x, 0.0, y);  // the same plan, vectors and sums
  //! [half]
  const double difference = largest_difference(exec, expected, y);
  const double csr_bytes = 12.0 * static_cast<double>(A.num_entries()) + 4.0 * (A.num_rows + 1.0);
  std::cout << "half: " << static_cast<double>(half.bytes()) / csr_bytes
            << " of the bytes, largest difference " << difference << '\n';

  //! [select]
  const auto choice = kernels::select_format(exec, A.view());
  std::cout << "suggested: " << choice.reason << '\n';
  //! [select]
  return difference < 1e-3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return run();
}
