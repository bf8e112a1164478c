// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the tests of `tessera::hybrid::Operator` share.
#pragma once

#include "tessera/hybrid/operator.hpp"

#include "support/error_of.hpp"
#include "support/waves_by_belos.hpp"

namespace tessera::test {

/// MueLu's parameters for several levels of a small problem.
inline Teuchos::ParameterList small_levels() {
  Teuchos::ParameterList list("MueLu");
  list.set("verbosity", "none");
  list.set("coarse: max size", 60);
  return list;
}

}  // namespace tessera::test
