// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse products of an AMG setup beside cuSPARSE in one run: SpGEMM with its default
/// algorithm, everything from CSR in to CSR out, and SpGEMMreuse's compute step for values alone.
#include "support/product_cases.hpp"

#include <cusparse.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {

using Space = tessera::DeviceSpace;
using tessera::perf::Matrix;

void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Memory for cuSPARSE's steps, freed at the end of its scope.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) {
    if (bytes > 0) check(cudaMalloc(&m_data, bytes));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(m_data); }

  void* get() const { return m_data; }

 private:
  void* m_data = nullptr;
};

/// A CSR matrix as cuSPARSE describes it.
class Descriptor {
 public:
  explicit Descriptor(const tessera::kernels::CsrView<double, Space>& A) {
    check(cusparseCreateCsr(&m_matrix, A.num_rows, A.num_cols, A.num_entries,
                            const_cast<int*>(A.offsets.data()), const_cast<int*>(A.columns.data()),
                            const_cast<double*>(A.values.data()), CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { cusparseDestroySpMat(m_matrix); }

  cusparseSpMatDescr_t get() const { return m_matrix; }

 private:
  cusparseSpMatDescr_t m_matrix = nullptr;
};

/// The arguments that every step takes.
struct Operation {
  cusparseHandle_t handle;
  cusparseSpGEMMDescr_t state;
  double one = 1.0, zero = 0.0;
  static constexpr auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr auto algorithm = CUSPARSE_SPGEMM_DEFAULT;

  explicit Operation(cusparseHandle_t with) : handle(with) {
    check(cusparseSpGEMM_createDescr(&state));
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation() { cusparseSpGEMM_destroyDescr(state); }
};

/// Arrays for the entries that `C` turned out to have.
Matrix<Space> allocate_result(const Space& exec, const Descriptor& C,
                              const tessera::Array<int, Space>& offsets) {
  std::int64_t num_rows = 0, num_cols = 0, entries = 0;
  check(cusparseSpMatGetSize(C.get(), &num_rows, &num_cols, &entries));
  const auto columns = tessera::allocate<int>(exec, "tessera::perf::columns", entries);
  const auto values = tessera::allocate<double>(exec, "tessera::perf::values", entries);
  check(cusparseCsrSetPointers(C.get(), offsets.data(), columns.data(), values.data()));
  return {static_cast<int>(num_rows), static_cast<int>(num_cols), offsets, columns, values};
}

/// cuSPARSE's whole product.
Matrix<Space> multiply(cusparseHandle_t handle, const Space& exec, const Matrix<Space>& A,
                       const Matrix<Space>& B) {
  const Operation op(handle);
  const Descriptor a(A.view()), b(B.view());
  const auto offsets = tessera::allocate<int>(exec, "tessera::perf::offsets", A.num_rows + 1);
  const Descriptor c({A.num_rows, B.num_cols, 0, offsets, {}, {}});
  const auto estimate = [&](std::size_t& bytes, void* memory) {
    check(cusparseSpGEMM_workEstimation(op.handle, op.none, op.none, &op.one, a.get(), b.get(),
                                        &op.zero, c.get(), CUDA_R_64F, op.algorithm, op.state,
                                        &bytes, memory));
  };
  const auto compute = [&](std::size_t& bytes, void* memory) {
    check(cusparseSpGEMM_compute(op.handle, op.none, op.none, &op.one, a.get(), b.get(), &op.zero,
                                 c.get(), CUDA_R_64F, op.algorithm, op.state, &bytes, memory));
  };
  std::size_t bytes = 0;
  estimate(bytes, nullptr);
  const Buffer estimate_memory(bytes);
  estimate(bytes, estimate_memory.get());
  compute(bytes = 0, nullptr);
  const Buffer compute_memory(bytes);
  compute(bytes, compute_memory.get());
  Matrix<Space> C = allocate_result(exec, c, offsets);
  check(cusparseSpGEMM_copy(op.handle, op.none, op.none, &op.one, a.get(), b.get(), &op.zero,
                            c.get(), CUDA_R_64F, op.algorithm, op.state));
  return C;
}

/// Prepares SpGEMMreuse for A B, and times its compute step.
double reuse_ms(cusparseHandle_t handle, const Space& exec, const Matrix<Space>& A,
                const Matrix<Space>& B, int repeats) {
  const Operation op(handle);
  const Descriptor a(A.view()), b(B.view());
  const auto offsets = tessera::allocate<int>(exec, "tessera::perf::offsets", A.num_rows + 1);
  const Descriptor c({A.num_rows, B.num_cols, 0, offsets, {}, {}});
  std::size_t sizes[5] = {};
  const auto estimate = [&](void* memory) {
    check(cusparseSpGEMMreuse_workEstimation(op.handle, op.none, op.none, a.get(), b.get(), c.get(),
                                             op.algorithm, op.state, &sizes[0], memory));
  };
  const auto find_entries = [&](void* second, void* third, void* fourth) {
    check(cusparseSpGEMMreuse_nnz(op.handle, op.none, op.none, a.get(), b.get(), c.get(),
                                  op.algorithm, op.state, &sizes[1], second, &sizes[2], third,
                                  &sizes[3], fourth));
  };
  const auto copy = [&](void* fifth) {
    check(cusparseSpGEMMreuse_copy(op.handle, op.none, op.none, a.get(), b.get(), c.get(),
                                   op.algorithm, op.state, &sizes[4], fifth));
  };
  estimate(nullptr);
  const Buffer first(sizes[0]);
  estimate(first.get());
  find_entries(nullptr, nullptr, nullptr);
  const Buffer second(sizes[1]), third(sizes[2]), fourth(sizes[3]);
  find_entries(second.get(), third.get(), fourth.get());
  const Matrix<Space> C = allocate_result(exec, c, offsets);
  copy(nullptr);
  const Buffer fifth(sizes[4]);
  copy(fifth.get());
  return tessera::perf::median_ms(exec, repeats, [&] {
    check(cusparseSpGEMMreuse_compute(op.handle, op.none, op.none, &op.one, a.get(), b.get(),
                                      &op.zero, c.get(), CUDA_R_64F, op.algorithm, op.state));
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse products of an AMG setup beside cuSPARSE, medians in milliseconds"};
  tessera::GalleryParameters gallery;
  gallery.n = 128;
  std::string problem = "poisson3d";
  std::string out;
  int repeats = 10;
  app.add_option("--problem", problem, "gallery problem on a grid");
  app.add_option("--n", gallery.n, "points a side");
  app.add_option("--repeats", repeats, "timed calls")->check(CLI::PositiveNumber);
  app.add_option("--out", out, "JSON file");
  CLI11_PARSE(app, argc, argv);
  gallery.problem = tessera::perf::problem_of_name(problem);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  cusparseHandle_t handle = nullptr;
  check(cusparseCreate(&handle));
  check(cusparseSetStream(handle, exec.cuda_stream()));
  nlohmann::json rows = nlohmann::json::array();
  std::printf("%s, n = %d\n%-10s %12s %12s %12s %7s %12s %12s %7s\n", problem.c_str(), gallery.n,
              "product", "entries", "tessera ms", "cusparse ms", "ratio", "values ms", "reuse ms",
              "ratio");
  for (const auto& product : tessera::perf::product_cases(exec, gallery)) {
    const auto A = product.A.view();
    const auto B = product.B.view();
    const auto C = tessera::kernels::spgemm(exec, A, B);
    const double ours =
        tessera::perf::median_ms(exec, repeats, [&] { tessera::kernels::spgemm(exec, A, B); });
    const double theirs = tessera::perf::median_ms(
        exec, repeats, [&] { multiply(handle, exec, product.A, product.B); });
    const double our_values = tessera::perf::median_ms(
        exec, repeats, [&] { tessera::kernels::spgemm_numeric(exec, A, B, C); });
    const double their_values = reuse_ms(handle, exec, product.A, product.B, repeats);
    std::printf("%-10s %12zu %12.3f %12.3f %7.2f %12.3f %12.3f %7.2f\n", product.name.c_str(),
                C.num_entries(), ours, theirs, theirs / ours, our_values, their_values,
                their_values / our_values);
    rows.push_back({{"product", product.name},
                    {"entries", C.num_entries()},
                    {"product_ms", ours},
                    {"cusparse_ms", theirs},
                    {"values_ms", our_values},
                    {"cusparse_reuse_ms", their_values}});
  }
  check(cusparseDestroy(handle));
  if (!out.empty()) {
    std::ofstream(out)
        << nlohmann::json{{"problem", problem}, {"n", gallery.n}, {"products", rows}}.dump(2)
        << '\n';
  }
}
