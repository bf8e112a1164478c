// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by smoothed aggregation: the body of Algorithm 1 of the Cusp paper.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/amg/coarsening/prolongator_smoothing.hpp"
#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/format/row_lengths.hpp"
#include "tessera/kernels/graph/aggregate.hpp"

#include <string_view>

namespace tessera::amg {

/// What `CoarseLevel::aggregation` begins with where nodes are grouped around a MIS(2). The groups
/// are in no order, except along a line: the next level's graph is no other numbered box.
inline constexpr std::string_view grouped_by_mis2 = "mis2";

/// Strength of connection, aggregation, tentative prolongator, its smoothing, and the Galerkin
/// product. The product is made where it is known to fit max_operator_complexity. Where it would
/// not, what fills it are long rows: they keep the tentative prolongator's entries, the longest
/// ones first, and in the end all do.
///
/// Of a matrix that is not symmetric, R is smoothed by the transpose.
template <class Scalar, class Space, class Offset>
class SmoothedAggregation : public Coarsening<Scalar, Space, Offset> {
 public:
  using typename Coarsening<Scalar, Space, Offset>::Fine;
  using typename Coarsening<Scalar, Space, Offset>::Coarse;
  using typename Coarsening<Scalar, Space, Offset>::Product;
  using typename Coarsening<Scalar, Space, Offset>::ConstVectors;

  /// `parameters`: those of the level, nothing left open (`coarsening_of_level`). `keeps_pattern`:
  /// `compute` will be called.
  SmoothedAggregation(const SmoothedAggregationParameters& parameters, bool keeps_pattern)
      : m_parameters(parameters), m_keeps_pattern(keeps_pattern) {}

  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors& B,
                                   const CoarseningLimits& limits, Product& product,
                                   PhaseTimer<Space>& timer) override;
  void compute(const Space& exec, const Fine& fine, bool keeps_interpolation, Product& product,
               Coarse& coarse, PhaseTimer<Space>& timer) override;
  bool makes_new_interpolation() const override { return m_longest > 0; }

 private:
  using Csr = kernels::Csr<Scalar, Space, Offset>;
  using CsrView = kernels::CsrView<Scalar, Space, Offset>;
  using Graph = kernels::Graph<Space, Offset>;

  /// What values say of a level before P is smoothed, with what depends on A's transpose where the
  /// operator is not symmetric.
  struct Couplings {
    Array<double, Space> scale;  ///< empty where the threshold is 0
    Csr At;
    Array<Scalar, Space> skewness;
    Array<double, Space> scale_of_columns;  ///< of A^T's couplings
  };
  Couplings couplings(const Space& exec, const CsrView& A, int block_size) const;

  // The steps, in their order.
  Graph strength(const Space& exec, const Fine& fine, const Couplings& couplings) const;
  /// With hubs apart; says in `coarse` how.
  kernels::Aggregates<Space> aggregation(const Space& exec, const Fine& fine, const Graph& C,
                                         Coarse& coarse) const;
  /// P, smoothed in all rows or, where the product would grow too large, in short ones alone.
  Csr prolongator_smoothing(const Space& exec, const Fine& fine, const Couplings& couplings,
                            const CoarseningLimits& limits);
  /// R and A of `coarse` from its P. Frees the couplings, which only R needs, before the product.
  void galerkin_product(const Space& exec, const Fine& fine, Couplings& couplings, Product& product,
                        Coarse& coarse, PhaseTimer<Space>& timer);
  /// The same of the tentative prolongator, where the product of the smoothed one is too large.
  void retry_unsmoothed(const Space& exec, const CoarseningLimits& limits, Product& product,
                        Coarse& coarse);
  void note_unsmoothed(const Fine& fine, Coarse& coarse) const;

  /// P smoothed in rows of at most `longest` entries of A; sets `lengths` where it is smoothed.
  Csr smoothed(const Space& exec, const Fine& fine, const Couplings& couplings, std::size_t longest,
               kernels::RowLengths& lengths) const;
  /// Of a matrix that is not symmetric.
  Csr restriction(const Space& exec, const Fine& fine, const Couplings& couplings,
                  std::size_t longest);
  /// Its values again, in the pattern of `R`.
  void remake_restriction(const Space& exec, const Fine& fine, const Couplings& couplings,
                          const Csr& R);
  WeakFilter<Space> filter_of_columns(const Fine& fine, const Couplings& couplings) const;
  /// The threshold of strength.
  double theta() const { return m_parameters.strength_threshold; }
  double omega(const Fine& fine) const {
    return m_parameters.prolongator_omega / fine.spectral_radius;
  }

  SmoothedAggregationParameters m_parameters;
  bool m_keeps_pattern;
  bool m_symmetric = false;
  bool m_filtered = false;  ///< smoothing leaves weak couplings out
  std::size_t m_longest = 0;  ///< entries of the longest row of A that is smoothed
  Tentative<Scalar, Space, Offset> m_tentative;
  Csr m_Rt;  ///< the pattern of R^T, where it is not P and will be made again
};

}  // namespace tessera::amg
