// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in every format, storage and kernel on the default execution space,
/// by Google Benchmark: `--out FILE` writes the figures as JSON, `--help` lists the options.
///
/// Every product is checked against CSR in double before it is timed; one that is wrong is not
/// timed, and the program ends with 1.
#include "support/benchmark_main.hpp"
#include "support/spmv_variants.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::Variant;

struct Options {
  tessera::perf::MatrixOptions matrices;
  std::vector<std::string> formats;
  std::vector<std::string> storages{"double"};
  std::string vectors = "double";
  std::vector<std::string> kernels;
  std::vector<int> columns{1};

  void add_to(CLI::App& app) {
    matrices.add_to(app);
    app.add_option("--format", formats,
                   "formats, by comma; all that can hold the matrix by default")
        ->delimiter(',')
        ->check(CLI::IsMember(format_names()));
    app.add_option("--precision", storages, "scalars that the matrix is stored in, by comma")
        ->delimiter(',')
        ->check(CLI::IsMember(storage_names()));
    app.add_option("--vectors", vectors, "scalar of the vectors")
        ->check(CLI::IsMember({"double", "float"}));
    app.add_option("--columns", columns, "numbers of vectors multiplied at once, by comma")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_option("--kernel", kernels, "of mBSR, by comma; the plan's own choice by default")
        ->delimiter(',')
        ->check(CLI::IsMember({"tile_row", "staged", "load_balanced", "tensor_core"}));
  }

  static std::vector<std::string> format_names() {
    std::vector<std::string> names{"mbsr-dense", "auto"};
    tessera::kernels::for_each_format([&]<class Trait>() { names.emplace_back(Trait::name); });
    return names;
  }

  static std::vector<std::string> storage_names() {
    std::vector<std::string> names;
    tessera::perf::for_each_storage(
        [&]<class Storage>() { names.push_back(tessera::perf::scalar_name<Storage>); });
    return names;
  }
};

/// All candidates of one matrix with `columns` vectors of `Working`; they live as long as the
/// benchmarks run.
template <class Working>
class MatrixBenchmarks {
 public:
  MatrixBenchmarks(const Space& exec, const tessera::perf::MatrixSource& source,
                   const Options& options, int columns)
      : m_exec(exec),
        m_A(source.make(exec)),
        m_name(source.name()),
        m_options(options),
        m_columns(columns),
        m_check(exec, m_A, columns),
        m_x(tessera::perf::make_vectors<Working>(exec, m_A.num_cols, columns)),
        m_y(tessera::allocate_multivector<Working>(exec, "tessera::perf::y", m_A.num_rows,
                                                   columns)) {
    std::printf("%s: %d rows, %d columns, %zu entries; vectors: %d\n", m_name.c_str(), m_A.num_rows,
                m_A.num_cols, m_A.num_entries(), columns);
  }

  /// Registers a benchmark for every storage, format and kernel; false where one is wrong, or one
  /// that was asked for by name cannot be made.
  bool register_all() {
    bool good = true;
    tessera::perf::for_each_storage([&]<class Storage>() {
      const auto& asked = m_options.storages;
      const char* const name = tessera::perf::scalar_name<Storage>;
      if (std::find(asked.begin(), asked.end(), name) == asked.end()) return;
      good = register_formats<Storage>() && good;
    });
    return good;
  }

 private:
  using Candidate = tessera::perf::Candidate<Working, Space>;

  template <class Storage>
  bool register_formats() {
    const bool by_name = !m_options.formats.empty();
    bool good = true;
    for (const std::string& format : by_name ? m_options.formats : Options::format_names()) {
      try {
        for (const Variant& variant : variants_of<Storage>(format))
          good = register_one<Storage>(format, variant) && good;
      } catch (const std::exception& error) {
        std::printf("%s %s: %s\n", m_name.c_str(), format.c_str(), error.what());
        if (by_name) good = false;
      }
    }
    return good;
  }

  /// One; of mBSR one for each kernel that was asked for.
  template <class Storage>
  std::vector<Variant> variants_of(const std::string& format) const {
    if (format == "auto") {
      const auto choice =
          tessera::kernels::select_format(m_exec, m_A.view(), {.value_bytes = sizeof(Storage)});
      std::printf("%s auto: %s\n", m_name.c_str(), choice.reason.c_str());
      return {tessera::perf::variant_of(choice)};
    }
    std::map<std::string, Variant> variants{
        {"mbsr-dense",
         {.format = tessera::perf::Format::mbsr, .layout = tessera::perf::TileLayout::dense}}};
    tessera::kernels::for_each_format(
        [&]<class Trait>() { variants[std::string(Trait::name)] = {.format = Trait::value}; });
    Variant variant = variants.at(format);
    if (variant.format != tessera::perf::Format::mbsr || m_options.kernels.empty())
      return {variant};
    using tessera::perf::MbsrSpmvKernel;
    std::vector<Variant> result;
    for (const std::string& name : m_options.kernels) {
      for (const auto kernel : {MbsrSpmvKernel::tile_row, MbsrSpmvKernel::staged,
                                MbsrSpmvKernel::load_balanced, MbsrSpmvKernel::tensor_core}) {
        if (name == Variant::name_of_kernel(kernel)) variant.kernel = kernel;
      }
      result.push_back(variant);
    }
    return result;
  }

  template <class Storage>
  bool register_one(const std::string& format, const Variant& variant) {
    constexpr int conversions = 3;
    const auto candidate =
        tessera::perf::CandidateMaker<Working, Storage, Space>(m_exec, m_A, conversions)
            .make(variant);
    Kokkos::deep_copy(m_exec, m_y, Working(0));
    candidate.multiply(m_x, m_y);
    const std::size_t wrong = m_check.wrong(m_exec, m_y, candidate.accuracy);
    if (wrong > 0) {
      std::printf("%s %s: %zu of %zu elements are wrong\n", m_name.c_str(), variant.name().c_str(),
                  wrong, m_y.size());
      return false;
    }
    std::string name = m_name + "/" + (format == "auto" ? "auto: " : "") + variant.name() + "/" +
                       tessera::perf::scalar_name<Storage> + "/" + m_options.vectors;
    if (m_columns > 1) name += "/" + std::to_string(m_columns) + " columns";
    benchmark::RegisterBenchmark(
        name.c_str(), [this, candidate](benchmark::State& state) { run(state, candidate); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    return true;
  }

  void run(benchmark::State& state, const Candidate& candidate) const {
    constexpr int calls_per_fence = 8;
    candidate.multiply(m_x, m_y);
    m_exec.fence("tessera::perf");
    while (state.KeepRunningBatch(calls_per_fence)) {
      for (int i = 0; i < calls_per_fence; ++i)
        candidate.multiply(m_x, m_y);
      m_exec.fence("tessera::perf");
    }
    using benchmark::Counter;
    constexpr auto each_call = Counter::kIsIterationInvariantRate;  // times calls over seconds
    const auto bytes =
        static_cast<double>(candidate.product_bytes(m_A.num_rows, m_A.num_cols, m_columns));
    state.counters["product_bytes"] = bytes;
    state.counters["format_bytes"] = static_cast<double>(candidate.matrix_bytes);
    state.counters["bandwidth_gb_s"] = Counter(bytes * 1e-9, each_call);
    state.counters["ms"] = Counter(1e-3, static_cast<Counter::Flags>(each_call | Counter::kInvert));
    state.counters["conversion_ms"] = candidate.conversion_ms;
    state.counters["conversion_in_spmvs"] = Counter(candidate.conversion_ms * 1e-3, each_call);
    state.counters["analysis_ms"] = candidate.analysis_ms;
  }

  Space m_exec;
  tessera::kernels::Csr<double, Space> m_A;
  std::string m_name;
  Options m_options;
  int m_columns;
  tessera::perf::ProductCheck<Space> m_check;
  tessera::MultiVector<Working, Space> m_x, m_y;
};

template <class Working>
bool run_all(const Space& exec, const Options& options) {
  bool good = true;
  std::vector<std::unique_ptr<MatrixBenchmarks<Working>>> matrices;
  for (const auto& source : options.matrices.sources({options.matrices.generated})) {
    for (const int columns : options.columns) {
      matrices.push_back(
          std::make_unique<MatrixBenchmarks<Working>>(exec, source, options, columns));
      good = matrices.back()->register_all() && good;
    }
  }
  tessera::perf::run_benchmarks();
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return tessera::perf::benchmark_main(
      argc, argv, "Sparse matrix times vectors in every format", options, [&] {
        const Space exec;
        return options.vectors == "float" ? run_all<float>(exec, options)
                                          : run_all<double>(exec, options);
      });
}
