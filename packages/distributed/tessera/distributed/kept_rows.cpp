// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/kept_rows.hpp"

#include "tessera/amg/coarsening/kept_entries.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

/// What is dropped is summed in the order of all columns, whatever the shares.
template <class Space>
auto KeptRows<Space>::in_order(const Space& exec, const Rows& product) const -> Rows {
  if (!m_drops.lumped) return product;
  return in_order_of_all(exec, product, m_num_own, m_num_before);
}

template <class Space>
auto KeptRows<Space>::make(const Space& exec, const Rows& product, const amg::DroppedEntries& drops,
                           ColumnNumbers<Space>& numbers) -> const Rows& {
  m_drops = drops;
  m_num_own = numbers.num_own();
  m_num_before = num_below<Space>(exec, numbers.ascending_others(), numbers.first());
  const Rows ordered = in_order(exec, product);
  m_kept = amg::kept_pattern(exec, ordered.view(), drops.below);
  m_kept.values = allocate<double>(exec, "tessera::distributed::KeptRows", m_kept.num_entries());
  amg::copy_kept(exec, ordered.view(), drops.lumped, m_kept);
  const auto number = numbers.keep(exec, used_columns(exec, m_kept, m_num_own));
  m_rows = renumbered_others(exec, m_kept, m_num_own, number, numbers.size());
  exec.fence("tessera::distributed::KeptRows");
  return m_rows;
}

template <class Space>
auto KeptRows<Space>::remake(const Space& exec, const Rows& product) -> const Rows& {
  amg::copy_kept(exec, in_order(exec, product).view(), m_drops.lumped, m_kept);
  exec.fence("tessera::distributed::KeptRows");
  return m_rows;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, KeptRows)

}  // namespace tessera::distributed
