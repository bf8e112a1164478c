// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/matrix_operator.hpp"

#include "tessera/matrix/require_tensor_cores.hpp"
#include "tessera/matrix/storage_names.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/tpetra/instantiate.hpp"
#include "tessera/tpetra/local_matrix_impl.hpp"
#include "tessera/tpetra/parameter_list.hpp"
#include "tessera/tpetra/product_arguments.hpp"

#include <Tpetra_RowMatrixTransposer.hpp>

#include <string>

namespace tessera::tpetra {
namespace matrix_detail {

inline MatrixParameters parameters_from(const Teuchos::ParameterList& list) {
  MatrixParameters parameters;
  parameters::ParameterTree tree(parameters);
  set_from_parameter_list(tree, list);
  return parameters;
}

inline std::string sizes(std::size_t all, std::size_t here) {
  return std::to_string(all) + " in all, " + std::to_string(here) + " on this process";
}

template <class Map>
void require_same(const Map& given, const Map& expected, const std::string& what) {
  if (&given == &expected || given.isSameAs(expected)) return;
  throw Error(ErrorKind::precondition,
              what + ": " + sizes(given.getGlobalNumElements(), given.getLocalNumElements()) +
                  ", against " +
                  sizes(expected.getGlobalNumElements(), expected.getLocalNumElements()));
}

/// `given` as a matrix that can be stored.
template <class Matrix, class Base>
Teuchos::RCP<const Matrix> checked(const Teuchos::RCP<const Base>& given) {
  if (given.is_null()) throw Error(ErrorKind::precondition, "the matrix is a null pointer");
  const auto A = Teuchos::rcp_dynamic_cast<const Matrix>(given);
  if (A.is_null())
    throw Error(ErrorKind::precondition,
                "the matrix must be a Tpetra::CrsMatrix of double, it is: " + given->description());
  if (!A->isFillComplete())
    throw Error(ErrorKind::precondition,
                "the matrix is still being filled; call fillComplete first");
  require_same(*A->getRangeMap(), *A->getRowMap(),
               "the matrix's range map is another one than its row map");
  return A;
}

}  // namespace matrix_detail

template <class GlobalOrdinal, class Node>
struct MatrixOperator<GlobalOrdinal, Node>::State {
  using Space = typename Node::execution_space;
  using Stored = std::shared_ptr<const SparseOperator<double, Space>>;

  MatrixParameters parameters;
  Teuchos::RCP<const Map> domain;
  Teuchos::RCP<const Map> range;
  Stored A;
  Stored transpose;  ///< where it was asked for
  Vectors copy_of_x;
  Vectors copy_of_y;

  void store(const Teuchos::RCP<const Matrix>& given);
  Stored stored(const Teuchos::RCP<const Matrix>& given) const;
};

template <class GlobalOrdinal, class Node>
auto MatrixOperator<GlobalOrdinal, Node>::State::stored(
    const Teuchos::RCP<const Matrix>& given) const -> Stored {
  Stored made;
  on_all_processes(*given->getRowMap()->getComm(), [&] {
    const Space exec;
    const kernels::TensorCoreScope tensor_cores(parameters.tensor_cores);
    made = distributed_levels_detail::distributed<double>(exec, given, parameters.storage);
    exec.fence("tessera::tpetra::MatrixOperator");
  });
  return made;
}

template <class GlobalOrdinal, class Node>
void MatrixOperator<GlobalOrdinal, Node>::State::store(const Teuchos::RCP<const Matrix>& given) {
  A = stored(given);
  if (!parameters.transpose) return;
  Tpetra::RowMatrixTransposer<double, int, GlobalOrdinal, Node> transposer(given);
  transpose = stored(transposer.createTranspose());
}

template <class GlobalOrdinal, class Node>
MatrixOperator<GlobalOrdinal, Node>::MatrixOperator(const Teuchos::RCP<const Base>& A,
                                                    const Teuchos::ParameterList& list)
    : MatrixOperator(A, matrix_detail::parameters_from(list)) {}

template <class GlobalOrdinal, class Node>
MatrixOperator<GlobalOrdinal, Node>::MatrixOperator(const Teuchos::RCP<const Base>& A,
                                                    const MatrixParameters& parameters)
    : m_state(std::make_unique<State>()) {
  const auto matrix = matrix_detail::checked<Matrix>(A);
  require_tensor_cores<typename State::Space>(parameters.tensor_cores);
  m_state->parameters = parameters;
  m_state->domain = matrix->getDomainMap();
  m_state->range = matrix->getRangeMap();
  m_state->store(matrix);
}

template <class GlobalOrdinal, class Node>
MatrixOperator<GlobalOrdinal, Node>::~MatrixOperator() = default;

template <class GlobalOrdinal, class Node>
void MatrixOperator<GlobalOrdinal, Node>::update(const Teuchos::RCP<const Base>& A) {
  const auto matrix = matrix_detail::checked<Matrix>(A);
  matrix_detail::require_same(*matrix->getRangeMap(), *m_state->range,
                              "the new matrix's range map is another one than before");
  matrix_detail::require_same(*matrix->getDomainMap(), *m_state->domain,
                              "the new matrix's domain map is another one than before");
  m_state->store(matrix);
}

template <class GlobalOrdinal, class Node>
auto MatrixOperator<GlobalOrdinal, Node>::getDomainMap() const -> Teuchos::RCP<const Map> {
  return m_state->domain;
}

template <class GlobalOrdinal, class Node>
auto MatrixOperator<GlobalOrdinal, Node>::getRangeMap() const -> Teuchos::RCP<const Map> {
  return m_state->range;
}

template <class GlobalOrdinal, class Node>
void MatrixOperator<GlobalOrdinal, Node>::apply(const Vectors& X, Vectors& Y, Teuchos::ETransp mode,
                                                double alpha, double beta) const {
  using Space = typename State::Space;
  State& s = *m_state;
  const bool is_transposed = mode != Teuchos::NO_TRANS;
  if (is_transposed && s.transpose == nullptr)
    throw Error(ErrorKind::precondition,
                "products with the transpose need parameter 'transpose' = true: " + description());
  const std::size_t k = product_detail::common_columns(X, Y);
  matrix_detail::require_same(*X.getMap(), is_transposed ? *s.range : *s.domain,
                              "X is over another map than the operator's columns");
  matrix_detail::require_same(*Y.getMap(), is_transposed ? *s.domain : *s.range,
                              "Y is over another map than the operator's rows");
  if (k == 0) return;
  if (alpha == 0) {
    product_detail::scale_result(Y, beta);
    return;
  }
  const Space exec;
  const bool copies_x = !X.isConstantStride() || X.aliases(Y);
  if (copies_x) s.copy_of_x = Vectors(X, Teuchos::Copy);
  const Vectors& even_x = copies_x ? s.copy_of_x : X;
  const bool copies_y = !Y.isConstantStride();
  if (copies_y) s.copy_of_y = Vectors(Y, Teuchos::Copy);
  Vectors& even_y = copies_y ? s.copy_of_y : Y;
  {
    const auto x = even_x.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto y = even_y.getLocalViewDevice(Tpetra::Access::ReadWrite);
    (is_transposed ? s.transpose : s.A)
        ->apply(exec, alpha, ConstMultiVectorView<double, Space>(as_multivector(x)), beta,
                MultiVectorView<double, Space>(as_multivector(y)));
    exec.fence("tessera::tpetra::MatrixOperator");
  }
  if (copies_y) Tpetra::deep_copy(Y, even_y);
}

template <class GlobalOrdinal, class Node>
bool MatrixOperator<GlobalOrdinal, Node>::hasTransposeApply() const {
  return m_state->transpose != nullptr;
}

template <class GlobalOrdinal, class Node>
StorageInfo MatrixOperator<GlobalOrdinal, Node>::info() const {
  return m_state->A->info();
}

template <class GlobalOrdinal, class Node>
std::string MatrixOperator<GlobalOrdinal, Node>::description() const {
  MatrixParameters shown = m_state->parameters;
  const parameters::ParameterTree tree(shown);
  std::string text = "tessera::tpetra::MatrixOperator{";
  for (const auto& parameter : tree.parameters())
    text += parameter.key + "=" + parameters::to_text(parameter.get()) + ", ";
  return text + "rows=" + std::to_string(m_state->range->getGlobalNumElements()) +
         ", columns=" + std::to_string(m_state->domain->getGlobalNumElements()) +
         ", processes=" + std::to_string(m_state->range->getComm()->getSize()) + "}";
}

#define TESSERA_INSTANTIATE(GlobalOrdinal) template class MatrixOperator<GlobalOrdinal>;
TESSERA_FOR_EACH_GLOBAL_ORDINAL(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::tpetra
