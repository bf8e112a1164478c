// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Galeri's Elasticity3D, of bricks and of stretched ones, with its near-nullspace: Tessera's own
/// levels and its cycle over MueLu's, beside MueLu.
#include "tessera/tpetra/preconditioner.hpp"

#include "hybrid/hybrid_cases.hpp"

#include <Galeri_XpetraMaps.hpp>
#include <Galeri_XpetraProblemFactory.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Xpetra_CrsMatrixWrap.hpp>
#include <Xpetra_MapFactory.hpp>
#include <Xpetra_MultiVectorFactory.hpp>

namespace tessera::test::galeri_test {

struct GaleriElasticity {
  Teuchos::RCP<TpetraMatrix> A;
  Teuchos::RCP<TpetraVectors> near_nullspace;

  /// n elements per direction, `stretch` times as long along z.
  GaleriElasticity(int n, double stretch) {
    using Node = TpetraMap::node_type;
    using Map = Xpetra::Map<int, TpetraOrdinal, Node>;
    using Matrix = Xpetra::CrsMatrixWrap<double, int, TpetraOrdinal, Node>;
    using Vectors = Xpetra::MultiVector<double, int, TpetraOrdinal, Node>;
    Teuchos::ParameterList list;
    for (const char* const direction : {"nx", "ny", "nz"})
      list.set<TpetraOrdinal>(direction, n);
    list.set("stretchz", stretch);
    const Teuchos::RCP<Map> nodes = Galeri::Xpetra::CreateMap<int, TpetraOrdinal, Node>(
        Xpetra::UseTpetra, "Cartesian3D", Tpetra::getDefaultComm(), list);
    const Teuchos::RCP<Map> unknowns =
        Xpetra::MapFactory<int, TpetraOrdinal, Node>::Build(nodes, 3);
    const auto problem =
        Galeri::Xpetra::BuildProblem<double, int, TpetraOrdinal, Map, Matrix, Vectors>(
            "Elasticity3D", unknowns, list);
    const Teuchos::RCP<Xpetra::Matrix<double, int, TpetraOrdinal, Node>> wrapped =
        problem->BuildMatrix();
    A = Xpetra::toTpetra(wrapped);
    near_nullspace = Xpetra::toTpetra(problem->BuildNullspace());
  }

  int iterations(const Teuchos::RCP<TpetraOperator>& M) const {
    const BelosOutcome outcome = waves_by_belos("CG", A, M);
    EXPECT_LT(outcome.residual, 1.1e-8);
    return outcome.iterations;
  }
};

TEST(GaleriElasticity3D, TakesIterationsLikeMueLus) {
  struct Case {
    double stretch;
    int max_own;
    int max_hybrid;
  };
  for (const Case& c : {Case{1, 10, 9}, Case{5, 30, 26}}) {
    const GaleriElasticity system(10, c.stretch);
    Teuchos::ParameterList muelu;
    muelu.set("verbosity", "none");
    muelu.set("number of equations", 3);
    muelu.set("coarse: max size", 200);
    Teuchos::ParameterList own("test");
    own.set("preconditioner", "amg");
    own.set("block_size", 3);
    own.set("gather_rows", 500);
    own.sublist("user data").set("Nullspace", system.near_nullspace);
    Teuchos::ParameterList over("test");
    over.sublist("MueLu") = muelu;
    over.sublist("user data").set("Nullspace", system.near_nullspace);
    muelu.sublist("user data").set("Nullspace", system.near_nullspace);
    const Teuchos::RCP<TpetraOperator> A = system.A;
    const int theirs = system.iterations(MueLu::CreateTpetraPreconditioner(A, muelu));
    const int ours = system.iterations(tpetra::CreateTesseraPreconditioner(system.A, own));
    const int hybrid = system.iterations(hybrid::CreateTesseraPreconditioner(system.A, over));
    SCOPED_TRACE("stretched by " + std::to_string(c.stretch) + ": MueLu " + std::to_string(theirs) +
                 ", own levels " + std::to_string(ours) + ", over MueLu's " +
                 std::to_string(hybrid));
    EXPECT_LE(ours, c.max_own);
    EXPECT_LE(hybrid, c.max_hybrid);
    // A sweep of Jacobi on each side for MueLu's symmetric Gauss-Seidel.
    EXPECT_LE(ours, 2 * theirs);
    EXPECT_LE(hybrid, 2 * theirs);
  }
}

}  // namespace tessera::test::galeri_test
