// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/operator_impl.hpp"

namespace tessera::tpetra {

template class Operator<>;

}  // namespace tessera::tpetra
