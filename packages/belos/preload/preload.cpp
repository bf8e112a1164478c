// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Registers Tessera's solvers with Belos where it is loaded, before `main`.
#include "tessera/belos/register_tessera.hpp"

namespace {

const bool is_registered = [] {
  tessera::belos::registerTesseraSolver();
  return true;
}();

}  // namespace
