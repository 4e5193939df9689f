// SPDX-License-Identifier: MIT
#include "parts/compile/fill_part.h"
#include "src/abi/get_target.h"
#include "src/base/compile_phases.h"
#include "src/isa/hazard_summary.h"
#include "src/isa/register_use.h"
#include "src/mc/disassembler.h"
#include "src/mc/instruction_describer.h"
#include <algorithm>

namespace dovetail {

namespace {

// The code uses at least the registers in which values arrive and leave.
void coverContract(Usage &usage, const Contract &contract, unsigned reservedSgprs) {
  auto cover = [&](const Binding &binding) {
    if (binding.reg.bank == RegisterBank::Vgpr) {
      usage.vgprs = std::max<uint16_t>(usage.vgprs, binding.reg.index + 1);
    } else {
      usage.sgprs = std::max<uint16_t>(usage.sgprs, binding.reg.index + 1 + reservedSgprs);
      usage.numberedSgprs = std::max<uint16_t>(usage.numberedSgprs, binding.reg.index + 1);
    }
  };
  std::for_each(contract.inputs.begin(), contract.inputs.end(), cover);
  std::for_each(contract.outputs.begin(), contract.outputs.end(), cover);
}

Result<void> fill(Part &part, ObjectCode object, std::span<const isa::Instruction> instructions,
                  const isa::RegisterUse &use, const TargetInfo &target) {
  part.hazards = DOVETAIL_TRY(isa::summarizeHazards(instructions, target));
  part.instructionCount = uint32_t(instructions.size());
  part.code = std::move(object.code);
  part.constants = std::move(object.constants);
  part.constantsAlignment = object.constantsAlignment;
  part.relocations = std::move(object.relocations);
  part.layoutRelocations = std::move(object.layoutRelocations);
  part.usage = object.usage;
  part.usage.numberedSgprs = use.numberedSgprs;
  part.usage.specialSgprs = use.specialSgprs;
  coverContract(part.usage, part.contract, target.reservedSgprs);
  return {};
}

} // namespace

Result<void> fillPart(Part &part, ObjectCode object, std::string_view gpuName) {
  const PhaseScope phase(CompilePhase::Check);
  const TargetInfo *target = DOVETAIL_TRY(getTarget(gpuName));
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(gpuName));
  const std::vector<isa::Instruction> instructions = DOVETAIL_TRY(disassembler->decodeAll(object.code));
  return fill(part, std::move(object), instructions, isa::registersUsed(instructions), *target);
}

Result<void> fillPart(Part &part, ObjectCode object, std::vector<isa::Instruction> recorded, std::string_view gpuName) {
  const uint32_t end = recorded.empty() ? 0 : recorded.back().offset + recorded.back().size;
  if (end != object.code.size())
    return fillPart(part, std::move(object), gpuName);
  const PhaseScope phase(CompilePhase::Check);
  const TargetInfo *target = DOVETAIL_TRY(getTarget(gpuName));
  for (isa::Instruction &instruction : recorded)
    mc::readControl(instruction, object.code, isa::microcodeOf(target->gpuName));
  return fill(part, std::move(object), recorded, isa::registersUsed(recorded), *target);
}

Result<void> fillPart(Part &part, ObjectCode object, const isa::Encoder &encoder, const TargetInfo &target) {
  const isa::RegisterUse &use = encoder.registerUse();
  object.code = encoder.bytes();
  object.usage.sgprs = uint16_t(use.numberedSgprs + std::max<unsigned>(use.specialSgprs, target.reservedSgprs));
  object.usage.vgprs = use.vgprs;
  return fill(part, std::move(object), encoder.instructions(), use, target);
}

} // namespace dovetail
