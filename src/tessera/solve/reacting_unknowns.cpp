// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/reacting_unknowns.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/solve/row_samples.hpp"
#include "tessera/solve/selection_rules.hpp"

namespace tessera {
namespace detail {

/// Magnitudes over the diagonal of couplings to other unknowns.
struct OtherUnknowns {
  double rows = 0;
  double all = 0;
  double same_sign = 0;
  double reaction = 0;  ///< of the opposite sign, within nodes

  KOKKOS_FUNCTION OtherUnknowns& operator+=(const OtherUnknowns& o) {
    rows += o.rows;
    all += o.all;
    same_sign += o.same_sign;
    reaction += o.reaction;
    return *this;
  }
};

template <class Scalar, class Space, class Offset>
struct LookAtOtherUnknowns {
  kernels::CsrView<Scalar, Space, Offset> A;
  amg::Nodes nodes;

  KOKKOS_FUNCTION void operator()(Ordinal i, OtherUnknowns& sum) const {
    const Offset begin = A.offsets(i), end = A.offsets(i + 1);
    if (end - begin > max_length_of_sample) return;
    double diagonal = 0;
    for (Offset e = begin; e < end; ++e)
      diagonal += A.columns(e) == i ? static_cast<double>(A.values(e)) : 0.0;
    if (diagonal == 0) return;
    OtherUnknowns row{1, 0, 0, 0};
    for (Offset e = begin; e < end; ++e) {
      const Ordinal j = A.columns(e);
      if (nodes.unknown(j) == nodes.unknown(i)) continue;
      const double coupling = static_cast<double>(A.values(e)) / diagonal;
      const double size = Kokkos::fabs(coupling);
      row.all += size;
      row.same_sign += coupling > 0 ? size : 0.0;
      row.reaction += coupling < 0 && nodes.node(j) == nodes.node(i) ? size : 0.0;
    }
    sum += row;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
NodeCouplings sampled_node_couplings(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& A,
                                     const amg::Nodes& nodes) {
  const detail::SampledRows sample(A.num_rows);
  const detail::LookAtOtherUnknowns<Scalar, Space, Offset> look{A, nodes};
  const auto sums = kernels::ordered_sum<detail::OtherUnknowns>(
      exec, "tessera::inspect::reactions", sample.count,
      KOKKOS_LAMBDA(const std::uint32_t k, detail::OtherUnknowns& sum) {
        look(static_cast<Ordinal>(sample.row(k)), sum);
      });
  NodeCouplings found;
  if (sums.rows > 0) found.reaction = sums.reaction / sums.rows;
  if (sums.all > 0) found.same_sign = sums.same_sign / sums.all;
  return found;
}

template <class Scalar, class Space, class Offset>
amg::Nodes without_reacting(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                            const amg::Nodes& found, MatrixFacts& facts) {
  facts.reacting_unknowns = 1;
  if (found.block_size == 1) return found;
  const NodeCouplings couplings = sampled_node_couplings(exec, A, found);
  if (couplings.reaction < rules::share_of_reactions ||
      couplings.same_sign > rules::max_same_sign_of_reactions)
    return found;
  facts.reacting_unknowns = found.block_size;
  return {1, A.num_rows, false};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sampled_node_couplings)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, without_reacting)

}  // namespace tessera
