// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/exact_products.hpp"

#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>

namespace tessera::distributed {
namespace {

/// Chunks of rows, one after the other, that a thread each sums.
template <class Space>
Ordinal num_chunks(const Space& exec, std::size_t rows) {
  constexpr std::size_t on_device = 4096;
  const std::size_t most =
      kernels::is_host_space<Space> ? static_cast<std::size_t>(exec.concurrency()) : on_device;
  // Of 2^31 rows at most a chunk has no more than an exact sum may take in.
  constexpr std::size_t least = 4;
  return static_cast<Ordinal>(
      std::max(std::min(most, rows), rows > 1000000 ? least : std::size_t(1)));
}

/// parts(c) = the sum of x(i, column) y(i, column) over chunk c, each product rounded as any is.
template <class Scalar, class Space>
void add_exactly(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
                 const ConstMultiVectorView<Scalar, Space>& y, std::size_t column,
                 const Kokkos::View<ExactSum*, Space>& parts) {
  const auto rows = static_cast<std::int64_t>(x.extent(0));
  const auto chunks = static_cast<std::int64_t>(parts.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::ExactProducts::add",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(chunks)),
      KOKKOS_LAMBDA(const Ordinal c) {
        ExactSum sum;
        const std::int64_t end = rows * (c + 1) / chunks;
        for (std::int64_t i = rows * c / chunks; i < end; ++i)
          sum.add(static_cast<double>(x(i, column)) * static_cast<double>(y(i, column)));
        sum.carry();
        parts(c) = sum;
      });
}

}  // namespace

template <class Scalar, class Space>
void ExactProducts<Scalar, Space>::reserve(const Space& exec, std::size_t rows) {
  if (rows == 0) return;
  const auto chunks = static_cast<std::size_t>(num_chunks(exec, rows));
  if (m_parts.extent(0) != chunks)
    m_parts = Kokkos::View<ExactSum*, Space>(
        Kokkos::view_alloc(exec, "tessera::distributed::exact_sums"), chunks);
}

template <class Scalar, class Space>
void ExactProducts<Scalar, Space>::add(const Space& exec, const ConstVectors& x,
                                       const ConstVectors& y, std::size_t column,
                                       std::int64_t* words) {
  if (x.extent(0) == 0) return;
  reserve(exec, x.extent(0));
  const std::size_t chunks = m_parts.extent(0);
  add_exactly<Scalar, Space>(exec, x, y, column, m_parts);
  const auto host = kernels::copy_to_host(exec, m_parts);
  for (std::size_t c = 0; c < chunks; ++c)
    for (int w = 0; w < ExactSum::num_words; ++w)
      words[w] += host(c).words[w];
}

double value_of_words(const std::int64_t* words) {
  ExactSum sum;
  std::copy_n(words, std::size_t(ExactSum::num_words), sum.words);
  return sum.value();
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, ExactProducts)

}  // namespace tessera::distributed
