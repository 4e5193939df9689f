// SPDX-License-Identifier: MIT
//
// Which capabilities of a module are supported: a table of all of them (capabilities.def).
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/environment.h"
#include "src/spirv/module/module.h"
#include <span>
#include <string_view>

namespace dovetail::spirv {

struct CapabilityRow {
  std::string_view name;
  spv::Capability capability;
  std::string_view refusal; // why it is not supported; empty: it is supported
  bool isOpenGl = false;    // of OpenGL only
};

std::span<const CapabilityRow> capabilityRows();

// Returns an Error that names the first capability that a row refuses. The words have a header, and may be invalid.
Result<void> checkRefusedCapabilities(std::span<const uint32_t> words, Environment environment);
// Whether such words declare the capability.
bool declaresCapability(std::span<const uint32_t> words, spv::Capability capability);

// Returns an Error that names the first capability or addressing model that is not supported.
Result<void> checkModule(const Module &module);

} // namespace dovetail::spirv
