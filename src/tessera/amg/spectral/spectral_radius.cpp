// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/spectral/spectral_radius.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tessera/amg/spectral/spectral_recurrence.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/lanczos_steps.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

namespace tessera::amg {

/// A number on the device that a kernel writes or reads.
template <class Scalar, class Space>
using DeviceNumber = Kokkos::View<Scalar, typename Space::memory_space>;

/// The start vector D^-1/2 h, h hashed in (-1, 1), and the square of its norm, which is h'h: each
/// row has the same share of it, however large its diagonal. Rows of zero diagonal stay 0.
template <class Scalar, class Space>
void start_lanczos(const Space& exec, const ArrayView<const Scalar, Space>& inverse_diagonal,
                   std::uint32_t seed, const MultiVectorView<Scalar, Space>& u,
                   const DeviceNumber<Scalar, Space>& norm_squared) {
  kernels::ordered_sum<Scalar>(
      exec, "tessera::lanczos::start", u.extent(0),
      KOKKOS_LAMBDA(const Ordinal i, Scalar& sum) {
        const Scalar inverse = inverse_diagonal(i);
        const Scalar value = start_entry(i, inverse, seed);
        u(i, 0) = value * Kokkos::sqrt(Kokkos::abs(inverse));
        sum += inverse < Scalar(0) ? -value * value : value * value;
      },
      norm_squared);
}

/// The vectors, the numbers and the workspace of the recurrence, from one allocation: each makes a
/// GPU wait.
template <class Scalar, class Space>
struct LanczosMemory {
  Array<Scalar, Space> memory;
  MultiVectorView<Scalar, Space> u, u_before, Au;
  ArrayView<Scalar, Space> numbers;  ///< dots, then norms
  ArrayView<Scalar, Space> dots, norms;
  kernels::ReductionWorkspace<Space> workspace;

  LanczosMemory(const Space& exec, std::size_t n, std::size_t steps) {
    const std::size_t aligned = (n + 31) / 32 * 32;
    const std::size_t sums = kernels::ReductionWorkspace<Space>::bytes(1, 1) / sizeof(Scalar);
    memory = allocate<Scalar>(exec, "tessera::lanczos", sums + 3 * aligned + 2 * steps + 1);
    workspace = kernels::ReductionWorkspace<Space>(exec, 1, 1, memory.data());
    Scalar* const first = memory.data() + sums;
    u = MultiVectorView<Scalar, Space>(first, n, 1);
    u_before = MultiVectorView<Scalar, Space>(first + aligned, n, 1);
    Au = MultiVectorView<Scalar, Space>(first + 2 * aligned, n, 1);
    numbers = ArrayView<Scalar, Space>(first + 3 * aligned, 2 * steps + 1);
    dots = ArrayView<Scalar, Space>(numbers.data(), steps);
    norms = ArrayView<Scalar, Space>(numbers.data() + steps, steps + 1);
  }
};

/// The tridiagonal matrix from the recurrence's numbers, up to where an invariant subspace was
/// found or the norms left the scalar's range (what comes after that is rounding error).
template <class HostArray>
Tridiagonal lanczos_matrix(const HostArray& dots, const HostArray& norms) {
  using Scalar = typename HostArray::non_const_value_type;
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  // Vectors that are not normalised shrink from step to step; below this their norms are noise.
  const double min_norm = static_cast<double>(std::numeric_limits<Scalar>::min()) /
                          std::numeric_limits<Scalar>::epsilon();
  Tridiagonal matrix;
  for (std::size_t j = 0; j < dots.extent(0); ++j) {
    matrix.diagonal.push_back(static_cast<double>(dots(j)) / norms(j));
    const double square = static_cast<double>(norms(j + 1)) / norms(j);
    matrix.squares.push_back(std::max(square, 0.0));
    const double size = std::abs(matrix.diagonal[0]);
    const bool is_noise = !(std::abs(static_cast<double>(norms(j + 1))) > min_norm);
    if (is_noise || !(std::sqrt(matrix.squares.back()) > tolerance * size)) break;
  }
  return matrix;
}

/// The steps by two kernels each. The basis is not normalised, so that no norm has to be known
/// before the next step: the host reads all numbers at the end.
template <class Scalar, class Space, class Offset>
class FusedLanczos {
 public:
  FusedLanczos(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
               const kernels::CsrSpmvPlan<Space>& plan,
               const ArrayView<const Scalar, Space>& inverse_diagonal, int steps,
               std::uint32_t seed)
      : m_exec(exec),
        m_A(A),
        m_plan(plan),
        m_inverse_diagonal(inverse_diagonal),
        m_steps(steps),
        m_seed(seed),
        m_work(exec, A.num_rows, steps) {}

  void start() {
    start_lanczos<Scalar, Space>(m_exec, m_inverse_diagonal, m_seed, m_work.u,
                                 DeviceNumber<Scalar, Space>(m_work.norms.data()));
  }
  bool goes_on(int) const { return true; }
  void multiply(int step) {
    kernels::spmv_dot(m_exec, m_plan, m_A, m_work.u, m_work.Au,
                      Kokkos::subview(m_work.dots, Kokkos::make_pair(step, step + 1)));
  }
  void orthogonalise(int step) {
    kernels::lanczos_step<Scalar, Space>(m_exec, m_work.workspace, {m_work.dots, m_work.norms},
                                         step, m_inverse_diagonal, m_work.Au, m_work.u,
                                         m_work.u_before);
    std::swap(m_work.u, m_work.u_before);
  }
  Tridiagonal matrix() const {
    const auto host = kernels::copy_to_host(m_exec, m_work.numbers);
    const auto norms = Kokkos::subview(host, Kokkos::make_pair(m_steps, 2 * m_steps + 1));
    if (norms(0) == Scalar(0)) return {};
    return lanczos_matrix(Kokkos::subview(host, Kokkos::make_pair(0, m_steps)), norms);
  }

 private:
  const Space& m_exec;
  const kernels::CsrView<Scalar, Space, Offset>& m_A;
  const kernels::CsrSpmvPlan<Space>& m_plan;
  ArrayView<const Scalar, Space> m_inverse_diagonal;
  int m_steps;
  std::uint32_t m_seed;
  LanczosMemory<Scalar, Space> m_work;
};

template <class Scalar, class Space, class Offset>
double spectral_radius_lanczos(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const kernels::CsrSpmvPlan<Space>& plan,
                               const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                               int steps, std::uint32_t seed) {
  require(steps >= 1, [&] { return "steps = " + std::to_string(steps) + "; expected >= 1"; });
  if (A.num_rows == 0) return 0;
  return radius_by_lanczos(
      FusedLanczos<Scalar, Space, Offset>(exec, A, plan, inverse_diagonal, steps, seed), steps);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, spectral_radius_lanczos)

}  // namespace tessera::amg
