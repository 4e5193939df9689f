// SPDX-License-Identifier: MIT
//
// What a part must be that was not made here but read from somewhere. Its checksum says that it is as it was written,
// not that whoever wrote it was right; and what joins parts and makes others from their interfaces believes what a
// compiler of ours would never get wrong: that a main part has an interface, that registers exist, that numbers are
// those of something. Here that is looked at once, so that whatever else a part contains, using it ends in an Error.
#pragma once

#include "parts/part.h"

namespace dovetail {

// Whether all that an interface says is something that there is.
bool isGoodInterface(const ShaderInterface &interface);

// Why the part must not be used, or nullptr.
const char *defectOf(const Part &part);

} // namespace dovetail
