// SPDX-License-Identifier: MIT
//
// Prints memory instructions and exports.
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/emulator/isa/print_parts.h"
#include <bit>
#include <fmt/format.h>
#include <vector>

namespace dovetail::emulator {

namespace {

// Joins the mnemonic and its operands; flags follow later.
std::string join(std::string_view name, const std::vector<std::string> &operands) {
  std::string text(name);
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + operands[i];
  return text;
}

std::string flag(bool isSet, std::string_view name) {
  return isSet ? fmt::format(" {}", name) : std::string();
}

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

std::string scalarMemory(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  std::vector<std::string> operands;
  if (opcode.dstDwords != 0)
    operands.push_back(printOperand(instruction, instruction.sdata, opcode.dstDwords));
  std::string behind;
  if (contains(opcode.name, "load") || contains(opcode.name, "store")) {
    operands.push_back(printOperand(instruction, instruction.srsrc, contains(opcode.name, "buffer") ? 4 : 2));
    bool hasRegister = instruction.soffsetEnable || !instruction.immediate;
    const bool hasNone = !hasRegister && instruction.offset == 0 && factsOf(instruction.generation).hasNull;
    std::string offset = hasNone                  ? "null"
                         : instruction.offset < 0 ? fmt::format("-{:#x}", -int64_t(instruction.offset))
                                                  : fmt::format("{:#x}", instruction.offset);
    operands.push_back(hasRegister ? printOperand(instruction, instruction.soffset, 1) : offset);
    if (hasRegister && instruction.immediate)
      behind = " offset:" + offset;
  }
  return join(opcode.name, operands) + behind + flag(instruction.glc, "glc") + flag(instruction.dlc, "dlc");
}

// The meaning of ds_swizzle's offset: a permutation of quads, or AND, OR and XOR masks for the lane's number in 32.
std::string swizzle(unsigned offset) {
  if ((offset & 0x8000) != 0)
    return fmt::format(" offset:swizzle(QUAD_PERM,{},{},{},{})", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
                       offset >> 6 & 3);
  unsigned andMask = offset & 31, orMask = offset >> 5 & 31, xorMask = offset >> 10 & 31;
  if (andMask == 31 && orMask == 0 && std::has_single_bit(xorMask))
    return fmt::format(" offset:swizzle(SWAP,{})", xorMask);
  if (andMask == 31 && orMask == 0 && xorMask != 0 && std::has_single_bit(xorMask + 1))
    return fmt::format(" offset:swizzle(REVERSE,{})", xorMask + 1);
  unsigned group = 32 - andMask;
  if (andMask != 31 && xorMask == 0 && group > 1 && std::has_single_bit(group) && orMask < group)
    return fmt::format(" offset:swizzle(BROADCAST,{},{})", group, orMask);
  std::string mask;
  for (unsigned bit = 16; bit != 0; bit /= 2) {
    bool keeps = (andMask & bit) != 0, sets = (orMask & bit) != 0, flips = (xorMask & bit) != 0;
    mask += keeps ? (flips ? 'i' : 'p') : sets != flips ? '1' : '0';
  }
  return fmt::format(" offset:swizzle(BITMASK_PERM,\"{}\")", mask);
}

std::string dataShare(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  std::vector<std::string> operands;
  if (opcode.dstDwords != 0)
    operands.push_back(printVgprs(instruction.vdst, opcode.dstDwords));
  const std::array<uint8_t, 3> registers = {instruction.vaddr, instruction.vdata, instruction.vdata1};
  for (unsigned i = 0; i < 3; ++i) {
    if (opcode.srcDwords[i] != 0)
      operands.push_back(printVgprs(registers[i], opcode.srcDwords[i]));
  }
  std::string offset;
  unsigned bits = unsigned(instruction.offset), first = bits & 0xff, second = bits >> 8;
  bool hasTwo = contains(opcode.name, "2_b") || contains(opcode.name, "2st64") || contains(opcode.name, "2_rtn") ||
                contains(opcode.name, "2st64_rtn");
  if (opcode.name == "ds_swizzle_b32")
    offset = bits != 0 ? swizzle(bits) : "";
  else if (hasTwo)
    offset =
        (first != 0 ? fmt::format(" offset0:{}", first) : "") + (second != 0 ? fmt::format(" offset1:{}", second) : "");
  else if (bits != 0)
    offset = fmt::format(" offset:{}", bits);
  return join(opcode.name, operands) + offset + flag(instruction.gds, "gds");
}

std::string flat(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  bool isFlat = instruction.segment == 0, isScratch = instruction.segment == 1;
  bool hasSaddr = instruction.soffset != NoSaddr;
  bool isAtomic = contains(opcode.name, "atomic");
  std::string address;
  if (isScratch)
    address = hasSaddr ? "off" : printVgprs(instruction.vaddr, 1);
  else
    address = printVgprs(instruction.vaddr, isFlat || !hasSaddr ? 2 : 1);
  std::vector<std::string> operands;
  bool returns = opcode.dstDwords != 0 && (!isAtomic || instruction.glc);
  // A compare-and-swap returns half as many registers as it takes.
  unsigned returned = contains(opcode.name, "cmpswap") ? opcode.srcDwords[1] / 2u : opcode.dstDwords;
  if (returns)
    operands.push_back(printVgprs(instruction.vdst, returned));
  operands.push_back(address);
  if (opcode.srcDwords[1] != 0)
    operands.push_back(printVgprs(instruction.vdata, opcode.srcDwords[1]));
  if (!isFlat)
    operands.push_back(hasSaddr ? printOperand(instruction, instruction.soffset, isScratch ? 1 : 2) : "off");
  std::string offset = instruction.offset != 0 ? fmt::format(" offset:{}", instruction.offset) : "";
  return join(opcode.name, operands) + offset + flag(instruction.glc, "glc") + flag(instruction.slc, "slc") +
         flag(instruction.dlc, "dlc") + flag(instruction.lds, "lds");
}

std::string typedFormat(const Instruction &instruction) {
  constexpr std::string_view Data[] = {"INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
                                       "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
                                       "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
  constexpr std::string_view Numbers[] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                          "UINT",  "SINT",  "RESERVED_6", "FLOAT"};
  constexpr unsigned DefaultData = 1, DefaultNumber = 0;
  std::string data = fmt::format("BUF_DATA_FORMAT_{}", Data[instruction.dataFormat & 15]);
  std::string number = fmt::format("BUF_NUM_FORMAT_{}", Numbers[instruction.numFormat & 7]);
  bool isDefaultData = instruction.dataFormat == DefaultData, isDefaultNumber = instruction.numFormat == DefaultNumber;
  if (isDefaultData && isDefaultNumber)
    return {};
  if (factsOf(instruction.generation).hasUnifiedFormats)
    return fmt::format(" format:[BUF_FMT_{}_{}]", Data[instruction.dataFormat & 15],
                       Numbers[instruction.numFormat & 7]);
  if (isDefaultData || isDefaultNumber)
    return fmt::format(" format:[{}]", isDefaultData ? number : data);
  return fmt::format(" format:[{},{}]", data, number);
}

std::string buffer(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  unsigned dwords = std::max(opcode.dstDwords, opcode.srcDwords[1]) + instruction.tfe;
  if (dwords == 0)
    return std::string(opcode.name); // buffer_wbinvl1
  std::vector<std::string> operands;
  if (!instruction.lds)
    operands.push_back(printVgprs(instruction.vdata, dwords));
  unsigned address = unsigned(instruction.offen) + unsigned(instruction.idxen);
  operands.push_back(address == 0 ? "off" : printVgprs(instruction.vaddr, address));
  operands.push_back(printOperand(instruction, instruction.srsrc, 4));
  operands.push_back(printOperand(instruction, instruction.soffset, 1));
  std::string text = join(opcode.name, operands);
  if (instruction.format == Format::Mtbuf)
    text += typedFormat(instruction);
  text += flag(instruction.idxen, "idxen") + flag(instruction.offen, "offen");
  if (instruction.offset != 0)
    text += fmt::format(" offset:{}", instruction.offset);
  return text + flag(instruction.glc, "glc") + flag(instruction.slc, "slc") + flag(instruction.dlc, "dlc") +
         flag(instruction.tfe, "tfe") + flag(instruction.lds, "lds");
}

std::string imageDim(const Instruction &instruction) {
  constexpr std::string_view Dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  return factsOf(instruction.generation).hasImageDims ? fmt::format(" dim:SQ_RSRC_IMG_{}", Dims[instruction.dim & 7])
                                                      : std::string();
}

std::string image(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  unsigned dwords = contains(opcode.name, "gather4") ? 4 : unsigned(std::popcount(instruction.dmask));
  if (instruction.d16)
    dwords = (dwords + 1) / 2;
  dwords = std::max(dwords, 1u) + instruction.tfe;
  std::vector<std::string> operands = {printVgprs(instruction.vdata, dwords), printVgprs(instruction.vaddr, 1),
                                       printOperand(instruction, instruction.srsrc, instruction.r128 ? 4 : 8)};
  if (opcode.srcDwords[2] != 0)
    operands.push_back(printOperand(instruction, instruction.ssamp, 4));
  return join(opcode.name, operands) + fmt::format(" dmask:{:#x}", instruction.dmask) + imageDim(instruction) +
         flag(instruction.unorm, "unorm") + flag(instruction.glc, "glc") + flag(instruction.slc, "slc") +
         flag(instruction.dlc, "dlc") + flag(instruction.a16, "a16") + flag(instruction.r128, "r128") +
         flag(instruction.tfe, "tfe") + flag(instruction.lwe, "lwe") +
         (imageDim(instruction).empty() ? flag(instruction.da, "da") : "") + flag(instruction.d16, "d16");
}

std::string exportTarget(unsigned target) {
  if (target < 8)
    return fmt::format("mrt{}", target);
  if (target == 8)
    return "mrtz";
  if (target == 9)
    return "null";
  if (target >= 12 && target < 16)
    return fmt::format("pos{}", target - 12);
  if (target >= 32)
    return fmt::format("param{}", target - 32);
  return fmt::format("invalid_target_{}", target);
}

// A compressed export names each of its registers twice.
std::string exporting(const Instruction &instruction) {
  std::vector<std::string> operands;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned source = instruction.exportSource[instruction.exportCompressed ? i / 2 : i];
    operands.push_back((instruction.exportEnable >> i & 1) != 0 ? printVgprs(source, 1) : "off");
  }
  std::string text = fmt::format("exp {} {}", exportTarget(instruction.exportTarget), operands[0]);
  for (unsigned i = 1; i < 4; ++i)
    text += ", " + operands[i];
  return text + flag(instruction.exportDone, "done") + flag(instruction.exportCompressed, "compr") +
         flag(instruction.exportValidMask, "vm");
}

} // namespace

std::string printMemory(const Instruction &instruction) {
  switch (instruction.format) {
  case Format::Smem:
    return scalarMemory(instruction);
  case Format::Ds:
    return dataShare(instruction);
  case Format::Flat:
    return flat(instruction);
  case Format::Mubuf:
  case Format::Mtbuf:
    return buffer(instruction);
  case Format::Mimg:
    return image(instruction);
  default:
    return exporting(instruction);
  }
}

} // namespace dovetail::emulator
