// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/par_csr.hpp"

#include "tessera/operator/error.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::hypre {
namespace {

static_assert(std::is_same_v<HYPRE_Complex, double>,
              "Tessera takes hypre's matrices where its numbers are doubles");

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

bool is_on_host(HYPRE_MemoryLocation location) {
  return hypre_GetActualMemLocation(location) != hypre_MEMORY_DEVICE;
}

/// Of n rows, with indices that Tessera has 32 bits for.
HostPart part_of(const hypre_CSRMatrix& part, HYPRE_Int n) {
  const HYPRE_Int* const offsets = hypre_CSRMatrixI(&part);
  if (offsets == nullptr) return {};  // without entries hypre need not have the arrays
  const auto entries = static_cast<std::size_t>(offsets[n]);
  return {shared_integers<std::int64_t>(offsets, static_cast<std::size_t>(n) + 1),
          shared_integers<Ordinal>(hypre_CSRMatrixJ(&part), entries), hypre_CSRMatrixData(&part)};
}

using Neighbours = std::vector<distributed::HaloLists::Neighbour>;

/// A list of neighbours: `starts` has one more than there are `processes`.
Neighbours neighbours_of(HYPRE_Int count, const HYPRE_Int* processes, const HYPRE_Int* starts) {
  Neighbours neighbours;
  for (HYPRE_Int i = 0; i < count; ++i)
    if (starts[i + 1] > starts[i])
      neighbours.push_back({static_cast<int>(processes[i]), static_cast<Ordinal>(starts[i]),
                            static_cast<Ordinal>(starts[i + 1] - starts[i])});
  return neighbours;
}

/// Whether the lists of ascending processes follow each other from the first entry on.
bool are_in_order(const Neighbours& neighbours) {
  int before = -1;
  Ordinal first = 0;
  for (const auto& n : neighbours) {
    if (n.process <= before || n.first != first) return false;
    before = n.process;
    first += n.length;
  }
  return true;
}

/// What is sent, by ascending process: the package's own list where it is so, else a copy in this
/// order, which the neighbours get as well.
distributed::HostArray<Ordinal> exports_of(const hypre_ParCSRCommPkg* package,
                                           Neighbours& receivers) {
  const HYPRE_Int* const rows = hypre_ParCSRCommPkgSendMapElmts(package);
  if (are_in_order(receivers)) {
    const Ordinal length = receivers.empty() ? 0 : receivers.back().first + receivers.back().length;
    return shared_integers<Ordinal>(rows, static_cast<std::size_t>(length));
  }
  std::ranges::sort(receivers, {}, &distributed::HaloLists::Neighbour::process);
  std::vector<Ordinal> ordered;
  for (auto& receiver : receivers) {
    const HYPRE_Int* const first = rows + receiver.first;
    receiver.first = static_cast<Ordinal>(ordered.size());
    ordered.insert(ordered.end(), first, first + receiver.length);
  }
  return distributed::host_array(ordered);
}

/// Where what is sent lies by now, if that was `before` in hypre's memory: hypre moves it in
/// products with vectors of another number of columns.
distributed::HostArray<Ordinal> exports_now(const hypre_ParCSRCommPkg* package,
                                            const distributed::HostArray<Ordinal>& before,
                                            bool is_shared) {
  if (package == nullptr)
    refuse("hypre's communication package of the matrix is gone since setup; set up again");
  if (hypre_ParCSRCommPkgNumComponents(package) != 1)
    refuse(
        "the matrix was last multiplied by vectors of several columns, for which hypre has changed "
        "its communication package; multiply it by one, or set up again");
  if (!is_shared) return before;
  return shared_integers<Ordinal>(hypre_ParCSRCommPkgSendMapElmts(package), before.extent(0));
}

/// The package's lists.
std::optional<distributed::HaloLists> halo_of(const hypre_ParCSRCommPkg* package) {
  if (package == nullptr || hypre_ParCSRCommPkgNumComponents(package) != 1) return std::nullopt;
  distributed::HaloLists lists;
  lists.senders =
      neighbours_of(hypre_ParCSRCommPkgNumRecvs(package), hypre_ParCSRCommPkgRecvProcs(package),
                    hypre_ParCSRCommPkgRecvVecStarts(package));
  lists.receivers =
      neighbours_of(hypre_ParCSRCommPkgNumSends(package), hypre_ParCSRCommPkgSendProcs(package),
                    hypre_ParCSRCommPkgSendMapStarts(package));
  lists.exports = exports_of(package, lists.receivers);
  return lists;
}

}  // namespace

HostParts parts_of(hypre_ParCSRMatrix* A) {
  const hypre_CSRMatrix* const diag = hypre_ParCSRMatrixDiag(A);
  const hypre_CSRMatrix* const offd = hypre_ParCSRMatrixOffd(A);
  if (diag == nullptr || offd == nullptr)
    refuse("the matrix has no entries yet; assemble it first (HYPRE_IJMatrixAssemble)");
  const auto text = [](auto number) { return std::to_string(static_cast<long long>(number)); };
  if (hypre_ParCSRMatrixGlobalNumRows(A) != hypre_ParCSRMatrixGlobalNumCols(A))
    refuse("the matrix is " + text(hypre_ParCSRMatrixGlobalNumRows(A)) + " by " +
           text(hypre_ParCSRMatrixGlobalNumCols(A)) + "; a solver is for a square one");
  const HYPRE_Int n = hypre_CSRMatrixNumRows(diag);
  const HYPRE_BigInt first = hypre_ParCSRMatrixFirstColDiag(A);
  if (hypre_CSRMatrixNumCols(diag) != n || hypre_ParCSRMatrixFirstRowIndex(A) != first)
    refuse("this process has the " + text(n) + " rows from " +
           text(hypre_ParCSRMatrixFirstRowIndex(A)) + " on and the " +
           text(hypre_CSRMatrixNumCols(diag)) + " columns from " + text(first) +
           " on; both have to be shared out in the same way");
  if (!is_on_host(hypre_CSRMatrixMemoryLocation(diag)) ||
      !is_on_host(hypre_CSRMatrixMemoryLocation(offd)))
    refuse(
        "the matrix lies in a device's memory; bring it to the host's by "
        "HYPRE_IJMatrixMigrate(matrix, HYPRE_MEMORY_HOST), or build it there");
  HostParts parts;
  if (static_cast<std::int64_t>(n) >= std::numeric_limits<Ordinal>::max())
    refuse(text(n) + " rows are too many for one process");
  parts.num_rows = static_cast<Ordinal>(n);
  parts.own = part_of(*diag, n);
  const HYPRE_Int num_ghosts = hypre_CSRMatrixNumCols(offd);
  if (num_ghosts > 0) {
    parts.ghost = part_of(*offd, n);
    parts.ghosts = shared_integers<std::int64_t>(hypre_ParCSRMatrixColMapOffd(A),
                                                 static_cast<std::size_t>(num_ghosts));
  }
  parts.halo = halo_of(hypre_ParCSRMatrixCommPkg(A));
  if (parts.halo) {
    const void* const sent = hypre_ParCSRCommPkgSendMapElmts(hypre_ParCSRMatrixCommPkg(A));
    parts.moved_exports = [A, is_shared = parts.halo->exports.data() == sent](const auto& before) {
      return exports_now(hypre_ParCSRMatrixCommPkg(A), before, is_shared);
    };
  }
  return parts;
}

double* entries_of(hypre_ParVector* vector, std::int64_t rows, const char* name) {
  const std::string called = name;
  if (vector == nullptr) refuse(called + " is a null pointer");
  const hypre_Vector* const own = hypre_ParVectorLocalVector(vector);
  if (own == nullptr) refuse(called + " has no entries yet; assemble it first");
  if (hypre_VectorNumVectors(own) != 1)
    refuse(called + " has " + std::to_string(hypre_VectorNumVectors(own)) +
           " columns; take one at a time");
  if (static_cast<std::int64_t>(hypre_VectorSize(own)) != rows)
    refuse(called + " has " + std::to_string(hypre_VectorSize(own)) +
           " entries on this process, expected " + std::to_string(rows));
  if (!is_on_host(hypre_VectorMemoryLocation(own)))
    refuse(called +
           " lies in a device's memory; bring it to the host's by "
           "HYPRE_IJVectorMigrate(vector, HYPRE_MEMORY_HOST), or build it there");
  return hypre_VectorData(own);
}

}  // namespace tessera::hypre
