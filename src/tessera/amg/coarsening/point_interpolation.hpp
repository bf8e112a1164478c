// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The interpolation of classical multigrid, whichever it is.
#pragma once

#include "tessera/amg/coarsening/classical_interpolation.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/amg/coarsening/truncated_product.hpp"

#include <memory>

namespace tessera::amg {

/// Makes P for a splitting, and its values again for new ones of A in the same pattern.
template <class Scalar, class Space, class Offset>
class PointInterpolation {
 public:
  using Csr = kernels::Csr<Scalar, Space, Offset>;
  using CsrView = kernels::CsrView<Scalar, Space, Offset>;
  using Graph = kernels::Graph<Space, Offset>;

  virtual ~PointInterpolation() = default;
  /// Empties `strong` as soon as it can: what setup has at its peak is not to hold it as well.
  virtual Csr make(const Space& exec, const CsrView& A, Graph& strong,
                   PhaseTimer<Space>& timer) = 0;
  /// P has the pattern that `make` gave it, and room for its values.
  virtual void remake(const Space& exec, const CsrView& A, const Csr& P,
                      PhaseTimer<Space>& timer) = 0;
  /// Frees values; patterns stay, for `remake`.
  virtual void release() = 0;
};

inline TruncationOptions truncation_options(const ClassicalParameters& p, bool is_remade) {
  return {p.truncation_factor, p.max_row_entries, is_remade};
}

/// From the coarse points around a fine one.
template <class Scalar, class Space, class Offset>
class OneStageInterpolation : public PointInterpolation<Scalar, Space, Offset> {
 public:
  using typename PointInterpolation<Scalar, Space, Offset>::Csr;
  using typename PointInterpolation<Scalar, Space, Offset>::CsrView;
  using typename PointInterpolation<Scalar, Space, Offset>::Graph;

  /// `is_remade`: whether `remake` is to follow.
  OneStageInterpolation(const ClassicalParameters& parameters, const Splitting<Space>& splitting,
                        bool is_remade = true)
      : m_parameters(parameters), m_splitting(splitting), m_is_remade(is_remade) {}

  Csr make(const Space& exec, const CsrView& A, Graph& strong, PhaseTimer<Space>& timer) override {
    m_factors = interpolation_pattern<Scalar, Space, Offset>(
        exec, strong, m_splitting.coarse_number, m_splitting.num_coarse,
        m_parameters.interpolation);
    strong = {};
    fill_interpolation(exec, A, m_parameters.interpolation, m_factors);
    return m_product.make(exec, m_factors.M, m_factors.N,
                          truncation_options(m_parameters, m_is_remade), timer);
  }
  void remake(const Space& exec, const CsrView& A, const Csr& P,
              PhaseTimer<Space>& timer) override {
    fill_interpolation(exec, A, m_parameters.interpolation, m_factors);
    m_product.remake(exec, m_factors.M, m_factors.N, P, timer);
  }
  void release() override {
    m_factors.M.values = m_factors.N.values = {};
    m_product.release();
  }

 private:
  ClassicalParameters m_parameters;
  Splitting<Space> m_splitting;
  bool m_is_remade;
  InterpolationFactors<Scalar, Space, Offset> m_factors;
  TruncatedProduct<Scalar, Space, Offset> m_product;
};

}  // namespace tessera::amg
