// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `hybrid::Operator` is given: parameters, "user data" and a matrix, for itself and for
/// MueLu.
#pragma once

#include "tessera/hybrid/operator.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/operator_impl.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <exception>
#include <string>
#include <utility>

namespace tessera::hybrid::detail {

inline Teuchos::ParameterList sublist_of(const Teuchos::ParameterList& list, const char* name) {
  return list.isSublist(name) ? list.sublist(name) : Teuchos::ParameterList();
}

inline Parameters parameters_from(const Teuchos::ParameterList& list) {
  Parameters parameters;
  parameters::ParameterTree tree(parameters);
  tpetra::set_from_parameter_list(tree, list, {"user data", "MueLu"});
  return parameters;
}

/// MueLu's parameters, without the smoothers that its setup would make for nobody.
inline Teuchos::ParameterList without_smoothers(Teuchos::ParameterList given) {
  if (!given.isParameter("verbosity")) given.set("verbosity", "none");
  // A list of factories is its author's own.
  if (given.isSublist("Factories") || given.isSublist("Hierarchy")) return given;
  given.set("smoother: pre or post", "none");
  given.set("coarse: type", "none");
  return given;
}

/// "user data" for MueLu, which wants its vectors without const. Near-nullspace vectors of another
/// length than `rows` it would take, and fail far from here.
template <class Vectors>
void take_user_data(const Teuchos::ParameterList& data, const typename Vectors::map_type& rows,
                    Teuchos::ParameterList& given) {
  if (data.begin() == data.end()) return;
  Teuchos::ParameterList& taken = given.sublist("user data");
  for (auto item = data.begin(); item != data.end(); ++item) {
    const Teuchos::ParameterEntry& entry = data.entry(item);
    const bool is_tpetras =
        entry.isType<Teuchos::RCP<Vectors>>() || entry.isType<Teuchos::RCP<const Vectors>>();
    if (is_tpetras && data.name(item) == "Nullspace")
      tpetra::operator_detail::require_over_rows(
          *tpetra::operator_detail::vectors_of<Vectors>(entry, data.name(item)), rows);
    if (entry.isType<Teuchos::RCP<const Vectors>>()) {
      taken.set(data.name(item), Teuchos::rcp_const_cast<Vectors>(
                                     Teuchos::getValue<Teuchos::RCP<const Vectors>>(entry)));
    } else {
      taken.setEntry(data.name(item), entry);
    }
  }
}

/// What MueLu throws, as an Error.
template <class Work>
auto by_muelu(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) throw;
    throw Error(ErrorKind::configuration, std::string("MueLu's setup failed: ") + error.what());
  }
}

template <class Matrix, class Base>
Teuchos::RCP<Matrix> checked(const Teuchos::RCP<const Base>& A) {
  if (A.is_null()) throw Error(ErrorKind::precondition, "the matrix is a null pointer");
  const auto matrix = Teuchos::rcp_const_cast<Matrix>(Teuchos::rcp_dynamic_cast<const Matrix>(A));
  if (matrix.is_null())
    throw Error(ErrorKind::precondition,
                "the matrix must be a Tpetra::CrsMatrix of double, it is: " + A->description());
  if (!matrix->isFillComplete())
    throw Error(ErrorKind::precondition,
                "the matrix is still being filled; call fillComplete first");
  const auto rows = matrix->getRowMap();
  for (const auto& [map, name] :
       {std::pair(matrix->getRangeMap(), "range"), std::pair(matrix->getDomainMap(), "domain")}) {
    if (!map->isSameAs(*rows))
      throw Error(ErrorKind::precondition,
                  std::string("the matrix's ") + name + " map is another one than its row map: " +
                      std::to_string(map->getGlobalNumElements()) + " against " +
                      std::to_string(rows->getGlobalNumElements()) +
                      " unknowns in all; a preconditioner is for a square matrix with one map");
  }
  return matrix;
}

}  // namespace tessera::hybrid::detail
