// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tables and reports call formats and scalars.
#pragma once

#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/precision/minifloat.hpp"
#include "tessera/kernels/spmv/storage_formats.hpp"

#include <string>
#include <type_traits>

namespace tessera {

/// "double", "float", "half", "bfloat16", "fp8_e4m3" or "fp8_e5m2".
template <class Scalar>
constexpr const char* scalar_name() {
  if constexpr (std::is_same_v<Scalar, double>) return "double";
  if constexpr (std::is_same_v<Scalar, float>) return "float";
  if constexpr (std::is_same_v<Scalar, Half>) return "half";
  if constexpr (std::is_same_v<Scalar, BFloat16>) return "bfloat16";
  if constexpr (std::is_same_v<Scalar, Fp8E4M3>) return "fp8_e4m3";
  if constexpr (std::is_same_v<Scalar, Fp8E5M2>) return "fp8_e5m2";
}

namespace detail {

/// "csr", or with its variant "mbsr packed".
template <class Matrix>
std::string format_name(const Matrix& A) {
  using Format = typename kernels::FormatOf<Matrix>::type;
  std::string name(Format::name);
  if constexpr (requires { Format::variant(A); }) name += " " + std::string(Format::variant(A));
  return name;
}

}  // namespace detail
}  // namespace tessera
