// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times sparse matrix beside the best of cuSPARSE's algorithms in one run on the
/// GPU: the CSR product, the product of tiles (alone, and from CSR to CSR with its conversions),
/// the phases apart, values again beside SpGEMMreuse, and the most memory that each of ours needs.
///
/// A way that fails or is wrong is reported in its row, and the others go on; the JSON file is
/// rewritten after each product. Ends with 1 where a result was wrong.
#include "support/cusparse_spgemm.hpp"
#include "support/product_cases.hpp"
#include "support/record.hpp"
#include "support/spgemm_check.hpp"
#include "support/timed_runs.hpp"

#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_spgemm.hpp"

#include <cmath>
#include <cstdio>

namespace {

using Space = tessera::DeviceSpace;
using Matrix = tessera::kernels::Csr<double, Space>;
using Tiles = tessera::kernels::Mbsr<double, Space>;
using tessera::kernels::TileLayout;
using tessera::perf::CusparseHandle;
using tessera::perf::CusparseSpgemm;
using tessera::perf::MatrixSource;
using Product = tessera::perf::ProductCase<Space>;

struct Options {
  tessera::perf::ProductOptions products;
  bool release_memory = false;
  int repeats = 10;
  std::string out;

  void add_to(CLI::App& app) {
    products.add_to(app);
    app.add_flag("--release-memory", release_memory,
                 "let the driver's pool give freed memory back before each allocation");
    app.add_option("--repeats", repeats, "timed calls; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", out, "JSON file");
  }

  std::vector<MatrixSource> sources() const {
    return products.matrices.sources({{.problem = "poisson2d", .n = 2048},
                                      {.problem = "poisson3d", .n = 128},
                                      {.problem = "poisson3d", .n = 256},
                                      {.problem = "poisson3d27", .n = 128},
                                      {.problem = tessera::perf::blocks_problem, .n = 32}});
  }
};

std::size_t bytes_of(const Matrix& A) {
  return A.offsets.span() * sizeof(int) + A.num_entries() * (sizeof(int) + sizeof(double));
}

/// All ways to one product: the rows of its table.
class ProductComparison {
 public:
  ProductComparison(const Space& exec, const CusparseHandle& handle, int repeats,
                    const Product& product)
      : m_exec(exec),
        m_handle(handle),
        m_repeats(repeats),
        m_A(product.A),
        m_B(product.B),
        m_same(product.A.values.data() == product.B.values.data()),
        m_check(exec, product.A, product.B) {}

  nlohmann::json run() {
    std::printf("  %-26s %9s %9s %9s %8s %6s\n", "variant", "ms", "symbolic", "values", "peer/us",
                "peak");
    compare_peer();
    using tessera::kernels::SpgemmAlgorithm;
    compare("csr", [&](nlohmann::json& row) { measure_csr(row, SpgemmAlgorithm::automatic); });
    compare("csr hash", [&](nlohmann::json& row) { measure_csr(row, SpgemmAlgorithm::hash); });
    compare("mbsr", [&](nlohmann::json& row) { measure_tiles(row); });
    compare("mbsr, from and to csr", [&](nlohmann::json& row) { measure_converted_tiles(row); });
    return m_rows;
  }

  bool good() const { return m_good; }

 private:
  void compare_peer() {
    struct Algorithm {
      const char* name;
      cusparseSpGEMMAlg_t id;
    };
    for (const Algorithm algorithm :
         {Algorithm{"default", CUSPARSE_SPGEMM_DEFAULT}, Algorithm{"alg1", CUSPARSE_SPGEMM_ALG1},
          Algorithm{"alg2", CUSPARSE_SPGEMM_ALG2}, Algorithm{"alg3", CUSPARSE_SPGEMM_ALG3}}) {
      compare(std::string("cusparse ") + algorithm.name, [&](nlohmann::json& row) {
        const CusparseSpgemm spgemm(m_exec, m_handle, algorithm.id);
        m_check.require_right(spgemm.multiply(m_A, m_B));
        row["ms"] = time([&] { spgemm.multiply(m_A, m_B); });
        m_peer_ms = std::fmin(m_peer_ms, row["ms"].get<double>());
      });
    }
    compare("cusparse reuse", [&](nlohmann::json& row) {
      row["values_ms"] = CusparseSpgemm(m_exec, m_handle, CUSPARSE_SPGEMM_DEFAULT)
                             .time_reuse(m_A, m_B, [&](const auto& call) { return time(call); });
    });
  }

  void measure_csr(nlohmann::json& row, tessera::kernels::SpgemmAlgorithm algorithm) {
    using tessera::kernels::spgemm, tessera::kernels::spgemm_numeric;
    const auto multiply = [&] { return spgemm(m_exec, m_A.view(), m_B.view(), algorithm); };
    const Matrix C = multiply();
    m_check.require_right(C);
    Kokkos::deep_copy(m_exec, C.values, std::numeric_limits<double>::quiet_NaN());
    const auto repeat = [&] { spgemm_numeric(m_exec, m_A.view(), m_B.view(), C); };
    repeat();
    m_check.require_right(C);
    row["entries"] = C.num_entries();
    row["values_ms"] = time(repeat);
    finish(row, bytes_of(m_A), bytes_of(m_B), bytes_of(C), multiply);
  }

  void measure_tiles(nlohmann::json& row) {
    const Tiles A = to_tiles(m_A);
    const Tiles B = m_same ? A : to_tiles(m_B);
    tessera::kernels::MbsrSpgemmPlan<Space> plan;
    const auto analyse = [&] {
      return tessera::kernels::spgemm_symbolic<double>(m_exec, A.view(), B.view(),
                                                       TileLayout::packed, plan);
    };
    const Tiles C = analyse();
    const auto repeat = [&] {
      tessera::kernels::spgemm_numeric(m_exec, plan, A.view(), B.view(), C);
    };
    Kokkos::deep_copy(m_exec, C.values, std::numeric_limits<double>::quiet_NaN());
    repeat();
    m_check.require_right(from_tiles(C));
    row["entries"] = C.num_entries;
    row["tiles_of_a"] = A.num_tiles();
    row["tiles"] = C.num_tiles();
    row["values_ms"] = time(repeat);
    row["symbolic_ms"] = time([&] { analyse(); });
    finish(row, A.bytes(), B.bytes(), C.bytes(),
           [&] { return tessera::kernels::spgemm(m_exec, A.view(), B.view()); });
  }

  void measure_converted_tiles(nlohmann::json& row) {
    const auto multiply = [&] {
      const Tiles A = to_tiles(m_A);
      const Tiles B = m_same ? A : to_tiles(m_B);
      return from_tiles(tessera::kernels::spgemm(m_exec, A.view(), B.view()));
    };
    const Matrix C = multiply();
    m_check.require_right(C);
    row["entries"] = C.num_entries();
    finish(row, bytes_of(m_A), bytes_of(m_B), bytes_of(C), multiply);
  }

  /// The whole product's time, its ratio to the peer's best, and its peak memory.
  template <class Multiply>
  void finish(nlohmann::json& row, std::size_t bytes_A, std::size_t bytes_B, std::size_t bytes_C,
              const Multiply& multiply) {
    row["ms"] = time([&] { multiply(); });
    if (!std::isnan(m_peer_ms)) row["peer_over_ours"] = m_peer_ms / row["ms"].get<double>();
    const std::size_t inputs = bytes_A + (m_same ? 0 : bytes_B);
    const tessera::MemoryTracker tracker(Space::memory_space::name(), true);
    multiply();
    row["peak_over_inputs_and_output"] =
        (static_cast<double>(inputs) + static_cast<double>(tracker.peak_bytes())) /
        static_cast<double>(inputs + bytes_C);
  }

  template <class Measure>
  void compare(const std::string& variant, const Measure& measure) {
    nlohmann::json row{{"variant", variant}};
    try {
      measure(row);
    } catch (const std::exception& error) {
      row["error"] = error.what();
      if (!variant.starts_with("cusparse")) m_good = false;
    }
    print(row);
    m_rows.push_back(row);
  }

  static void print(const nlohmann::json& row) {
    std::printf("  %-26s", row["variant"].get<std::string>().c_str());
    if (row.contains("error")) {
      std::printf(" %s", row["error"].get<std::string>().c_str());
    } else {
      for (const char* key :
           {"ms", "symbolic_ms", "values_ms", "peer_over_ours", "peak_over_inputs_and_output"}) {
        if (row.contains(key)) {
          std::printf(" %9.3f", row[key].get<double>());
        } else {
          std::printf(" %9s", "");
        }
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  Tiles to_tiles(const Matrix& A) const {
    return tessera::kernels::csr_to_mbsr<double>(m_exec, A.view());
  }
  Matrix from_tiles(const Tiles& A) const {
    return tessera::kernels::mbsr_to_csr<double, int>(m_exec, A.view());
  }
  double time(const std::function<void()>& function) const {
    return tessera::perf::median_ms(m_exec, m_repeats, 1, function);
  }

  Space m_exec;
  const CusparseHandle& m_handle;
  int m_repeats;
  Matrix m_A, m_B;
  bool m_same;
  tessera::perf::SpgemmCheck<Space> m_check;
  double m_peer_ms = std::numeric_limits<double>::quiet_NaN();
  nlohmann::json m_rows = nlohmann::json::array();
  bool m_good = true;
};

/// All products of one matrix, appended to `report`; whether ours were right.
bool compare_matrix(const Space& exec, const CusparseHandle& handle, const Options& options,
                    const MatrixSource& source, nlohmann::json& report) {
  bool good = true;
  try {
    for (const Product& product : options.products.products(exec, source)) {
      std::printf("%s: %s\n", source.name().c_str(), product.name.c_str());
      ProductComparison comparison(exec, handle, options.repeats, product);
      const nlohmann::json entry{{"matrix", source.name()},
                                 {"product", product.name},
                                 {"rows", product.A.num_rows},
                                 {"entries", product.A.num_entries()},
                                 {"variants", comparison.run()}};
      good = good && comparison.good();
      report["products"].push_back(entry);
    }
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", source.name().c_str(), error.what());
    report["products"].push_back({{"matrix", source.name()}, {"error", error.what()}});
    good = false;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse products beside cuSPARSE, medians in milliseconds"};
  Options options;
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  if (!options.release_memory) tessera::keep_freed_memory(exec.cuda_device());
  const CusparseHandle handle(exec);
  nlohmann::json report{{"space", Space::name()},
                        {"freed_memory_kept", !options.release_memory},
                        {"repeats", options.repeats},
                        {"products", nlohmann::json::array()}};
  bool good = true;
  for (const MatrixSource& source : options.sources()) {
    good = compare_matrix(exec, handle, options, source, report) && good;
    tessera::perf::write_record(options.out, report);
  }
  return good ? 0 : 1;
}
