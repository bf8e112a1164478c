// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/lanczos_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"

namespace tessera::kernels {
namespace detail {

template <class Scalar, class Space>
struct LanczosStep {
  static constexpr int num_sums = 1;
  ArrayView<const Scalar, Space> inverse_diagonal;
  ConstMultiVectorView<Scalar, Space> Au, u;
  MultiVectorView<Scalar, Space> u_before;
  LanczosNumbers<Scalar, Space> numbers;
  int step;

  /// Of u and of u_before; both 0, and D^-1 A u left out, where the recurrence has ended.
  struct Coefficients {
    bool goes_on;
    Scalar u, u_before;
  };
  KOKKOS_FUNCTION Coefficients coefficients(int) const {
    const Scalar norm = numbers.norms(step);
    if (norm == Scalar(0)) return {false, 0, 0};
    return {true, numbers.dots(step) / norm, step > 0 ? norm / numbers.norms(step - 1) : Scalar(0)};
  }
  struct Entry {
    Scalar inverse, Au, u, u_before;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int) const {
    return {inverse_diagonal(i), Au(i, 0), u(i, 0), step > 0 ? u_before(i, 0) : Scalar(0)};
  }
  KOKKOS_FUNCTION void use(Ordinal i, int, const Coefficients& c, const Entry& at,
                           double* sum) const {
    u_before(i, 0) = next(c, at, *sum);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c, double* sum) const {
    use(i, j, c, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int, const double* sum) const {
    numbers.norms(step + 1) = static_cast<Scalar>(sum[0]);
  }

  /// Adds its share of the norm to `sum`.
  template <class Sum>
  KOKKOS_FUNCTION Scalar next(const Coefficients& c, const Entry& at, Sum& sum) const {
    if (!c.goes_on || at.inverse == Scalar(0)) return 0;
    Scalar value = at.inverse * at.Au - c.u * at.u;
    if (step > 0) value -= c.u_before * at.u_before;  // before that it is whatever was in memory
    sum += value * value / at.inverse;
    return value;
  }
};

}  // namespace detail

template <class Scalar, class Space>
void lanczos_step(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const LanczosNumbers<Scalar, Space>& numbers, int step,
                  const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& Au,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& u,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& u_before) {
  detail::require_same_shape("Au", Au, u);
  detail::require_same_shape("u_before", u_before, u);
  detail::require_length("inverse_diagonal", inverse_diagonal.extent(0), u.extent(0));
  detail::require_length("numbers.dots", numbers.dots.extent(0), step + 1);
  detail::require_length("numbers.norms", numbers.norms.extent(0), step + 2);
  const detail::LanczosStep<Scalar, Space> op{inverse_diagonal, Au, u, u_before, numbers, step};
  const char* const label = "tessera::lanczos::step";
  if constexpr (is_host_space<Space>) {
    const auto c = op.coefficients(0);
    ordered_sum<Scalar>(
        exec, label, u.extent(0),
        [=](const std::size_t i, Scalar& sum) {
          const auto row = static_cast<Ordinal>(i);
          op.u_before(row, 0) = op.next(c, op.load(row, 0), sum);
        },
        Kokkos::View<Scalar, typename Space::memory_space>(numbers.norms.data() + step + 1));
  } else {
    detail::reduce_entries(exec, label, workspace, detail::rows_of(u), 1, op);
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, lanczos_step)

}  // namespace tessera::kernels
