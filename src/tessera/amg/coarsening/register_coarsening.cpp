// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/register_coarsening.hpp"

#include "tessera/amg/coarsening/checked_coarsening.hpp"

#include <algorithm>

namespace tessera::amg {
namespace detail {

/// The parameters beside which a coarsening's section lies, those of `amg` and of the coarsening of
/// a level. A test compares them with the description, which is of a layer above.
constexpr std::string_view taken_sections[] = {
    "coarsening",     "symmetry", "spectral_radius", "spectral_radius_steps",   "max_levels",
    "coarse_size",    "products", "max_dense_size",  "max_operator_complexity", "coarse_sweeps",
    "cycle",          "reuse",    "pool_memory",     "max_coarsening_ratio",    "storage",
    "measure_phases", "smoother", "levels",          "scale_restriction",       "type",
    "measure_memory"};

CoarseningKind add_coarsening(std::string_view name, std::string_view text,
                              RegisteredCoarsening coarsening) {
  require(!coarsening.factories.empty(), [&] {
    return "a coarsening cannot be registered as " + std::string(name) +
           ": its factory can be called for no type of matrix that the library has; expected "
           "std::unique_ptr<amg::Coarsening<Scalar, Space, Offset>>(const amg::FineLevel<Scalar, "
           "Space, Offset>&, const Parameters&)";
  });
  require(std::find(std::begin(taken_sections), std::end(taken_sections), name) ==
              std::end(taken_sections),
          [&] {
            return "a coarsening cannot be registered as " + std::string(name) +
                   ": that name is another parameter of multigrid";
          });
  return coarsening_registry().add(name, text, std::move(coarsening));
}

/// The one of `kind`.
const RegisteredCoarsening& registered(CoarseningKind kind) {
  const RegisteredCoarsening* const known = coarsening_registry().find(kind);
  if (known == nullptr)
    throw Error(ErrorKind::configuration,
                "no coarsening is registered as number " + std::to_string(static_cast<int>(kind)));
  return *known;
}

}  // namespace detail

CoarseningRegistry& coarsening_registry() {
  static CoarseningRegistry registry("coarsening", own_coarsening_names);
  return registry;
}

EnumNames<CoarseningKind> all_coarsening_names() {
  return coarsening_registry().names(coarsening_names);
}

EnumNames<CoarseningKind> all_level_coarsening_names() {
  return coarsening_registry().names(level_coarsening_names);
}

std::string coarsening_name(CoarseningKind kind) {
  return std::string(coarsening_registry().name(kind));
}

RegisteredParameters& RegisteredParameters::operator=(const RegisteredParameters& other) {
  if (this == &other) return *this;
  for (auto& [kind, values] : m_values) {
    const Values taken = other.values(kind);
    std::copy(taken.begin(), taken.end(), values.begin());
  }
  for (const auto& [kind, values] : other.m_values)
    m_values.try_emplace(kind, values);
  return *this;
}

auto RegisteredParameters::values(CoarseningKind kind) const -> Values {
  const auto found = m_values.find(kind);
  return found != m_values.end() ? found->second : initial_values(detail::registered(kind).members);
}

auto RegisteredParameters::stored(CoarseningKind kind) -> Values& {
  return m_values.try_emplace(kind, values(kind)).first->second;
}

void RegisteredParameters::set_values(CoarseningKind kind, const Values& values) {
  std::copy(values.begin(), values.end(), stored(kind).begin());
}

auto RegisteredParameters::all_registered() -> std::vector<Registered> {
  std::vector<Registered> all;
  for (const auto& known : coarsening_registry().names()) {
    if (!is_registered(known.value)) continue;
    all.push_back({known.value, known.name, known.text, &detail::registered(known.value).members});
  }
  return all;
}

void RegisteredParameters::require_type(CoarseningKind kind, const std::type_info& type) {
  require(*detail::registered(kind).parameters == type, [&] {
    return "the parameters of coarsening " + coarsening_name(kind) +
           " are of another type than those that it was registered with";
  });
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_registered_coarsening(
    const FineLevel<Scalar, Space, Offset>& fine, CoarseningKind kind,
    const RegisteredParameters& parameters) {
  const RegisteredCoarsening& known = detail::registered(kind);
  const std::string name = coarsening_name(kind);
  const auto* const factory =
      known.factories.template find<CoarseningFactory<Scalar, Space, Offset>>();
  if (factory == nullptr)
    throw Error(ErrorKind::configuration, "coarsening " + name +
                                              " is not registered for a matrix of " +
                                              matrix_type_text<Scalar, Space, Offset>() +
                                              "; it is for " + known.factories.types());
  return std::make_unique<CheckedCoarsening<Scalar, Space, Offset>>(
      name, fine.number, [&] { return (*factory)(fine, parameters.values(kind)); });
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                           \
  template std::unique_ptr<Coarsening<Scalar, Space, Offset>>                                \
  make_registered_coarsening<Scalar, Space, Offset>(const FineLevel<Scalar, Space, Offset>&, \
                                                    CoarseningKind, const RegisteredParameters&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
