// SPDX-License-Identifier: MIT
//
// Accesses to neighbouring dwords become one: loads where the first of them stands, stores where the last does.
#pragma once

#include "src/first/form/program.h"

namespace dovetail::first {

void mergeAccesses(Program &program);

} // namespace dovetail::first
