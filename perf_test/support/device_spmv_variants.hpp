// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The kernels and formats that are tried for products on a device.
#pragma once

#include "support/spmv_variants.hpp"

#include <type_traits>
#include <vector>

namespace tessera::perf {

/// What a plan picks, by columns, and by patterns with rows distributed in every way.
inline std::vector<Variant> csr_variants_on_device() {
  using kernels::CsrSpmvAlgorithm;
  std::vector<Variant> result{{.format = Format::csr}};
  const auto kernel = [&](CsrSpmvAlgorithm algorithm, int lanes, int rows) {
    result.push_back({.format = Format::csr, .csr_kernel = CsrKernel{algorithm, lanes, rows}});
  };
  kernel(CsrSpmvAlgorithm::staged, 0, 0);
  for (const int rows : {1, 2, 4})
    kernel(CsrSpmvAlgorithm::column_patterns, 1, rows);
  for (const int lanes : {2, 4, 8})
    kernel(CsrSpmvAlgorithm::column_patterns, lanes, 1);
  return result;
}

/// Everything in the scalar of the vectors; in smaller ones what could be the fastest.
inline std::vector<Variant> variants_on_device(bool everything) {
  std::vector<Variant> result;
  const auto tiles = [&](TileLayout layout, MbsrSpmvKernel kernel, int lanes = 0) {
    result.push_back({.format = Format::mbsr, .layout = layout, .kernel = kernel, .lanes = lanes});
  };
  if (everything) {
    for (const int lanes : {1, 2, 4, 8, 16})
      tiles(TileLayout::packed, MbsrSpmvKernel::staged, lanes);
    tiles(TileLayout::packed, MbsrSpmvKernel::tile_row, 4);
    tiles(TileLayout::packed, MbsrSpmvKernel::load_balanced);
    tiles(TileLayout::packed, MbsrSpmvKernel::tensor_core);
    tiles(TileLayout::dense, MbsrSpmvKernel::tile_row);
    tiles(TileLayout::dense, MbsrSpmvKernel::load_balanced);
    tiles(TileLayout::dense, MbsrSpmvKernel::tensor_core);
    kernels::for_each_format([&]<class Trait>() {
      if (Trait::value != Format::csr && Trait::value != Format::mbsr)
        result.push_back({.format = Trait::value});
    });
  } else {
    for (const int lanes : {1, 2, 4, 8, 16})
      tiles(TileLayout::packed, MbsrSpmvKernel::staged, lanes);
    tiles(TileLayout::packed, MbsrSpmvKernel::tensor_core);
    tiles(TileLayout::dense, MbsrSpmvKernel::tensor_core);
  }
  return result;
}

}  // namespace tessera::perf
