// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the products of a format take is what `analyse_spmv` makes of it, in every storage scalar.
#include "tessera/kernels/spmv/products.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mixed_tiles.hpp"

#include <concepts>
#include <cstdint>

namespace tessera::kernels {
namespace {

template <class View>
concept TakesItsPlan = requires(const typename View::execution_space& exec, const View& A) {
  { analyse_spmv(exec, A) } -> std::same_as<ProductPlan<View>>;
};

#define TESSERA_FORMAT_TAKES_PLAN(Matrix, Storage, Space) \
  static_assert(TakesItsPlan<Matrix##View<Storage, Space>>);
#define TESSERA_TAKES_PLAN(Storage, Space)                            \
  static_assert(TakesItsPlan<CsrView<Storage, Space, std::int32_t>>); \
  static_assert(TakesItsPlan<CsrView<Storage, Space, std::int64_t>>); \
  TESSERA_FOR_EACH_FORMAT_BESIDE_CSR(TESSERA_FORMAT_TAKES_PLAN, Storage, Space)
TESSERA_FOR_EACH_STORED(TESSERA_TAKES_PLAN)
#undef TESSERA_TAKES_PLAN
#undef TESSERA_FORMAT_TAKES_PLAN

// Solves in one kernel read them; they have no products of their own.
static_assert(!HasProducts<MixedTilesView<double, HostSpace, std::int32_t, 16>>);
static_assert(!HasProducts<double>);

}  // namespace
}  // namespace tessera::kernels
