// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What setup finds out about the processes once, and keeps with their communicator.
#pragma once

#include "tessera/distributed/message_cost.hpp"
#include "tessera/distributed/places.hpp"

#include <map>
#include <optional>
#include <string>

namespace tessera::distributed {

class Communicator;

/// Of processes that work on one execution space; the same on all of them.
struct Surroundings {
  std::optional<Places> places;
  std::optional<MessageCost> messages;
};

/// By the name of the execution space.
using SurroundingsBySpace = std::map<std::string, Surroundings>;

/// Which processes share a host and a device, by those of the instance that asks first. Collective
/// the first time that a communicator is asked, so that all processes ask.
/// @throws Error on all processes where one cannot tell its device.
template <class Space>
const Places& places(const Space& exec, const Communicator& processes);

/// What messages between arrays of `Space` cost. Collective the first time, in which it is
/// measured: twenty messages to each process, which take a millisecond or so where each process
/// has a core.
template <class Space>
const MessageCost& message_cost(const Space& exec, const Communicator& processes);

}  // namespace tessera::distributed
