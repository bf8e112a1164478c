// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/kernel_profiler.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string_view>
#include <tuple>

namespace tessera::app {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;
namespace tools = Kokkos::Tools::Experimental;

constexpr std::string_view own_prefix = "tessera::";
constexpr std::string_view level_prefix = "tessera::level ";
constexpr std::string_view setup_prefix = "tessera::setup::";

/// A kernel that runs now.
struct Frame {
  std::string label;
  Clock::time_point start;
  double inner_ms = 0;
};

using KernelPlace = std::tuple<std::string, std::string, int>;  // kernel, step, level

struct Recorder {
  std::vector<std::string> regions;
  std::vector<Frame> frames;
  std::map<KernelPlace, std::pair<long, double>> times;
  tools::EventSet callbacks_before;
};

/// C callbacks carry no context: the profiler that lives now.
Recorder* recorder = nullptr;

std::string without_prefix(std::string_view label) {
  if (label.starts_with(own_prefix)) label.remove_prefix(own_prefix.size());
  return std::string(label);
}

KernelPlace place_of(const std::string& label) {
  std::string step;
  int level = -1;
  for (const std::string& region : recorder->regions) {
    if (region.starts_with(setup_prefix)) step = region.substr(setup_prefix.size());
    if (region.starts_with(level_prefix)) level = std::atoi(region.c_str() + level_prefix.size());
  }
  return {without_prefix(label), step, level};
}

void begin(const char* label) {
  Kokkos::fence("tessera::app::profiler: before a kernel");
  recorder->frames.push_back({label, Clock::now(), 0});
}

void end() {
  Kokkos::fence("tessera::app::profiler: after a kernel");
  if (recorder->frames.empty()) return;
  const Frame frame = recorder->frames.back();
  recorder->frames.pop_back();
  const double ms = Milliseconds(Clock::now() - frame.start).count();
  if (!recorder->frames.empty()) recorder->frames.back().inner_ms += ms;
  auto& [calls, total] = recorder->times[place_of(frame.label)];
  ++calls;
  total += ms - frame.inner_ms;
}

void begin_kernel(const char* label, std::uint32_t, std::uint64_t* id) {
  *id = 0;
  begin(label);
}
void end_kernel(std::uint64_t) { end(); }
void begin_copy(Kokkos_Profiling_SpaceHandle, const char*, const void*,
                Kokkos_Profiling_SpaceHandle, const char*, const void*, std::uint64_t) {
  begin("tessera::copy");
}
void end_copy() { end(); }
void push_region(const char* name) { recorder->regions.emplace_back(name); }
void pop_region() {
  if (!recorder->regions.empty()) recorder->regions.pop_back();
}

}  // namespace

std::string kernel_group(const std::string& kernel) { return kernel.substr(0, kernel.find("::")); }

KernelProfiler::KernelProfiler() {
  recorder = new Recorder;
  recorder->callbacks_before = tools::get_callbacks();
  tools::set_begin_parallel_for_callback(begin_kernel);
  tools::set_end_parallel_for_callback(end_kernel);
  tools::set_begin_parallel_reduce_callback(begin_kernel);
  tools::set_end_parallel_reduce_callback(end_kernel);
  tools::set_begin_parallel_scan_callback(begin_kernel);
  tools::set_end_parallel_scan_callback(end_kernel);
  tools::set_begin_deep_copy_callback(begin_copy);
  tools::set_end_deep_copy_callback(end_copy);
  tools::set_push_region_callback(push_region);
  tools::set_pop_region_callback(pop_region);
}

KernelProfiler::~KernelProfiler() {
  tools::set_callbacks(recorder->callbacks_before);
  delete recorder;
  recorder = nullptr;
}

std::vector<KernelTime> KernelProfiler::take() {
  std::vector<KernelTime> kernels;
  for (const auto& [place, time] : recorder->times) {
    const auto& [kernel, step, level] = place;
    kernels.push_back({kernel, step, level, time.first, time.second});
  }
  recorder->times.clear();
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelTime& a, const KernelTime& b) { return a.ms > b.ms; });
  return kernels;
}

}  // namespace tessera::app
