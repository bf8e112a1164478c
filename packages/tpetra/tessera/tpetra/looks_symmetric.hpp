// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether an operator of Tpetra is symmetric.
#pragma once

#include <Tpetra_Operator.hpp>

namespace tessera::tpetra {

/// Whether <A u, v> = <u, A v> for two vectors of noise, and so, but for bad luck, A = A^T.
/// Collective.
template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A);

}  // namespace tessera::tpetra
