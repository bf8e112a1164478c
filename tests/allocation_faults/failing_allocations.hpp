// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every form of `operator new` and `operator delete` of this program: counted, and refused where a
/// test says so.
#pragma once

namespace tessera::test::allocations {

/// Which requests are refused: none, that one alone, or it and all after it.
enum class Refused { none, one, rest };

/// Requests of all threads are counted again from here on; the `number`-th, from 1 on, is refused.
///
/// Two of Kokkos's own pass, for what comes of them is Kokkos's: while it frees an array it names a
/// fence, in a destructor, where an exception ends the program; and when it has an array it copies
/// the label, and an exception from there leaks the array.
void refuse(Refused which, long number = 0);

/// Treats SuiteSparse's requests as those of `operator new`. False where it is not there.
bool take_over_suitesparse();

/// Of requests since `refuse`.
long number();
/// Whether one of them was refused.
bool has_refused();
/// Whether it was one of those whose caller goes on without, as `std::stable_sort` does.
bool was_optional();

/// Blocks that were had and not given back.
long live();

}  // namespace tessera::test::allocations
