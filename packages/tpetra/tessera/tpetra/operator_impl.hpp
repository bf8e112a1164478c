// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `Operator`, for whoever instantiates it for other types than Tpetra's defaults.
#pragma once

#include "tessera/amg/find_nodes.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_multigrid_impl.hpp"
#include "tessera/tpetra/on_all_processes.hpp"
#include "tessera/tpetra/operator.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_FancyOStream.hpp>

#include <algorithm>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
struct Operator<GlobalOrdinal, Node>::State {
  using ConstLocalVectors = ConstMultiVectorView<double, Space>;
  using LocalVectors = MultiVectorView<double, Space>;

  Parameters parameters;
  Teuchos::RCP<const Vectors> nullspace;
  Teuchos::RCP<const Vectors> coordinates;
  double lowest[3] = {};  ///< of all processes' coordinates
  double highest[3] = {};

  Teuchos::RCP<const Matrix> A;
  Teuchos::RCP<const Map> map;
  std::shared_ptr<const void> owner;  ///< of what `local` points into, beside A
  LocalMatrix local;
  bool shares_arrays = false;
  LocalSolver solver;
  bool is_symmetric = false;
  std::unique_ptr<DistributedMultigrid<GlobalOrdinal, Node>> levels;  ///< in place of `solver`
  Teuchos::RCP<Operator> on_root;  ///< of their coarsest one

  int prepared_columns = -1;
  Teuchos::RCP<const Map> known_x_map;  ///< compared with `map` before
  Teuchos::RCP<const Map> known_y_map;
  Vectors workspace;
  SolveResult result;

  explicit State(const Parameters& given) : parameters(given), solver(given.solve) {}

  bool is_distributed() const { return map->getComm()->getSize() > 1; }
  /// Whether levels are spread over the processes.
  bool has_levels() const {
    const auto kind = parameters.solve.preconditioner;
    return is_distributed() && parameters.distributed == Distribution::multigrid &&
           (kind == PreconditionerKind::automatic || kind == PreconditionerKind::amg);
  }
  Ordinal num_rows() const { return local.num_rows; }
  bool solves() const { return parameters.apply == Application::solve; }

  void take_matrix(const Teuchos::RCP<const Base>& given);
  void take_user_data(const Teuchos::ParameterList& data);
  void share_or_copy(const Space& exec);
  MultiVector<double, Space> near_nullspace(const Space& exec, bool drops_zeros) const;
  void bound_coordinates();
  void set_up();
  void check_for_levels() const;
  void set_up_levels();
  int agreed_block_size(const Space& exec) const;
  void agree_on_symmetry();
  void require_map(const Vectors& vectors, const char* name, Teuchos::RCP<const Map>& known) const;
  void apply_locally(const Space& exec, const ConstLocalVectors& x, const LocalVectors& y);
  void solve_locally(const Space& exec, const ConstLocalVectors& b, const LocalVectors& x);
  void apply_levels(const Vectors& X, Vectors& Y, double alpha, double beta);
  /// Calls `work(X's View, Y's View)`, or with copies of those whose columns are not evenly spaced.
  /// `reads_y`: the copy starts as Y is. Returns whether Y's View was the workspace's.
  template <class Work>
  bool with_views(const Vectors& X, Vectors& Y, bool copies_y, bool reads_y, const Work& work);
};

namespace operator_detail {

inline Parameters parameters_from(const Teuchos::ParameterList& list) {
  Parameters parameters;
  parameters::ParameterTree tree(parameters);
  set_from_parameter_list(tree, list, {"user data"});
  return parameters;
}

[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

inline Teuchos::ParameterList user_data_in(const Teuchos::ParameterList& list) {
  return list.isSublist("user data") ? list.sublist("user data") : Teuchos::ParameterList();
}

/// "3 rows on this process".
inline std::string here(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + " on this process";
}

/// The vectors of an entry of "user data".
template <class Vectors>
Teuchos::RCP<const Vectors> vectors_of(const Teuchos::ParameterEntry& entry,
                                       const std::string& name) {
  Teuchos::RCP<const Vectors> vectors;
  if (entry.isType<Teuchos::RCP<Vectors>>()) {
    vectors = Teuchos::getValue<Teuchos::RCP<Vectors>>(entry);
  } else if (entry.isType<Teuchos::RCP<const Vectors>>()) {
    vectors = Teuchos::getValue<Teuchos::RCP<const Vectors>>(entry);
  } else {
    throw Error(
        ErrorKind::configuration,
        "user data '" + name + "' has the type " + entry.getAny(false).typeName() +
            "; expected Teuchos::RCP<Tpetra::MultiVector<double, ...>> of the matrix's types");
  }
  if (vectors.is_null()) throw Error(ErrorKind::configuration, "user data '" + name + "' is null");
  return vectors;
}

/// A copy of those columns that are not zero all through: of a vector's part on one process nothing
/// may be left.
template <class Space>
MultiVector<double, Space> without_zero_columns(const Space& exec,
                                                const ConstMultiVectorView<double, Space>& v) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < v.extent(1); ++j) {
    Ordinal nonzeros = 0;
    Kokkos::parallel_reduce(
        "tessera::tpetra::without_zero_columns",
        Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(v.extent(0))),
        KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum) { sum += v(i, j) != 0 ? 1 : 0; }, nonzeros);
    if (nonzeros > 0) kept.push_back(j);
  }
  const auto copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace",
                                                 v.extent(0), kept.size());
  for (std::size_t j = 0; j < kept.size(); ++j)
    Kokkos::deep_copy(exec, Kokkos::subview(copy, Kokkos::ALL, j),
                      Kokkos::subview(v, Kokkos::ALL, kept[j]));
  return copy;
}

}  // namespace operator_detail

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::take_matrix(const Teuchos::RCP<const Base>& given) {
  using operator_detail::refuse;
  if (given.is_null()) refuse("the matrix is a null pointer");
  const auto matrix = Teuchos::rcp_dynamic_cast<const Matrix>(given);
  if (matrix.is_null())
    refuse("the matrix must be a Tpetra::CrsMatrix of double, it is: " + given->description());
  if (!matrix->isFillComplete())
    refuse("the matrix is still being filled; call fillComplete first");
  const auto rows = matrix->getRowMap();
  const auto require_same = [&](const Map& other, const char* name) {
    if (rows.get() == &other || rows->isSameAs(other)) return;
    refuse(std::string("the matrix's ") + name +
           " map is another one than its row map: " + std::to_string(other.getGlobalNumElements()) +
           " against " + std::to_string(rows->getGlobalNumElements()) + " unknowns in all, " +
           std::to_string(other.getLocalNumElements()) + " against " +
           operator_detail::here(rows->getLocalNumElements(), "rows") +
           "; a preconditioner is for a square matrix with one map");
  };
  require_same(*matrix->getRangeMap(), "range");
  require_same(*matrix->getDomainMap(), "domain");
  if (!map.is_null() && map.get() != rows.get() && !map->isSameAs(*rows))
    refuse("the new matrix's row map is another one than that of setup: " +
           std::to_string(rows->getGlobalNumElements()) + " against " +
           std::to_string(map->getGlobalNumElements()) + " rows in all, " +
           std::to_string(rows->getLocalNumElements()) + " against " +
           operator_detail::here(map->getLocalNumElements(), "rows"));
  if (map.is_null()) map = rows;
  A = matrix;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::take_user_data(const Teuchos::ParameterList& data) {
  using operator_detail::refuse;
  const std::vector<std::string> known{"Nullspace", "Coordinates"};
  for (auto item = data.begin(); item != data.end(); ++item) {
    const std::string& name = data.name(item);
    if (name == known[0]) {
      nullspace = operator_detail::vectors_of<Vectors>(data.entry(item), name);
    } else if (name == known[1]) {
      coordinates = operator_detail::vectors_of<Vectors>(data.entry(item), name);
    } else {
      const std::string hint = parameters::did_you_mean(name, known);
      throw Error(ErrorKind::configuration,
                  "unknown user data '" + name + "'" +
                      (hint.empty() ? "; there are: " + parameters::join_names(known) : hint));
    }
  }
  if (!nullspace.is_null() && !nullspace->getMap()->isSameAs(*map))
    refuse("user data 'Nullspace' is over another map than the matrix's rows: " +
           std::to_string(nullspace->getGlobalLength()) + " against " +
           std::to_string(map->getGlobalNumElements()) + " rows in all, " +
           std::to_string(nullspace->getLocalLength()) + " against " +
           operator_detail::here(map->getLocalNumElements(), "rows"));
  if (!parameters.rigid_body_modes) return;
  if (!nullspace.is_null())
    throw Error(
        ErrorKind::configuration,
        "'rigid_body_modes' is set and user data 'Nullspace' is given; one of them is enough");
  if (coordinates.is_null())
    throw Error(ErrorKind::configuration, "'rigid_body_modes' needs user data 'Coordinates'");
  const std::size_t dimension = coordinates->getNumVectors();
  if (dimension != 2 && dimension != 3)
    refuse("user data 'Coordinates' has " + std::to_string(dimension) +
           " columns; rigid body modes are those of 2 or 3 dimensions");
  bound_coordinates();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::bound_coordinates() {
  const Vectors contiguous(*coordinates, Teuchos::Copy);
  const auto given = contiguous.getLocalViewHost(Tpetra::Access::ReadOnly);
  double own_lowest[3];
  double own_highest[3];
  std::fill_n(own_lowest, 3, std::numeric_limits<double>::max());
  std::fill_n(own_highest, 3, std::numeric_limits<double>::lowest());
  for (std::size_t d = 0; d < given.extent(1); ++d) {
    for (std::size_t i = 0; i < given.extent(0); ++i) {
      own_lowest[d] = std::min(own_lowest[d], given(i, d));
      own_highest[d] = std::max(own_highest[d], given(i, d));
    }
  }
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, 3, own_lowest, lowest);
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MAX, 3, own_highest, highest);
}

/// A's own arrays where its columns are numbered as its rows are; else a copy of the diagonal
/// block.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::share_or_copy(const Space& exec) {
  using HostNumbers = Kokkos::View<Ordinal*, Kokkos::HostSpace>;
  const auto matrix = A->getLocalMatrixDevice();
  const auto& row_map = matrix.graph.row_map;
  LocalMatrix whole{
      static_cast<Ordinal>(matrix.numRows()), static_cast<Ordinal>(matrix.numCols()),
      // The same 64 bits, which are never so many that the sign counts.
      Array<const std::int64_t, Space>(reinterpret_cast<const std::int64_t*>(row_map.data()),
                                       row_map.extent(0)),
      Array<const Ordinal, Space>(matrix.graph.entries.data(), matrix.graph.entries.extent(0)),
      Array<double, Space>(matrix.values.data(), matrix.values.extent(0))};
  // Where device and host have each their memory, Tpetra refuses the host's access as long as a
  // View of the device's holds a reference: there A alone keeps its arrays alive.
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename Space::memory_space>::accessible) {
    owner = std::make_shared<const typename Matrix::local_matrix_device_type>(matrix);
  }
  const auto columns = A->getColMap();
  shares_arrays = columns.get() == map.get() || (!is_distributed() && columns->isSameAs(*map));
  if (shares_arrays) {
    local = whole;
    return;
  }
  const HostNumbers numbers("tessera::tpetra::column_numbers", whole.num_cols);
  for (Ordinal j = 0; j < whole.num_cols; ++j)
    numbers(j) = map->getLocalElement(columns->getGlobalElement(j));  // -1: another process's
  const auto on_device =
      allocate<Ordinal>(exec, "tessera::tpetra::column_numbers", numbers.extent(0));
  Kokkos::deep_copy(exec, on_device, numbers);
  local = diagonal_block(exec, whole.view(), on_device);
}

/// This process's part of what the user gave; no columns where that is nothing.
template <class GlobalOrdinal, class Node>
MultiVector<double, typename Operator<GlobalOrdinal, Node>::Space>
Operator<GlobalOrdinal, Node>::State::near_nullspace(const Space& exec, bool drops_zeros) const {
  using Given = ConstMultiVectorView<double, Space>;
  MultiVector<double, Space> copy;
  if (!nullspace.is_null()) {
    const Vectors contiguous(*nullspace, Teuchos::Copy);
    const auto given = contiguous.getLocalViewDevice(Tpetra::Access::ReadOnly);
    if (drops_zeros)
      return operator_detail::without_zero_columns<Space>(exec, as_multivector(given));
    copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace", given.extent(0),
                                        given.extent(1));
    Kokkos::deep_copy(exec, copy, given);
  } else if (parameters.rigid_body_modes) {
    const Vectors contiguous(*coordinates, Teuchos::Copy);
    const auto given = contiguous.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const std::size_t dimension = given.extent(1);
    if (given.extent(0) * dimension != static_cast<std::size_t>(num_rows()))
      operator_detail::refuse("user data 'Coordinates' has " +
                              operator_detail::here(given.extent(0), "nodes") + " of " +
                              std::to_string(dimension) + " unknowns, the matrix " +
                              operator_detail::here(static_cast<std::size_t>(num_rows()), "rows"));
    // Two nodes more, corners of the box around the nodes of all processes: the rotations are about
    // its middle, and so the same vectors on all of them.
    const std::size_t nodes = given.extent(0);
    const auto bounded =
        allocate_multivector<double>(exec, "tessera::tpetra::coordinates", nodes + 2, dimension);
    const auto own = std::make_pair(std::size_t(0), nodes);
    Kokkos::deep_copy(exec, Kokkos::subview(bounded, own, Kokkos::ALL), given);
    for (std::size_t d = 0; d < dimension; ++d) {
      Kokkos::deep_copy(exec, Kokkos::subview(bounded, nodes, d), lowest[d]);
      Kokkos::deep_copy(exec, Kokkos::subview(bounded, nodes + 1, d), highest[d]);
    }
    const auto modes = rigid_body_modes<double, Space>(exec, Given(bounded));
    copy = allocate_multivector<double>(exec, "tessera::tpetra::near_nullspace", nodes * dimension,
                                        modes.extent(1));
    Kokkos::deep_copy(
        exec, copy,
        Kokkos::subview(modes, std::make_pair(std::size_t(0), nodes * dimension), Kokkos::ALL));
    // About an axis through all of a process's nodes a rotation is zero.
    if (drops_zeros) return operator_detail::without_zero_columns<Space>(exec, Given(copy));
  }
  return copy;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up() {
  if (has_levels()) {
    check_for_levels();
    return set_up_levels();
  }
  on_all_processes(*map->getComm(), [&] {
    const Space exec;
    share_or_copy(exec);
    if (num_rows() == 0) return;
    const auto candidates = near_nullspace(exec, is_distributed());
    solver.setup(exec, local, candidates,
                 parameters.rigid_body_modes ? static_cast<int>(coordinates->getNumVectors())
                                             : parameters.block_size);
  });
  agree_on_symmetry();
}

/// Throws for choices that levels over several processes do not have.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::check_for_levels() const {
  const amg::Parameters& p = parameters.solve.amg;
  const std::string instead = "; 'distributed' = 'block_jacobi' has all of Tessera on each process";
  const auto type = p.smoother.type;
  if (type == SmootherType::l1_jacobi || type == SmootherType::spai0)
    throw Error(
        ErrorKind::configuration,
        "on several processes 'amg.smoother.type' is one of: auto, jacobi, chebyshev" + instead);
  if (p.cycle != amg::CycleType::v && p.cycle != amg::CycleType::w)
    throw Error(ErrorKind::configuration, "on several processes 'amg.cycle' is v or w" + instead);
  if (!p.levels.empty() || p.choose_level)
    throw Error(ErrorKind::configuration,
                "on several processes there are no choices by level ('amg.levels')" + instead);
}

/// Unknowns per vertex: those given, else those that every process with rows finds in its block; 1
/// where they find different ones.
template <class GlobalOrdinal, class Node>
int Operator<GlobalOrdinal, Node>::State::agreed_block_size(const Space& exec) const {
  const auto rows = static_cast<int>(map->getLocalNumElements());
  const int given = parameters.rigid_body_modes ? static_cast<int>(coordinates->getNumVectors())
                                                : parameters.block_size;
  int own = given;
  on_all_processes(*map->getComm(), [&] {
    if (given > 0 && rows % given != 0)
      operator_detail::refuse(operator_detail::here(static_cast<std::size_t>(rows), "rows") +
                              " are no whole number of vertices of " + std::to_string(given) +
                              " unknowns");
    if (given > 0 || rows == 0) return;
    const auto block = diagonal_block(exec, distributed_detail::local_view(*A),
                                      distributed_detail::own_columns(*A));
    const amg::Nodes nodes = amg::find_nodes(exec, block.view(), 0);
    own = nodes.by_unknown || rows % nodes.block_size != 0 ? 1 : nodes.block_size;
  });
  if (given > 0) return given;
  // A process without rows has no opinion.
  const int lowest = rows > 0 ? own : std::numeric_limits<int>::max();
  int smallest = 1;
  int largest = 1;
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, lowest, Teuchos::outArg(smallest));
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(largest));
  return smallest == largest ? smallest : 1;
}

/// Levels over all processes; the coarsest one is the root's, which has it preconditioned as any
/// matrix.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up_levels() {
  const Space exec;
  const int block_size = agreed_block_size(exec);
  MultiVector<double, Space> vectors;
  on_all_processes(*map->getComm(), [&] {
    const auto rows = static_cast<Ordinal>(map->getLocalNumElements());
    local.num_rows = rows;  // which the checks of user data compare with
    vectors = near_nullspace(exec, false);
    if (vectors.extent(1) == 0)
      vectors = amg::unit_vectors<double, Space>(exec, {block_size, rows / block_size});
  });
  const bool symmetric = looks_symmetric(*A);
  Parameters below = parameters;
  below.solve.preconditioner = PreconditionerKind::amg;
  below.distributed = Distribution::block_jacobi;
  below.rigid_body_modes = false;
  below.block_size = static_cast<int>(vectors.extent(1));
  levels = std::make_unique<DistributedMultigrid<GlobalOrdinal, Node>>(
      parameters.solve.amg, A, vectors, block_size, symmetric, parameters.gather_rows,
      [&](const Teuchos::RCP<const Matrix>& coarsest, const Teuchos::RCP<const Vectors>& given) {
        Teuchos::ParameterList data;
        data.set("Nullspace", given);
        on_root = Teuchos::rcp(new Operator(coarsest, below, data));
        return [root = on_root](const Vectors& r, Vectors& z) { root->apply(r, z); };
      });
  is_symmetric = symmetric && on_root->hasTransposeApply();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::agree_on_symmetry() {
  prepared_columns = -1;
  int own = 1;
  if (num_rows() > 0) {
    const SolveParameters& p = solver.parameters();
    const bool by_diagonal = p.preconditioner == PreconditionerKind::none ||
                             p.preconditioner == PreconditionerKind::jacobi;
    const bool by_cycles = p.preconditioner == PreconditionerKind::amg &&
                           (p.amg.cycle == amg::CycleType::v || p.amg.cycle == amg::CycleType::w);
    const bool by_matrix = by_cycles || solves() || p.preconditioner == PreconditionerKind::direct;
    own = (by_diagonal && !solves()) ||
          (by_matrix && p.amg.symmetry == amg::AssumedSymmetry::symmetric);
  }
  int all = own;
  if (is_distributed())
    Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, own, Teuchos::outArg(all));
  is_symmetric = all != 0;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::require_map(const Vectors& vectors, const char* name,
                                                       Teuchos::RCP<const Map>& known) const {
  const auto given = vectors.getMap();
  if (given.get() == map.get() || given.get() == known.get()) return;
  if (!given->isSameAs(*map))
    operator_detail::refuse(std::string(name) + " is over another map than the matrix's rows: " +
                            std::to_string(vectors.getGlobalLength()) + " against " +
                            std::to_string(map->getGlobalNumElements()) + " in all, " +
                            std::to_string(vectors.getLocalLength()) + " against " +
                            operator_detail::here(map->getLocalNumElements(), "rows"));
  known = given;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::solve_locally(const Space& exec,
                                                         const ConstLocalVectors& b,
                                                         const LocalVectors& x) {
  if (num_rows() == 0) {
    result = {};
    result.status = SolveStatus::converged;
    return;
  }
  if (shares_arrays && A->getLocalMatrixDevice().values.data() != local.values.data())
    operator_detail::refuse("the matrix has other arrays than at setup; call update first");
  result = solver.solve(exec, b, x);
}

/// y = M x.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_locally(const Space& exec,
                                                         const ConstLocalVectors& x,
                                                         const LocalVectors& y) {
  if (num_rows() == 0) return;
  if (solves()) {
    Kokkos::deep_copy(exec, y, 0.0);
    return solve_locally(exec, x, y);
  }
  Preconditioner<double, Space>* const M = solver.preconditioner();
  if (M == nullptr) {
    Kokkos::deep_copy(exec, y, x);
    return;
  }
  const int k = static_cast<int>(x.extent(1));
  if (k != prepared_columns) M->prepare(exec, k);
  prepared_columns = k;
  M->apply(exec, x, y);
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_levels(const Vectors& X, Vectors& Y, double alpha,
                                                        double beta) {
  const std::size_t k = Y.getNumVectors();
  if (X.getNumVectors() != k)
    operator_detail::refuse("X has " + std::to_string(X.getNumVectors()) + " columns, Y has " +
                            std::to_string(k));
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  if (k == 0) return;
  if (alpha == 0) {
    if (beta == 0) {
      Y.putScalar(0);
    } else {
      Y.scale(beta);
    }
    return;
  }
  if (workspace.getMap() != map || workspace.getNumVectors() != k)
    workspace = Vectors(map, k, false);
  levels->apply(X, workspace);
  Y.update(alpha, workspace, beta);
}

template <class GlobalOrdinal, class Node>
template <class Work>
bool Operator<GlobalOrdinal, Node>::State::with_views(const Vectors& X, Vectors& Y, bool copies_y,
                                                      bool reads_y, const Work& work) {
  const std::size_t k = Y.getNumVectors();
  if (X.getNumVectors() != k)
    operator_detail::refuse("X has " + std::to_string(X.getNumVectors()) + " columns, Y has " +
                            std::to_string(k));
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  copies_y = copies_y || !Y.isConstantStride() || X.aliases(Y);
  if (copies_y && (workspace.getMap() != map || workspace.getNumVectors() != k))
    workspace = Vectors(map, k, false);
  if (copies_y && reads_y) Tpetra::deep_copy(workspace, Y);
  Vectors& even_y = copies_y ? workspace : Y;
  const Vectors even_x(X, X.isConstantStride() ? Teuchos::View : Teuchos::Copy);
  const auto x = even_x.getLocalViewDevice(Tpetra::Access::ReadOnly);
  if (reads_y) {
    work(as_multivector(x), as_multivector(even_y.getLocalViewDevice(Tpetra::Access::ReadWrite)));
  } else {
    work(as_multivector(x),
         as_multivector(even_y.getLocalViewDevice(Tpetra::Access::OverwriteAll)));
  }
  return copies_y;
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Teuchos::ParameterList& list)
    : Operator(A, operator_detail::parameters_from(list), operator_detail::user_data_in(list)) {}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Parameters& parameters,
                                        const Teuchos::ParameterList& user_data)
    : m_state(std::make_unique<State>(parameters)) {
  State& s = *m_state;
  s.take_matrix(A);
  s.take_user_data(user_data);
  const int size = s.map->getComm()->getSize();
  if (size > 1 && s.parameters.distributed == Distribution::refuse)
    throw Error(ErrorKind::configuration,
                "the matrix is spread over " + std::to_string(size) +
                    " processes, and parameter 'distributed' is 'refuse'");
  if (size > 1 && s.solves())
    throw Error(ErrorKind::configuration,
                "parameter 'apply' is 'solve', which is for one process, and the matrix is spread "
                "over " +
                    std::to_string(size) +
                    "; take 'preconditioner' under a Krylov method of Belos");
  s.set_up();
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::~Operator() = default;

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::update(const Teuchos::RCP<const Base>& A) {
  State& s = *m_state;
  s.take_matrix(A);
  if (s.has_levels()) return s.set_up_levels();
  on_all_processes(*s.map->getComm(), [&] {
    const Space exec;
    s.share_or_copy(exec);
    if (s.num_rows() > 0) s.solver.update_values(exec, s.local);
  });
  s.agree_on_symmetry();
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::getDomainMap() const -> Teuchos::RCP<const Map> {
  return m_state->map;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::getRangeMap() const -> Teuchos::RCP<const Map> {
  return m_state->map;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode,
                                          double alpha, double beta) const {
  State& s = *m_state;
  if (mode != Teuchos::NO_TRANS && !s.is_symmetric)
    operator_detail::refuse(
        "Tessera's operator has a transpose only where it is known to be symmetric, which it is "
        "not "
        "here: " +
        description());
  if (s.levels != nullptr) return s.apply_levels(X, Y, alpha, beta);
  const auto apply_to = [&](const auto& x, const auto& y) {
    if (alpha != 0 && x.extent(1) > 0) s.apply_locally(Space(), x, y);
  };
  // With alpha = 0 nothing of X is looked at but its shape.
  const bool copied = s.with_views(X, Y, alpha != 1 || beta != 0, false, apply_to);
  if (alpha == 0) {
    if (beta == 0) {
      Y.putScalar(0);
    } else {
      Y.scale(beta);
    }
  } else if (copied) {
    Y.update(alpha, s.workspace, beta);
  }
}

template <class GlobalOrdinal, class Node>
SolveResult Operator<GlobalOrdinal, Node>::solve(const Vectors& b, Vectors& x) {
  State& s = *m_state;
  if (s.is_distributed())
    operator_detail::refuse(
        "Tessera's own methods solve on one process, and the matrix is spread over " +
        std::to_string(s.map->getComm()->getSize()));
  const bool copied = s.with_views(b, x, false, true, [&](const auto& from, const auto& to) {
    s.solve_locally(Space(), from, to);
  });
  s.prepared_columns = -1;  // what was picked may be another one now
  if (copied) Tpetra::deep_copy(x, s.workspace);
  return s.result;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::set_logger(Logger logger) {
  m_state->solver.set_logger(std::move(logger));
}

template <class GlobalOrdinal, class Node>
bool Operator<GlobalOrdinal, Node>::hasTransposeApply() const {
  return m_state->is_symmetric;
}

template <class GlobalOrdinal, class Node>
std::string Operator<GlobalOrdinal, Node>::description() const {
  const State& s = *m_state;
  const Parameters shown = parameters();
  std::string text = "tessera::tpetra::Operator{";
  parameters::ParameterTree tree(const_cast<Parameters&>(shown));
  for (const auto& parameter : tree.parameters()) {
    const bool is_shown = parameter.key == "apply" || parameter.key == "preconditioner" ||
                          parameter.key == "precision" || parameter.key == "amg.cycle" ||
                          (parameter.key == "solver.name" && s.solves());
    if (is_shown) text += parameter.key + "=" + parameters::to_text(parameter.get()) + ", ";
  }
  text += "rows=" + std::to_string(s.map->getGlobalNumElements());
  if (s.is_distributed())
    text += std::string(", distributed=") + (s.levels ? "multigrid" : "block_jacobi") +
            ", processes=" + std::to_string(s.map->getComm()->getSize());
  return text + "}";
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::describe(Teuchos::FancyOStream& out,
                                             Teuchos::EVerbosityLevel verbosity) const {
  const auto level = verbosity == Teuchos::VERB_DEFAULT ? Teuchos::VERB_LOW : verbosity;
  if (level == Teuchos::VERB_NONE) return;
  const State& s = *m_state;
  Teuchos::OSTab tab(out);
  out << description() << '\n';
  const int rank = s.map->getComm()->getRank();
  if (s.levels != nullptr) {
    const auto sizes = s.levels->sizes();
    for (std::size_t l = 0; l < sizes.size(); ++l)
      out << "level " << l << " of all processes: " << sizes[l] << " unknowns\n";
    return s.on_root->describe(out, level);
  }
  if (s.num_rows() == 0) {
    out << "process " << rank << " has no rows\n";
    return;
  }
  const HierarchyInfo& info = s.solver.hierarchy();
  Teuchos::OSTab inner(out);
  out << "process " << rank << ", setup " << s.solver.setup_ms() << " ms\n";
  for (std::size_t l = 0; l < info.levels.size(); ++l)
    out << "level " << l << ": " << info.levels[l].rows << " unknowns, " << info.levels[l].entries
        << " entries\n";
  for (const std::string& note : info.notes)
    out << note << '\n';
}

template <class GlobalOrdinal, class Node>
Parameters Operator<GlobalOrdinal, Node>::parameters() const {
  Parameters p = m_state->parameters;
  if (m_state->num_rows() > 0 && !m_state->levels) p.solve = m_state->solver.parameters();
  return p;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::local_solver() const -> const LocalSolver& {
  return m_state->solver;
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::local_matrix() const -> const LocalMatrix& {
  return m_state->local;
}

template <class GlobalOrdinal, class Node>
const SolveResult& Operator<GlobalOrdinal, Node>::last_result() const {
  return m_state->result;
}

}  // namespace tessera::tpetra
