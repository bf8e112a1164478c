// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/instantiate.hpp"
#include "tessera/tpetra/looks_symmetric_impl.hpp"
#include "tessera/tpetra/operator_impl.hpp"

namespace tessera::tpetra {

#define TESSERA_INSTANTIATE(GlobalOrdinal) \
  template class Operator<GlobalOrdinal>;  \
  template bool looks_symmetric(const Operator<GlobalOrdinal>::Base&);
TESSERA_FOR_EACH_GLOBAL_ORDINAL(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::tpetra
