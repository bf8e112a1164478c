// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothers that a program adds to the library, by name.
///
/// @code
/// struct MakeMine {
///   template <class Scalar, class Space, class Offset>
///   std::unique_ptr<tessera::Smoother<Scalar, Space>> operator()(
///       const Space& exec, const tessera::SmootherInputs<Scalar, Space, Offset>& inputs) const;
/// };
/// tessera::register_smoother("mine", "what it does", {.entries = true}, MakeMine{});
/// @endcode
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/functions_by_type.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tessera {

/// What a level has for the one who makes its smoother.
template <class Scalar, class Space, class Offset>
struct SmootherInputs {
  /// Those of the level. A smoother reads of them what it has a use for, such as `sweeps`.
  const SmootherParameters& parameters;
  /// The level's matrix in its format and storage, or the part of it on this process. To be shared.
  std::shared_ptr<const SparseOperator<Scalar, Space>> A;
  /// Of the same matrix in compressed rows, to be copied where they are read after the smoother is
  /// made. On several processes whole rows, without `square_matrix` in the needs: columns from
  /// `num_rows` on are unknowns of others. Read by those alone whose needs name them; empty
  /// elsewhere at times.
  kernels::CsrView<Scalar, Space, Offset> entries;
  /// 1 / A_ii, 0 where the diagonal is zero. To be shared.
  Array<const Scalar, Space> inverse_diagonal;
  /// That of D^-1 A, for those whose needs name it.
  double spectral_radius = 0;
};

/// Makes a smoother for one type of matrix. It is called for each level that has the smoother, and
/// again where the values of its matrix change. What it throws comes out of the setup.
template <class Scalar, class Space, class Offset>
using SmootherFactory = std::unique_ptr<Smoother<Scalar, Space>>(
    const Space& exec, const SmootherInputs<Scalar, Space, Offset>& inputs);

/// What the library keeps of a registered smoother.
struct RegisteredSmoother {
  SmootherNeeds needs;
  FunctionsByType factories;
};

using SmootherRegistry = Registry<SmootherType, RegisteredSmoother>;

/// The one of the program.
SmootherRegistry& smoother_registry();

namespace detail {

/// Adds the factory for one type of matrix where it takes that type.
template <class Scalar, class Space, class Offset, class Factory>
void add_smoother_factory(FunctionsByType& factories, const Factory& factory) {
  using Inputs = SmootherInputs<Scalar, Space, Offset>;
  using Made = std::unique_ptr<Smoother<Scalar, Space>>;
  if constexpr (std::is_invocable_r_v<Made, const Factory&, const Space&, const Inputs&>)
    factories.add<SmootherFactory<Scalar, Space, Offset>>(
        factory, matrix_type_text<Scalar, Space, Offset>());
}

}  // namespace detail

/// Adds a smoother to those that parameters name: `amg.smoother.type` takes `name` from now on, on
/// single levels as well, in JSON and in text, and lists and errors have it with `text`. To be
/// called before parameters are read or described; any thread may call it.
///
/// `factory` is called as `SmootherFactory` is, for those scalars, spaces and widths of offsets
/// (TESSERA_FOR_EACH_MATRIX) that it can be called for: a template takes all that its parameters
/// match, a lambda of concrete types one. It is called from several threads at a time where setups
/// are. Where parameters name the smoother for a matrix of another type the setup throws.
///
/// `needs`: what of `SmootherInputs` it reads. Over several processes each makes it for its own
/// rows, and its operator's products take in what others have; with `square_matrix` it is made for
/// the own block alone, as on one process, from the guess zero.
///
/// Under conjugate gradients it is to be symmetric for a symmetric matrix: its sweeps stand before
/// and after the coarse correction alike.
/// @throws Error of kind `precondition` for a name that is taken, or is not of letters, digits and
/// underscores
template <class Factory>
SmootherType register_smoother(std::string_view name, std::string_view text,
                               const SmootherNeeds& needs, const Factory& factory) {
  RegisteredSmoother made;
  made.needs = needs;
#define TESSERA_ADD_FACTORY(Scalar, Space, Offset) \
  detail::add_smoother_factory<Scalar, Space, Offset>(made.factories, factory);
  TESSERA_FOR_EACH_MATRIX(TESSERA_ADD_FACTORY)
#undef TESSERA_ADD_FACTORY
  require(!made.factories.empty(), [&] {
    return "a smoother cannot be registered as " + std::string(name) +
           ": its factory can be called for no type of matrix that the library has; expected "
           "std::unique_ptr<Smoother<Scalar, Space>>(const Space&, const SmootherInputs<Scalar, "
           "Space, Offset>&)";
  });
  return smoother_registry().add(name, text, std::move(made));
}

/// The registered smoother of `inputs.parameters.type`.
/// @throws Error of kind `configuration` where none is registered, or none for this type of matrix;
/// of kind `precondition` where its factory returns none
template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_registered_smoother(
    const Space& exec, const SmootherInputs<Scalar, Space, Offset>& inputs);

}  // namespace tessera
