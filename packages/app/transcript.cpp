// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/transcript.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "app/exit_code.hpp"

namespace tessera::app {

namespace {

OutputError log_error(const OutputFile& file, int number) {
  return OutputError(fmt::format("{} {}: cannot be written: {}", file.option(), file.path(),
                                 std::strerror(number)));
}

}  // namespace

void Transcript::open_log(const std::string& path, const std::vector<InputName>& others) {
  if (path.empty()) return;
  OutputFile file("--log", path);
  check_distinct(others, {file});
  m_log.reset(std::fopen(file.path().c_str(), file.is_stream() ? "a" : "w"));
  if (!m_log) throw log_error(file, errno);
  m_file.emplace(std::move(file));
}

void Transcript::show(const std::string& text) {
  // Before it is printed: where standard output fails, the log still has the text.
  keep(text);
  if (m_printed) fmt::print("{}", text);
}

void Transcript::keep(const std::string& text) noexcept {
  if (!m_log || m_error != 0) return;
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), m_log.get()) == text.size();
  if (whole && std::fflush(m_log.get()) == 0) return;
  m_error = errno != 0 ? errno : EIO;
}

void Transcript::finish() const {
  if (m_file && m_error != 0) throw log_error(*m_file, m_error);
}

}  // namespace tessera::app
