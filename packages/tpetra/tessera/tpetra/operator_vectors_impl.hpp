// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An `Operator`'s near-nullspace, from what its user gave.
#pragma once

#include "tessera/distributed/nonzero_columns.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/tpetra/operator_state_impl.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::read_user_data(const Teuchos::ParameterList& data) {
  const std::vector<std::string> known{"Nullspace", "Coordinates"};
  for (auto item = data.begin(); item != data.end(); ++item) {
    const std::string& name = data.name(item);
    if (name == known[0]) {
      nullspace = operator_detail::vectors_of<Vectors>(data.entry(item), name);
    } else if (name == known[1]) {
      coordinates = operator_detail::vectors_of<Vectors>(data.entry(item), name);
    } else {
      const std::string hint = parameters::did_you_mean(name, known);
      throw Error(ErrorKind::configuration,
                  "unknown user data '" + name + "'" +
                      (hint.empty() ? "; there are: " + parameters::join_names(known) : hint));
    }
  }
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::take_user_data(const Teuchos::ParameterList& data) {
  using operator_detail::refuse;
  on_all_processes(*map->getComm(), [&] { read_user_data(data); });
  operator_detail::require_of_all(*map->getComm(), !nullspace.is_null(), "Nullspace");
  operator_detail::require_of_all(*map->getComm(), !coordinates.is_null(), "Coordinates");
  if (!nullspace.is_null()) operator_detail::require_over_rows(*nullspace, *map);
  if (!parameters.rigid_body_modes) return;
  if (!nullspace.is_null())
    throw Error(
        ErrorKind::configuration,
        "'rigid_body_modes' is set and user data 'Nullspace' is given; one of them is enough");
  if (coordinates.is_null())
    throw Error(ErrorKind::configuration, "'rigid_body_modes' needs user data 'Coordinates'");
  const std::size_t dimension = coordinates->getNumVectors();
  if (dimension != 2 && dimension != 3)
    refuse("user data 'Coordinates' has " + std::to_string(dimension) +
           " columns; rigid body modes are those of 2 or 3 dimensions");
  bound_coordinates();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::bound_coordinates() {
  double own_lowest[3];
  double own_highest[3];
  std::fill_n(own_lowest, 3, std::numeric_limits<double>::max());
  std::fill_n(own_highest, 3, std::numeric_limits<double>::lowest());
  on_all_processes(*map->getComm(), [&] {
    const Vectors contiguous(*coordinates, Teuchos::Copy);
    const auto given = contiguous.getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t d = 0; d < given.extent(1); ++d) {
      for (std::size_t i = 0; i < given.extent(0); ++i) {
        own_lowest[d] = std::min(own_lowest[d], given(i, d));
        own_highest[d] = std::max(own_highest[d], given(i, d));
      }
    }
  });
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, 3, own_lowest, lowest);
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MAX, 3, own_highest, highest);
}

/// This process's part of what the user gave; no columns where that is nothing.
template <class GlobalOrdinal, class Node>
MultiVector<double, typename Operator<GlobalOrdinal, Node>::Space>
Operator<GlobalOrdinal, Node>::State::near_nullspace(const Space& exec, bool drops_zeros) const {
  using Given = ConstMultiVectorView<double, Space>;
  MultiVector<double, Space> copy;
  if (!nullspace.is_null()) {
    const Vectors contiguous(*nullspace, Teuchos::Copy);
    const auto given = contiguous.getLocalViewDevice(Tpetra::Access::ReadOnly);
    if (drops_zeros) return distributed::without_zero_columns<Space>(exec, as_multivector(given));
    copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace", given.extent(0),
                                        given.extent(1));
    Kokkos::deep_copy(exec, copy, given);
  } else if (parameters.rigid_body_modes) {
    const Vectors contiguous(*coordinates, Teuchos::Copy);
    const auto given = contiguous.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const std::size_t dimension = given.extent(1);
    if (given.extent(0) * dimension != static_cast<std::size_t>(num_rows()))
      operator_detail::refuse("user data 'Coordinates' has " +
                              operator_detail::here(given.extent(0), "nodes") + "; at block size " +
                              std::to_string(dimension) + " they need " +
                              std::to_string(given.extent(0) * dimension) +
                              " rows, and the matrix has " + std::to_string(num_rows()));
    // Two nodes more, corners of the box around the nodes of all processes: the rotations are about
    // its middle, and so the same vectors on all of them.
    const std::size_t nodes = given.extent(0);
    const auto bounded =
        allocate_multivector<double>(exec, "tessera::tpetra::coordinates", nodes + 2, dimension);
    const auto own = std::make_pair(std::size_t(0), nodes);
    Kokkos::deep_copy(exec, Kokkos::subview(bounded, own, Kokkos::ALL), given);
    for (std::size_t d = 0; d < dimension; ++d) {
      Kokkos::deep_copy(exec, Kokkos::subview(bounded, nodes, d), lowest[d]);
      Kokkos::deep_copy(exec, Kokkos::subview(bounded, nodes + 1, d), highest[d]);
    }
    const auto modes = rigid_body_modes<double, Space>(exec, Given(bounded));
    copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace", nodes * dimension,
                                        modes.extent(1));
    Kokkos::deep_copy(
        exec, copy,
        Kokkos::subview(modes, std::make_pair(std::size_t(0), nodes * dimension), Kokkos::ALL));
    // About an axis through all of a process's nodes a rotation is zero.
    if (drops_zeros) return distributed::without_zero_columns<Space>(exec, Given(copy));
  }
  return copy;
}

}  // namespace tessera::tpetra
