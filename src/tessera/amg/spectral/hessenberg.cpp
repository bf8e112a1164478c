// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/spectral/hessenberg.hpp"

#include <cmath>
#include <limits>

extern "C" {
void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*, double*,
            const int*, double*, const int*, double*, const int*, int*);
}

namespace tessera::amg {

detail::RitzValue largest_ritz_modulus(const Hessenberg& matrix) {
  const int n = matrix.size;
  Hessenberg a = matrix;
  Hessenberg vectors{n, std::vector<double>(a.entries.size())};
  std::vector<double> real(n);
  std::vector<double> imaginary(n);
  const int no_vectors = 1;
  const int lwork = 4 * n;  // the least that dgeev takes: blocking is for larger matrices
  std::vector<double> work(lwork);
  int info = 0;
  dgeev_("N", "V", &n, a.entries.data(), &n, real.data(), imaginary.data(), nullptr, &no_vectors,
         vectors.entries.data(), &n, work.data(), &lwork, &info);
  if (info != 0) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  int largest = 0;
  for (int j = 1; j < n; ++j) {
    const double modulus = std::hypot(real[j], imaginary[j]);
    if (modulus > std::hypot(real[largest], imaginary[largest])) largest = j;
  }
  // The vector of a complex pair is column `largest` plus i times the next one: of the two
  // eigenvalues, equal in modulus, the first was taken.
  double last = std::abs(vectors(n - 1, largest));
  if (imaginary[largest] != 0) last = std::hypot(last, vectors(n - 1, largest + 1));
  return {std::hypot(real[largest], imaginary[largest]), matrix.next * last};
}

}  // namespace tessera::amg
