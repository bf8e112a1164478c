// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/hypre/advice.hpp"
#include "tessera/hypre/guarded.hpp"
#include "tessera/hypre/host_solver.hpp"
#include "tessera/hypre/par_csr.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/words.hpp"

#include <HYPRE_tessera.h>

#include <cstdio>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

namespace tessera::hypre {
namespace {

/// What a HYPRE_Solver of these functions points to.
struct Handle {
  HostSolver solver;
  MPI_Comm communicator = MPI_COMM_NULL;
  std::shared_ptr<const distributed::Communicator> processes;
  std::optional<SolveResult> result;  ///< of the last call, if it was a solve
  HYPRE_Int print_level = 0;

  bool prints(HYPRE_Int what) const {
    return (print_level & what) != 0 && processes != nullptr && processes->rank() == 0;
  }
};

struct Handles {
  std::mutex mutex;
  std::unordered_set<const void*> known;
};

Handles& handles() {
  static auto* const one = new Handles;
  return *one;
}

Handle& handle_of(HYPRE_Solver solver) {
  if (solver == nullptr) throw ArgumentError(1, "the solver is a null pointer");
  const std::lock_guard lock(handles().mutex);
  if (!handles().known.contains(solver))
    throw ArgumentError(1, "the solver is not one of HYPRE_TesseraCreate, or was destroyed before");
  return *reinterpret_cast<Handle*>(solver);
}

template <class T>
T* required(T* pointer, int number, const char* name) {
  if (pointer == nullptr) throw ArgumentError(number, std::string(name) + " is a null pointer");
  return pointer;
}

/// A tree of a copy is set first: a parameter that is refused changes nothing.
void set_parameter(Handle& handle, const std::string& name, const std::string& value) {
  Parameters changed = handle.solver.parameters();
  parameters::ParameterTree tree(changed);
  const std::string source = name + "=" + value;
  try {
    tree.require_known(name, source);
  } catch (const Error& error) {
    throw ArgumentError(2, error.what());
  }
  try {
    tree.set_text(name, value, source);
  } catch (const Error& error) {
    throw ArgumentError(3, error.what());
  }
  handle.solver.change_parameters() = std::move(changed);
}

void set_up(Handle& handle, hypre_ParCSRMatrix* A) {
  handle.result.reset();
  const MPI_Comm communicator = hypre_ParCSRMatrixComm(A);
  start_kokkos(communicator);
  if (handle.processes == nullptr || handle.communicator != communicator) {
    handle.processes = distributed::mpi_communicator(communicator);
    handle.communicator = communicator;
  }
  handle.solver.set_up(handle.processes, [&] { return parts_of(A); });
  if (handle.prints(1))
    for (const std::string& line : handle.solver.description())
      std::printf("%s\n", line.c_str());
}

void solve(Handle& handle, const double* b, double* x) {
  handle.solver.set_logger([&handle](const IterationInfo& now) {
    if (handle.prints(2))
      std::printf("iteration %d: relative residual %.3e\n", now.iteration, now.relative_residual);
    return true;
  });
  handle.result = handle.solver.solve(b, x);
  if (!handle.result->solved()) throw NotConverged(advice(*handle.result));
}

/// A vector that is wrong here may be right on the other processes, which wait in M's exchanges: M
/// is applied to zeros before the error is told.
void precondition(Handle& handle, HYPRE_ParVector b, HYPRE_ParVector x) {
  const auto rows = handle.solver.num_rows();
  const double* r = nullptr;
  double* z = nullptr;
  std::exception_ptr wrong;
  try {
    r = entries_of(b, rows, "b");
    z = entries_of(x, rows, "x");
    if (r == z && rows > 0) throw Error(ErrorKind::precondition, "b and x are the same vector");
  } catch (...) {
    wrong = std::current_exception();
  }
  if (!wrong) return handle.solver.apply(r, z);
  const std::vector<double> zeros(static_cast<std::size_t>(rows));
  std::vector<double> unused(zeros);
  handle.solver.apply(zeros.data(), unused.data());
  std::rethrow_exception(wrong);
}

const SolveResult& result_of(HYPRE_Solver solver) {
  const Handle& handle = handle_of(solver);
  if (!handle.result)
    throw Error(ErrorKind::precondition,
                handle.solver.parameters().apply == Application::solve
                    ? "there was no solve since the last setup"
                    : "the solver is used as a preconditioner, which has no iterations; set the "
                      "parameter 'apply' to 'solve' to solve by it");
  return *handle.result;
}

}  // namespace
}  // namespace tessera::hypre

using namespace tessera::hypre;

HYPRE_Int HYPRE_TesseraCreate(HYPRE_Solver* solver) {
  return guarded("HYPRE_TesseraCreate", [&] {
    required(solver, 1, "the place for the solver");
    auto made = std::make_unique<Handle>();
    const std::lock_guard lock(handles().mutex);
    handles().known.insert(made.get());
    *solver = reinterpret_cast<HYPRE_Solver>(made.release());
  });
}

HYPRE_Int HYPRE_TesseraDestroy(HYPRE_Solver solver) {
  return guarded("HYPRE_TesseraDestroy", [&] {
    if (solver == nullptr) return;
    const Handle* const handle = &handle_of(solver);
    {
      const std::lock_guard lock(handles().mutex);
      handles().known.erase(handle);
    }
    delete handle;
  });
}

HYPRE_Int HYPRE_TesseraSetParameter(HYPRE_Solver solver, const char* name, const char* value) {
  return guarded("HYPRE_TesseraSetParameter", [&] {
    Handle& handle = handle_of(solver);
    set_parameter(handle, required(name, 2, "the name"), required(value, 3, "the value"));
  });
}

HYPRE_Int HYPRE_TesseraSetParameters(HYPRE_Solver solver, const char* words) {
  return guarded("HYPRE_TesseraSetParameters", [&] {
    Handle& handle = handle_of(solver);
    try {
      tessera::parameters::ParameterTree tree(handle.solver.change_parameters());
      tessera::parameters::set_from_words(tree, required(words, 2, "the text"));
    } catch (const ArgumentError&) {
      throw;
    } catch (const tessera::Error& error) {
      throw ArgumentError(2, error.what());
    }
  });
}

HYPRE_Int HYPRE_TesseraSetNumFunctions(HYPRE_Solver solver, HYPRE_Int num_functions) {
  return guarded("HYPRE_TesseraSetNumFunctions", [&] {
    Handle& handle = handle_of(solver);
    try {
      set_parameter(handle, "block_size", std::to_string(num_functions));
    } catch (const ArgumentError& error) {
      throw ArgumentError(2, error.what());
    }
  });
}

HYPRE_Int HYPRE_TesseraSetNearNullspace(HYPRE_Solver solver, HYPRE_Int num_vectors,
                                        HYPRE_ParVector* vectors) {
  return guarded("HYPRE_TesseraSetNearNullspace", [&] {
    Handle& handle = handle_of(solver);
    if (num_vectors < 0 || num_vectors > 10)
      throw ArgumentError(
          2, "there are " + std::to_string(num_vectors) + " vectors, expected 0 to 10");
    if (num_vectors > 0) required(vectors, 3, "the array of vectors");
    HostVectors copies;
    for (HYPRE_Int j = 0; j < num_vectors; ++j) {
      try {
        const std::string name = "vector " + std::to_string(j);
        const auto* const own = hypre_ParVectorLocalVector(required(vectors[j], 3, name.c_str()));
        const std::int64_t rows = own == nullptr ? 0 : hypre_VectorSize(own);
        const double* const entries = entries_of(vectors[j], rows, name.c_str());
        copies.emplace_back(entries, entries + rows);
      } catch (const tessera::Error& error) {
        throw ArgumentError(3, error.what());
      }
    }
    handle.solver.set_near_nullspace(std::move(copies));
  });
}

HYPRE_Int HYPRE_TesseraSetPrintLevel(HYPRE_Solver solver, HYPRE_Int print_level) {
  return guarded("HYPRE_TesseraSetPrintLevel", [&] {
    Handle& handle = handle_of(solver);
    if (print_level < 0 || print_level > 3)
      throw ArgumentError(2, "the level is " + std::to_string(print_level) + ", expected 0 to 3");
    handle.print_level = print_level;
  });
}

HYPRE_Int HYPRE_TesseraSetup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector,
                             HYPRE_ParVector) {
  return guarded("HYPRE_TesseraSetup", [&] {
    Handle& handle = handle_of(solver);
    set_up(handle, required(A, 2, "the matrix"));
  });
}

HYPRE_Int HYPRE_TesseraSolve(HYPRE_Solver solver, HYPRE_ParCSRMatrix, HYPRE_ParVector b,
                             HYPRE_ParVector x) {
  return guarded("HYPRE_TesseraSolve", [&] {
    Handle& handle = handle_of(solver);
    handle.result.reset();
    handle.solver.require_ready("HYPRE_TesseraSetup");
    if (handle.solver.parameters().apply == Application::preconditioner)
      return precondition(handle, b, x);
    const double* from = nullptr;
    double* to = nullptr;
    tessera::distributed::on_all_processes(*handle.processes, [&] {
      from = entries_of(b, handle.solver.num_rows(), "b");
      to = entries_of(x, handle.solver.num_rows(), "x");
    });
    solve(handle, from, to);
  });
}

HYPRE_Int HYPRE_TesseraGetNumIterations(HYPRE_Solver solver, HYPRE_Int* iterations) {
  return guarded("HYPRE_TesseraGetNumIterations", [&] {
    *required(iterations, 2, "the place for the number") = result_of(solver).iterations;
  });
}

HYPRE_Int HYPRE_TesseraGetFinalRelativeResidualNorm(HYPRE_Solver solver, HYPRE_Real* norm) {
  return guarded("HYPRE_TesseraGetFinalRelativeResidualNorm", [&] {
    *required(norm, 2, "the place for the norm") = result_of(solver).true_relative_residual;
  });
}

HYPRE_Int HYPRE_TesseraGetNumLevels(HYPRE_Solver solver, HYPRE_Int* levels) {
  return guarded("HYPRE_TesseraGetNumLevels", [&] {
    const auto info = handle_of(solver).solver.hierarchy();
    *required(levels, 2, "the place for the number") = static_cast<HYPRE_Int>(info.levels.size());
  });
}

HYPRE_Int HYPRE_TesseraGetOperatorComplexity(HYPRE_Solver solver, HYPRE_Real* complexity) {
  return guarded("HYPRE_TesseraGetOperatorComplexity", [&] {
    const auto info = handle_of(solver).solver.hierarchy();
    *required(complexity, 2, "the place for the number") = info.operator_complexity;
  });
}

HYPRE_Int HYPRE_TesseraGetNumSetups(HYPRE_Solver solver, HYPRE_Int* setups, HYPRE_Int* updates) {
  return guarded("HYPRE_TesseraGetNumSetups", [&] {
    const HostSolver& own = handle_of(solver).solver;
    *required(setups, 2, "the place for the setups") = own.num_setups();
    *required(updates, 3, "the place for the updates") = own.num_updates();
  });
}

HYPRE_Int HYPRE_TesseraGetErrorMessage(const char** message) {
  return guarded("HYPRE_TesseraGetErrorMessage",
                 [&] { *required(message, 1, "the place for the message") = take_message(); });
}
