// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/mfem/solver.hpp"

#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/hypre/advice.hpp"
#include "tessera/hypre/host_solver.hpp"
#include "tessera/mfem/matrix_rows.hpp"
#include "tessera/mfem/rigid_body_modes.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/words.hpp"

#include <optional>
#include <utility>

namespace tessera::mfem {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

}  // namespace

struct Solver::State {
  hypre::HostSolver solver;
  MPI_Comm communicator = MPI_COMM_NULL;
  std::shared_ptr<const distributed::Communicator> processes;
  const ::mfem::Operator* A = nullptr;
  std::optional<SolveResult> result;
  ::mfem::Vector residual;
  ::mfem::Vector correction;

  void set_up(const ::mfem::HypreParMatrix& matrix) {
    const MPI_Comm now = matrix.GetComm();
    hypre::start_kokkos(now);
    if (processes == nullptr || communicator != now) processes = distributed::mpi_communicator(now);
    communicator = now;
    solver.set_up(processes, [&] { return parts_of(matrix); });
  }

  void set_up(const ::mfem::SparseMatrix& matrix) {
    hypre::start_kokkos();
    if (processes == nullptr || communicator != MPI_COMM_NULL) processes = distributed::alone();
    communicator = MPI_COMM_NULL;
    solver.set_up(processes, [&] { return parts_of(matrix); });
  }

  void apply(const ::mfem::Vector& b, ::mfem::Vector& x) {
    if (b.GetData() != x.GetData() || b.Size() == 0)
      return solver.apply(b.HostRead(), x.HostWrite());
    correction.SetSize(b.Size());
    solver.apply(b.HostRead(), correction.HostWrite());
    x = correction;
  }

  /// x = x + M (b - A x).
  void correct(const ::mfem::Vector& b, ::mfem::Vector& x) {
    residual.SetSize(b.Size());
    correction.SetSize(b.Size());
    A->Mult(x, residual);
    subtract(b, residual, residual);
    solver.apply(residual.HostRead(), correction.HostWrite());
    x += correction;
  }

  void solve(const ::mfem::Vector& b, ::mfem::Vector& x) {
    result = solver.solve(b.HostRead(), x.HostReadWrite());
    if (!result->solved() && processes->rank() == 0)
      ::mfem::mfem_warning(("tessera::mfem::Solver: " + hypre::advice(*result)).c_str());
  }
};

Solver::Solver(const Parameters& parameters) : m_state(std::make_unique<State>()) {
  m_state->solver.change_parameters() = parameters;
}

Solver::Solver(const ::mfem::Operator& A, const Parameters& parameters) : Solver(parameters) {
  Solver::SetOperator(A);
}

Solver::~Solver() = default;

void Solver::set_parameter(const std::string& name, const std::string& value) {
  parameters::ParameterTree(m_state->solver.change_parameters())
      .set_text(name, value, name + "=" + value);
}

void Solver::set_parameters(const std::string& words) {
  parameters::ParameterTree tree(m_state->solver.change_parameters());
  parameters::set_from_words(tree, words);
}

void Solver::set_near_nullspace(const std::vector<::mfem::Vector>& vectors) {
  hypre::HostVectors copies;
  for (const ::mfem::Vector& vector : vectors) {
    const double* const entries = vector.HostRead();
    copies.emplace_back(entries, entries + vector.Size());
  }
  m_state->solver.set_near_nullspace(std::move(copies));
}

void Solver::set_rigid_body_modes(::mfem::FiniteElementSpace& space) {
  set_near_nullspace(mfem::rigid_body_modes(space));
  Parameters& changed = m_state->solver.change_parameters();
  changed.system.block_size = space.GetVDim();
  changed.numbering = space.GetOrdering() == ::mfem::Ordering::byVDIM
                          ? hypre::Numbering::by_node
                          : hypre::Numbering::by_unknown;
}

void Solver::SetOperator(const ::mfem::Operator& A) {
  State& s = *m_state;
  s.result.reset();
  s.A = &A;
  if (const auto* const parallel = dynamic_cast<const ::mfem::HypreParMatrix*>(&A)) {
    s.set_up(*parallel);
  } else if (const auto* const serial = dynamic_cast<const ::mfem::SparseMatrix*>(&A)) {
    s.set_up(*serial);
  } else {
    refuse(
        "tessera::mfem::Solver takes a HypreParMatrix or a SparseMatrix; assemble the operator "
        "first, or give the matrix of a low-order refined space (LORDiscretization)");
  }
  height = A.Height();
  width = A.Width();
}

void Solver::Mult(const ::mfem::Vector& b, ::mfem::Vector& x) const {
  State& s = *m_state;
  s.solver.require_ready("SetOperator");
  if (b.Size() != height || x.Size() != height)
    refuse("b has " + std::to_string(b.Size()) + " entries and x " + std::to_string(x.Size()) +
           ", expected " + std::to_string(height) + " each");
  s.result.reset();
  if (s.solver.parameters().apply == hypre::Application::preconditioner)
    return iterative_mode ? s.correct(b, x) : s.apply(b, x);
  if (b.GetData() == x.GetData() && b.Size() > 0) refuse("b and x of a solve are the same vector");
  if (!iterative_mode) x = 0.0;
  s.solve(b, x);
}

void Solver::set_logger(Logger logger) { m_state->solver.set_logger(std::move(logger)); }

const Parameters& Solver::parameters() const { return m_state->solver.parameters(); }

const SolveResult& Solver::result() const {
  if (!m_state->result) refuse("there was no solve since the last setup");
  return *m_state->result;
}

HierarchyInfo Solver::hierarchy() const { return m_state->solver.hierarchy(); }

std::vector<std::string> Solver::description() const { return m_state->solver.description(); }

int Solver::num_setups() const { return m_state->solver.num_setups(); }

int Solver::num_updates() const { return m_state->solver.num_updates(); }

}  // namespace tessera::mfem
