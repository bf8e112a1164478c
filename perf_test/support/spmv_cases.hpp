// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the programs on sparse matrix times vector share: their matrices and vectors, the check of
/// a result, and the clock.
#pragma once

#include "support/median.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/products.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// The name of 3 by 3 blocks on the 27-point stencil, beside those of the gallery.
inline constexpr const char* blocks_problem = "blocks3_27pt";

/// Each scalar entry becomes a full block: itself on the diagonal, an eighth of it elsewhere.
template <class Space>
struct FillBlocks {
  ArrayView<const double, Space> entries;
  ArrayView<double, Space> values;  // row by row, nine an entry

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    for (int place = 0; place < 9; ++place)
      values(9 * k + place) = entries(k) * (place % 4 == 0 ? 1.0 : 0.125);
  }
};

/// Three unknowns per point of a grid of n points per side.
template <class Space>
kernels::Csr<double, Space> make_blocks(const Space& exec, int n) {
  GalleryParameters gallery;
  gallery.problem = ProblemKind::poisson3d27;
  gallery.n = n;
  const auto scalar = make_problem<double, Space>(exec, gallery).A;
  const std::size_t blocks = scalar.num_entries();
  const auto values = allocate<double>(exec, "tessera::perf::blocks", 9 * blocks);
  Kokkos::parallel_for("tessera::perf::fill_blocks", Kokkos::RangePolicy<Space>(exec, 0, blocks),
                       FillBlocks<Space>{scalar.values, values});
  const kernels::BsrView<double, Space> view{.num_block_rows = scalar.num_rows,
                                             .num_block_cols = scalar.num_cols,
                                             .block_size = 3,
                                             .num_blocks = blocks,
                                             .offsets = scalar.offsets,
                                             .columns = scalar.columns,
                                             .values = values};
  return kernels::bsr_to_csr(exec, view);
}

/// Where a matrix comes from: a problem and its size, or a file.
struct MatrixSource {
  std::string problem;
  int n = 0;
  std::filesystem::path file = {};

  std::string name() const {
    if (file.empty()) return problem + " n=" + std::to_string(n);
    const std::filesystem::path stem = file.stem();
    return stem.extension() == ".mtx" ? stem.stem().string() : stem.string();
  }

  /// The gallery's problem of that name; throws where it has none.
  GalleryParameters gallery() const {
    GalleryParameters parameters;
    parameters.n = n;
    for (const auto& known : problem_names()) {
      if (known.name != problem) continue;
      parameters.problem = known.value;
      return parameters;
    }
    throw std::invalid_argument(problem + " is neither a problem of the gallery nor " +
                                blocks_problem);
  }

  template <class Space>
  kernels::Csr<double, Space> make(const Space& exec) const {
    if (!file.empty()) return read_matrix_market<double>(exec, file).A;
    if (problem == blocks_problem) return make_blocks(exec, n);
    return make_problem<double, Space>(exec, gallery()).A;
  }
};

/// The options that name matrices.
class MatrixOptions {
 public:
  MatrixSource generated{.problem = "poisson3d", .n = 100};
  std::vector<std::string> files;

  void add_to(CLI::App& app) {
    m_problem = app.add_option("--problem", generated.problem,
                               std::string("problem of the gallery, or ") + blocks_problem +
                                   " (full 3 by 3 blocks on the 27-point stencil)");
    m_size = app.add_option("--n", generated.n, "its size")->check(CLI::PositiveNumber);
    app.add_option("--matrix", files, "Matrix Market files, plain or packed, in place of a problem")
        ->check(CLI::ExistingFile);
  }

  /// The files, or the problem; `by_default` where neither was asked for.
  std::vector<MatrixSource> sources(const std::vector<MatrixSource>& by_default) const {
    std::vector<MatrixSource> result;
    for (const std::string& file : files)
      result.push_back({.problem = "", .n = 0, .file = file});
    if (!result.empty()) return result;
    if (m_problem->count() == 0 && m_size->count() == 0) return by_default;
    return {generated};
  }

 private:
  CLI::Option* m_problem = nullptr;
  CLI::Option* m_size = nullptr;
};

/// Multiples of 1/1024 between -1 and 1 that float holds exactly.
template <class Scalar, class Space>
struct FillVectors {
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    const std::size_t row = i % x.extent(0);
    const std::size_t column = i / x.extent(0);
    const auto mixed = static_cast<std::uint32_t>(row * 2654435761u + column * 40503u);
    x(row, column) = static_cast<Scalar>(static_cast<int>(mixed >> 21) - 1023) / Scalar(1024);
  }
};

template <class Scalar, class Space>
MultiVector<Scalar, Space> make_vectors(const Space& exec, std::size_t n, int columns) {
  const auto x = allocate_multivector<Scalar>(exec, "tessera::perf::vectors", n, columns);
  Kokkos::parallel_for("tessera::perf::fill_vectors",
                       Kokkos::RangePolicy<Space>(exec, 0, n * columns),
                       FillVectors<Scalar, Space>{x});
  return x;
}

/// What rounding costs a number below the smallest normal one, at the most. In double that is below
/// any number there is.
template <class Scalar>
inline constexpr double rounding_below_normal = [] {
  if constexpr (std::is_same_v<Scalar, double>) {
    return 0.0;
  } else {
    return unit_roundoff<Scalar> * smallest_normal<Scalar>;
  }
}();

/// What rounding may cost a sum of `length` products: (relative + length * a_step) |A| |x|, and
/// `an_entry` for each entry that is below the smallest normal number, or whose product is.
struct Accuracy {
  double relative = 0;
  double a_step = 0;
  double an_entry = 0;

  template <class Storage, class Working>
  static Accuracy of(double scale) {
    constexpr double storing = std::is_same_v<Storage, double> ? 0 : unit_roundoff<Storage>;
    using Sum = Arithmetic<Storage, Working>;
    constexpr double adding = 2 * unit_roundoff<Sum>;
    constexpr double below_normal = rounding_below_normal<Storage> + rounding_below_normal<Sum>;
    return {storing + 2 * unit_roundoff<Working> + 4 * adding, adding, below_normal * scale};
  }
};

/// Counts the elements of `y` that are further from `exact` than rounding explains.
template <class Working, class Space>
struct CountWrong {
  ConstMultiVectorView<Working, Space> y;
  ConstMultiVectorView<double, Space> exact, magnitude;
  ArrayView<const std::int32_t, Space> offsets;
  Accuracy accuracy;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const {
    const std::size_t row = i % y.extent(0);
    const std::size_t column = i / y.extent(0);
    const double length = offsets(row + 1) - offsets(row);
    const double bound = (accuracy.relative + length * accuracy.a_step) * magnitude(row, column) +
                         length * accuracy.an_entry;
    const double error = Kokkos::abs(static_cast<double>(y(row, column)) - exact(row, column));
    if (!(error <= bound)) ++count;
  }
};

struct TakeMagnitude {
  const double* source;
  double* target;

  KOKKOS_FUNCTION void operator()(std::size_t i) const { target[i] = Kokkos::abs(source[i]); }
};

/// Whether products with the vectors of `make_vectors` are right: against CSR in double, entry by
/// entry within what rounding explains.
template <class Space>
class ProductCheck {
 public:
  ProductCheck(const Space& exec, const kernels::Csr<double, Space>& A, int columns)
      : m_offsets(A.offsets),
        m_exact(allocate_multivector<double>(exec, "tessera::perf::exact", A.num_rows, columns)),
        m_magnitude(
            allocate_multivector<double>(exec, "tessera::perf::magnitude", A.num_rows, columns)) {
    auto magnitudes = A;
    magnitudes.values = absolute<Array<double, Space>>(exec, A.values);
    const auto x = make_vectors<double>(exec, A.num_cols, columns);
    auto x_magnitudes = absolute<MultiVector<double, Space>>(exec, x);
    const auto plan = kernels::analyse_spmv(exec, A.view());
    kernels::spmv(exec, plan, 1.0, A.view(), x, 0.0, m_exact);
    kernels::spmv(exec, plan, 1.0, magnitudes.view(), x_magnitudes, 0.0, m_magnitude);
    exec.fence("tessera::perf::exact");
  }

  /// The number of elements of `y` that are wrong; NaN is.
  template <class Working>
  std::size_t wrong(const Space& exec, const MultiVector<Working, Space>& y,
                    const Accuracy& accuracy) const {
    std::size_t count = 0;
    Kokkos::parallel_reduce(
        "tessera::perf::check", Kokkos::RangePolicy<Space>(exec, 0, y.extent(0) * y.extent(1)),
        CountWrong<Working, Space>{y, m_exact, m_magnitude, m_offsets, accuracy}, count);
    return count;
  }

 private:
  template <class View>
  static View absolute(const Space& exec, const View& source) {
    const View result(
        Kokkos::view_alloc(exec, "tessera::perf::magnitudes", Kokkos::WithoutInitializing),
        source.layout());
    Kokkos::parallel_for("tessera::perf::magnitudes",
                         Kokkos::RangePolicy<Space>(exec, 0, source.size()),
                         TakeMagnitude{source.data(), result.data()});
    return result;
  }

  Array<const std::int32_t, Space> m_offsets;
  MultiVector<double, Space> m_exact, m_magnitude;
};

/// Milliseconds per call of each function: `batches` batches of each, in turn, every batch as many
/// calls as take `batch_ms`; the median over its batches.
template <class Space>
std::vector<double> median_call_ms(const Space& exec,
                                   const std::vector<std::function<void()>>& functions, int batches,
                                   double batch_ms) {
  const auto batch = [&](const std::function<void()>& function, int calls) {
    exec.fence("tessera::perf");
    const Kokkos::Timer timer;
    for (int i = 0; i < calls; ++i)
      function();
    exec.fence("tessera::perf");
    return timer.seconds() * 1e3 / calls;
  };
  std::vector<int> calls;
  for (const auto& function : functions) {
    batch(function, 2);  // the first touches memory and loads code
    calls.push_back(std::clamp(static_cast<int>(batch_ms / batch(function, 3)), 1, 100000));
  }
  std::vector<std::vector<double>> times(functions.size());
  for (int i = 0; i < batches; ++i) {
    for (std::size_t j = 0; j < functions.size(); ++j)
      times[j].push_back(batch(functions[j], calls[j]));
  }
  std::vector<double> medians;
  for (auto& of_one : times)
    medians.push_back(median_of(std::move(of_one)));
  return medians;
}

/// The same for a single function.
template <class Space>
double median_call_ms(const Space& exec, const std::function<void()>& function, int batches,
                      double batch_ms) {
  return median_call_ms(exec, std::vector<std::function<void()>>{function}, batches, batch_ms)[0];
}

}  // namespace tessera::perf
