#!/bin/bash
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# dying_process_test.sh MPIRUN...: where a process dies in a solve, all end within 30 s, with an error.
set -u
output=$(timeout 30 "$@" 2>&1)
status=$?
if [[ $status == 0 || $status == 124 || $output == *"come to its end"* || $output != *"a process dies"* ]]; then
  echo "status $status: $output"
  exit 1
fi
echo "ended with status $status"
