// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is wrong with a matrix in a format that cannot hold it.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/format/storage_format.hpp"

#include <string>

namespace tessera {

/// Of kind `configuration`. `what()` names the setting that asked for the format, the matrix, the
/// reason, and what to set instead.
class UnsuitedFormat : public Error {
 public:
  UnsuitedFormat(StorageFormat format, const std::string& reason,
                 const std::string& setting = "storage.format",
                 const std::string& matrix = "the matrix");

  /// The same error of a setting and a matrix that the caller knows.
  UnsuitedFormat of(const std::string& setting, const std::string& matrix) const {
    return {m_format, m_reason, setting, matrix};
  }
  StorageFormat format() const noexcept { return m_format; }

 private:
  StorageFormat m_format;
  std::string m_reason;
};

/// What `convert` returns. Its Error of kind `precondition`, by which a conversion refuses a
/// matrix, leaves as an `UnsuitedFormat`; an `OffsetOverflow` leaves as it is, for setup goes on
/// with longer offsets then.
template <class Convert>
auto or_unsuited(StorageFormat format, const Convert& convert) {
  try {
    return convert();
  } catch (const OffsetOverflow&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    throw UnsuitedFormat(format, error.what());
  }
}

}  // namespace tessera
