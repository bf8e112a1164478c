// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// NCCL's messages and sums beside a communicator of the host.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/nccl/nccl_communicator.hpp"
#include "tessera/distributed/nccl/nccl_library.hpp"
#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"

#include <Kokkos_Timer.hpp>

#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::distributed::nccl {

/// What `nccl_communicator` makes. All that the host waits for is left to `host`.
template <class Space>
class StreamCommunicator : public Communicator, private Communicator::Ordered {
 public:
  using Ordered = Communicator::Ordered;
  using Api = kernels::detail::GraphApi<Space>;

  /// Of `id`, which all processes have the same. Collective.
  StreamCommunicator(std::shared_ptr<const Communicator> host, const Space& exec, Library library,
                     const UniqueId& id, const NcclOptions& options)
      : m_host(std::move(host)),
        m_library(std::move(library)),
        m_options(options),
        m_device(Api::device_of(exec)) {
    kernels::detail::use_device<Api>(m_device);
    call(Api::create_urgent_stream(m_stream), "making a stream");
    for (auto* const event : {&m_ready, &m_arrived, &m_summed})
      call(Api::create_event(*event), "making an event");
    check(m_library.init_rank(&m_handle, m_host->size(), id, m_host->rank()), "ncclCommInitRank");
  }
  StreamCommunicator(const StreamCommunicator&) = delete;
  StreamCommunicator& operator=(const StreamCommunicator&) = delete;
  ~StreamCommunicator() override {
    if (m_handle == nullptr) return;
    // Others may wait for what an exception has kept from coming: leave without them, then.
    const bool in_order = std::uncaught_exceptions() == 0;
    static_cast<void>(in_order ? m_library.destroy(m_handle) : m_library.abort(m_handle));
  }

  int rank() const override { return m_host->rank(); }
  int size() const override { return m_host->size(); }
  bool takes_device_pointers() const override { return m_host->takes_device_pointers(); }
  const Ordered* ordered() const override { return this; }
  int first_on_host() const override { return m_host->first_on_host(); }

  void sum(std::span<double> numbers) const override { m_host->sum(numbers); }
  void sum(std::span<std::int64_t> numbers) const override { m_host->sum(numbers); }
  void minimum(std::span<double> numbers) const override { m_host->minimum(numbers); }
  void maximum(std::span<double> numbers) const override { m_host->maximum(numbers); }
  void broadcast(std::span<std::byte> data, int root) const override {
    m_host->broadcast(data, root);
  }
  void all_gather(std::int64_t own, std::span<std::int64_t> all) const override {
    m_host->all_gather(own, all);
  }
  void all_to_all(std::span<const std::int64_t> given,
                  std::span<std::int64_t> received) const override {
    m_host->all_to_all(given, received);
  }
  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override {
    return m_host->start(outgoing, incoming);
  }

 private:
  using StreamId = typename Api::StreamId;

  bool is_of_device() const override { return true; }
  void begin(void* stream, std::span<const Outgoing> outgoing,
             std::span<const Incoming> incoming) const override;
  void end(void* stream) const override {
    if (!m_options.overlaps) return;
    call(Api::wait_for_event(static_cast<StreamId>(stream), m_arrived), "waiting for messages");
  }
  void sum(void* stream, double* numbers, std::size_t count) const override {
    require_alive();
    if (count == 0) return;
    kernels::detail::use_device<Api>(m_device);
    check(m_library.all_reduce(numbers, numbers, count, type_of_doubles, operation_sum, m_handle,
                               stream),
          "ncclAllReduce");
  }
  void wait(void* stream) const override;
  bool can_be_recorded() const override { return m_library.version >= min_recording_version; }
  void add(std::weak_ptr<Recordings> recordings) const override {
    std::erase_if(m_recordings, [](const auto& known) { return known.expired(); });
    m_recordings.push_back(std::move(recordings));
  }

  static void call(typename Api::Result result, const char* step) {
    kernels::detail::check_call<Api>(result, step);
  }
  void require_alive() const {
    if (!m_failure.empty()) throw Error(ErrorKind::device, m_failure);
  }
  /// Ends what waits on this device, for good. NCCL waits for the end of all graphs that hold
  /// messages of it.
  [[noreturn]] void fail(const std::string& what) const {
    m_failure = what + " (NCCL " + std::to_string(m_library.version) + " of '" + m_library.name +
                "'; NCCL_DEBUG=WARN has it print more)";
    for (const auto& known : m_recordings)
      if (const auto recordings = known.lock()) recordings->drop();
    if (m_handle != nullptr) static_cast<void>(m_library.abort(std::exchange(m_handle, nullptr)));
    throw Error(ErrorKind::device, m_failure);
  }
  void check(Result result, const char* step) const {
    if (result != success && result != in_progress)
      fail(std::string(step) + ": " + m_library.error_string(result));
  }

  std::shared_ptr<const Communicator> m_host;
  Library m_library;
  NcclOptions m_options;
  int m_device;
  typename Api::Stream m_stream;  ///< where messages are that overlap with products
  typename Api::Event m_ready;  ///< what is sent has been packed
  typename Api::Event m_arrived;
  typename Api::Event m_summed;
  mutable CommunicatorHandle* m_handle = nullptr;  ///< null after a failure
  mutable std::string m_failure;
  mutable std::vector<std::weak_ptr<Recordings>> m_recordings;
};

template <class Space>
void StreamCommunicator<Space>::begin(void* stream, std::span<const Outgoing> outgoing,
                                      std::span<const Incoming> incoming) const {
  require_alive();
  kernels::detail::use_device<Api>(m_device);
  void* messages = stream;
  if (m_options.overlaps) {
    call(Api::record_event(m_ready, static_cast<StreamId>(stream)), "recording an event");
    call(Api::wait_for_event(m_stream.get(), m_ready), "waiting for an event");
    messages = m_stream.get();
  }
  check(m_library.group_start(), "ncclGroupStart");
  Result first = success;
  const auto keep = [&first](Result result) {
    if (first == success) first = result;
  };
  for (const Incoming& m : incoming)
    if (m.bytes > 0)
      keep(m_library.receive(m.data, m.bytes, type_of_bytes, m.process, m_handle, messages));
  for (const Outgoing& m : outgoing)
    if (m.bytes > 0)
      keep(m_library.send(m.data, m.bytes, type_of_bytes, m.process, m_handle, messages));
  keep(m_library.group_end());  // in any case: a group that stays open would take all that follows
  check(first, "ncclSend and ncclRecv");
  if (m_options.overlaps) call(Api::record_event(m_arrived, m_stream.get()), "recording an event");
}

/// Looks on instead of waiting in the runtime: a message whose other end has gone never comes.
template <class Space>
void StreamCommunicator<Space>::wait(void* stream) const {
  require_alive();
  kernels::detail::use_device<Api>(m_device);
  call(Api::record_event(m_summed, static_cast<StreamId>(stream)), "recording an event");
  const Kokkos::Timer timer;
  constexpr int looks_between = 1000;  // of a microsecond or so each
  for (int looks = 1;; ++looks) {
    const auto result = Api::query_event(m_summed);
    if (result == Api::success) break;
    if (result != Api::not_ready) call(result, "a kernel, or a sum over all processes");
    if (looks % looks_between != 0) continue;
    Result error = success;
    check(m_library.get_async_error(m_handle, &error), "ncclCommGetAsyncError");
    check(error, "messages between processes");
    if (m_options.wait_limit_s > 0 && timer.seconds() > m_options.wait_limit_s)
      fail("no sum has come for " + std::to_string(m_options.wait_limit_s) +
           " s: another process has gone, or waits for something else");
    std::this_thread::yield();
  }
  Api::forget_error();  // that it was not ready yet
}

}  // namespace tessera::distributed::nccl
