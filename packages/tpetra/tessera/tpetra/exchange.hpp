// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of vectors, along the ways that Tpetra has found.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <Kokkos_Core.hpp>
#include <Tpetra_Details_Behavior.hpp>
#include <Tpetra_Import.hpp>

#include <memory>

namespace tessera::tpetra {

/// Whether messages of `Space` are copied to the host, for MPI does not read the device's memory.
template <class Space>
bool goes_through_host() {
  return !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible &&
         !Tpetra::Details::Behavior::assumeMpiIsGPUAware();
}

/// The messages of a `Tpetra::Import`, for vectors of `Scalar` in plain Views. Its source is what
/// the processes have, its target what they want of each other besides.
///
/// Where MPI does not read the device's memory (`TPETRA_ASSUME_GPU_AWARE_MPI`), messages go through
/// the host's. One transfer is under way at a time.
template <class Scalar, class Space>
class Exchange {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  using Received = ArrayView<const Scalar, Space>;

  /// Nothing is sent.
  Exchange() = default;
  /// `importer` may be null: nothing is sent then, either.
  template <class GlobalOrdinal, class Node>
  explicit Exchange(const Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>>& importer) {
    if (importer.is_null()) return;
    const auto same = static_cast<Ordinal>(importer->getNumSameIDs());
    take(std::make_shared<Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>>>(importer),
         importer->getDistributor(), same,
         static_cast<Ordinal>(importer->getSourceMap()->getLocalNumElements()),
         static_cast<Ordinal>(importer->getTargetMap()->getLocalNumElements()),
         importer->getPermuteFromLIDs(), importer->getPermuteToLIDs(), importer->getExportLIDs(),
         importer->getRemoteLIDs());
  }

  bool is_empty() const { return m_distributor == nullptr; }
  Ordinal num_source() const { return m_num_source; }  ///< rows on this process
  Ordinal num_target() const { return m_num_target; }
  /// The target's rows that come from others.
  Ordinal num_remote() const { return static_cast<Ordinal>(m_remotes.extent(0)); }

  /// Sends what others want of `x`, the source's rows. Waits for `exec` and not for the messages:
  /// there is time for other work. Collective.
  void begin(const Space& exec, const ConstVectors& x);
  /// Waits for what has come: for each remote row, in the order of the importer's
  /// `getRemoteLIDs`, its values of all columns. Valid until the next transfer.
  Received end(const Space& exec);

  /// y, over the target's rows, is x, over the source's. Collective.
  void forward(const Space& exec, const ConstVectors& x, const Vectors& y);
  /// x, over the source's rows, is y, over the target's: where the maps have each row once, the way
  /// back. Collective.
  void backward(const Space& exec, const ConstVectors& y, const Vectors& x);

 private:
  using Rows = Array<Ordinal, Space>;
  using Buffer = Array<Scalar, Space>;
  using HostBuffer = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  void take(std::shared_ptr<const void> owner, Tpetra::Distributor& distributor, Ordinal same,
            Ordinal num_source, Ordinal num_target, const Teuchos::ArrayView<const int>& from,
            const Teuchos::ArrayView<const int>& to, const Teuchos::ArrayView<const int>& exports,
            const Teuchos::ArrayView<const int>& remotes);
  void send(const Space& exec, const ConstVectors& x, const Rows& rows, Ordinal num_received,
            bool is_reverse);
  void receive(const Space& exec, bool is_reverse);

  std::shared_ptr<const void> m_owner;  ///< of the distributor
  Tpetra::Distributor* m_distributor = nullptr;
  Ordinal m_num_source = 0;
  Ordinal m_num_target = 0;
  Ordinal m_num_same = 0;  ///< first rows, which are the same in both
  Rows m_from;  ///< rows that stay here under other numbers
  Rows m_to;
  Rows m_exports;  ///< of the source
  Rows m_remotes;  ///< of the target
  Buffer m_sent;
  Buffer m_received;
  HostBuffer m_sent_by_host;
  HostBuffer m_received_by_host;
};

}  // namespace tessera::tpetra
