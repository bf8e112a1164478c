// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A storage format of one's own: diagonals, for banded matrices, on hosts and devices alike;
/// registered by name, and chosen for the finest level by parameters.
// expect: level 0 in dia.*level 1 in csr.*dia: converged
#include "tessera/gallery/problem.hpp"
#include "tessera/matrix/register_format.hpp"
#include "tessera/matrix/storage_names.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

#include <iostream>
#include <vector>

using tessera::Ordinal;

namespace {

//! [product]
/// What a kernel sees: entry (i, i + offsets(d)) is values(d * num_rows + i).
template <class Scalar, class Space>
struct Diagonals {
  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  Kokkos::View<const Ordinal*, Space> offsets;
  Kokkos::View<const Scalar*, Space> values;

  /// Row i times column j of x.
  template <class Vectors>
  KOKKOS_FUNCTION Scalar times(Ordinal i, const Vectors& x, int j) const {
    Scalar sum = 0;
    for (std::size_t d = 0; d < offsets.extent(0); ++d) {
      const Ordinal column = i + offsets(d);
      if (column >= 0 && column < num_cols) sum += values(d * num_rows + i) * x(column, j);
    }
    return sum;
  }
};
//! [product]

//! [operator]
/// All work is queued on `exec`, and nothing waits for it.
template <class Scalar, class Space>
class DiagonalOperator : public tessera::SparseOperator<Scalar, Space> {
 public:
  using typename tessera::SparseOperator<Scalar, Space>::ConstVectors;
  using typename tessera::SparseOperator<Scalar, Space>::Vectors;
  using Array = tessera::ArrayView<Scalar, Space>;
  using ConstArray = tessera::ArrayView<const Scalar, Space>;
  using Rows = Kokkos::RangePolicy<Space>;

  DiagonalOperator(Diagonals<Scalar, Space> A, std::size_t num_entries)
      : m_A(A), m_num_entries(num_entries) {}

  Ordinal num_rows() const override { return m_A.num_rows; }
  Ordinal num_cols() const override { return m_A.num_cols; }
  std::size_t num_entries() const override { return m_num_entries; }
  tessera::StorageInfo info() const override {
    return {"dia", tessera::scalar_name<Scalar>(), "diagonals",
            m_A.offsets.span() * sizeof(Ordinal) + m_A.values.span() * sizeof(Scalar)};
  }

  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override {
    const auto A = m_A;
    const int k = static_cast<int>(y.extent(1));
    Kokkos::parallel_for(
        "dia apply", Rows(exec, 0, A.num_rows), KOKKOS_LAMBDA(const Ordinal i) {
          for (int j = 0; j < k; ++j) {
            const Scalar scaled = beta == 0 ? Scalar(0) : beta * y(i, j);
            y(i, j) = alpha == 0 ? scaled : scaled + alpha * A.times(i, x, j);
          }
        });
  }
  //! [operator]

  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    const auto A = m_A;
    const int k = static_cast<int>(r.extent(1));
    Kokkos::parallel_for(
        "dia residual", Rows(exec, 0, A.num_rows), KOKKOS_LAMBDA(const Ordinal i) {
          for (int j = 0; j < k; ++j)
            r(i, j) = b(i, j) - A.times(i, x, j);
        });
  }

  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const Array& result) const override {
    apply(exec, Scalar(1), x, Scalar(0), y);
    for (std::size_t j = 0; j < y.extent(1); ++j) {
      // Into a View, so that nothing waits.
      Kokkos::parallel_reduce(
          "dia dot", Rows(exec, 0, m_A.num_rows),
          KOKKOS_LAMBDA(const Ordinal i, Scalar& sum) { sum += x(i, j) * y(i, j); },
          Kokkos::subview(result, j));
    }
  }

  void jacobi_sweep(const Space& exec, const ConstArray& d, const ConstVectors& b,
                    const ConstVectors& x_in, const Vectors& x_out) const override {
    const auto A = m_A;
    const int k = static_cast<int>(x_out.extent(1));
    Kokkos::parallel_for(
        "dia jacobi", Rows(exec, 0, A.num_rows), KOKKOS_LAMBDA(const Ordinal i) {
          for (int j = 0; j < k; ++j)
            x_out(i, j) = x_in(i, j) + d(i) * (b(i, j) - A.times(i, x_in, j));
        });
  }

  void chebyshev_step(const Space& exec, const ConstArray& d, Scalar alpha, Scalar beta,
                      const ConstVectors& b, const ConstVectors& x_in, const Vectors& p,
                      const Vectors& x_out) const override {
    const auto A = m_A;
    const int k = static_cast<int>(x_out.extent(1));
    Kokkos::parallel_for(
        "dia chebyshev", Rows(exec, 0, A.num_rows), KOKKOS_LAMBDA(const Ordinal i) {
          for (int j = 0; j < k; ++j) {
            const Scalar old = beta == 0 ? Scalar(0) : beta * p(i, j);
            p(i, j) = old + alpha * d(i) * (b(i, j) - A.times(i, x_in, j));
            x_out(i, j) = x_in(i, j) + p(i, j);
          }
        });
  }

 private:
  Diagonals<Scalar, Space> m_A;
  std::size_t m_num_entries;
};

//! [factory]
struct MakeDiagonals {
  static constexpr std::size_t max_diagonals = 64;

  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const tessera::SparseOperator<Scalar, Space>> operator()(
      const Space& exec, const tessera::kernels::CsrView<Scalar, Space, Offset>& A) const {
    //! [factory]
    const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
    // The diagonal of entry (i, j) is number j - i + num_rows - 1.
    const Ordinal shift = A.num_rows - 1;
    const std::size_t num_places = static_cast<std::size_t>(A.num_rows) + A.num_cols;
    const Kokkos::View<int*, Space> place(Kokkos::view_alloc(exec, "dia places"), num_places);
    Kokkos::parallel_for(
        "dia places", rows, KOKKOS_LAMBDA(const Ordinal i) {
          for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
            Kokkos::atomic_store(&place(A.columns(e) - i + shift), 1);
        });
    const auto place_here = Kokkos::create_mirror(place);
    Kokkos::deep_copy(exec, place_here, place);
    exec.fence("dia places");
    std::vector<Ordinal> found;
    for (std::size_t number = 0; number < num_places; ++number) {
      if (place_here(number) == 0) continue;
      place_here(number) = static_cast<int>(found.size());
      found.push_back(static_cast<Ordinal>(number) - shift);
    }
    if (found.size() > max_diagonals) {
      throw tessera::Error(tessera::ErrorKind::precondition,
                           "dia: the matrix has " + std::to_string(found.size()) +
                               " diagonals, expected at most " + std::to_string(max_diagonals));
    }
    Kokkos::deep_copy(exec, place, place_here);
    const Kokkos::View<Ordinal*, Space> offsets(Kokkos::view_alloc(exec, "dia offsets"),
                                                found.size());
    const auto offsets_here = Kokkos::create_mirror(offsets);
    for (std::size_t d = 0; d < found.size(); ++d)
      offsets_here(d) = found[d];
    Kokkos::deep_copy(exec, offsets, offsets_here);
    const std::size_t n = A.num_rows;
    const Kokkos::View<Scalar*, Space> values(Kokkos::view_alloc(exec, "dia values"),
                                              found.size() * n);
    Kokkos::parallel_for(
        "dia values", rows, KOKKOS_LAMBDA(const Ordinal i) {
          for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
            values(place(A.columns(e) - i + shift) * n + i) += A.values(e);
        });
    exec.fence("dia");  // the copies on the host end here
    return std::make_shared<DiagonalOperator<Scalar, Space>>(
        Diagonals<Scalar, Space>{A.num_rows, A.num_cols, offsets, values}, A.num_entries);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;

  //! [register]
  tessera::register_format("dia", "diagonals, for banded matrices", MakeDiagonals());

  tessera::SolveParameters parameters;
  tessera::parameters::ParameterTree tree(parameters);  // made after formats are registered
  tree.set_text("preconditioner", "amg", "here");
  tree.set_text("amg.levels.0.A.format", "dia", "here");
  tree.set_text("amg.levels.1.A.format", "csr", "here");  // from here on down
  //! [register]

  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson2d;
  gallery.n = 150;
  const auto problem = tessera::make_problem<double, Space>(exec, gallery);
  tessera::Solver<double, Space> solver(parameters);
  solver.setup(exec, problem.A);
  const tessera::MultiVector<double, Space> x("x", problem.A.num_rows, 1);
  const auto result = solver.solve(exec, problem.b, x);
  int number = 0;
  for (const auto& level : solver.hierarchy().levels)
    std::cout << "level " << number++ << " in " << level.A.format << " of " << level.A.storage
              << ": " << level.A.bytes << " bytes\n";
  std::cout << "dia: " << to_string(result.status) << " in " << result.iterations
            << " iterations\n";
  return result.converged() ? 0 : 1;
}
