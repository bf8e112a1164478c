// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The names of the storage formats, the library's and registered ones.
#include "tessera/kernels/spmv/storage_formats.hpp"
#include "tessera/matrix/register_format.hpp"
#include "tessera/matrix/storage_parameters.hpp"
#include "tessera/matrix/unsuited_format.hpp"

#include <array>

namespace tessera {
namespace {

constexpr auto list_formats() {
  std::array<EnumName<StorageFormat>, 2 + kernels::count_formats()> names{};
  names[0] = {StorageFormat::automatic, "auto",
              "mbsr where the setup has made tiles of it, else csr"};
  names[1] = {StorageFormat::least_bytes, "least_bytes",
              "what moves the fewest bytes, within limits"};
  std::size_t i = 2;
  kernels::for_each_format(
      [&]<class Format>() { names[i++] = {Format::value, Format::name, Format::text}; });
  return names;
}

constexpr auto built_in_formats = list_formats();

}  // namespace

namespace detail {

Registry<StorageFormat, FunctionsByType>& format_registry() {
  static Registry<StorageFormat, FunctionsByType> registry("storage format", built_in_formats);
  return registry;
}

void refuse_format(StorageFormat format, const std::string& types) {
  const FunctionsByType* const factories = format_registry().find(format);
  if (factories == nullptr)
    throw Error(
        ErrorKind::configuration,
        "the storage format " + std::to_string(static_cast<int>(format)) + " is not registered");
  throw Error(ErrorKind::configuration, "the storage format " +
                                            std::string(format_registry().name(format)) +
                                            " cannot hold a matrix of " + types +
                                            "; it was registered for " + factories->types());
}

void check_made(StorageFormat format, bool is_made, Ordinal rows, Ordinal columns,
                Ordinal expected_rows, Ordinal expected_columns) {
  if (is_made && rows == expected_rows && columns == expected_columns) return;
  const auto shape = [](Ordinal m, Ordinal n) {
    return std::to_string(m) + " by " + std::to_string(n);
  };
  throw Error(ErrorKind::precondition,
              "the factory of the storage format " + std::string(format_registry().name(format)) +
                  " has made " +
                  (is_made ? "an operator of " + shape(rows, columns) : std::string("nothing")) +
                  " of a matrix of " + shape(expected_rows, expected_columns));
}

}  // namespace detail

UnsuitedFormat::UnsuitedFormat(StorageFormat format, const std::string& reason,
                               const std::string& setting, const std::string& matrix)
    : Error(ErrorKind::configuration,
            setting + " = " + std::string(detail::format_registry().name(format)) +
                " cannot hold " + matrix + ": " + reason + "; use auto or another format"),
      m_format(format),
      m_reason(reason) {}

EnumNames<StorageFormat> storage_format_names() { return detail::format_registry().names(); }

}  // namespace tessera
