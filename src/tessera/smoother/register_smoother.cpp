// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/register_smoother.hpp"

namespace tessera {

SmootherRegistry& smoother_registry() {
  static SmootherRegistry registry("smoother", smoother_type_names);
  return registry;
}

EnumNames<SmootherType> all_smoother_names() { return smoother_registry().names(); }

template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_registered_smoother(
    const Space& exec, const SmootherInputs<Scalar, Space, Offset>& inputs) {
  const SmootherType type = inputs.parameters.type;
  const RegisteredSmoother* const known = smoother_registry().find(type);
  if (known == nullptr)
    throw Error(ErrorKind::configuration,
                "no smoother is registered as number " + std::to_string(static_cast<int>(type)));
  const std::string name(smoother_name(type));
  const auto* const factory =
      known->factories.template find<SmootherFactory<Scalar, Space, Offset>>();
  if (factory == nullptr)
    throw Error(ErrorKind::configuration, "smoother " + name +
                                              " is not registered for a matrix of " +
                                              matrix_type_text<Scalar, Space, Offset>() +
                                              "; it is for " + known->factories.types());
  auto made = (*factory)(exec, inputs);
  require(made != nullptr, [&] { return "smoother " + name + ": its factory made none"; });
  return made;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)              \
  template std::unique_ptr<Smoother<Scalar, Space>>             \
  make_registered_smoother<Scalar, Space, Offset>(const Space&, \
                                                  const SmootherInputs<Scalar, Space, Offset>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
