// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What an iteration may do: no allocation, one wait for the device, the right labels, all on the
/// instance given.
#include "solver_fixture.hpp"

#include "tessera/kernels/execution/queue_event.hpp"

#include <set>

namespace tessera::test::solver_contract_test {

/// What Kokkos did.
struct Counts {
  int allocations = 0;
  int fences = 0;
  int launches = 0;
  int copies = 0;
  std::set<std::string> foreign_labels;
};

/// Counts what Kokkos does while it lives.
class Monitor {
 public:
  Monitor() {
    using namespace Kokkos::Tools::Experimental;
    s_counts = {};
    // Kokkos's CUDA backend asks for 0 bytes of team scratch at each launch of teams.
    set_allocate_data_callback([](Kokkos_Profiling_SpaceHandle, const char*, const void*,
                                  std::uint64_t bytes) { s_counts.allocations += bytes > 0; });
    set_begin_fence_callback([](const char* name, std::uint32_t, std::uint64_t* id) {
      *id = 0;
      // Kokkos waits before each callback of a tool, this one's included.
      if (std::string(name).find("Tool Fence") != std::string::npos) return;
      ++s_counts.fences;
      note(name);
    });
    set_begin_parallel_for_callback(launched);
    set_begin_parallel_reduce_callback(launched);
    set_begin_deep_copy_callback([](Kokkos_Profiling_SpaceHandle, const char*, const void*,
                                    Kokkos_Profiling_SpaceHandle, const char*, const void*,
                                    std::uint64_t) { ++s_counts.copies; });
  }
  ~Monitor() {
    using namespace Kokkos::Tools::Experimental;
    set_allocate_data_callback(nullptr);
    set_begin_fence_callback(nullptr);
    set_begin_parallel_for_callback(nullptr);
    set_begin_parallel_reduce_callback(nullptr);
    set_begin_deep_copy_callback(nullptr);
  }

  static Counts& counts() { return s_counts; }

 private:
  static void note(const std::string& name) {
    if (name.rfind("tessera::", 0) != 0) s_counts.foreign_labels.insert(name);
  }
  static void launched(const char* name, std::uint32_t, std::uint64_t* id) {
    *id = 0;
    ++s_counts.launches;
    note(name);
  }

  static inline Counts s_counts;
};

TESSERA_TEST_SUITE(SolverContract, Scalars, TypeNames);

/// Counts from the first to the fourth iteration of a solve that is run for the second time.
template <class Scalar, class Space>
Counts three_iterations(const SolverParameters& parameters, int k, bool preconditioned) {
  const Space exec;
  const auto A = poisson<Scalar>(40, 40);
  const TestOperator<Scalar, Space> op(exec, A);
  JacobiPreconditioner<Scalar, Space> M(exec, op.view());
  const auto b = to_multivector(exec, random_vector<Scalar>(1600 * k), 1600, k);
  const auto x = to_multivector(exec, std::vector<Scalar>(1600 * k, Scalar(0)), 1600, k);
  const auto solver = make_solver<Scalar, Space>(parameters);
  Preconditioner<Scalar, Space>* used = preconditioned ? &M : nullptr;
  Counts first;
  Counts last;
  solver->set_logger([&](const IterationInfo& info) {
    if (info.iteration == 1) first = Monitor::counts();
    if (info.iteration == 4) last = Monitor::counts();
    return info.iteration < 5;
  });
  solver->solve(exec, op, used, b, x);
  const Monitor monitor;
  solver->solve(exec, op, used, b, x);
  last.allocations -= first.allocations;
  last.fences -= first.fences;
  last.launches -= first.launches;
  last.copies -= first.copies;
  return last;
}

TESSERA_TYPED_TEST(SolverContract, IterationsNeitherAllocateNorWaitTwice) {
  for (const SolverName name : all_solvers) {
    for (const int k : {1, 3}) {
      for (const bool preconditioned : {false, true}) {
        SCOPED_TRACE(name_of(name));
        const auto counts = three_iterations<Scalar, Space>(
            {.name = name, .tolerance = 1e-30, .richardson = {.damping = 0.1}}, k, preconditioned);
        EXPECT_EQ(counts.allocations, 0);
        // Kokkos does not see a method that runs ahead wait for an event.
        const bool runs_ahead =
            name == SolverName::cg || name == SolverName::gmres || name == SolverName::fgmres;
        const bool by_event = runs_ahead && kernels::QueueEvent<Space>::waits_for_no_more;
        EXPECT_EQ(counts.fences, by_event ? 0 : 3);
        EXPECT_EQ(counts.copies, 0);
        EXPECT_EQ(counts.foreign_labels, std::set<std::string>{});
      }
    }
  }
}

TESSERA_TYPED_TEST(SolverContract, CgLaunchesFewKernels) {
  // The product with A takes one launch or two; then the update with its norm, and the direction;
  // with a preconditioner also M and beta. One launch more may fall between
  // the two looks.
  const SolverParameters p{.name = SolverName::cg, .tolerance = 1e-30, .ahead = RunAhead::off};
  EXPECT_LE((three_iterations<Scalar, Space>(p, 1, false).launches), 3 * (2 + 2) + 1);
  EXPECT_LE((three_iterations<Scalar, Space>(p, 1, true).launches), 3 * (2 + 4) + 1);
}

}  // namespace tessera::test::solver_contract_test
