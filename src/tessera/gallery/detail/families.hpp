// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The gallery's families of problems; each takes parameters that `num_problem_rows` has passed and
/// makes rows of the whole problem that there are.
#pragma once

#include "tessera/gallery/problem_rows.hpp"

#include <initializer_list>

namespace tessera::gallery_detail {

/// Throws `Error` of kind `configuration`, naming the parameter, its value and its range.
void check_parameters(const GalleryParameters& parameters);

/// The product of `sizes`, each at most 2^31; throws `Error` of kind `configuration` where it is
/// more than an `Ordinal` counts.
Ordinal checked_rows(const GalleryParameters& parameters,
                     std::initializer_list<std::int64_t> sizes);

/// The shortest text of a number, for descriptions.
std::string number_text(double value);

/// poisson2d, poisson2d9, poisson3d, poisson3d27.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_poisson(const Space& exec, const GalleryParameters& parameters,
                                            const RowRange& range);

/// neumann2d, neumann3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_neumann(const Space& exec, const GalleryParameters& parameters,
                                            const RowRange& range);

/// anisotropic2d, anisotropic3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_anisotropic(const Space& exec,
                                                const GalleryParameters& parameters,
                                                const RowRange& range);

/// jump2d, jump3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_jump(const Space& exec, const GalleryParameters& parameters,
                                         const RowRange& range);

/// convdiff2d, convdiff3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_convection_diffusion(const Space& exec,
                                                         const GalleryParameters& parameters,
                                                         const RowRange& range);

/// elasticity2d, elasticity3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_elasticity(const Space& exec,
                                               const GalleryParameters& parameters,
                                               const RowRange& range);

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_beam(const Space& exec, const GalleryParameters& parameters,
                                         const RowRange& range);

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_lshape(const Space& exec, const GalleryParameters& parameters,
                                           const RowRange& range);

/// unstructured2d, unstructured3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& range);

/// unstructured_elasticity3d.
template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured_elasticity(const Space& exec,
                                                            const GalleryParameters& parameters,
                                                            const RowRange& range);

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_graph(const Space& exec, const GalleryParameters& parameters,
                                          const RowRange& range);

}  // namespace tessera::gallery_detail
