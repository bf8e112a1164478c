// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/check_for_processes.hpp"

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/distributed/ordered_storage.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/error.hpp"

#include <string>

namespace tessera::distributed {

void check_for_processes(const Parameters& p) {
  check_parameters(p, "");
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::configuration, "on several processes " + what);
  };
  const auto kind = p.solve.preconditioner;
  if (kind == PreconditionerKind::direct && !direct::available())
    refuse(
        "'preconditioner=direct' needs a library that was built with a sparse direct solver "
        "(TESSERA_ENABLE_SUITESPARSE)");
  direct::require_ordering(p.solve.direct.ordering);
  const StorageFormat format = p.solve.amg.storage.format;
  if (p.reproducible && format != StorageFormat::automatic && format != StorageFormat::csr)
    refuse("'reproducible' is for compressed rows: 'amg.storage.format' is auto or csr");
  // Levels that are chosen one by one are looked at when they are made.
  const bool is_for_all = p.solve.amg.levels.empty() && !p.solve.amg.choose_level;
  const StorageScalar working =
      p.solve.precision == Precision::single ? StorageScalar::float32 : StorageScalar::float64;
  if (p.reproducible && is_for_all && !is_stored_ordered(p.solve.amg.storage.scalar, working))
    refuse("'reproducible' is for rows in the scalar of the vectors: 'amg.storage.scalar' is same" +
           std::string(working == StorageScalar::float32 ? " or float" : " or double"));
  if (p.reproducible && kind == PreconditionerKind::ilu)
    refuse("'reproducible' is not for incomplete factors of each process's own rows");
}

}  // namespace tessera::distributed
