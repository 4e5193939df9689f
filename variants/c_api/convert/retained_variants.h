// SPDX-License-Identifier: MIT
//
// Holds C's references to variants. They belong to no device, because variants may outlive their device.
#pragma once

#include "variants/variant.h"

namespace dovetail::c_api {

// Thread-safe; so is releaseVariant(). Throws std::bad_alloc.
void retainVariant(VariantRef variant);

// Call it as often as the variant was retained.
void releaseVariant(const Variant *variant) noexcept;

} // namespace dovetail::c_api
