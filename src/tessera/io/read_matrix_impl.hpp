// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/load.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/io/matrix_file.hpp"

namespace tessera {

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> read_matrix(const Space& exec, const std::filesystem::path& path,
                                              const ReadOptions& options) {
  const detail::FileBytes bytes =
      detail::load_unpacked(path, detail::host_threads(exec, options.threads));
  if (detail::is_binary(bytes)) {
    return detail::load_binary<Scalar, Offset>(exec, bytes, path.string(), options);
  }
  return detail::load_matrix_market<Scalar, Offset>(exec, bytes, path.string(), options);
}

}  // namespace tessera
