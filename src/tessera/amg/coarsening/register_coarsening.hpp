// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsenings that a program adds to the library, by name.
///
/// @code
/// struct MakeMine {
///   template <class Scalar, class Space, class Offset>
///   std::unique_ptr<tessera::amg::Coarsening<Scalar, Space, Offset>> operator()(
///       const tessera::amg::FineLevel<Scalar, Space, Offset>& fine,
///       const MyParameters& parameters) const;
/// };
/// tessera::amg::register_coarsening("mine", "what it does", MyParameters{}, MakeMine{});
/// @endcode
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/described_values.hpp"
#include "tessera/operator/functions_by_type.hpp"
#include "tessera/operator/registry.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace tessera::amg {

/// Makes a coarsening for one type of matrix from the values of its parameters.
template <class Scalar, class Space, class Offset>
using CoarseningFactory = std::unique_ptr<Coarsening<Scalar, Space, Offset>>(
    const FineLevel<Scalar, Space, Offset>& fine, const std::vector<DescribedValue>& values);

/// What the library keeps of a registered coarsening.
struct RegisteredCoarsening {
  std::vector<DescribedMember> members;  ///< of its parameters
  const std::type_info* parameters = nullptr;  ///< their type
  FunctionsByType factories;
};

using CoarseningRegistry = Registry<CoarseningKind, RegisteredCoarsening>;

/// The one of the program.
CoarseningRegistry& coarsening_registry();

/// Of a coarsening without parameters.
struct NoParameters {};

template <class Visitor>
void describe_parameters(Visitor&, NoParameters&) {}

namespace detail {

/// Adds the factory for one type of matrix where it takes that type.
template <class Scalar, class Space, class Offset, class Own, class Factory>
void add_coarsening_factory(FunctionsByType& factories, const Own& defaults,
                            const Factory& factory) {
  using Fine = FineLevel<Scalar, Space, Offset>;
  using Made = std::unique_ptr<Coarsening<Scalar, Space, Offset>>;
  using Function = CoarseningFactory<Scalar, Space, Offset>;
  const std::string types = matrix_type_text<Scalar, Space, Offset>();
  if constexpr (std::is_invocable_r_v<Made, const Factory&, const Fine&, const Own&>) {
    factories.add<Function>(
        [defaults, factory](const Fine& fine, const std::vector<DescribedValue>& values) -> Made {
          return factory(fine, with_values(defaults, values));
        },
        types);
  } else if constexpr (std::is_same_v<Own, NoParameters> &&
                       std::is_invocable_r_v<Made, const Factory&, const Fine&>) {
    factories.add<Function>(
        [factory](const Fine& fine, const std::vector<DescribedValue>&) -> Made {
          return factory(fine);
        },
        types);
  }
}

/// Refuses a coarsening that has no factory, or a name that its parameters cannot have.
CoarseningKind add_coarsening(std::string_view name, std::string_view text,
                              RegisteredCoarsening coarsening);

}  // namespace detail

/// Adds a coarsening to those that parameters name, for the whole program and until it ends:
/// `amg.coarsening` and the `coarsening.type` of every level take `name` from now on, in JSON and
/// in text, and lists and errors have it with `text`. To be called before parameters are read or
/// described: what described them before does not know the name. Any thread may call it.
///
/// `defaults` is an aggregate with a description (operator/parameter_description.hpp) of members of
/// the types bool, int, double and enumerations; `text` and the texts of an enumeration's names are
/// kept. Its members are parameters of the section `amg.<name>`, and for one level of
/// `amg.levels.*.coarsening.<name>`; `RegisteredParameters::set` sets them in C++.
///
/// `factory` is called as `factory(fine, parameters)` for each level that is coarsened so, with the
/// parameters of the level, for those scalars, spaces and widths of offsets
/// (TESSERA_FOR_EACH_MATRIX) that it can be called for: a template takes all that its parameters
/// match, a lambda of concrete types one. Where parameters name the coarsening for a matrix of
/// another type the setup throws. It is called from several threads at a time where setups are; the
/// object that it makes is one level's, and lives as long as that may get new values.
///
/// What the object makes is checked before it is used (`CheckedCoarsening`). It may leave the
/// products to the library: where `initialize` has not called `product.make`, the library does, for
/// its P and its R or the transpose of P, and where `compute` has not called `product.remake`, the
/// library does that.
///
/// Levels that are distributed over processes are not coarsened so: an error says so.
/// @throws Error of kind `precondition` for a name that is taken, by a coarsening or by another
/// parameter of multigrid, or is not of letters, digits and underscores, and where `factory` can be
/// called for no type of matrix
template <class Own, class Factory>
CoarseningKind register_coarsening(std::string_view name, std::string_view text,
                                   const Own& defaults, const Factory& factory) {
  RegisteredCoarsening made;
  made.members = described_members(defaults);
  made.parameters = &typeid(Own);
#define TESSERA_ADD_FACTORY(Scalar, Space, Offset) \
  detail::add_coarsening_factory<Scalar, Space, Offset>(made.factories, defaults, factory);
  TESSERA_FOR_EACH_MATRIX(TESSERA_ADD_FACTORY)
#undef TESSERA_ADD_FACTORY
  return detail::add_coarsening(name, text, std::move(made));
}

/// The same without parameters: `factory(fine)`.
template <class Factory>
CoarseningKind register_coarsening(std::string_view name, std::string_view text,
                                   const Factory& factory) {
  return register_coarsening(name, text, NoParameters{}, factory);
}

/// The registered coarsening of `kind` for a level, with its checks.
/// @throws Error of kind `configuration` where none is registered, or none for this type of matrix;
/// of kind `precondition` where its factory returns none; with the coarsening's name and the
/// level's number for what its factory throws
template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_registered_coarsening(
    const FineLevel<Scalar, Space, Offset>& fine, CoarseningKind kind,
    const RegisteredParameters& parameters);

}  // namespace tessera::amg
