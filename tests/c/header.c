/* SPDX-FileCopyrightText: The Tessera Authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tessera.h"

typedef tessera_status (*tessera_test_function)(tessera_solver** solver);
const tessera_test_function tessera_test_c = tessera_create;
