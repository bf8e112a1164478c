// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the user of an `Operator` gives, and how it is refused.
#pragma once

#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/operator.hpp"
#include "tessera/tpetra/parameter_list.hpp"

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

/// A copy of those columns that are not zero all through: of a vector's part on one process nothing
/// may be left.
template <class Space>
MultiVector<double, Space> without_zero_columns(const Space& exec,
                                                const ConstMultiVectorView<double, Space>& v) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < v.extent(1); ++j) {
    Ordinal nonzeros = 0;
    Kokkos::parallel_reduce(
        "tessera::tpetra::without_zero_columns",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(v.extent(0))),
        KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum) { sum += v(i, j) != 0 ? 1 : 0; }, nonzeros);
    if (nonzeros > 0) kept.push_back(j);
  }
  const auto copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace",
                                                 v.extent(0), kept.size());
  for (std::size_t j = 0; j < kept.size(); ++j)
    Kokkos::deep_copy(exec, Kokkos::subview(copy, Kokkos::ALL, j),
                      Kokkos::subview(v, Kokkos::ALL, kept[j]));
  return copy;
}

}  // namespace tessera::tpetra::operator_detail
