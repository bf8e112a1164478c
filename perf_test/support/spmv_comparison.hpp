// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's products of one matrix beside a peer's on the host: the same matrix and vectors, runs
/// in turn, medians and their ratios.
#pragma once

#include "support/record.hpp"
#include "support/spmv_variants.hpp"

#include <cstdio>

namespace tessera::perf {

using HostCsr = kernels::Csr<double, HostSpace>;

/// One way of a peer's to multiply: y = A x for plain arrays. It keeps what it needs alive.
struct PeerProduct {
  std::string name;
  std::function<void(const double* x, double* y)> multiply;
};

/// The comparison of one program with one peer.
class SpmvComparison {
 public:
  explicit SpmvComparison(std::string peer) : m_peer(std::move(peer)) {}

  void add_to(CLI::App& app) {
    m_matrices.add_to(app);
    app.add_option("--batches", m_batches, "timed batches of each, in turn; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--batch-ms", m_batch_ms, "milliseconds that a batch lasts")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", m_out, "JSON file");
  }

  /// Compares every matrix, where `prepare_peer(A)` gives the peer's products of it. Returns the
  /// program's exit code: 1 where a product was wrong or a matrix could not be made.
  int run(const std::function<std::vector<PeerProduct>(const HostCsr&)>& prepare_peer) const {
    nlohmann::json matrices = nlohmann::json::array();
    bool good = true;
    try {
      for (const MatrixSource& source : m_matrices.sources(by_default()))
        matrices.push_back(compare(source, prepare_peer, good));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      good = false;
    }
    write_record(m_out, {{"kernel", "spmv"},
                         {"peer", m_peer},
                         {"space", HostSpace::name()},
                         {"threads", HostSpace().concurrency()},
                         {"batches", m_batches},
                         {"batch_ms", m_batch_ms},
                         {"matrices", matrices}});
    return good ? 0 : 1;
  }

 private:
  /// Scalar stencils in two and three dimensions and blocks, of about a million rows or ten million
  /// entries at the most.
  static std::vector<MatrixSource> by_default() {
    return {{.problem = "poisson2d", .n = 1000},
            {.problem = "poisson3d", .n = 100},
            {.problem = "poisson3d27", .n = 60},
            {.problem = blocks_problem, .n = 30}};
  }

  /// One line of the table.
  struct Row {
    std::string name;
    std::string who;
    double conversion_ms = 0;
    std::size_t product_bytes = 0;  ///< 0 for a peer: its arrays are its own
    std::function<void()> multiply;
  };

  nlohmann::json compare(
      const MatrixSource& source,
      const std::function<std::vector<PeerProduct>(const HostCsr&)>& prepare_peer,
      bool& good) const {
    const HostSpace exec;
    const HostCsr A = source.make(exec);
    const ProductCheck<HostSpace> check(exec, A, 1);
    const auto x = make_vectors<double>(exec, A.num_cols, 1);
    const auto y = allocate_multivector<double>(exec, "tessera::perf::y", A.num_rows);
    std::vector<Row> rows;
    const auto add = [&](Row row, const Accuracy& accuracy) {
      Kokkos::deep_copy(exec, y, 0.0);
      exec.fence("tessera::perf");
      row.multiply();
      if (const std::size_t wrong = check.wrong(exec, y, accuracy); wrong > 0) {
        std::printf("%s, %s: %zu of %d elements are wrong\n", source.name().c_str(),
                    row.name.c_str(), wrong, A.num_rows);
        good = false;
        return;
      }
      rows.push_back(std::move(row));
    };
    for (const PeerProduct& product : prepare_peer(A)) {
      add({.name = product.name,
           .who = m_peer,
           .multiply = [x, y, product] { product.multiply(x.data(), y.data()); }},
          Accuracy::of<double, double>(1));
    }
    const kernels::FormatChoice choice = kernels::select_format(exec, A.view());
    const Variant automatic = variant_of(choice);
    const CandidateMaker<double, double, HostSpace> maker(exec, A, 3);
    const auto add_ours = [&](const std::string& name, const Variant& variant) {
      const auto candidate = maker.make(variant);
      add({.name = name,
           .who = "tessera",
           .conversion_ms = candidate.conversion_ms,
           .product_bytes = candidate.product_bytes(A.num_rows, A.num_cols, 1),
           .multiply = [x, y, candidate] { candidate.multiply(x, y); }},
          candidate.accuracy);
    };
    add_ours("csr", {});
    add_ours("mbsr", {.format = Format::mbsr});
    add_ours("auto: " + automatic.name(), automatic);
    std::printf("%s: %d rows, %zu entries, %.2f a tile; auto: %s\n", source.name().c_str(),
                A.num_rows, A.num_entries(), choice.statistics.entries_per_tile(),
                choice.reason.c_str());
    return {
        {"name", source.name()},      {"rows", A.num_rows},
        {"entries", A.num_entries()}, {"entries_per_tile", choice.statistics.entries_per_tile()},
        {"choice", choice.reason},    {"results", timed(exec, rows)}};
  }

  nlohmann::json timed(const HostSpace& exec, const std::vector<Row>& rows) const {
    std::vector<std::function<void()>> functions;
    for (const Row& row : rows)
      functions.push_back(row.multiply);
    const std::vector<double> ms = median_call_ms(exec, functions, m_batches, m_batch_ms);
    double best_peer = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].who == m_peer) best_peer = std::min(best_peer, ms[i]);
    }
    nlohmann::json results = nlohmann::json::array();
    std::printf("  %-28s %10s %8s %12s %14s\n", "", "ms", "GB/s", "peer / ours", "conv., SpMVs");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      nlohmann::json json{{"by", row.who}, {"variant", row.name}, {"ms", ms[i]}};
      std::printf("  %-28s %10.4f", (row.who + " " + row.name).c_str(), ms[i]);
      if (row.who != m_peer) {
        json["product_bytes"] = row.product_bytes;
        json["bandwidth_gb_s"] = static_cast<double>(row.product_bytes) / ms[i] * 1e-6;
        json["peer_over_ours"] = best_peer / ms[i];
        json["conversion_ms"] = row.conversion_ms;
        json["conversion_in_spmvs"] = row.conversion_ms / ms[i];
        std::printf(" %8.2f %12.3f %14.1f", json["bandwidth_gb_s"].get<double>(), best_peer / ms[i],
                    row.conversion_ms / ms[i]);
      }
      std::printf("\n");
      results.push_back(json);
    }
    return results;
  }

  std::string m_peer;
  MatrixOptions m_matrices;
  int m_batches = 15;
  double m_batch_ms = 100;
  std::string m_out;
};

}  // namespace tessera::perf
