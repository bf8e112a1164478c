// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Instantiates problem.hpp.
#include "tessera/gallery/problem_impl.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                             \
  template Problem<Scalar, Space, Offset> make_problem<Scalar, Space, Offset>( \
      const Space&, const GalleryParameters&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
