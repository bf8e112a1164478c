// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The global ordinals that the adapters are compiled for: those that Tpetra itself is built with.
#pragma once

#include <TpetraCore_config.h>

/// Calls `M(GlobalOrdinal)` for each, with the local ordinal int.
#define TESSERA_FOR_EACH_GLOBAL_ORDINAL(M) \
  TESSERA_DETAIL_WITH_INT(M) TESSERA_DETAIL_WITH_LONG(M) TESSERA_DETAIL_WITH_LONG_LONG(M)

#if defined(HAVE_TPETRA_INST_INT_INT)
#define TESSERA_DETAIL_WITH_INT(M) M(int)
#else
#define TESSERA_DETAIL_WITH_INT(M)
#endif
#if defined(HAVE_TPETRA_INST_INT_LONG)
#define TESSERA_DETAIL_WITH_LONG(M) M(long)
#else
#define TESSERA_DETAIL_WITH_LONG(M)
#endif
#if defined(HAVE_TPETRA_INST_INT_LONG_LONG)
#define TESSERA_DETAIL_WITH_LONG_LONG(M) M(long long)
#else
#define TESSERA_DETAIL_WITH_LONG_LONG(M)
#endif
