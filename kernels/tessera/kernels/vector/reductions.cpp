// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/reductions.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

struct NoCoefficients {};

template <class Scalar, class Space>
struct Dot {
  static constexpr int num_sums = 1;
  ConstMultiVectorView<Scalar, Space> x, y;
  ArrayView<double, Space> result;
  ReportView<double, Space> report;

  struct Entry {
    Scalar x, y;
  };
  KOKKOS_FUNCTION NoCoefficients coefficients(int) const { return {}; }
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {x(i, j), y(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal, int, NoCoefficients, const Entry& at, double* sum) const {
    sum[0] += static_cast<double>(at.x) * static_cast<double>(at.y);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, NoCoefficients, double* sum) const {
    use(i, j, {}, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    result(j) = sum[0];
    if (report.data() != nullptr) {
      report(j) = sum[0];
    }
  }
};

template <class Scalar, class Space>
struct DotTwo {
  static constexpr int num_sums = 2;
  ConstMultiVectorView<Scalar, Space> x, y, z;
  ArrayView<double, Space> result;

  KOKKOS_FUNCTION NoCoefficients coefficients(int) const { return {}; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, NoCoefficients, double* sum) const {
    const double xi = x(i, j);
    sum[0] += xi * static_cast<double>(y(i, j));
    sum[1] += xi * static_cast<double>(z(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    result(j) = sum[0];
    result(static_cast<int>(x.extent(1)) + j) = sum[1];
  }
};

}  // namespace detail

namespace detail {

inline std::size_t partial_sums(int items, int sums) {
  return static_cast<std::size_t>(items) * static_cast<std::size_t>(sums) * reduction_max_chunks;
}

}  // namespace detail

template <class Space>
ReductionWorkspace<Space>::ReductionWorkspace(const Space& exec, int items, int sums)
    : partials(allocate<double>(exec, "tessera::vector::partial_sums",
                                detail::partial_sums(items, sums))),
      finished(allocate<int>(exec, "tessera::vector::finished_chunks",
                             static_cast<std::size_t>(items))) {
  Kokkos::deep_copy(exec, finished, 0);
}

template <class Space>
ReductionWorkspace<Space>::ReductionWorkspace(const Space& exec, int items, int sums, void* memory)
    : partials(static_cast<double*>(memory), detail::partial_sums(items, sums)),
      finished(reinterpret_cast<int*>(partials.data() + partials.extent(0)), items) {
  Kokkos::deep_copy(exec, finished, 0);
}

template <class Space>
std::size_t ReductionWorkspace<Space>::bytes(int items, int sums) {
  constexpr std::size_t line = 128;
  const std::size_t counts = static_cast<std::size_t>(items) * sizeof(int);
  return detail::partial_sums(items, sums) * sizeof(double) + (counts + line - 1) / line * line;
}

template <class Scalar, class Space>
void dot(const Space& exec, const ReductionWorkspace<Space>& workspace,
         const ConstMultiVectorView<Scalar, Space>& x,
         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& y,
         const NonDeduced<ArrayView<double, Space>>& result,
         const NonDeduced<ReportView<double, Space>>& report) {
  detail::require_same_shape("y", y, x);
  detail::require_length("result", result.extent(0), x.extent(1));
  detail::reduce_entries(exec, "tessera::vector::dot", workspace, detail::rows_of(x),
                         detail::columns_of(x), detail::Dot<Scalar, Space>{x, y, result, report});
}

template <class Scalar, class Space>
void dot_two(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ConstMultiVectorView<Scalar, Space>& x,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& y,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
             const NonDeduced<ArrayView<double, Space>>& result) {
  detail::require_same_shape("y", y, x);
  detail::require_same_shape("z", z, x);
  detail::require_length("result", result.extent(0), 2 * x.extent(1));
  detail::reduce_entries(exec, "tessera::vector::dot_two", workspace, detail::rows_of(x),
                         detail::columns_of(x), detail::DotTwo<Scalar, Space>{x, y, z, result});
}

template <class Scalar, class Space>
void squared_norm(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const ConstMultiVectorView<Scalar, Space>& x,
                  const NonDeduced<ArrayView<double, Space>>& result,
                  const NonDeduced<ReportView<double, Space>>& report) {
  dot<Scalar, Space>(exec, workspace, x, x, result, report);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_STRUCT, ReductionWorkspace)

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, dot)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, dot_two)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, squared_norm)

}  // namespace tessera::kernels
