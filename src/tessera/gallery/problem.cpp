// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/problem.hpp"

#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem(const Space& exec,
                                            const GalleryParameters& parameters) {
  return make_problem_rows<Scalar, Space, Offset>(exec, parameters, RowRange());
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                             \
  template Problem<Scalar, Space, Offset> make_problem<Scalar, Space, Offset>( \
      const Space&, const GalleryParameters&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
