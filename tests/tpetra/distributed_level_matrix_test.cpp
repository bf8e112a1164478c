// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices over several processes with Tessera's kernels in each, against Tpetra's own products;
/// and the choices that levels over several processes have.
#include "support/own_smoother.hpp"
#include "tpetra/operator_cases.hpp"

#include "support/storage_formats.hpp"
#include "tessera/smoother/parameters.hpp"
#include "tessera/tpetra/operator_impl.hpp"

#include <string>
#include <utility>

namespace tessera::test::distributed_level_matrix_test {

using Space = TpetraMatrix::execution_space;

template <class Scalar>
MultiVector<Scalar, Space> local_copy(const TpetraVectors& v) {
  const MultiVector<Scalar, Space> copy("copy", v.getLocalLength(), v.getNumVectors());
  const auto host = Kokkos::create_mirror_view(copy);
  const auto local = v.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < local.extent(0); ++i)
    for (std::size_t j = 0; j < local.extent(1); ++j)
      host(i, j) = static_cast<Scalar>(local(i, j));
  Kokkos::deep_copy(copy, host);
  return copy;
}

/// The largest | a - b | over all processes and columns, relative to the largest | b |.
template <class Scalar>
double distance(const MultiVector<Scalar, Space>& a, const TpetraVectors& b) {
  TpetraVectors as_vectors(b.getMap(), b.getNumVectors());
  {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
    const auto local = as_vectors.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i)
      for (std::size_t j = 0; j < local.extent(1); ++j)
        local(i, j) = static_cast<double>(host(i, j));
  }
  return relative_difference(as_vectors, b);
}

/// Every step of a cycle against the same of Tpetra's product.
template <class Scalar>
void check_steps(const TpetraSystem& system, const StorageParameters& storage, double tolerance) {
  const Space exec;
  const Teuchos::RCP<const TpetraMatrix> A = system.A;
  const auto ours = tpetra::distributed_levels_detail::distributed<Scalar>(exec, A, storage);
  for (const std::size_t k : {std::size_t(1), std::size_t(3)}) {
    const auto x = waves(system.map, k);
    TpetraVectors b(*x, Teuchos::Copy);
    b.scale(0.7);
    const auto x_here = local_copy<Scalar>(*x);
    const auto b_here = local_copy<Scalar>(b);
    const auto y = local_copy<Scalar>(b);
    ours->apply(exec, 2, x_here, 3, y);
    TpetraVectors expected(b, Teuchos::Copy);
    A->apply(*x, expected, Teuchos::NO_TRANS, 2, 3);
    EXPECT_LT(distance<Scalar>(y, expected), tolerance);

    TpetraVectors residual(b, Teuchos::Copy);
    A->apply(*x, residual, Teuchos::NO_TRANS, -1, 1);
    ours->residual(exec, b_here, x_here, y);
    EXPECT_LT(distance<Scalar>(y, residual), tolerance);

    const Array<Scalar, Space> d("d", A->getLocalNumRows());
    Kokkos::deep_copy(d, Scalar(0.25));
    TpetraVectors swept(*x, Teuchos::Copy);
    swept.update(0.25, residual, 1);
    ours->jacobi_sweep(exec, d, b_here, x_here, y);
    EXPECT_LT(distance<Scalar>(y, swept), tolerance);

    // p = 0.5 p + 2 d (b - A x), x + p
    TpetraVectors p(b, Teuchos::Copy);
    const auto p_here = local_copy<Scalar>(p);
    p.update(0.5, residual, 0.5);
    TpetraVectors stepped(*x, Teuchos::Copy);
    stepped.update(1, p, 1);
    ours->chebyshev_step(exec, d, 2, Scalar(0.5), b_here, x_here, p_here, y);
    EXPECT_LT(distance<Scalar>(p_here, p), tolerance);
    EXPECT_LT(distance<Scalar>(y, stepped), tolerance);
  }
}

TEST(DistributedOperator, StepsAsTpetrasProductSays) {
  for (const auto kind : {ProblemKind::convdiff2d, ProblemKind::elasticity3d}) {
    const TpetraSystem system(kind, kind == ProblemKind::elasticity3d ? 5 : 17);
    for (const auto format : storage_formats_to_choose()) {
      SCOPED_TRACE(to_string(kind));
      SCOPED_TRACE(static_cast<int>(format));
      check_steps<double>(system, {format, StorageScalar::same}, 1e-13);
      check_steps<float>(system, {format, StorageScalar::same}, 2e-6);
      check_steps<float>(system, {format, StorageScalar::half}, 2e-3);
    }
  }
}

/// Where no column is another process's, the arrays are Tpetra's own.
TEST(DistributedOperator, SharesArraysWhereNothingIsSent) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const bool is_last = process() == num_processes() - 1;
  const Teuchos::RCP<const TpetraMatrix> A = distribute(system.problem.A, map_on_last(400));
  const auto distributed = tpetra::distributed_levels_detail::distributed<double>(Space(), A, {});
  const auto& own = dynamic_cast<const tpetra::DistributedOperator<double, Space>&>(*distributed);
  if (!is_last) {
    EXPECT_EQ(own.own(), nullptr);
    return;
  }
  using Stored = StoredCsr<double, Space, std::int64_t>;
  const auto& stored = dynamic_cast<const Stored&>(*own.own());
  const auto local = A->getLocalMatrixDevice();
  EXPECT_EQ(stored.view().values.data(), local.values.data());
  EXPECT_EQ(stored.view().columns.data(), local.graph.entries.data());
  EXPECT_EQ(static_cast<const void*>(stored.view().offsets.data()),
            static_cast<const void*>(local.graph.row_map.data()));
}

/// What one process has, several have.
TEST(DistributedMultigridLevels, HaveTesserasChoices) {
  const TpetraSystem system(ProblemKind::poisson2d, 70);
  struct Case {
    std::vector<std::pair<const char*, const char*>> choices;
    int most;
  };
  for (const Case& c :
       {Case{{{"amg.smoother.type", "l1_jacobi"}}, 20}, Case{{{"amg.smoother.type", "spai0"}}, 20},
        Case{{{"amg.cycle", "f"}}, 16}, Case{{{"amg.cycle", "w"}}, 16},
        Case{{{"precision", "float"}, {"amg.storage.scalar", "half"}}, 18},
        Case{{{"amg.storage.format", "mbsr"}}, 16},
        Case{{{"amg.levels.0.smoother.type", "chebyshev"},
              {"amg.levels.1.vectors", "float"},
              {"amg.levels.1.A.scalar", "half"}},
             16}}) {
    auto list = with_multigrid(100);
    std::string shown;
    for (const auto& [name, value] : c.choices) {
      list.set(name, std::string(value));
      shown += std::string(name) + "=" + value + " ";
    }
    const auto M = CreateTesseraPreconditioner(system.A, list);
    SCOPED_TRACE(shown);
    EXPECT_LE(waves_by_belos("CG", system.A, M).iterations, c.most);
  }
}

/// It gets whole rows on each process (which its factory checks), and gives what the one of the
/// library gives that it repeats.
TEST(DistributedMultigridLevels, HaveRegisteredSmoothers) {
  own_l1_jacobi();
  const TpetraSystem system(ProblemKind::poisson2d, 70);
  const auto solved_by = [&](const char* name, const char* smoother) {
    auto list = with_multigrid(100);
    list.set(name, std::string(smoother));
    const auto M = CreateTesseraPreconditioner(system.A, list);
    const auto levels = M->hierarchy().levels;
    if (levels.size() < 2) ADD_FAILURE() << "there is nothing to smooth";
    EXPECT_EQ(levels.front().smoother, smoother);
    SCOPED_TRACE(smoother);
    const auto outcome = waves_by_belos("CG", system.A, M);
    return outcome.iterations;
  };
  for (const char* name : {"amg.smoother.type", "amg.levels.0.smoother.type"})
    EXPECT_EQ(solved_by(name, "own_l1_jacobi"), solved_by(name, "l1_jacobi")) << name;
}

/// Weak couplings are left out of what smooths prolongators, across the borders as well.
TEST(DistributedMultigridLevels, LeaveWeakCouplingsOut) {
  for (const auto kind : {ProblemKind::anisotropic2d, ProblemKind::anisotropic3d}) {
    SCOPED_TRACE(to_string(kind));
    const TpetraSystem system(kind, kind == ProblemKind::anisotropic2d ? 80 : 20);
    auto list = with_multigrid(200);
    const auto M = CreateTesseraPreconditioner(system.A, list);
    const auto outcome = waves_by_belos("CG", system.A, M);
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.precision = Precision::same;
    const int alone = own_solve(system, parameters).iterations;
    RecordProperty("alone", alone);
    RecordProperty("together", outcome.iterations);
    EXPECT_LE(outcome.iterations, 1.25 * alone + 1) << alone;
  }
}

}  // namespace tessera::test::distributed_level_matrix_test
