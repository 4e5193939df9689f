// SPDX-License-Identifier: MIT
//
// What the programs of a variant cost, for lists of pipelines, or why that is not known.
#pragma once

#include "tools/programs/dovetail/inspect/inspected_json.h"
#include "variants/bind/device.h"

namespace dovetail {

// Of a variant that these shaders make. Errors: those of checkImage() and of the disassembler.
Result<std::vector<ProgramRow>> checkedRows(const Variant &variant, const Device &device, const ShaderSet &shaders);

InspectedPipeline inspectedPipeline(const std::string &name, const Result<std::vector<ProgramRow>> &rows);

// The text of an Error in one line, without the name of what it is about, which stands beside it. Equal reasons are
// equal texts then.
std::string reasonOf(const Error &error, const std::string &name);

} // namespace dovetail
