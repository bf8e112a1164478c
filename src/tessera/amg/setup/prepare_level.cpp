// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/prepare_level.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <cmath>
#include <cstdint>

namespace tessera::amg {
namespace detail {

/// By the method that the parameters name. Below an indefinite matrix a level may have a diagonal
/// of two signs, which leaves Lanczos without an inner product and with a NaN: then Arnoldi
/// decides.
template <class Scalar, class Space, class Offset>
double estimate_spectral_radius(const Space& exec, const Parameters& p,
                                const FineLevel<Scalar, Space, Offset>& fine) {
  const auto A = fine.A->view();
  const int steps = p.spectral_radius_steps;
  if (p.spectral_radius == SpectralRadiusMethod::lanczos) {
    const double rho =
        spectral_radius_lanczos(exec, A, fine.A->plan(), fine.inverse_diagonal, steps);
    if (std::isfinite(rho)) return rho;
  }
  return spectral_radius_arnoldi(exec, A, fine.A->plan(), fine.inverse_diagonal, steps);
}

/// Classical coarsening does without, as smoothers do that are damped by sums of rows.
bool asks_for_spectral_radius(const Parameters& p) {
  const bool may_differ_by_level = !p.levels.empty() || p.choose_level != nullptr;
  return may_differ_by_level || p.coarsening != CoarseningKind::classical ||
         smoother_needs(p.smoother).spectral_radius;
}

template <class Scalar, class Space, class Offset>
bool is_finite(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto values = A.values;
  int found = 0;
  Kokkos::parallel_reduce(
      "tessera::setup::not_finite",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
          exec, 0, static_cast<std::int64_t>(A.num_entries)),
      KOKKOS_LAMBDA(const std::int64_t e, int& any) {
        if (!Kokkos::isfinite(values(e))) any = 1;
      },
      Kokkos::Max<int>(found));
  exec.fence("tessera::setup::not_finite");
  return found < 1;  // or the least number that there is, of no entries
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool prepare_level(const Space& exec, const Parameters& p, FineLevel<Scalar, Space, Offset>& fine,
                   PhaseTimer<Space>& timer) {
  timer.start(exec, "spectral radius");
  fine.inverse_diagonal = kernels::inverse_diagonal(exec, fine.A->view());
  if (!detail::asks_for_spectral_radius(p)) {
    fine.spectral_radius = 0;
    return detail::is_finite(exec, fine.A->view());
  }
  fine.spectral_radius = detail::estimate_spectral_radius(exec, p, fine);
  if (!std::isfinite(fine.spectral_radius)) return false;
  // A matrix without a usable diagonal leaves relaxation undamped.
  if (!(fine.spectral_radius > 0)) fine.spectral_radius = 1;
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, prepare_level)

}  // namespace tessera::amg
