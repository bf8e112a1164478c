// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times sparse matrix, of CSR and of mBSR tiles, on the default execution space by
/// Google Benchmark: the whole product, and its values alone for a known pattern; on a host beside
/// a plain sequential Gustavson. `--out FILE` writes the figures as JSON, `--help` lists the
/// options.
///
/// Every product is checked before it is timed: its pattern's size, and C x against A (B x) for the
/// values that A and B are stored with. One that is wrong is not timed, and the program ends with
/// 1.
#include "support/benchmark_main.hpp"
#include "support/product_cases.hpp"
#include "support/spgemm_check.hpp"
#include "support/spmv_variants.hpp"

#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>

namespace {

using Space = tessera::DeviceSpace;
using tessera::kernels::SpgemmAlgorithm;
using tessera::perf::Matrix;
using tessera::perf::scalar_name;

const std::map<std::string, SpgemmAlgorithm> algorithms{
    {"automatic", SpgemmAlgorithm::automatic},
    {"repeat_rows", SpgemmAlgorithm::repeat_rows},
    {"hash", SpgemmAlgorithm::hash}};

struct Options {
  tessera::perf::ProductOptions products;
  std::vector<std::string> formats{"csr", "mbsr"};
  std::vector<std::string> storages{"double"};
  std::string algorithm = "automatic";

  void add_to(CLI::App& app) {
    products.add_to(app);
    app.add_option("--format", formats, "formats of all three matrices, by comma")
        ->delimiter(',')
        ->check(CLI::IsMember({"csr", "mbsr"}));
    app.add_option("--precision", storages,
                   "scalars that A and B are stored in, by comma; C at least in float. half and "
                   "bfloat16 are for mbsr alone")
        ->delimiter(',')
        ->check(CLI::IsMember({"double", "float", "half", "bfloat16"}));
    app.add_option("--algorithm", algorithm, "how rows of CSR are accumulated")
        ->check(CLI::IsMember(algorithms));
  }

  bool has(const std::vector<std::string>& names, const std::string& name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

/// The textbook's form: one accumulator, one pass, growing arrays, a sort of each row.
std::size_t plain_gustavson(const Matrix<Space>& A, const Matrix<Space>& B) {
  std::vector<int> offsets{0}, columns, last_row(B.num_cols, -1);
  std::vector<double> values, sums(B.num_cols);
  for (int i = 0; i < A.num_rows; ++i) {
    for (int k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const int middle = A.columns(k);
      for (int j = B.offsets(middle); j < B.offsets(middle + 1); ++j) {
        const int column = B.columns(j);
        if (last_row[column] != i) {
          last_row[column] = i;
          sums[column] = 0;
          columns.push_back(column);
        }
        sums[column] += A.values(k) * B.values(j);
      }
    }
    std::sort(columns.begin() + offsets.back(), columns.end());
    for (std::size_t k = values.size(); k < columns.size(); ++k)
      values.push_back(sums[columns[k]]);
    offsets.push_back(static_cast<int>(columns.size()));
  }
  return columns.size();
}

/// So that a check sees whether they are all written.
template <class Values>
void forget(const Space& exec, const Values& values) {
  Kokkos::deep_copy(exec, values,
                    std::numeric_limits<typename Values::non_const_value_type>::quiet_NaN());
}

/// Products of CSR with values of `Storage`.
template <class Storage>
class CsrProduct {
 public:
  using Sum = Storage;

  CsrProduct(const Space& exec, const Matrix<Space>& A, const Matrix<Space>& B,
             SpgemmAlgorithm algorithm)
      : m_exec(exec),
        m_A(tessera::kernels::convert_values<Storage>(exec, A)),
        m_B(tessera::kernels::convert_values<Storage>(exec, B)),
        m_algorithm(algorithm),
        m_C(whole()) {}

  tessera::kernels::Csr<Storage, Space> whole() const {
    return tessera::kernels::spgemm(m_exec, m_A.view(), m_B.view(), m_algorithm);
  }
  void values() const { tessera::kernels::spgemm_numeric(m_exec, m_A.view(), m_B.view(), m_C); }
  void forget_values() const { forget(m_exec, m_C.values); }
  Matrix<Space> A() const { return tessera::kernels::convert_values<double>(m_exec, m_A); }
  Matrix<Space> B() const { return tessera::kernels::convert_values<double>(m_exec, m_B); }
  Matrix<Space> C() const { return tessera::kernels::convert_values<double>(m_exec, m_C); }

 private:
  Space m_exec;
  tessera::kernels::Csr<Storage, Space> m_A, m_B;
  SpgemmAlgorithm m_algorithm;
  tessera::kernels::Csr<Storage, Space> m_C;
};

/// Products of packed tiles with values of `Storage`.
template <class Storage>
class TileProduct {
 public:
  using Sum = tessera::kernels::ProductStorage<void, Storage, Storage>;

  TileProduct(const Space& exec, const Matrix<Space>& A, const Matrix<Space>& B)
      : m_exec(exec),
        m_A(to_tiles(A)),
        m_B(to_tiles(B)),
        m_C(tessera::kernels::spgemm_symbolic<Sum>(exec, m_A.view(), m_B.view(),
                                                   tessera::kernels::TileLayout::packed, m_plan)) {
    values();
  }

  tessera::kernels::Mbsr<Sum, Space> whole() const {
    return tessera::kernels::spgemm(m_exec, m_A.view(), m_B.view());
  }
  void values() const {
    tessera::kernels::spgemm_numeric(m_exec, m_plan, m_A.view(), m_B.view(), m_C);
  }
  void forget_values() const { forget(m_exec, m_C.values); }
  Matrix<Space> A() const { return from_tiles(m_A); }
  Matrix<Space> B() const { return from_tiles(m_B); }
  Matrix<Space> C() const { return from_tiles(m_C); }

 private:
  tessera::kernels::Mbsr<Storage, Space> to_tiles(const Matrix<Space>& matrix) const {
    const double scale = tessera::kernels::fitting_scale<Storage>(m_exec, matrix.view());
    return tessera::kernels::csr_to_mbsr<Storage>(m_exec, matrix.view(),
                                                  tessera::kernels::TileLayout::packed, scale);
  }
  template <class Tiles>
  Matrix<Space> from_tiles(const Tiles& tiles) const {
    return tessera::kernels::mbsr_to_csr<double, std::int32_t>(m_exec, tiles.view());
  }

  Space m_exec;
  tessera::kernels::Mbsr<Storage, Space> m_A, m_B;
  tessera::kernels::MbsrSpgemmPlan<Space> m_plan;
  tessera::kernels::Mbsr<Sum, Space> m_C;
};

/// Times `product`, each call with a fence: a call allocates what it makes.
void add_benchmark(const Space& exec, const std::string& name, std::size_t entries,
                   const std::function<void()>& product) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [exec, entries, product](benchmark::State& state) {
                                 product();
                                 exec.fence("tessera::perf");
                                 for (auto _ : state) {
                                   product();
                                   exec.fence("tessera::perf");
                                 }
                                 state.counters["entries"] = static_cast<double>(entries);
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

/// The benchmarks of one product C = A B in every format and storage that was asked for.
class ProductBenchmarks {
 public:
  ProductBenchmarks(const Space& exec, const Options& options, const std::string& matrix,
                    const tessera::perf::ProductCase<Space>& product)
      : m_exec(exec),
        m_options(options),
        m_name(matrix + "/" + product.name),
        m_A(product.A),
        m_B(product.B) {}

  /// False where a result is wrong or nothing of what was asked for exists.
  bool register_all() {
    register_csr<double>();
    register_csr<float>();
    register_tiles<double>();
    register_tiles<float>();
    register_tiles<tessera::Half>();
#if TESSERA_ALL_STORAGE_SCALARS
    register_tiles<tessera::BFloat16>();
#endif
    constexpr bool on_host = std::is_same_v<Space, tessera::HostSpace>;
    if (on_host && m_options.has(m_options.formats, "csr") && asked_for<double>()) {
      add_benchmark(m_exec, m_name + "/csr, plain Gustavson/double/whole",
                    plain_gustavson(m_A, m_B), [A = m_A, B = m_B] { plain_gustavson(A, B); });
    }
    if (m_registered == 0) {
      std::printf("%s: no such product is instantiated\n", m_name.c_str());
      m_good = false;
    }
    return m_good;
  }

 private:
  template <class Storage>
  void register_csr() {
    if (!m_options.has(m_options.formats, "csr") || !asked_for<Storage>()) return;
    register_product<Storage>("csr", [this] {
      return std::make_shared<CsrProduct<Storage>>(m_exec, m_A, m_B,
                                                   algorithms.at(m_options.algorithm));
    });
  }
  template <class Storage>
  void register_tiles() {
    if (!m_options.has(m_options.formats, "mbsr") || !asked_for<Storage>()) return;
    register_product<Storage>(
        "mbsr", [this] { return std::make_shared<TileProduct<Storage>>(m_exec, m_A, m_B); });
  }
  template <class Storage>
  bool asked_for() const {
    return m_options.has(m_options.storages, scalar_name<Storage>);
  }

  template <class Storage, class Make>
  void register_product(const std::string& format, const Make& make) {
    ++m_registered;
    const std::string name = m_name + "/" + format + "/" + scalar_name<Storage>;
    try {
      const auto product = make();
      using Product = typename decltype(product)::element_type;
      using Check = tessera::perf::SpgemmCheck<Space>;
      Check check(m_exec, product->A(), product->B(),
                  Check::template rounding<typename Product::Sum>());
      check.require_right(product->C());
      product->forget_values();
      product->values();
      const Matrix<Space> C = product->C();
      check.require_right(C);
      add_benchmark(m_exec, name + "/whole", C.num_entries(), [product] { product->whole(); });
      add_benchmark(m_exec, name + "/values", C.num_entries(), [product] { product->values(); });
    } catch (const std::exception& error) {
      std::printf("%s: %s\n", name.c_str(), error.what());
      m_good = false;
    }
  }

  Space m_exec;
  const Options& m_options;
  std::string m_name;
  Matrix<Space> m_A, m_B;
  int m_registered = 0;
  bool m_good = true;
};

bool run_all(const Space& exec, const Options& options) {
  bool good = true;
  const auto& matrices = options.products.matrices;
  for (const auto& source : matrices.sources({matrices.generated})) {
    for (const auto& product : options.products.products(exec, source)) {
      std::printf("%s, %s: %d rows, %zu entries\n", source.name().c_str(), product.name.c_str(),
                  product.A.num_rows, product.A.num_entries());
      good = ProductBenchmarks(exec, options, source.name(), product).register_all() && good;
    }
  }
  tessera::perf::run_benchmarks();
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return tessera::perf::benchmark_main(argc, argv, "Sparse matrix times sparse matrix", options,
                                       [&] { return run_all(Space(), options); });
}
