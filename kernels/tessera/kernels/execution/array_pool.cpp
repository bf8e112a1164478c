// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/array_pool.hpp"

namespace tessera {

namespace {

thread_local ArrayPoolBase* innermost_pool = nullptr;

}  // namespace

ArrayPoolBase* ArrayPoolBase::innermost() { return innermost_pool; }

ArrayPoolBase::ArrayPoolBase(std::type_index space) : m_space(space), m_outer(innermost_pool) {
  innermost_pool = this;
}

ArrayPoolBase::~ArrayPoolBase() { innermost_pool = m_outer; }

}  // namespace tessera
