// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the user of an `Operator` gives, and how it is refused.
#pragma once

#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/operator.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <string>
#include <vector>

namespace tessera::tpetra::operator_detail {

inline Parameters parameters_from(const Teuchos::ParameterList& list) {
  Parameters parameters;
  parameters::ParameterTree tree(parameters);
  set_from_parameter_list(tree, list, {"user data"});
  return parameters;
}

[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

inline Teuchos::ParameterList user_data_in(const Teuchos::ParameterList& list) {
  return list.isSublist("user data") ? list.sublist("user data") : Teuchos::ParameterList();
}

/// "3 rows on this process".
inline std::string here(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + " on this process";
}

/// Near-nullspace vectors have an entry for each row of the matrix. Collective.
template <class Vectors, class Map>
void require_over_rows(const Vectors& nullspace, const Map& rows) {
  if (nullspace.getMap()->isSameAs(rows)) return;
  refuse("user data 'Nullspace' is over another map than the matrix's rows: " +
         std::to_string(nullspace.getGlobalLength()) + " against " +
         std::to_string(rows.getGlobalNumElements()) + " rows in all, " +
         std::to_string(nullspace.getLocalLength()) + " against " +
         here(rows.getLocalNumElements(), "rows"));
}

/// User data is given on all processes or on none. Collective.
inline void require_of_all(const Teuchos::Comm<int>& processes, bool is_given, const char* name) {
  const int own = is_given ? 1 : 0;
  int all = own;
  Teuchos::reduceAll(processes, Teuchos::REDUCE_SUM, own, Teuchos::outArg(all));
  if (all != 0 && all != processes.getSize())
    throw Error(ErrorKind::configuration,
                std::string("user data '") + name + "' is given on " + std::to_string(all) +
                    " of " + std::to_string(processes.getSize()) +
                    " processes; give it on all, where there are no rows, too");
}

/// The vectors of an entry of "user data".
template <class Vectors>
Teuchos::RCP<const Vectors> vectors_of(const Teuchos::ParameterEntry& entry,
                                       const std::string& name) {
  Teuchos::RCP<const Vectors> vectors;
  if (entry.isType<Teuchos::RCP<Vectors>>()) {
    vectors = Teuchos::getValue<Teuchos::RCP<Vectors>>(entry);
  } else if (entry.isType<Teuchos::RCP<const Vectors>>()) {
    vectors = Teuchos::getValue<Teuchos::RCP<const Vectors>>(entry);
  } else {
    throw Error(
        ErrorKind::configuration,
        "user data '" + name + "' has the type " + entry.getAny(false).typeName() +
            "; expected Teuchos::RCP<Tpetra::MultiVector<double, ...>> of the matrix's types");
  }
  if (vectors.is_null()) throw Error(ErrorKind::configuration, "user data '" + name + "' is null");
  return vectors;
}

}  // namespace tessera::tpetra::operator_detail
