// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The storages that products of tiles are instantiated for.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"

/// Calls `M(StorageA, StorageB, StorageC, Space)`: factors of one storage.
#define TESSERA_DETAIL_PRODUCTS_WIDE(M, SPACE) \
  M(double, double, double, SPACE)             \
  M(double, double, float, SPACE)              \
  M(float, float, double, SPACE)               \
  M(float, float, float, SPACE)
#define TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, SMALL, SPACE) \
  M(SMALL, SMALL, double, SPACE) M(SMALL, SMALL, float, SPACE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE)              \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::Half, SPACE) \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::BFloat16, SPACE)
#else
#define TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE) \
  TESSERA_DETAIL_PRODUCTS_OF_SMALL(M, ::tessera::Half, SPACE)
#endif

/// The same: factors of two storages.
#define TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, SMALL, SPACE) \
  M(SMALL, double, double, SPACE) M(double, SMALL, double, SPACE) M(SMALL, float, float, SPACE)
#if TESSERA_ALL_STORAGE_SCALARS
#define TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE)                   \
  M(float, double, double, SPACE)                                 \
  M(double, float, double, SPACE)                                 \
  TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::Half, SPACE) \
  TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::BFloat16, SPACE)
#else
#define TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE) \
  M(float, double, double, SPACE)               \
  M(double, float, double, SPACE) TESSERA_DETAIL_PRODUCTS_BESIDE_SMALL(M, ::tessera::Half, SPACE)
#endif

#define TESSERA_DETAIL_PRODUCTS_OF(M, SPACE) \
  TESSERA_DETAIL_PRODUCTS_WIDE(M, SPACE)     \
  TESSERA_DETAIL_PRODUCTS_NARROW(M, SPACE)   \
  TESSERA_DETAIL_PRODUCTS_MIXED(M, SPACE)

/// Calls `M(StorageA, StorageB, StorageC, Space)` for every product and enabled space.
#if TESSERA_HAVE_DEVICE
#define TESSERA_FOR_EACH_TILE_PRODUCT(M)              \
  TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::HostSpace) \
  TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::DeviceSpace)
#else
#define TESSERA_FOR_EACH_TILE_PRODUCT(M) TESSERA_DETAIL_PRODUCTS_OF(M, ::tessera::HostSpace)
#endif
