// SPDX-License-Identifier: MIT
//
// The automatic layout for shaders that come without a pipeline layout: a table of descriptors for each set that they
// use, and push constants. Shaders that are used together must be laid out together, because they share the root table.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include "src/state/resource_form.h"
#include "src/state/user_data_nodes.h"
#include <span>

namespace dovetail {

// The number of descriptors of a runtime array, because nothing says how many it will have.
constexpr uint32_t RuntimeArrayElements = 16;

// Dwords from binding to binding in a table: the size of the largest descriptor.
constexpr uint32_t AutomaticSlotDwords = 12;

// Choices that applications make for all buffers or for none.
struct AutomaticLayout {
  bool uniformBuffersAreDynamic = false; // each has an offset in the root table
  bool storageBuffersAreDynamic = false;
};

// The layout. The root table has a dword for each used set, in ascending order, then the dynamic offsets, then the push
// constants, whose size depends on all shaders together.
//
// In a table, a binding lies at its number times AutomaticSlotDwords, independent of the rest of the set, so tables
// need not change when a shader does. Behind all slots lie:
// - arrays that would reach into the next used binding;
// - FMASK;
// - bindings whose slot scalar loads do not reach;
// - last, runtime arrays, which get RuntimeArrayElements elements.
//
// A binding that two shaders use as different kinds or with different sizes gets the larger size. Errors:
// StateMismatch, naming set and binding, if shaders use a binding in ways that no descriptor serves; Unsupported.
Result<UserDataNodes> layOutUserData(std::span<const spirv::Reflection *const> shaders,
                                     const AutomaticLayout &options = {});

// The properties of a layout that change the code of a shader. `immutableSamplers`: ResourceLayout's.
ResourceForms resourceFormsOf(const spirv::Reflection &shader, const UserDataNodes &nodes,
                              std::span<const uint32_t> immutableSamplers = {});

} // namespace dovetail
