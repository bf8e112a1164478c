// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products with a Tpetra matrix that Tessera stores, as a `Tpetra::Operator`.
#pragma once

#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/operator/storage_info.hpp"
#include "tessera/solve.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include <memory>
#include <string>

namespace tessera::tpetra {

struct MatrixParameters {
  StorageParameters storage;
  bool transpose = false;
  TensorCoreUse tensor_cores = TensorCoreUse::automatic;
};

template <class Visitor>
void describe_parameters(Visitor& visit, MatrixParameters& p) {
  visit.section("storage", p.storage,
                "how each process's rows are stored, but for entries that couple them to others'");
  visit("transpose", p.transpose,
        "products with the transpose, too: it is stored beside the matrix");
  visit("tensor_cores", p.tensor_cores,
        "on a GPU, whether products with rows stored in tiles go to tensor cores",
        EnumNames<TensorCoreUse>(tensor_core_names));
}

/// y = alpha A x + beta y with a copy of A in any of Tessera's formats and scalars, on any number
/// of processes; compressed rows in double of a process whose columns are all its own are A's
/// arrays. What a process needs of others' x is under way while it multiplies by the entries of its
/// own columns.
///
/// A may be rectangular, with any domain map; its range map is its row map. Columns of X are
/// multiplied together. Sums are in double whatever the entries are stored in: those of half and
/// float are A's entries rounded, for which solvers that measure residuals are not told.
template <class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type,
          class Node = Tpetra::Map<>::node_type>
class MatrixOperator : public Tpetra::Operator<double, int, GlobalOrdinal, Node> {
 public:
  using Base = Tpetra::Operator<double, int, GlobalOrdinal, Node>;
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;

  /// Stores `A`, a filled CrsMatrix. `list`: `MatrixParameters` by name. Collective.
  /// @throws Error on all processes for what is wrong of the matrix, its maps or the list, and
  /// where
  ///         a format does not hold it.
  explicit MatrixOperator(const Teuchos::RCP<const Base>& A,
                          const Teuchos::ParameterList& list = {});
  MatrixOperator(const Teuchos::RCP<const Base>& A, const MatrixParameters& parameters);
  ~MatrixOperator() override;

  /// Stores the values that `A` has by now; its pattern may be another one, its maps may not.
  /// Collective. @throws Error where one is.
  void update(const Teuchos::RCP<const Base>& A);

  Teuchos::RCP<const Map> getDomainMap() const override;
  Teuchos::RCP<const Map> getRangeMap() const override;
  /// `beta == 0` overwrites Y, NaN included; `alpha == 0` does not read X. X and Y may be the same
  /// vectors and have any stride. Collective.
  /// @throws Error for vectors over other maps, and for a transpose where `hasTransposeApply` is
  ///         false.
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             double alpha = 1, double beta = 0) const override;
  /// Whether parameter "transpose" was set.
  bool hasTransposeApply() const override;

  /// How this process's rows are stored.
  StorageInfo info() const;
  std::string description() const override;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// A matrix, or a Tpetra::RowMatrix or Tpetra::Operator that is one, as a `MatrixOperator`.
template <class SomeMatrix>
auto CreateTesseraMatrixOperator(const Teuchos::RCP<SomeMatrix>& A,
                                 const Teuchos::ParameterList& parameters = {}) {
  using Made =
      MatrixOperator<typename SomeMatrix::global_ordinal_type, typename SomeMatrix::node_type>;
  const Teuchos::RCP<const typename Made::Base> any = A;
  return Teuchos::rcp(new Made(any, parameters));
}

extern template class MatrixOperator<>;

}  // namespace tessera::tpetra
