// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/classical_coarsening.hpp"

#include "tessera/amg/coarsening/function_part.hpp"
#include "tessera/amg/coarsening/multipass_interpolation.hpp"
#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/coarsening/node_splitting.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

inline bool is_by_sign(const ClassicalParameters& p) {
  return p.strong_couplings == StrongCouplings::by_sign;
}

template <class Scalar, class Space, class Offset>
kernels::DependenceOptions dependence_options(const ClassicalParameters& p,
                                              const kernels::CsrView<Scalar, Space, Offset>& A) {
  return {p.strength_threshold, p.max_row_sum, is_by_sign(p),
          kernels::longest_ordinary_row(A.num_rows, A.num_entries)};
}

/// Empty where there is one; nodes of several unknowns have as many.
template <class Scalar, class Space, class Offset>
Array<const Ordinal, Space> functions_of(const Space& exec,
                                         const FineLevel<Scalar, Space, Offset>& fine) {
  if (fine.block_size == 1) return fine.functions;
  return functions_of_nodes(exec, fine.A->num_rows(), fine.block_size);
}

inline std::string name_of(PointSplitting splitting) {
  return splitting == PointSplitting::pmis ? "pmis" : "advancing front";
}

}  // namespace detail

// `Coarse` as the class has it: the name in its base is another type to clang.
//! [classical coarsening]
template <class Scalar, class Space, class Offset>
auto ClassicalCoarsening<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                            const ConstVectors& /*B*/,
                                                            const CoarseningLimits& limits,
                                                            Product& product,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  if (is_aggressive(fine.number)) require_reach(m_parameters);
  timer.start(exec, "strength");
  m_functions = detail::functions_of(exec, fine);
  const auto A = couplings(exec, fine.A->view());
  auto found = dependences(exec, fine, A);

  timer.start(exec, "splitting");
  const Splitting<Space> points = split(exec, fine, found);
  if (!limits.allow_nodes(points.num_coarse / fine.block_size)) return std::nullopt;

  timer.start(exec, "interpolation");
  found.stays = {};
  if (splits_nodes(fine))
    found.strong =
        strong_in_nodes(exec, A, found.strong, fine.block_size, detail::is_by_sign(m_parameters));
  Coarse coarse;
  coarse.P = m_interpolation->make(exec, A, found.strong, timer);
  if (m_functions.extent(0) != 0 && !splits_nodes(fine)) {
    coarse.functions =
        functions_of_coarse_points(exec, m_functions, points.coarse_number, points.num_coarse);
    coarse.near_nullspace = unit_vectors<Scalar, Space>(exec, {1, points.num_coarse});
  }
  coarse.coarse_number = points.coarse_number;
  coarse.aggregation = detail::name_of(m_parameters.splitting);
  if (is_aggressive(fine.number)) coarse.aggregation += ", twice";
  release();
  product.make(exec, coarse);
  return coarse;
}
//! [classical coarsening]

template <class Scalar, class Space, class Offset>
auto ClassicalCoarsening<Scalar, Space, Offset>::dependences(
    const Space& exec, const Fine& fine, const kernels::CsrView<Scalar, Space, Offset>& A) const
    -> kernels::Dependences<Space, Offset> {
  if (!splits_nodes(fine))
    return kernels::strong_dependences(exec, A, detail::dependence_options(m_parameters, A));
  const auto norms = block_norms(exec, fine.A->view(), fine.block_size);
  auto options = detail::dependence_options(m_parameters, norms.view());
  options.by_sign = true;  // norms have one
  return kernels::strong_dependences(exec, norms.view(), options);
}

template <class Scalar, class Space, class Offset>
Splitting<Space> ClassicalCoarsening<Scalar, Space, Offset>::split(
    const Space& exec, const Fine& fine, const kernels::Dependences<Space, Offset>& found) {
  const auto of_unknowns = [&](const Splitting<Space>& nodes) {
    return splits_nodes(fine) ? unknowns_of_nodes(exec, nodes, fine.block_size) : nodes;
  };
  const Splitting<Space> first_split = split_points(exec, found, m_parameters.splitting);
  Splitting<Space> first = of_unknowns(first_split);
  if (!is_aggressive(fine.number)) {
    m_interpolation = std::make_unique<OneStageInterpolation<Scalar, Space, Offset>>(
        m_parameters, first, m_keeps_pattern);
    return first;
  }
  const Splitting<Space> last = of_unknowns(split_coarse_points(
      exec, found, first_split, m_parameters.splitting, m_parameters.aggressive_paths));
  if (m_parameters.aggressive_interpolation == AggressiveInterpolation::multipass) {
    m_interpolation =
        std::make_unique<MultipassInterpolation<Scalar, Space, Offset>>(m_parameters, last);
  } else {
    m_interpolation = std::make_unique<TwoStageInterpolation<Scalar, Space, Offset>>(
        m_parameters, first, last, m_keeps_pattern);
  }
  return last;
}

template <class Scalar, class Space, class Offset>
auto ClassicalCoarsening<Scalar, Space, Offset>::couplings(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A)
    -> kernels::CsrView<Scalar, Space, Offset> {
  if (m_functions.extent(0) == 0) return A;
  if (m_function_part.offsets.extent(0) == 0)
    m_function_part = function_pattern(exec, A, m_functions);
  fill_function_part(exec, A, m_functions, m_function_part);
  return m_function_part.view();
}

template <class Scalar, class Space, class Offset>
void ClassicalCoarsening<Scalar, Space, Offset>::compute(const Space& exec, const Fine& fine,
                                                         bool keeps_interpolation, Product& product,
                                                         Coarse& coarse, PhaseTimer<Space>& timer) {
  require(m_keeps_pattern, [] {
    return std::string("ClassicalCoarsening::compute without what initialize found of the pattern");
  });
  if (!keeps_interpolation) {
    timer.start(exec, "interpolation");
    m_interpolation->remake(exec, couplings(exec, fine.A->view()), coarse.P, timer);
    release();
  }
  product.remake(exec, !keeps_interpolation, coarse);
}

template <class Scalar, class Space, class Offset>
void ClassicalCoarsening<Scalar, Space, Offset>::release() {
  if (m_keeps_pattern) {
    m_interpolation->release();
    m_function_part.values = {};
  } else {
    m_interpolation = nullptr;
    m_function_part = {};
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, ClassicalCoarsening)

}  // namespace tessera::amg
