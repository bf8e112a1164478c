// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/register_tessera.hpp"

#include "tessera/belos/solver_manager.hpp"

#include <BelosSolverFactory.hpp>

#include <string>
#include <vector>

namespace tessera::belos {
namespace {

class Factory : public Belos::CustomSolverFactory<double, Vectors, Operator> {
 public:
  Teuchos::RCP<SolverManager::Base> getSolver(
      const std::string& name, const Teuchos::RCP<Teuchos::ParameterList>& list) override {
    const auto kind = solver_kind_of(name);
    if (!kind) return Teuchos::null;
    const auto solver = Teuchos::rcp(new SolverManager(*kind));
    solver->setParameters(list);
    return solver;
  }
  int numSupportedSolvers() const override {
    return static_cast<int>(supportedSolverNames().size());
  }
  std::vector<std::string> supportedSolverNames() const override {
    std::vector<std::string> names;
    for (const auto& kind : solver_kind_names)
      names.emplace_back(kind.name);
    return names;
  }
  bool isSupported(const std::string& name) const override {
    return solver_kind_of(name).has_value();
  }
};

}  // namespace

void registerTesseraSolver() {
  /// The list of factories is the process's, and those who may add to it are factories.
  struct Registrar : Belos::Impl::SolverFactoryParent<double, Vectors, Operator> {};
  Registrar registrar;
  if (!registrar.isSupported(name_of(SolverKind::tessera)))
    registrar.addFactory(Teuchos::rcp(new Factory));
}

}  // namespace tessera::belos
