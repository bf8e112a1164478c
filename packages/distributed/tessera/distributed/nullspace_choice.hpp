// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which nullspace a solver over several processes projects out.
#pragma once

#include "tessera/distributed/component_nullspace.hpp"
#include "tessera/distributed/given_nullspace.hpp"
#include "tessera/distributed/sums_of_rows.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

/// Components, from one choice to the next one in the same pattern.
template <class Space>
struct KnownComponents {
  SingularComponents<Space> singular;
  std::shared_ptr<NullspaceProjector<Space>> projector;  ///< of those, once one was wanted
};

/// What is known of a matrix, and what the program has given.
template <class Space>
struct NullspaceSource {
  const Matrix<Space>& A;
  bool symmetric;
  SumsOfRows sums;
  const GivenNullspace<Space>& given;
  KnownComponents<Space>& components;
};

/// What `kind` asks for, which becomes what that is where it is left open: as on one process, but
/// that nobody looks for components where neither rows of zeros nor all rows' sums tell of them.
/// `notes` say what was found then. Collective.
/// @throws Error of kind `configuration` on all processes where A has no such nullspace, none was
///         given, or one was and `kind` names another.
template <class Space>
NullspaceProjectors<Space> choose_nullspace(const Space& exec, const NullspaceSource<Space>& source,
                                            NullspaceKind& kind, std::vector<std::string>& notes);

}  // namespace tessera::distributed
