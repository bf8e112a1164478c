// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/core/half_operator.hpp"

#include "tessera/core/stored_matrix.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/half/half_products.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tessera {
namespace detail {

/// Rows that a load-balanced plan shares out by entries are long: here they take a warp.
inline constexpr int threads_of_long_rows = 32;

template <class Storage, class Space, class Offset>
class HalfRows : public HalfOperator<Space> {
 public:
  using typename HalfOperator<Space>::ConstVectors;
  using typename HalfOperator<Space>::Vectors;
  using Stored = StoredMatrix<float, kernels::Csr<Storage, Space, Offset>>;

  explicit HalfRows(std::shared_ptr<const Stored> A) : m_A(std::move(A)) {
    const auto& plan = m_A->plan();
    m_threads = plan.algorithm == kernels::CsrSpmvAlgorithm::load_balanced
                    ? threads_of_long_rows
                    : std::max(plan.threads_per_row, 1);
  }

  Ordinal num_rows() const override { return m_A->num_rows(); }
  Ordinal num_cols() const override { return m_A->num_cols(); }

  void apply(const Space& exec, float alpha, const ConstVectors& x, float beta,
             const Vectors& y) const override {
    kernels::half_spmv(exec, m_threads, alpha, m_A->view(), x, beta, y);
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    kernels::half_residual(exec, m_threads, m_A->view(), b, x, r);
  }
  void jacobi_sweep(const Space& exec, const ArrayView<const float, Space>& d,
                    const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) const override {
    kernels::half_jacobi_sweep(exec, m_threads, m_A->view(), d, b, x_in, x_out);
  }
  void chebyshev_step(const Space& exec, const ArrayView<const float, Space>& d, float alpha,
                      float beta, const ConstVectors& b, const ConstVectors& x_in, const Vectors& p,
                      const Vectors& x_out) const override {
    kernels::half_chebyshev_step(exec, m_threads, m_A->view(), d, alpha, beta, b, x_in, p, x_out);
  }

 private:
  std::shared_ptr<const Stored> m_A;
  int m_threads = 1;
};

/// `A` as rows of `Storage`; null where it is something else.
template <class Storage, class Space>
std::shared_ptr<const HalfOperator<Space>> half_rows(
    const std::shared_ptr<const SparseOperator<float, Space>>& A) {
  using Narrow = HalfRows<Storage, Space, std::int32_t>;
  using Wide = HalfRows<Storage, Space, std::int64_t>;
  if (auto rows = std::dynamic_pointer_cast<const typename Narrow::Stored>(A))
    return std::make_shared<Narrow>(std::move(rows));
  if (auto rows = std::dynamic_pointer_cast<const typename Wide::Stored>(A))
    return std::make_shared<Wide>(std::move(rows));
  return nullptr;
}

}  // namespace detail

template <class Space>
std::shared_ptr<const HalfOperator<Space>> half_operator(
    const std::shared_ptr<const SparseOperator<float, Space>>& A) {
  auto found = detail::half_rows<float, Space>(A);
  if (found == nullptr) found = detail::half_rows<Half, Space>(A);
#if TESSERA_ALL_STORAGE_SCALARS
  if (found == nullptr) found = detail::half_rows<BFloat16, Space>(A);
#endif
  return found;
}

#define TESSERA_INSTANTIATE(Space)                                   \
  template std::shared_ptr<const HalfOperator<Space>> half_operator( \
      const std::shared_ptr<const SparseOperator<float, Space>>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
