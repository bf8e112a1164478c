// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/gallery_problem.hpp"

#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/tpetra/processes.hpp"

#include <vector>

namespace tessera::tpetra {
namespace {

using Matrix = ::Tpetra::CrsMatrix<double>;
using Vectors = ::Tpetra::MultiVector<double>;
using Map = Matrix::map_type;

/// How many nodes a share is a multiple of: those of a line where all lines are `n` nodes long and
/// there is one for each process, so that aggregates can be boxes within each share; else 1.
Ordinal nodes_at_once(const GalleryParameters& parameters, Ordinal nodes, int processes) {
  const Ordinal n = parameters.n;
  const bool has_lines = parameter_names(parameters.problem).front() == "n" && nodes % n == 0;
  return has_lines && nodes / n >= processes ? n : 1;
}

/// Equal shares of whole units of `unit` rows, one after the other.
Teuchos::RCP<const Map> equal_shares(const Teuchos::RCP<const Teuchos::Comm<int>>& processes,
                                     Ordinal rows, Ordinal unit) {
  const Ordinal units = rows / unit;
  const Ordinal size = processes->getSize();
  const Ordinal own = units / size + (processes->getRank() < units % size ? 1 : 0);
  return Teuchos::rcp(new Map(static_cast<::Tpetra::global_size_t>(rows),
                              static_cast<std::size_t>(own) * unit, 0, processes));
}

/// This process's rows, before the exchange of what others have to know.
Teuchos::RCP<Matrix> own_rows(const kernels::Csr<double, HostSpace, std::int64_t>& A,
                              const Teuchos::RCP<const Map>& map) {
  Teuchos::ArrayRCP<std::size_t> lengths(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i)
    lengths[i] = static_cast<std::size_t>(A.offsets(i + 1) - A.offsets(i));
  const auto matrix = Teuchos::rcp(new Matrix(map, lengths()));
  std::vector<Matrix::global_ordinal_type> columns;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    const auto begin = A.offsets(i);
    columns.assign(A.columns.data() + begin, A.columns.data() + A.offsets(i + 1));
    matrix->insertGlobalValues(map->getGlobalElement(i), static_cast<int>(columns.size()),
                               A.values.data() + begin, columns.data());
  }
  return matrix;
}

Teuchos::RCP<Vectors> own_rows(const MultiVector<double, HostSpace>& v,
                               const Teuchos::RCP<const Map>& map) {
  const auto vectors = Teuchos::rcp(new Vectors(map, v.extent(1)));
  const auto local = vectors->getLocalViewHost(::Tpetra::Access::OverwriteAll);
  for (std::size_t j = 0; j < local.extent(1); ++j)
    for (std::size_t i = 0; i < local.extent(0); ++i)
      local(i, j) = v(i, j);
  return vectors;
}

}  // namespace

GalleryProblem make_gallery_problem(const Teuchos::RCP<const Teuchos::Comm<int>>& processes,
                                    const GalleryParameters& parameters) {
  const HostSpace exec;
  Problem<double, HostSpace, std::int64_t> own;
  const auto make = [&](const RowRange& range) {
    on_all_processes(*processes, [&] {
      own = make_problem_rows<double, HostSpace, std::int64_t>(exec, parameters, range);
      exec.fence("tessera::tpetra: the gallery's rows");
    });
  };
  make({0, 0});  // what holds of all rows
  const Ordinal rows = own.A.num_cols;
  const Ordinal nodes = nodes_at_once(parameters, rows / own.block_size, processes->getSize());
  const auto map = equal_shares(processes, rows, nodes * own.block_size);
  const auto count = static_cast<Ordinal>(map->getLocalNumElements());
  make({count > 0 ? static_cast<Ordinal>(map->getMinGlobalIndex()) : 0, count});
  GalleryProblem problem;
  on_all_processes(*processes, [&] { problem.A = own_rows(own.A, map); });
  problem.A->fillComplete();
  problem.b = own_rows(own.b, map);
  problem.near_nullspace = own_rows(own.near_nullspace, map);
  problem.block_size = own.block_size;
  problem.symmetric = own.symmetric;
  problem.description = own.description;
  return problem;
}

}  // namespace tessera::tpetra
