// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/convert.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"

namespace tessera::kernels {
namespace detail {

/// target = `source` with every item converted; of its length.
template <class To, class From, class Space>
void convert_items_into(const Space& exec, const Array<From, Space>& source,
                        const Array<To, Space>& target) {
  Kokkos::parallel_for(
      "tessera::convert", Kokkos::RangePolicy<Space>(exec, 0, source.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { target(i) = static_cast<To>(source(i)); });
}

/// A copy of `source` with every item converted.
template <class To, class From, class Space>
Array<To, Space> convert_items(const Space& exec, const std::string& label,
                               const Array<From, Space>& source) {
  const auto target = allocate<To>(exec, label, source.extent(0));
  convert_items_into<To, From>(exec, source, target);
  return target;
}

}  // namespace detail

template <class To, class From, class Space, class Offset>
Csr<To, Space, Offset> convert_values(const Space& exec, const Csr<From, Space, Offset>& A) {
  if constexpr (std::is_same_v<To, From>) {
    return A;
  } else {
    return {A.num_rows, A.num_cols, A.offsets, A.columns,
            detail::convert_items<To, From>(exec, "tessera::values", A.values)};
  }
}

template <class From, class To, class Space>
void convert_values(const Space& exec, const Array<From, Space>& source,
                    const Array<To, Space>& target) {
  require(source.extent(0) == target.extent(0), [&] {
    return "source has " + std::to_string(source.extent(0)) + " values, target has room for " +
           std::to_string(target.extent(0));
  });
  if constexpr (std::is_same_v<To, From>) {
    Kokkos::deep_copy(exec, target, source);
  } else {
    detail::convert_items_into<To, From>(exec, source, target);
  }
}

template <class To, class Scalar, class Space, class From>
Csr<Scalar, Space, To> convert_offsets(const Space& exec, const Csr<Scalar, Space, From>& A) {
  if constexpr (std::is_same_v<To, From>) {
    return A;
  } else {
    require_countable<To>(static_cast<std::int64_t>(A.num_entries()), "A");
    return {A.num_rows, A.num_cols,
            detail::convert_items<To, const From>(exec, "tessera::offsets", A.offsets), A.columns,
            A.values};
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_values, double)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_values, float)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_offsets, std::int32_t)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, convert_offsets, std::int64_t)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, convert_values, double)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, convert_values, float)

#define TESSERA_INSTANTIATE_PAIR(Storage, Scalar, ...)                       \
  TESSERA_INSTANTIATE_FUNCTION(convert_values, Storage, Scalar, __VA_ARGS__) \
  TESSERA_INSTANTIATE_FUNCTION(convert_values, Scalar, Storage, __VA_ARGS__)
#define TESSERA_INSTANTIATE_SMALL(Scalar, Space, Offset) \
  TESSERA_FOR_EACH_SMALL_STORAGE(TESSERA_INSTANTIATE_PAIR, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_SMALL)

#undef TESSERA_INSTANTIATE_SMALL
#undef TESSERA_INSTANTIATE_PAIR

}  // namespace tessera::kernels
