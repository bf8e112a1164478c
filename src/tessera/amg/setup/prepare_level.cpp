// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/prepare_level.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"

#include <cmath>

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

}  // namespace detail

template <class Scalar, class Space, class Offset>
bool prepare_level(const Space& exec, const Parameters& p, FineLevel<Scalar, Space, Offset>& fine,
                   PhaseTimer<Space>& timer) {
  timer.start(exec, "spectral radius");
  fine.inverse_diagonal = kernels::inverse_diagonal(exec, fine.A->view());
  fine.spectral_radius = detail::estimate_spectral_radius(exec, p, fine);
  if (!std::isfinite(fine.spectral_radius)) return false;
  // A matrix without a usable diagonal leaves relaxation undamped.
  if (!(fine.spectral_radius > 0)) fine.spectral_radius = 1;
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, prepare_level)

}  // namespace tessera::amg
