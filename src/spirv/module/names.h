// SPDX-License-Identifier: MIT
//
// Names of SPIR-V instructions and enumerants for error texts, from the SPIR-V grammar.
#pragma once

#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>

namespace dovetail::spirv {

// Whether the grammar has the number.
bool isKnown(spv::Op opcode);
bool isKnown(spv::Capability capability);
bool isKnown(spv::ExecutionMode mode);
bool isKnownExtension(std::string_view name);

// "OpIAdd"
std::string nameOf(spv::Op opcode);
std::string nameOf(spv::Capability capability);
std::string nameOf(spv::ExecutionModel model);
std::string nameOf(spv::ExecutionMode mode);
std::string nameOf(spv::BuiltIn builtIn);
std::string nameOf(spv::StorageClass storage);
// The capabilities that bring the instruction, for example "Matrix or Shader": one of them suffices. Empty if it needs
// none.
std::string capabilityOf(spv::Op opcode);

} // namespace dovetail::spirv
