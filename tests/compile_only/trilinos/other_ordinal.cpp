// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the adapters' headers define serves a global ordinal that Tpetra itself is not built with.
/// Their scalar is double, and so is that of levels over processes.
#include "tessera/hybrid/levels_impl.hpp"
#include "tessera/tpetra/looks_symmetric_impl.hpp"
#include "tessera/tpetra/operator_impl.hpp"

#include <TpetraCore_config.h>

namespace {

#if defined(HAVE_TPETRA_INST_INT_LONG_LONG)
using OtherGlobal = long;
#else
using OtherGlobal = long long;
#endif
using Node = Tpetra::Map<>::node_type;

}  // namespace

namespace tessera::tpetra {

using OtherMatrix = Tpetra::CrsMatrix<double, int, OtherGlobal, Node>;

template class Operator<OtherGlobal, Node>;
template bool looks_symmetric(const Tpetra::Operator<double, int, OtherGlobal, Node>&);
template distributed::Matrix<Node::execution_space> matrix_of(
    const Node::execution_space&, const Teuchos::RCP<const OtherMatrix>&);
template std::shared_ptr<const SparseOperator<float, Node::execution_space>>
distributed_levels_detail::distributed(const Node::execution_space&,
                                       const Teuchos::RCP<const OtherMatrix>&,
                                       const StorageParameters&);

}  // namespace tessera::tpetra

template tessera::hybrid::MueLuLevels<Node::execution_space> tessera::hybrid::levels_of(
    MueLu::Hierarchy<double, int, OtherGlobal, Node>&);
