// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What an iteration may do: no allocation, one wait for the device, the right labels, all on the
/// instance given.
#include "solver_fixture.hpp"

#include "contract/tools_recorder.hpp"

#include "tessera/kernels/execution/queue_event.hpp"

namespace tessera::test::solver_contract_test {

/// What Kokkos did.
struct Counts {
  int allocations = 0;
  int fences = 0;
  int launches = 0;
  int copies = 0;
};

Counts counts_of(const ToolsRecorder& recorder) {
  const auto size = [](const auto& events) { return static_cast<int>(events.size()); };
  return {size(recorder.allocations), size(recorder.fences), size(recorder.kernels),
          size(recorder.copies)};
}

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
  const auto until_the_fifth = [](const IterationInfo& info) { return info.iteration < 5; };
  solver->set_logger(until_the_fifth);
  solver->solve(exec, op, used, b, x);
  const ToolsRecorder recorder;
  Counts first;
  Counts last;
  solver->set_logger([&](const IterationInfo& info) {
    if (info.iteration == 1) first = counts_of(recorder);
    if (info.iteration == 4) last = counts_of(recorder);
    return until_the_fifth(info);
  });
  solver->solve(exec, op, used, b, x);
  for (const auto* events : {&recorder.kernels, &recorder.fences}) {
    for (const ToolsEvent& event : *events)
      EXPECT_TRUE(event.label.starts_with("tessera::")) << event.label;
  }
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
