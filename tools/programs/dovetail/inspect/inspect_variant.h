// SPDX-License-Identifier: MIT
//
// Costs of a variant's programs, for lists of pipelines, or the reason why they are unknown.
#pragma once

#include "tools/programs/dovetail/inspect/inspected_json.h"
#include "variants/bind/device.h"

namespace dovetail {

// `shaders`: the shaders of the variant. Errors: those of checkImage() and of the disassembler.
Result<std::vector<ProgramRow>> checkedRows(const Variant &variant, const Device &device, const ShaderSet &shaders);

InspectedPipeline inspectedPipeline(const std::string &name, const Result<std::vector<ProgramRow>> &rows);

// The text of an Error in one line, without `name`, which stands beside it. So equal reasons give equal texts.
std::string reasonOf(const Error &error, const std::string &name);

} // namespace dovetail
