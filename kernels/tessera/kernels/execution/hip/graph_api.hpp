// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The calls of HIP that launch_graph.hpp is made of; execution/cuda/graph_api.hpp has CUDA's.
#pragma once

#include "tessera/kernels/execution/handle.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::hip {

/// Waits before: releases of HIP before 6.2 free what a graph that still runs has to read.
inline hipError_t destroy_executable(hipGraphExec_t executable) {
  static_cast<void>(hipDeviceSynchronize());
  return hipGraphExecDestroy(executable);
}

struct GraphApi {
  using Result = hipError_t;
  using StreamId = hipStream_t;
  using Stream = Handle<hipStream_t, hipStreamDestroy>;
  using Event = Handle<hipEvent_t, hipEventDestroy>;
  using Graph = Handle<hipGraph_t, hipGraphDestroy>;
  using Node = hipGraphNode_t;
  using Executable = Handle<hipGraphExec_t, destroy_executable>;

  static constexpr Result success = hipSuccess;
  static constexpr Result not_ready = hipErrorNotReady;
  static const char* message(Result result) { return hipGetErrorString(result); }
  static void forget_error() { static_cast<void>(hipGetLastError()); }

  static int device_of(const Kokkos::HIP& exec) { return exec.hip_device(); }
  static StreamId stream_of(const Kokkos::HIP& exec) { return exec.hip_stream(); }
  static StreamId default_stream() { return nullptr; }
  static Result current_device(int* device) { return hipGetDevice(device); }
  static Result set_device(int device) { return hipSetDevice(device); }

  static Result create_stream(Stream& stream) {
    return hipStreamCreateWithFlags(stream.fill(), hipStreamNonBlocking);
  }
  /// Whose blocks come before those of others that wait.
  static Result create_urgent_stream(Stream& stream) {
    int least = 0;
    int greatest = 0;
    const Result result = hipDeviceGetStreamPriorityRange(&least, &greatest);
    if (result != success) return result;
    return hipStreamCreateWithPriority(stream.fill(), hipStreamNonBlocking, greatest);
  }
  static Result create_event(Event& event) {
    return hipEventCreateWithFlags(event.fill(), hipEventDisableTiming);
  }
  static Result record_event(const Event& event, StreamId stream) {
    return hipEventRecord(event.get(), stream);
  }
  /// By the host.
  static Result await_event(const Event& event) { return hipEventSynchronize(event.get()); }
  /// `not_ready` where it would have to wait.
  static Result query_event(const Event& event) { return hipEventQuery(event.get()); }
  static Result wait_for_event(StreamId stream, const Event& event) {
    return hipStreamWaitEvent(stream, event.get(), 0);
  }

  static Result is_recording(StreamId stream, bool* recording) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const Result result = hipStreamIsCapturing(stream, &status);
    *recording = status != hipStreamCaptureStatusNone;
    return result;
  }
  static Result begin_recording(StreamId stream) {
    return hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal);
  }
  static Result end_recording(StreamId stream, Graph& graph) {
    return hipStreamEndCapture(stream, graph.fill());
  }

  /// `nodes` null: their number alone.
  static Result nodes_of(const Graph& graph, Node* nodes, std::size_t* number) {
    return hipGraphGetNodes(graph.get(), nodes, number);
  }
  static Result instantiate(Executable& executable, const Graph& graph) {
    return hipGraphInstantiateWithFlags(executable.fill(), graph.get(), 0);
  }
  static Result upload(const Executable& executable, StreamId stream) {
    return hipGraphUpload(executable.get(), stream);
  }
  static Result launch(const Executable& executable, StreamId stream) {
    return hipGraphLaunch(executable.get(), stream);
  }

  /// True for kernels, and for fills and copies of the device's own memory.
  static bool is_of_device(Node node) {
    hipGraphNodeType type = hipGraphNodeTypeHost;
    if (hipGraphNodeGetType(node, &type) != hipSuccess) return false;
    if (type != hipGraphNodeTypeMemcpy) {
      return type == hipGraphNodeTypeKernel || type == hipGraphNodeTypeMemset ||
             type == hipGraphNodeTypeEmpty;
    }
    hipMemcpy3DParms copy = {};
    return hipGraphMemcpyNodeGetParams(node, &copy) == hipSuccess &&
           is_device_memory(copy.srcPtr.ptr) && is_device_memory(copy.dstPtr.ptr);
  }
  /// True for what `AlsoRecorded::messages` allows.
  static bool is_of_messages(Node node) {
    hipGraphNodeType type = hipGraphNodeTypeEmpty;
    return hipGraphNodeGetType(node, &type) == hipSuccess &&
           (type == hipGraphNodeTypeHost || type == hipGraphNodeTypeWaitEvent ||
            type == hipGraphNodeTypeEventRecord);
  }

 private:
  static bool is_device_memory(const void* pointer) {
    hipPointerAttribute_t attributes = {};
    return pointer != nullptr && hipPointerGetAttributes(&attributes, pointer) == hipSuccess &&
           (attributes.type == hipMemoryTypeDevice || attributes.type == hipMemoryTypeManaged);
  }
};

}  // namespace tessera::kernels::hip
