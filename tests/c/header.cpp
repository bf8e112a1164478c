// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera.h"

extern tessera_status (*const tessera_test_cpp)(tessera_solver** solver);
tessera_status (*const tessera_test_cpp)(tessera_solver** solver) = tessera_create;
