// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hybrid/operator.hpp"

#include "tessera/distributed/spectrum.hpp"
#include "tessera/hybrid/levels_impl.hpp"
#include "tessera/hybrid/operator_input.hpp"
#include "tessera/matrix/require_tensor_cores.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/instantiate.hpp"
#include "tessera/tpetra/operator_impl.hpp"
#include "tessera/tpetra/product_arguments.hpp"

#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_FancyOStream.hpp>

#include <ostream>
#include <string>
#include <utility>

namespace tessera::hybrid {
namespace detail {

/// A coarsest level of no more rows is inverted, as what MueLu calls coarse is meant to be.
inline constexpr int max_inverted_rows = 1000;

}  // namespace detail

template <class GlobalOrdinal, class Node>
struct Operator<GlobalOrdinal, Node>::State {
  using Space = typename Node::execution_space;
  using XpetraOperator = Xpetra::Operator<double, int, GlobalOrdinal, Node>;
  using Cycle = distributed::Cycle<Space>;

  Parameters parameters;
  Teuchos::RCP<Hierarchy> hierarchy;
  Teuchos::RCP<const Map> map;
  std::unique_ptr<Cycle> cycle;
  bool symmetric = false;
  Vectors workspace;

  explicit State(const Parameters& given) : parameters(given) {
    Cycle::check(cycle_parameters());
    require_tensor_cores<typename Node::execution_space>(given.tensor_cores);
  }

  amg::Parameters cycle_parameters() const {
    amg::Parameters p;
    p.cycle = parameters.amg.cycle;
    p.spectral_radius_steps = parameters.amg.spectral_radius_steps;
    p.smoother = parameters.amg.smoother;
    p.storage = parameters.amg.storage;
    p.levels = parameters.amg.levels;
    return p;
  }

  void set_up();
  /// y = M x; y's columns are evenly spaced.
  void apply(const Vectors& X, Vectors& Y) {
    const Vectors even_x(X, X.isConstantStride() ? Teuchos::View : Teuchos::Copy);
    const auto x = even_x.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto y = Y.getLocalViewDevice(Tpetra::Access::OverwriteAll);
    const Space exec;
    cycle->apply(exec, ConstMultiVectorView<double, Space>(as_multivector(x)),
                 MultiVectorView<double, Space>(as_multivector(y)));
    exec.fence("tessera::hybrid::Operator");
  }
  distributed::GatheredParameters coarsest_parameters(const MueLuLevels<Space>& made) const;
};

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up() {
  const kernels::TensorCoreScope tensor_cores(parameters.tensor_cores);
  const Space exec;
  auto made = levels_of(*hierarchy);
  const auto finest = detail::matrix_of<GlobalOrdinal, Node>(
      hierarchy->GetLevel(0)->template Get<Teuchos::RCP<XpetraOperator>>("A"), "A", 0);
  map = finest->getRowMap();
  symmetric = parameters.amg.symmetry == amg::AssumedSymmetry::automatic
                  ? distributed::looks_symmetric(exec, made.levels.front().A)
                  : parameters.amg.symmetry == amg::AssumedSymmetry::symmetric;
  const auto below = coarsest_parameters(made);
  cycle = std::make_unique<Cycle>(exec, cycle_parameters(), std::move(made.levels), made.vectors,
                                  symmetric, parameters.precision == Precision::single, below);
}

/// What is made of the coarsest level, on the processes that have a share in it.
template <class GlobalOrdinal, class Node>
distributed::GatheredParameters Operator<GlobalOrdinal, Node>::State::coarsest_parameters(
    const MueLuLevels<Space>& made) const {
  distributed::GatheredParameters p;
  p.solve.precision = Precision::same;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.tensor_cores = parameters.tensor_cores;
  p.solve.amg.symmetry =
      symmetric ? amg::AssumedSymmetry::symmetric : amg::AssumedSymmetry::general;
  const auto& coarsest = made.levels.back();
  if (!coarsest.A.has_share()) return p;
  const auto rows = coarsest.A.row_shares->size();
  if (rows <= detail::max_inverted_rows) p.solve.amg.max_levels = 1;
  // Where there is no level above, its nodes are still those of the application.
  p.block_size = made.levels.size() == 1 ? coarsest.block_size
                                         : std::max(1, static_cast<int>(made.vectors.extent(1)));
  if (rows % p.block_size != 0) p.block_size = 1;
  return p;
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<Hierarchy>& hierarchy,
                                        const Teuchos::ParameterList& list)
    : m_state(std::make_unique<State>(detail::parameters_from(list))) {
  if (hierarchy.is_null())
    throw Error(ErrorKind::precondition, "the MueLu::Hierarchy is a null pointer");
  m_state->hierarchy = hierarchy;
  m_state->set_up();
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Teuchos::ParameterList& list)
    : Operator(A, detail::parameters_from(list), detail::sublist_of(list, "MueLu"),
               detail::sublist_of(list, "user data")) {}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::Operator(const Teuchos::RCP<const Base>& A,
                                        const Parameters& parameters,
                                        const Teuchos::ParameterList& muelu,
                                        const Teuchos::ParameterList& user_data)
    : m_state(std::make_unique<State>(parameters)) {
  const Teuchos::RCP<Base> matrix = detail::checked<Matrix>(A);
  Teuchos::ParameterList given = detail::without_smoothers(muelu);
  detail::take_user_data<Vectors>(user_data, *matrix->getDomainMap(), given);
  m_state->hierarchy = detail::by_muelu(
      [&] { return MueLu::CreateTpetraPreconditioner(matrix, given)->GetHierarchy(); });
  m_state->set_up();
}

template <class GlobalOrdinal, class Node>
Operator<GlobalOrdinal, Node>::~Operator() = default;

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::update(const Teuchos::RCP<const Base>& A) {
  State& s = *m_state;
  const Teuchos::RCP<Matrix> matrix = detail::checked<Matrix>(A);
  if (!matrix->getRowMap()->isSameAs(*s.map))
    throw Error(ErrorKind::precondition,
                "the new matrix's row map is another one than that of setup: " +
                    std::to_string(matrix->getGlobalNumRows()) + " against " +
                    std::to_string(s.map->getGlobalNumElements()) + " rows in all");
  detail::by_muelu([&] {
    const Teuchos::RCP<Xpetra::Matrix<double, int, GlobalOrdinal, Node>> wrapped =
        Xpetra::toXpetra(matrix);
    MueLu::ReuseXpetraPreconditioner(wrapped, s.hierarchy);
  });
  s.set_up();
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::update() {
  m_state->set_up();
}

template <class GlobalOrdinal, class Node>
auto Operator<GlobalOrdinal, Node>::hierarchy() const -> const Teuchos::RCP<Hierarchy>& {
  return m_state->hierarchy;
}

template <class GlobalOrdinal, class Node>
HierarchyInfo Operator<GlobalOrdinal, Node>::levels() const {
  return m_state->cycle->info();
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
  if (mode != Teuchos::NO_TRANS && !hasTransposeApply())
    throw Error(ErrorKind::precondition,
                "Tessera's cycle has a transpose only where it is symmetric, which it is not "
                "here: " +
                    description());
  const std::size_t k = tpetra::product_detail::common_columns(X, Y);
  for (const auto& [vectors, name] :
       {std::pair(&X, "X"), std::pair<const Vectors*, const char*>(&Y, "Y")}) {
    if (vectors->getMap().get() != s.map.get() && !vectors->getMap()->isSameAs(*s.map))
      throw Error(ErrorKind::precondition,
                  std::string(name) + " is over another map than the matrix's rows: " +
                      std::to_string(vectors->getGlobalLength()) + " against " +
                      std::to_string(s.map->getGlobalNumElements()) + " in all");
  }
  if (k == 0) return;
  if (alpha == 0) {
    tpetra::product_detail::scale_result(Y, beta);
    return;
  }
  if (alpha == 1 && beta == 0 && !X.aliases(Y) && Y.isConstantStride()) return s.apply(X, Y);
  if (s.workspace.getMap() != s.map || s.workspace.getNumVectors() != k)
    s.workspace = Vectors(s.map, k, false);
  s.apply(X, s.workspace);
  Y.update(alpha, s.workspace, beta);
}

template <class GlobalOrdinal, class Node>
bool Operator<GlobalOrdinal, Node>::hasTransposeApply() const {
  const auto cycle = m_state->parameters.amg.cycle;
  return m_state->symmetric && (cycle == amg::CycleType::v || cycle == amg::CycleType::w);
}

template <class GlobalOrdinal, class Node>
std::string Operator<GlobalOrdinal, Node>::description() const {
  const State& s = *m_state;
  parameters::ParameterTree tree(const_cast<Parameters&>(s.parameters));
  std::string text = "tessera::hybrid::Operator{setup=MueLu, ";
  for (const auto& parameter : tree.parameters()) {
    const bool is_shown = parameter.key == "precision" || parameter.key == "amg.cycle" ||
                          parameter.key == "amg.smoother.type";
    if (is_shown) text += parameter.key + "=" + parameters::to_text(parameter.get()) + ", ";
  }
  return text + "rows=" + std::to_string(s.map->getGlobalNumElements()) +
         ", processes=" + std::to_string(s.map->getComm()->getSize()) + "}";
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::describe(Teuchos::FancyOStream& out,
                                             Teuchos::EVerbosityLevel verbosity) const {
  const auto level = verbosity == Teuchos::VERB_DEFAULT ? Teuchos::VERB_LOW : verbosity;
  if (level == Teuchos::VERB_NONE) return;
  Teuchos::OSTab tab(out);
  out << description() << '\n';
  for (const std::string& line : m_state->cycle->description())
    out << line << '\n';
}

#define TESSERA_INSTANTIATE(GlobalOrdinal) template class Operator<GlobalOrdinal>;
TESSERA_FOR_EACH_GLOBAL_ORDINAL(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::hybrid
