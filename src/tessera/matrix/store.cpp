// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/matrix/store.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/fitting_scale.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/storage_formats.hpp"
#include "tessera/matrix/magnitudes.hpp"
#include "tessera/matrix/register_format.hpp"
#include "tessera/matrix/storage_names.hpp"

namespace tessera {
namespace detail {

template <class Working, class Space, class Offset>
class Storing {
 public:
  using A_type = StoredCsr<Working, Space, Offset>;
  using Operator = SparseOperator<Working, Space>;
  using Tiles = kernels::Mbsr<Working, Space>;

  Storing(const Space& exec, std::shared_ptr<const A_type> A, const StorageParameters& storage,
          const Tiles* tiles)
      : m_exec(exec), m_A(std::move(A)), m_tiles(tiles), m_storage(storage) {
    if (m_storage.format == StorageFormat::automatic)
      m_storage.format = m_tiles != nullptr ? StorageFormat::mbsr : StorageFormat::csr;
    require(m_A != nullptr || (m_tiles != nullptr && m_storage.format == StorageFormat::mbsr),
            [] { return std::string("tiles alone are stored as mBSR and in no other format"); });
    require(m_tiles == nullptr ||
                (m_tiles->layout == kernels::TileLayout::packed && m_tiles->scale == 1),
            [] { return std::string("expected packed tiles with the scale 1"); });
  }

  Stored<Working, Space> run() {
    if (is_registered(m_storage.format)) return {registered(), note_of_own_scalar(), own};
    StorageScalar scalar = m_storage.scalar;
    if (scalar == StorageScalar::automatic) {
      if (auto op = narrow<Half>()) return {op, {}, StorageScalar::half};
      scalar = StorageScalar::float32;
    }
    if (scalar == StorageScalar::fp8) {
      if (auto op = narrow<Fp8E4M3>()) return {op, {}, scalar};
      scalar = StorageScalar::half;
    }
    if (scalar == StorageScalar::half) {
      if (auto op = narrow<Half>()) return {op, note("half"), scalar};
      scalar = StorageScalar::bfloat16;
    }
    if (scalar == StorageScalar::bfloat16) {
      if (auto op = narrow<BFloat16>()) return {op, note("bfloat16"), scalar};
      scalar = StorageScalar::float32;
    }
    if constexpr (std::is_same_v<Working, double>) {
      if (scalar == StorageScalar::float32) {
        if (auto op = narrow<float>()) return {op, note("float"), scalar};
      }
    } else if (scalar == StorageScalar::float64) {
      return {in_format<double>(1), {}, scalar};
    }
    return {in_format<Working>(1), note(scalar_name<Working>()), own};
  }

 private:
  static constexpr StorageScalar own =
      std::is_same_v<Working, double> ? StorageScalar::float64 : StorageScalar::float32;

  /// What to say where a registered format was asked for in another scalar than it has.
  std::string note_of_own_scalar() const {
    const StorageScalar asked = m_storage.scalar;
    if (asked == StorageScalar::same || asked == StorageScalar::automatic || asked == own)
      return {};
    return std::string("stored in ") + scalar_name<Working>() +
           ": a registered format has no other";
  }

  std::shared_ptr<const Operator> registered() const {
    return make_registered(m_exec, m_storage.format, m_A->view());
  }

  /// What to say where a wider scalar than asked for was taken.
  std::string note(const std::string& taken) const {
    const StorageScalar asked = m_storage.scalar;
    for (const auto& known : storage_scalar_names) {
      if (asked == StorageScalar::same || asked == StorageScalar::automatic) return {};
      if (known.value != asked || known.name == taken) continue;
      if (!m_does_not_fit) return {};
      return "stored in " + taken + ": " + std::string(known.name) + " does not hold its entries";
    }
    return {};
  }

  /// Null where `Storage` does not hold A.
  template <class Storage>
  std::shared_ptr<const Operator> narrow() {
    if constexpr (!is_built<Storage>) {
      if (m_storage.scalar == StorageScalar::half) return nullptr;
      throw Error(ErrorKind::configuration,
                  std::string("a matrix cannot be stored in ") + scalar_name<Storage>() +
                      ": the library was built with TESSERA_ALL_STORAGE_SCALARS=OFF");
    } else {
      if (!m_range_is_known) m_range = range();
      m_range_is_known = true;
      const double scale = m_storage.format == StorageFormat::csr ? 1.0 : fitting_scale<Storage>();
      std::shared_ptr<const Operator> op;
      if (holds<Storage>(m_range, scale)) op = in_format<Storage>(scale);
      m_does_not_fit = m_does_not_fit || op == nullptr;
      return op;
    }
  }

  Magnitudes range() const {
    return m_A != nullptr ? magnitudes(m_exec, m_A->view()) : magnitudes(m_exec, m_tiles->view());
  }
  template <class Storage>
  double fitting_scale() const {
    return m_A != nullptr ? kernels::fitting_scale<Storage>(m_exec, m_A->view())
                          : kernels::fitting_scale<Storage>(m_exec, m_tiles->view());
  }

  template <class Storage>
  static constexpr bool is_built = std::is_floating_point_v<Storage> ||
                                   std::is_same_v<Storage, Half> || TESSERA_ALL_STORAGE_SCALARS;

  template <class Storage>
  std::shared_ptr<const Operator> in_format(double scale) {
    if (m_A == nullptr) return tiles<Storage>(kernels::TileLayout::packed, scale);
    auto layout = kernels::TileLayout::packed;
    StorageFormat format = m_storage.format;
    if (format == StorageFormat::least_bytes) {
      const auto choice =
          kernels::select_format(m_exec, m_A->view(), {.value_bytes = sizeof(Storage)});
      layout = choice.layout;
      format = choice.format;
      // Only a format that was asked for by name may need a scale.
      if (format == StorageFormat::csr && scale != 1) {
        if (!holds<Storage>(m_range, 1)) return nullptr;
      }
    }
    if (format == StorageFormat::mbsr && m_tiles != nullptr) return tiles<Storage>(layout, scale);
    if constexpr (std::is_same_v<Storage, Working>) {
      if (format == StorageFormat::csr) return m_A;
    }
    std::shared_ptr<const Operator> op;
    kernels::for_each_format([&]<class Format>() {
      if constexpr (std::is_same_v<Format, kernels::CsrFormat> && std::is_same_v<Storage, Working>)
        return;
      else if (Format::value == format)
        op = wrap(or_unsuited(m_storage.format, [&] {
          return Format::template convert<Storage>(m_exec, m_A->matrix(), {scale, layout});
        }));
    });
    return op;
  }

  template <class Storage>
  std::shared_ptr<const Operator> tiles(kernels::TileLayout layout, double scale) const {
    return wrap(kernels::convert_mbsr<Storage>(m_exec, *m_tiles, layout, scale));
  }

  template <class Matrix>
  std::shared_ptr<const Operator> wrap(Matrix matrix) const {
    return std::make_shared<StoredMatrix<Working, Matrix>>(m_exec, std::move(matrix));
  }

  const Space& m_exec;
  std::shared_ptr<const A_type> m_A;
  const Tiles* m_tiles;
  StorageParameters m_storage;
  Magnitudes m_range;
  bool m_range_is_known = false;
  bool m_does_not_fit = false;
};

}  // namespace detail

template <class Working, class Space, class Offset>
Stored<Working, Space> store(const Space& exec,
                             const std::shared_ptr<const StoredCsr<Working, Space, Offset>>& A,
                             const StorageParameters& storage,
                             const NonDeduced<kernels::Mbsr<Working, Space>>* tiles) {
  return detail::Storing<Working, Space, Offset>(exec, A, storage, tiles).run();
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, store)

}  // namespace tessera
