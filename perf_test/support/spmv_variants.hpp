// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The ways in which Tessera multiplies a matrix with vectors, each made ready from CSR: format,
/// layout, kernel, and the scalar that the matrix is stored in.
#pragma once

#include "support/median.hpp"
#include "support/spmv_cases.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/fitting_scale.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/spmv/products.hpp"

#include <optional>

namespace tessera::perf {

using kernels::Format;
using kernels::MbsrSpmvKernel;
using kernels::TileLayout;

/// The scalar's name in options and in files.
template <class Scalar>
inline constexpr const char* scalar_name = [] {
  if constexpr (std::is_same_v<Scalar, double>) return "double";
  if constexpr (std::is_same_v<Scalar, float>) return "float";
  if constexpr (std::is_same_v<Scalar, Half>) return "half";
  if constexpr (std::is_same_v<Scalar, BFloat16>) return "bfloat16";
  if constexpr (std::is_same_v<Scalar, Fp8E4M3>) return "e4m3";
  if constexpr (std::is_same_v<Scalar, Fp8E5M2>) return "e5m2";
}();

/// Calls `function.template operator()<Storage>()` for every scalar that a matrix may be stored in.
template <class Function>
void for_each_storage(const Function& function) {
  function.template operator()<double>();
  function.template operator()<float>();
  function.template operator()<Half>();
#if TESSERA_ALL_STORAGE_SCALARS
  function.template operator()<BFloat16>();
  function.template operator()<Fp8E4M3>();
  function.template operator()<Fp8E5M2>();
#endif
}

/// A staged kernel of CSR, with the columns of patterns or without, and how rows are distributed.
struct CsrKernel {
  kernels::CsrSpmvAlgorithm algorithm;
  int lanes = 0;  ///< a row; 0: what `analyse_spmv` picks
  int rows = 0;  ///< a lane

  std::string name() const {
    std::string result = algorithm == kernels::CsrSpmvAlgorithm::staged ? " staged" : " patterns";
    if (lanes > 0) result += "/" + std::to_string(lanes);
    if (rows > 0) result += "x" + std::to_string(rows);
    return result;
  }
};

/// A format and how its product runs.
struct Variant {
  Format format = Format::csr;
  TileLayout layout = TileLayout::packed;  ///< of mBSR
  std::optional<MbsrSpmvKernel> kernel = {};  ///< of mBSR; none: what `analyse_spmv` picks
  int lanes = 0;  ///< of mBSR's tile_row and staged on a device; 0: what `analyse_spmv` picks
  std::optional<CsrKernel> csr_kernel = {};  ///< none: what `analyse_spmv` picks

  std::string name() const {
    std::string result = kernels::name_of(format);
    if (csr_kernel) result += csr_kernel->name();
    if (format != Format::mbsr) return result;
    if (layout == TileLayout::dense) result += "-dense";
    if (kernel) result += std::string(" ") + name_of_kernel(*kernel);
    if (lanes > 0) result += "/" + std::to_string(lanes);
    return result;
  }

  static const char* name_of_kernel(MbsrSpmvKernel kernel) {
    switch (kernel) {
      case MbsrSpmvKernel::tile_row:
        return "tile_row";
      case MbsrSpmvKernel::staged:
        return "staged";
      case MbsrSpmvKernel::load_balanced:
        return "load_balanced";
      case MbsrSpmvKernel::tensor_core:
        return "tensor_core";
    }
    return "";
  }
};

/// What `select_format` chooses for values of `value_bytes` bytes.
inline Variant variant_of(const kernels::FormatChoice& choice) {
  Variant variant{.format = choice.format, .layout = choice.layout};
  if (choice.format == Format::mbsr && choice.load_balanced)
    variant.kernel = MbsrSpmvKernel::load_balanced;
  return variant;
}

/// A variant made ready for products with vectors of `Working`.
template <class Working, class Space>
struct Candidate {
  std::size_t matrix_bytes = 0;  ///< of the arrays that a product reads
  double conversion_ms = 0;  ///< from CSR in double; 0 for that itself
  double analysis_ms = 0;  ///< of the plan
  Accuracy accuracy;
  /// y = A x
  std::function<void(const MultiVector<Working, Space>& x, const MultiVector<Working, Space>& y)>
      multiply;

  /// The fewest bytes that a product moves: the matrix and the vectors once.
  std::size_t product_bytes(std::size_t num_rows, std::size_t num_cols, int columns) const {
    return matrix_bytes + (num_rows + num_cols) * columns * sizeof(Working);
  }
};

/// Turns one matrix into candidates.
template <class Working, class Storage, class Space>
class CandidateMaker {
 public:
  /// Conversions are timed `repeats` times, after one to warm up.
  CandidateMaker(const Space& exec, const kernels::Csr<double, Space>& A, int repeats)
      : m_exec(exec), m_A(A), m_repeats(repeats) {}

  /// Throws where the format cannot hold the matrix in `Storage`, and where the kernel cannot run.
  Candidate<Working, Space> make(const Variant& variant) const {
    if (variant.format == Format::csr) return csr(variant);
    if (variant.format == Format::mbsr) return mbsr(variant);
    Candidate<Working, Space> result;
    kernels::for_each_format([&]<class Trait>() {
      constexpr bool has_kernels = Trait::value == Format::csr || Trait::value == Format::mbsr;
      if constexpr (!has_kernels) {
        if (Trait::value == variant.format) result = other<Trait>();
      }
    });
    return result;
  }

 private:
  using Vectors = MultiVector<Working, Space>;

  /// Of calls of `function`; what it returns is freed outside the time.
  template <class Function>
  double median_ms(const Function& function) const {
    std::vector<double> times;
    for (int i = 0; i <= m_repeats; ++i) {
      m_exec.fence("tessera::perf");
      const Kokkos::Timer timer;
      [[maybe_unused]] const auto result = function();
      m_exec.fence("tessera::perf");
      if (i > 0) times.push_back(timer.seconds() * 1e3);
    }
    return median_of(std::move(times));
  }

  template <class Matrix, class Plan>
  static std::size_t bytes_of(const Matrix& matrix, const Plan&) {
    return matrix.bytes();
  }
  static std::size_t bytes_of(const kernels::Csr<Storage, Space>& matrix,
                              const kernels::CsrSpmvPlan<Space>& plan) {
    if (plan.patterns.found) {
      return matrix.num_entries() * sizeof(Storage) + plan.patterns.pattern_of.span() +
             plan.patterns.first_columns.span() * sizeof(Ordinal);
    }
    return matrix.offsets.span() * sizeof(std::int32_t) +
           matrix.num_entries() * (sizeof(Ordinal) + sizeof(Storage));
  }

  double scale() const { return kernels::fitting_scale<Storage>(m_exec, m_A.view()); }

  /// `multiply` and the times, where `convert` gives the matrix and `analyse` the plan for it.
  template <class Convert, class Analyse>
  Candidate<Working, Space> timed(double scale, const Convert& convert,
                                  const Analyse& analyse) const {
    const auto matrix = convert();
    const auto plan = analyse(matrix);
    Candidate<Working, Space> result;
    result.matrix_bytes = bytes_of(matrix, plan);
    result.conversion_ms = median_ms(convert);
    result.analysis_ms = median_ms([&] { return analyse(matrix); });
    result.accuracy = Accuracy::of<Storage, Working>(scale);
    result.multiply = [exec = m_exec, matrix, plan](const Vectors& x, const Vectors& y) {
      kernels::spmv(exec, plan, Working(1), matrix.view(), x, Working(0), y);
    };
    return result;
  }

  /// Of kernels that the trait of a format does not choose between.
  Candidate<Working, Space> csr(const Variant& variant) const {
    if (scale() != 1) {
      throw std::range_error(std::string("csr has no scale, and not all values lie in the range "
                                         "of ") +
                             scalar_name<Storage>);
    }
    auto result = timed(
        1, [this] { return kernels::convert_values<Storage>(m_exec, m_A); },
        [&](const auto& matrix) {
          const auto& kernel = variant.csr_kernel;
          return kernel ? kernels::analyse_spmv(m_exec, matrix.view(), kernel->algorithm,
                                                kernel->lanes, kernel->rows)
                        : kernels::analyse_spmv(m_exec, matrix.view());
        });
    if (std::is_same_v<Storage, double>) result.conversion_ms = 0;
    return result;
  }

  template <class Trait>
  Candidate<Working, Space> other() const {
    const double by = scale();
    return timed(
        by, [&] { return Trait::template convert<Storage>(m_exec, m_A, {.scale = by}); },
        [this](const auto& matrix) { return kernels::analyse_spmv(m_exec, matrix.view()); });
  }

  Candidate<Working, Space> mbsr(const Variant& variant) const {
    const double by = scale();
    const auto convert = [&] {
      return kernels::csr_to_mbsr<Storage>(m_exec, m_A.view(), variant.layout, by);
    };
    return timed(by, convert, [&](const auto& matrix) {
      return variant.kernel
                 ? kernels::analyse_spmv(m_exec, matrix.view(), *variant.kernel, variant.lanes)
                 : kernels::analyse_spmv(m_exec, matrix.view());
    });
  }

  Space m_exec;
  kernels::Csr<double, Space> m_A;
  int m_repeats;
};

}  // namespace tessera::perf
