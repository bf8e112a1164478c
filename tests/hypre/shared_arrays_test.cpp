// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// That hypre's arrays are read where they lie, and what is refused of them on all processes.
#include "hypre/hypre_fixture.hpp"
#include "tessera/distributed/communication_plan.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/hypre/par_csr.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera::test {
namespace hypre_test {
namespace {

hypre_ParCSRMatrix* inside(const HypreMatrix& A) {
  return reinterpret_cast<hypre_ParCSRMatrix*>(A.get());
}

template <class T>
std::vector<T> on_host(const distributed::HostArray<T>& list) {
  return {list.data(), list.data() + list.extent(0)};
}

SharedProblem grid(int n) {
  return SharedProblem(GalleryParameters{.problem = ProblemKind::poisson2d, .n = n});
}

TEST_F(Hypre, PartsAreTheMatrixsArrays) {
  const auto problem = grid(20);
  const HypreMatrix A(problem.first, problem.host);
  const auto parts = hypre::parts_of(inside(A));
  const auto* const diag = hypre_ParCSRMatrixDiag(inside(A));
  const auto* const offd = hypre_ParCSRMatrixOffd(inside(A));
  ASSERT_EQ(parts.num_rows, problem.num_rows());
  const auto expect_shared = [](const hypre::HostPart& part, const hypre_CSRMatrix* given) {
    EXPECT_EQ(part.values, hypre_CSRMatrixData(given));
    const void* const columns = hypre_CSRMatrixJ(given);
    const void* const offsets = hypre_CSRMatrixI(given);
    EXPECT_EQ(part.columns.data() == columns, sizeof(HYPRE_Int) == 4);
    EXPECT_EQ(part.offsets.data() == offsets, sizeof(HYPRE_Int) == 8);
    for (HYPRE_Int i = 0; i <= hypre_CSRMatrixNumRows(given); ++i)
      EXPECT_EQ(part.offsets(i), hypre_CSRMatrixI(given)[i]);
  };
  if (problem.num_rows() > 0) expect_shared(parts.own, diag);
  const std::size_t num_ghosts = parts.ghosts.extent(0);
  if (num_ghosts > 0) expect_shared(parts.ghost, offd);
  ASSERT_EQ(static_cast<HYPRE_Int>(num_ghosts), hypre_CSRMatrixNumCols(offd));
  const HYPRE_BigInt* const map = hypre_ParCSRMatrixColMapOffd(inside(A));
  const void* const numbers = map;
  if (num_ghosts > 0) {
    EXPECT_EQ(parts.ghosts.data() == numbers, sizeof(HYPRE_BigInt) == 8);
  }
  for (std::size_t g = 0; g < num_ghosts; ++g)
    EXPECT_EQ(parts.ghosts(g), map[g]);
}

/// As hypre has integers, in whichever build: of 64 bits they are column numbers as they are.
TEST_F(Hypre, IntegersAreSharedWhereTheyHaveTheWidth) {
  const HypreMatrix smallest(0, HostShare{});  // Kokkos begins
  const TesseraHandle M;
  HYPRE_TesseraSetup(M.get(), smallest.get(), nullptr, nullptr);
  take_message();
  const std::vector<long long> wide{3, 5'000'000'000, 1};
  const std::vector<int> narrow{3, 2'000'000'000, 1};
  const auto expect = [](const auto& made, const auto& given, bool shared) {
    const void* const array = given.data();
    EXPECT_EQ(made.data() == array, shared);
    ASSERT_EQ(made.extent(0), given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
      EXPECT_EQ(made(i), given[i]);
  };
  expect(hypre::shared_integers<std::int64_t>(wide.data(), 3), wide, true);
  expect(hypre::shared_integers<std::int64_t>(narrow.data(), 3), narrow, false);
  expect(hypre::shared_integers<Ordinal>(narrow.data(), 3), narrow, true);
  const std::vector<long long> few{3, 1};
  expect(hypre::shared_integers<Ordinal>(few.data(), 2), few, false);
}

/// What hypre has worked out for its products is what Tessera would have.
TEST_F(Hypre, ListsAreThoseOfTheCommunicationPackage) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 9});
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle before("gather_rows=200");
  const HypreVector r(problem.first, waves_of(problem));
  const auto applied = [&](const TesseraHandle& M) {
    EXPECT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
    const HypreVector z(problem.first, waves_of(problem));
    EXPECT_EQ(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0);
    return z.entries();
  };
  EXPECT_FALSE(hypre::parts_of(inside(A)).halo.has_value());
  const auto worked_out = applied(before);
  hypre_MatvecCommPkgCreate(inside(A));
  const auto parts = hypre::parts_of(inside(A));
  ASSERT_TRUE(parts.halo.has_value());
  const TesseraHandle with_lists("gather_rows=200");
  EXPECT_EQ(applied(with_lists), worked_out);
  const distributed::Partition shares(*all_processes(), problem.num_rows());
  const auto plan = distributed::halo_plan(Space(), all_processes(), shares, on_host(parts.ghosts));
  if (plan == nullptr) return;
  EXPECT_EQ(on_host(parts.halo->exports), distributed::to_host(Space(), plan->exports));
  const auto expect_same = [](const auto& a, const auto& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].process, b[i].process);
      EXPECT_EQ(a[i].first, b[i].first);
      EXPECT_EQ(a[i].length, b[i].length);
    }
  };
  expect_same(parts.halo->receivers, plan->receivers);
  expect_same(parts.halo->senders, plan->senders);
  // And it is not copied.
  const void* const sent = hypre_ParCSRCommPkgSendMapElmts(hypre_ParCSRMatrixCommPkg(inside(A)));
  if (parts.halo->exports.extent(0) == 0) return;
  EXPECT_EQ(parts.halo->exports.data() == sent, sizeof(HYPRE_Int) == 4);
  const auto shared = distributed::halo_plan(HostSpace(), all_processes(), shares, *parts.halo);
  EXPECT_EQ(shared->exports.data() == sent, sizeof(HYPRE_Int) == 4);
}

/// A package whose neighbours do not ascend: what is sent is put in order.
TEST_F(Hypre, ListsInAnotherOrderAreOrdered) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 9});
  const HypreMatrix A(problem.first, problem.host);
  hypre_MatvecCommPkgCreate(inside(A));
  const auto before = hypre::parts_of(inside(A));
  const auto expected = on_host(before.halo->exports);
  hypre_ParCSRCommPkg* const package = hypre_ParCSRMatrixCommPkg(inside(A));
  const HYPRE_Int count = hypre_ParCSRCommPkgNumSends(package);
  HYPRE_Int* const to = hypre_ParCSRCommPkgSendProcs(package);
  HYPRE_Int* const starts = hypre_ParCSRCommPkgSendMapStarts(package);
  HYPRE_Int* const rows = hypre_ParCSRCommPkgSendMapElmts(package);
  if (count > 1) {
    // The last neighbour first.
    const HYPRE_Int last = starts[count] - starts[count - 1];
    std::rotate(rows, rows + starts[count - 1], rows + starts[count]);
    std::rotate(to, to + count - 1, to + count);
    for (HYPRE_Int i = count - 1; i > 0; --i)
      starts[i] = starts[i - 1] + last;
  }
  const auto parts = hypre::parts_of(inside(A));
  EXPECT_EQ(on_host(parts.halo->exports), expected);
  const void* const sent = rows;
  if (count > 1) {
    EXPECT_NE(parts.halo->exports.data(), sent);
    EXPECT_NE(std::vector<HYPRE_Int>(rows, rows + starts[count]),
              std::vector<HYPRE_Int>(expected.begin(), expected.end()));
  }
  ASSERT_EQ(parts.halo->receivers.size(), before.halo->receivers.size());
  for (std::size_t i = 0; i < parts.halo->receivers.size(); ++i) {
    EXPECT_EQ(parts.halo->receivers[i].process, before.halo->receivers[i].process);
    EXPECT_EQ(parts.halo->receivers[i].first, before.halo->receivers[i].first);
    EXPECT_EQ(parts.halo->receivers[i].length, before.halo->receivers[i].length);
  }
  const TesseraHandle M("gather_rows=200");
  EXPECT_LE(solve_by_pcg(M.get(), A, problem).residual, 2e-10);
}

/// By hypre, which changes the package's list for it.
void multiply_columns(const HypreMatrix& A, const HypreVector& like, int columns) {
  auto* const sizes = reinterpret_cast<hypre_ParVector*>(like.get());
  const auto made = [&] {
    auto* const v = hypre_ParMultiVectorCreate(MPI_COMM_WORLD, hypre_ParVectorGlobalSize(sizes),
                                               hypre_ParVectorPartitioning(sizes), columns);
    hypre_ParVectorInitialize(v);
    return v;
  };
  auto* const x = made();
  auto* const y = made();
  hypre_ParCSRMatrixMatvec(1, inside(A), x, 0, y);
  hypre_ParVectorDestroy(x);
  hypre_ParVectorDestroy(y);
}

/// A product with several columns moves the list, and the next one with one moves it again.
TEST_F(Hypre, ListIsFoundWhereHypreHasMovedIt) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 9});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector r(problem.first, waves_of(problem));
  for (const char* words :
       {"gather_rows=200", "gather_rows=200 apply=solve", "gather_rows=200 amg.reuse=symbolic",
        "gather_rows=200 amg.smoother.type=gauss_seidel"}) {
    SCOPED_TRACE(words);
    // A new one, for hypre counts what it receives by several columns wrongly on the way back.
    hypre_ParCSRCommPkg*& package = hypre_ParCSRMatrixCommPkg(inside(A));
    if (package != nullptr) hypre_MatvecCommPkgDestroy(package);
    package = nullptr;
    hypre_MatvecCommPkgCreate(inside(A));
    const TesseraHandle M(words);
    const auto applied = [&] {
      const HypreVector z(problem.first,
                          std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
      EXPECT_EQ(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0) << take_message();
      return z.entries();
    };
    ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
    const auto first = applied();
    multiply_columns(A, r, 3);
    if (num_processes() > 1 && std::string_view(words).find("symbolic") == std::string_view::npos) {
      const HypreVector z(problem.first, waves_of(problem));
      EXPECT_NE(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0);
      EXPECT_NE(take_message().find("several columns"), std::string::npos);
    }
    multiply_columns(A, r, 1);
    EXPECT_EQ(hypre_ParCSRCommPkgNumComponents(package), 1);
    EXPECT_EQ(applied(), first);
  }
}

/// The package is gone, another one, or has other lists when the next setup comes.
TEST_F(Hypre, PackageMayBeAnotherAtTheNextSetup) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::unstructured3d, .n = 9});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector r(problem.first, waves_of(problem));
  const auto remove = [&] {
    hypre_ParCSRCommPkg*& package = hypre_ParCSRMatrixCommPkg(inside(A));
    const HYPRE_Int* const starts = hypre_ParCSRCommPkgSendMapStarts(package);
    std::fill_n(hypre_ParCSRCommPkgSendMapElmts(package),
                starts[hypre_ParCSRCommPkgNumSends(package)], 1 << 30);
    hypre_MatvecCommPkgDestroy(package);
    package = nullptr;
  };
  for (const char* reuse : {"none", "symbolic", "interpolation", "hierarchy"}) {
    SCOPED_TRACE(reuse);
    const TesseraHandle M("gather_rows=200 amg.reuse=" + std::string(reuse));
    int updates = -1;
    const auto applied = [&] {
      EXPECT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
      EXPECT_EQ(M.setups_and_updates(), std::pair(1, ++updates));
      const HypreVector z(problem.first, waves_of(problem));
      EXPECT_EQ(HYPRE_TesseraSolve(M.get(), A.get(), r.get(), z.get()), 0);
      return z.entries();
    };
    hypre_MatvecCommPkgCreate(inside(A));
    const auto first = applied();
    remove();
    EXPECT_EQ(applied(), first);
    hypre_MatvecCommPkgCreate(inside(A));
    EXPECT_EQ(applied(), first);
    remove();
    hypre_MatvecCommPkgCreate(inside(A));
    EXPECT_EQ(applied(), first);
    multiply_columns(A, r, 2);
    EXPECT_EQ(applied(), first);
    remove();
  }
}

/// What stays of a setup is less than another copy of the entries; by the levels' own part of it.
TEST_F(Hypre, SetupKeepsNoCopyOfTheMatrix) {
  // Rows of 81 entries, of which the next level has a tenth.
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 12});
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M("gather_rows=200 block_size=3 amg.storage.format=csr");
  const HypreMatrix smallest(0, HostShare{});  // Kokkos begins
  HYPRE_TesseraSetup(M.get(), smallest.get(), nullptr, nullptr);
  take_message();
  const MemoryTracker memory(Space::memory_space::name(), true);
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  double bytes[] = {static_cast<double>(memory.live_bytes()),
                    static_cast<double>(problem.host.values.size())};
  all_processes()->sum(bytes);
  EXPECT_LT(bytes[0], 9 * bytes[1]);
}

/// Values that are changed where they lie are those that products on the finest level have, and
/// after the next setup all is theirs.
TEST_F(Hypre, NewValuesAreSeenWhereTheyLie) {
  const auto problem = grid(30);
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M("gather_rows=100 amg.reuse=symbolic");
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  const auto applied = [&](const TesseraHandle& by) {
    const HypreVector r(problem.first, waves_of(problem));
    const HypreVector z(problem.first, waves_of(problem));
    EXPECT_EQ(HYPRE_TesseraSolve(by.get(), A.get(), r.get(), z.get()), 0);
    return z.entries();
  };
  const auto before = applied(M);
  for (hypre_CSRMatrix* const part :
       {hypre_ParCSRMatrixDiag(inside(A)), hypre_ParCSRMatrixOffd(inside(A))})
    for (HYPRE_Int e = 0; e < hypre_CSRMatrixNumNonzeros(part); ++e)
      hypre_CSRMatrixData(part)[e] *= 4;
  if (problem.num_rows() > 0) {
    EXPECT_NE(applied(M), before);
  }
  ASSERT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  EXPECT_EQ(M.setups_and_updates(), std::pair(1, 1));
  auto quarter = before;
  for (double& entry : quarter)
    entry /= 4;
  EXPECT_EQ(applied(M), quarter);
}

/// Another matrix of the same pattern, and the first one is gone.
TEST_F(Hypre, TheMatrixOfTheLastSetupIsTheOneThatIsShared) {
  const auto problem = grid(30);
  for (const char* reuse : {"none", "symbolic", "interpolation", "hierarchy"}) {
    const TesseraHandle M("gather_rows=100 amg.reuse=" + std::string(reuse));
    auto first = std::make_unique<HypreMatrix>(problem.first, problem.host);
    EXPECT_EQ(HYPRE_TesseraSetup(M.get(), first->get(), nullptr, nullptr), 0);
    const HypreMatrix second(problem.first, problem.host);
    EXPECT_EQ(HYPRE_TesseraSetup(M.get(), second.get(), nullptr, nullptr), 0);
    EXPECT_EQ(M.setups_and_updates(), std::pair(1, 1));
    auto* const diag = hypre_ParCSRMatrixDiag(inside(*first));
    std::fill_n(hypre_CSRMatrixData(diag), hypre_CSRMatrixNumNonzeros(diag), 1e300);
    std::fill_n(hypre_CSRMatrixJ(diag), hypre_CSRMatrixNumNonzeros(diag), 0);
    first.reset();
    EXPECT_LE(solve_by_pcg(M.get(), second, problem).residual, 2e-10) << reuse;
  }
}

/// A column map that is wrong on one process is an error on all of them.
TEST_F(Hypre, ColumnMapOfOneProcess) {
  const auto problem = grid(20);
  const HypreMatrix A(problem.first, problem.host);
  const TesseraHandle M;
  const bool is_last = process() == num_processes() - 1;
  HYPRE_BigInt* const map = hypre_ParCSRMatrixColMapOffd(inside(A));
  const HYPRE_Int ghosts = hypre_CSRMatrixNumCols(hypre_ParCSRMatrixOffd(inside(A)));
  if (num_processes() == 1) return;
  const auto expect_refused = [&](const char* says) {
    EXPECT_NE(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
    const std::string message = take_message();
    EXPECT_NE(message.find(says), std::string::npos) << message;
  };
  if (is_last) std::swap(map[0], map[ghosts - 1]);
  expect_refused("they have to ascend");
  if (is_last) {
    std::swap(map[0], map[ghosts - 1]);
    map[ghosts - 1] += 400;
  }
  expect_refused("there are 400 rows in all");
  if (is_last) map[ghosts - 1] -= 400;
  EXPECT_EQ(HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr), 0);
  // And a column of the part, where that has another size than is said.
  hypre_CSRMatrix* const offd = hypre_ParCSRMatrixOffd(inside(A));
  HYPRE_Int& column = hypre_CSRMatrixJ(offd)[0];
  if (is_last) column += ghosts;
  expect_refused("a column of the ghost part is");
  if (is_last) column -= ghosts;
}

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
