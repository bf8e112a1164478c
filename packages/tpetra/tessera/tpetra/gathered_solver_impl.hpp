// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarsest of several processes' levels, on one of them.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/tpetra/distributed_cycle.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <algorithm>
#include <utility>

namespace tessera::tpetra {

/// A level that is gathered on the first of its processes and solved there.
template <class GlobalOrdinal, class Node>
class GatheredSolver {
 public:
  using Cycle = DistributedCycle<GlobalOrdinal, Node>;
  using Matrix = typename Cycle::Matrix;
  using Vectors = typename Cycle::Vectors;
  using Map = typename Cycle::Map;
  using Space = typename Cycle::Space;

  /// Collective over A's processes.
  GatheredSolver(const Teuchos::RCP<const Matrix>& A, const MultiVector<double, Space>& vectors,
                 const typename Cycle::MakeCoarseSolver& make)
      : m_importer(Teuchos::rcp(new Tpetra::Import<int, GlobalOrdinal, Node>(
            A->getRowMap(), map_on_first(*A->getRowMap())))) {
    const auto target = m_importer->getTargetMap();
    m_gathered = Tpetra::importAndFillCompleteCrsMatrix<Matrix>(A, *m_importer, target, target);
    const auto given = Teuchos::rcp(new Vectors(target, vectors.extent(1)));
    if (vectors.extent(1) > 0) {
      const auto rows = A->getRowMap();
      Vectors local(rows, vectors.extent(1));
      if (rows->getLocalNumElements() > 0)
        Kokkos::deep_copy(local.getLocalViewDevice(Tpetra::Access::OverwriteAll), vectors);
      given->doImport(local, *m_importer, Tpetra::INSERT);
    }
    m_solver = make(m_gathered, given);
  }

  /// Takes new values in the same pattern. Collective.
  void update(const Teuchos::RCP<const Matrix>& A) {
    const auto target = m_importer->getTargetMap();
    // Tpetra imports values alone into a matrix of a graph that is known from the start.
    const auto next = Teuchos::rcp(new Matrix(m_gathered->getCrsGraph()));
    next->doImport(*A, *m_importer, Tpetra::REPLACE);
    next->fillComplete(target, target);
    m_gathered = next;
    m_solver.update(m_gathered);
  }

  /// x = M b over this process's rows, in double or float. Collective.
  template <class Scalar>
  void apply(const Space& exec, const ConstMultiVectorView<Scalar, Space>& b,
             const MultiVectorView<Scalar, Space>& x) {
    const std::size_t k = b.extent(1);
    if (m_r.getNumVectors() != k || m_r.getMap() != m_importer->getSourceMap()) {
      m_r = Vectors(m_importer->getSourceMap(), k);
      m_z = Vectors(m_importer->getSourceMap(), k);
      m_gathered_r = Vectors(m_importer->getTargetMap(), k);
      m_gathered_z = Vectors(m_importer->getTargetMap(), k);
    }
    if (b.extent(0) > 0)
      kernels::copy(exec, b,
                    MultiVectorView<double, Space>(
                        as_multivector(m_r.getLocalViewDevice(Tpetra::Access::OverwriteAll))));
    exec.fence("tessera::tpetra::GatheredSolver");
    m_gathered_r.doImport(m_r, *m_importer, Tpetra::REPLACE);
    m_solver.apply(m_gathered_r, m_gathered_z);
    m_z.doExport(m_gathered_z, *m_importer, Tpetra::REPLACE);
    if (b.extent(0) > 0)
      kernels::copy(exec,
                    ConstMultiVectorView<double, Space>(
                        as_multivector(m_z.getLocalViewDevice(Tpetra::Access::ReadOnly))),
                    x);
  }

 private:
  /// All rows on the first process, in the processes' order: those of nodes stay side by side.
  static Teuchos::RCP<const Map> map_on_first(const Map& rows) {
    const auto own = rows.getLocalElementList();
    std::vector<int> counts(static_cast<std::size_t>(rows.getComm()->getSize()));
    const auto count = static_cast<int>(own.size());
    Teuchos::gatherAll(*rows.getComm(), 1, &count, static_cast<int>(counts.size()), counts.data());
    const int longest = std::max(1, *std::max_element(counts.begin(), counts.end()));
    std::vector<GlobalOrdinal> mine(static_cast<std::size_t>(longest), -1);
    std::copy(own.begin(), own.end(), mine.begin());
    std::vector<GlobalOrdinal> all(mine.size() * counts.size());
    Teuchos::gatherAll(*rows.getComm(), longest, mine.data(), static_cast<int>(all.size()),
                       all.data());
    std::vector<GlobalOrdinal> first;
    if (rows.getComm()->getRank() == 0) {
      for (std::size_t process = 0; process < counts.size(); ++process)
        for (int i = 0; i < counts[process]; ++i)
          first.push_back(
              all[process * static_cast<std::size_t>(longest) + static_cast<std::size_t>(i)]);
    }
    return Teuchos::rcp(new Map(rows.getGlobalNumElements(), Teuchos::arrayViewFromVector(first),
                                rows.getIndexBase(), rows.getComm()));
  }

  Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>> m_importer;
  Teuchos::RCP<Matrix> m_gathered;
  typename Cycle::CoarseSolver m_solver;
  Vectors m_r, m_z, m_gathered_r, m_gathered_z;
};

/// The same where a cycle has a smoother; `solver` is null on a process without a share in the
/// level.
template <class Scalar, class GlobalOrdinal, class Node>
class GatheredCorrection : public Smoother<Scalar, typename Node::execution_space> {
 public:
  using Space = typename Node::execution_space;
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Solver = GatheredSolver<GlobalOrdinal, Node>;

  explicit GatheredCorrection(std::shared_ptr<Solver> solver) : m_solver(std::move(solver)) {}

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    if (m_solver != nullptr) m_solver->template apply<Scalar>(exec, b, x);
  }
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors&,
              const Vectors& x) override {
    apply(exec, b, x);  // whatever the guess
  }

 private:
  std::shared_ptr<Solver> m_solver;
};

}  // namespace tessera::tpetra
