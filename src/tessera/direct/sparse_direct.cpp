// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/sparse_direct.hpp"

#include "tessera/direct/detail/indefinite.hpp"
#include "tessera/direct/detail/nested_dissection.hpp"
#include "tessera/direct/general_lu.hpp"
#include "tessera/direct/selection_rules.hpp"
#include "tessera/direct/sparse_cholesky.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace tessera::direct {
namespace {

/// What is added to the diagonal of a singular matrix, relative to the row.
constexpr double shift_of_singular = 1e-8;

template <class Numbers>
bool all_finite(const Numbers& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

/// A with a share of each row's largest entry added to its diagonal; 1 to empty rows.
HostMatrix shifted(const HostMatrix& A, double share) {
  HostMatrix result;
  result.n = A.n;
  result.offsets.assign(1, 0);
  for (int i = 0; i < A.n; ++i) {
    double largest = 0;
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      largest = std::max(largest, std::abs(A.values[e]));
    const double shift = largest > 0 ? share * largest : 1;
    bool done = false;
    const auto add_diagonal = [&](double value) {
      result.columns.push_back(i);
      result.values.push_back(value);
      done = true;
    };
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) {
        // Away from zero.
        add_diagonal(A.values[e] + std::copysign(shift, A.values[e]));
        continue;
      }
      if (A.columns[e] > i && !done) add_diagonal(shift);
      result.columns.push_back(A.columns[e]);
      result.values.push_back(A.values[e]);
    }
    if (!done) add_diagonal(shift);
    result.offsets.push_back(result.num_entries());
  }
  return result;
}

}  // namespace

bool available() {
#ifdef TESSERA_HAVE_SUITESPARSE
  return true;
#else
  return false;
#endif
}

void require_ordering(Ordering ordering) {
  if (ordering != Ordering::nested_dissection || detail::can_dissect()) return;
  throw Error(ErrorKind::configuration,
              "direct.ordering=nested_dissection: this library was built without SCOTCH "
              "(TESSERA_ENABLE_SCOTCH)");
}

struct SparseDirect::State {
  HostMatrix A;
  bool maybe_definite;
  double max_bytes;
  Ordering ordering;
  bool is_settled = false;  ///< the order that it has is the one to factor by
  Cost cost;
  double forecast_entries;  ///< before a number was computed
  SymbolicCholesky symbolic;
  std::optional<SparseCholesky> cholesky;
  std::unique_ptr<GeneralLu> lu;
  bool was_singular = false;
  mutable std::vector<double> work;

  void analyse_lu(const HostMatrix& matrix) {
    lu.reset();  // its memory first
    lu = std::make_unique<GeneralLu>(matrix, max_bytes, ordering);
    cost = lu->cost();
    is_settled = ordering != Ordering::automatic;
  }

  /// Of A or, where its rows cannot be matched with columns, of a matrix nearby.
  void analyse_lu() {
    analyse_lu(A);
    was_singular = !lu->are_rows_matched() && all_finite(A.values);
    if (was_singular) analyse_lu(nearby());
  }

  HostMatrix nearby() const { return shifted(A, shift_of_singular); }

  void analyse_cholesky() {
    symbolic =
        direct::analyse_cholesky(A.n, A.offsets, A.columns, max_bytes / sizeof(double), ordering);
    cost = {symbolic.flops, symbolic.entries, true};
    is_settled = ordering != Ordering::automatic;
  }

  /// Whether a dissection of `matrix` may pay.
  bool is_much_work(const HostMatrix& matrix) const {
    if (cost.bytes() > max_bytes) return true;
    const double most = rules::min_flops_per_entry_of_dissection;
    // Rows that are alike are searched for only where those of eight unknowns could change that.
    return cost.flops >= most * matrix.num_entries() / 64 &&
           cost.flops >= most * detail::distinct_entries(matrix.n, matrix.offsets, matrix.columns);
  }

  void settle_order(const HostMatrix& matrix) {
    if (is_settled) return;
    is_settled = true;
    if (!detail::can_dissect() || !is_much_work(matrix)) return;
    if (lu) {
      lu->dissect(matrix);
      cost = lu->cost();
      return;
    }
    auto other = direct::analyse_cholesky(A.n, A.offsets, A.columns, max_bytes / sizeof(double),
                                          Ordering::nested_dissection);
    if (!takes_less(other, symbolic)) return;
    symbolic = std::move(other);
    cost = {symbolic.flops, symbolic.entries, true};
  }

  bool solves_finitely(const HostSpace& exec, const SparseDirect& solver) const {
    std::vector<double> ones(A.n, 1.0);
    solver.solve(exec, ones.data());
    return all_finite(ones);
  }

  bool try_lu(const HostSpace& exec, const HostMatrix& matrix) {
    settle_order(matrix);
    if (cost.bytes() > max_bytes) return false;
    const bool done = lu->factor(exec, matrix);
    cost = lu->cost();
    return done;
  }
};

SparseDirect::SparseDirect(HostMatrix A, bool maybe_definite, double max_bytes, Ordering ordering)
    : m_state(std::make_unique<State>()) {
  if (!available()) {
    throw Error(ErrorKind::configuration,
                "there is no sparse direct solver: this library was built without SuiteSparse");
  }
  require_ordering(ordering);
  State& s = *m_state;
  s.A = std::move(A);
  s.ordering = ordering;
  s.maybe_definite = maybe_definite && !detail::is_surely_indefinite(s.A);
  s.max_bytes = max_bytes;
  if (s.maybe_definite) {
    s.analyse_cholesky();
  } else {
    s.analyse_lu();
  }
  s.forecast_entries = s.cost.entries;
}

SparseDirect::~SparseDirect() = default;

void SparseDirect::settle_order() {
  State& s = *m_state;
  s.settle_order(s.was_singular ? s.nearby() : s.A);
  s.forecast_entries = s.cost.entries;
}

const Cost& SparseDirect::cost() const { return m_state->cost; }

bool SparseDirect::fits() const { return m_state->cost.bytes() <= m_state->max_bytes; }

int SparseDirect::num_rows() const { return m_state->A.n; }

bool SparseDirect::factor(const HostSpace& exec, double epsilon) {
  State& s = *m_state;
  s.cholesky.reset();
  if (!all_finite(s.A.values)) return false;
  if (!s.is_settled) settle_order();
  // Four units are lost where rows are made; twenty leave room for sums of a few hundred.
  const double min_pivot = 80 * epsilon;
  if (s.symbolic.has_structure) {
    s.cholesky.emplace();
    if (s.cholesky->factor(exec, s.A, s.symbolic, min_pivot) && s.solves_finitely(exec, *this))
      return true;
    s.cholesky.reset();
  } else if (s.maybe_definite) {
    return false;
  }
  if (!s.lu) s.analyse_lu();
  if (!s.was_singular) {
    if (s.try_lu(exec, s.A)) return true;
    if (!fits()) return false;
    s.was_singular = true;
    s.analyse_lu(s.nearby());
  }
  return s.try_lu(exec, s.nearby());
}

bool SparseDirect::factor(const HostSpace& exec, HostMatrix A, double epsilon) {
  State& s = *m_state;
  s.A = std::move(A);
  // The order of a shifted matrix is not that of this one.
  if (s.was_singular) s.lu.reset();
  s.was_singular = false;
  return factor(exec, epsilon);
}

void SparseDirect::solve(const HostSpace& exec, double* x) const {
  const State& s = *m_state;
  if (!s.cholesky) return s.lu->solve(exec, x);
  s.work.resize(s.A.n);
  s.cholesky->solve(exec, x, s.work.data());
}

bool SparseDirect::is_cholesky() const { return m_state->cholesky.has_value(); }

std::string SparseDirect::description() const {
  const State& s = *m_state;
  const int raised = s.cholesky ? s.cholesky->raised_pivots() : s.lu->raised_pivots();
  const double stored = s.cholesky ? s.cholesky->stored_entries() : s.lu->stored_entries();
  const auto whole = [](double count) { return std::to_string(static_cast<long long>(count)); };
  std::string text = s.cholesky ? "cholesky" : s.lu->is_in_panels() ? "lu in panels" : "lu";
  text += ", " + whole(stored) + " entries";
  if (s.cholesky ? s.symbolic.ordering == Ordering::nested_dissection
                 : s.lu->is_in_panels() && s.lu->is_dissected())
    text += " by nested dissection";
  if (stored != s.forecast_entries) text += " (forecast " + whole(s.forecast_entries) + ")";
  if (raised > 0) text += ", " + std::to_string(raised) + " pivots raised";
  if (s.was_singular) text += ", of a matrix nearby, as it is singular";
  return text;
}

}  // namespace tessera::direct
