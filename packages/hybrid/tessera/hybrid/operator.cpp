// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hybrid/operator_impl.hpp"
#include "tessera/tpetra/instantiate.hpp"

namespace tessera::hybrid {

#define TESSERA_INSTANTIATE(GlobalOrdinal) template class Operator<GlobalOrdinal>;
TESSERA_FOR_EACH_GLOBAL_ORDINAL(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::hybrid
