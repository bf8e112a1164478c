// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Factors of rows and columns: powers of two that bring a matrix's entries into the range of
/// narrow scalars. The preconditioner that works on what they make.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>
#include <type_traits>

namespace tessera::amg {

/// The diagonals of D and E in D A E: row i is multiplied by rows(i), column j by columns(j), all
/// above 0. The two arrays may be one.
template <class Space>
struct Equilibration {
  Array<double, Space> rows;
  Array<double, Space> columns;
  double smallest_column = 1;  ///< factor, by which near-nullspace vectors are kept below 1
};

/// Powers of two, which round no entry but where one leaves the range of its scalar, by which the
/// largest entries of the rows and columns of D A E are about 1, after Higham, Pranesh & Zounon,
/// "Squeezing a matrix into half precision, with an application to solving linear systems", SIAM J.
/// Sci. Comput. 41 (2019), with powers of two.
///
/// Where A `is_symmetric`, by their Algorithm 2.5 (thesis of Tsai, algorithm 19): D = E, and the
/// division by the square roots of the rows' largest entries is repeated, at most 12 times, until
/// they lie between 1/2 and 4; once or twice where they are on the diagonal. Else rows come first,
/// then columns, by the whole of their largest entries: an A whose rows alone were scaled becomes
/// what it was, where square roots would share the scaling between rows and columns, and the
/// near-nullspace would have it. Where D would make D r far larger or smaller than r, a power of
/// two goes from D to E (then D = 2^c E in the symmetric case). A wait a pass, and two.
template <class Scalar, class Space, class Offset>
Equilibration<Space> equilibrate(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 bool is_symmetric);

/// One power of two for the whole matrix, after which the entries lie about 1: D is 1, and E that
/// power, whose exponent is even. A wait.
template <class Scalar, class Space, class Offset>
Equilibration<Space> scale_uniformly(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& A);

/// The largest magnitude of `v` (n by m) over the smallest, zeros left out; 1 without others. A
/// wait.
template <class Scalar, class Space>
double magnitude_span(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v);

/// values = the entries of D A E in the order of A's, rounded to `To`.
template <class To, class Scalar, class Space, class Offset>
void equilibrated_values(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         const NonDeduced<Equilibration<Space>>& equilibration,
                         const Array<To, Space>& values);

/// The factors in `Scalar`: the same array where that is double.
template <class Scalar, class Space>
Array<Scalar, Space> factors_in(const Space& exec, const Array<double, Space>& factors) {
  if constexpr (std::is_same_v<Scalar, double>) {
    return factors;
  } else {
    const auto result = allocate<Scalar>(exec, "tessera::amg::factors", factors.extent(0));
    kernels::copy(exec, ConstMultiVectorView<double, Space>(factors.data(), factors.extent(0), 1),
                  MultiVectorView<Scalar, Space>(result.data(), result.extent(0), 1));
    return result;
  }
}

/// Near-nullspace vectors of D A E, of which A's own are `near_nullspace` (n by m): E^-1
/// near-nullspace vectors, times a power of two.
template <class Scalar, class Space>
MultiVector<Scalar, Space> equilibrated_near_nullspace(
    const Space& exec, const NonDeduced<Equilibration<Space>>& equilibration,
    const ConstMultiVectorView<Scalar, Space>& near_nullspace);

/// What stands for the constant where nobody gave a vector for the n by n `A` = D A' E with one
/// unknown per node: E^-1 1, the constant of A', or 1 / sqrt|diag A|, whichever A comes nearer to
/// annihilating. The second is a constant that somebody has scaled: with L a Laplacian and S any
/// diagonal matrix, S L S annihilates S^-1 1. A wait.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> equilibrated_constant(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Equilibration<Space>>& equilibration);

/// For A where `inner` is for D A E: z = E inner(D r).
template <class Scalar, class Space>
class EquilibratedPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  EquilibratedPreconditioner(const Space& exec, const Equilibration<Space>& equilibration,
                             std::shared_ptr<Preconditioner<Scalar, Space>> inner)
      : m_rows(factors_in<Scalar, Space>(exec, equilibration.rows)),
        m_columns(factors_in<Scalar, Space>(exec, equilibration.columns)),
        m_inner(std::move(inner)) {}

  void prepare(const Space& exec, int k) override {
    m_inner->prepare(exec, k);
    if (m_room == k) return;
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r_scaled", m_rows.extent(0), k);
    m_room = k;
  }

  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    if (m_room != static_cast<int>(r.extent(1))) prepare(exec, static_cast<int>(r.extent(1)));
    const Vectors scaled = m_r;
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_rows, r, scaled);
    m_inner->apply(exec, scaled, z);
    kernels::multiply<Scalar, Space>(exec, Scalar(1), m_columns, z, z);
  }

 private:
  Array<Scalar, Space> m_rows;
  Array<Scalar, Space> m_columns;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_inner;
  MultiVector<Scalar, Space> m_r;
  int m_room = -1;  ///< columns that m_r has
};

}  // namespace tessera::amg
