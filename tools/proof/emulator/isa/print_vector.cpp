// SPDX-License-Identifier: MIT
//
// Prints vector ALU instructions. The suffix tells the encoding. Sources have their modifiers around them; the rest
// follows.
#include "tools/proof/emulator/isa/instruction_uses.h"
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/emulator/isa/print_parts.h"
#include <fmt/format.h>

namespace dovetail::emulator {

namespace {

bool startsWith(std::string_view name, std::string_view start) {
  return name.substr(0, start.size()) == start;
}

// v_mac and v_fmac add to their destination, which is not printed as a source.
bool isAccumulating(const Instruction &instruction) {
  return startsWith(instruction.opcode->name, "v_mac_") || startsWith(instruction.opcode->name, "v_fmac_") ||
         startsWith(instruction.opcode->name, "v_dot2c_") || startsWith(instruction.opcode->name, "v_dot4c_");
}

// Whether each source is an f32 or a half.
bool isMixed(const Instruction &instruction) {
  return startsWith(instruction.opcode->name, "v_mad_mix") || startsWith(instruction.opcode->name, "v_fma_mix");
}

std::string_view suffix(const Instruction &instruction) {
  std::string_view name = instruction.opcode->name;
  if (instruction.isSdwa)
    return "_sdwa";
  if (instruction.isDpp)
    return "_dpp";
  // These have only one encoding.
  if (name == "v_readfirstlane_b32" || name == "v_nop" || name == "v_swap_b32" || name == "v_clrexcp" ||
      name == "v_pipeflush" || startsWith(name, "v_dot4c_") || startsWith(name, "v_dot2c_") ||
      hasLiteralFactor(instruction))
    return "";
  if (instruction.format == Format::Vop3)
    return instruction.opcode->format != Format::Vop3 ? "_e64" : "";
  return instruction.format == Format::Vop3p ? "" : "_e32";
}

std::string source(const Instruction &instruction, unsigned index) {
  unsigned number = instruction.src[index];
  std::string text = printOperand(instruction, number, instruction.opcode->srcDwords[index]);
  bool isMix = isMixed(instruction);
  bool isPacked = instruction.format == Format::Vop3p && !isMix;
  if (isPacked)
    return text; // neg_lo and neg_hi print it
  if (instruction.isSdwa && instruction.sdwa.srcSext[index])
    text = fmt::format("sext({})", text);
  // In mixed-precision instructions, the packed formats' NEG_HI means ABS.
  if (isMix ? (instruction.negHi >> index & 1) != 0 : instruction.abs[index])
    text = fmt::format("|{}|", text);
  if (!instruction.neg[index])
    return text;
  bool isConstant = number >= InlineZero && number < FirstVgpr && text.front() != '|';
  return isConstant ? fmt::format("neg({})", text) : "-" + text;
}

std::string bitList(std::string_view name, unsigned bits, unsigned count) {
  std::string text = fmt::format(" {}:[", name);
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ",", bits >> i & 1);
  return text + "]";
}

std::string dppControl(unsigned control) {
  if ((control & Dpp8Control) != 0) {
    std::string lanes;
    for (unsigned i = 0; i < 8; ++i)
      lanes += fmt::format("{}{}", i == 0 ? "" : ",", control >> 3 * i & 7);
    return fmt::format("dpp8:[{}]", lanes);
  }
  if (control < 0x100)
    return fmt::format("quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3, control >> 6 & 3);
  unsigned amount = control & 15;
  switch (control >> 4) {
  case 0x10:
    return fmt::format("row_shl:{}", amount);
  case 0x11:
    return fmt::format("row_shr:{}", amount);
  case 0x12:
    return fmt::format("row_ror:{}", amount);
  case 0x15:
    return fmt::format("row_share:{}", amount);
  case 0x16:
    return fmt::format("row_xmask:{}", amount);
  default:
    break;
  }
  switch (control) {
  case 0x130:
    return "wave_shl:1";
  case 0x134:
    return "wave_rol:1";
  case 0x138:
    return "wave_shr:1";
  case 0x13c:
    return "wave_ror:1";
  case 0x140:
    return "row_mirror";
  case 0x141:
    return "row_half_mirror";
  case 0x142:
    return "row_bcast:15";
  case 0x143:
    return "row_bcast:31";
  default:
    return fmt::format("dpp_ctrl {:#x}", control);
  }
}

std::string extension(const Instruction &instruction, unsigned sources) {
  constexpr std::string_view Select[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
  constexpr std::string_view Unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
  std::string text;
  const bool isDpp8 = instruction.isDpp && (instruction.dpp.ctrl & Dpp8Control) != 0;
  const std::string_view inactive = instruction.dpp.fetchInactive ? " fi:1" : "";
  if (isDpp8)
    return fmt::format(" {}{}", dppControl(instruction.dpp.ctrl), inactive);
  if (instruction.isDpp) {
    text = fmt::format(" {} row_mask:{:#x} bank_mask:{:#x}", dppControl(instruction.dpp.ctrl), instruction.dpp.rowMask,
                       instruction.dpp.bankMask);
    return fmt::format("{}{}{}", text, instruction.dpp.boundCtrl ? " bound_ctrl:1" : "", inactive);
  }
  if (instruction.format != Format::Vopc)
    text = fmt::format(" dst_sel:{} dst_unused:{}", Select[instruction.sdwa.dstSel & 7],
                       Unused[instruction.sdwa.dstUnused & 3]);
  for (unsigned i = 0; i < sources; ++i)
    text += fmt::format(" src{}_sel:{}", i, Select[instruction.sdwa.srcSel[i] & 7]);
  return text;
}

std::string modifiers(const Instruction &instruction, unsigned sources) {
  std::string text;
  unsigned all = (1u << sources) - 1;
  if (instruction.format == Format::Vop3p) {
    bool isMix = isMixed(instruction);
    if ((instruction.opSel & all) != 0)
      text += bitList("op_sel", instruction.opSel, sources);
    if ((instruction.opSelHi & all) != (isMix ? 0 : all))
      text += bitList("op_sel_hi", instruction.opSelHi, sources);
    unsigned negLow = instruction.neg[0] | instruction.neg[1] << 1 | instruction.neg[2] << 2;
    if (!isMix && negLow != 0)
      text += bitList("neg_lo", negLow, sources);
    if (!isMix && instruction.negHi != 0)
      text += bitList("neg_hi", instruction.negHi, sources);
  } else if (instruction.format == Format::Vop3 && instruction.opSel != 0) {
    // The destination's bit is the fourth. It is printed behind the bits of the sources that exist.
    unsigned bits = (instruction.opSel & all) | (instruction.opSel >> 3 & 1) << sources;
    const bool hasFlags = startsWith(instruction.opcode->name, "v_permlane"); // op_sel is two flags
    text += bitList("op_sel", bits, hasFlags ? 2 : sources + 1);
  }
  if (instruction.clamp)
    text += " clamp";
  constexpr std::string_view Omod[] = {"", " mul:2", " mul:4", " div:2"};
  text += Omod[instruction.omod & 3];
  if (instruction.isSdwa || instruction.isDpp)
    text += extension(instruction, sources);
  return text;
}

std::string interpolation(const Instruction &instruction) {
  constexpr std::string_view Parameters[] = {"p10", "p20", "p0"};
  const bool isMove = instruction.opcode->name == "v_interp_mov_f32";
  unsigned selector = instruction.src[0] - FirstVgpr;
  std::string from = !isMove        ? printOperand(instruction, instruction.src[0], 1)
                     : selector < 3 ? std::string(Parameters[selector])
                                    : fmt::format("invalid_param_{}", selector);
  return fmt::format(
      "{}{} {}, {}, attr{}.{}", instruction.opcode->name, instruction.format == Format::Vop3 ? "_e64" : "_e32",
      printOperand(instruction, instruction.dst, 1), from, instruction.attribute, "xyzw"[instruction.channel & 3]);
}

// For attributes of halves, in the VOP3 encoding: source 0 holds the attribute, its channel and the half.
std::string halfInterpolation(const Instruction &instruction) {
  const unsigned field = instruction.src[0];
  std::string text =
      fmt::format("{} {}, {}, attr{}.{}", instruction.opcode->name, printOperand(instruction, instruction.dst, 1),
                  source(instruction, 1), field & 0x3f, "xyzw"[field >> 6 & 3]);
  if (instruction.opcode->name != "v_interp_p1ll_f16")
    text += ", " + source(instruction, 2);
  return text + (field >> 8 & 1 ? " high" : "") + (instruction.clamp ? " clamp" : "");
}

} // namespace

std::string printVector(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  if (instruction.format == Format::Vintrp)
    return interpolation(instruction);
  if (opcode.name.starts_with("v_interp_") && opcode.name.ends_with("_f16"))
    return halfInterpolation(instruction);
  std::string text = fmt::format("{}{}", opcode.name, suffix(instruction));
  auto add = [&, first = true](const std::string &operand) mutable {
    text += (first ? " " : ", ") + operand;
    first = false;
  };
  const bool writesExecOnly = opcode.name.starts_with("v_cmpx_") && factsOf(instruction.generation).comparesToExecAlone;
  if (opcode.format == Format::Vopc && !writesExecOnly)
    add(printOperand(instruction, instruction.sdst, 2));
  else if (opcode.format != Format::Vopc && opcode.dstDwords != 0)
    add(printOperand(instruction, instruction.dst, opcode.dstDwords));
  if (hasSecondResult(instruction))
    add(printOperand(instruction, instruction.sdst, 2));

  unsigned sources = 0;
  for (unsigned i = 0; i < 3; ++i) {
    if (opcode.srcDwords[i] == 0 || (i == 2 && isAccumulating(instruction)))
      continue;
    ++sources;
    std::string operand = source(instruction, i);
    // The literal is the second factor of v_madmk and the summand of v_madak; src[1] is the other VGPR.
    if (hasLiteralFactor(instruction) && i > 0)
      operand = (i == 1) == (opcode.name.find("mk_") != std::string_view::npos)
                    ? printOperand(instruction, Literal, 1)
                    : printOperand(instruction, instruction.src[1], 1);
    add(operand);
  }
  if (readsMask(instruction))
    add(printOperand(instruction, instruction.src[2], 2));
  return text + modifiers(instruction, sources);
}

} // namespace dovetail::emulator
