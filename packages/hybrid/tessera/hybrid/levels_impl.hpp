// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The levels of a MueLu::Hierarchy as Tpetra's matrices.
#pragma once

#include "tessera/distributed/cycle.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/tpetra/local_matrix_impl.hpp"

#include <MueLu_Hierarchy.hpp>
#include <Xpetra_CrsMatrixWrap.hpp>
#include <Xpetra_TpetraImport.hpp>
#include <Xpetra_TpetraMultiVector.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::hybrid {

/// What is read of a hierarchy.
template <class Space>
struct MueLuLevels {
  std::vector<distributed::Level<Space>> levels;
  MultiVector<double, Space> vectors;  ///< of the coarsest, if it kept any
};

namespace detail {

template <class GlobalOrdinal, class Node>
Teuchos::RCP<const Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>> matrix_of(
    const Teuchos::RCP<const Xpetra::Operator<double, int, GlobalOrdinal, Node>>& given,
    const char* name, int level) {
  using Wrapped = Xpetra::CrsMatrixWrap<double, int, GlobalOrdinal, Node>;
  using Own = Xpetra::TpetraCrsMatrix<double, int, GlobalOrdinal, Node>;
  if (given.is_null()) return Teuchos::null;
  const auto wrapped = Teuchos::rcp_dynamic_cast<const Wrapped>(given);
  const auto own = wrapped.is_null()
                       ? Teuchos::null
                       : Teuchos::rcp_dynamic_cast<const Own>(wrapped->getCrsMatrix());
  if (own.is_null())
    throw Error(ErrorKind::precondition,
                std::string(name) + " of MueLu's level " + std::to_string(level) +
                    " must be a Tpetra::CrsMatrix, it is: " + given->description());
  return own->getTpetra_CrsMatrix();
}

/// The level's data of that name; null where it has none.
template <class Wanted>
Teuchos::RCP<Wanted> data_of(MueLu::Level& level, const char* name) {
  if (!level.IsAvailable(name)) return Teuchos::null;
  return level.Get<Teuchos::RCP<Wanted>>(name);
}

/// What this process has of the vectors; nothing where they are not over that many rows.
template <class Space, class Vectors>
MultiVector<double, Space> copy_over_rows(const Space& exec, const Teuchos::RCP<Vectors>& vectors,
                                          Ordinal rows) {
  MultiVector<double, Space> copy;
  if (vectors.is_null() || static_cast<Ordinal>(vectors->getLocalLength()) != rows) return copy;
  const auto local = Xpetra::toTpetra(*vectors).getLocalViewDevice(Tpetra::Access::ReadOnly);
  copy = allocate_multivector<double>(exec, "tessera::hybrid::vectors", local.extent(0),
                                      local.extent(1));
  Kokkos::deep_copy(exec, copy, local);
  exec.fence("tessera::hybrid::levels_of");
  return copy;
}

}  // namespace detail

/// A, P, R and what moves vectors where rows were repartitioned. A process that a level has left
/// has it without A, and no levels below. Collective.
/// @throws Error where there is no level, or one is no Tpetra::CrsMatrix.
template <class GlobalOrdinal, class Node>
MueLuLevels<typename Node::execution_space> levels_of(
    MueLu::Hierarchy<double, int, GlobalOrdinal, Node>& hierarchy) {
  using Operator = Xpetra::Operator<double, int, GlobalOrdinal, Node>;
  using Matrix = Xpetra::Matrix<double, int, GlobalOrdinal, Node>;
  using Import = Xpetra::Import<int, GlobalOrdinal, Node>;
  using Vectors = Xpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;
  const Space exec;
  MueLuLevels<Space> made;
  for (int l = 0; l < hierarchy.GetNumLevels(); ++l) {
    MueLu::Level& here = *hierarchy.GetLevel(l);
    auto& level = made.levels.emplace_back();
    const auto A = detail::data_of<Operator>(here, "A");
    level.A = tpetra::matrix_of(exec, detail::matrix_of<GlobalOrdinal, Node>(A, "A", l));
    if (!level.A.has_share()) break;
    const auto matrix = Teuchos::rcp_dynamic_cast<Matrix>(A);
    level.block_size = std::max(1, static_cast<int>(matrix->GetFixedBlockSize()));
    const bool is_last =
        l + 1 == hierarchy.GetNumLevels() || !hierarchy.GetLevel(l + 1)->IsAvailable("P");
    if (is_last) {
      const auto vectors = detail::data_of<Vectors>(here, "Nullspace");
      distributed::on_all_processes(*level.A.processes, [&] {
        made.vectors = detail::copy_over_rows(exec, vectors, level.A.rows.num_rows);
      });
      break;
    }
    MueLu::Level& next = *hierarchy.GetLevel(l + 1);
    const auto P =
        detail::matrix_of<GlobalOrdinal, Node>(detail::data_of<Operator>(next, "P"), "P", l + 1);
    level.P = tpetra::matrix_of(exec, P);
    if (!hierarchy.GetImplicitTranspose())
      level.R = tpetra::matrix_of(exec, detail::matrix_of<GlobalOrdinal, Node>(
                                            detail::data_of<Operator>(next, "R"), "R", l + 1));
    const auto importer = detail::data_of<const Import>(next, "Importer");
    if (importer.is_null()) continue;
    const auto moved = Xpetra::toTpetra(importer);
    // Transfers that were rebalanced themselves end where the importer does.
    if (!P->getDomainMap()->isSameAs(*moved->getTargetMap()))
      distributed::on_all_processes(*level.A.processes,
                                    [&] { level.rebalance = tpetra::plan_of(exec, moved); });
  }
  if (made.levels.empty() || !made.levels.front().A.has_share())
    throw Error(ErrorKind::precondition,
                "the MueLu::Hierarchy has no finest matrix; set it up before it is given to "
                "Tessera");
  return made;
}

}  // namespace tessera::hybrid
