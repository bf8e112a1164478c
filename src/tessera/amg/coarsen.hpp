// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One coarsening step of smoothed aggregation: the body of the paper's Algorithm 1.
#pragma once

#include "tessera/amg/level.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/phase_timer.hpp"
#include "tessera/amg/prolongator_smoothing.hpp"
#include "tessera/amg/restriction.hpp"
#include "tessera/amg/tentative_prolongator.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/graph/structured.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"

#include <cmath>
#include <optional>

namespace tessera::amg {

/// The near-nullspace vectors of the level being coarsened: the user's, or a column of ones.
template <class Scalar, class Space>
class Candidates {
 public:
  Candidates(const Space& exec, std::size_t n, const ConstMultiVectorView<Scalar, Space>& given) {
    if (given.extent(0) == n && given.extent(1) > 0) {
      m_given = given;
      return;
    }
    m_vectors = allocate_multivector<Scalar>(exec, "tessera::amg::candidates", n, 1);
    Kokkos::deep_copy(exec, m_vectors, Scalar(1));
  }

  void replace(const MultiVector<Scalar, Space>& coarse) {
    m_vectors = coarse;
    m_given = {};
  }

  ConstMultiVectorView<Scalar, Space> view() const {
    if (m_given.extent(1) > 0) return m_given;
    return m_vectors;
  }
  std::size_t count() const { return view().extent(1); }

 private:
  ConstMultiVectorView<Scalar, Space> m_given;
  MultiVector<Scalar, Space> m_vectors;
};

/// What one coarsening step hands to the next.
struct CoarseningState {
  std::size_t finest_entries;  ///< of the finest operator
  std::size_t entries_so_far;  ///< of all operators up to this level
  std::vector<std::string>& notes;  ///< what was limited, and why
  int depth = 0;  ///< of this level, 0 the finest
  std::optional<kernels::Box> box = {};  ///< the box of this level's vertices, where it is one
  std::string aggregation = {};  ///< how the last step grouped its vertices
  bool symmetric = false;  ///< the finest operator is, and with it all others
};

/// A level without its relaxation: the operator and the plan of its product.
template <class Scalar, class Space, class Offset>
Level<Scalar, Space, Offset> make_level(const Space& exec,
                                        const kernels::Csr<Scalar, Space, Offset>& A,
                                        int block_size, int depth) {
  Level<Scalar, Space, Offset> level;
  level.A = {A, kernels::analyse_spmv(exec, A.view())};
  level.block_size = block_size;
  level.region = "tessera::level " + std::to_string(depth);
  return level;
}

namespace detail {

/// "101 x 101 x 101"
inline std::string box_text(const kernels::Box& box) {
  return std::to_string(box.nx) + " x " + std::to_string(box.ny) + " x " + std::to_string(box.nz);
}

/// Groups the vertices by the way that the user chose, or by the first that fits.
template <class Space, class Offset>
kernels::Aggregates<Space> aggregate(const Space& exec, const kernels::Graph<Space, Offset>& graph,
                                     Coarsening how, CoarseningState& state) {
  if (how != Coarsening::mis2) {
    if (auto boxes = kernels::aggregate_structured(exec, graph, 0, state.box)) {
      state.box = boxes->coarse;
      state.aggregation = "boxes on a grid of " + box_text(boxes->fine);
      return boxes->aggregates;
    }
    if (how == Coarsening::structured) {
      throw Error(ErrorKind::configuration,
                  "coarsening = structured needs vertices numbered along the axes of a box, with "
                  "neighbours at most one apart in each direction; use auto or mis2 for this "
                  "matrix");
    }
  }
  state.box.reset();
  state.aggregation = "mis2";
  return kernels::aggregate_mis2(exec, graph);
}

/// What a nonsymmetric operator is coarsened by besides itself.
template <class Scalar, class Space, class Offset>
struct OtherDirection {
  kernels::Csr<Scalar, Space, Offset> At;
  Array<Scalar, Space> skewness;
  Array<double, Space> scale;  ///< of A^T's couplings; empty where the threshold is 0
};

/// The same of A, whose own `scale` is discounted where rows are skew, too; blocks keep theirs.
template <class Scalar, class Space, class Offset>
OtherDirection<Scalar, Space, Offset> other_direction(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A, int block_size,
    double theta, kernels::StrengthMeasure measure, const Array<double, Space>& scale) {
  OtherDirection<Scalar, Space, Offset> other;
  other.At = kernels::transpose(exec, A);
  other.skewness = skewness(exec, A, other.At.view());
  if (theta > 0) {
    other.scale = kernels::coupling_scale(exec, other.At.view(), measure, block_size);
    if (block_size == 1) {
      discount_skew_rows(exec, other.skewness, scale);
      discount_skew_rows(exec, other.skewness, other.scale);
    }
  }
  return other;
}

/// Rows of the Galerkin product whose candidate was dropped are empty but for a stored diagonal:
/// 1 there keeps the coarse operator regular without touching any other row.
template <class Scalar, class Space, class Offset>
void set_unit_diagonal(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                       const Array<char, Space>& marked) {
  const auto offsets = A.offsets;
  const auto columns = A.columns;
  const auto values = A.values;
  Kokkos::parallel_for(
      "tessera::amg::set_unit_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (!marked(i)) return;
        for (Offset e = offsets(i); e < offsets(i + 1); ++e) {
          if (columns(e) == i) values(e) = Scalar(1);
        }
      });
}

}  // namespace detail

/// Coarsens `fine`: sets its `P` and `R`, replaces `B` by the coarse candidates, and returns the
/// coarse operator; or leaves all as it is, says why in the notes, and returns nothing where
/// coarsening has stalled or the operators would grow too large.
template <class Scalar, class Space, class Offset>
std::optional<kernels::Csr<Scalar, Space, Offset>> coarsen(
    const Space& exec, Level<Scalar, Space, Offset>& fine, Candidates<Scalar, Space>& B,
    const Parameters& p, CoarseningState& state, PhaseTimer<Space>& timer) {
  const auto A = fine.A.matrix.view();

  timer.start(exec, "strength");
  const double theta = p.strength_threshold * std::pow(p.strength_scaling, state.depth);
  Array<double, Space> scale;
  if (theta > 0) scale = kernels::coupling_scale(exec, A, p.strength_measure, fine.block_size);
  const auto other = state.symmetric ? detail::OtherDirection<Scalar, Space, Offset>{}
                                     : detail::other_direction(exec, A, fine.block_size, theta,
                                                               p.strength_measure, scale);
  const auto C = kernels::strength_of_connection(exec, A, theta, scale, fine.block_size);

  timer.start(exec, "aggregation");
  // Of two upwind neighbours one alone sees the other, and aggregates are of a symmetric graph.
  const auto aggregates = detail::aggregate(
      exec, state.symmetric ? C : kernels::symmetrize(exec, C), p.coarsening, state);
  const auto coarse_vertices = static_cast<double>(aggregates.num_aggregates);
  if (coarse_vertices == 0 || coarse_vertices > p.max_coarsening_ratio * C.num_vertices) {
    state.notes.push_back("coarsening stalled: " + std::to_string(C.num_vertices) +
                          " vertices would make " + std::to_string(aggregates.num_aggregates) +
                          " aggregates");
    return std::nullopt;
  }

  timer.start(exec, "tentative prolongator");
  const auto T = tentative_prolongator<Offset>(exec, aggregates, B.view(), fine.block_size);

  timer.start(exec, "prolongator smoothing");
  const double omega = p.prolongator_omega / fine.spectral_radius;
  // Weak entries would smear the prolongator across what strength has cut; the filter is made for
  // one unknown a vertex, and for nothing where no entry is weak.
  const bool any_weak = C.num_edges() + C.num_vertices < A.num_entries;
  const bool filtered = fine.block_size == 1 && B.count() == 1 && any_weak;
  const WeakFilter<Space> filter{filtered ? theta : 0.0, scale};
  auto P = p.prolongator_omega > 0
               ? smooth_prolongator(exec, A, fine.inverse_diagonal, omega, T, filter)
               : T.T;

  const bool transposes = state.symmetric || p.prolongator_omega == 0;
  timer.start(exec, transposes ? "transpose" : "restriction");
  auto R = transposes
               ? kernels::transpose(exec, P.view())
               : smooth_restriction(exec, other.At.view(), other.skewness, fine.inverse_diagonal,
                                    omega, T, {filtered ? theta : 0.0, other.scale});

  timer.start(exec, "Galerkin product");
  auto Ac = kernels::galerkin_product(exec, R.view(), A, P.view());
  if (T.any_dropped) detail::set_unit_diagonal(exec, Ac, T.dropped);

  const auto total = static_cast<double>(state.entries_so_far + Ac.num_entries());
  if (total > p.max_operator_complexity * static_cast<double>(state.finest_entries)) {
    state.notes.push_back(
        "stopped coarsening: the next level would raise the operator complexity "
        "above max_operator_complexity");
    return std::nullopt;
  }

  timer.start(exec, "analyse");
  fine.P = {P, kernels::analyse_spmv(exec, P.view())};
  fine.R = {R, kernels::analyse_spmv(exec, R.view())};
  B.replace(T.coarse_candidates);
  state.entries_so_far += Ac.num_entries();
  ++state.depth;
  return Ac;
}

}  // namespace tessera::amg
