// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems of the gallery and real ones, whole on one process, in Tessera's types and in hypre's.
#pragma once

#include "hypre/hypre_fixture.hpp"
#include "support/real_systems.hpp"

#include <ostream>
#include <string>

namespace tessera::test::hypre_test {

/// Where a matrix comes from: the folder of real ones, or the gallery.
struct Source {
  std::string name;
  bool is_real = true;
  GalleryParameters gallery = {};

  friend std::ostream& operator<<(std::ostream& out, const Source& s) { return out << s.name; }
};

inline Source of_gallery(std::string name, const GalleryParameters& parameters) {
  return {std::move(name), false, parameters};
}

/// Why the matrix cannot be had, or nothing.
inline std::string why_missing(const Source& source) {
#ifdef HYPRE_USING_GPU
  return "hypre's matrices are not in the host's memory";
#endif
  if (num_processes() > 1) return "what is compared is whole on one process";
  return source.is_real ? why_unreadable(source.name) : "";
}

inline kernels::Csr<double, Space> read(const Space& exec, const Source& source) {
  if (source.is_real) return read_real_matrix(exec, source.name);
  return make_problem<double, Space>(exec, source.gallery).A;
}

inline HostShare share_of(const HostMatrix<double>& A) {
  return {A.offsets, {A.columns.begin(), A.columns.end()}, A.values};
}

}  // namespace tessera::test::hypre_test
