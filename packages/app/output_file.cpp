// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

#include "app/exit_code.hpp"
#include "tessera/parameters/nearest_name.hpp"

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

namespace {

/// True for two names of one file that is there.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

/// True for two names of one file that both would write.
bool same_place(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (same_file(a, b)) return true;
  const auto first = std::filesystem::weakly_canonical(std::filesystem::absolute(a), ignored);
  const auto second = std::filesystem::weakly_canonical(std::filesystem::absolute(b), ignored);
  return !first.empty() && first == second;
}

}  // namespace

void check_distinct(const std::vector<InputName>& inputs, const std::vector<OutputFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputFile& output = outputs[i];
    if (output.is_stream()) continue;
    for (const InputName& input : inputs) {
      if (input.path.empty() || !same_file(input.path, output.path())) continue;
      throw UsageError(fmt::format("{} {}: it would overwrite {} ({}); name another file",
                                   output.option(), output.path(), input.what, input.path));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].is_stream() || !same_place(outputs[j].path(), output.path())) continue;
      throw UsageError(fmt::format("{} {}: {} writes to the same file; name another one",
                                   output.option(), output.path(), outputs[j].option()));
    }
  }
}

void check_ending(const OutputFile& output, const std::vector<std::string>& endings) {
  const bool known = std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
    return output.path().ends_with(ending);
  });
  if (known || output.is_stream()) return;
  throw UsageError(fmt::format("{} {}: the name's end says what is written; it must be one of: {}",
                               output.option(), output.path(), parameters::join_names(endings)));
}

const std::vector<std::string>& vector_endings() {
  static const std::vector<std::string> endings{".mtx", ".mtx.gz"};
  return endings;
}

const std::vector<std::string>& matrix_endings() {
  static const std::vector<std::string> endings{".mtx", ".mtx.gz", ".tsr"};
  return endings;
}

}  // namespace tessera::app
