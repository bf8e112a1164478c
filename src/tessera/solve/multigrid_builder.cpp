// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/multigrid_builder.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/coarsening/node_by_node_preconditioner.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/matrix/magnitudes.hpp"
#include "tessera/solve/detail/multigrid_source.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tessera::detail {

/// Sets up with offsets of 64 bits. False where a NaN or an infinity appears in the hierarchy.
template <class Scalar, class Space, class Offset>
bool set_up_wide(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                 const amg::FinestExtras<Scalar, Space>& extras,
                 const NearNullspace<Scalar, Space>& near,
                 amg::Multigrid<Scalar, Space>& multigrid) {
  return multigrid.try_setup(exec, kernels::convert_offsets<std::int64_t>(exec, A),
                             near.near_nullspace, near.block_size, near.annihilated,
                             {.write_values = extras.write_values, .functions = extras.functions});
}

/// What there is to know of a multigrid, `note` included.
template <class Scalar, class Space>
HierarchyInfo described(const amg::Multigrid<Scalar, Space>& multigrid, const std::string& note) {
  HierarchyInfo info = multigrid.info();
  if (!note.empty()) info.notes.push_back(note);
  return info;
}

/// Whether a choice of precision and powers of two that was made for a matrix in range `before`
/// does for one in range `now`.
bool are_of_one_magnitude(const Magnitudes& before, const Magnitudes& now) {
  const auto is_near = [](double a, double b) {
    return a <= rules::max_change_of_magnitude * b && b <= rules::max_change_of_magnitude * a;
  };
  return is_near(before.largest, now.largest) && is_near(before.smallest_row, now.smallest_row);
}

template <class Scalar, class Space, class Offset>
auto MultigridBuilder<Scalar, Space, Offset>::by_node(const Space& exec, const System& system)
    -> Matrix {
  return system.nodes.by_unknown ? amg::node_by_node(exec, system.A.view(), system.nodes)
                                 : system.A.arrays();
}

/// Puts the values of `*matrix` into an array: those in `*made` once, where there are any, then
/// such as `scaling`, if any, makes of it.
template <class Working, class Scalar, class Space, class Offset>
amg::ValueWriter<Working, Space> value_writer(
    std::shared_ptr<kernels::Csr<Scalar, Space, Offset>> matrix,
    std::shared_ptr<Array<Working, Space>> made, std::optional<amg::Equilibration<Space>> scaling) {
  return [matrix = std::move(matrix), made = std::move(made), scaling = std::move(scaling)](
             const Space& exec, Array<Working, Space>& target) {
    if (made->extent(0) > 0) {
      target = std::exchange(*made, {});
      return;
    }
    if (target.extent(0) == 0)
      target = allocate<Working>(exec, "tessera::amg::values", matrix->num_entries());
    if (scaling) {
      amg::equilibrated_values<Working>(exec, matrix->view(), *scaling, target);
    } else {
      kernels::convert_values(exec, matrix->values, target);
    }
  };
}

template <class Scalar, class Space, class Offset>
template <class Working>
auto MultigridBuilder<Scalar, Space, Offset>::build_multigrid(const Space& exec,
                                                              const System& system,
                                                              const SolveParameters& picked,
                                                              const Near& near, HierarchyInfo& info)
    -> Built {
  m_built = {};
  m_built.by_unknown = system.nodes.by_unknown;
  const Matrix A = by_node(exec, system);
  if constexpr (!std::is_same_v<Working, Scalar>)
    m_float_near_nullspace = converted<Working>(exec, near.near_nullspace);
  auto source = picked.equilibration == Equilibration::none
                    ? plain_source<Working>(system, A, near_in<Working>(near))
                    : equilibrated_source<Working>(exec, system, picked, A, near);
  // A's own values and the vectors given, rather than what is made of them.
  const bool is_given = std::is_same_v<Working, Scalar> && !source.scaling;
  if (!is_given && !amg::usable_near_nullspace<Working, Space>(exec, source.near.near_nullspace))
    return nullptr;
  // The powers of the first setup stay, as do the near-nullspace vectors.
  const auto matrix = std::make_shared<Matrix>(A);
  // Not moved, as what a View was moved from may hold the array still (Kokkos 4.6 on CUDA).
  const auto made = std::make_shared<Array<Working, Space>>(source.values);
  source.values = {};
  source.extras.write_values = value_writer<Working>(matrix, made, source.scaling);
  source.extras.functions = system.functions;
  const kernels::Csr<Working, Space, Offset> pattern{
      A.num_rows, A.num_cols, A.offsets, A.columns, {}};
  auto multigrid = std::make_shared<amg::Multigrid<Working, Space>>(picked.amg);
  std::string note;
  bool finite = false;
  try {
    finite = multigrid->try_setup(exec, pattern, source.near.near_nullspace, source.near.block_size,
                                  source.near.annihilated, source.extras);
  } catch (const OffsetOverflow& overflow) {
    if constexpr (std::is_same_v<Offset, std::int64_t>) throw;
    note = "multigrid with 64-bit offsets: one of its products has " +
           std::to_string(overflow.num_entries()) + " entries";
    multigrid.reset();  // what the longer offsets need is not to come on top of it
    multigrid = std::make_shared<amg::Multigrid<Working, Space>>(picked.amg);
    finite = set_up_wide(exec, pattern, source.extras, source.near, *multigrid);
  }
  *matrix = {};
  *made = {};
  if (!finite) return nullptr;
  info = described(*multigrid, note);
  if (picked.amg.reuse != amg::Reuse::none) {
    std::optional<Magnitudes> range;
    if (!is_given) range = magnitudes(exec, A.view());
    keep_refill(multigrid, note, matrix, range, source.found);
  }
  return wrapped<Working>(exec, system, source.scaling, std::move(multigrid));
}

template <class Scalar, class Space, class Offset>
template <class Working>
NearNullspace<Working, Space> MultigridBuilder<Scalar, Space, Offset>::near_in(
    const Near& near) const {
  if constexpr (std::is_same_v<Working, Scalar>)
    return near;
  else
    return {m_float_near_nullspace, near.annihilated, near.block_size};
}

template <class Scalar, class Space, class Offset>
template <class Working>
auto MultigridBuilder<Scalar, Space, Offset>::wrapped(
    const Space& exec, const System& system, const std::optional<Scaling>& scaling,
    std::shared_ptr<amg::Multigrid<Working, Space>> multigrid) -> Built {
  Built built;
  if constexpr (std::is_same_v<Working, Scalar>) {
    m_built.same = multigrid;
    built = std::move(multigrid);
  } else {
    m_built.in_float = multigrid;
    built = std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(std::move(multigrid),
                                                                       system.A.num_rows());
  }
  m_built.scaling = scaling;
  if (scaling) {
    built = std::make_shared<amg::EquilibratedPreconditioner<Scalar, Space>>(exec, *scaling,
                                                                             std::move(built));
  }
  if (system.nodes.by_unknown) {
    built = std::make_shared<amg::NodeByNodePreconditioner<Scalar, Space>>(system.nodes,
                                                                           std::move(built));
  }
  return built;
}

template <class Scalar, class Space, class Offset>
template <class Working>
void MultigridBuilder<Scalar, Space, Offset>::keep_refill(
    const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid, const std::string& note,
    const std::shared_ptr<Matrix>& matrix, const std::optional<Magnitudes>& range,
    const std::optional<amg::FoundScaling<Space>>& found) {
  m_refill = [multigrid, note, matrix, range, found](const Space& exec, const Matrix& by_node,
                                                     HierarchyInfo& info) {
    // The finest operator is of the hierarchy: where that stays whole, new values under the
    // smoother of the old ones would be neither's.
    if (multigrid->parameters().reuse != amg::Reuse::hierarchy) {
      if (found && !amg::still_scales(exec, by_node.view(), *found)) return false;
      if (range && !are_of_one_magnitude(*range, magnitudes(exec, by_node.view()))) return false;
      *matrix = by_node;
      const bool finite = multigrid->try_update(exec);
      *matrix = {};
      if (!finite) return false;
    }
    info = described(*multigrid, note);
    return true;
  };
}

template <class Scalar, class Space, class Offset>
bool MultigridBuilder<Scalar, Space, Offset>::update(const Space& exec, const System& system,
                                                     HierarchyInfo& info) const {
  return m_refill(exec, by_node(exec, system), info);
}

#define TESSERA_INSTANTIATE_BUILD(Working, Scalar, Space, Offset)                       \
  template std::shared_ptr<Preconditioner<Scalar, Space>>                               \
  MultigridBuilder<Scalar, Space, Offset>::build_multigrid<Working>(                    \
      const Space&, const LinearSystem<Scalar, Space, Offset>&, const SolveParameters&, \
      const NearNullspace<Scalar, Space>&, HierarchyInfo&);
#define TESSERA_INSTANTIATE_IN_FLOAT_double(Space, Offset) \
  TESSERA_INSTANTIATE_BUILD(float, double, Space, Offset)
#define TESSERA_INSTANTIATE_IN_FLOAT_float(Space, Offset)
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)         \
  template class MultigridBuilder<Scalar, Space, Offset>;  \
  TESSERA_INSTANTIATE_BUILD(Scalar, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_IN_FLOAT_##Scalar(Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_IN_FLOAT_float
#undef TESSERA_INSTANTIATE_IN_FLOAT_double
#undef TESSERA_INSTANTIATE_BUILD

}  // namespace tessera::detail
