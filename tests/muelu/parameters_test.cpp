// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// MueLu's parameters as Tessera's.
#include "tessera/muelu/preconditioner.hpp"

#include "support/error_of.hpp"
#include "support/waves_by_belos.hpp"

#include <Teuchos_XMLParameterListCoreHelpers.hpp>

namespace tessera::test::parameters_test {

using muelu::parameters_from;

Teuchos::ParameterList common_list() {
  return *Teuchos::getParametersFromXmlString(R"(
    <ParameterList name="MueLu">
      <Parameter name="verbosity" type="string" value="none"/>
      <Parameter name="multigrid algorithm" type="string" value="sa"/>
      <Parameter name="sa: damping factor" type="double" value="1.2"/>
      <Parameter name="aggregation: type" type="string" value="uncoupled"/>
      <Parameter name="aggregation: drop tol" type="double" value="0.02"/>
      <Parameter name="smoother: type" type="string" value="CHEBYSHEV"/>
      <ParameterList name="smoother: params">
        <Parameter name="chebyshev: degree" type="int" value="3"/>
        <Parameter name="chebyshev: ratio eigenvalue" type="double" value="12"/>
      </ParameterList>
      <Parameter name="coarse: max size" type="int" value="300"/>
      <Parameter name="coarse: type" type="string" value="KLU2"/>
      <Parameter name="max levels" type="int" value="6"/>
      <Parameter name="cycle type" type="string" value="W"/>
      <Parameter name="reuse: type" type="string" value="RP"/>
    </ParameterList>)");
}

TEST(MueLuParameters, BecomeTesseras) {
  const tpetra::Parameters p = parameters_from(common_list());
  EXPECT_EQ(p.solve.preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(p.solve.amg.coarsening, amg::CoarseningKind::smoothed_aggregation);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.prolongator_omega, 1.2);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.strength_measure, StrengthMeasure::diagonal);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.strength_threshold, 0.02);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.strength_scaling, 1);
  EXPECT_EQ(p.solve.amg.smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(p.solve.amg.smoother.chebyshev.degree, 3);
  EXPECT_EQ(p.solve.amg.smoother.chebyshev.eigenvalue_ratio, 12);
  EXPECT_EQ(p.solve.amg.coarse_size, 300);
  EXPECT_EQ(p.solve.amg.coarse_sweeps, 0);
  EXPECT_EQ(p.solve.amg.max_levels, 6);
  EXPECT_EQ(p.solve.amg.cycle, amg::CycleType::w);
  EXPECT_EQ(p.solve.amg.reuse, amg::Reuse::interpolation);
}

TEST(MueLuParameters, BecomeTesserasInTheirContext) {
  Teuchos::ParameterList list("MueLu");
  list.set("multigrid algorithm", "unsmoothed");
  list.set("sa: damping factor", 1.33);
  list.set("aggregation: drop tol", 0.1);
  list.set("aggregation: use ml scaling of drop tol", true);
  list.set("smoother: type", "RELAXATION");
  list.sublist("smoother: params").set("relaxation: type", "Jacobi").set("relaxation: sweeps", 2);
  list.set("coarse: type", "RELAXATION");
  list.set("number of equations", 3);
  list.set("nullspace: calculate rotations", true);
  list.set("problem: symmetric", false);
  list.set("half precision", true);
  list.sublist("user data").set("Coordinates", 1);
  tpetra::Parameters p = parameters_from(list);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.prolongator_omega, 0);
  EXPECT_EQ(p.solve.amg.smoothed_aggregation.strength_scaling, 0.5);
  EXPECT_EQ(p.solve.amg.smoother.type, SmootherType::jacobi);
  EXPECT_EQ(p.solve.amg.smoother.sweeps, 2);
  EXPECT_EQ(p.solve.amg.smoother.jacobi.omega, 1);
  EXPECT_FALSE(p.solve.amg.smoother.jacobi.omega_over_radius);
  EXPECT_EQ(p.solve.amg.coarse_sweeps, 1);
  EXPECT_EQ(p.block_size, 3);
  EXPECT_TRUE(p.rigid_body_modes);
  EXPECT_EQ(p.solve.amg.symmetry, amg::AssumedSymmetry::general);
  EXPECT_EQ(p.solve.precision, Precision::single);
  list.sublist("smoother: params").set("relaxation: damping factor", 0.7);
  EXPECT_EQ(parameters_from(list).solve.amg.smoother.jacobi.omega, 0.7);
  list.sublist("smoother: params").set("relaxation: use l1", true);
  EXPECT_EQ(parameters_from(list).solve.amg.smoother.type, SmootherType::l1_jacobi);
}

TEST(MueLuParameters, AreRefusedByName) {
  const auto refuses = [](const std::string& name, const auto& value,
                          std::initializer_list<std::string> parts) {
    Teuchos::ParameterList list("MueLu");
    list.set(name, value);
    expect_error(error_of([&] { parameters_from(list); }), ErrorKind::configuration, parts);
  };
  const auto text = [](const char* s) { return std::string(s); };
  refuses("multigrid algorithm", text("emin"),
          {"'multigrid algorithm' = 'emin'", "sa, unsmoothed"});
  refuses("multigrid algoritm", text("sa"),
          {"'multigrid algoritm'", "did you mean 'multigrid algorithm'?"});
  refuses("semicoarsen: coarsen rate", 3, {"'semicoarsen: coarsen rate'"});
  refuses("aggregation: drop scheme", text("distance laplacian"),
          {"'distance laplacian'", "classical"});
  refuses("aggregation: drop tol", text("0.1"), {"'aggregation: drop tol' has the type", "double"});
  refuses("aggregation: drop tol", -0.1, {"'aggregation: drop tol'"});
  refuses("coarse: max size", 1000000, {"'coarse: max size'", "'amg.coarse_size'", "out of range"});
  refuses("coarse: type", text("CHEBYSHEV"), {"'coarse: type' = 'CHEBYSHEV'", "'smoother: type'"});
  refuses("coarse: type", text("TESSERA"), {"'TESSERA'", "KLU"});
  refuses("cycle type", text("F"), {"'cycle type' = 'F'", "V, W"});
  refuses("reuse: type", text("RAP"), {"'reuse: type' = 'RAP'", "RP", "full"});
  refuses("smoother: type", text("ILUT"), {"'smoother: type' = 'ILUT'", "RELAXATION, CHEBYSHEV"});
  refuses("repartition: enable", true, {"'repartition: enable' must be false"});
  refuses("problem: type", text("Poisson-3D"), {"'problem: type'"});

  Teuchos::ParameterList list("MueLu");
  list.sublist("smoother: params").set("relaxation: type", "Symmetric Gauss-Seidel");
  expect_error(error_of([&] { parameters_from(list); }), ErrorKind::configuration,
               {"needs a 'smoother: type'"});
  list.set("smoother: type", "RELAXATION");
  expect_error(error_of([&] { parameters_from(list); }), ErrorKind::configuration,
               {"'Symmetric Gauss-Seidel'", "'Jacobi'", "CHEBYSHEV"});
  list.set("smoother: type", "CHEBYSHEV");
  expect_error(error_of([&] { parameters_from(list); }), ErrorKind::configuration,
               {"'relaxation: type' in ", "smoother: params"});
}

TEST(MueLuParameters, MakeAPreconditioner) {
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  const auto made = muelu::CreateTesseraPreconditioner(system.A, common_list());
  EXPECT_EQ(made->parameters().solve.amg.cycle, amg::CycleType::w);
  for (const auto& map : {system.map, map_with_gaps(3600)}) {
    const auto A = distribute(system.problem.A, map);
    // Whole on the first process, and levels that stay distributed.
    for (const int gather_rows : {10000, 500}) {
      auto parameters = parameters_from(common_list());
      parameters.gather_rows = gather_rows;
      const auto M =
          Teuchos::rcp(new tpetra::Operator<>(Teuchos::RCP<const TpetraOperator>(A), parameters));
      const auto outcome = waves_by_belos("CG", A, M);
      EXPECT_LE(outcome.iterations, 8);
      EXPECT_LT(outcome.residual, 1.1e-8);
      EXPECT_LT(outcome.residual, 1.1e-8);
    }
  }
}

}  // namespace tessera::test::parameters_test
