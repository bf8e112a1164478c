// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// In which format and scalar a matrix is stored, as users choose it.
#pragma once

#include "tessera/kernels/format/storage_format.hpp"
#include "tessera/operator/parameter_description.hpp"

namespace tessera {

/// Those of the library, and after them those that were registered by now
/// (matrix/register_format.hpp).
EnumNames<StorageFormat> storage_format_names();

enum class StorageScalar { same, automatic, float64, float32, half, bfloat16, fp8 };

inline constexpr EnumName<StorageScalar> storage_scalar_names[] = {
    {StorageScalar::same, "same", "that of the vectors"},
    {StorageScalar::automatic, "auto", "half where its range holds the matrix, else float"},
    {StorageScalar::float64, "double", "53 bits"},
    {StorageScalar::float32, "float", "24 bits"},
    {StorageScalar::half, "half", "11 bits, from 6e-5 to 65504"},
    {StorageScalar::bfloat16, "bfloat16", "8 bits in the range of float"},
    {StorageScalar::fp8, "fp8", "4 bits (e4m3); never picked by auto"}};

/// A choice for one matrix.
struct StorageParameters {
  StorageFormat format = StorageFormat::automatic;
  StorageScalar scalar = StorageScalar::same;
};

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, StorageParameters& p) {
  visit("format", p.format, "how the entries lie in memory", storage_format_names());
  visit("scalar", p.scalar,
        "what each entry is stored in; a wider one where its range does not hold the matrix",
        EnumNames<StorageScalar>(storage_scalar_names));
}

}  // namespace tessera
