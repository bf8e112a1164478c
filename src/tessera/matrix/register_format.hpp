// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Storage formats that a program adds.
///
/// @code
/// struct MakeDiagonals {
///   template <class Scalar, class Space, class Offset>
///   std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
///       const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) const;
/// };
/// register_format("dia", "diagonals, for banded matrices", MakeDiagonals());
/// parameters.amg.storage.format = ...  // what register_format returned, or "dia" by name
/// @endcode
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/storage_format.hpp"
#include "tessera/matrix/unsuited_format.hpp"
#include "tessera/operator/functions_by_type.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera {

/// What makes an operator of A's entries. It copies what it needs: A's arrays may be freed, or get
/// other values, as soon as it returns; new values are a call of their own. Work is queued on
/// `exec`, in whose memory A lies.
template <class Scalar, class Space, class Offset>
using FormatFactory = std::shared_ptr<const SparseOperator<Scalar, Space>>(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

namespace detail {

/// The factories of each registered format.
Registry<StorageFormat, FunctionsByType>& format_registry();

template <class Scalar, class Space, class Offset>
std::string type_name() {
  return std::string(sizeof(Scalar) == sizeof(double) ? "double" : "float") + " on " +
         Space::name() + " with " + std::to_string(8 * sizeof(Offset)) + "-bit offsets";
}

template <class Scalar, class Space, class Offset, class Factory>
void add_factory(FunctionsByType& factories, const Factory& factory) {
  using Made = std::shared_ptr<const SparseOperator<Scalar, Space>>;
  using View = kernels::CsrView<Scalar, Space, Offset>;
  if constexpr (std::is_invocable_r_v<Made, const Factory&, const Space&, const View&>) {
    factories.add(std::function<FormatFactory<Scalar, Space, Offset>>(factory),
                  type_name<Scalar, Space, Offset>());
  }
}

}  // namespace detail

/// Adds a storage format, for the whole program and until it ends: from now on the parameters that
/// name a format take `name`, and `text` stands beside it in help and schema. `factory` is called
/// as a FormatFactory, for each scalar, space and offset of the library for which it can be; a
/// matrix of other types cannot be stored so. The matrix is stored in the scalar of its vectors.
/// Any thread may call it.
/// @throws Error of kind `precondition` for a name that is taken, or is not of letters, digits and
///         underscores, and where `factory` can be called for no type of matrix
template <class Factory>
StorageFormat register_format(std::string_view name, std::string_view text,
                              const Factory& factory) {
  FunctionsByType factories;
#define TESSERA_DETAIL_ADD_FACTORY(Scalar, Space, Offset) \
  detail::add_factory<Scalar, Space, Offset>(factories, factory);
  TESSERA_FOR_EACH_MATRIX(TESSERA_DETAIL_ADD_FACTORY)
#undef TESSERA_DETAIL_ADD_FACTORY
  require(!factories.empty(), [&] {
    return "the factory of the storage format " + std::string(name) +
           " can be called for no type of matrix; expected one that takes a space and a CsrView, "
           "and returns a std::shared_ptr to a SparseOperator";
  });
  return detail::format_registry().add(name, text, std::move(factories));
}

namespace detail {

/// Throws `Error` (configuration) with what to say of a format that cannot be had for `types`.
[[noreturn]] void refuse_format(StorageFormat format, const std::string& types);
/// Throws `Error` (precondition) unless what a factory made, if anything, has the matrix's shape.
void check_made(StorageFormat format, bool is_made, Ordinal rows, Ordinal columns,
                Ordinal expected_rows, Ordinal expected_columns);

/// A in a registered format.
/// @throws UnsuitedFormat where the factory throws an Error of kind `precondition`; Error where
///         there is none for A's types, or what it made is not of A's shape
template <class Scalar, class Space, class Offset>
std::shared_ptr<const SparseOperator<Scalar, Space>> make_registered(
    const Space& exec, StorageFormat format, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const FunctionsByType* const factories = format_registry().find(format);
  const auto* const factory =
      factories == nullptr ? nullptr
                           : factories->template find<FormatFactory<Scalar, Space, Offset>>();
  if (factory == nullptr) refuse_format(format, type_name<Scalar, Space, Offset>());
  auto made = or_unsuited(format, [&] { return (*factory)(exec, A); });
  const bool is_made = made != nullptr;
  check_made(format, is_made, is_made ? made->num_rows() : 0, is_made ? made->num_cols() : 0,
             A.num_rows, A.num_cols);
  return made;
}

}  // namespace detail
}  // namespace tessera
