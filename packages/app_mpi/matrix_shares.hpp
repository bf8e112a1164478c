// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix file read in shares: no process holds more of it than its own rows and a few MB.
#pragma once

#include "app_mpi/row_shares.hpp"
#include "app_mpi/together.hpp"
#include "tessera/io/binary_rows.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tessera::app_mpi {

/// By what shares are about as large as each other.
enum class Balance { rows, entries };

struct MatrixRequest {
  std::string path;
  Balance balance = Balance::rows;
  std::int64_t rows_of_node = 0;  ///< shares are multiples of it; 0: not known
  bool sum_duplicates = false;
  int threads = 1;  ///< of the host, for each process
  std::function<void(std::int64_t, std::int64_t)> progress;  ///< entries read, and all
};

/// This process's rows, and those of the right-hand sides that the file holds.
struct MatrixShare {
  RowShares shares;
  HostCsr rows;
  std::vector<double> rhs;  ///< column after column
  std::size_t rhs_columns = 0;
};

/// Reads a square matrix. A file of coordinates that is not packed is parsed by all processes, each
/// a part of it, and entries go to those that have their rows; what is packed, a pipe, an array and
/// what has AmgX's sections is parsed by process 0. Of a binary file each process reads its rows.
/// Collective. @throws CommandError on all processes for what `read_matrix` refuses.
MatrixShare read_matrix_share(const Communicator& processes, const MatrixRequest& request);

namespace detail {

/// The same for the kinds of files.
MatrixShare read_text_share(const Communicator& processes, const MatrixRequest& request);
MatrixShare read_binary_share(const Communicator& processes, const MatrixRequest& request);

/// Throws for a matrix that is not square.
void require_square(const std::string& path, std::int64_t rows, std::int64_t columns);

}  // namespace detail

}  // namespace tessera::app_mpi
