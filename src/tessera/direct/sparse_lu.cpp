// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_lu.hpp"

#include "tessera/direct/detail/pivot_bound.hpp"
#include "tessera/direct/selection_rules.hpp"
#include "tessera/kernels/execution/error.hpp"

#ifdef TESSERA_HAVE_SUITESPARSE
#include <klu.h>
#endif

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::direct {

#ifdef TESSERA_HAVE_SUITESPARSE

/// A diagonal entry of this share of its column's largest is taken as the pivot. KLU's own 0.001
/// makes sparser factors of saddle points, and loses three to five digits more on them.
constexpr double min_share_of_largest = 0.1;

/// What klu_analyze takes as the order of a block.
enum class Order { amd = 0, colamd = 1 };

struct FreeSymbolic {
  klu_common* common;
  void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
};
using Symbolic = std::unique_ptr<klu_symbolic, FreeSymbolic>;

/// KLU takes compressed columns: our rows are the columns of A^T, whose transposed solve is ours.
/// It changes none of the arrays that it takes as pointers to mutable numbers.
struct SparseLu::State {
  State() {
    klu_defaults(&common);
    common.tol = min_share_of_largest;
  }
  ~State() { klu_free_numeric(&numeric, &common); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Symbolic analyse(const HostMatrix& A, Order order);
  void take_colamd_where_cheap(const HostMatrix& A);

  mutable klu_common common{};
  Symbolic symbolic{nullptr, {&common}};
  klu_numeric* numeric = nullptr;
  Cost cost;
  bool is_by_colamd = false;
};

namespace {

Cost estimate_of(const klu_symbolic& by_amd) {
  return {std::max(0.0, by_amd.est_flops),
          std::max(0.0, by_amd.lnz) + std::max(0.0, by_amd.unz) + by_amd.nzoff, false};
}

bool is_singular(const klu_symbolic& symbolic) {
  return symbolic.structural_rank != -1 && symbolic.structural_rank < symbolic.n;
}

detail::Blocks blocks_of(const klu_symbolic& symbolic) {
  detail::Blocks result{std::vector<int>(symbolic.n), std::vector<int>(symbolic.n)};
  for (int block = 0; block < symbolic.nblocks; ++block) {
    for (int k = symbolic.R[block]; k < symbolic.R[block + 1]; ++k) {
      result.of_row[symbolic.Q[k]] = block;
      result.of_column[symbolic.P[k]] = block;
    }
  }
  return result;
}

/// Pivots off the diagonal take several times the estimate; those on it about half of the bound.
bool is_sure_to_pay(const Cost& bound, const Cost& estimate) {
  const double cheap = rules::max_seconds_of_second_try;
  if (bound.seconds() <= cheap)
    return bound.entries <= rules::max_bound_over_estimate_of_cheap * estimate.entries;
  return estimate.seconds() > cheap &&
         bound.entries <= rules::max_bound_over_estimate * estimate.entries;
}

}  // namespace

Symbolic SparseLu::State::analyse(const HostMatrix& A, Order order) {
  // A null pointer is refused even where there is nothing to read.
  int no_column = 0;
  int* columns = A.columns.empty() ? &no_column : const_cast<int*>(A.columns.data());
  common.ordering = static_cast<int>(order);
  Symbolic result(klu_analyze(A.n, const_cast<int*>(A.offsets.data()), columns, &common),
                  {&common});
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  require(result != nullptr, [&] {
    return "KLU did not order the matrix, its status is " + std::to_string(common.status);
  });
  return result;
}

void SparseLu::State::take_colamd_where_cheap(const HostMatrix& A) {
  if (is_singular(*symbolic)) return;
  Symbolic other = analyse(A, Order::colamd);
  const std::optional<detail::PivotBound> found =
      detail::bound_any_pivots(A, blocks_of(*other), std::vector<int>(other->Q, other->Q + A.n),
                               rules::max_products_of_bound * cost.entries);
  if (!found) return;
  const Cost bound{found->flops, found->entries, false};
  if (!is_sure_to_pay(bound, cost)) return;
  symbolic = std::move(other);
  cost = bound;
  is_by_colamd = true;
}

SparseLu::SparseLu(const HostMatrix& A) : m_state(std::make_unique<State>()) {
  State& s = *m_state;
  if (A.n == 0) return;
  s.symbolic = s.analyse(A, Order::amd);
  s.cost = estimate_of(*s.symbolic);
  s.take_colamd_where_cheap(A);
}

const Cost& SparseLu::cost() const { return m_state->cost; }
bool SparseLu::is_by_colamd() const { return m_state->is_by_colamd; }

double SparseLu::stored_entries() const {
  const klu_numeric* const numeric = m_state->numeric;
  if (numeric == nullptr) return 0;
  return static_cast<double>(numeric->lnz) + numeric->unz + numeric->nzoff;
}

bool SparseLu::factor(const HostMatrix& A) {
  State& s = *m_state;
  if (A.n == 0) return true;
  klu_free_numeric(&s.numeric, &s.common);
  if (is_singular(*s.symbolic)) return false;
  s.numeric = klu_factor(const_cast<int*>(A.offsets.data()), const_cast<int*>(A.columns.data()),
                         const_cast<double*>(A.values.data()), s.symbolic.get(), &s.common);
  if (s.common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (s.numeric == nullptr || s.common.status != KLU_OK) return false;
  // Of all pivots, the least over the greatest.
  klu_rcond(s.symbolic.get(), s.numeric, &s.common);
  return std::isfinite(s.common.rcond) && s.common.rcond > 0;
}

void SparseLu::solve(double* x) const {
  const State& s = *m_state;
  if (s.symbolic == nullptr) return;
  klu_tsolve(s.symbolic.get(), s.numeric, s.symbolic->n, 1, x, &s.common);
}

#else

struct SparseLu::State {
  Cost cost;
};

SparseLu::SparseLu(const HostMatrix&) {
  throw Error(ErrorKind::configuration, "this library was built without SuiteSparse");
}
const Cost& SparseLu::cost() const { return m_state->cost; }
bool SparseLu::is_by_colamd() const { return false; }
double SparseLu::stored_entries() const { return 0; }
bool SparseLu::factor(const HostMatrix&) { return false; }
void SparseLu::solve(double*) const {}

#endif

SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

}  // namespace tessera::direct
