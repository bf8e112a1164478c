// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every format has every product, in every storage scalar beside vectors of double and of float.
#include "tessera/kernels/spmv/products.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace {

#define TESSERA_HAS_PRODUCTS(Storage, Working, Space)                         \
  static_assert(HasProducts<CsrView<Storage, Space, std::int32_t>, Working>); \
  static_assert(HasProducts<CsrView<Storage, Space, std::int64_t>, Working>); \
  static_assert(HasProducts<MbsrView<Storage, Space>, Working>);              \
  static_assert(HasProducts<EllView<Storage, Space>, Working>);               \
  static_assert(HasProducts<HybView<Storage, Space>, Working>);               \
  static_assert(HasProducts<CooView<Storage, Space>, Working>);
TESSERA_FOR_EACH_MIXED(TESSERA_HAS_PRODUCTS)
#undef TESSERA_HAS_PRODUCTS

}  // namespace

namespace only_spmv {

/// A format that has a plan and one product is none.
struct View {
  using execution_space = HostSpace;
  Ordinal num_rows, num_cols;
};
struct Plan {};
Plan analyse_spmv(const HostSpace&, const View&);
template <class Working>
void spmv(const HostSpace&, const Plan&, Working, const View&,
          const ConstMultiVectorView<Working, HostSpace>&, Working,
          const MultiVectorView<Working, HostSpace>&);
static_assert(!HasProducts<View, double>);

}  // namespace only_spmv
}  // namespace tessera::kernels
