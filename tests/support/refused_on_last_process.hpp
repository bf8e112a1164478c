// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Work of Tpetra's processes in which the last one has no memory for one array.
#pragma once

#include "support/error_of.hpp"
#include "support/refused_array.hpp"
#include "support/tpetra_system.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace tessera::test {

/// The greatest of all processes' numbers.
inline long greatest(const TpetraSystem& system, long number) {
  long all = number;
  Teuchos::reduceAll(*system.map->getComm(), Teuchos::REDUCE_MAX, number, Teuchos::outArg(all));
  return all;
}

/// Refuses each array of the last process's, or `points` of them, while `work` is done.
inline void expect_out_of_memory_by_all(const TpetraSystem& system, const std::string& name,
                                        long points, const std::function<void()>& work) {
  using Space = TpetraMatrix::execution_space;
  const bool is_culprit = process() == num_processes() - 1;
  long count = 0;
  {
    const RefusedArray<Space> none(0);
    work();
    count = greatest(system, is_culprit ? none.count() : 0);
  }
  EXPECT_GT(count, 10) << name;
  points = std::min(points, count);
  for (long i = 0; i < points; ++i) {
    const long number = 1 + i * count / points;
    std::optional<Error> error;
    std::string label;
    {
      const RefusedArray<Space> refused(is_culprit ? number : 0);
      error = error_of(work);
      label = refused.label();
    }
    expect_out_of_memory(error, name + ", array " + std::to_string(number) + ' ' + label);
  }
}

}  // namespace tessera::test
