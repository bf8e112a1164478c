// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One coarsening step of smoothed aggregation: the body of the paper's Algorithm 1.
#pragma once

#include "tessera/amg/galerkin_size.hpp"
#include "tessera/amg/level.hpp"
#include "tessera/amg/nodes.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/phase_timer.hpp"
#include "tessera/amg/prolongator_smoothing.hpp"
#include "tessera/amg/restriction.hpp"
#include "tessera/amg/tentative_prolongator.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/graph/structured.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"

#include <cmath>
#include <optional>

namespace tessera::amg {

/// The near-nullspace vectors of the level being coarsened: the user's, or a unit vector for each
/// unknown of a vertex, which is a column of ones where it has one.
template <class Scalar, class Space>
class Candidates {
 public:
  Candidates(const Space& exec, Ordinal n, const ConstMultiVectorView<Scalar, Space>& given,
             int block_size) {
    if (given.extent(0) == static_cast<std::size_t>(n) && given.extent(1) > 0) {
      m_given = given;
    } else {
      m_vectors = unit_vectors<Scalar, Space>(exec, {block_size, n / block_size});
    }
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
    if (how == Coarsening::structured && state.depth == 0) {
      throw Error(ErrorKind::configuration,
                  "coarsening = structured needs vertices numbered along the axes of a box, with "
                  "neighbours at most one apart in each direction, and no boxes that weak "
                  "couplings cut through; use auto or mis2 for this matrix");
    }
  }
  state.box.reset();
  state.aggregation = "mis2";
  return kernels::aggregate_mis2(exec, graph);
}

/// Hubs, which strength has left alone, stay on every level: what they tie together is a mode of
/// its own.
template <class Space, class Offset>
void add_hubs(const Space& exec, const kernels::HubTest<Space, Offset>& is_hub,
              kernels::Aggregates<Space>& aggregates, CoarseningState& state) {
  const Ordinal num_hubs = kernels::add_hub_aggregates(exec, is_hub, aggregates);
  if (num_hubs == 0) return;
  state.box.reset();
  state.aggregation +=
      num_hubs == 1 ? ", a hub apart" : ", " + std::to_string(num_hubs) + " hubs apart";
}

/// What to say where rows of more than `longest` entries are left unsmoothed; 0: all of them.
inline std::string unsmoothed_note(std::size_t longest) {
  const std::string rows =
      longest == 0 ? "" : " in rows of more than " + std::to_string(longest) + " entries";
  return "the prolongator of a level is not smoothed" + rows +
         ": the next level would raise the operator complexity above max_operator_complexity";
}

/// What connects two levels.
template <class Scalar, class Space, class Offset>
struct Transfer {
  kernels::Csr<Scalar, Space, Offset> P;
  kernels::Csr<Scalar, Space, Offset> R;
};

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
    double theta, kernels::StrengthMeasure measure, const Array<double, Space>& scale,
    std::size_t longest_row) {
  OtherDirection<Scalar, Space, Offset> other;
  other.At = kernels::transpose(exec, A);
  other.skewness = skewness(exec, A, other.At.view());
  if (theta > 0) {
    other.scale = kernels::coupling_scale(exec, other.At.view(), measure, block_size, longest_row);
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
  const double finest_theta = p.strength_threshold < 0
                                  ? usual_strength_threshold(p.strength_measure)
                                  : p.strength_threshold;
  const double scaling = p.strength_scaling < 0 ? usual_strength_scaling : p.strength_scaling;
  const double theta = finest_theta * std::pow(scaling, state.depth);
  Array<double, Space> scale;
  const double average_row = static_cast<double>(A.num_entries) / A.num_rows;
  const std::size_t longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  if (theta > 0) {
    scale = kernels::coupling_scale(exec, A, p.strength_measure, fine.block_size, longest_row);
  }
  const auto other = state.symmetric
                         ? detail::OtherDirection<Scalar, Space, Offset>{}
                         : detail::other_direction(exec, A, fine.block_size, theta,
                                                   p.strength_measure, scale, longest_row);
  const auto C = kernels::strength_of_connection(exec, A, theta, scale, fine.block_size);

  timer.start(exec, "aggregation");
  // Of two upwind neighbours one alone sees the other, and aggregates are of a symmetric graph.
  auto aggregates = detail::aggregate(exec, state.symmetric ? C : kernels::symmetrize(exec, C),
                                      p.coarsening, state);
  // The plan has seen the longest row: where it is of no matter to products, it is no hub either.
  const bool may_have_hubs = fine.A.plan.algorithm == kernels::CsrSpmvAlgorithm::load_balanced ||
                             16 * average_row > static_cast<double>(longest_row);
  if (may_have_hubs) {
    const kernels::HubTest<Space, Offset> is_hub{A.offsets, fine.block_size, longest_row};
    detail::add_hubs(exec, is_hub, aggregates, state);
  }
  const auto coarse_vertices = static_cast<double>(aggregates.num_aggregates);
  if (coarse_vertices == 0 || coarse_vertices > p.max_coarsening_ratio * C.num_vertices) {
    state.notes.push_back("coarsening stalled: " + std::to_string(C.num_vertices) +
                          " vertices would make " + std::to_string(aggregates.num_aggregates) +
                          " aggregates");
    return std::nullopt;
  }

  timer.start(exec, "tentative prolongator");
  const auto T = tentative_prolongator<Offset>(exec, aggregates, B.view(), fine.block_size);

  const double omega = p.prolongator_omega / fine.spectral_radius;
  // Weak entries would smear the prolongator across what strength has cut; the filter is made for
  // one unknown a vertex, and for nothing where no entry is weak.
  const bool any_weak = C.num_edges() + C.num_vertices < A.num_entries;
  const bool filtered = fine.block_size == 1 && B.count() == 1 && any_weak;
  const WeakFilter<Space> filter{filtered ? theta : 0.0, scale, fine.spectral_radius};
  const auto smoothed = [&](std::size_t longest) {
    timer.start(exec, "prolongator smoothing");
    return smooth_prolongator(exec, A, fine.inverse_diagonal, omega, T, filter, longest);
  };
  detail::Transfer<Scalar, Space, Offset> transfer;
  const auto restriction = [&](const kernels::Csr<Scalar, Space, Offset>& P, std::size_t longest) {
    const bool transposes = state.symmetric || longest == 0;
    timer.start(exec, transposes ? "transpose" : "restriction");
    if (transposes) return kernels::transpose(exec, P.view());
    const WeakFilter<Space> filter_of_columns{filtered ? theta : 0.0, other.scale,
                                              fine.spectral_radius};
    return smooth_restriction(exec, other.At.view(), other.skewness, fine.inverse_diagonal, omega,
                              T, filter_of_columns, longest);
  };
  const auto product = [&](const kernels::Csr<Scalar, Space, Offset>& P, std::size_t longest) {
    transfer = {P, restriction(P, longest)};
    timer.start(exec, "Galerkin product");
    return kernels::galerkin_product(exec, transfer.R.view(), A, P.view());
  };

  // The product is made where it is known to fit. Where it would not, what fills it are long rows:
  // they keep T's entries, the longest ones first, and in the end all do.
  const auto finest_entries = static_cast<double>(state.finest_entries);
  const double most_entries =
      p.max_operator_complexity * finest_entries - static_cast<double>(state.entries_so_far);
  const auto m = static_cast<int>(B.count());
  std::size_t longest = p.prolongator_omega > 0 ? longest_row : 0;
  auto P = longest > 0 ? smoothed(longest) : T.T;
  while (longest > 0 &&
         !galerkin_product_fits(exec, A, P.view(), m, longest, finest_entries, most_entries)) {
    longest = static_cast<double>(longest) > 4 * average_row ? longest / 4 : 0;
    P = longest > 0 ? smoothed(longest) : T.T;
  }
  auto Ac = product(P, longest);
  if (longest > 0 && static_cast<double>(Ac.num_entries()) > most_entries) {
    longest = 0;
    Ac = product(T.T, longest);
  }
  if (static_cast<double>(Ac.num_entries()) > most_entries) {
    state.notes.push_back(
        "stopped coarsening: the next level would raise the operator complexity "
        "above max_operator_complexity");
    return std::nullopt;
  }
  if (p.prolongator_omega > 0 && longest < longest_row) {
    state.notes.push_back(detail::unsmoothed_note(longest));
  }
  if (T.any_dropped) detail::set_unit_diagonal(exec, Ac, T.dropped);

  timer.start(exec, "analyse");
  fine.P = {transfer.P, kernels::analyse_spmv(exec, transfer.P.view())};
  fine.R = {transfer.R, kernels::analyse_spmv(exec, transfer.R.view())};
  B.replace(T.coarse_candidates);
  state.entries_so_far += Ac.num_entries();
  ++state.depth;
  return Ac;
}

}  // namespace tessera::amg
