// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/single_kernel_rule.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::detail {

template <class Scalar, class Space, class Offset>
bool wants_single_kernel(const Space& exec, const SolveParameters& effective,
                         const CrsMatrix<Scalar, Space, Offset>& A,
                         const NonDeduced<IluPreconditioner<Scalar, Space, Offset>>* incomplete) {
  const SingleKernel asked = effective.solver.single_kernel;
  if (asked != SingleKernel::automatic) return asked == SingleKernel::on;
  SingleKernelCase given{.on_host = kernels::is_host_space<Space>,
                         .preconditioner = effective.preconditioner,
                         .on_tiles = takes_tiles(effective),
                         .entries = A.num_entries()};
  if (incomplete != nullptr) {
    const auto& solves = incomplete->solves();
    const Ordinal of_L = solves.lower().levels.num_levels;
    const Ordinal of_U = solves.upper().levels.num_levels;
    if (of_L > 0 && of_U > 0) given.levels = static_cast<std::int64_t>(of_L) + of_U;
  }
  given.has_hubs = A.plan().algorithm == kernels::CsrSpmvAlgorithm::load_balanced;
  // A pass over the rows and a wait, where the answer may matter.
  if (given.has_hubs && single_kernel_pays(given)) {
    const auto view = A.view();
    given.longest_row =
        kernels::detail::row_facts<Space, Offset>(exec, view.offsets, view.num_rows).longest;
  }
  return single_kernel_pays(given);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, wants_single_kernel)

}  // namespace tessera::detail
