// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/matrix_market.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tessera/io/detail/entry_values.hpp"
#include "tessera/io/detail/load.hpp"
#include "tessera/io/detail/matrix_text.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

namespace detail {

template <class Scalar, class Space>
std::optional<MultiVector<Scalar, Space>> to_multivector(const Space& exec,
                                                         const std::vector<double>& values) {
  Staging<Scalar, Space> staging(exec, "tessera::io::vector", values.size());
  std::transform(values.begin(), values.end(), staging.host(),
                 [](double value) { return static_cast<Scalar>(value); });
  const Array<Scalar, Space> column = staging.take(values.size());
  auto result = allocate_multivector<Scalar>(exec, "tessera::io::vector", values.size());
  Kokkos::deep_copy(exec, Kokkos::subview(result, Kokkos::ALL, 0), column);
  exec.fence("tessera::io: a vector is read");
  return result;
}

/// Throws where the offsets or the machine cannot hold the matrix; before any of it is allocated.
template <class Scalar, class Offset>
void check_capacity(const std::string& name, std::int64_t num_rows, std::size_t num_entries) {
  if (num_entries > static_cast<std::size_t>(std::numeric_limits<Offset>::max())) {
    throw Error(ErrorKind::precondition, name + ": " + std::to_string(num_entries) +
                                             " entries need 64-bit offsets; 32-bit were asked for");
  }
  const std::size_t bytes = (static_cast<std::size_t>(num_rows) + 1) * sizeof(Offset) +
                            num_entries * (sizeof(Scalar) + sizeof(Ordinal));
  if (bytes > physical_memory()) {
    throw Error(ErrorKind::out_of_memory,
                name + ": the matrix takes " + std::to_string(bytes) +
                    " bytes, more than the memory that this process may use");
  }
}

/// Room for the entries that the parser lists.
template <class Scalar, class Space>
struct ListedEntries {
  ListedEntries(const Space& exec, std::size_t room)
      : rows(exec, "tessera::io::rows", room),
        columns(exec, "tessera::io::columns", room),
        values(exec, "tessera::io::values", room) {}

  Staging<Ordinal, Space> rows;
  Staging<Ordinal, Space> columns;
  Staging<Scalar, Space> values;
};

/// Compressed rows from listed entries.
template <class Scalar, class Offset, class Space>
class Assembly {
 public:
  Assembly(const Space& exec, const MatrixText& text, const std::string& name,
           Duplicates duplicates)
      : m_exec(exec), m_text(text), m_name(name), m_duplicates(duplicates) {}

  kernels::Csr<Scalar, Space, Offset> run(const Array<Ordinal, Space>& rows,
                                          const Array<Ordinal, Space>& columns,
                                          const Array<Scalar, Space>& values) const {
    const MatrixMarketHeader& header = m_text.header();
    const EntryList<Space> entries{static_cast<Ordinal>(header.num_rows), rows, columns,
                                   header.symmetry != MatrixSymmetry::general};
    const std::size_t size = expanded_size(m_exec, entries);
    check_capacity<Scalar, Offset>(m_name, header.num_rows, size);
    kernels::Csr<Scalar, Space, Offset> A;
    A.num_rows = entries.num_rows;
    A.num_cols = static_cast<Ordinal>(header.num_cols);
    if (is_sorted(m_exec, entries)) {
      A.offsets = row_offsets<Space, Offset>(m_exec, entries);
      A.columns = columns;
      A.values = values;
    } else {
      sort_into(A, entries, size, values);
    }
    m_exec.fence("tessera::io: the matrix is assembled");
    return A;
  }

 private:
  void sort_into(kernels::Csr<Scalar, Space, Offset>& A, const EntryList<Space>& entries,
                 std::size_t size, const Array<Scalar, Space>& listed) const {
    const bool skew = m_text.header().symmetry == MatrixSymmetry::skew_symmetric;
    auto sorted = sort_entries<Space, Offset>(m_exec, entries, size);
    const auto duplicate = find_duplicate(m_exec, sorted);
    if (duplicate && m_duplicates == Duplicates::error) fail(*duplicate);
    A.values =
        gather_values<Scalar, Space, Offset>(m_exec, sorted, listed, skew ? Scalar(-1) : Scalar(1));
    if (duplicate) sum_duplicates(m_exec, sorted, A.values);
    A.offsets = sorted.offsets;
    A.columns = sorted.columns;
  }

  [[noreturn]] void fail(std::size_t entry) const {
    m_text.fail_at_entry(entry,
                         "this entry's place in the matrix is taken by an earlier entry; "
                         "duplicates may be summed, but that has to be asked for");
  }

  const Space& m_exec;
  const MatrixText& m_text;
  const std::string& m_name;
  Duplicates m_duplicates;
};

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> load_matrix_market(const Space& exec, const FileBytes& bytes,
                                                     const std::string& name,
                                                     const ReadOptions& options) {
  const Text text = bytes.text(name);
  MatrixText matrix(text, host_threads(exec, options.threads), options.progress);
  MatrixFile<Scalar, Space, Offset> file;
  file.header = matrix.header();
  check_capacity<Scalar, Offset>(name, file.header.num_rows, matrix.max_entries());
  const std::size_t room = matrix.max_entries();
  auto listed = with_memory_errors(name, file.header,
                                   [&] { return ListedEntries<Scalar, Space>(exec, room); });
  const std::size_t size =
      matrix.parse_entries(listed.rows.host(), listed.columns.host(), listed.values.host());
  return with_memory_errors(name, file.header, [&] {
    file.A = Assembly<Scalar, Offset, Space>(exec, matrix, name, options.duplicates)
                 .run(listed.rows.take(size), listed.columns.take(size), listed.values.take(size));
    if (file.header.has_rhs) file.rhs = to_multivector<Scalar>(exec, matrix.take_rhs());
    if (file.header.has_solution) {
      file.solution = to_multivector<Scalar>(exec, matrix.take_solution());
    }
    return file;
  });
}

}  // namespace detail

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> read_matrix_market(const Space& exec,
                                                     const std::filesystem::path& path,
                                                     const ReadOptions& options) {
  const detail::FileBytes bytes = detail::load_unpacked(
      path, detail::host_threads(exec, options.threads),
      [&](const auto& start) { detail::check_matrix_start(path.string(), start); });
  return detail::load_matrix_market<Scalar, Offset>(exec, bytes, path.string(), options);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                \
  TESSERA_INSTANTIATE_FUNCTION(detail::load_matrix_market, Scalar, Offset, Space) \
  TESSERA_INSTANTIATE_FUNCTION(read_matrix_market, Scalar, Offset, Space)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
