// SPDX-License-Identifier: MIT
//
// The references to variants that C holds. They belong to no device, because variants may outlive theirs.
#pragma once

#include "variants/variant.h"

namespace dovetail::c_api {

// Thread-safe; so is releaseVariant(). Throws std::bad_alloc.
void retainVariant(VariantRef variant);

// As often as it was retained.
void releaseVariant(const Variant *variant) noexcept;

} // namespace dovetail::c_api
