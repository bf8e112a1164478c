// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/checked_coarsening.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/matrix/validate.hpp"
#include "tessera/operator/out_of_memory.hpp"

#include <exception>

namespace tessera::amg {
namespace detail {

/// Calls somebody else's code; what it throws leaves as an error whose message begins with `who`.
template <class Call>
auto call_as(const std::string& who, const Call& call) {
  try {
    return call();
  } catch (const OffsetOverflow&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.kind(), who + error.what(), error.where());
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) throw;
    throw Error(ErrorKind::precondition, who + error.what());
  } catch (...) {
    throw Error(ErrorKind::precondition, who + "it threw what is no std::exception");
  }
}

template <class Scalar, class Space, class Offset>
std::string shape_text(const kernels::Csr<Scalar, Space, Offset>& M) {
  return std::to_string(M.num_rows) + " by " + std::to_string(M.num_cols);
}

/// Arrays of the lengths that the shape asks for, and in them what a product may read.
template <class Scalar, class Space, class Offset>
void check_matrix(const Space& exec, const char* name,
                  const kernels::Csr<Scalar, Space, Offset>& M) {
  const auto rows = static_cast<std::size_t>(M.num_rows);
  require(M.offsets.extent(0) == rows + 1 && M.values.extent(0) == M.num_entries(), [&] {
    return std::string(name) + " is " + shape_text(M) + " with " +
           std::to_string(M.offsets.extent(0)) + " offsets, " +
           std::to_string(M.columns.extent(0)) + " columns and " +
           std::to_string(M.values.extent(0)) + " values; expected " + std::to_string(rows + 1) +
           " offsets, and a value for each column";
  });
  const ValidationReport report = validate(exec, M.view());
  require(report.problems.empty(), [&] {
    return std::string(name) + " is " + shape_text(M) + ", and in it " +
           report.problems.front().message +
           "; expected columns in range that ascend, and finite values";
  });
}

/// The shapes of what a coarsening of `n` unknowns has made.
template <class Scalar, class Space, class Offset>
void check_shapes(const CoarseLevel<Scalar, Space, Offset>& coarse, Ordinal n) {
  const auto& P = coarse.P;
  const auto& R = coarse.R;
  require(P.num_rows == n && P.num_cols > 0 && P.num_cols < n, [&] {
    return "P is " + shape_text(P) + "; expected " + std::to_string(n) +
           " rows, the level's, and at least one but fewer columns; nothing is to be returned "
           "where there is no coarser level";
  });
  const bool is_transpose = R.num_rows == 0 && R.num_cols == 0;
  require(is_transpose || (R.num_rows == P.num_cols && R.num_cols == n), [&] {
    return "R is " + shape_text(R) + " beside a P of " + shape_text(P) +
           "; expected the size of P's transpose, or 0 by 0, which stands for that";
  });
  const std::size_t dropped = coarse.dropped.extent(0);
  require(dropped == 0 || dropped == static_cast<std::size_t>(P.num_cols), [&] {
    return "there are " + std::to_string(dropped) + " marks of dropped rows; expected one for " +
           "each of " + std::to_string(P.num_cols) + " coarse unknowns, or none";
  });
  const std::size_t split = coarse.coarse_number.extent(0);
  require(split == 0 || split == static_cast<std::size_t>(n), [&] {
    return "there are " + std::to_string(split) + " numbers of coarse points; expected one for " +
           "each of " + std::to_string(n) + " unknowns of the level, or none";
  });
}

/// A level's product, which checks what it multiplies and notes that it was called.
template <class Scalar, class Space, class Offset>
class CheckedProduct : public GalerkinProduct<Scalar, Space, Offset> {
 public:
  using Coarse = CoarseLevel<Scalar, Space, Offset>;

  /// `n`: the unknowns of the level. `has_own_R`: `make` was given an R, where it was called
  /// before.
  CheckedProduct(GalerkinProduct<Scalar, Space, Offset>& product, Ordinal n, bool has_own_R)
      : m_product(product), m_n(n), m_has_own_R(has_own_R) {}

  void make(const Space& exec, Coarse& coarse) override {
    check_shapes(coarse, m_n);
    m_has_own_R = coarse.R.num_cols > 0;
    check_values(exec, coarse);
    m_coarse_n = coarse.P.num_cols;
    m_product.make(exec, coarse);
    m_is_called = true;
  }

  void remake(const Space& exec, bool new_P, Coarse& coarse) override {
    if (new_P) check_values(exec, coarse);
    m_product.remake(exec, new_P, coarse);
    m_is_called = true;
  }

  bool is_called() const { return m_is_called; }
  bool has_own_R() const { return m_has_own_R; }
  /// Rows of the coarse operator.
  Ordinal coarse_n() const { return m_coarse_n; }

 private:
  void check_values(const Space& exec, const Coarse& coarse) const {
    check_matrix(exec, "P", coarse.P);
    if (m_has_own_R) check_matrix(exec, "R", coarse.R);
  }

  GalerkinProduct<Scalar, Space, Offset>& m_product;
  Ordinal m_n;
  bool m_has_own_R;
  Ordinal m_coarse_n = 0;
  bool m_is_called = false;
};

/// What the next level is made of beside its operator, of `n` rows.
template <class Scalar, class Space, class Offset>
void check_next_level(const Space& exec, const CoarseLevel<Scalar, Space, Offset>& coarse,
                      Ordinal n, int block_size) {
  require(coarse.A.num_rows == n && coarse.A.num_cols == n, [&] {
    return "the coarse operator is " + shape_text(coarse.A) + ", and the product was one of " +
           std::to_string(n) + " rows; expected what product.make was given to be returned";
  });
  const auto& vectors = coarse.near_nullspace;
  check_near_nullspace<Scalar, Space>(exec, n, vectors);
  const auto m = vectors.extent(1) > 0 ? static_cast<Ordinal>(vectors.extent(1)) : block_size;
  require(n % m == 0, [&] {
    return "P has " + std::to_string(n) + " columns; expected nodes of " + std::to_string(m) +
           " unknowns, one for each near-nullspace vector";
  });
  require(!coarse.box ||
              static_cast<std::int64_t>(coarse.box->nx) * coarse.box->ny * coarse.box->nz == n / m,
          [&] {
            return "the box has other than " + std::to_string(n / m) +
                   " points, the nodes of the next level";
          });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
CheckedCoarsening<Scalar, Space, Offset>::CheckedCoarsening(const std::string& name, int level,
                                                            const std::function<Made()>& make)
    : m_name(name),
      m_who("coarsening " + name + " of level " + std::to_string(level) + ": "),
      m_inner(detail::call_as(m_who, make)) {
  require(m_inner != nullptr, [&] { return m_who + "its factory made none"; });
}

template <class Scalar, class Space, class Offset>
CheckedCoarsening<Scalar, Space, Offset>::~CheckedCoarsening() = default;

template <class Scalar, class Space, class Offset>
auto CheckedCoarsening<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                          const ConstVectors& B,
                                                          const CoarseningLimits& limits,
                                                          Product& product,
                                                          PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  return detail::call_as(m_who, [&]() -> std::optional<Coarse> {
    const Ordinal n = fine.A->num_rows();
    detail::CheckedProduct<Scalar, Space, Offset> checked(product, n, false);
    std::optional<Coarse> coarse = m_inner->initialize(exec, fine, B, limits, checked, timer);
    if (!coarse) return std::nullopt;
    if (!checked.is_called()) {
      require(coarse->A.num_rows == 0, [] {
        return std::string(
            "the coarse operator is not product.make's, which new values and storage go by; "
            "expected an empty one, and R beside P where R is not P's transpose");
      });
      checked.make(exec, *coarse);
    }
    detail::check_next_level(exec, *coarse, checked.coarse_n(), fine.block_size);
    m_has_own_R = checked.has_own_R();
    if (coarse->aggregation.empty()) coarse->aggregation = m_name;
    return coarse;
  });
}

template <class Scalar, class Space, class Offset>
void CheckedCoarsening<Scalar, Space, Offset>::compute(const Space& exec, const Fine& fine,
                                                       bool keeps_interpolation, Product& product,
                                                       Coarse& coarse, PhaseTimer<Space>& timer) {
  detail::call_as(m_who, [&] {
    detail::CheckedProduct<Scalar, Space, Offset> checked(product, fine.A->num_rows(), m_has_own_R);
    m_inner->compute(exec, fine, keeps_interpolation, checked, coarse, timer);
    if (!checked.is_called())
      checked.remake(exec, !keeps_interpolation && m_inner->makes_new_interpolation(), coarse);
  });
}

template <class Scalar, class Space, class Offset>
bool CheckedCoarsening<Scalar, Space, Offset>::makes_new_interpolation() const {
  return m_inner->makes_new_interpolation();
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class CheckedCoarsening<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
