// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vector beside the best of cuSPARSE's CSR algorithms in one run: every
/// format, kernel and storage of Tessera, with what its conversion costs and how near it comes to
/// the device's bandwidth; and on tiles several vectors at once, plain beside tensor cores.
///
/// A variant that fails or is wrong is reported in its row, and the others go on; the JSON file is
/// rewritten after each matrix. Ends with 1 where a result was wrong.
#include "support/cusparse_product.hpp"
#include "support/device_spmv_options.hpp"
#include "support/device_spmv_variants.hpp"
#include "support/record.hpp"
#include "support/several_vectors.hpp"
#include "support/spmv_variants.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"

#include <cmath>
#include <cstdio>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::Accuracy;
using tessera::perf::CusparseHandle;
using tessera::perf::CusparseProduct;
using tessera::perf::Variant;
using Options = tessera::perf::DeviceSpmvOptions;

/// Bytes per second of a copy from array to array, each read or write counted.
double copy_gb_s(const Space& exec, const Options& options) {
  constexpr std::size_t length = std::size_t(1) << 27;
  const auto from = tessera::allocate<double>(exec, "tessera::perf::from", length);
  const auto to = tessera::allocate<double>(exec, "tessera::perf::to", length);
  Kokkos::deep_copy(exec, from, 1.0);
  const double ms = tessera::perf::median_call_ms(
      exec, [&] { Kokkos::deep_copy(exec, to, from); }, options.batches, options.batch_ms);
  return 2.0 * length * sizeof(double) / ms * 1e-6;
}

/// All products of one matrix: the rows of its table.
class MatrixComparison {
 public:
  MatrixComparison(const Space& exec, const CusparseHandle& handle, const Options& options,
                   const tessera::kernels::Csr<double, Space>& A, double bandwidth_gb_s)
      : m_exec(exec),
        m_handle(handle),
        m_options(options),
        m_A(A),
        m_bandwidth_gb_s(bandwidth_gb_s),
        m_check(exec, A, 1) {}

  nlohmann::json run() {
    std::printf("  %-22s %-9s %-7s %9s %8s %7s %7s %8s %8s\n", "variant", "storage", "vectors",
                "ms", "GB/s", "of copy", "peer/us", "conv.", "analysis");
    compare_vectors<double>();
    compare_vectors<float>();
    return m_rows;
  }

  bool good() const { return m_good; }

 private:
  template <class Working>
  void compare_vectors() {
    const auto x = tessera::perf::make_vectors<Working>(m_exec, m_A.num_cols, 1);
    const auto y = tessera::allocate_multivector<Working>(m_exec, "tessera::perf::y", m_A.num_rows);
    const double peer_ms = best_of_peer<Working>(x, y);
    tessera::perf::for_each_storage([&]<class Storage>() {
      if constexpr (sizeof(Storage) <= sizeof(Working)) {
        for (const Variant& variant : tessera::perf::csr_variants_on_device())
          compare_one<Working, Storage>(variant, x, y, peer_ms);
        if (m_options.only_csr) return;
        for (const Variant& variant :
             tessera::perf::variants_on_device(std::is_same_v<Storage, Working>))
          compare_one<Working, Storage>(variant, x, y, peer_ms);
      }
    });
    if (m_options.only_csr) return;
    compare_automatic<Working>(x, y, peer_ms);
  }

  /// Adds the peer's rows; the least of their times, NaN where none is right.
  template <class Working>
  double best_of_peer(const tessera::MultiVector<Working, Space>& x,
                      const tessera::MultiVector<Working, Space>& y) {
    struct Algorithm {
      const char* name;
      cusparseSpMVAlg_t id;
    };
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const Algorithm algorithm : {Algorithm{"cusparse default", CUSPARSE_SPMV_ALG_DEFAULT},
                                      Algorithm{"cusparse csr_alg1", CUSPARSE_SPMV_CSR_ALG1},
                                      Algorithm{"cusparse csr_alg2", CUSPARSE_SPMV_CSR_ALG2}}) {
      nlohmann::json row = row_of<Working, Working>("cusparse", algorithm.name);
      try {
        const auto A = tessera::kernels::convert_values<Working>(m_exec, m_A);
        const CusparseProduct<Working> product(m_handle, A, x, y, algorithm.id);
        const double ms =
            time_right_one(y, Accuracy::of<Working, Working>(1), [&] { product.multiply(); });
        best = std::fmin(best, ms);
        row["ms"] = ms;
      } catch (const std::exception& error) {
        row["error"] = error.what();
      }
      add(row);
    }
    return best;
  }

  template <class Working, class Storage>
  void compare_one(const Variant& variant, const tessera::MultiVector<Working, Space>& x,
                   const tessera::MultiVector<Working, Space>& y, double peer_ms) {
    nlohmann::json row = row_of<Working, Storage>("tessera", variant.name());
    row["format"] = tessera::kernels::name_of(variant.format);
    try {
      measure<Working, Storage>(row, variant, x, y, peer_ms);
    } catch (const std::exception& error) {
      row["error"] = error.what();
    }
    add(row);
  }

  template <class Working>
  void compare_automatic(const tessera::MultiVector<Working, Space>& x,
                         const tessera::MultiVector<Working, Space>& y, double peer_ms) {
    nlohmann::json row = row_of<Working, Working>("tessera", "auto");
    try {
      const auto choice =
          tessera::kernels::select_format(m_exec, m_A.view(), {.value_bytes = sizeof(Working)});
      const Variant variant = tessera::perf::variant_of(choice);
      row["variant"] = "auto: " + variant.name();
      row["reason"] = choice.reason;
      measure<Working, Working>(row, variant, x, y, peer_ms);
    } catch (const std::exception& error) {
      row["error"] = error.what();
    }
    add(row);
  }

  template <class Working, class Storage>
  void measure(nlohmann::json& row, const Variant& variant,
               const tessera::MultiVector<Working, Space>& x,
               const tessera::MultiVector<Working, Space>& y, double peer_ms) {
    const auto candidate =
        tessera::perf::CandidateMaker<Working, Storage, Space>(m_exec, m_A, m_options.conversions)
            .make(variant);
    const double ms = time_right_one(y, candidate.accuracy, [&] { candidate.multiply(x, y); });
    const auto bytes = static_cast<double>(candidate.product_bytes(m_A.num_rows, m_A.num_cols, 1));
    row["ms"] = ms;
    row["format_bytes"] = candidate.matrix_bytes;
    row["product_bytes"] = bytes;
    row["bandwidth_gb_s"] = bytes / ms * 1e-6;
    row["share_of_copy_bandwidth"] = bytes / ms * 1e-6 / m_bandwidth_gb_s;
    row["conversion_ms"] = candidate.conversion_ms;
    row["conversion_in_spmvs"] = candidate.conversion_ms / ms;
    row["analysis_ms"] = candidate.analysis_ms;
    if (!std::isnan(peer_ms)) row["peer_over_ours"] = peer_ms / ms;
  }

  /// Milliseconds per call of `multiply`, which sets `y`; throws where it is wrong.
  template <class Working>
  double time_right_one(const tessera::MultiVector<Working, Space>& y, const Accuracy& accuracy,
                        const std::function<void()>& multiply) {
    Kokkos::deep_copy(m_exec, y, std::numeric_limits<Working>::quiet_NaN());
    multiply();
    if (const std::size_t wrong = m_check.wrong(m_exec, y, accuracy); wrong > 0) {
      m_good = false;
      throw std::runtime_error(std::to_string(wrong) + " elements are wrong");
    }
    return tessera::perf::median_call_ms(m_exec, multiply, m_options.batches, m_options.batch_ms);
  }

  template <class Working, class Storage>
  static nlohmann::json row_of(const std::string& by, const std::string& variant) {
    return {{"by", by},
            {"variant", variant},
            {"storage", tessera::perf::scalar_name<Storage>},
            {"vectors", tessera::perf::scalar_name<Working>}};
  }

  void add(const nlohmann::json& row) {
    std::printf("  %-22s %-9s %-7s ", row["variant"].get<std::string>().c_str(),
                row["storage"].get<std::string>().c_str(),
                row["vectors"].get<std::string>().c_str());
    if (row.contains("error")) {
      std::printf("%s\n", row["error"].get<std::string>().c_str());
    } else if (row["by"] == "cusparse") {
      std::printf("%9.4f\n", row["ms"].get<double>());
    } else {
      std::printf("%9.4f %8.1f %7.3f %7.3f %8.1f %8.3f\n", row["ms"].get<double>(),
                  row["bandwidth_gb_s"].get<double>(), row["share_of_copy_bandwidth"].get<double>(),
                  row.value("peer_over_ours", 0.0), row["conversion_in_spmvs"].get<double>(),
                  row["analysis_ms"].get<double>());
    }
    std::fflush(stdout);
    m_rows.push_back(row);
  }

  Space m_exec;
  const CusparseHandle& m_handle;
  Options m_options;
  tessera::kernels::Csr<double, Space> m_A;
  double m_bandwidth_gb_s;
  tessera::perf::ProductCheck<Space> m_check;
  nlohmann::json m_rows = nlohmann::json::array();
  bool m_good = true;
};

/// Compares one matrix; its JSON object, with "error" where it could not be made.
nlohmann::json compare_matrix(const Space& exec, const CusparseHandle& handle,
                              const Options& options, const tessera::perf::MatrixSource& source,
                              double bandwidth_gb_s, bool& good) {
  nlohmann::json json{{"name", source.name()}};
  try {
    const auto A = source.make(exec);
    const auto choice = tessera::kernels::select_format(exec, A.view());
    const double entries_per_tile = choice.statistics.entries_per_tile();
    std::printf("%s: %d rows, %zu entries, %.2f a tile\n", source.name().c_str(), A.num_rows,
                A.num_entries(), entries_per_tile);
    std::printf("  auto: %s\n", choice.reason.c_str());
    json["rows"] = A.num_rows;
    json["entries"] = A.num_entries();
    json["entries_per_tile"] = entries_per_tile;
    MatrixComparison comparison(exec, handle, options, A, bandwidth_gb_s);
    json["results"] = comparison.run();
    good = good && comparison.good();
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", source.name().c_str(), error.what());
    json["error"] = error.what();
    good = false;
  }
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse matrix times vector beside cuSPARSE, medians in milliseconds"};
  Options options;
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  tessera::keep_freed_memory(exec.cuda_device());
  const CusparseHandle handle(exec);
  const double bandwidth = copy_gb_s(exec, options);
  std::printf("a copy of 1 GiB: %.0f GB/s; conv.: conversion in products; analysis: ms\n",
              bandwidth);
  nlohmann::json json{{"kernel", "spmv"},
                      {"peer", "cusparse"},
                      {"space", Space::name()},
                      {"copy_bandwidth_gb_s", bandwidth},
                      {"batches", options.batches},
                      {"batch_ms", options.batch_ms},
                      {"matrices", nlohmann::json::array()},
                      {"several_vectors", nlohmann::json::array()}};
  const auto write = [&] { tessera::perf::write_record(options.out, json); };
  bool good = true;
  for (const auto& source : options.sources()) {
    json["matrices"].push_back(compare_matrix(exec, handle, options, source, bandwidth, good));
    write();
  }
  if (options.only_csr) return good ? 0 : 1;
  for (const auto& source : options.several_vectors_sources()) {
    json["several_vectors"].push_back(tessera::perf::compare_several_vectors(
        exec, source, options.columns, {options.batches, options.batch_ms}, good));
    write();
  }
  return good ? 0 : 1;
}
