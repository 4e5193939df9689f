// SPDX-License-Identifier: MIT
//
// Checks a part that was read from disk or from a file. Its checksum proves that the bytes are those that were written;
// it does not prove that the writer was right. The join, and the code that makes other parts from a part's interface,
// rely on facts that our compiler always gets right: a main part has an interface, registers exist, numbers are in
// range. This file checks those facts once. Whatever else a part contains, using it ends in an Error at worst.
#pragma once

#include "parts/part.h"

namespace dovetail {

// Whether all values in an interface are possible ones.
bool isGoodInterface(const ShaderInterface &interface);

// The reason why the part must not be used; nullptr if it may be used.
const char *defectOf(const Part &part);

} // namespace dovetail
