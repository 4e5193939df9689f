// SPDX-License-Identifier: MIT
#include "variants/inspect/code_cost.h"
#include "src/isa/issue_cycles.h"
#include "src/mc/disassembler.h"

namespace dovetail {

namespace {

void add(CodeCost &cost, const isa::Instruction &instruction) {
  ++cost.instructions;
  cost.cycles += isa::issueCycles(instruction);
  ++(instruction.is(isa::Vintrp) ? cost.interpolate
     : instruction.is(isa::Valu) ? cost.vector
     : instruction.is(isa::Smem) ? cost.scalarLoads
     : instruction.is(isa::Vmem) ? cost.vectorMemory
     : instruction.is(isa::Ds)   ? cost.lds
     : instruction.is(isa::Exp)  ? cost.exports
                                 : cost.scalar);
}

// Of text[begin, end).
Result<CodeCost> costOf(mc::Disassembler &disassembler, std::span<const uint8_t> text, uint32_t begin, uint32_t end) {
  CodeCost cost;
  for (uint32_t offset = begin; offset < end;) {
    const isa::Instruction instruction = DOVETAIL_TRY(disassembler.decode(text, offset));
    add(cost, instruction);
    offset += instruction.size;
  }
  return cost;
}

} // namespace

CodeCost &CodeCost::operator+=(const CodeCost &other) {
  instructions += other.instructions;
  cycles += other.cycles;
  vector += other.vector;
  interpolate += other.interpolate;
  scalar += other.scalar;
  scalarLoads += other.scalarLoads;
  vectorMemory += other.vectorMemory;
  lds += other.lds;
  exports += other.exports;
  return *this;
}

Result<std::vector<CodeCost>> costsOfParts(const Image &image) {
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(image.gpuName));
  const std::span<const uint8_t> text = std::span(image.code).first(image.textSize);
  std::vector<CodeCost> costs;
  for (const ImagePart &placed : image.parts)
    costs.push_back(DOVETAIL_TRY(costOf(*disassembler, text, placed.offset, placed.offset + placed.size)));
  return costs;
}

Result<std::vector<CodeCost>> costsOfPrograms(const Image &image) {
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(image.gpuName));
  const std::span<const uint8_t> text = std::span(image.code).first(image.textSize);
  std::vector<CodeCost> costs;
  for (const ImageStage &stage : image.stages)
    costs.push_back(DOVETAIL_TRY(costOf(*disassembler, text, stage.entry, stage.entry + stage.size)));
  return costs;
}

} // namespace dovetail
