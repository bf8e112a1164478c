// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/nccl/nccl_communicator.hpp"

#include "tessera/distributed/device_id.hpp"
#include "tessera/distributed/nccl/own_devices.hpp"
#include "tessera/distributed/nccl/stream_communicator.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <span>
#include <string>

namespace tessera::distributed {
namespace {

/// @throws Error where two processes have different ones.
void require_same_version(const Communicator& host, int version) {
  double versions[] = {static_cast<double>(version), -static_cast<double>(version)};
  host.maximum(versions);
  if (versions[0] == -versions[1]) return;
  throw Error(ErrorKind::configuration, "the processes have loaded NCCL of versions " +
                                            std::to_string(static_cast<int>(-versions[1])) +
                                            " to " + std::to_string(static_cast<int>(versions[0])) +
                                            ": name the same file on all of them in " +
                                            nccl::library_variable);
}

}  // namespace

template <class Space>
std::shared_ptr<const Communicator> nccl_communicator(
    const std::shared_ptr<const Communicator>& host, const Space& exec,
    const NcclOptions& options) {
  require(host != nullptr, [] { return std::string("the host's communicator is a null pointer"); });
  if constexpr (kernels::has_launch_graphs<Space>) {
    nccl::Library library;
    DeviceId device{};
    on_all_processes(*host, [&] {
      library = nccl::load_library();
      device = device_id(exec);
    });
    nccl::require_own_devices(*host, device);
    require_same_version(*host, library.version);
    nccl::UniqueId id{};
    on_all_processes(*host, [&] {
      if (host->rank() != 0) return;
      const auto result = library.get_unique_id(&id);
      if (result != nccl::success)
        throw Error(ErrorKind::device,
                    std::string("ncclGetUniqueId: ") + library.error_string(result));
    });
    host->broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
    std::shared_ptr<const Communicator> made;
    on_all_processes(*host, [&] {
      made = std::make_shared<nccl::StreamCommunicator<Space>>(host, exec, library, id, options);
    });
    return made;
  } else {
    static_cast<void>(exec);
    static_cast<void>(options);
    static_cast<void>(require_same_version);
    throw Error(ErrorKind::configuration,
                std::string("NCCL sends the memory of GPUs, and ") + Space::name() +
                    " is a host's execution space: build with a Kokkos for CUDA or HIP and give "
                    "its instance, or take mpi_communicator alone");
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, nccl_communicator)

}  // namespace tessera::distributed
