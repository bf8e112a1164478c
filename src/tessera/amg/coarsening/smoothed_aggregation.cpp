// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/smoothed_aggregation.hpp"

#include "tessera/amg/coarsening/fine_values.hpp"
#include "tessera/amg/coarsening/galerkin_size.hpp"
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/amg/coarsening/restriction.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/aggregate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <utility>

namespace tessera::amg {
namespace detail {

/// "101 x 101 x 101"
std::string box_text(const kernels::Box& box) {
  return std::to_string(box.nx) + " x " + std::to_string(box.ny) + " x " + std::to_string(box.nz);
}

/// Groups the nodes by the way that the user chose, or by the first that fits.
template <class Space, class Offset>
kernels::Aggregates<Space> aggregate(const Space& exec, const kernels::Graph<Space, Offset>& graph,
                                     Aggregation how, CoarseningState& state) {
  if (how != Aggregation::mis2) {
    if (auto boxes = kernels::aggregate_structured(exec, graph, 0, state.box)) {
      state.box = boxes->coarse;
      state.aggregation = "boxes on a grid of " + box_text(boxes->fine);
      return boxes->aggregates;
    }
    if (how == Aggregation::structured && state.depth == 0) {
      throw Error(ErrorKind::configuration,
                  "aggregation = structured needs nodes numbered along the axes of a box, with "
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
std::string unsmoothed_note(std::size_t longest) {
  const std::string rows =
      longest == 0 ? "" : " in rows of more than " + std::to_string(longest) + " entries";
  return "the prolongator of a level is not smoothed" + rows +
         ": the next level would raise the operator complexity above max_operator_complexity";
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
typename SmoothedAggregation<Scalar, Space, Offset>::Couplings
SmoothedAggregation<Scalar, Space, Offset>::couplings(const Space& exec, const CsrView& A,
                                                      int block_size) const {
  Couplings result;
  const auto measure = m_parameters.strength_measure;
  const std::size_t longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  if (theta() > 0) {
    result.scale = kernels::coupling_scale(exec, A, measure, block_size, longest_row);
  }
  if (m_symmetric) return result;
  result.At = kernels::transpose(exec, A);
  const auto At = result.At.view();
  result.skewness = skewness(exec, A, At);
  if (theta() > 0) {
    result.scale_of_columns = kernels::coupling_scale(exec, At, measure, block_size, longest_row);
    // Blocks keep theirs.
    if (block_size == 1) {
      discount_skew_rows(exec, result.skewness, result.scale);
      discount_skew_rows(exec, result.skewness, result.scale_of_columns);
    }
  }
  return result;
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> SmoothedAggregation<Scalar, Space, Offset>::smoothed(
    const Space& exec, const Fine& fine, const Couplings& couplings, std::size_t longest,
    kernels::RowLengths& lengths) const {
  if (longest == 0) return m_tentative.T;
  const WeakFilter<Space> filter{m_filtered ? theta() : 0.0, couplings.scale, fine.spectral_radius,
                                 m_symmetric};
  return smooth_prolongator(exec, fine.A->view(), fine.inverse_diagonal, omega(fine), m_tentative,
                            filter, longest, {}, &lengths);
}

template <class Scalar, class Space, class Offset>
WeakFilter<Space> SmoothedAggregation<Scalar, Space, Offset>::filter_of_columns(
    const Fine& fine, const Couplings& couplings) const {
  return {m_filtered ? theta() : 0.0, couplings.scale_of_columns, fine.spectral_radius};
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> SmoothedAggregation<Scalar, Space, Offset>::restriction(
    const Space& exec, const Fine& fine, const Couplings& couplings, std::size_t longest) {
  return smooth_restriction(exec, couplings.At.view(), couplings.skewness, fine.inverse_diagonal,
                            omega(fine), m_tentative, filter_of_columns(fine, couplings), longest,
                            m_keeps_pattern ? &m_Rt : nullptr);
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::remake_restriction(const Space& exec,
                                                                    const Fine& fine,
                                                                    const Couplings& couplings,
                                                                    const Csr& R) {
  make_room(exec, m_Rt);
  smooth_restriction_numeric(exec, couplings.At.view(), couplings.skewness, fine.inverse_diagonal,
                             omega(fine), m_tentative, m_Rt, R, filter_of_columns(fine, couplings),
                             m_longest);
  if (!fine.reads_rows) m_Rt.values = {};
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::make_product(const Space& exec, Fine& fine,
                                                              Couplings& couplings,
                                                              std::size_t longest, Coarse& coarse,
                                                              PhaseTimer<Space>& timer) {
  if (m_symmetric || longest == 0) {
    couplings = {};
    m_product.make_with_transpose(exec, fine, coarse, timer, m_tentative.dropped);
  } else {
    timer.start(exec, "restriction");
    coarse.R = restriction(exec, fine, couplings, longest);
    if (!fine.reads_rows) m_Rt.values = {};
    couplings = {};
    m_product.make(exec, fine, coarse, timer, m_tentative.dropped);
  }
}

// `Coarse` as the class has it: the name in its base is another type to clang.
template <class Scalar, class Space, class Offset>
auto SmoothedAggregation<Scalar, Space, Offset>::initialize(const Space& exec, Fine& fine,
                                                            NearNullspace<Scalar, Space>& B,
                                                            const CoarseningLimits& limits,
                                                            CoarseningState& state,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  const auto A = fine.A->view();
  m_symmetric = state.symmetric;

  timer.start(exec, "strength");
  Couplings near = couplings(exec, A, fine.block_size);
  auto C = kernels::strength_of_connection(exec, A, theta(), near.scale, fine.block_size);

  timer.start(exec, "aggregation");
  // Of two upwind neighbours one alone sees the other, and aggregates are of a symmetric graph.
  auto aggregates = detail::aggregate(exec, m_symmetric ? C : kernels::symmetrize(exec, C),
                                      m_parameters.aggregation, state);
  // The plan has seen the longest row: where it is of no matter to products, it is no hub either.
  const double average_row = static_cast<double>(A.num_entries) / A.num_rows;
  const std::size_t longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  const bool may_have_hubs = fine.A->plan().algorithm == kernels::CsrSpmvAlgorithm::load_balanced ||
                             16 * average_row > static_cast<double>(longest_row);
  if (may_have_hubs) {
    const kernels::HubTest<Space, Offset> is_hub{A.offsets, fine.block_size, longest_row};
    detail::add_hubs(exec, is_hub, aggregates, state);
  }
  if (!limits.allow_vertices(aggregates.num_aggregates)) return std::nullopt;

  timer.start(exec, "tentative prolongator");
  m_tentative = tentative_prolongator<Offset>(exec, aggregates, B.view(), fine.block_size);

  // Weak entries would smear the prolongator across what strength has cut; the filter is made for
  // one unknown per node, and for nothing where no entry is weak.
  const bool any_weak = C.num_edges() + C.num_nodes < A.num_entries;
  m_filtered = fine.block_size == 1 && B.count() == 1 && any_weak;
  // What setup has at its peak, in the Galerkin product, is not to hold these as well.
  C = {};
  aggregates = {};

  const auto m = static_cast<int>(B.count());
  m_longest = m_parameters.prolongator_omega > 0 ? longest_row : 0;
  Coarse coarse;
  timer.start(exec, "prolongator smoothing");
  kernels::RowLengths lengths;
  coarse.P = smoothed(exec, fine, near, m_longest, lengths);
  while (m_longest > 0 &&
         !galerkin_product_fits(exec, A, coarse.P.view(), m, m_longest, limits.finest_entries,
                                limits.max_entries, lengths.longest)) {
    m_longest = static_cast<double>(m_longest) > 4 * average_row ? m_longest / 4 : 0;
    coarse.P = smoothed(exec, fine, near, m_longest, lengths);
  }
  make_product(exec, fine, near, m_longest, coarse, timer);
  if (m_longest > 0 && !limits.fits(coarse.A.num_entries())) {
    m_longest = 0;
    coarse.P = m_tentative.T;
    make_product(exec, fine, near, m_longest, coarse, timer);
  }
  if (!limits.allow_entries(coarse.A.num_entries())) return std::nullopt;
  if (m_parameters.prolongator_omega > 0 && m_longest < longest_row) {
    state.notes.push_back(detail::unsmoothed_note(m_longest));
  }
  B.replace(m_tentative.coarse_near_nullspace);
  if (!m_keeps_pattern) m_tentative = {};
  return coarse;
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::compute(const Space& exec, Fine& fine,
                                                         bool keeps_interpolation, Coarse& coarse,
                                                         PhaseTimer<Space>& timer) {
  require(m_keeps_pattern, [] {
    return std::string("SmoothedAggregation::compute without what initialize found of the pattern");
  });
  const auto A = fine.A->view();
  const bool new_P = !keeps_interpolation && m_longest > 0;
  if (new_P) {
    timer.start(exec, "strength");
    const Couplings near =
        m_filtered || !m_symmetric ? couplings(exec, A, fine.block_size) : Couplings{};
    timer.start(exec, "prolongator smoothing");
    make_room(exec, coarse.P);
    const WeakFilter<Space> filter{m_filtered ? theta() : 0.0, near.scale, fine.spectral_radius,
                                   m_symmetric};
    smooth_prolongator_numeric(exec, A, fine.inverse_diagonal, omega(fine), m_tentative, coarse.P,
                               filter, m_longest);
    if (!m_symmetric) {
      timer.start(exec, "restriction");
      make_room(exec, coarse.R);
      remake_restriction(exec, fine, near, coarse.R);
    }
  }
  m_product.remake(exec, fine, new_P, coarse, timer, m_tentative.dropped);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class SmoothedAggregation<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
