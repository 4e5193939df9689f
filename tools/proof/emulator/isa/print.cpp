// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/emulator/isa/print_parts.h"
#include <fmt/format.h>

namespace dovetail::emulator {

namespace {

std::string range(char file, unsigned first, unsigned count) {
  return count <= 1 ? fmt::format("{}{}", file, first) : fmt::format("{}[{}:{}]", file, first, first + count - 1);
}

// A pair of special registers has a name, and so has each half.
struct SpecialPair {
  unsigned first;
  std::string_view name;
};
constexpr SpecialPair SpecialPairs[] = {
    {FlatScratchLo, "flat_scratch"}, {XnackMaskLo, "xnack_mask"}, {VccLo, "vcc"}, {ExecLo, "exec"}};
constexpr unsigned FirstTrapRegister = 108;

std::string scalarRegister(const GenerationFacts &facts, unsigned number, unsigned dwords) {
  if (number == M0)
    return "m0";
  if (number == Null && facts.hasNull)
    return "null";
  if (number < facts.numberedSgprs)
    return range('s', number, dwords);
  for (const SpecialPair &pair : SpecialPairs) {
    if (number - pair.first < 2)
      return dwords == 2 ? std::string(pair.name) : fmt::format("{}_{}", pair.name, number == pair.first ? "lo" : "hi");
  }
  if (number >= FirstTrapRegister)
    return "ttmp" + range(' ', number - FirstTrapRegister, dwords).substr(1);
  return range('s', number, dwords);
}

constexpr std::string_view InlineFloatNames[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

constexpr uint32_t InlineFloats[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000,
                                     0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
constexpr std::string_view InverseTwoPi = "0.15915494", InverseTwoPi64 = "0.15915494309189532";

// For a constant in a dword of its own, LLVM does not show that an inline constant has the same value.
std::string literalText(uint32_t value) {
  if (int32_t(value) >= -16 && int32_t(value) <= 64)
    return std::to_string(int32_t(value));
  for (size_t i = 0; i < std::size(InlineFloats); ++i) {
    if (InlineFloats[i] == value)
      return std::string(InlineFloatNames[i]);
  }
  return value == 0x3e22f983 ? std::string(InverseTwoPi) : fmt::format("{:#x}", value);
}

} // namespace

std::string printVgprs(unsigned first, unsigned count) {
  return range('v', first, count);
}

std::string printOperand(unsigned number, unsigned dwords) {
  return printOperand(Instruction(), number, dwords);
}

std::string printOperand(const Instruction &instruction, unsigned number, unsigned dwords) {
  if (number < InlineZero)
    return scalarRegister(factsOf(instruction.generation), number, dwords);
  if (number <= 192)
    return std::to_string(number - InlineZero);
  if (number <= 208)
    return fmt::format("-{}", number - 192);
  if (number >= FirstVgpr)
    return printVgprs(number - FirstVgpr, dwords);
  if (number >= InlineHalf && number < InlineHalf + 8u)
    return std::string(InlineFloatNames[number - InlineHalf]);
  switch (number) {
  case InlineHalf + 8: // 1 / (2 pi)
    return std::string(dwords == 2 ? InverseTwoPi64 : InverseTwoPi);
  case SharedBase:
    return "src_shared_base";
  case SharedLimit:
    return "src_shared_limit";
  case PrivateBase:
    return "src_private_base";
  case PrivateLimit:
    return "src_private_limit";
  case Vccz:
    return "src_vccz";
  case Execz:
    return "src_execz";
  case Scc:
    return "src_scc";
  case LdsDirect:
    return "src_lds_direct";
  case Literal:
    return literalText(instruction.literal);
  default:
    return fmt::format("operand {}", number);
  }
}

std::string print(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  std::string text(opcode.name);
  auto add = [&, first = true](unsigned number, unsigned dwords) mutable {
    if (dwords == 0)
      return;
    text += (first ? " " : ", ") + printOperand(instruction, number, dwords);
    first = false;
  };
  switch (instruction.format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
    add(instruction.dst, opcode.dstDwords);
    add(instruction.src[0], opcode.srcDwords[0]);
    if (opcode.name == "s_set_gpr_idx_on")
      return text + printScalarFlow(instruction);
    add(instruction.src[1], opcode.srcDwords[1]);
    return text;
  case Format::Sopk:
  case Format::Sopp:
    return text + printScalarFlow(instruction);
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc:
  case Format::Vop3:
  case Format::Vop3p:
  case Format::Vintrp:
    return printVector(instruction);
  case Format::Smem:
  case Format::Ds:
  case Format::Flat:
  case Format::Mubuf:
  case Format::Mtbuf:
  case Format::Mimg:
  case Format::Exp:
    return printMemory(instruction);
  }
  return text;
}

} // namespace dovetail::emulator
