// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/fine_values.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <utility>

namespace tessera::amg {
namespace detail {

template <class Scalar, class Space, class Offset>
bool holds_values(const FineLevel<Scalar, Space, Offset>& fine) {
  const auto& A = fine.A->matrix();
  return A.values.extent(0) == A.num_entries();
}

/// The pattern and the plan of before with other values.
template <class Scalar, class Space, class Offset>
void replace_values(FineLevel<Scalar, Space, Offset>& fine, Array<Scalar, Space> values) {
  kernels::Csr<Scalar, Space, Offset> A = fine.A->matrix();
  A.values = std::move(values);
  auto plan = fine.A->plan();
  fine.A = std::make_shared<StoredCsr<Scalar, Space, Offset>>(std::move(A), std::move(plan));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void release_values(SetupLevel<Scalar, Space, Offset>& here) {
  const auto& storage = here.storage;
  if (!storage.write_values || storage.tiles == nullptr || !detail::holds_values(here.fine)) return;
  detail::replace_values<Scalar>(here.fine, {});
}

template <class Scalar, class Space, class Offset>
void restore_values(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  if (!detail::holds_values(here.fine)) renew_values(exec, here.storage.write_values, here.fine);
}

template <class Scalar, class Space, class Offset>
void renew_values(const Space& exec, const NonDeduced<ValueWriter<Scalar, Space>>& write,
                  FineLevel<Scalar, Space, Offset>& fine) {
  Array<Scalar, Space> values = fine.A->matrix().values;
  const bool in_place = detail::holds_values(fine);
  write(exec, values);
  if (!in_place) detail::replace_values(fine, std::move(values));
}

template <class Scalar, class Space, class Offset>
void release_operator(SetupLevel<Scalar, Space, Offset>& here) {
  if (here.storage.write_values && !here.storage.reads_rows && detail::holds_values(here.fine))
    detail::replace_values<Scalar>(here.fine, {});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, release_values)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, restore_values)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, renew_values)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, release_operator)

}  // namespace tessera::amg
