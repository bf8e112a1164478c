// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/column_patterns.hpp"

namespace tessera::kernels {
namespace {

thread_local bool column_patterns_are_enabled = true;

}  // namespace

ColumnPatternScope::ColumnPatternScope(bool enabled) : m_outer(column_patterns_are_enabled) {
  column_patterns_are_enabled = enabled && m_outer;
}

ColumnPatternScope::~ColumnPatternScope() { column_patterns_are_enabled = m_outer; }

bool ColumnPatternScope::is_enabled() { return column_patterns_are_enabled; }

}  // namespace tessera::kernels
