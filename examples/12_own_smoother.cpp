// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A smoother of one's own, registered by a name that parameters take: symmetric Gauss-Seidel by
/// colours, beside Jacobi. With arguments the program is the whole command `tessera` with it.
// expect: jacobi: converged in [0-9]+ iterations
// expect: multicolor_gauss_seidel: converged in [0-9]+ iterations
#include "tessera/command.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/smoother/register_smoother.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using Host = Kokkos::DefaultHostExecutionSpace;
using tessera::Ordinal;

/// The rows of each colour one after the other: no two rows of a colour are coupled.
struct Colouring {
  std::vector<Ordinal> rows;
  std::vector<Ordinal> starts{0};  ///< colour c has rows[starts[c]] up to rows[starts[c + 1]]
};

/// Each row takes the first colour that none of its neighbours has.
template <class Matrix>
Colouring colour(const Matrix& A) {
  std::vector<std::vector<Ordinal>> neighbours(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      if (j == i) continue;
      neighbours[i].push_back(j);  // both ways: the pattern may be nonsymmetric
      neighbours[j].push_back(i);
    }
  }
  std::vector<Ordinal> colours(A.num_rows, -1);
  std::vector<Ordinal> taken_for;  // per colour, the last row that found it taken
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (const Ordinal j : neighbours[i])
      if (colours[j] >= 0) taken_for[colours[j]] = i;
    const auto free =
        std::find_if(taken_for.begin(), taken_for.end(), [i](Ordinal row) { return row != i; });
    colours[i] = static_cast<Ordinal>(free - taken_for.begin());
    if (free == taken_for.end()) taken_for.push_back(-1);
  }
  Colouring result;
  for (Ordinal c = 0; c < static_cast<Ordinal>(taken_for.size()); ++c) {
    for (Ordinal i = 0; i < A.num_rows; ++i)
      if (colours[i] == c) result.rows.push_back(i);
    result.starts.push_back(static_cast<Ordinal>(result.rows.size()));
  }
  return result;
}

//! [smoother]
template <class Scalar, class Offset>
class MulticolorGaussSeidel : public tessera::Smoother<Scalar, Host> {
 public:
  using typename tessera::Smoother<Scalar, Host>::ConstVectors;
  using typename tessera::Smoother<Scalar, Host>::Vectors;
  using Inputs = tessera::SmootherInputs<Scalar, Host, Offset>;

  MulticolorGaussSeidel(const Host& exec, const Inputs& inputs)
      : m_offsets("offsets", inputs.entries.offsets.extent(0)),
        m_columns("columns", inputs.entries.columns.extent(0)),
        m_values("values", inputs.entries.values.extent(0)),
        m_inverse_diagonal(inputs.inverse_diagonal),
        m_rows("rows", inputs.entries.num_rows),
        m_sweeps(inputs.parameters.sweeps) {
    // The library does not keep the entries; the inverse diagonal is shared.
    Kokkos::deep_copy(exec, m_offsets, inputs.entries.offsets);
    Kokkos::deep_copy(exec, m_columns, inputs.entries.columns);
    Kokkos::deep_copy(exec, m_values, inputs.entries.values);
    exec.fence();
    const Colouring colouring = colour(inputs.entries);
    std::copy(colouring.rows.begin(), colouring.rows.end(), m_rows.data());
    m_starts = colouring.starts;
  }

  void prepare(const Host&, int) override {}  // it needs no vectors of its own
  bool works_in_place() const override { return true; }

  void apply(const Host& exec, const ConstVectors& b, const Vectors& x) override {
    Kokkos::deep_copy(exec, x, Scalar(0));
    smooth(exec, b, x, x);
  }

  void smooth(const Host& exec, const ConstVectors& b, const ConstVectors& /*is x*/,
              const Vectors& x) override {
    const auto colours = static_cast<int>(m_starts.size()) - 1;
    for (int sweep = 0; sweep < m_sweeps; ++sweep) {
      // Forwards and back: a symmetric matrix gives a symmetric preconditioner.
      for (int c = 0; c < colours; ++c)
        relax(exec, c, b, x);
      for (int c = colours - 1; c >= 0; --c)
        relax(exec, c, b, x);
    }
  }

  /// The rows of one colour, all at a time.
  void relax(const Host& exec, int c, const ConstVectors& b, const Vectors& x) const {
    const auto rows = m_rows;
    const auto offsets = m_offsets;
    const auto columns = m_columns;
    const auto values = m_values;
    const auto inverse_diagonal = m_inverse_diagonal;
    const Kokkos::RangePolicy<Host> rows_of_colour(exec, m_starts[c], m_starts[c + 1]);
    Kokkos::parallel_for("multicolor_gauss_seidel", rows_of_colour, [=](const Ordinal r) {
      const Ordinal i = rows(r);
      for (std::size_t k = 0; k < x.extent(1); ++k) {
        Scalar residual = b(i, k);
        for (Offset e = offsets(i); e < offsets(i + 1); ++e)
          residual -= values(e) * x(columns(e), k);
        x(i, k) += inverse_diagonal(i) * residual;
      }
    });
  }

 private:
  tessera::Array<Offset, Host> m_offsets;
  tessera::Array<Ordinal, Host> m_columns;
  tessera::Array<Scalar, Host> m_values;
  tessera::Array<const Scalar, Host> m_inverse_diagonal;
  tessera::Array<Ordinal, Host> m_rows;
  std::vector<Ordinal> m_starts;
  int m_sweeps;
};
//! [smoother]

//! [register]
struct MakeMulticolorGaussSeidel {
  template <class Scalar, class Offset>
  std::unique_ptr<tessera::Smoother<Scalar, Host>> operator()(
      const Host& exec, const tessera::SmootherInputs<Scalar, Host, Offset>& inputs) const {
    return std::make_unique<MulticolorGaussSeidel<Scalar, Offset>>(exec, inputs);
  }
};

void register_own_smoother() {
  tessera::register_smoother(
      "multicolor_gauss_seidel", "symmetric Gauss-Seidel, colour after colour; on hosts",
      {.entries = true, .square_matrix = true},  // it reads the newest values of all neighbours
      MakeMulticolorGaussSeidel{});
}
//! [register]

//! [solve]
int iterations_with(const std::string& smoother) {
  const Host exec;
  tessera::SolveParameters parameters;
  tessera::parameters::ParameterTree tree(parameters);
  tree.set_text("preconditioner", "amg", "example");
  tree.set_text("amg.smoother.type", smoother, "example");

  tessera::GalleryParameters gallery;
  gallery.problem = tessera::ProblemKind::poisson3d;
  gallery.n = 40;
  const auto problem = tessera::make_problem<double, Host>(exec, gallery);
  tessera::Solver<double, Host> solver(parameters);
  solver.setup(exec, problem.A);
  tessera::MultiVector<double, Host> x("x", problem.A.num_rows, 1);
  const auto result = solver.solve(exec, problem.b, x);
  std::cout << solver.hierarchy().levels[0].smoother << ": " << to_string(result.status) << " in "
            << result.iterations << " iterations\n";
  return result.iterations;
}
//! [solve]

//! [main]
int main(int argc, char** argv) {
  register_own_smoother();
  if (argc > 1) return tessera::run_command(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int jacobi = iterations_with("jacobi");
  const int own = iterations_with("multicolor_gauss_seidel");
  return own < jacobi ? 0 : 1;
}
//! [main]
