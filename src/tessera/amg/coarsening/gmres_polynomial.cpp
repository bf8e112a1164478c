// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/gmres_polynomial.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/basis_ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace tessera::amg {
namespace detail {

/// A dense symmetric system, by rows.
struct NormalEquations {
  std::size_t n;
  std::vector<double> matrix;
  std::vector<double> rhs;

  double& at(std::size_t k, std::size_t l) { return matrix[k * n + l]; }
};

/// Those of the vectors b_k = N^k v - N^(k+1) v.
NormalEquations normal_equations(const std::vector<double>& inner, std::size_t n) {
  NormalEquations system{n, std::vector<double>(n * n), std::vector<double>(n)};
  const auto of = [&](std::size_t k, std::size_t l) { return inner[k * (n + 1) + l]; };
  for (std::size_t k = 0; k < n; ++k) {
    system.rhs[k] = of(k, 0) - of(k + 1, 0);
    for (std::size_t l = 0; l < n; ++l)
      system.at(k, l) = of(k, l) - of(k, l + 1) - of(k + 1, l) + of(k + 1, l + 1);
  }
  return system;
}

/// Cholesky, of what is scaled to a unit diagonal; vectors that depend on those before are left
/// out, and their coefficients 0.
std::vector<double> solve_scaled(NormalEquations system) {
  constexpr double dependent = 1e-10;
  const std::size_t n = system.n;
  std::vector<double> scale(n), x(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double square = system.at(k, k);
    scale[k] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  for (std::size_t k = 0; k < n; ++k) {
    system.rhs[k] *= scale[k];
    for (std::size_t l = 0; l < n; ++l)
      system.at(k, l) *= scale[k] * scale[l];
  }
  std::vector<char> taken(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      if (l < k && taken[l] == 0) continue;
      for (std::size_t m = 0; m < l; ++m)
        if (taken[m] != 0) system.at(k, l) -= system.at(k, m) * system.at(l, m);
      if (l < k) system.at(k, l) /= system.at(l, l);
    }
    taken[k] = system.at(k, k) > dependent ? 1 : 0;
    if (taken[k] == 0) continue;
    system.at(k, k) = std::sqrt(system.at(k, k));
    x[k] = system.rhs[k];
    for (std::size_t m = 0; m < k; ++m)
      if (taken[m] != 0) x[k] -= system.at(k, m) * x[m];
    x[k] /= system.at(k, k);
  }
  for (std::size_t k = n; k-- > 0;) {
    if (taken[k] == 0) continue;
    for (std::size_t m = k + 1; m < n; ++m)
      if (taken[m] != 0) x[k] -= system.at(m, k) * x[m];
    x[k] /= system.at(k, k);
  }
  for (std::size_t k = 0; k < n; ++k)
    x[k] *= scale[k];
  return x;
}

/// Column `j` of `vectors`.
template <class Space, class Scalar>
MultiVectorView<Scalar, Space> power_of(const MultiVector<Scalar, Space>& vectors, int j) {
  return MultiVectorView<Scalar, Space>(vectors.data() + j * vectors.stride(1), vectors.extent(0),
                                        1);
}

}  // namespace detail

std::vector<double> polynomial_from_inner_products(const std::vector<double>& inner, int order) {
  const auto n = static_cast<std::size_t>(order) + 1;
  require(inner.size() == (n + 1) * (n + 1), [&] {
    return std::to_string(inner.size()) + " inner products for a polynomial of order " +
           std::to_string(order) + "; expected " + std::to_string((n + 1) * (n + 1));
  });
  std::vector<double> c = detail::solve_scaled(detail::normal_equations(inner, n));
  const bool fails =
      std::any_of(c.begin(), c.end(), [](double value) { return !std::isfinite(value); }) ||
      std::all_of(c.begin(), c.end(), [](double value) { return value == 0; });
  if (fails) std::fill(c.begin(), c.end(), 1.0);
  return c;
}

template <class Scalar, class Space, class Offset>
std::vector<double> gmres_polynomial(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& N, int order) {
  const int count = order + 2;
  const auto vectors =
      allocate_multivector<Scalar>(exec, "tessera::gmres_polynomial::powers", N.num_rows, count);
  const auto inner =
      allocate_multivector<double>(exec, "tessera::gmres_polynomial::inner", count, count);
  Kokkos::parallel_for(
      "tessera::gmres_polynomial::start", Kokkos::RangePolicy<Space>(exec, 0, N.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const double hashed = kernels::hash32(static_cast<std::uint32_t>(i), 0) * 0x1p-31 - 1;
        vectors(i, 0) = static_cast<Scalar>(N.offsets(i) < N.offsets(i + 1) ? hashed : 0.0);
      });
  const auto plan = kernels::analyse_spmv(exec, N);
  for (int k = 1; k < count; ++k)
    kernels::spmv(exec, plan, Scalar(1), N, detail::power_of<Space>(vectors, k - 1), Scalar(0),
                  detail::power_of<Space>(vectors, k));
  const kernels::ReductionWorkspace<Space> workspace(exec, kernels::basis_dot_items(count, 1),
                                                     kernels::basis_dots_at_once);
  for (int k = 0; k < count; ++k)
    kernels::basis_dot<Scalar, Space>(exec, workspace, {vectors, count},
                                      detail::power_of<Space>(vectors, k),
                                      detail::power_of<Space>(inner, k));
  const auto host = kernels::copy_to_host(exec, inner);
  return polynomial_from_inner_products({host.data(), host.data() + host.size()}, order);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, gmres_polynomial)

}  // namespace tessera::amg
