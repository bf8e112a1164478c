// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/matrix_operator_impl.hpp"

namespace tessera::tpetra {

template class MatrixOperator<>;

}  // namespace tessera::tpetra
