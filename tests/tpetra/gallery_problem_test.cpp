// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems of the gallery that each process makes its own rows of are the whole ones.
#include "tessera/tpetra/gallery_problem.hpp"

#include "support/error_of.hpp"
#include "support/tpetra_system.hpp"

#include <map>

namespace tessera::test::gallery_problem_test {

/// Every problem, small, and elasticity in its other numbering, too.
std::vector<GalleryParameters> small_problems() {
  std::vector<GalleryParameters> problems;
  for (const auto& known : problem_names()) {
    const bool elastic = known.name.starts_with("elasticity");
    const bool flat = known.name.find("2d") != known.name.npos || known.name == "graph";
    GalleryParameters parameters{
        .problem = known.value, .n = elastic ? 4 : (flat ? 19 : 9), .order = 2, .refine = 1};
    problems.push_back(parameters);
    parameters.numbering = Numbering::unknowns;
    if (elastic) problems.push_back(parameters);
  }
  return problems;
}

/// `v` has the rows of `whole` that are this process's, to the last bit.
void expect_rows(const TpetraVectors& v, const MultiVector<double, HostSpace>& whole) {
  ASSERT_EQ(v.getGlobalLength(), whole.extent(0));
  ASSERT_EQ(v.getNumVectors(), whole.extent(1));
  const auto local = v.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < local.extent(0); ++i)
    for (std::size_t j = 0; j < local.extent(1); ++j)
      ASSERT_EQ(local(i, j), whole(v.getMap()->getGlobalElement(static_cast<int>(i)), j));
}

TEST(GalleryProblem, IsTheWholeOneOnAnyNumberOfProcesses) {
  for (const GalleryParameters& parameters : small_problems()) {
    SCOPED_TRACE(to_string(parameters.problem));
    const auto whole = make_problem<double, HostSpace>(HostSpace(), parameters);
    const auto distributed = tpetra::make_gallery_problem(Tpetra::getDefaultComm(), parameters);
    const TpetraMatrix& A = *distributed.A;
    EXPECT_EQ(A.getGlobalNumRows(), static_cast<Tpetra::global_size_t>(whole.A.num_rows));
    EXPECT_EQ(A.getGlobalNumEntries(), whole.A.num_entries());
    // Of small_problems: all but beam and L-shape have lines of n nodes.
    const bool has_lines =
        parameters.problem != ProblemKind::beam && parameters.problem != ProblemKind::lshape;
    const int unit = whole.block_size * (has_lines ? parameters.n : 1);
    EXPECT_TRUE(A.getRowMap()->isSameAs(*contiguous_map(whole.A.num_rows, unit)));
    EXPECT_TRUE(A.getDomainMap()->isSameAs(*A.getRowMap()));
    for (int k = 0; k < static_cast<int>(A.getLocalNumRows()); ++k) {
      const auto i = A.getRowMap()->getGlobalElement(k);
      typename TpetraMatrix::local_inds_host_view_type columns;
      typename TpetraMatrix::values_host_view_type values;
      A.getLocalRowView(k, columns, values);
      std::map<TpetraOrdinal, double> row;
      for (std::size_t e = 0; e < columns.extent(0); ++e)
        row[A.getColMap()->getGlobalElement(columns(e))] = values(e);
      std::map<TpetraOrdinal, double> expected;
      for (int e = whole.A.offsets(i); e < whole.A.offsets(i + 1); ++e)
        expected[whole.A.columns(e)] = whole.A.values(e);
      ASSERT_EQ(row, expected) << "row " << i;
    }
    expect_rows(*distributed.b, whole.b);
    expect_rows(*distributed.near_nullspace, whole.near_nullspace);
    EXPECT_EQ(distributed.block_size, whole.block_size);
    EXPECT_EQ(distributed.symmetric, whole.symmetric);
    EXPECT_EQ(distributed.description, whole.description);
  }
}

/// One row for all processes: most have none.
TEST(GalleryProblem, MayLeaveProcessesWithoutRows) {
  const auto distributed = tpetra::make_gallery_problem(Tpetra::getDefaultComm(),
                                                        {.problem = ProblemKind::graph, .n = 1});
  EXPECT_EQ(distributed.A->getGlobalNumRows(), 1U);
  EXPECT_EQ(distributed.A->getLocalNumRows(), process() == 0 ? 1U : 0U);
}

TEST(GalleryProblem, FailsOnAllProcesses) {
  const auto make = [](const GalleryParameters& parameters) {
    return error_of([&] { tpetra::make_gallery_problem(Tpetra::getDefaultComm(), parameters); });
  };
  expect_error(make({.problem = ProblemKind::poisson3d, .n = 2000}), ErrorKind::configuration,
               {"n = 2000", "more rows"});
}

}  // namespace tessera::test::gallery_problem_test
