// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/preconditioner.hpp"

#include "app/exit_code.hpp"
#include "app/settings.hpp"
#include "tessera/belos/krylov_method.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/operator.hpp"

#if defined(TESSERA_HAVE_HYBRID)
#include "tessera/hybrid/operator.hpp"

#include <Teuchos_XMLParameterListHelpers.hpp>
#endif

#include <fmt/format.h>

#include <algorithm>

namespace tessera::app_tpetra {
namespace {

Teuchos::ParameterList user_data(const System& system) {
  Teuchos::ParameterList data;
  if (!system.vectors.is_null()) data.set("Nullspace", system.vectors);
  return data;
}

void say_precision(app::SolveReport& report) {
  const auto& levels = report.hierarchy.levels;
  const bool mixed = std::any_of(levels.begin(), levels.end(),
                                 [](const LevelInfo& level) { return level.precision == "float"; });
  report.precision = mixed ? "mixed" : "double";
}

/// In place of what setup has to say of methods of Tessera's own.
void say_K_cycle(const SolveParameters& p, SolverName asked, SolverName solver,
                 app::SolveReport& report) {
  if (p.amg.cycle != amg::CycleType::k || !belos::varies(p)) return;
  auto& notes = report.hierarchy.notes;
  std::erase_if(notes, [](const std::string& note) {
    return note.starts_with("solver ") || note.starts_with("K-cycle under ");
  });
  const std::string note = belos::note_on_K_cycle(asked, solver);
  if (!note.empty()) notes.push_back(note);
}

class ByTessera : public Preconditioning {
 public:
  explicit ByTessera(const Options& options) {
    parameters::ParameterTree tree(m_parameters);
    app::set_parameters(tree, options.config, options.settings);
    if (m_parameters.apply == tpetra::Application::solve)
      throw Error(ErrorKind::configuration,
                  "apply=solve is for one process; 'tessera solve' does so");
  }

  const SolverParameters& method() const override { return m_parameters.solve.solver; }

  Teuchos::RCP<Operator> set_up(const System& system) override {
    tpetra::Parameters p = m_parameters;
    if (p.block_size == 0) p.block_size = system.block_size;
    m_made = Teuchos::rcp(new tpetra::Operator<>(system.A, p, user_data(system)));
    return m_made;
  }

  bool varies() const override { return belos::varies(m_made->parameters().solve); }

  void describe(SolverName solver, app::SolveReport& report) const override {
    report.hierarchy = m_made->hierarchy();
    tpetra::Parameters effective = m_made->parameters();
    const parameters::ParameterTree tree(effective);
    report.parameters = tree.values();
    const auto kind = effective.solve.preconditioner;
    report.preconditioner = kind == PreconditionerKind::automatic ? "amg" : "";
    for (const auto& known : preconditioner_names)
      if (report.preconditioner.empty() && known.value == kind)
        report.preconditioner = std::string(known.name);
    say_precision(report);
    say_K_cycle(effective.solve, method().name, solver, report);
  }

 private:
  tpetra::Parameters m_parameters;
  Teuchos::RCP<tpetra::Operator<>> m_made;
};

#if defined(TESSERA_HAVE_HYBRID)
/// Those of the method beside the cycle's.
struct HybridParameters {
  SolverParameters solver;
  hybrid::Parameters cycle;
};

template <class Visitor>
void describe_parameters(Visitor& visit, HybridParameters& p) {
  describe_parameters(visit, p.cycle);
  visit.section("solver", p.solver, "the Krylov method");
}

/// What of the parameters decides whether a cycle over MueLu's levels is linear.
SolveParameters as_solve_parameters(const hybrid::Parameters& cycle) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = cycle.precision;
  p.amg.cycle = cycle.amg.cycle;
  p.amg.levels = cycle.amg.levels;
  return p;
}

class ByMueLu : public Preconditioning {
 public:
  explicit ByMueLu(const Options& options) : m_xml(options.muelu) {
    parameters::ParameterTree tree(m_parameters);
    app::set_parameters(tree, options.config, options.settings);
  }

  const SolverParameters& method() const override { return m_parameters.solver; }

  Teuchos::RCP<Operator> set_up(const System& system) override {
    Teuchos::ParameterList muelu;
    if (!m_xml.empty())
      Teuchos::updateParametersFromXmlFileAndBroadcast(m_xml, Teuchos::ptrFromRef(muelu),
                                                       *system.A->getComm());
    if (system.block_size > 1 && !muelu.isParameter("number of equations"))
      muelu.set("number of equations", system.block_size);
    m_made = Teuchos::rcp(
        new hybrid::Operator<>(system.A, m_parameters.cycle, muelu, user_data(system)));
    return m_made;
  }

  bool varies() const override { return belos::varies(as_solve_parameters(m_parameters.cycle)); }

  void describe(SolverName solver, app::SolveReport& report) const override {
    report.hierarchy = m_made->levels();
    HybridParameters shown = m_parameters;
    const parameters::ParameterTree tree(shown);
    report.parameters = tree.values();
    report.preconditioner = "amg over MueLu's levels";
    say_precision(report);
    say_K_cycle(as_solve_parameters(m_parameters.cycle), method().name, solver, report);
  }

 private:
  std::string m_xml;
  HybridParameters m_parameters;
  Teuchos::RCP<hybrid::Operator<>> m_made;
};
#endif

}  // namespace

std::unique_ptr<Preconditioning> make_preconditioning(const Options& options) {
  app::check_settings(options.settings);
  if (options.setup != "tessera" && options.setup != "muelu")
    throw app::UsageError(
        fmt::format("--setup {}: expected one of: tessera, muelu", options.setup));
  if (options.setup == "tessera" && options.muelu.empty())
    return std::make_unique<ByTessera>(options);
#if defined(TESSERA_HAVE_HYBRID)
  return std::make_unique<ByMueLu>(options);
#else
  throw app::UsageError("--setup muelu: this command was built without MueLu");
#endif
}

}  // namespace tessera::app_tpetra
