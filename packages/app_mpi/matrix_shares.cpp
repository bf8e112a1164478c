// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/matrix_shares.hpp"

#include "tessera/operator/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tessera::app_mpi {

namespace detail {

void require_square(const std::string& path, std::int64_t rows, std::int64_t columns) {
  if (rows == columns) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: the matrix is {} x {}; expected a square one", path, rows, columns));
}

MatrixShare read_binary_share(const Communicator& processes, const MatrixRequest& request) {
  const int rank = processes.rank();
  const int size = processes.size();
  std::unique_ptr<BinaryRows> file;
  BinaryRows::Checksums own{};
  MatrixShare share;
  together(processes, [&] {
    file = std::make_unique<BinaryRows>(request.path);
    const std::int64_t n = file->header().num_rows;
    require_square(request.path, n, file->header().num_cols);
    const std::int64_t unit =
        request.rows_of_node > 0 ? request.rows_of_node : rows_together(n, size);
    share.shares = request.balance == Balance::rows
                       ? equal_rows(n, size, unit)
                       : equal_entries(n, size, unit,
                                       [&](std::int64_t row) { return file->entries_before(row); });
    own = file->checksums(rank, size);
  });
  std::vector<BinaryRows::Checksums> all(static_cast<std::size_t>(size));
  for (std::size_t s = 0; s < own.size(); ++s) {
    std::vector<std::int64_t> of_section(static_cast<std::size_t>(size));
    processes.all_gather(own[s], of_section);
    for (std::size_t p = 0; p < all.size(); ++p)
      all[p][s] = static_cast<std::uint32_t>(of_section[p]);
  }
  together(processes, [&] {
    file->check(all);
    share.rows = file->rows(share.shares.first(rank), share.shares.count(rank));
    share.rhs = file->rhs(share.shares.first(rank), share.shares.count(rank));
    share.rhs_columns = file->rhs_columns();
  });
  return share;
}

}  // namespace detail

MatrixShare read_matrix_share(const Communicator& processes, const MatrixRequest& request) {
  double is_binary = 0;
  together(processes, [&] {
    // A pipe gives its bytes once, and is text.
    std::error_code ignored;
    const bool looks =
        processes.rank() == 0 && (!std::filesystem::exists(request.path, ignored) ||
                                  std::filesystem::is_regular_file(request.path, ignored));
    is_binary = looks && is_binary_file(request.path) ? 1 : 0;
  });
  return processes.maximum_of(is_binary) > 0 ? detail::read_binary_share(processes, request)
                                             : detail::read_text_share(processes, request);
}

}  // namespace tessera::app_mpi
