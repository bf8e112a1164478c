// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/stratimikos/enable_tessera.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/stratimikos/preconditioner_factory.hpp"

#include <Teuchos_AbstractFactoryStd.hpp>

namespace tessera::stratimikos {

void enableTessera(Stratimikos::DefaultLinearSolverBuilder& builder, const std::string& name) {
  const auto valid = builder.getValidParameters();
  require(!valid->sublist("Preconditioner Types").isSublist(name),
          [&] { return "the builder has a preconditioner '" + name + "' already"; });
  using Base = Thyra::PreconditionerFactoryBase<double>;
  builder.setPreconditioningStrategyFactory(
      Teuchos::abstractFactoryStd<Base, PreconditionerFactory>(), name);
}

}  // namespace tessera::stratimikos
