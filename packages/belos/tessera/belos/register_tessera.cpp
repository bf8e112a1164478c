// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/register_tessera.hpp"

#include "tessera/belos/solver_manager.hpp"

#include <BelosSolverFactory.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace tessera::belos {
namespace {

class Factory : public Belos::CustomSolverFactory<double, Vectors, Operator> {
 public:
  Teuchos::RCP<SolverManager::Base> getSolver(
      const std::string& name, const Teuchos::RCP<Teuchos::ParameterList>& list) override {
    if (!isSupported(name)) return Teuchos::null;
    const auto solver = Teuchos::rcp(new SolverManager);
    solver->setParameters(list);
    return solver;
  }
  int numSupportedSolvers() const override { return 1; }
  std::vector<std::string> supportedSolverNames() const override { return {"TESSERA"}; }
  bool isSupported(const std::string& name) const override {
    const std::string known = "TESSERA";
    return std::equal(name.begin(), name.end(), known.begin(), known.end(), [](char a, char b) {
      return std::toupper(static_cast<unsigned char>(a)) == b;
    });
  }
};

}  // namespace

void registerTesseraSolver() {
  /// The list of factories is the process's, and those who may add to it are factories.
  struct Registrar : Belos::Impl::SolverFactoryParent<double, Vectors, Operator> {};
  Registrar registrar;
  if (!registrar.isSupported("TESSERA")) registrar.addFactory(Teuchos::rcp(new Factory));
}

}  // namespace tessera::belos
