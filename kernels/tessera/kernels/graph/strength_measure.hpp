// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The names of the measures of strength.
#pragma once

namespace tessera {

/// What a coupling |A_ij| is compared with: sqrt(|s_i s_j|), where |s_i| is
enum class StrengthMeasure {
  diagonal,  ///< |A_ii| (Cusp paper, section 1.2.2)
  largest  ///< the largest coupling of node i that may be strong: rows of many equal entries keep
           ///< them all
};

}  // namespace tessera
