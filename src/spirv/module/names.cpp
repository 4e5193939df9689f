// SPDX-License-Identifier: MIT
//
// The tables are made at build time from the grammar that SPIRV-Headers installs. Newer numbers are shown as numbers.
#include "src/spirv/module/names.h"
#include "spirv_grammar_tables.inc"
#include "src/spirv/module/newer_instructions.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <spirv-tools/libspirv.h>
#include <string_view>

namespace dovetail::spirv {

namespace {

std::string find(std::span<const GrammarRow> rows, uint32_t number, std::string fallback) {
  for (const GrammarRow &row : rows) {
    if (row.number == number)
      return row.text;
  }
  return fallback;
}

} // namespace

bool isKnown(spv::Op opcode) {
  return std::string_view(spvOpcodeString(static_cast<uint32_t>(opcode))) != "unknown";
}

bool isKnown(spv::Capability capability) {
  return !find(CapabilityNames, static_cast<uint32_t>(capability), {}).empty();
}

bool isKnown(spv::ExecutionMode mode) {
  return !find(ExecutionModeNames, static_cast<uint32_t>(mode), {}).empty();
}

bool isKnownExtension(std::string_view name) {
  return std::ranges::find(Extensions, name) != std::end(Extensions);
}

std::string nameOf(spv::Op opcode) {
  if (!isKnown(opcode) && (opcode == OpQuadAll || opcode == OpQuadAny))
    return opcode == OpQuadAll ? "OpGroupNonUniformQuadAllKHR" : "OpGroupNonUniformQuadAnyKHR";
  return fmt::format("Op{}", spvOpcodeString(static_cast<uint32_t>(opcode)));
}

std::string nameOf(spv::Capability capability) {
  uint32_t number = static_cast<uint32_t>(capability);
  return find(CapabilityNames, number, fmt::format("capability {}", number));
}

std::string nameOf(spv::ExecutionModel model) {
  uint32_t number = static_cast<uint32_t>(model);
  return find(ExecutionModelNames, number, fmt::format("execution model {}", number));
}

std::string nameOf(spv::ExecutionMode mode) {
  uint32_t number = static_cast<uint32_t>(mode);
  return find(ExecutionModeNames, number, fmt::format("execution mode {}", number));
}

std::string nameOf(spv::BuiltIn builtIn) {
  uint32_t number = static_cast<uint32_t>(builtIn);
  return find(BuiltInNames, number, fmt::format("built-in {}", number));
}

std::string nameOf(spv::StorageClass storage) {
  uint32_t number = static_cast<uint32_t>(storage);
  return find(StorageClassNames, number, fmt::format("storage class {}", number));
}

std::string capabilityOf(spv::Op opcode) {
  return find(OpcodeCapabilities, static_cast<uint32_t>(opcode), {});
}

} // namespace dovetail::spirv
