// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <memory>

#include "c/failure.hpp"
#include "c/runtime.hpp"
#include "frontend/gallery_settings.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/parameters/words.hpp"

namespace tessera::c {

/// Vectors of a problem of whichever scalar.
struct PartView {
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int32_t columns = 0;
};

/// A Problem of whichever types.
class AnyProblem {
 public:
  virtual ~AnyProblem() = default;
  virtual tessera_matrix matrix() const = 0;
  virtual PartView part(tessera_part part) const = 0;
  virtual int block_size() const = 0;
  virtual const std::string& description() const = 0;
};

namespace {

template <class Scalar, class Offset>
class TypedProblem final : public AnyProblem {
 public:
  explicit TypedProblem(const GalleryParameters& parameters) {
    const HostSpace exec;
    m_problem = make_problem<Scalar, HostSpace, Offset>(exec, parameters);
    exec.fence("tessera::c::problem");
  }

  tessera_matrix matrix() const override {
    const auto& A = m_problem.A;
    tessera_matrix shown{};
    shown.rows = A.num_rows;
    shown.entries = static_cast<std::int64_t>(A.num_entries());
    shown.offsets = A.offsets.data();
    shown.columns = A.columns.data();
    shown.values = A.values.data();
    shown.offset_type = sizeof(Offset) == 4 ? TESSERA_INT32 : TESSERA_INT64;
    shown.value_type = sizeof(Scalar) == 4 ? TESSERA_FLOAT : TESSERA_DOUBLE;
    return shown;
  }

  PartView part(tessera_part part) const override {
    const auto view = [](const auto& v) {
      return PartView{v.data(), static_cast<std::int64_t>(v.extent(0)),
                      static_cast<std::int32_t>(v.extent(1))};
    };
    switch (part) {
      case TESSERA_RIGHT_HAND_SIDE:
        return view(m_problem.b);
      case TESSERA_NEAR_NULLSPACE:
        return view(m_problem.near_nullspace);
      case TESSERA_COORDINATES:
        return view(m_problem.coordinates);
    }
    throw Failure(TESSERA_ERROR_ARGUMENT,
                  fmt::format("part is {}; expected TESSERA_RIGHT_HAND_SIDE, "
                              "TESSERA_NEAR_NULLSPACE or TESSERA_COORDINATES",
                              static_cast<int>(part)));
  }

  int block_size() const override { return m_problem.block_size; }
  const std::string& description() const override { return m_problem.description; }

 private:
  Problem<Scalar, HostSpace, Offset> m_problem;
};

template <class Scalar>
std::unique_ptr<AnyProblem> typed_problem(const GalleryParameters& parameters,
                                          tessera_type offset_type) {
  if (offset_type == TESSERA_INT64)
    return std::make_unique<TypedProblem<Scalar, std::int64_t>>(parameters);
  return std::make_unique<TypedProblem<Scalar, std::int32_t>>(parameters);
}

/// The parameters for "NAME key=value ...".
GalleryParameters parameters_of(const char* words) {
  const auto all = parameters::words_of(words);
  require_argument(!all.empty(), [] {
    return std::string(
        "words is empty; expected a problem's name and its options, such as "
        "\"poisson3d n=40\"");
  });
  std::vector<std::pair<std::string, std::string>> settings;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto setting = parameters::split_word(all[i]);
    if (!setting) {
      throw Error(ErrorKind::configuration,
                  fmt::format("{}: expected key=value, in one word", all[i]));
    }
    settings.emplace_back(setting->key, setting->value);
  }
  return frontend::gallery_parameters(all[0], settings,
                                      [](std::string_view key) { return std::string(key); });
}

}  // namespace
}  // namespace tessera::c

struct tessera_problem final : tessera::c::Handle {
  std::unique_ptr<tessera::c::AnyProblem> problem;

  void release() noexcept override { problem.reset(); }
};

using namespace tessera::c;

/// A function that works on a problem.
template <class Work>
static tessera_status with_problem(const char* function, tessera_problem* problem,
                                   Work&& work) noexcept {
  return guarded(function, [&] {
    const HandleUse use(problem, "problem");
    require_argument(problem->problem != nullptr,
                     [] { return std::string("the problem ended with Kokkos"); });
    work(*problem->problem);
  });
}

tessera_status tessera_problem_create(tessera_problem** problem, const char* words,
                                      tessera_type value_type, tessera_type offset_type) {
  return guarded(__func__, [&] {
    require_pointer(problem, "problem");
    require_pointer(words, "words");
    require_argument(value_type == TESSERA_DOUBLE || value_type == TESSERA_FLOAT, [&] {
      return fmt::format("value_type is {}; expected TESSERA_DOUBLE or TESSERA_FLOAT",
                         static_cast<int>(value_type));
    });
    require_argument(offset_type == TESSERA_INT32 || offset_type == TESSERA_INT64, [&] {
      return fmt::format("offset_type is {}; expected TESSERA_INT32 or TESSERA_INT64",
                         static_cast<int>(offset_type));
    });
    const tessera::GalleryParameters parameters = parameters_of(words);
    start_runtime();
    auto made = std::make_unique<tessera_problem>();
    made->problem = value_type == TESSERA_DOUBLE ? typed_problem<double>(parameters, offset_type)
                                                 : typed_problem<float>(parameters, offset_type);
    add_handle(*made);
    *problem = made.release();
  });
}

tessera_status tessera_problem_destroy(tessera_problem* problem) {
  return guarded(__func__, [&] { destroy_handle(problem, "problem"); });
}

tessera_status tessera_problem_matrix(tessera_problem* problem, tessera_matrix* matrix) {
  return with_problem(__func__, problem, [&](const AnyProblem& p) {
    require_pointer(matrix, "matrix");
    *matrix = p.matrix();
  });
}

tessera_status tessera_problem_vectors(tessera_problem* problem, tessera_part part,
                                       const void** data, int64_t* rows, int32_t* columns) {
  return with_problem(__func__, problem, [&](const AnyProblem& p) {
    require_pointer(data, "data");
    require_pointer(rows, "rows");
    require_pointer(columns, "columns");
    const PartView view = p.part(part);
    *data = view.data;
    *rows = view.rows;
    *columns = view.columns;
  });
}

tessera_status tessera_problem_about(tessera_problem* problem, int32_t* block_size,
                                     const char** description) {
  return with_problem(__func__, problem, [&](const AnyProblem& p) {
    if (block_size != nullptr) *block_size = p.block_size();
    if (description != nullptr) *description = p.description().c_str();
  });
}
