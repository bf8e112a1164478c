// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_lu.hpp"

#include "tessera/kernels/execution/error.hpp"

#ifdef TESSERA_HAVE_SUITESPARSE
#include <klu.h>
#endif

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

namespace tessera::direct {

#ifdef TESSERA_HAVE_SUITESPARSE

/// A diagonal entry of this share of its column's largest is taken as the pivot. KLU's own 0.001
/// makes sparser factors of saddle points, and loses three to five digits more on them.
constexpr double min_share_of_largest = 0.1;

/// KLU takes compressed columns: our rows are the columns of A^T, whose transposed solve is ours.
/// It changes none of the arrays that it takes as pointers to mutable numbers.
struct SparseLu::State {
  State() {
    klu_defaults(&common);
    common.tol = min_share_of_largest;
  }
  ~State() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  mutable klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

SparseLu::SparseLu(const HostMatrix& A) : m_state(std::make_unique<State>()) {
  State& s = *m_state;
  if (A.n == 0) return;
  // A null pointer is refused even where there is nothing to read.
  int no_column = 0;
  int* columns = A.columns.empty() ? &no_column : const_cast<int*>(A.columns.data());
  s.symbolic = klu_analyze(A.n, const_cast<int*>(A.offsets.data()), columns, &s.common);
  if (s.common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  require(s.symbolic != nullptr, [&] {
    return "KLU did not order the matrix, its status is " + std::to_string(s.common.status);
  });
}

double SparseLu::flops() const {
  return m_state->symbolic == nullptr ? 0 : std::max(0.0, m_state->symbolic->est_flops);
}

double SparseLu::entries() const {
  if (m_state->symbolic == nullptr) return 0;
  return std::max(0.0, m_state->symbolic->lnz) + std::max(0.0, m_state->symbolic->unz) +
         m_state->symbolic->nzoff;
}

double SparseLu::stored_entries() const {
  const klu_numeric* const numeric = m_state->numeric;
  if (numeric == nullptr) return 0;
  return static_cast<double>(numeric->lnz) + numeric->unz + numeric->nzoff;
}

bool SparseLu::factor(const HostMatrix& A) {
  State& s = *m_state;
  if (A.n == 0) return true;
  klu_free_numeric(&s.numeric, &s.common);
  if (s.symbolic->structural_rank != -1 && s.symbolic->structural_rank < A.n) return false;
  s.numeric = klu_factor(const_cast<int*>(A.offsets.data()), const_cast<int*>(A.columns.data()),
                         const_cast<double*>(A.values.data()), s.symbolic, &s.common);
  if (s.common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (s.numeric == nullptr || s.common.status != KLU_OK) return false;
  // Of all pivots, the least over the greatest.
  klu_rcond(s.symbolic, s.numeric, &s.common);
  return std::isfinite(s.common.rcond) && s.common.rcond > 0;
}

void SparseLu::solve(double* x) const {
  const State& s = *m_state;
  if (s.symbolic == nullptr) return;
  klu_tsolve(s.symbolic, s.numeric, s.symbolic->n, 1, x, &s.common);
}

#else

struct SparseLu::State {};

SparseLu::SparseLu(const HostMatrix&) {
  throw Error(ErrorKind::configuration, "this library was built without SuiteSparse");
}
double SparseLu::flops() const { return 0; }
double SparseLu::entries() const { return 0; }
double SparseLu::stored_entries() const { return 0; }
bool SparseLu::factor(const HostMatrix&) { return false; }
void SparseLu::solve(double*) const {}

#endif

SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

}  // namespace tessera::direct
