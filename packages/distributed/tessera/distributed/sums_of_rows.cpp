// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/sums_of_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <span>

namespace tessera::distributed {

template <class Space>
SumsOfRows sums_of_rows(const Space& exec, const Matrix<Space>& A) {
  const auto view = A.rows.view();
  double not_zero = 0;
  double of_zeros = 0;
  double not_positive = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::sums_of_rows", Kokkos::RangePolicy<Space>(exec, 0, view.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, double& sums, double& zeros, double& signs) {
        double sum = 0;
        double magnitude = 0;
        double diagonal = 0;
        for (std::int64_t e = view.offsets(i); e < view.offsets(i + 1); ++e) {
          sum += view.values(e);
          magnitude += Kokkos::abs(view.values(e));
          if (view.columns(e) == i) diagonal = view.values(e);
        }
        if (!(Kokkos::abs(sum) <= 1e-13 * magnitude)) sums += 1;
        if (magnitude == 0) zeros += 1;
        if (!(diagonal > 0)) signs += 1;
      },
      not_zero, of_zeros, not_positive);
  exec.fence("tessera::distributed::sums_of_rows");
  double counts[] = {not_zero, of_zeros, not_positive};
  A.processes->sum(std::span<double>(counts));
  return {A.row_shares->size() > 0 && counts[0] == 0, counts[1] > 0, counts[2] == 0};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, sums_of_rows)

}  // namespace tessera::distributed
