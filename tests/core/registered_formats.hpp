// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Formats as a program registers them.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"

#include "tessera/matrix/register_format.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <concepts>
#include <memory>

namespace tessera::test {

/// Compressed rows under another name.
template <class Scalar, class Space, class Offset>
class CopiedRows : public StoredCsr<Scalar, Space, Offset> {
 public:
  using StoredCsr<Scalar, Space, Offset>::StoredCsr;
  StorageInfo info() const override {
    auto info = StoredCsr<Scalar, Space, Offset>::info();
    info.format = "copied";
    return info;
  }
  bool write_rows(kernels::Step<Scalar>&) const override { return false; }
};

/// Copies A, as a factory must; for matrices of one scalar where `Only` is one.
template <class Only = void>
struct Copy {
  template <class Scalar, class Space, class Offset>
    requires(std::same_as<Only, void> || std::same_as<Only, Scalar>)
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) const {
    return std::make_shared<CopiedRows<Scalar, Space, Offset>>(exec, copy_of(exec, A));
  }
};

struct MakeNothing {
  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&) const {
    return nullptr;
  }
};

struct MakeEmpty {
  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&) const {
    return std::make_shared<StoredCsr<Scalar, Space, Offset>>();
  }
};

/// "copied", registered once in a program.
inline StorageFormat copied_format() {
  static const StorageFormat format = register_format("copied", "a copy of the rows", Copy<>());
  return format;
}

}  // namespace tessera::test
