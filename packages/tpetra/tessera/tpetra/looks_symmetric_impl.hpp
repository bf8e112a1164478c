// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `looks_symmetric`.
#pragma once

#include "tessera/tpetra/looks_symmetric.hpp"

#include <Tpetra_MultiVector.hpp>

#include <cmath>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A) {
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  const auto map = A.getDomainMap();
  Vectors uv(map, 2);
  {
    const auto local = uv.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<double>(map->getGlobalElement(static_cast<int>(i)));
      local(i, 0) = std::sin(1 + 78.233 * row);
      local(i, 1) = std::sin(2 + 43.671 * row);
    }
  }
  Vectors products(map, 2);
  A.apply(uv, products);
  const auto u = uv.getVector(0);
  const auto v = uv.getVector(1);
  const double one = products.getVector(0)->dot(*v);
  const double other = products.getVector(1)->dot(*u);
  const double size = products.getVector(0)->norm2() * v->norm2();
  return std::abs(one - other) <= 1e-10 * size;
}

}  // namespace tessera::tpetra
