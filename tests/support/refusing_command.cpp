// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera`, whose request for memory of number TESSERA_TEST_REFUSE is refused as
/// where there is none. At the end "REQUESTS REFUSED OPTIONAL" is in the file
/// TESSERA_TEST_REQUESTS.
#include "allocation_faults/failing_allocations.hpp"
#include "tessera/command.hpp"

#include <cstdio>
#include <cstdlib>

namespace allocations = tessera::test::allocations;

int main(int argc, char** argv) {
  allocations::take_over_suitesparse();
  const char* const number = std::getenv("TESSERA_TEST_REFUSE");
  allocations::refuse(allocations::Refused::one, number != nullptr ? std::atol(number) : 0);
  const int status = tessera::run_command(argc, argv);
  const long requests = allocations::number();
  const int refused = allocations::has_refused() ? 1 : 0;
  const int optional = allocations::was_optional() ? 1 : 0;
  allocations::refuse(allocations::Refused::none);
  const char* const path = std::getenv("TESSERA_TEST_REQUESTS");
  if (std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr) {
    std::fprintf(file, "%ld %d %d\n", requests, refused, optional);
    std::fclose(file);
  }
  return status;
}
