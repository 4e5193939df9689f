// SPDX-License-Identifier: MIT
//
// A root table for shaders that come without a pipeline layout: a table of descriptors for each set that they use, then
// the push constants. Shaders that are used together must be laid out together, because they share the root table.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include "src/state/resource_form.h"
#include "src/state/user_data_nodes.h"
#include <span>

namespace dovetail {

// How many descriptors a runtime array gets, as nothing says how many it will have.
constexpr uint32_t RuntimeArrayElements = 16;

// One root dword for each used set, in ascending order, then the push constants. In a set, the bindings in ascending
// order, each as large as its kind needs times its array size: image 8 dwords, sampler 4, both 12, buffer 4. A binding
// that two shaders use as different kinds or with different sizes is given the larger size; a runtime array is given
// RuntimeArrayElements elements, and comes last in its set. Errors: StateMismatch, naming set and binding, if shaders
// use a binding in ways that no descriptor serves.
Result<UserDataNodes> layOutUserData(std::span<const spirv::Reflection *const> shaders);

// What of a layout changes the code of a shader.
ResourceForms resourceFormsOf(const spirv::Reflection &shader, const UserDataNodes &nodes);

} // namespace dovetail
