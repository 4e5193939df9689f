// SPDX-License-Identifier: MIT
//
// A refused capability gives an Error before anything is validated or translated. A supported capability may still
// bring an instruction that is not supported; that instruction then gives the Error.
#include "src/spirv/validate/capabilities.h"
#include "src/spirv/module/names.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

constexpr CapabilityRow Rows[] = {
#define SPIRV_CAPABILITY(name, number) {#name, spv::Capability(number), {}},
#define SPIRV_REFUSED(name, number, reason) {#name, spv::Capability(number), reason},
#define SPIRV_OPENGL_CAPABILITY(name, number) {#name, spv::Capability(number), {}, true},
#include "src/spirv/validate/capabilities.def"
#undef SPIRV_CAPABILITY
#undef SPIRV_OPENGL_CAPABILITY
#undef SPIRV_REFUSED
};

const CapabilityRow *find(uint32_t number) {
  auto row = std::ranges::find(Rows, static_cast<spv::Capability>(number), &CapabilityRow::capability);
  return row == std::end(Rows) ? nullptr : row;
}

constexpr std::string_view OpenGlOnly = "it is OpenGL's, and the shader is described as Vulkan's";

constexpr uint32_t OpCapability = 2u << 16 | uint32_t(spv::Op::OpCapability); // its first word

// The reason why a shader of this environment cannot have the capability; empty if it can.
std::string_view refusalOf(const CapabilityRow &row, Environment environment) {
  return row.isOpenGl && environment != Environment::OpenGl ? OpenGlOnly : row.refusal;
}

tl::unexpected<Error> refuse(const CapabilityRow &row, uint32_t wordOffset, std::string_view reason) {
  return makeError(ErrorCode::Unsupported, "OpCapability at word {}: capability {} is not supported ({})", wordOffset,
                   row.name, reason);
}

} // namespace

std::span<const CapabilityRow> capabilityRows() {
  return Rows;
}

bool declaresCapability(std::span<const uint32_t> words, spv::Capability capability) {
  for (size_t at = HeaderWords; at + 1 < words.size() && words[at] == OpCapability; at += 2)
    if (words[at + 1] == uint32_t(capability))
      return true;
  return false;
}

Result<void> checkRefusedCapabilities(std::span<const uint32_t> words, Environment environment) {
  for (size_t at = HeaderWords; at + 1 < words.size() && words[at] == OpCapability; at += 2)
    if (const CapabilityRow *row = find(words[at + 1]))
      if (std::string_view reason = refusalOf(*row, environment); !reason.empty())
        return refuse(*row, static_cast<uint32_t>(at), reason);
  return {};
}

Result<void> checkModule(const Module &module) {
  for (const Instruction &inst : module.capabilities)
    if (const CapabilityRow *row = find(inst.operand(0)); !row)
      return makeError(ErrorCode::Unsupported, "OpCapability at word {}: capability {} is not supported",
                       inst.wordOffset, nameOf(static_cast<spv::Capability>(inst.operand(0))));
    else if (std::string_view reason = refusalOf(*row, module.environment); !reason.empty())
      return refuse(*row, inst.wordOffset, reason);
  if (module.addressingModel != spv::AddressingModel::Logical &&
      module.addressingModel != spv::AddressingModel::PhysicalStorageBuffer64)
    return makeError(ErrorCode::Unsupported, "OpMemoryModel: addressing model {} is not supported",
                     static_cast<uint32_t>(module.addressingModel));
  return {};
}

} // namespace dovetail::spirv
