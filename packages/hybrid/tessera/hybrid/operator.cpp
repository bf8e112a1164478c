// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hybrid/operator_impl.hpp"

namespace tessera::hybrid {

template class Operator<>;

}  // namespace tessera::hybrid
