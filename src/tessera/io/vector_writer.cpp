// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/vector_writer.hpp"

#include <string>

#include "tessera/io/detail/format_text.hpp"

namespace tessera {

class VectorWriter::Impl {
 public:
  explicit Impl(const std::filesystem::path& path) : file(path) {}
  detail::OutputFile file;
};

VectorWriter::VectorWriter(const std::filesystem::path& path, std::int64_t num_rows,
                           std::size_t num_cols)
    : m_impl(std::make_unique<Impl>(path)) {
  m_impl->file.write("%%MatrixMarket matrix array real general\n" + std::to_string(num_rows) + " " +
                     std::to_string(num_cols) + "\n");
}
VectorWriter::~VectorWriter() = default;

void VectorWriter::write(const double* values, std::size_t count) {
  detail::write_values(m_impl->file, values, count, 1);
}
void VectorWriter::commit() { m_impl->file.commit(); }

}  // namespace tessera
