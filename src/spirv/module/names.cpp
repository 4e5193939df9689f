// SPDX-License-Identifier: MIT
//
// The tables are made at build time from the grammar that SPIRV-Headers installs. Newer numbers are shown as numbers.
#include "src/spirv/module/names.h"
#include "spirv_grammar_tables.inc"
#include "src/spirv/module/visible_module.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <spirv-tools/libspirv.h>
#include <string_view>

namespace dovetail::spirv {

namespace {

// nullptr if the grammar does not have the number.
template <typename Enumerant> const char *find(std::span<const GrammarRow> rows, Enumerant enumerant) {
  const auto row = std::ranges::find(rows, static_cast<uint32_t>(enumerant), &GrammarRow::number);
  return row == rows.end() ? nullptr : row->text;
}

// `kind`: what it is called if the grammar does not have it.
template <typename Enumerant>
std::string find(std::span<const GrammarRow> rows, Enumerant enumerant, std::string_view kind) {
  const char *name = find(rows, enumerant);
  return name ? name : fmt::format("{} {}", kind, static_cast<uint32_t>(enumerant));
}

} // namespace

bool isKnown(spv::Op opcode) {
  return std::string_view(spvOpcodeString(static_cast<uint32_t>(opcode))) != "unknown";
}

bool isKnown(spv::Capability capability) {
  return find(CapabilityNames, capability) != nullptr;
}

bool isKnown(spv::ExecutionMode mode) {
  return find(ExecutionModeNames, mode) != nullptr;
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
  return find(CapabilityNames, capability, "capability");
}
std::string nameOf(spv::ExecutionModel model) {
  return find(ExecutionModelNames, model, "execution model");
}
std::string nameOf(spv::ExecutionMode mode) {
  return find(ExecutionModeNames, mode, "execution mode");
}
std::string nameOf(spv::BuiltIn builtIn) {
  return find(BuiltInNames, builtIn, "built-in");
}
std::string nameOf(spv::StorageClass storage) {
  return find(StorageClassNames, storage, "storage class");
}

std::string capabilityOf(spv::Op opcode) {
  const char *capabilities = find(OpcodeCapabilities, opcode);
  return capabilities ? capabilities : "";
}

} // namespace dovetail::spirv
