// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the tests of `tessera::hybrid::Operator` share.
#pragma once

#include "tessera/hybrid/operator.hpp"

#include "support/belos_solve.hpp"
#include "support/error_of.hpp"

#include <Teuchos_FancyOStream.hpp>

#include <sstream>
#include <string>

namespace tessera::test {

/// MueLu's parameters for several levels of a small problem.
inline Teuchos::ParameterList small_levels() {
  Teuchos::ParameterList list("MueLu");
  list.set("verbosity", "none");
  list.set("coarse: max size", 60);
  return list;
}

inline std::string described(const Teuchos::Describable& M) {
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M.describe(out, Teuchos::VERB_LOW);
  return text.str();
}

}  // namespace tessera::test
