// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/coarse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tessera/amg/cycle/detail/dense_inverse.hpp"
#include "tessera/direct/direct_preconditioner.hpp"
#include "tessera/direct/parameters.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg::detail {

/// The connected component of each of n unknowns, of a graph that edges are added to.
class UnionFind {
 public:
  explicit UnionFind(int n);
  void join(int i, int j);
  /// The least unknown of i's component.
  int root(int i);

 private:
  std::vector<int> m_parent;
};

/// Vectors of length n, one after the other, of which a matrix makes zero, are cut into their parts
/// in the matrix's connected components: of each of those it makes zero, too. Parts that are
/// fainter than 2^-20 of their vector stand for regular components, and drop out
/// (`near_nullspace_vector_of` of a component nullspace makes them so). Components of one unknown
/// are left out as well: they come back in `singular`, which is any pivot's.
struct NullspaceParts {
  std::vector<double> vectors;
  std::vector<int> singular;  ///< unknowns that are components by themselves
};
NullspaceParts parts_by_component(const std::vector<double>& vectors, int n, UnionFind& graph);

UnionFind::UnionFind(int n) : m_parent(n) { std::iota(m_parent.begin(), m_parent.end(), 0); }

int UnionFind::root(int i) {
  while (m_parent[i] != i) {
    m_parent[i] = m_parent[m_parent[i]];
    i = m_parent[i];
  }
  return i;
}

void UnionFind::join(int i, int j) {
  const auto [least, other] = std::minmax({root(i), root(j)});
  m_parent[other] = least;
}

NullspaceParts parts_by_component(const std::vector<double>& vectors, int n, UnionFind& graph) {
  constexpr double faint = 0x1p-20;
  std::map<int, std::vector<int>> components;
  for (int i = 0; i < n; ++i)
    components[graph.root(i)].push_back(i);
  NullspaceParts parts;
  for (std::size_t start = 0; start < vectors.size(); start += n) {
    const double* const v = &vectors[start];
    double largest = 0;
    for (int i = 0; i < n; ++i)
      largest = std::max(largest, std::abs(v[i]));
    for (const auto& [root, rows] : components) {
      const bool counts = std::any_of(rows.begin(), rows.end(), [&](int i) {
        return v[i] != 0 && std::abs(v[i]) >= faint * largest;
      });
      if (!counts) continue;
      if (rows.size() == 1) {
        parts.singular.push_back(root);
        continue;
      }
      std::vector<double> part(n, 0.0);
      for (const int i : rows)
        part[i] = v[i];
      parts.vectors.insert(parts.vectors.end(), part.begin(), part.end());
    }
  }
  return parts;
}

}  // namespace tessera::amg::detail

namespace tessera::amg {
namespace detail {

/// x(i, j) = sum over c of inverse(i, c) b(c, j) in double, a team for each row and column.
template <class Scalar, class Space>
struct DenseApply {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;

  Kokkos::View<const double**, Kokkos::LayoutRight, typename Space::memory_space> inverse;
  ConstMultiVectorView<Scalar, Space> b;
  MultiVectorView<Scalar, Space> x;
  int n;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int i = team.league_rank() % n;
    const int j = team.league_rank() / n;
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n),
        [&](const int c, double& partial) { partial += inverse(i, c) * b(c, j); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { x(i, j) = static_cast<Scalar>(sum); });
  }
};

/// The named columns, one after the other.
template <class Scalar, class Space>
std::vector<double> columns_on_host(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v,
                                    const std::vector<int>& columns) {
  std::vector<double> result;
  for (const int j : columns) {
    const ArrayView<const Scalar, Space> column(v.data() + j * v.stride(1), v.extent(0));
    const auto host = kernels::copy_to_host(exec, column);
    result.insert(result.end(), host.data(), host.data() + host.extent(0));
  }
  return result;
}

/// Puts the largest magnitude of the diagonal, or 1 where that is zero, in place of the entries
/// that are singular by themselves: round-off, to be divided by.
inline void set_pivots(std::vector<double>& dense, int n, const std::vector<int>& singular) {
  double largest = 0;
  for (int i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(dense[static_cast<std::size_t>(i) * n + i]));
  for (const int i : singular)
    dense[static_cast<std::size_t>(i) * n + i] = largest > 0 ? largest : 1.0;
}

}  // namespace detail

template <class Scalar, class Space>
template <class Offset>
void CoarseSolver<Scalar, Space>::setup(const Space& exec,
                                        const kernels::CsrView<Scalar, Space, Offset>& A,
                                        const ConstMultiVectorView<Scalar, Space>& near_nullspace,
                                        const std::vector<int>& nullspace) {
  if (!try_setup(exec, A, near_nullspace, nullspace)) {
    throw Error(ErrorKind::bad_input,
                "the coarsest matrix or its inverse holds a NaN or an infinity");
  }
}

template <class Scalar, class Space>
template <class Offset>
bool CoarseSolver<Scalar, Space>::try_setup(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const ConstMultiVectorView<Scalar, Space>& near_nullspace, const std::vector<int>& nullspace) {
  require(A.num_rows == A.num_cols, [&] {
    return "the coarsest matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  const auto offsets = kernels::queue_copy_to_host(exec, A.offsets);
  const auto columns = kernels::queue_copy_to_host(exec, A.columns);
  const auto values = kernels::queue_copy_to_host(exec, A.values);
  exec.fence("tessera::amg::CoarseSolver: the matrix is on the host");

  const int n = A.num_rows;
  std::vector<double> dense(static_cast<std::size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) {
    for (Offset e = offsets(i); e < offsets(i + 1); ++e) {
      dense[static_cast<std::size_t>(columns(e)) * n + i] += values(e);
    }
  }
  std::vector<double> known = detail::columns_on_host(exec, near_nullspace, nullspace);
  if (!known.empty()) {
    detail::UnionFind graph(n);
    for (int i = 0; i < n; ++i) {
      for (Offset e = offsets(i); e < offsets(i + 1); ++e)
        if (values(e) != 0) graph.join(i, columns(e));
    }
    detail::NullspaceParts parts = detail::parts_by_component(known, n, graph);
    known = std::move(parts.vectors);
    detail::set_pivots(dense, n, parts.singular);
  }
  for (int i = 0; i < n; ++i) {
    // An unknown that nothing interpolates from has an empty row; any pivot serves it.
    if (offsets(i) == offsets(i + 1)) dense[static_cast<std::size_t>(i) * n + i] = 1.0;
  }
  const auto inverse =
      detail::invert_dense(dense, n, std::numeric_limits<Scalar>::epsilon(), known);
  if (!inverse) return false;
  m_description = inverse->description;
  m_is_indefinite = inverse->kind == detail::DenseInverseKind::eigenvalues ||
                    inverse->kind == detail::DenseInverseKind::lu;
  m_sparse.reset();

  MemoryTracker::require_room(Space::memory_space::name(), "tessera::amg::coarse_inverse",
                              sizeof(Scalar) * n * n);
  m_inverse = decltype(m_inverse)(
      Kokkos::view_alloc(exec, "tessera::amg::coarse_inverse", Kokkos::WithoutInitializing), n, n);
  auto mirror = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, m_inverse);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      mirror(i, j) = dense[static_cast<std::size_t>(j) * n + i];
    }
  }
  Kokkos::deep_copy(exec, m_inverse, mirror);
  exec.fence("tessera::amg::CoarseSolver::setup");
  return true;
}

template <class Scalar, class Space>
template <class Offset>
bool CoarseSolver<Scalar, Space>::try_setup_sparse(const Space& exec,
                                                   const kernels::CsrView<Scalar, Space, Offset>& A,
                                                   bool symmetric, double max_seconds) {
  if (!direct::available()) return false;
  auto host = direct::to_host(exec, A);
  if (!host) return false;
  const auto factors = std::make_shared<direct::SparseDirect>(std::move(*host), symmetric,
                                                              direct::Parameters{}.max_bytes());
  if (!factors->fits() || factors->cost().seconds() > max_seconds) return false;
  if (!factors->factor(direct::host_instance(exec), std::numeric_limits<Scalar>::epsilon()))
    return false;
  m_inverse = {};
  m_sparse = std::make_shared<direct::DirectPreconditioner<Scalar, Space>>(factors);
  m_description = factors->description();
  m_is_indefinite = false;
  return true;
}

template <class Scalar, class Space>
void CoarseSolver<Scalar, Space>::apply(const Space& exec,
                                        const ConstMultiVectorView<Scalar, Space>& b,
                                        const MultiVectorView<Scalar, Space>& x) const {
  if (m_sparse != nullptr) {
    m_sparse->apply(exec, b, x);
    return;
  }
  const int n = static_cast<int>(m_inverse.extent(0));
  const int teams = n * static_cast<int>(b.extent(1));
  if (teams == 0) return;
  const int team_size = kernels::is_host_space<Space> ? 1 : 32;
  Kokkos::parallel_for("tessera::amg::coarse_solve",
                       Kokkos::TeamPolicy<Space>(exec, teams, team_size),
                       detail::DenseApply<Scalar, Space>{m_inverse, b, x, n});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, CoarseSolver)

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                          \
  template void CoarseSolver<Scalar, Space>::setup(                         \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,         \
      const ConstMultiVectorView<Scalar, Space>&, const std::vector<int>&); \
  template bool CoarseSolver<Scalar, Space>::try_setup(                     \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&,         \
      const ConstMultiVectorView<Scalar, Space>&, const std::vector<int>&); \
  template bool CoarseSolver<Scalar, Space>::try_setup_sparse(              \
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&, bool, double);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
