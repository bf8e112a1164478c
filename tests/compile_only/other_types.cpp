// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions that headers hold serve other types than the library has instantiated: other
/// offsets, another execution space where Kokkos has one beside threads, and `long double` where
/// values are moved and not summed, and by the loops of Krylov methods. Products have sums in
/// double or float (refused/), so that those of tiles have another mix of storages here. The
/// numbers of rows and columns are `Ordinal` in all of Tessera. For what adapters define:
/// trilinos/.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/csr_to_mbsr_impl.hpp"
#include "tessera/kernels/format/mbsr/mbsr_to_csr_impl.hpp"
#include "tessera/kernels/format/transpose_impl.hpp"
#include "tessera/kernels/graph/aggregate_impl.hpp"
#include "tessera/kernels/graph/fit_box_impl.hpp"
#include "tessera/kernels/spgemm/detail/count_rows_impl.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles_by_teams_impl.hpp"
#include "tessera/kernels/spmv/coo/analyse_impl.hpp"
#include "tessera/kernels/spmv/csr/csr_analyse_impl.hpp"
#include "tessera/kernels/spmv/csr/csr_products_impl.hpp"
#include "tessera/kernels/spmv/detail/coo_sweep.hpp"
#include "tessera/kernels/spmv/detail/ell_sweep.hpp"
#include "tessera/kernels/spmv/ell/analyse_impl.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_analyse_impl.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv_impl.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint_impl.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"
#include "tessera/matrix/stored_matrix_impl.hpp"
#include "tessera/solver/krylov_iterates_impl.hpp"

#include <cstdint>
#include <type_traits>

namespace tessera::kernels {
namespace {

#ifdef KOKKOS_ENABLE_SERIAL
using OtherSpace = Kokkos::Serial;
#else
using OtherSpace = HostSpace;
#endif
/// 64 bits by the other of their two types.
using OtherOffset = std::conditional_t<std::is_same_v<std::int64_t, long long>, long, long long>;
using OtherScalar = long double;

using Rows = CsrView<double, OtherSpace, OtherOffset>;
using ValuesMoved = CsrView<OtherScalar, OtherSpace, OtherOffset>;

}  // namespace

template Csr<OtherScalar, OtherSpace, OtherOffset> transpose(const OtherSpace&, const ValuesMoved&);

TESSERA_INSTANTIATE_FUNCTION(csr_to_mbsr, OtherScalar, OtherScalar, OtherSpace, OtherOffset)
TESSERA_INSTANTIATE_FUNCTION(mbsr_to_csr, OtherScalar, OtherOffset, OtherScalar, OtherSpace)

TESSERA_INSTANTIATE_FUNCTION(aggregate_mis2, OtherSpace, OtherOffset)
TESSERA_INSTANTIATE_FUNCTION(fit_box, OtherSpace, OtherOffset)
TESSERA_INSTANTIATE_FUNCTION(fit_planes, OtherSpace, OtherOffset)
TESSERA_INSTANTIATE_FUNCTION(sample_strides, OtherSpace, OtherOffset)

template CsrSpmvPlan<OtherSpace> analyse_spmv(const OtherSpace&, const Rows&);
template CsrSpmvPlan<OtherSpace> analyse_spmv(const OtherSpace&, const Rows&, CsrSpmvAlgorithm, int,
                                              int);
TESSERA_DETAIL_SPMV(double, OtherSpace, Rows)
TESSERA_DETAIL_RESIDUAL(double, OtherSpace, Rows)
TESSERA_DETAIL_RESIDUAL_NORM(double, OtherSpace, Rows)
TESSERA_DETAIL_SPMV_DOT(double, OtherSpace, Rows)
TESSERA_DETAIL_JACOBI_SWEEP(double, OtherSpace, Rows)
TESSERA_DETAIL_CHEBYSHEV_STEP(double, OtherSpace, Rows)

template EllSpmvPlan analyse_spmv(const OtherSpace&, const EllView<double, OtherSpace>&);
TESSERA_DETAIL_INSTANTIATE_PRODUCTS(EllView, double, double, OtherSpace)
template CooSpmvPlan<OtherSpace> analyse_spmv(const OtherSpace&,
                                              const CooView<double, OtherSpace>&);
TESSERA_DETAIL_INSTANTIATE_PRODUCTS(CooView, double, double, OtherSpace)
template MbsrSpmvPlan<OtherSpace> analyse_spmv(const OtherSpace&,
                                               const MbsrView<double, OtherSpace>&);
TESSERA_DETAIL_INSTANTIATE_PRODUCTS(MbsrView, double, double, OtherSpace)
template detail::RowFacts detail::row_facts(const OtherSpace&,
                                            const ArrayView<const OtherOffset, OtherSpace>&,
                                            Ordinal);
template std::uint64_t detail::fingerprint_of(const OtherSpace&,
                                              const ArrayView<const OtherOffset, OtherSpace>&,
                                              std::size_t);

namespace spgemm_detail {

TESSERA_INSTANTIATE_FUNCTION(count_rows, OtherSpace, OtherOffset)
TESSERA_INSTANTIATE_FUNCTION(sum_tiles_by_teams, double, float, float, OtherSpace)

}  // namespace spgemm_detail
}  // namespace tessera::kernels

template class tessera::KrylovMethod<tessera::kernels::OtherScalar, tessera::kernels::OtherSpace>;

template class tessera::StoredMatrix<
    double,
    tessera::kernels::Csr<double, tessera::kernels::OtherSpace, tessera::kernels::OtherOffset>>;
