// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/refill_rows.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// A row a team thread. A row of up to `capacity` entries is summed in scratch, where its columns
/// lie too; a longer one in C itself. Lanes find a product's entry by binary search.
template <class Scalar, class Space, class Offset>
struct RefillRows {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A, B, C;
  ArrayView<Scalar, Space> values;
  Ordinal capacity;

  static int bytes(Ordinal capacity) {
    return (capacity * static_cast<int>(sizeof(Scalar) + sizeof(Ordinal)) + 7) / 8 * 8;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    auto* sums = static_cast<Scalar*>(member.thread_scratch(0).get_shmem_aligned(
        (capacity * (sizeof(Scalar) + sizeof(Ordinal)) + 7) / 8 * 8, 8));
    auto* row_columns = reinterpret_cast<Ordinal*>(sums + capacity);
    const Ordinal row = member.league_rank() * member.team_size() + member.team_rank();
    if (row >= C.num_rows) return;
    const Offset begin = C.offsets(row);
    const auto size = static_cast<Ordinal>(C.offsets(row + 1) - begin);
    const Ordinal* c_columns = C.columns.data() + begin;
    Scalar* c_values = values.data() + begin;
    if (size > capacity) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size),
                           [&](Ordinal i) { c_values[i] = Scalar(0); });
      sum_products(member, row, size, c_columns, c_values);
      return;
    }
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size), [&](Ordinal i) {
      row_columns[i] = c_columns[i];
      sums[i] = Scalar(0);
    });
    sum_products(member, row, size, row_columns, sums);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, size),
                         [&](Ordinal i) { c_values[i] = sums[i]; });
  }

  KOKKOS_INLINE_FUNCTION void sum_products(const Member& member, Ordinal row, Ordinal size,
                                           const Ordinal* row_columns, Scalar* sums) const {
    for_each_product(member, A, B, row, 0, 1, [&](Ordinal column, Scalar product) {
      Ordinal low = 0;
      for (Ordinal length = size; length > 1;) {
        const Ordinal half = length / 2;
        low += row_columns[low + half] <= column ? half : 0;
        length -= half;
      }
      sums[low] += product;
    });
  }
};

template <class Scalar, class Space, class Offset>
void refill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const CsrView<Scalar, Space, Offset>& C,
                 const ArrayView<Scalar, Space>& values) {
  if (C.num_rows == 0) return;
  using Functor = RefillRows<Scalar, Space, Offset>;
  const int lanes = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  // Rows mostly lie below twice the mean; sizing scratch for the longest would need a pass.
  const double mean = mean_length(C.columns.extent(0), C.offsets.extent(0));
  Ordinal capacity = 16;
  while (capacity < 1024 && capacity < 1.5 * mean)
    capacity *= 2;
  while (capacity > 16 && !fits_by_vector<Space>(lanes, Functor::bytes(capacity) + 16))
    capacity /= 2;
  const int bytes = Functor::bytes(capacity) + 16;
  const int team = rows_in_team<Space>(lanes, bytes);
  Kokkos::TeamPolicy<Space> policy(exec, (C.num_rows + team - 1) / team, team, lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(bytes));
  Kokkos::parallel_for("tessera::spgemm::refill_rows", policy, Functor{A, B, C, values, capacity});
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template void refill_rows(                                                                      \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      const CsrView<SCALAR, SPACE, OFFSET>&, const ArrayView<SCALAR, SPACE>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
