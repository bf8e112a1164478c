// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What plans of products are told by the scopes around them.
#pragma once

#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"

#include "support/tools_observer.hpp"

#include <cstdint>
#include <string_view>

namespace tessera::test {

/// Looks at the scopes whenever a plan is made while it lives, on a host, too, whose plans go by
/// none of them; one at a time.
class PlannedProducts : public ToolsObserver<PlannedProducts> {
 public:
  explicit PlannedProducts(TensorCoreUse expected) : m_expected(expected) {
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(begin);
  }

  int count() const { return m_count; }
  /// Those with another use of tensor cores than was expected.
  int others() const { return m_others; }
  int with_patterns() const { return m_with_patterns; }

 private:
  static void begin(const char* label, std::uint32_t, std::uint64_t*) {
    // The pass over a matrix's rows that each plan begins with.
    if (std::string_view(label) != "tessera::spmv_row_facts") return;
    PlannedProducts& counter = current();
    ++counter.m_count;
    counter.m_others += kernels::TensorCoreScope::current() != counter.m_expected;
    counter.m_with_patterns += kernels::ColumnPatternScope::is_enabled();
  }

  TensorCoreUse m_expected;
  int m_count = 0;
  int m_others = 0;
  int m_with_patterns = 0;
};

}  // namespace tessera::test
