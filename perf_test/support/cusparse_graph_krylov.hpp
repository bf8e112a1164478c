// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB of the vendor's libraries as an expert writes them: cuSPARSE's best product for
/// the matrix, cuBLAS with its scalars on the device, and ten iterations recorded as one graph.
///
/// The host looks at the residual once in ten iterations, while the next ten already run. So that
/// this changes no result, steps have length 0 once the target is met.
#pragma once

#include "support/cusparse_krylov.hpp"
#include "tessera/kernels/execution/launch_graph.hpp"

#include <Kokkos_Timer.hpp>
#include <memory>

namespace tessera::perf {

/// Scalars of a solve, in the device's memory.
struct GraphScalars {
  double rho;  ///< r·z of CG, shadow·r of BiCGSTAB
  double next_rho;  ///< of the next iteration
  double curvature;  ///< p·A p, or shadow·v
  double tr, tt;  ///< of BiCGSTAB
  double rr, target;  ///< r·r, and what it may be at the end
  double alpha, minus_alpha, beta, omega, minus_omega;
  double iterations;  ///< begun before r·r met its target
};

KOKKOS_INLINE_FUNCTION double quotient_or_0(double a, double b) { return b != 0 ? a / b : 0; }

namespace graph_steps {

using Scalars = Kokkos::View<GraphScalars, DeviceSpace>;

template <class Step>
void once(const DeviceSpace& exec, const Step& step) {
  Kokkos::parallel_for("tessera::perf::scalars", Kokkos::RangePolicy<DeviceSpace>(exec, 0, 1),
                       step);
}
struct Begin {
  Scalars s;
  double tolerance;

  KOKKOS_FUNCTION void operator()(int) const {
    // r·r is b·b here, as x = 0.
    s().target = tolerance * tolerance * s().rr;
    s().iterations = 0;
  }
};
struct Length {
  Scalars s;

  KOKKOS_FUNCTION void operator()(int) const {
    const bool goes_on = s().rr > s().target;
    s().alpha = goes_on ? quotient_or_0(s().rho, s().curvature) : 0;
    s().minus_alpha = -s().alpha;
    s().iterations += goes_on;
  }
};
/// From the next r·z, or r·r where that is the same.
struct CgDirection {
  Scalars s;
  bool is_preconditioned;

  KOKKOS_FUNCTION void operator()(int) const {
    const double next = is_preconditioned ? s().next_rho : s().rr;
    s().beta = quotient_or_0(next, s().rho);
    s().rho = next;
  }
};
struct BicgstabOmega {
  Scalars s;

  KOKKOS_FUNCTION void operator()(int) const {
    s().omega = s().rr > s().target ? quotient_or_0(s().tr, s().tt) : 0;
    s().minus_omega = -s().omega;
  }
};
struct BicgstabDirection {
  Scalars s;

  KOKKOS_FUNCTION void operator()(int) const {
    s().beta = quotient_or_0(s().next_rho, s().rho) * quotient_or_0(s().alpha, s().omega);
    s().rho = s().next_rho;
  }
};

}  // namespace graph_steps

/// How many iterations a solve needed, and how many the device ran.
struct GraphEnd {
  int iterations;
  int iterations_run;
};

/// Solvers for one matrix, with all their vectors.
class CusparseGraphKrylov {
 public:
  using Matrix = kernels::Csr<double, DeviceSpace>;
  using Vector = MultiVector<double, DeviceSpace>;
  static constexpr int iterations_of_a_graph = 10;

  /// `inverse_diagonal`: Jacobi; empty for none.
  CusparseGraphKrylov(const DeviceSpace& exec, const Matrix& A,
                      const Array<double, DeviceSpace>& inverse_diagonal)
      : m_exec(exec),
        m_A(A),
        m_n(A.num_rows),
        m_d(inverse_diagonal),
        m_stream(exec),
        m_cusparse(m_stream.instance()),
        m_scalars("tessera::perf::scalars"),
        m_read(Kokkos::view_alloc(Kokkos::SharedHostPinnedSpace(), "tessera::perf::read"), 2) {
    check(cublasCreate(&m_cublas));
    check(cublasSetStream(m_cublas, m_stream.instance().cuda_stream()));
    check(cublasSetPointerMode(m_cublas, CUBLAS_POINTER_MODE_DEVICE));
    m_workspace = Kokkos::View<char*, DeviceSpace>("tessera::perf::workspace", workspace_bytes);
    check(cublasSetWorkspace(m_cublas, m_workspace.data(), workspace_bytes));
    const double one = 1;
    m_one = Kokkos::View<double, DeviceSpace>("tessera::perf::one");
    Kokkos::deep_copy(m_one, one);
    for (auto& v : m_vectors)
      v = allocate_multivector<double>(exec, "tessera::perf::vector", m_n);
    for (auto& event : m_events)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    Kokkos::fence("tessera::perf");
  }
  CusparseGraphKrylov(const CusparseGraphKrylov&) = delete;
  CusparseGraphKrylov& operator=(const CusparseGraphKrylov&) = delete;
  ~CusparseGraphKrylov() {
    for (const auto event : m_events)
      cudaEventDestroy(event);
    cublasDestroy(m_cublas);
  }

  /// From x = 0. The first call for b and x picks the product and records.
  GraphEnd cg(const Vector& b, const Vector& x, double tolerance, int max_iterations) {
    prepare(true, x);
    m_stream.run_within(m_exec, [&](const DeviceSpace& exec) { begin_cg(exec, b, x, tolerance); });
    return iterate(max_iterations);
  }
  /// The same; M from the right.
  GraphEnd bicgstab(const Vector& b, const Vector& x, double tolerance, int max_iterations) {
    prepare(false, x);
    m_stream.run_within(m_exec,
                        [&](const DeviceSpace& exec) { begin_bicgstab(exec, b, x, tolerance); });
    return iterate(max_iterations);
  }

  /// cuSPARSE's algorithm for products that was the fastest, once something was solved.
  const char* algorithm() const { return m_algorithm; }

 private:
  using Product = CusparseProduct<double>;
  static constexpr std::size_t workspace_bytes = 32 << 20;

  double* r() const { return m_vectors[0].data(); }
  double* p() const { return m_vectors[1].data(); }
  double* z() const { return has_M() ? m_vectors[2].data() : r(); }  // of CG
  double* d() const { return m_vectors[2].data(); }  // of BiCGSTAB: M p, M r
  double* v() const { return m_vectors[3].data(); }  // A p, A M p
  double* t() const { return m_vectors[4].data(); }  // A M r
  double* shadow() const { return m_vectors[5].data(); }
  double* at(double GraphScalars::* member) const { return &(m_scalars.data()->*member); }
  bool has_M() const { return m_d.extent(0) > 0; }

  void prepare(bool is_cg, const Vector& x) {
    if (m_graph.is_ready() && m_is_cg == is_cg && m_x == x.data()) return;
    m_is_cg = is_cg;
    m_x = x.data();
    const auto& first_from = is_cg || !has_M() ? m_vectors[1] : m_vectors[2];
    const auto& second_from = has_M() ? m_vectors[2] : m_vectors[0];
    const auto algorithm = fastest(first_from, m_vectors[3]);
    m_product = std::make_unique<Product>(m_cusparse, m_A, first_from, m_vectors[3], algorithm);
    m_second = std::make_unique<Product>(m_cusparse, m_A, second_from, m_vectors[4], algorithm);
    const auto work = [&](const DeviceSpace& exec) {
      for (int i = 0; i < iterations_of_a_graph; ++i)
        is_cg ? cg_iteration(exec) : bicgstab_iteration(exec);
    };
    // A first use may allocate.
    m_stream.run_within(m_exec, work);
    m_stream.instance().fence("tessera::perf");
    m_graph = kernels::LaunchGraph<DeviceSpace>::record(m_stream, work);
    if (!m_graph.is_ready()) throw std::runtime_error("no graph: " + m_graph.failure());
  }

  /// Of cuSPARSE's algorithms, by the time of twenty products.
  cusparseSpMVAlg_t fastest(const Vector& from, const Vector& to) {
    struct Named {
      const char* name;
      cusparseSpMVAlg_t algorithm;
    };
    cusparseSpMVAlg_t best = CUSPARSE_SPMV_ALG_DEFAULT;
    double least = HUGE_VAL;
    for (const Named one :
         {Named{"default", CUSPARSE_SPMV_ALG_DEFAULT}, Named{"CSR 1", CUSPARSE_SPMV_CSR_ALG1},
          Named{"CSR 2", CUSPARSE_SPMV_CSR_ALG2}}) {
      const Product product(m_cusparse, m_A, from, to, one.algorithm);
      for (const int count : {3, 20}) {
        m_stream.instance().fence("tessera::perf");
        const Kokkos::Timer timer;
        for (int i = 0; i < count; ++i)
          product.multiply();
        m_stream.instance().fence("tessera::perf");
        if (count > 3 && timer.seconds() < least) {
          least = timer.seconds();
          best = one.algorithm;
          m_algorithm = one.name;
        }
      }
    }
    return best;
  }

  void begin_cg(const DeviceSpace& exec, const Vector& b, const Vector& x, double tolerance) {
    Kokkos::deep_copy(exec, x, 0.0);
    copy(b.data(), r());
    dot(r(), r(), &GraphScalars::rr);
    graph_steps::once(exec, graph_steps::Begin{m_scalars, tolerance});
    precondition(r(), z());
    copy(z(), p());
    dot(r(), z(), &GraphScalars::rho);
  }
  void cg_iteration(const DeviceSpace& exec) {
    m_product->multiply();
    dot(p(), v(), &GraphScalars::curvature);
    graph_steps::once(exec, graph_steps::Length{m_scalars});
    add(at(&GraphScalars::alpha), p(), m_x);
    add(at(&GraphScalars::minus_alpha), v(), r());
    dot(r(), r(), &GraphScalars::rr);
    if (has_M()) {
      precondition(r(), z());
      dot(r(), z(), &GraphScalars::next_rho);
    }
    graph_steps::once(exec, graph_steps::CgDirection{m_scalars, has_M()});
    check(cublasDscal(m_cublas, m_n, at(&GraphScalars::beta), p(), 1));
    add(m_one.data(), z(), p());
  }

  void begin_bicgstab(const DeviceSpace& exec, const Vector& b, const Vector& x, double tolerance) {
    Kokkos::deep_copy(exec, x, 0.0);
    copy(b.data(), r());
    copy(r(), shadow());
    copy(r(), p());
    dot(r(), r(), &GraphScalars::rr);
    dot(r(), r(), &GraphScalars::rho);
    graph_steps::once(exec, graph_steps::Begin{m_scalars, tolerance});
  }
  void bicgstab_iteration(const DeviceSpace& exec) {
    const double* const Mp = has_M() ? d() : p();
    const double* const Mr = has_M() ? d() : r();
    precondition(p(), d());
    m_product->multiply();
    dot(shadow(), v(), &GraphScalars::curvature);
    graph_steps::once(exec, graph_steps::Length{m_scalars});
    add(at(&GraphScalars::alpha), Mp, m_x);
    add(at(&GraphScalars::minus_alpha), v(), r());
    precondition(r(), d());
    m_second->multiply();
    dot(t(), r(), &GraphScalars::tr);
    dot(t(), t(), &GraphScalars::tt);
    graph_steps::once(exec, graph_steps::BicgstabOmega{m_scalars});
    add(at(&GraphScalars::omega), Mr, m_x);
    add(at(&GraphScalars::minus_omega), t(), r());
    dot(r(), r(), &GraphScalars::rr);
    dot(shadow(), r(), &GraphScalars::next_rho);
    graph_steps::once(exec, graph_steps::BicgstabDirection{m_scalars});
    add(at(&GraphScalars::minus_omega), v(), p());
    check(cublasDscal(m_cublas, m_n, at(&GraphScalars::beta), p(), 1));
    add(m_one.data(), r(), p());
  }

  /// Ten iterations after the other, one set behind what is known.
  GraphEnd iterate(int max_iterations) {
    const auto& exec = m_stream.instance();
    int run = 0;
    for (int turn = 0;; ++turn) {
      m_graph.launch(exec);
      run += iterations_of_a_graph;
      read(turn);
      if (turn > 0 && is_over(turn - 1, max_iterations)) break;
      if (run >= max_iterations) {
        is_over(turn, max_iterations);
        break;
      }
    }
    exec.fence("tessera::perf");
    return {std::min(max_iterations, static_cast<int>(m_last.iterations)), run};
  }
  void read(int turn) {
    const auto stream = m_stream.instance().cuda_stream();
    check(cudaMemcpyAsync(&m_read(turn % 2), m_scalars.data(), sizeof(GraphScalars),
                          cudaMemcpyDeviceToHost, stream));
    check(cudaEventRecord(m_events[turn % 2], stream));
  }
  bool is_over(int turn, int max_iterations) {
    check(cudaEventSynchronize(m_events[turn % 2]));
    m_last = m_read(turn % 2);
    // Not a number: the loop has broken down, and is over as well.
    return !(m_last.rr > m_last.target) || m_last.iterations >= max_iterations;
  }

  void copy(const double* from, double* to) { check(cublasDcopy(m_cublas, m_n, from, 1, to, 1)); }
  void precondition(const double* from, double* to) {
    if (has_M())
      check(cublasDdgmm(m_cublas, CUBLAS_SIDE_LEFT, m_n, 1, from, m_n, m_d.data(), 1, to, m_n));
  }
  void add(const double* factor, const double* from, double* to) {
    check(cublasDaxpy(m_cublas, m_n, factor, from, 1, to, 1));
  }
  void dot(const double* x, const double* y, double GraphScalars::* to) {
    check(cublasDdot(m_cublas, m_n, x, 1, y, 1, at(to)));
  }

  DeviceSpace m_exec;
  Matrix m_A;
  Ordinal m_n;
  Array<double, DeviceSpace> m_d;
  kernels::RecordingStream<DeviceSpace> m_stream;
  CusparseHandle m_cusparse;
  cublasHandle_t m_cublas = nullptr;
  Kokkos::View<char*, DeviceSpace> m_workspace;
  Kokkos::View<double, DeviceSpace> m_one;
  graph_steps::Scalars m_scalars;
  Kokkos::View<GraphScalars*, Kokkos::SharedHostPinnedSpace> m_read;
  GraphScalars m_last{};
  cudaEvent_t m_events[2] = {};
  Vector m_vectors[6];
  std::unique_ptr<Product> m_product, m_second;
  kernels::LaunchGraph<DeviceSpace> m_graph;
  bool m_is_cg = true;
  double* m_x = nullptr;
  const char* m_algorithm = "";
};

}  // namespace tessera::perf
