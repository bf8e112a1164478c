// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/operator_impl.hpp"

namespace tessera::tpetra {

template class Operator<>;
template class DistributedCycle<Operator<>::global_ordinal_type, Operator<>::node_type>;
template bool looks_symmetric(const Operator<>::Base&);

}  // namespace tessera::tpetra
