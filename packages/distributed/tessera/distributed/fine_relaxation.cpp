// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/fine_relaxation.hpp"

#include "tessera/distributed/message_room.hpp"
#include "tessera/distributed/working_values.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/smoother/fine_points_smoother.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace tessera::distributed {
namespace {

/// Makes room for what M sends, too.
template <class Scalar, class Space>
class SendingFineSmoother : public FinePointsSmoother<Scalar, Space> {
 public:
  using Base = FinePointsSmoother<Scalar, Space>;
  using Operator = SparseOperator<Scalar, Space>;

  SendingFineSmoother(std::shared_ptr<const Operator> A, std::shared_ptr<const Operator> M,
                      int sweeps, const Array<const Scalar, Space>& coarse_weights)
      : Base(std::move(A), M, sweeps, coarse_weights), m_M(std::move(M)) {}

  void prepare(const Space& exec, int k) override {
    reserve_messages<Scalar, Space>(exec, m_M.get(), static_cast<std::size_t>(k));
    Base::prepare(exec, k);
  }

 private:
  std::shared_ptr<const Operator> m_M;
};

}  // namespace

template <class Space>
FineRelaxation<Space> scaled_relaxation(const Space& exec, const FineRelaxation<Space>& relaxation,
                                        int exponent) {
  FineRelaxation<Space> scaled = relaxation;
  scaled.M = times_power_of_two(exec, relaxation.M, exponent);
  Matrix<Space> weights;
  weights.rows.values = relaxation.coarse_weights;
  scaled.coarse_weights = times_power_of_two(exec, weights, exponent).rows.values;
  return scaled;
}

template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_fine_smoother(
    const Space& exec, const FineRelaxation<Space>& relaxation,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const StorageParameters& storage) {
  const auto weights = working_array<Scalar, Space>(exec, relaxation.coarse_weights);
  return std::make_unique<SendingFineSmoother<Scalar, Space>>(
      A, make_operator<Scalar>(exec, relaxation.M, storage), relaxation.sweeps, weights);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, scaled_relaxation)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_fine_smoother)

}  // namespace tessera::distributed
