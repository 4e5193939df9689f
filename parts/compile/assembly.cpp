// SPDX-License-Identifier: MIT
#include "parts/compile/assembly.h"

namespace dovetail {

Result<std::vector<AssemblyLine>> disassemble(mc::Disassembler &disassembler, std::span<const uint8_t> text,
                                              uint32_t begin, uint32_t end) {
  std::vector<AssemblyLine> lines;
  for (uint32_t offset = begin; offset < end;) {
    isa::Instruction instruction = DOVETAIL_TRY(disassembler.decode(text, offset));
    AssemblyLine line;
    line.offset = offset;
    line.size = instruction.size;
    line.text = DOVETAIL_TRY(disassembler.print(text, offset));
    if (instruction.is(isa::Branch))
      line.branchTarget = instruction.branchTarget;
    lines.push_back(std::move(line));
    offset += instruction.size;
  }
  return lines;
}

std::string printLines(const std::vector<AssemblyLine> &lines) {
  std::string text;
  for (const AssemblyLine &line : lines) {
    text += fmt::format("{:06x}  {}", line.offset, line.text);
    if (line.branchTarget)
      text += fmt::format("  ; to {:06x}", *line.branchTarget);
    text += '\n';
  }
  return text;
}

std::string printBinding(const Binding &binding) {
  return fmt::format("{} {}", toString(binding.reg), toString(binding.value));
}

} // namespace dovetail
