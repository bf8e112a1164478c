// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Room that operators over processes have for what they send.
#pragma once

#include "tessera/operator/sparse_operator.hpp"

#include <cstddef>

namespace tessera::distributed {

/// An operator whose products send vectors. What that takes of memory is had before, in a step of
/// all processes: one that has no room in the midst of a product would leave the others waiting.
template <class Space>
class MessageRoom {
 public:
  /// Room for vectors of k columns; there is some for one from the start. Nothing is sent.
  virtual void reserve(const Space& exec, std::size_t k) const = 0;

 protected:
  ~MessageRoom() = default;
};

/// The same of an operator that may send nothing, or be null.
template <class Scalar, class Space>
void reserve_messages(const Space& exec, const SparseOperator<Scalar, Space>* op, std::size_t k) {
  if (const auto* const room = dynamic_cast<const MessageRoom<Space>*>(op)) room->reserve(exec, k);
}

}  // namespace tessera::distributed
