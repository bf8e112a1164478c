// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/binary.hpp"

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/load.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

namespace detail {

template <class To, class From, class Space>
struct ConvertValues {
  Array<To, Space> to;
  Array<From, Space> from;

  KOKKOS_FUNCTION void operator()(std::size_t i) const { to(i) = static_cast<To>(from(i)); }
};

template <class Offset, class Space>
struct CountBadOffsets {
  Array<Offset, Space> offsets;
  Offset num_entries;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& bad) const {
    const Offset lower = i == 0 ? Offset(0) : offsets(i - 1);
    const bool first = i != 0 || offsets(0) == 0;
    const bool last = i + 1 != offsets.extent(0) || offsets(i) == num_entries;
    bad += first && last && offsets(i) >= lower && offsets(i) <= num_entries ? 0 : 1;
  }
};

template <class Space>
struct CountBadColumns {
  Array<Ordinal, Space> columns;
  Ordinal num_cols;

  KOKKOS_FUNCTION void operator()(std::size_t k, std::size_t& bad) const {
    bad += columns(k) >= 0 && columns(k) < num_cols ? 0 : 1;
  }
};

template <class Scalar, class Space>
struct CountNotFinite {
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(std::size_t k, std::size_t& bad) const {
    bad += Kokkos::isfinite(values(k)) ? 0 : 1;
  }
};

/// Reads the sections of a binary file whose checksums are right, and checks what they say.
template <class Space>
class SectionReader {
 public:
  SectionReader(const Space& exec, const FileBytes& bytes, const std::string& name,
                const BinaryHeader& header)
      : m_exec(exec),
        m_bytes(bytes),
        m_name(name),
        m_header(header),
        m_sections(locate_sections(header)) {}

  template <class Offset>
  Array<Offset, Space> offsets() const {
    return m_header.offset_width == 4 ? offsets_as<Offset, std::int32_t>()
                                      : offsets_as<Offset, std::int64_t>();
  }

  Array<Ordinal, Space> columns() const {
    const auto columns = copy<Ordinal>(BinarySection::columns);
    check(CountBadColumns<Space>{columns, static_cast<Ordinal>(m_header.num_cols)},
          columns.extent(0), "column numbers that lie outside the matrix");
    return columns;
  }

  template <class Scalar>
  Array<Scalar, Space> values(BinarySection section) const {
    const Array<Scalar, Space> values = m_header.scalar_width == 4
                                            ? convert<Scalar>(copy<float>(section))
                                            : convert<Scalar>(copy<double>(section));
    check(CountNotFinite<Scalar, Space>{values}, values.extent(0),
          "values that are not finite numbers in the precision asked for");
    return values;
  }

  template <class Scalar>
  std::optional<MultiVector<Scalar, Space>> vectors(BinarySection section, std::int64_t rows,
                                                    std::size_t k) const {
    if (k == 0) return std::nullopt;
    const Array<Scalar, Space> flat = values<Scalar>(section);
    auto result = allocate_multivector<Scalar>(m_exec, "tessera::io::vector",
                                               static_cast<std::size_t>(rows), k);
    Kokkos::deep_copy(m_exec, ArrayView<Scalar, Space>(result.data(), flat.extent(0)), flat);
    m_exec.fence("tessera::io: a vector is read");  // before `flat` goes
    return result;
  }

 private:
  template <class T>
  Array<T, Space> copy(BinarySection section) const {
    const auto s = static_cast<std::size_t>(section);
    const std::size_t size = m_sections.size[s] / sizeof(T);
    const auto* data = reinterpret_cast<const T*>(m_bytes.data() + m_sections.begin[s]);
    const auto result = allocate<T>(m_exec, "tessera::io::section", size);
    Kokkos::deep_copy(m_exec, result, HostView<const T>(data, size));
    return result;
  }

  template <class To, class From>
  Array<To, Space> convert(const Array<From, Space>& from) const {
    if constexpr (std::is_same_v<To, From>) {
      return from;
    } else {
      const auto to = allocate<To>(m_exec, "tessera::io::section", from.extent(0));
      Kokkos::parallel_for(
          "tessera::io::convert",
          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(m_exec, 0, from.extent(0)),
          ConvertValues<To, From, Space>{to, from});
      m_exec.fence("tessera::io: values are converted");  // before `from` goes
      return to;
    }
  }

  template <class Offset, class Stored>
  Array<Offset, Space> offsets_as() const {
    const auto stored = copy<Stored>(BinarySection::offsets);
    check(CountBadOffsets<Stored, Space>{stored, static_cast<Stored>(m_header.num_entries)},
          stored.extent(0), "row offsets that do not ascend from 0 to the number of entries");
    return convert<Offset>(stored);
  }

  template <class Functor>
  void check(const Functor& count_bad, std::size_t size, const char* what) const {
    std::size_t bad = 0;
    Kokkos::parallel_reduce(
        "tessera::io::check_section",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(m_exec, 0, size), count_bad,
        bad);
    if (bad > 0) {
      throw Error(ErrorKind::bad_input, m_name + ": it has " + std::to_string(bad) + " " + what);
    }
  }

  const Space& m_exec;
  const FileBytes& m_bytes;
  const std::string& m_name;
  const BinaryHeader& m_header;
  BinarySections m_sections;
};

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> load_binary(const Space& exec, const FileBytes& bytes,
                                              const std::string& name, const ReadOptions& options) {
  if (!is_binary(bytes)) {
    throw Error(ErrorKind::bad_input, name + ": it is not a binary matrix of Tessera");
  }
  const BinaryHeader header = read_binary_header(bytes, name);
  check_sections(bytes, name, header, host_threads(exec, options.threads));
  if (header.num_entries > std::numeric_limits<Offset>::max()) {
    throw Error(ErrorKind::precondition, name + ": " + std::to_string(header.num_entries) +
                                             " entries need 64-bit offsets; 32-bit were asked for");
  }
  MatrixFile<Scalar, Space, Offset> file;
  file.header = parse_binary_header(bytes, name);
  with_memory_errors(name, file.header, [&] {
    const SectionReader<Space> reader(exec, bytes, name, header);
    file.A.num_rows = static_cast<Ordinal>(header.num_rows);
    file.A.num_cols = static_cast<Ordinal>(header.num_cols);
    file.A.offsets = reader.template offsets<Offset>();
    file.A.columns = reader.columns();
    file.A.values = reader.template values<Scalar>(BinarySection::values);
    file.rhs =
        reader.template vectors<Scalar>(BinarySection::rhs, header.num_rows, header.rhs_columns);
    file.solution = reader.template vectors<Scalar>(BinarySection::solution, header.num_cols,
                                                    header.solution_columns);
    exec.fence("tessera::io: the matrix is read");
  });
  if (options.progress) options.progress(bytes.size(), bytes.size());
  return file;
}

}  // namespace detail

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> read_binary(const Space& exec, const std::filesystem::path& path,
                                              const ReadOptions& options) {
  const detail::FileBytes bytes =
      detail::load_unpacked(path, detail::host_threads(exec, options.threads));
  return detail::load_binary<Scalar, Offset>(exec, bytes, path.string(), options);
}

template <class Scalar, class Space, class Offset>
void write_binary(const Space& exec, const std::filesystem::path& path,
                  const kernels::Csr<Scalar, Space, Offset>& A,
                  const std::optional<MultiVector<Scalar, Space>>& rhs,
                  const std::optional<MultiVector<Scalar, Space>>& solution) {
  const auto fits = [](const auto& x, Ordinal rows) {
    return !x || x->extent(0) == static_cast<std::size_t>(rows);
  };
  require(fits(rhs, A.num_rows) && fits(solution, A.num_cols),
          [] { return std::string("rhs must have num_rows rows and solution num_cols rows"); });
  require(A.offsets.extent(0) == static_cast<std::size_t>(A.num_rows) + 1,
          [] { return std::string("A.offsets must have num_rows + 1 elements"); });
  const detail::HostCopy<Offset, Space> offsets(exec, A.offsets);
  const detail::HostCopy<Ordinal, Space> columns(exec, A.columns);
  const detail::HostCopy<Scalar, Space> values(exec, A.values);
  const auto to_host = [&exec](const auto& x) {
    return x ? detail::to_host<Scalar, Space>(exec, *x) : std::vector<Scalar>();
  };
  const std::vector<Scalar> b = to_host(rhs);
  const std::vector<Scalar> x = to_host(solution);
  detail::BinaryHeader header =
      detail::make_binary_header(sizeof(Scalar), sizeof(Offset), A.num_rows, A.num_cols,
                                 static_cast<std::int64_t>(A.num_entries()),
                                 rhs ? rhs->extent(1) : 0, solution ? solution->extent(1) : 0);
  detail::write_sections(path, header,
                         {offsets.data(), columns.data(), values.data(), b.data(), x.data()},
                         detail::host_threads(exec, 0));
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                         \
  TESSERA_INSTANTIATE_FUNCTION(detail::load_binary, Scalar, Offset, Space) \
  TESSERA_INSTANTIATE_FUNCTION(read_binary, Scalar, Offset, Space)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, write_binary)

}  // namespace tessera
