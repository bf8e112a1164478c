// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/output_file.hpp"

#include <fmt/format.h>

#include <exception>

#include "app/exit_code.hpp"

namespace tessera::app {

OutputFile::OutputFile(std::string option, std::string path)
    : m_option(std::move(option)), m_path(path == "-" ? "/dev/stdout" : std::move(path)) {
  guarded([this] { check_writable(m_path); });
  m_is_stream = is_written_directly(m_path);
}

void OutputFile::guarded(const std::function<void()>& write) const {
  try {
    write();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) throw;
    throw OutputError(fmt::format("{} {}", m_option, error.what()));
  }
}

void write_each(std::initializer_list<std::function<void()>> writes) {
  std::exception_ptr first;
  for (const auto& write : writes) {
    try {
      write();
    } catch (const OutputError&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tessera::app
