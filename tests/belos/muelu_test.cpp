// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's solver inside MueLu, chosen by MueLu's XML.
#include "tessera/belos/register_tessera.hpp"

#include "support/belos_solve.hpp"

#include <gtest/gtest.h>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>

#include <tuple>
#include <utility>

namespace tessera::test::muelu_test {

/// A method of Belos's under MueLu with those parameters.
BelosOutcome solve_with_muelu(const TpetraSystem& system, const std::string& xml,
                              const std::string& method = "CG",
                              const Teuchos::ParameterList& user_data = {}) {
  const auto list = Teuchos::getParametersFromXmlString(
      "<ParameterList name=\"MueLu\"><Parameter name=\"verbosity\" type=\"string\" "
      "value=\"none\"/>" +
      xml + "</ParameterList>");
  if (user_data.begin() != user_data.end()) list->sublist("user data") = user_data;
  const Teuchos::RCP<TpetraOperator> A = system.A;
  const Teuchos::RCP<TpetraOperator> M = MueLu::CreateTpetraPreconditioner(A, *list);
  const auto x = Teuchos::rcp(new TpetraVectors(system.map, 1));
  return solve_by_belos(method, system.A, M, x, waves(system.map));
}

/// A smoother that is a few iterations of CG or BiCGSTAB is another one each time.
const char* const flexible = "FLEXIBLE GMRES";

std::string smoothed_by(const std::string& name) {
  return R"(<Parameter name="smoother: type" type="string" value=")" + name + R"("/>
    <ParameterList name="smoother: params">
      <Parameter name="preconditioner" type="string" value="jacobi"/>
      <Parameter name="Maximum Iterations" type="int" value="3"/>
    </ParameterList>)";
}

std::string solved_by(const std::string& name) {
  return R"(<Parameter name="coarse: max size" type="int" value="500"/>
    <Parameter name="coarse: type" type="string" value=")" +
         name + R"("/>
    <ParameterList name="coarse: params">
      <Parameter name="preconditioner" type="string" value="jacobi"/>
      <Parameter name="Convergence Tolerance" type="double" value="1e-12"/>
    </ParameterList>)";
}

/// From the second level on everything is one process's.
const std::string gathered = R"(<Parameter name="repartition: enable" type="bool" value="true"/>
    <Parameter name="repartition: start level" type="int" value="1"/>
    <Parameter name="repartition: min rows per proc" type="int" value="10000"/>)";

/// What the error says, whatever MueLu has made of it.
std::string error_with(const TpetraSystem& system, const std::string& xml,
                       const std::string& method = "CG") {
  try {
    solve_with_muelu(system, xml, method);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
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
  EXPECT_LT(outcome.residual, 1.1e-8);
  EXPECT_LE(outcome.iterations, 11);
}

TEST(MueLuWithTessera, RefusesUnknownNames) {
  belos::registerTesseraSolver();
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  const std::string text = error_with(system, R"(
      <Parameter name="smoother: type" type="string" value="TESSERA"/>
      <ParameterList name="smoother: params">
        <Parameter name="presicion" type="string" value="same"/>
      </ParameterList>)");
  EXPECT_NE(text.find("did you mean 'precision'?"), std::string::npos) << text;
}

/// On one process; on several where MueLu has gathered the coarse level on one of them.
TEST(MueLuWithTessera, SolvesTheCoarsestLevelInOneKernel) {
  belos::registerTesseraSolver();
  const int n = 60;
  for (const auto& [kind, name, method] :
       {std::tuple(ProblemKind::poisson2d, "TESSERA SINGLE KERNEL CG", "CG"),
        std::tuple(ProblemKind::poisson2d, "Tessera Single Kernel BiCGStab", "CG"),
        std::tuple(ProblemKind::convdiff2d, "TESSERA SINGLE KERNEL BICGSTAB", "GMRES")}) {
    const TpetraSystem system(kind, n);
    Teuchos::ParameterList data;
    if (num_processes() > 1) data.set("Coordinates", coordinates_2d(system.map, n));
    const std::string levels = num_processes() > 1 ? gathered : std::string();
    const std::string directly =
        levels + R"(<Parameter name="coarse: max size" type="int" value="500"/>)";
    const BelosOutcome expected = solve_with_muelu(system, directly, method, data);
    const BelosOutcome outcome = solve_with_muelu(system, levels + solved_by(name), method, data);
    EXPECT_TRUE(outcome.converged) << name;
    EXPECT_EQ(outcome.iterations, expected.iterations) << name;
  }
}

TEST(MueLuWithTessera, RelaxesInOneKernel) {
  belos::registerTesseraSolver();
  for (const auto& [kind, name] :
       {std::pair(ProblemKind::poisson2d, "TESSERA SINGLE KERNEL CG"),
        std::pair(ProblemKind::convdiff2d, "TESSERA SINGLE KERNEL BICGSTAB")}) {
    const TpetraSystem system = TpetraSystem(kind, 60).alone();
    const BelosOutcome outcome = solve_with_muelu(system, smoothed_by(name), flexible);
    EXPECT_TRUE(outcome.converged) << name;
    EXPECT_LT(outcome.residual, 1.1e-8) << name;
    EXPECT_LE(outcome.iterations, 5) << name;
  }
}

TEST(MueLuWithTessera, RefusesOneKernelForALevelOnSeveralProcesses) {
  belos::registerTesseraSolver();
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  const std::string name = "TESSERA SINGLE KERNEL CG";
  for (const std::string& xml : {smoothed_by(name), solved_by(name)}) {
    if (num_processes() == 1) {
      EXPECT_NO_THROW(solve_with_muelu(system, xml, flexible));
      continue;
    }
    const std::string text = error_with(system, xml, flexible);
    for (const std::string& part : {name, "is distributed over " + std::to_string(num_processes())})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace tessera::test::muelu_test
