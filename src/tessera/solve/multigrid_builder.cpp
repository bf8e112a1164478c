// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/multigrid_builder.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/coarsening/node_by_node_preconditioner.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/amg/scaling/equilibrated_preconditioner.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/matrix/magnitudes.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tessera::detail {

/// Multigrid in the matrix's own precision, and with offsets as long as those of `A`, or of 64 bits
/// where they do not count the entries of one of its products, which `note` says then; null where a
/// NaN or an infinity appears in it.
template <class Scalar, class Space, class Offset>
std::shared_ptr<amg::Multigrid<Scalar, Space>> make_multigrid(
    const Space& exec, const amg::Parameters& p, const kernels::Csr<Scalar, Space, Offset>& A,
    const amg::FinestExtras<Scalar, Space, Offset>& extras,
    const NearNullspace<Scalar, Space>& near, std::string& note) {
  try {
    auto multigrid = std::make_shared<amg::Multigrid<Scalar, Space>>(p);
    if (!multigrid->try_setup(exec, A, near.near_nullspace, near.block_size, near.annihilated,
                              extras))
      return nullptr;
    return multigrid;
  } catch (const OffsetOverflow& overflow) {
    if constexpr (std::is_same_v<Offset, std::int64_t>) throw;
    note = "multigrid with 64-bit offsets: one of its products has " +
           std::to_string(overflow.num_entries()) + " entries";
  }
  amg::FinestExtras<Scalar, Space, std::int64_t> longer;
  longer.write_values = extras.write_values;
  if (extras.in_double)
    longer.in_double = kernels::convert_offsets<std::int64_t>(exec, *extras.in_double);
  std::string no_note;
  return make_multigrid(exec, p, kernels::convert_offsets<std::int64_t>(exec, A), longer, near,
                        no_note);
}

/// What there is to know of a multigrid, `note` included.
template <class Scalar, class Space>
HierarchyInfo described(const amg::Multigrid<Scalar, Space>& multigrid, const std::string& note) {
  HierarchyInfo info = multigrid.info();
  if (!note.empty()) info.notes.push_back(note);
  return info;
}

/// A with a copy of its values, and the same pattern. The finest level needs it: diagonals and
/// coarse levels are of the values at setup, which the caller may change afterwards.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> with_own_values(const Space& exec,
                                                    const kernels::Csr<Scalar, Space, Offset>& A) {
  const auto values = allocate<Scalar>(exec, "tessera::amg::values", A.values.extent(0));
  Kokkos::deep_copy(exec, values, A.values);
  return {A.num_rows, A.num_cols, A.offsets, A.columns, values};
}

/// Whether the finest level is to be stored in double, as far as is known before setup. Beside
/// vectors of float it has A's own values then: rounded ones would be as many bytes.
bool stores_finest_in_double(const amg::Parameters& p) {
  const StorageParameters& finest = p.levels.empty() ? p.storage : p.levels.front().A;
  return finest.scalar == StorageScalar::float64;
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
auto MultigridBuilder<Scalar, Space, Offset>::build(const Space& exec, const System& system,
                                                    const SolveParameters& picked, const Near& near,
                                                    HierarchyInfo& info) -> Built {
  m_built = {};
  m_built.by_unknown = system.nodes.by_unknown;
  Built inner = build_by_node(exec, system, picked, by_node(exec, system), near, info);
  if (inner == nullptr || !system.nodes.by_unknown) return inner;
  return std::make_shared<amg::NodeByNodePreconditioner<Scalar, Space>>(system.nodes,
                                                                        std::move(inner));
}

template <class Scalar, class Space, class Offset>
auto MultigridBuilder<Scalar, Space, Offset>::by_node(const Space& exec, const System& system)
    -> Matrix {
  return system.nodes.by_unknown ? amg::node_by_node(exec, system.A.view(), system.nodes)
                                 : system.A.arrays();
}

template <class Scalar, class Space, class Offset>
auto MultigridBuilder<Scalar, Space, Offset>::build_by_node(const Space& exec, const System& system,
                                                            const SolveParameters& picked,
                                                            const Matrix& by_node, const Near& near,
                                                            HierarchyInfo& info) -> Built {
  const bool equilibrates = picked.equilibration == Equilibration::powers_of_two;
  const bool is_open = system.parameters.equilibration == Equilibration::automatic;
  const Scaled how = is_open && one_power_of_two_does(picked, system.facts) ? Scaled::as_a_whole
                     : system.facts.symmetric                               ? Scaled::symmetrically
                                              : Scaled::by_rows_and_columns;
  if constexpr (std::is_same_v<Scalar, double>) {
    if (picked.precision == Precision::single) {
      m_float_near_nullspace = converted<float>(exec, near.near_nullspace);
      if (equilibrates)
        return equilibrated_multigrid<float>(exec, picked.amg, how, by_node, nullptr, near, info);
      Extras<float> extras;
      if (stores_finest_in_double(picked.amg))
        extras.in_double = system.nodes.by_unknown ? by_node : with_own_values(exec, by_node);
      return multigrid_in<float>(exec, picked.amg, by_node, {}, std::move(extras),
                                 {m_float_near_nullspace, near.annihilated, near.block_size},
                                 nullptr, info);
    }
  }
  // A renumbered matrix is a copy already, of another pattern.
  const bool is_copy = system.nodes.by_unknown;
  const auto* const plan = is_copy ? nullptr : &system.A.plan();
  if (equilibrates)
    return equilibrated_multigrid<Scalar>(exec, picked.amg, how, by_node, plan, near, info);
  Extras<Scalar> extras;
  extras.plan = plan;
  return multigrid_in<Scalar>(exec, picked.amg, by_node,
                              is_copy ? by_node.values : Array<Scalar, Space>(), std::move(extras),
                              near, nullptr, info);
}

template <class Scalar, class Space, class Offset>
template <class Working>
auto MultigridBuilder<Scalar, Space, Offset>::equilibrated_multigrid(
    const Space& exec, const amg::Parameters& p, Scaled how, const Matrix& by_node,
    const kernels::CsrSpmvPlan<Space>* plan, const Near& near, HierarchyInfo& info) -> Built {
  Scaling scaling = how == Scaled::as_a_whole
                        ? amg::scale_uniformly(exec, by_node.view())
                        : amg::equilibrate(exec, by_node.view(), how == Scaled::symmetrically);
  auto values = allocate<Working>(exec, "tessera::equilibrated", by_node.num_entries());
  amg::equilibrated_values<Working>(exec, by_node.view(), scaling, values);
  kernels::Csr<Working, Space, Offset> own{by_node.num_rows, by_node.num_cols, by_node.offsets,
                                           by_node.columns, values};
  const std::size_t num_near_nullspace_vectors = near.near_nullspace.extent(1);
  const auto own_near_nullspace = [&]() -> MultiVector<Working, Space> {
    // As at magnitude one, where nothing is scaled.
    if (num_near_nullspace_vectors == 0 && (near.block_size > 1 || how == Scaled::as_a_whole))
      return {};
    if (num_near_nullspace_vectors == 0)
      return amg::equilibrated_constant(exec, own.view(), scaling);
    return converted<Working>(
        exec, ConstMultiVectorView<Scalar, Space>(amg::equilibrated_near_nullspace<Scalar, Space>(
                  exec, scaling, near.near_nullspace)));
  };
  auto near_nullspace = own_near_nullspace();
  if (how != Scaled::as_a_whole && near.block_size == 1 && num_near_nullspace_vectors <= 1) {
    // What is cut off weak couplings is made up for where the vector is about constant. So
    // coefficients that jump keep their rows' proportions.
    using Own = ConstMultiVectorView<Working, Space>;
    const double before = num_near_nullspace_vectors == 0
                              ? 1
                              : amg::magnitude_span<Scalar, Space>(exec, near.near_nullspace);
    if (amg::magnitude_span<Working, Space>(exec, Own(near_nullspace)) > 4 * before) {
      scaling = amg::scale_uniformly(exec, by_node.view());
      amg::equilibrated_values<Working>(exec, by_node.view(), scaling, values);
      near_nullspace = own_near_nullspace();
    }
  }
  own = {};
  Extras<Working> extras;
  extras.plan = plan;
  if (!std::is_same_v<Working, Scalar> && stores_finest_in_double(p)) {
    const auto unrounded = allocate<double>(exec, "tessera::equilibrated", by_node.num_entries());
    amg::equilibrated_values<double>(exec, by_node.view(), scaling, unrounded);
    extras.in_double = {by_node.num_rows, by_node.num_cols, by_node.offsets, by_node.columns,
                        unrounded};
  }
  auto inner =
      multigrid_in<Working>(exec, p, by_node, std::move(values), std::move(extras),
                            {near_nullspace, near.annihilated, near.block_size}, &scaling, info);
  if (inner == nullptr) return nullptr;
  return std::make_shared<amg::EquilibratedPreconditioner<Scalar, Space>>(exec, scaling,
                                                                          std::move(inner));
}

template <class Scalar, class Space, class Offset>
template <class Working>
auto MultigridBuilder<Scalar, Space, Offset>::multigrid_in(
    const Space& exec, const amg::Parameters& p, const Matrix& by_node,
    Array<Working, Space> values, Extras<Working> extras, const NearNullspace<Working, Space>& near,
    const Scaling* scaling, HierarchyInfo& info) -> Built {
  const bool are_given = std::is_same_v<Working, Scalar> && scaling == nullptr;
  if (!are_given && !amg::usable_near_nullspace<Working, Space>(exec, near.near_nullspace))
    return nullptr;
  // The powers of the first setup stay, as do the near-nullspace vectors.
  const auto kept = scaling == nullptr ? std::nullopt : std::optional<Scaling>(*scaling);
  const auto source = std::make_shared<Matrix>(by_node);
  const auto made = std::make_shared<Array<Working, Space>>(std::move(values));
  extras.write_values = [source, made, kept](const Space& space, Array<Working, Space>& target) {
    if (made->extent(0) > 0) {
      target = std::exchange(*made, {});
      return;
    }
    if (target.extent(0) == 0)
      target = allocate<Working>(space, "tessera::amg::values", source->num_entries());
    if (kept) {
      amg::equilibrated_values<Working>(space, source->view(), *kept, target);
    } else {
      kernels::convert_values(space, source->values, target);
    }
  };
  const kernels::Csr<Working, Space, Offset> pattern{
      by_node.num_rows, by_node.num_cols, by_node.offsets, by_node.columns, {}};
  std::string note;
  auto multigrid = make_multigrid(exec, p, pattern, extras, near, note);
  *source = {};
  *made = {};
  if (multigrid == nullptr) return nullptr;
  info = described(*multigrid, note);
  if (p.reuse != amg::Reuse::none) {
    std::optional<Magnitudes> range;
    if (!are_given) range = magnitudes(exec, by_node.view());
    keep_refill(multigrid, note, source, scaling, extras.in_double, range);
  }
  if (scaling != nullptr) m_built.scaling = *scaling;
  if constexpr (std::is_same_v<Working, Scalar>) {
    m_built.same = multigrid;
    return multigrid;
  } else {
    m_built.in_float = multigrid;
    return std::make_shared<amg::MixedPrecisionPreconditioner<Space>>(std::move(multigrid),
                                                                      by_node.num_rows);
  }
}

template <class Scalar, class Space, class Offset>
template <class Working>
void MultigridBuilder<Scalar, Space, Offset>::keep_refill(
    const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid, const std::string& note,
    const std::shared_ptr<Matrix>& source, const Scaling* scaling,
    const std::optional<kernels::Csr<double, Space, Offset>>& in_double,
    const std::optional<Magnitudes>& range) {
  const auto kept = scaling == nullptr ? std::nullopt : std::optional<Scaling>(*scaling);
  const auto unrounded = in_double ? in_double->values : Array<double, Space>();
  m_refill = [multigrid, note, source, kept, unrounded, range](
                 const Space& exec, const Matrix& by_node, HierarchyInfo& info) {
    // The finest operator is of the hierarchy: where that stays whole, new values under the
    // smoother of the old ones would be neither's.
    if (multigrid->parameters().reuse != amg::Reuse::hierarchy) {
      if (range && !are_of_one_magnitude(*range, magnitudes(exec, by_node.view()))) return false;
      if (unrounded.extent(0) > 0) {
        if (kept) {
          amg::equilibrated_values<double>(exec, by_node.view(), *kept, unrounded);
        } else {
          kernels::convert_values(exec, by_node.values, unrounded);
        }
      }
      *source = by_node;
      const bool finite = multigrid->try_update(exec);
      *source = {};
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

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, MultigridBuilder)

}  // namespace tessera::detail
