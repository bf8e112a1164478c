// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/processes.hpp"

#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Details_Behavior.hpp>

namespace tessera::tpetra {

std::shared_ptr<const distributed::Communicator> communicator_of(
    const Teuchos::RCP<const Teuchos::Comm<int>>& processes) {
  const auto mpi = Teuchos::rcp_dynamic_cast<const Teuchos::MpiComm<int>>(processes);
  if (mpi.is_null() || processes->getSize() == 1) return distributed::alone();
  return distributed::mpi_communicator(
      *mpi->getRawMpiComm(),
      {.takes_device_pointers = ::Tpetra::Details::Behavior::assumeMpiIsGPUAware()},
      std::make_shared<Teuchos::RCP<const Teuchos::Comm<int>>>(processes));
}

void on_all_processes(const Teuchos::Comm<int>& processes, const std::function<void()>& work) {
  distributed::on_all_processes(*communicator_of(Teuchos::rcpFromRef(processes)), work);
}

}  // namespace tessera::tpetra
