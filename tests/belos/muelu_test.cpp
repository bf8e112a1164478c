// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solver inside MueLu, chosen by MueLu's XML.
#include "tessera/belos/register_tessera.hpp"

#include "support/belos_solve.hpp"
#include "support/tpetra_system.hpp"

#include <gtest/gtest.h>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>

#include <string>

namespace tessera::test {
namespace {

/// Belos's CG under MueLu with those parameters.
BelosOutcome solve_with_muelu(const TpetraSystem& system, const std::string& xml) {
  const auto list = Teuchos::getParametersFromXmlString(
      "<ParameterList name=\"MueLu\"><Parameter name=\"verbosity\" type=\"string\" "
      "value=\"none\"/>" +
      xml + "</ParameterList>");
  const Teuchos::RCP<TpetraOperator> A = system.A;
  const Teuchos::RCP<TpetraOperator> M = MueLu::CreateTpetraPreconditioner(A, *list);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  return solve_by_belos("CG", system.A, M, x, waves(system.map));
}

TEST(MueLuWithTessera, SolvesTheCoarsestLevel) {
  belos::registerTesseraSolver();
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  const std::string size = R"(<Parameter name="coarse: max size" type="int" value="500"/>)";
  const BelosOutcome expected = solve_with_muelu(system, size);
  const BelosOutcome outcome = solve_with_muelu(system, size + R"(
    <Parameter name="coarse: type" type="string" value="TESSERA"/>
    <ParameterList name="coarse: params">
      <Parameter name="preconditioner" type="string" value="amg"/>
      <Parameter name="solver.tolerance" type="double" value="1e-12"/>
    </ParameterList>)");
  EXPECT_TRUE(outcome.converged);
  EXPECT_NEAR(outcome.iterations, expected.iterations, 1);
}

TEST(MueLuWithTessera, RelaxesEachLevel) {
  belos::registerTesseraSolver();
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  const BelosOutcome outcome = solve_with_muelu(system, R"(
    <Parameter name="smoother: type" type="string" value="TESSERA"/>
    <ParameterList name="smoother: params">
      <Parameter name="apply" type="string" value="preconditioner"/>
      <Parameter name="precision" type="string" value="same"/>
      <Parameter name="preconditioner" type="string" value="amg"/>
      <Parameter name="amg.max_levels" type="int" value="1"/>
      <Parameter name="amg.coarse_sweeps" type="int" value="1"/>
    </ParameterList>)");
  EXPECT_TRUE(outcome.converged);
  EXPECT_LT(outcome.residual, 1e-7);
  EXPECT_LE(outcome.iterations, 25);
}

TEST(MueLuWithTessera, RefusesUnknownNames) {
  belos::registerTesseraSolver();
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  try {
    solve_with_muelu(system, R"(
      <Parameter name="smoother: type" type="string" value="TESSERA"/>
      <ParameterList name="smoother: params">
        <Parameter name="presicion" type="string" value="same"/>
      </ParameterList>)");
    FAIL() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'precision'?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tessera::test
