// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves within one launch with every preconditioner that there is inside.
#pragma once

#include "kernels_persistent/persistent_solves.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/operator/jacobi_preconditioner.hpp"
#include "tessera/smoother/ilu_smoother.hpp"

#include <memory>

namespace tessera::test {

/// `sweeps`: two of damped Jacobi as a program, of which `in_float` and `in_one_block` are others.
enum class Inside {
  nothing,
  jacobi,
  blocks,
  sweeps,
  in_float,
  in_one_block,
  ilu,  ///< each row as soon as it can be solved for, on a device
  ilu_by_one_block
};

inline constexpr Inside all_inside[] = {
    Inside::nothing,  Inside::jacobi,       Inside::blocks, Inside::sweeps,
    Inside::in_float, Inside::in_one_block, Inside::ilu,    Inside::ilu_by_one_block};
inline bool is_program(Inside inside) {
  return inside >= Inside::sweeps && inside <= Inside::in_one_block;
}
inline std::string name_of(Inside inside) {
  constexpr const char* names[] = {"nothing",  "jacobi",       "blocks", "sweeps",
                                   "in_float", "in_one_block", "ilu",    "ilu_by_one_block"};
  return names[static_cast<int>(inside)];
}

/// Two sweeps of Jacobi from zero, damped by a half.
template <class Scalar, class Space, class Offset>
class Sweeps {
 public:
  using Program = kernels::StepProgram<Scalar, Space>;

  Sweeps(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A, bool in_one_block)
      : m_A(A), m_weights(kernels::inverse_diagonal(exec, A.view())) {
    kernels::scale(exec, Scalar(0.5), MultiVectorView<Scalar, Space>(as_multivector(m_weights)));
    using kernels::StepKind;
    kernels::Step<Scalar> first{.kind = StepKind::scale, .num_rows = A.num_rows, .b = 0, .y = 2};
    first.d = m_weights.data();
    kernels::Step<Scalar> second{.kind = StepKind::jacobi, .num_rows = A.num_rows};
    second.num_entries = A.num_entries();
    if constexpr (std::is_same_v<Offset, std::int32_t>) {
      second.offsets = A.offsets.data();
    } else {
      second.wide_offsets = A.offsets.data();
    }
    second.columns = A.columns.data();
    second.values = A.values.data();
    second.d = m_weights.data();
    second.b = 0;
    second.x = 2;
    second.y = 1;
    const std::size_t n = A.num_rows;
    const std::size_t most = in_one_block ? std::size_t{1} << 40 : 0;
    m_program = Program({first, second}, {n}, {.one_block_entries = most});
  }
  Program* program() { return &m_program; }

 private:
  kernels::Csr<Scalar, Space, Offset> m_A;
  Array<Scalar, Space> m_weights;
  Program m_program;
};

/// Incomplete factors, usable or not.
template <class Scalar, class Space, class Offset>
class InsideFactors {
 public:
  InsideFactors(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                bool by_one_block) {
    m_ilu.initialize(exec, A);
    static_cast<void>(m_ilu.compute(exec, A.view()));
    const auto& factors = m_ilu.factors();
    m_inside = kernels::FactorsInside<Scalar, Space>(
        exec, factors.lower(), factors.upper(),
        by_one_block ? kernels::FactorMode::one_block : kernels::FactorMode::synchronization_free);
  }
  const kernels::FactorsInside<Scalar, Space>* inside() const { return &m_inside; }
  IluPreconditioner<Scalar, Space, Offset>& ordinary() { return m_ilu; }

 private:
  IluPreconditioner<Scalar, Space, Offset> m_ilu;
  kernels::FactorsInside<Scalar, Space> m_inside;
};

/// The sweeps as an ordinary preconditioner.
template <class Scalar, class Space, class Offset>
class SweepsPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  SweepsPreconditioner(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A)
      : m_A(A),
        m_plan(kernels::analyse_spmv(exec, A.view())),
        m_weights(kernels::inverse_diagonal(exec, A.view())),
        m_zero(allocate_multivector<Scalar>(exec, "tessera::test", A.num_rows, 1)),
        m_first(allocate_multivector<Scalar>(exec, "tessera::test", A.num_rows, 1)) {
    kernels::scale(exec, Scalar(0.5), MultiVectorView<Scalar, Space>(as_multivector(m_weights)));
    Kokkos::deep_copy(exec, m_zero, Scalar(0));
  }
  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::jacobi_sweep(exec, m_plan, m_A.view(), m_weights, r, m_zero, m_first);
    kernels::jacobi_sweep(exec, m_plan, m_A.view(), m_weights, r, m_first, z);
  }

 private:
  kernels::Csr<Scalar, Space, Offset> m_A;
  kernels::CsrSpmvPlan<Space> m_plan;
  Array<Scalar, Space> m_weights;
  MultiVector<Scalar, Space> m_zero, m_first;
};

/// Those of one matrix, made when they are asked for first.
template <class Scalar, class Space, class Offset>
class Preconditioners {
 public:
  using Matrix = kernels::Csr<Scalar, Space, Offset>;

  Preconditioners(const Space& exec, const Matrix& A, int block_rows)
      : m_exec(exec), m_A(A), m_block_rows(block_rows) {}

  kernels::PersistentPreconditioner<Scalar, Space> operator()(Inside inside) {
    kernels::PersistentPreconditioner<Scalar, Space> M;
    if (inside == Inside::jacobi) {
      if (m_d.extent(0) == 0) m_d = kernels::inverse_diagonal(m_exec, m_A.view());
      M = m_d;
    } else if (inside == Inside::blocks) {
      if (m_blocks.extent(0) == 0)
        m_blocks = kernels::inverse_blocks(m_exec, m_A.view(), m_block_rows);
      M.blocks = m_blocks;
      M.block_rows = m_block_rows;
    } else if (inside == Inside::in_float && !std::is_same_v<Scalar, float>) {
      if (m_in_float == nullptr)
        m_in_float = std::make_unique<Sweeps<float, Space, Offset>>(
            m_exec, kernels::convert_values<float>(m_exec, m_A), false);
      M.float_program = m_in_float->program();
    } else if (is_program(inside)) {
      const bool in_one_block = inside == Inside::in_one_block;
      M.program = made(m_sweeps[in_one_block], in_one_block)->program();
    } else if (inside != Inside::nothing) {
      const bool by_one_block = inside == Inside::ilu_by_one_block;
      M.factors = made(m_ilu[by_one_block], by_one_block)->inside();
    }
    return M;
  }

 private:
  template <class T>
  T* made(std::unique_ptr<T>& place, bool in_one_block) {
    if (place == nullptr) place = std::make_unique<T>(m_exec, m_A, in_one_block);
    return place.get();
  }

  Space m_exec;
  Matrix m_A;
  int m_block_rows;
  Array<Scalar, Space> m_d, m_blocks;
  std::unique_ptr<Sweeps<Scalar, Space, Offset>> m_sweeps[2];
  std::unique_ptr<Sweeps<float, Space, Offset>> m_in_float;
  std::unique_ptr<InsideFactors<Scalar, Space, Offset>> m_ilu[2];
};

/// Solves on one workspace, time and again.
template <class Scalar, class Space, class Offset>
class Preconditioned {
 public:
  int block_rows = 5;
  double time_limit_s = 0;

  Answer<Scalar> solve(Method method, const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                       Inside inside, const PersistentLimits& limits = reachable<Scalar>(),
                       std::vector<Scalar> x0 = {}, const PersistentTuning& tuning = {}) {
    const auto matrix = make_csr<Offset>(m_exec, A);
    Preconditioners<Scalar, Space, Offset> M(m_exec, matrix, block_rows);
    if (x0.empty()) x0.assign(b.size(), Scalar(0));
    const auto rhs = to_device(m_exec, b);
    const auto x = to_device(m_exec, x0);
    Answer<Scalar> answer;
    answer.report = persistent_solve(method, m_exec, m_workspace, matrix.view(), M(inside), rhs, x,
                                     limits, time_limit_s, tuning);
    answer.x = to_host(x);
    return answer;
  }

 private:
  Space m_exec;
  kernels::PersistentWorkspace<Scalar, Space> m_workspace;
};

}  // namespace tessera::test
