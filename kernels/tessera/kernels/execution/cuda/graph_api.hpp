// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The calls of CUDA that launch_graph.hpp is made of; execution/hip/graph_api.hpp has HIP's.
#pragma once

#include "tessera/kernels/execution/handle.hpp"
#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::cuda {

struct GraphApi {
  using Result = cudaError_t;
  using StreamId = cudaStream_t;
  using Stream = Handle<cudaStream_t, cudaStreamDestroy>;
  using Event = Handle<cudaEvent_t, cudaEventDestroy>;
  using Graph = Handle<cudaGraph_t, cudaGraphDestroy>;
  using Node = cudaGraphNode_t;
  /// One that still runs when it is destroyed is freed at its end (cuGraphExecDestroy).
  using Executable = Handle<cudaGraphExec_t, cudaGraphExecDestroy>;

  static constexpr Result success = cudaSuccess;
  static constexpr Result not_ready = cudaErrorNotReady;
  static const char* message(Result result) { return cudaGetErrorString(result); }
  static void forget_error() { static_cast<void>(cudaGetLastError()); }

  static int device_of(const Kokkos::Cuda& exec) { return exec.cuda_device(); }
  static StreamId stream_of(const Kokkos::Cuda& exec) { return exec.cuda_stream(); }
  static StreamId default_stream() { return cudaStreamLegacy; }
  static Result current_device(int* device) { return cudaGetDevice(device); }
  static Result set_device(int device) { return cudaSetDevice(device); }

  static Result create_stream(Stream& stream) {
    return cudaStreamCreateWithFlags(stream.fill(), cudaStreamNonBlocking);
  }
  /// Whose blocks come before those of others that wait.
  static Result create_urgent_stream(Stream& stream) {
    int least = 0;
    int greatest = 0;
    const Result result = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (result != success) return result;
    return cudaStreamCreateWithPriority(stream.fill(), cudaStreamNonBlocking, greatest);
  }
  static Result create_event(Event& event) {
    return cudaEventCreateWithFlags(event.fill(), cudaEventDisableTiming);
  }
  static Result record_event(const Event& event, StreamId stream) {
    return cudaEventRecord(event.get(), stream);
  }
  /// By the host.
  static Result await_event(const Event& event) { return cudaEventSynchronize(event.get()); }
  /// `not_ready` where it would have to wait.
  static Result query_event(const Event& event) { return cudaEventQuery(event.get()); }
  static Result wait_for_event(StreamId stream, const Event& event) {
    return cudaStreamWaitEvent(stream, event.get(), 0);
  }

  static Result is_recording(StreamId stream, bool* recording) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const Result result = cudaStreamIsCapturing(stream, &status);
    *recording = status != cudaStreamCaptureStatusNone;
    return result;
  }
  static Result begin_recording(StreamId stream) {
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  }
  static Result end_recording(StreamId stream, Graph& graph) {
    return cudaStreamEndCapture(stream, graph.fill());
  }

  /// `nodes` null: their number alone.
  static Result nodes_of(const Graph& graph, Node* nodes, std::size_t* number) {
    return cudaGraphGetNodes(graph.get(), nodes, number);
  }
  static Result instantiate(Executable& executable, const Graph& graph) {
    return cudaGraphInstantiateWithFlags(executable.fill(), graph.get(), 0);
  }
  static Result upload(const Executable& executable, StreamId stream) {
    return cudaGraphUpload(executable.get(), stream);
  }
  static Result launch(const Executable& executable, StreamId stream) {
    return cudaGraphLaunch(executable.get(), stream);
  }

  /// True for kernels, and for fills and copies of the device's own memory.
  static bool is_of_device(Node node) {
    cudaGraphNodeType type = cudaGraphNodeTypeHost;
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) return false;
    if (type != cudaGraphNodeTypeMemcpy) {
      return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemset ||
             type == cudaGraphNodeTypeEmpty;
    }
    cudaMemcpy3DParms copy = {};
    return cudaGraphMemcpyNodeGetParams(node, &copy) == cudaSuccess &&
           is_device_memory(copy.srcPtr.ptr) && is_device_memory(copy.dstPtr.ptr);
  }
  /// True for what `AlsoRecorded::messages` allows.
  static bool is_of_messages(Node node) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    return cudaGraphNodeGetType(node, &type) == cudaSuccess &&
           (type == cudaGraphNodeTypeHost || type == cudaGraphNodeTypeWaitEvent ||
            type == cudaGraphNodeTypeEventRecord);
  }

 private:
  static bool is_device_memory(const void* pointer) {
    cudaPointerAttributes attributes = {};
    return pointer != nullptr && cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
           (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
  }
};

}  // namespace tessera::kernels::cuda
