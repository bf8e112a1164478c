// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Communicators of MPI in the order of hosts and devices, found out and made up, and where levels
/// go on them.
#ifdef TESSERA_TEST_WITH_MPI
#include "tessera/distributed/mpi/comm_by_place.hpp"

#include "distributed/known_processes.hpp"
#include "distributed/shares.hpp"
#include "support/mpi_options.hpp"
#include "tessera/distributed/level_placing.hpp"
#include "tessera/distributed/local_numbers.hpp"

#include <string>

namespace tessera::test::comm_by_place_test {

using distributed::comm_by_place;
using distributed::Communicator;
using distributed::Places;
using Processes = std::shared_ptr<const Communicator>;

Processes processes_of(const std::shared_ptr<const MPI_Comm>& comm) {
  return distributed::mpi_communicator(*comm, mpi_options(), comm);
}

/// Ranks alternate between two GPUs of one host; from three processes on that is out of order.
Places alternating() {
  return {by_rank([](int) { return 0; }), by_rank([](int p) { return p % 2; })};
}

/// By rank of `processes` what is given by rank of all.
Places places_on(const Communicator& processes, const Places& places) {
  std::vector<std::int64_t> launched(static_cast<std::size_t>(processes.size()));
  processes.all_gather(process(), launched);
  Places made;
  for (const std::int64_t p : launched) {
    made.hosts.push_back(places.hosts[static_cast<std::size_t>(p)]);
    made.devices.push_back(places.devices[static_cast<std::size_t>(p)]);
  }
  return made;
}

/// The same processes, which take themselves to be in these places.
Processes known_on(const Processes& processes, const Places& places) {
  return std::make_shared<KnownProcesses>(
      distributed::Surroundings{places_on(*processes, places), {}}, processes);
}

TEST(CommByPlace, HasTheRanksOfPlaces) {
  const Places places = alternating();
  const auto comm = comm_by_place(MPI_COMM_WORLD, places);
  EXPECT_EQ(*comm == MPI_COMM_WORLD, num_processes() < 3);
  const Processes processes = processes_of(comm);
  EXPECT_EQ(processes->size(), num_processes());
  EXPECT_EQ(processes->rank(),
            distributed::ranks_by_place(places)[static_cast<std::size_t>(process())]);
  EXPECT_EQ(processes->rank() == 0, process() == 0);
  EXPECT_EQ(processes->first_on_host(), 0);
}

/// Where several processes share each of several GPUs these are out of order, elsewhere none.
TEST(CommByPlace, IsInTheOrderOfTheRealPlaces) {
  const Space exec;
  const auto is_in_order = [&](const Communicator& processes) {
    return std::ranges::is_sorted(
        distributed::ranks_by_place(distributed::places(exec, processes)));
  };
  const auto comm = comm_by_place(exec, MPI_COMM_WORLD);
  EXPECT_EQ(*comm == MPI_COMM_WORLD, is_in_order(*all_processes()));
  const Processes processes = processes_of(comm);
  EXPECT_TRUE(is_in_order(*processes));
  EXPECT_EQ(processes->rank() == 0, process() == 0);
}

int count_freed(MPI_Comm /*comm*/, int /*key*/, void* count, void* /*extra*/) {
  ++*static_cast<int*>(count);
  return MPI_SUCCESS;
}

/// What is made is freed with the last pointer to it, and what is given never.
TEST(CommByPlace, FreesWhatItHasMade) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_freed, &key, nullptr);
  MPI_Comm given = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &given);
  const Places one_place{by_rank([](int) { return 0; }), by_rank([](int) { return 0; })};
  for (const Places& places : {one_place, alternating()}) {
    int freed = 0;
    auto comm = comm_by_place(given, places);
    const bool is_given = *comm == given;
    EXPECT_EQ(is_given, places == one_place || num_processes() < 3);
    MPI_Comm_set_attr(*comm, key, &freed);
    Processes processes = processes_of(comm);
    comm.reset();
    EXPECT_EQ(freed, 0);
    EXPECT_EQ(processes->sum_of(1.0), num_processes());
    processes.reset();
    EXPECT_EQ(freed, is_given ? 0 : 1);
    if (is_given) MPI_Comm_delete_attr(given, key);
  }
  MPI_Comm_free(&given);
  MPI_Comm_free_keyval(&key);
}

std::shared_ptr<const MPI_Comm> left_behind;

/// MPI ends a program that frees a communicator after MPI_Finalize, as this one would do last.
TEST(CommByPlace, MayOutliveMpi) { left_behind = comm_by_place(MPI_COMM_WORLD, alternating()); }

TEST(CommByPlace, RefusesWhatIsNoCommunicator) {
  expect_error(error_of([] { comm_by_place(MPI_COMM_NULL, Places{}); }), ErrorKind::precondition,
               {"the communicator is MPI_COMM_NULL"});
  expect_error(error_of([] { comm_by_place(Space(), MPI_COMM_NULL); }), ErrorKind::precondition,
               {"the communicator is MPI_COMM_NULL"});
}

TEST(CommByPlace, TakesPlacesOfAllProcesses) {
  Places places = alternating();
  places.devices.push_back(0);
  expect_error(error_of([&] { comm_by_place(MPI_COMM_WORLD, places); }), ErrorKind::precondition,
               {"places of", "expected " + std::to_string(num_processes())});
}

/// Who keeps the rows of a matrix that is to be on `count` of the processes.
std::vector<int> keepers_on(const Processes& processes, int count) {
  const SharedProblem problem({.problem = ProblemKind::poisson3d, .n = 10}, processes->size(),
                              processes->rank());
  const Share share(problem.host);
  const Space exec;
  const auto A = distributed::numbered<Space>(exec, processes, share.rows()).matrix;
  const auto rows = static_cast<int>(A.row_shares->size() / count);
  return distributed::placing_of(exec, A, {.gather_rows = 1, .rows_per_process = rows}).keepers;
}

/// Ranks alternate between GPUs, hosts, and GPUs of hosts, and a level goes to one process of each.
/// By the launcher's ranks rows leave their GPU or host, and by those of its places they do not.
TEST(CommByPlace, JoinsLevelsWithinADeviceAndAHost) {
  if (num_processes() < 3) GTEST_SKIP() << "two processes in two places are not joined";
  const auto one = by_rank([](int) { return 0; });
  const auto none = by_rank([](int) { return -1; });
  const auto two = by_rank([](int p) { return p % 2; });
  const auto four = by_rank([](int p) { return p % 4; });
  for (const Places& places : {Places{one, two}, Places{two, none}, Places{two, four}}) {
    const bool is_of_hosts = places.devices == none;
    const int count = 1 + std::ranges::max(is_of_hosts ? places.hosts : places.devices);
    if (count >= num_processes()) continue;
    SCOPED_TRACE(std::to_string(count) + (is_of_hosts ? " hosts" : " GPUs"));
    const auto joins_within = [&](const Processes& processes) {
      const Places here = places_on(*processes, places);
      const auto& numbers = is_of_hosts ? here.hosts : here.devices;
      const auto keepers = keepers_on(known_on(processes, places), count);
      for (std::size_t p = 0; p < keepers.size(); ++p)
        if (numbers[static_cast<std::size_t>(keepers[p])] != numbers[p]) return false;
      return true;
    };
    EXPECT_FALSE(joins_within(all_processes()));
    EXPECT_TRUE(joins_within(processes_of(comm_by_place(MPI_COMM_WORLD, places))));
  }
}

struct Solved {
  int iterations = 0;
  Vectors x;
  std::vector<std::string> notes;
};

Solved solved_by(const Processes& processes, const SharedProblem& problem, int rows_per_process) {
  const Share share(problem.host);
  const Space exec;
  distributed::Parameters p;
  p.gather_rows = 20;
  p.rows_per_process = rows_per_process;
  p.solve.solver.tolerance = 1e-10;
  DistributedSolver solver(processes, p);
  solver.setup(exec, share.rows());
  Solved made;
  made.x = zeros(problem.num_rows());
  const auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), made.x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  made.iterations = result.iterations;
  made.notes = solver.hierarchy().notes;
  return made;
}

/// Rows are shared out by its ranks, levels move, and all is as on one process.
TEST(CommByPlace, SolvesAsOneProcess) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 12};
  const Places places = alternating();
  const Processes processes = known_on(processes_of(comm_by_place(MPI_COMM_WORLD, places)), places);
  const SharedProblem problem(gallery, processes->size(), processes->rank());
  const SharedProblem whole(gallery, 1, 0);
  for (const int rows : {1, 30, 100000}) {
    SCOPED_TRACE(rows);
    const Solved alone = solved_by(distributed::alone(), whole, rows);
    const Solved made = solved_by(processes, problem, rows);
    EXPECT_EQ(made.iterations, alone.iterations);
    EXPECT_LT(distance(made.x, problem.first, on_host(alone.x)), 1e-8);
    if (rows < 100000) continue;
    const bool moves = std::ranges::any_of(made.notes, [](const std::string& note) {
      return note.starts_with("level 1 on 1 of ") && note.find(", 1 of 2 GPUs") != note.npos;
    });
    EXPECT_EQ(moves, num_processes() > 1);
  }
}

}  // namespace tessera::test::comm_by_place_test
#endif
