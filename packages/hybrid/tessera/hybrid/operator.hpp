// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's multigrid cycle over the levels of a MueLu::Hierarchy, as a `Tpetra::Operator`.
#pragma once

#include "tessera/hybrid/parameters.hpp"

#include <MueLu_Hierarchy_fwd.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::hybrid {

/// y = alpha M x + beta y with M one cycle of Tessera's over A, P and R of each level of MueLu's,
/// on any number of processes.
///
/// MueLu makes the levels by any of its options: aggregation and what it drops, coordinates and
/// line smoothing aside, repartitioning, sub-communicators that leave processes without coarse
/// levels. Tessera's are the smoothers, the formats and scalars that matrices are stored in, the
/// vectors' precision by level, and the shape of the cycle. The coarsest level is gathered on the
/// first of its processes, which inverts it, or has it preconditioned by multigrid of its own where
/// it has more than 1,000 rows.
///
/// Constructors and `update` are collective.
template <class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type,
          class Node = Tpetra::Map<>::node_type>
class Operator : public Tpetra::Operator<double, int, GlobalOrdinal, Node> {
 public:
  using Base = Tpetra::Operator<double, int, GlobalOrdinal, Node>;
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Hierarchy = MueLu::Hierarchy<double, int, GlobalOrdinal, Node>;

  /// Over a hierarchy whose setup is done; its smoothers and its coarse solver are not looked at.
  /// `list`: `hybrid::Parameters` by name.
  /// @throws Error where it has no levels, where a level's matrix is no Tpetra::CrsMatrix, and for
  ///         what is wrong of the list.
  explicit Operator(const Teuchos::RCP<Hierarchy>& hierarchy,
                    const Teuchos::ParameterList& list = {});
  /// Over the hierarchy that MueLu makes of `A` by its parameters in the sublist "MueLu", which
  /// need not name smoothers, and the vectors in "user data" (as `tpetra::Operator`'s).
  /// @throws Error for A as `tpetra::Operator` does, and with MueLu's own words where its setup
  ///         throws.
  explicit Operator(const Teuchos::RCP<const Base>& A, const Teuchos::ParameterList& list = {});
  /// The same with parameters that were set already, MueLu's in `muelu`.
  Operator(const Teuchos::RCP<const Base>& A, const Parameters& parameters,
           const Teuchos::ParameterList& muelu, const Teuchos::ParameterList& user_data = {});
  ~Operator() override;

  /// Sets up for new values, of `A` or of the hierarchy as it is by now: MueLu keeps what its
  /// "reuse: type" says. @throws Error where A's row map is another one than before.
  void update(const Teuchos::RCP<const Base>& A);
  void update();

  const Teuchos::RCP<Hierarchy>& hierarchy() const;
  /// The levels that this process has a share in, as `tpetra::Operator::hierarchy`.
  HierarchyInfo levels() const;

  Teuchos::RCP<const Map> getDomainMap() const override;
  Teuchos::RCP<const Map> getRangeMap() const override;
  /// As `tpetra::Operator::apply`.
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode = Teuchos::NO_TRANS,
             double alpha = 1, double beta = 0) const override;
  /// True for V- and W-cycles of a matrix that is symmetric.
  bool hasTransposeApply() const override;
  std::string description() const override;
  void describe(
      Teuchos::FancyOStream& out,
      Teuchos::EVerbosityLevel verbosity = Teuchos::Describable::verbLevel_default) const override;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// In the manner of `tpetra::CreateTesseraPreconditioner`.
template <class SomeMatrix>
auto CreateTesseraPreconditioner(const Teuchos::RCP<SomeMatrix>& A,
                                 const Teuchos::ParameterList& list = {}) {
  using Made = Operator<typename SomeMatrix::global_ordinal_type, typename SomeMatrix::node_type>;
  const Teuchos::RCP<const typename Made::Base> any = A;
  return Teuchos::rcp(new Made(any, list));
}

/// Gives a preconditioner the new values of `A`, in the manner of
/// `MueLu::ReuseTpetraPreconditioner`.
template <class SomeMatrix, class GlobalOrdinal, class Node>
void ReuseTesseraPreconditioner(const Teuchos::RCP<SomeMatrix>& A,
                                Operator<GlobalOrdinal, Node>& preconditioner) {
  const Teuchos::RCP<const typename Operator<GlobalOrdinal, Node>::Base> any = A;
  preconditioner.update(any);
}

extern template class Operator<>;

}  // namespace tessera::hybrid
