// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening as a program adds it, of which all is known: groups of consecutive unknowns. It can
/// leave work to the library, and do all that is refused.
#pragma once

#include "support/device.hpp"

#include "tessera/amg/coarsening/register_coarsening.hpp"
#include "tessera/kernels/format/transpose.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace tessera::test {

/// What it makes beside P.
enum class GroupsGive { P, P_and_R, product };

inline constexpr EnumName<GroupsGive> groups_give_names[] = {
    {GroupsGive::P, "P", "nothing"},
    {GroupsGive::P_and_R, "P_and_R", "R, its transpose"},
    {GroupsGive::product, "product", "the product"}};

/// What it does wrong.
enum class GroupsFault {
  none,
  rows,
  columns,
  no_columns,
  range,
  order,
  values,
  no_values,
  new_values,
  R,
  A,
  vectors,
  dropped,
  error,
  exception,
  number
};

inline constexpr EnumName<GroupsFault> groups_fault_names[] = {
    {GroupsFault::none, "none", "nothing"},
    {GroupsFault::rows, "rows", "P lacks a row"},
    {GroupsFault::columns, "columns", "P has as many columns as rows"},
    {GroupsFault::no_columns, "no_columns", "P has no columns"},
    {GroupsFault::range, "range", "a column is out of range"},
    {GroupsFault::order, "order", "columns descend"},
    {GroupsFault::values, "values", "a value is no number"},
    {GroupsFault::no_values, "no_values", "there are no values"},
    {GroupsFault::new_values, "new_values", "a new value is no number"},
    {GroupsFault::R, "R", "R is of P's shape"},
    {GroupsFault::A, "A", "the operator is not the product"},
    {GroupsFault::vectors, "vectors", "near-nullspace vectors are too short"},
    {GroupsFault::dropped, "dropped", "marks are too few"},
    {GroupsFault::error, "error", "throws an Error"},
    {GroupsFault::exception, "exception", "throws an exception"},
    {GroupsFault::number, "number", "throws a number"}};

struct OwnGroupsParameters {
  int length = 2;
  double weight = 1;
  bool follows = false;
  GroupsGive gives = GroupsGive::P;
  GroupsFault fault = GroupsFault::none;
};

template <class Visitor>
void describe_parameters(Visitor& visit, OwnGroupsParameters& p) {
  visit("length", p.length, "unknowns per group; 0: there is no coarser level", Range{0, 100});
  visit("weight", p.weight, "the values of P", Range{1e-6, 1e6});
  visit("follows", p.follows, "the values of P are times the share of the diagonal in its row");
  visit("gives", p.gives, "what it makes beside P", EnumNames<GroupsGive>(groups_give_names));
  visit("fault", p.fault, "what it does wrong", EnumNames<GroupsFault>(groups_fault_names));
}

template <class Scalar, class Space, class Offset>
class OwnGroups : public amg::Coarsening<Scalar, Space, Offset> {
 public:
  using Base = amg::Coarsening<Scalar, Space, Offset>;
  using typename Base::Coarse;
  using typename Base::ConstVectors;
  using typename Base::Fine;
  using typename Base::Product;

  explicit OwnGroups(const OwnGroupsParameters& parameters) : m_parameters(parameters) {}

  std::optional<Coarse> initialize(const Space& exec, const Fine& fine, const ConstVectors&,
                                   const amg::CoarseningLimits&, Product& product,
                                   amg::PhaseTimer<Space>& timer) override {
    timer.start(exec, "groups");
    if (m_parameters.length == 0) return std::nullopt;
    fail(m_parameters.fault);
    Coarse coarse;
    coarse.P = make_csr<Offset>(exec, prolongator(to_host(fine.A->matrix())));
    if (m_parameters.gives == GroupsGive::P_and_R)
      coarse.R = kernels::transpose(exec, coarse.P.view());
    spoil(exec, coarse);
    if (m_parameters.gives == GroupsGive::product) product.make(exec, coarse);
    return coarse;
  }

  /// Leaves the product to the library.
  void compute(const Space& exec, const Fine& fine, bool keeps_interpolation, Product&,
               Coarse& coarse, amg::PhaseTimer<Space>& timer) override {
    timer.start(exec, "groups");
    if (keeps_interpolation || !m_parameters.follows) return;
    auto values = prolongator(to_host(fine.A->matrix())).values;
    if (m_parameters.fault == GroupsFault::new_values)
      values.back() = std::numeric_limits<Scalar>::infinity();
    Kokkos::deep_copy(exec, coarse.P.values, to_device(exec, values));
    exec.fence("tessera::test: the copy ends here");
    if (m_parameters.gives == GroupsGive::P_and_R)
      kernels::transpose_values(exec, coarse.P.view(), coarse.R);
  }
  bool makes_new_interpolation() const override { return m_parameters.follows; }

 private:
  static void fail(GroupsFault fault) {
    if (fault == GroupsFault::error) throw Error(ErrorKind::bad_input, "the groups are odd");
    if (fault == GroupsFault::exception) throw std::runtime_error("the groups fell apart");
    if (fault == GroupsFault::number) throw 7;
  }

  HostMatrix<Scalar> prolongator(const HostMatrix<Scalar>& A) const {
    const GroupsFault fault = m_parameters.fault;
    const Ordinal length = fault == GroupsFault::columns ? 1 : m_parameters.length;
    HostMatrix<Scalar> P;
    P.num_rows = A.num_rows - (fault == GroupsFault::rows ? 1 : 0);
    P.num_cols = fault == GroupsFault::no_columns ? 0 : (A.num_rows + length - 1) / length;
    for (Ordinal i = 0; i < P.num_rows; ++i) {
      const auto weight = static_cast<Scalar>(m_parameters.weight);
      const Scalar value = m_parameters.follows ? weight * share_of_diagonal(A, i) : weight;
      if (fault == GroupsFault::order && i == 1) P.push(1, value);
      if (fault != GroupsFault::no_columns) P.push(i / length, value);
      P.end_row();
    }
    if (fault == GroupsFault::range) P.columns.back() = P.num_cols;
    if (fault == GroupsFault::values) P.values.back() = std::numeric_limits<Scalar>::quiet_NaN();
    return P;
  }

  /// In row i, whatever the scale of A.
  static Scalar share_of_diagonal(const HostMatrix<Scalar>& A, Ordinal i) {
    Scalar diagonal = 0;
    Scalar all = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      all += std::abs(A.values[e]);
      if (A.columns[e] == i) diagonal += A.values[e];
    }
    return diagonal / all;
  }

  /// The faults that are not P's alone.
  void spoil(const Space& exec, Coarse& coarse) const {
    const GroupsFault fault = m_parameters.fault;
    const auto n = static_cast<std::size_t>(coarse.P.num_cols);
    if (fault == GroupsFault::no_values) coarse.P.values = {};
    if (fault == GroupsFault::R) coarse.R = coarse.P;
    if (fault == GroupsFault::A) coarse.A = coarse.P;
    if (fault == GroupsFault::vectors)
      coarse.near_nullspace = to_multivector(exec, std::vector<Scalar>(n - 1, 1), n - 1);
    if (fault == GroupsFault::dropped)
      coarse.dropped = to_device(exec, std::vector<char>(n - 1, 0));
  }

  OwnGroupsParameters m_parameters;
};

/// A factory for all types of matrices.
struct MakeOwnGroups {
  template <class Scalar, class Space, class Offset>
  std::unique_ptr<amg::Coarsening<Scalar, Space, Offset>> operator()(
      const amg::FineLevel<Scalar, Space, Offset>&, const OwnGroupsParameters& p) const {
    return std::make_unique<OwnGroups<Scalar, Space, Offset>>(p);
  }
};

/// "own_groups".
inline amg::CoarseningKind own_groups() {
  static const amg::CoarseningKind kind = amg::register_coarsening(
      "own_groups", "groups of consecutive unknowns", OwnGroupsParameters{}, MakeOwnGroups{});
  return kind;
}

}  // namespace tessera::test
