// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "frontend/machine.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <fstream>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/version.hpp"

namespace tessera::frontend {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const std::string& host_name() {
  static const std::string name = lower(HostSpace::name());
  return name;
}

const std::string& device_name() {
  static const std::string name = lower(DeviceSpace::name());
  return name;
}

std::string compiler() {
#if defined(__clang__)
  const std::string host =
      fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  const std::string host =
      fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  const std::string host = "an unknown compiler";
#endif
#if defined(__CUDACC__)
  return fmt::format("nvcc {}.{} with {}", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, host);
#else
  return host;
#endif
}

/// The processor's name as the kernel knows it.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

#if defined(KOKKOS_ENABLE_CUDA)
bool device_is_there() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}
std::string gpu_name() { return Kokkos::Cuda().cuda_device_prop().name; }
#elif defined(KOKKOS_ENABLE_HIP)
bool device_is_there() {
  int count = 0;
  return hipGetDeviceCount(&count) == hipSuccess && count > 0;
}
std::string gpu_name() { return Kokkos::HIP::hip_device_prop().name; }
#else
bool device_is_there() { return true; }
std::string gpu_name() { return processor_name(); }
#endif

}  // namespace

BuildInfo build_info() {
  BuildInfo info;
  info.version = version();
  info.commit = build_commit();
  info.kokkos_version = fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                                    KOKKOS_VERSION % 100);
  info.execution_spaces = {device_name()};
  if (TESSERA_HAVE_DEVICE) info.execution_spaces.push_back(host_name());
  info.compiler = compiler();
  return info;
}

Place choose_place(std::string_view setting, std::string_view device) {
  const std::string name = lower(std::string(device));
  if (name == "auto") return TESSERA_HAVE_DEVICE ? Place::device : Place::host;
  if (name == "host" || name == host_name()) return Place::host;
  if (TESSERA_HAVE_DEVICE && (name == "device" || name == device_name())) return Place::device;
  std::vector<std::string> known{"auto", "host", host_name()};
  if (TESSERA_HAVE_DEVICE) known.insert(known.end(), {"device", device_name()});
  throw Error(ErrorKind::configuration,
              fmt::format("{} {}: this build has no such device. It has: {}.", setting, device,
                          parameters::join_names(known)));
}

MachineInfo machine_info(Place place) {
  if (place == Place::device) {
    return {device_name(), gpu_name(), DeviceSpace().concurrency()};
  }
  return {host_name(), processor_name(), HostSpace().concurrency()};
}

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (gmtime_r(&now, &parts) == nullptr) return {};
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::size_t peak_memory_bytes() {
  rusage usage{};
  // Linux counts in KiB.
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024 * static_cast<std::size_t>(usage.ru_maxrss) : 0;
}

void initialize_kokkos(int threads) {
  if (!device_is_there()) {
    throw Error(ErrorKind::configuration,
                fmt::format("this build of Tessera is for {}, and this machine has no such device "
                            "or no driver for it",
                            device_name()));
  }
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (threads > 0) settings.set_num_threads(threads);
  Kokkos::initialize(settings);
}

}  // namespace tessera::frontend
