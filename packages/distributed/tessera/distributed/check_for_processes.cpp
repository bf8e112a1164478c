// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/check_for_processes.hpp"

#include "tessera/direct/sparse_direct.hpp"
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
  if (p.reproducible && kind == PreconditionerKind::ilu)
    refuse("'reproducible' is not for incomplete factors of each process's own rows");
}

}  // namespace tessera::distributed
