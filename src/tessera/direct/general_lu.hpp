// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// L U of a general sparse matrix, by the way that suits it.
#pragma once

#include "tessera/direct/cost.hpp"
#include "tessera/direct/panel_lu.hpp"
#include "tessera/direct/sparse_lu.hpp"
#include "tessera/direct/symbolic_lu.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tessera::direct {

/// In panels, whose forecast holds. Their pivots may not do: then KLU, which looks for others, is
/// tried where it is estimated to take next to no time. By COLAMD it takes no more than that; by
/// AMD as much as long as its pivots stay on the diagonal, and a hundred times as much where they
/// do not.
class GeneralLu {
 public:
  /// Orders `A` by its pattern and its values; not in detail where the factors would take more than
  /// `max_bytes`.
  GeneralLu(const HostMatrix& A, double max_bytes, Ordering ordering = Ordering::minimum_degree);
  GeneralLu(const GeneralLu&) = delete;
  GeneralLu& operator=(const GeneralLu&) = delete;

  /// Takes a nested dissection of its pattern in the place of the order, where factors in panels
  /// take fewer operations by it; new values keep it.
  void dissect(const HostMatrix& A);
  bool is_dissected() const;

  /// Otherwise A is singular by its pattern, or holds a number that is not finite: nothing is known
  /// of its cost.
  bool are_rows_matched() const { return m_symbolic.has_value(); }

  const Cost& cost() const { return m_cost; }

  /// Factors a matrix of that pattern. False where a pivot is zero, or a solve not finite.
  [[nodiscard]] bool factor(const HostSpace& exec, const HostMatrix& A);

  /// x <- A^-1 x
  void solve(const HostSpace& exec, double* x) const;

  bool is_in_panels() const { return m_is_in_panels; }  ///< of the factors that were made
  int raised_pivots() const { return m_is_in_panels ? m_panels.raised_pivots() : 0; }
  double stored_entries() const;  ///< of these

 private:
  void order(const HostMatrix& A);
  Cost order_sparse(const HostMatrix& A);
  double factor_in_panels(const HostSpace& exec, const HostMatrix& A);
  double factor_sparse(const HostSpace& exec, const HostMatrix& A);
  double residual_of_solve(const HostSpace& exec, const HostMatrix& A) const;

  double m_max_bytes;
  Ordering m_ordering = Ordering::minimum_degree;
  Cost m_cost;
  std::optional<SymbolicLu> m_symbolic;
  PanelLu m_panels;
  std::unique_ptr<SparseLu> m_sparse;  ///< where it was asked
  bool m_is_in_panels = false;
  bool m_was_factored = false;
  mutable std::vector<double> m_work;
};

}  // namespace tessera::direct
