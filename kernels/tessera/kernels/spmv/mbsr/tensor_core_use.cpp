// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"

namespace tessera::kernels {
namespace {

thread_local TensorCoreUse current_use = TensorCoreUse::automatic;

}  // namespace

TensorCoreScope::TensorCoreScope(TensorCoreUse use) : m_outer(current_use) {
  if (use != TensorCoreUse::automatic) current_use = use;
}

TensorCoreScope::~TensorCoreScope() { current_use = m_outer; }

TensorCoreUse TensorCoreScope::current() { return current_use; }

}  // namespace tessera::kernels
