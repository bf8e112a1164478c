// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/smoothed_aggregation.hpp"

#include "tessera/amg/coarsening/galerkin_size.hpp"
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/amg/coarsening/restriction.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/selection_rules.hpp"
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

/// Groups the nodes of `fine` by the way that the user chose, or by the first that fits.
template <class Scalar, class Space, class Offset>
kernels::Aggregates<Space> aggregate(const Space& exec, const kernels::Graph<Space, Offset>& graph,
                                     Aggregation how, const FineLevel<Scalar, Space, Offset>& fine,
                                     CoarseLevel<Scalar, Space, Offset>& coarse) {
  if (how != Aggregation::mis2) {
    if (auto boxes = kernels::aggregate_structured(exec, graph, 0, fine.box)) {
      coarse.box = boxes->coarse;
      coarse.aggregation = "boxes on a grid of " + box_text(boxes->fine);
      return boxes->aggregates;
    }
    if (how == Aggregation::structured && fine.number == 0) {
      throw Error(ErrorKind::configuration,
                  "aggregation = structured needs nodes numbered along the axes of a box, with "
                  "neighbours at most one apart in each direction, and no boxes that weak "
                  "couplings cut through; use auto or mis2 for this matrix");
    }
  }
  coarse.aggregation = grouped_by_mis2;
  return kernels::aggregate_mis2(exec, graph);
}

/// Hubs, which strength has left alone, stay on every level: what they tie together is a mode of
/// its own.
template <class Scalar, class Space, class Offset>
void add_hubs(const Space& exec, const FineLevel<Scalar, Space, Offset>& fine,
              kernels::Aggregates<Space>& aggregates, CoarseLevel<Scalar, Space, Offset>& coarse) {
  const auto A = fine.A->view();
  const std::size_t longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  // The plan has seen the longest row: where it is of no matter to products, it is no hub either.
  const double average_row = static_cast<double>(A.num_entries) / A.num_rows;
  const bool may_have_hubs =
      fine.A->plan().algorithm == kernels::CsrSpmvAlgorithm::load_balanced ||
      rules::longest_even_row_over_mean * average_row > static_cast<double>(longest_row);
  if (!may_have_hubs) return;
  const kernels::HubTest<Space, Offset> is_hub{A.offsets, fine.block_size, longest_row};
  const Ordinal num_hubs = kernels::add_hub_aggregates(exec, is_hub, aggregates);
  if (num_hubs == 0) return;
  coarse.box.reset();
  coarse.aggregation +=
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
  m_Rt.values = allocate<Scalar>(exec, "tessera::amg::values", m_Rt.num_entries());
  smooth_restriction_numeric(exec, couplings.At.view(), couplings.skewness, fine.inverse_diagonal,
                             omega(fine), m_tentative, m_Rt, R, filter_of_columns(fine, couplings),
                             m_longest);
  m_Rt.values = {};
}

template <class Scalar, class Space, class Offset>
auto SmoothedAggregation<Scalar, Space, Offset>::strength(const Space& exec, const Fine& fine,
                                                          const Couplings& couplings) const
    -> Graph {
  return kernels::strength_of_connection(exec, fine.A->view(), theta(), couplings.scale,
                                         fine.block_size);
}

template <class Scalar, class Space, class Offset>
kernels::Aggregates<Space> SmoothedAggregation<Scalar, Space, Offset>::aggregation(
    const Space& exec, const Fine& fine, const Graph& C, Coarse& coarse) const {
  // Of two upwind neighbours one alone sees the other, and aggregates are of a symmetric graph.
  auto aggregates = detail::aggregate(exec, m_symmetric ? C : kernels::symmetrize(exec, C),
                                      m_parameters.aggregation, fine, coarse);
  detail::add_hubs(exec, fine, aggregates, coarse);
  return aggregates;
}

template <class Scalar, class Space, class Offset>
auto SmoothedAggregation<Scalar, Space, Offset>::prolongator_smoothing(
    const Space& exec, const Fine& fine, const Couplings& couplings, const CoarseningLimits& limits)
    -> Csr {
  const auto A = fine.A->view();
  const auto m = static_cast<int>(m_tentative.coarse_near_nullspace.extent(1));
  const double average_row = static_cast<double>(A.num_entries) / A.num_rows;
  const std::size_t longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  m_longest = m_parameters.prolongator_omega > 0 ? longest_row : 0;
  kernels::RowLengths lengths;
  Csr P = smoothed(exec, fine, couplings, m_longest, lengths);
  while (m_longest > 0 &&
         !galerkin_product_fits(exec, A, P.view(), m, m_longest, limits.finest_entries,
                                limits.max_entries, lengths.longest)) {
    m_longest = static_cast<double>(m_longest) > 4 * average_row ? m_longest / 4 : 0;
    P = smoothed(exec, fine, couplings, m_longest, lengths);
  }
  return P;
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::galerkin_product(const Space& exec,
                                                                  const Fine& fine,
                                                                  Couplings& couplings,
                                                                  Product& product, Coarse& coarse,
                                                                  PhaseTimer<Space>& timer) {
  if (!m_symmetric && m_longest > 0) {
    timer.start(exec, "restriction");
    coarse.R = restriction(exec, fine, couplings, m_longest);
    m_Rt.values = {};
  }
  couplings = {};
  coarse.dropped = m_tentative.dropped;
  product.make(exec, coarse);
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::retry_unsmoothed(const Space& exec,
                                                                  const CoarseningLimits& limits,
                                                                  Product& product,
                                                                  Coarse& coarse) {
  if (m_longest == 0 || limits.fits(coarse.A.num_entries())) return;
  m_longest = 0;
  coarse.P = m_tentative.T;
  coarse.R = {};
  coarse.dropped = m_tentative.dropped;
  product.make(exec, coarse);
}

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::note_unsmoothed(const Fine& fine,
                                                                 Coarse& coarse) const {
  const auto A = fine.A->view();
  if (m_parameters.prolongator_omega > 0 &&
      m_longest < kernels::longest_ordinary_row(A.num_rows, A.num_entries))
    coarse.notes.push_back(detail::unsmoothed_note(m_longest));
}

// `Coarse` as the class has it: the name in its base is another type to clang.
//! [smoothed aggregation]
template <class Scalar, class Space, class Offset>
auto SmoothedAggregation<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                            const ConstVectors& B,
                                                            const CoarseningLimits& limits,
                                                            Product& product,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  Coarse coarse;
  m_symmetric = fine.symmetric;

  timer.start(exec, "strength");
  Couplings near = couplings(exec, fine.A->view(), fine.block_size);
  Graph C = strength(exec, fine, near);

  timer.start(exec, "aggregation");
  auto aggregates = aggregation(exec, fine, C, coarse);
  if (!limits.allow_nodes(aggregates.num_aggregates)) return std::nullopt;

  timer.start(exec, "tentative prolongator");
  m_tentative = tentative_prolongator<Offset>(exec, aggregates, B, fine.block_size);
  coarse.near_nullspace = m_tentative.coarse_near_nullspace;

  // Weak entries would smear the prolongator across what strength has cut; the filter is made for
  // one unknown per node, and for nothing where no entry is weak.
  const bool any_weak = C.num_edges() + C.num_nodes < fine.A->num_entries();
  m_filtered = fine.block_size == 1 && B.extent(1) == 1 && any_weak;
  // What setup has at its peak, in the Galerkin product, is not to hold these as well.
  C = {};
  aggregates = {};

  timer.start(exec, "prolongator smoothing");
  coarse.P = prolongator_smoothing(exec, fine, near, limits);
  galerkin_product(exec, fine, near, product, coarse, timer);
  retry_unsmoothed(exec, limits, product, coarse);
  note_unsmoothed(fine, coarse);
  if (!m_keeps_pattern) m_tentative = {};
  return coarse;
}
//! [smoothed aggregation]

template <class Scalar, class Space, class Offset>
void SmoothedAggregation<Scalar, Space, Offset>::compute(const Space& exec, const Fine& fine,
                                                         bool keeps_interpolation, Product& product,
                                                         Coarse& coarse, PhaseTimer<Space>& timer) {
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
    const WeakFilter<Space> filter{m_filtered ? theta() : 0.0, near.scale, fine.spectral_radius,
                                   m_symmetric};
    smooth_prolongator_numeric(exec, A, fine.inverse_diagonal, omega(fine), m_tentative, coarse.P,
                               filter, m_longest);
    if (!m_symmetric) {
      timer.start(exec, "restriction");
      remake_restriction(exec, fine, near, coarse.R);
    }
  }
  product.remake(exec, new_P, coarse);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, SmoothedAggregation)

}  // namespace tessera::amg
