// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/tentative_prolongator.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/graph/segments.hpp"

namespace tessera::amg {

/// The part of a near-nullspace vector below which it counts as dependent on those before it.
template <class Scalar>
KOKKOS_FUNCTION Scalar dependence_tolerance() {
  return std::is_same_v<Scalar, double> ? Scalar(3.7e-11) : Scalar(2.5e-5);  // eps^(2/3)
}

/// Rows of m entries for aggregated nodes, empty ones for others, holding B.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> scatter_near_nullspace(
    const Space& exec, const kernels::Aggregates<Space>& aggregates, std::size_t num_entries,
    const ConstMultiVectorView<Scalar, Space>& B, Ordinal block_size) {
  const auto n = static_cast<Ordinal>(B.extent(0));
  const auto m = static_cast<Ordinal>(B.extent(1));
  const Array<Ordinal, Space> aggregate_of = aggregates.aggregate_of;
  auto offsets = allocate<Offset>(exec, "tessera::tentative::offsets", n + 1);
  auto columns = allocate<Ordinal>(exec, "tessera::tentative::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::tentative::values", num_entries);
  Kokkos::parallel_scan(
      "tessera::tentative::offsets", Kokkos::RangePolicy<Space>(exec, 0, n + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool last) {
        if (last) offsets(i) = sum;
        if (i < n && aggregate_of(i / block_size) >= 0) sum += m;
      });
  Kokkos::parallel_for(
      "tessera::tentative::scatter", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal g = aggregate_of(i / block_size);
        if (g < 0) return;
        for (Ordinal b = 0; b < m; ++b) {
          columns(offsets(i) + b) = g * m + b;
          values(offsets(i) + b) = B(i, b);
        }
      });
  return {n, aggregates.num_aggregates * m, offsets, columns, values};
}

/// One near-nullspace vector: each aggregate's column over its norm.
template <class Scalar, class Space, class Offset>
struct NormaliseColumns {
  kernels::Segments<Space> segments;
  kernels::Csr<Scalar, Space, Offset> T;
  MultiVector<Scalar, Space> coarse;
  Array<char, Space> dropped;
  Ordinal block_size;

  KOKKOS_FUNCTION void operator()(Ordinal g) const {
    const Ordinal begin = segments.offsets(g);
    const Ordinal end = segments.offsets(g + 1);
    Scalar sum = 0;
    for (Ordinal k = begin; k < end; ++k) {
      const Scalar* const values = values_of(segments.members(k));
      for (Ordinal c = 0; c < block_size; ++c)
        sum += values[c] * values[c];
    }
    const Scalar norm = Kokkos::sqrt(sum);
    coarse(g, 0) = norm;
    dropped(g) = norm == Scalar(0) ? 1 : 0;
    if (norm == Scalar(0)) return;
    for (Ordinal k = begin; k < end; ++k) {
      Scalar* const values = values_of(segments.members(k));
      for (Ordinal c = 0; c < block_size; ++c)
        values[c] /= norm;
    }
  }

 private:
  KOKKOS_FUNCTION Scalar* values_of(Ordinal node) const {
    return T.values.data() + T.offsets(node * block_size);
  }
};

/// Several near-nullspace vectors: modified Gram-Schmidt, each column twice against those before
/// it, in place in T. A thread (its vector lanes share an aggregate's rows, each lane the same ones
/// throughout) does an aggregate.
template <class Scalar, class Space, class Offset>
struct OrthonormaliseColumns {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  kernels::Segments<Space> segments;
  kernels::Csr<Scalar, Space, Offset> T;
  MultiVector<Scalar, Space> coarse;
  Array<char, Space> dropped;
  Ordinal num_aggregates;
  Ordinal block_size;
  Ordinal m;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Ordinal g = team.league_rank() * team.team_size() + team.team_rank();
    if (g >= num_aggregates) return;
    for (Ordinal b = 0; b < m; ++b) {
      const Scalar original = Kokkos::sqrt(dot(team, g, b, b));
      for (int pass = 0; pass < 2; ++pass) {
        for (Ordinal a = 0; a < b; ++a) {
          const Scalar along = dot(team, g, a, b);
          subtract(team, g, along, a, b);
          Kokkos::single(Kokkos::PerThread(team), [&] { coarse(g * m + a, b) += along; });
        }
      }
      const Scalar left = Kokkos::sqrt(dot(team, g, b, b));
      const bool dependent = left <= dependence_tolerance<Scalar>() * original;
      scale(team, g, dependent ? Scalar(0) : Scalar(1) / left, b);
      Kokkos::single(Kokkos::PerThread(team), [&] {
        coarse(g * m + b, b) = dependent ? Scalar(0) : left;
        dropped(g * m + b) = dependent ? 1 : 0;
      });
    }
  }

 private:
  /// The entries of row `row` (counted within the aggregate) of T.
  KOKKOS_FUNCTION Scalar* entries(Ordinal g, Ordinal row) const {
    const Ordinal node = segments.members(segments.offsets(g) + row / block_size);
    return T.values.data() + T.offsets(node * block_size + row % block_size);
  }
  KOKKOS_FUNCTION Ordinal num_rows(Ordinal g) const {
    return (segments.offsets(g + 1) - segments.offsets(g)) * block_size;
  }

  KOKKOS_FUNCTION Scalar dot(const Member& team, Ordinal g, Ordinal a, Ordinal b) const {
    Scalar result = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, num_rows(g)),
        [&](const Ordinal row, Scalar& sum) {
          const Scalar* const values = entries(g, row);
          sum += values[a] * values[b];
        },
        result);
    return result;
  }

  KOKKOS_FUNCTION void subtract(const Member& team, Ordinal g, Scalar along, Ordinal a,
                                Ordinal b) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, num_rows(g)), [&](const Ordinal row) {
      Scalar* const values = entries(g, row);
      values[b] -= along * values[a];
    });
  }

  KOKKOS_FUNCTION void scale(const Member& team, Ordinal g, Scalar factor, Ordinal b) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, num_rows(g)), [&](const Ordinal row) {
      Scalar* const values = entries(g, row);
      values[b] = factor == Scalar(0) ? Scalar(0) : factor * values[b];
    });
  }
};

template <class Scalar, class Space, class Offset>
void normalise(const Space& exec, const kernels::Segments<Space>& segments, Ordinal block_size,
               const Tentative<Scalar, Space, Offset>& result) {
  const NormaliseColumns<Scalar, Space, Offset> columns{
      segments, result.T, result.coarse_near_nullspace, result.dropped, block_size};
  const auto num_aggregates = static_cast<Ordinal>(segments.offsets.extent(0) - 1);
  Kokkos::parallel_for("tessera::tentative::normalise",
                       Kokkos::RangePolicy<Space>(exec, 0, num_aggregates), columns);
}

template <class Scalar, class Space, class Offset>
void orthonormalise(const Space& exec, const kernels::Segments<Space>& segments, Ordinal block_size,
                    const Tentative<Scalar, Space, Offset>& result) {
  constexpr bool on_host = Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;
  constexpr int threads = on_host ? 1 : 4;
  constexpr int lanes = on_host ? 1 : 32;
  const auto num_aggregates = static_cast<Ordinal>(segments.offsets.extent(0) - 1);
  const auto m = static_cast<Ordinal>(result.coarse_near_nullspace.extent(1));
  const OrthonormaliseColumns<Scalar, Space, Offset> columns{
      segments,   result.T, result.coarse_near_nullspace, result.dropped, num_aggregates,
      block_size, m};
  Kokkos::deep_copy(exec, result.coarse_near_nullspace, Scalar(0));
  Kokkos::parallel_for(
      "tessera::tentative::orthonormalise",
      Kokkos::TeamPolicy<Space>(exec, (num_aggregates + threads - 1) / threads, threads, lanes),
      columns);
}

template <class Offset, class Scalar, class Space>
Tentative<Scalar, Space, Offset> tentative_prolongator(const Space& exec,
                                                       const kernels::Aggregates<Space>& aggregates,
                                                       const ConstMultiVectorView<Scalar, Space>& B,
                                                       int block_size) {
  const auto m = static_cast<Ordinal>(B.extent(1));
  const std::size_t num_nodes = aggregates.aggregate_of.extent(0);
  require(block_size >= 1 && B.extent(0) == num_nodes * block_size && m >= 1, [&] {
    return "B is " + std::to_string(B.extent(0)) + " by " + std::to_string(m) + "; expected " +
           std::to_string(block_size) + " rows for each of " + std::to_string(num_nodes) +
           " nodes, and a column at least";
  });
  const Ordinal num_aggregates = aggregates.num_aggregates;
  const auto segments =
      kernels::group_by(exec, aggregates.aggregate_of, num_aggregates, aggregates.num_members);
  const std::size_t num_entries = segments.members.extent(0) * block_size * m;
  kernels::require_countable<Offset>(static_cast<std::int64_t>(num_entries),
                                     "the tentative prolongator");
  Tentative<Scalar, Space, Offset> result;
  result.T =
      scatter_near_nullspace<Scalar, Space, Offset>(exec, aggregates, num_entries, B, block_size);
  result.coarse_near_nullspace = allocate_multivector<Scalar>(
      exec, "tessera::tentative::coarse_near_nullspace", num_aggregates * m, m);
  result.dropped = allocate<char>(exec, "tessera::tentative::dropped", num_aggregates * m);
  if (m == 1) {
    normalise(exec, segments, block_size, result);
  } else {
    orthonormalise(exec, segments, block_size, result);
  }
  result.aggregate_of = aggregates.aggregate_of;
  result.block_size = block_size;
  return result;
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                 \
  template Tentative<SCALAR, SPACE, OFFSET> tentative_prolongator<OFFSET, SCALAR, SPACE>(          \
      const SPACE&, const kernels::Aggregates<SPACE>&, const ConstMultiVectorView<SCALAR, SPACE>&, \
      int);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
