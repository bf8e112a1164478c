// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening of one's own, registered by a name that parameters take, with a parameter:
/// classical multigrid after Ruge and Stueben ("Algebraic multigrid", in Multigrid Methods, SIAM
/// 1987), on a host. With arguments the program is the whole command `tessera` with it.
// expect: poisson2d: ruge_stueben converged in [0-9]+ iterations
// expect: lshape: ruge_stueben converged in [0-9]+ iterations
// expect: poisson3d: ruge_stueben converged in [0-9]+ iterations
#include "tessera/amg/coarsening/register_coarsening.hpp"
#include "tessera/command.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

using Host = Kokkos::DefaultHostExecutionSpace;
using tessera::Ordinal;
namespace amg = tessera::amg;

/// By row the columns of its strong couplings, or by column the rows of those.
using Neighbours = std::vector<std::vector<Ordinal>>;

/// Strong are couplings of at least `threshold` times the row's most negative one.
template <class Matrix>
Neighbours strong_couplings(const Matrix& A, double threshold) {
  Neighbours strong(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    double largest = 0;
    for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
      largest = std::max<double>(largest, -A.values(e));
    for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
      if (A.values(e) < 0 && -A.values(e) >= threshold * largest) strong[i].push_back(A.columns(e));
    std::sort(strong[i].begin(), strong[i].end());
  }
  return strong;
}

//! [splitting]
/// The coarse points: those on which most others depend come first and make these fine ones. A
/// point without strong couplings stays fine.
std::vector<char> coarse_points(const Neighbours& strong) {
  const auto n = static_cast<Ordinal>(strong.size());
  Neighbours dependent(n);
  for (Ordinal i = 0; i < n; ++i)
    for (const Ordinal j : strong[i])
      dependent[j].push_back(i);
  std::vector<char> is_coarse(n, 0), is_decided(n, 0);
  std::vector<std::size_t> measure(n);
  std::priority_queue<std::pair<std::size_t, Ordinal>> queue;  // by -i: of equals the first point
  for (Ordinal i = 0; i < n; ++i) {
    measure[i] = dependent[i].size();
    if (measure[i] + strong[i].size() > 0) queue.emplace(measure[i], -i);
  }
  while (!queue.empty()) {
    const auto [value, minus_i] = queue.top();
    const Ordinal i = -minus_i;
    queue.pop();
    if (is_decided[i] || value != measure[i]) continue;  // entered before its measure grew
    is_coarse[i] = is_decided[i] = 1;
    for (const Ordinal j : dependent[i]) {
      if (is_decided[j]) continue;
      is_decided[j] = 1;
      for (const Ordinal k : strong[j])
        if (!is_decided[k]) queue.emplace(++measure[k], -k);
    }
  }
  return is_coarse;
}
//! [splitting]

//! [coarsening]
template <class Scalar, class Offset>
class RugeStueben : public amg::Coarsening<Scalar, Host, Offset> {
 public:
  using Base = amg::Coarsening<Scalar, Host, Offset>;
  using typename Base::Coarse;
  using typename Base::ConstVectors;
  using typename Base::Fine;
  using typename Base::Product;
  using Csr = tessera::kernels::Csr<Scalar, Host, Offset>;

  explicit RugeStueben(double threshold) : m_threshold(threshold) {}

  std::optional<Coarse> initialize(const Host& exec, const Fine& fine, const ConstVectors&,
                                   const amg::CoarseningLimits&, Product&,
                                   amg::PhaseTimer<Host>& timer) override {
    if (fine.block_size > 1)
      throw tessera::Error(tessera::ErrorKind::configuration, "it takes one unknown per node");
    timer.start(exec, "splitting");
    exec.fence();  // what follows is no Kokkos kernel
    m_points.clear();
    const Ordinal n = fine.A->num_rows();
    const Neighbours strong = strong_couplings(fine.A->view(), m_threshold);
    const std::vector<char> is_coarse = coarse_points(strong);
    std::vector<Ordinal> number(n);
    for (Ordinal i = 0; i < n; ++i) {
      number[i] = static_cast<Ordinal>(m_points.size());
      if (is_coarse[i]) m_points.push_back(i);
    }
    if (m_points.empty()) return std::nullopt;  // there is no coarser level

    timer.start(exec, "interpolation");
    std::vector<Ordinal> columns;
    const tessera::Array<Offset, Host> offsets("offsets", n + 1);
    for (Ordinal i = 0; i < n; ++i) {
      if (is_coarse[i]) columns.push_back(number[i]);
      for (const Ordinal j : strong[i])
        if (!is_coarse[i] && is_coarse[j]) columns.push_back(number[j]);
      offsets(i + 1) = static_cast<Offset>(columns.size());
    }
    const tessera::Array<Ordinal, Host> column_array("columns", columns.size());
    std::copy(columns.begin(), columns.end(), column_array.data());
    Coarse coarse;
    coarse.P = {n, static_cast<Ordinal>(m_points.size()), offsets, column_array,
                tessera::Array<Scalar, Host>("values", columns.size())};
    interpolate(fine.A->view(), coarse.P);
    return coarse;  // the library makes R, P's transpose, and the product R A P
  }

  /// New values of A in the same pattern: the points stay, their weights do not.
  void compute(const Host& exec, const Fine& fine, bool keeps_interpolation, Product& product,
               Coarse& coarse, amg::PhaseTimer<Host>& timer) override {
    timer.start(exec, "interpolation");
    exec.fence();
    if (!keeps_interpolation) interpolate(fine.A->view(), coarse.P);
    product.remake(exec, !keeps_interpolation, coarse);
  }
  bool makes_new_interpolation() const override { return true; }

 private:
  /// Direct interpolation: weights of a fine point from its strong coarse ones, which stand for all
  /// negative couplings of its row; positive ones are added to the diagonal.
  template <class Matrix>
  void interpolate(const Matrix& A, const Csr& P) const {
    std::vector<Scalar> row(A.num_rows);  // by column
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      Scalar diagonal = 0, all = 0, taken = 0;
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e) {
        row[A.columns(e)] = A.values(e);
        (A.columns(e) == i || A.values(e) > 0 ? diagonal : all) += A.values(e);
      }
      for (auto p = P.offsets(i); p < P.offsets(i + 1); ++p)
        taken += row[m_points[P.columns(p)]];
      for (auto p = P.offsets(i); p < P.offsets(i + 1); ++p) {
        const Ordinal j = m_points[P.columns(p)];
        P.values(p) = j == i ? Scalar(1) : -(all / taken) * row[j] / diagonal;
      }
    }
  }

  double m_threshold;
  std::vector<Ordinal> m_points;  ///< of the level, by their numbers on the next
};
//! [coarsening]

//! [register]
struct RugeStuebenParameters {
  double threshold = 0.25;
};

template <class Visitor>
void describe_parameters(Visitor& visit, RugeStuebenParameters& p) {
  visit("threshold", p.threshold, "a coupling is strong from this share of the row's largest on",
        tessera::Range{0.0, 1.0});
}

struct MakeRugeStueben {
  template <class Scalar, class Offset>
  std::unique_ptr<amg::Coarsening<Scalar, Host, Offset>> operator()(
      const amg::FineLevel<Scalar, Host, Offset>&, const RugeStuebenParameters& p) const {
    return std::make_unique<RugeStueben<Scalar, Offset>>(p.threshold);
  }
};

void register_own_coarsening() {
  amg::register_coarsening("ruge_stueben", "coarse and fine points, direct interpolation; on hosts",
                           RugeStuebenParameters{}, MakeRugeStueben{});
}
//! [register]

//! [solve]
bool solves(tessera::ProblemKind kind, int n) {
  tessera::SolveParameters parameters;
  tessera::parameters::ParameterTree tree(parameters);  // made after coarsenings are registered
  tree.set_text("preconditioner", "amg", "example");
  tree.set_text("amg.coarsening", "ruge_stueben", "example");
  tree.set_text("amg.ruge_stueben.threshold", "0.3", "example");
  //! [solve]
  const Host exec;
  tessera::GalleryParameters gallery;
  gallery.problem = kind;
  gallery.n = n;
  gallery.order = 1;  // of the elements of lshape
  gallery.refine = 6;
  const auto problem = tessera::make_problem<double, Host>(exec, gallery);
  tessera::Solver<double, Host> solver(parameters);
  solver.setup(exec, problem.A);
  const tessera::MultiVector<double, Host> x("x", problem.A.num_rows, 1);
  const auto result = solver.solve(exec, problem.b, x);
  std::cout << to_string(kind) << ": " << solver.hierarchy().levels[0].coarsening << " "
            << to_string(result.status) << " in " << result.iterations << " iterations\n";
  return result.converged() && result.iterations <= 12;
}

int main(int argc, char** argv) {
  register_own_coarsening();
  if (argc > 1) return tessera::run_command(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Kind = tessera::ProblemKind;
  const bool in_2d = solves(Kind::poisson2d, 150) && solves(Kind::lshape, 1);
  return in_2d && solves(Kind::poisson3d, 20) ? 0 : 1;
}
