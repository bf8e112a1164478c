// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/vector.hpp"

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/dense_text.hpp"
#include "tessera/io/detail/format_text.hpp"
#include "tessera/io/detail/load.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

template <class Scalar, class Space>
MultiVector<Scalar, Space> read_vector(const Space& exec, const std::filesystem::path& path,
                                       const ReadOptions& options) {
  const int threads = detail::host_threads(exec, options.threads);
  const detail::FileBytes bytes = detail::load_unpacked(path, threads);
  const std::string name = path.string();
  if (detail::is_binary(bytes)) {
    throw Error(ErrorKind::bad_input, name + ": it is a binary matrix; a vector was expected");
  }
  const auto columns =
      detail::parse_dense_columns<Scalar>(bytes.text(name), threads, detail::physical_memory() / 2);
  auto x =
      allocate_multivector<Scalar>(exec, "tessera::io::vector", columns.num_rows, columns.num_cols);
  Kokkos::deep_copy(exec, ArrayView<Scalar, Space>(x.data(), columns.values.size()),
                    detail::HostView<const Scalar>(columns.values.data(), columns.values.size()));
  exec.fence("tessera::io: a vector is read");
  if (options.progress) options.progress(bytes.size(), bytes.size());
  return x;
}

template <class Scalar, class Space>
void write_vector(const Space& exec, const std::filesystem::path& path,
                  const MultiVector<Scalar, Space>& x) {
  const std::vector<Scalar> host = detail::to_host<Scalar, Space>(exec, x);
  detail::OutputFile file(path);
  file.write("%%MatrixMarket matrix array real general\n" + std::to_string(x.extent(0)) + " " +
             std::to_string(x.extent(1)) + "\n");
  detail::write_values(file, host.data(), host.size(), detail::host_threads(exec, 0));
  file.commit();
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, read_vector)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, write_vector)

}  // namespace tessera
