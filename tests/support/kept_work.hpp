// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Recordings of work on spaces that have none.
#pragma once

#include <functional>
#include <string>

namespace tessera::test {

/// Records by keeping the work, with all that it holds, and replays it by calling that.
template <class Space>
struct KeptWork {
  struct Stream {
    Space exec;
    explicit Stream(const Space& instance) : exec(instance) {}
    bool is_on_device_of(const Space&) const { return true; }
    template <class Work>
    void run_within(const Space&, const Work& work) const {
      work(exec);
    }
  };
  struct Graph {
    std::function<void(const Space&)> work;
    std::string reason;
    static Graph record(const Stream&, const std::function<void(const Space&)>& recorded) {
      return refuses ? Graph{{}, "this cannot be recorded"} : Graph{recorded, {}};
    }
    bool is_ready() const { return static_cast<bool>(work); }
    const std::string& failure() const { return reason; }
    void launch(const Space& exec) const { work(exec); }
  };
  static Graph record(const Stream& stream, const std::function<void(const Space&)>& work) {
    return Graph::record(stream, work);
  }
  static bool is_recording(const Space&) { return false; }
  static inline bool refuses = false;
};

}  // namespace tessera::test
