// SPDX-License-Identifier: MIT
//
// Prints SOPK and SOPP: the meaning of SIMM16 depends on the instruction.
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/emulator/isa/print_parts.h"
#include <fmt/format.h>

namespace dovetail::emulator {

namespace {

std::string waitcnt(const GenerationFacts &facts, uint16_t simm16) {
  const unsigned vm = (simm16 & 15u) | (simm16 >> 14 & 3u) << 4, exports = simm16 >> 4 & 7u,
                 lgkm = simm16 >> 8 & facts.lgkmLimit;
  const bool all = vm == 63 && exports == 7 && lgkm == facts.lgkmLimit;
  std::string text;
  if (vm != 63 || all)
    text += fmt::format(" vmcnt({})", vm);
  if (exports != 7 || all)
    text += fmt::format(" expcnt({})", exports);
  if (lgkm != facts.lgkmLimit || all)
    text += fmt::format(" lgkmcnt({})", lgkm);
  return text;
}

std::string hardwareRegister(uint16_t simm16) {
  constexpr std::string_view Names[] = {"", "MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS"};
  unsigned number = simm16 & 63u, offset = simm16 >> 6 & 31u, size = (simm16 >> 11 & 31u) + 1;
  std::string name = number >= 1 && number < std::size(Names) ? fmt::format("HW_REG_{}", Names[number])
                     : number == 15                           ? "HW_REG_SH_MEM_BASES"
                                                              : std::to_string(number);
  return offset == 0 && size == 32 ? fmt::format("hwreg({})", name)
                                   : fmt::format("hwreg({}, {}, {})", name, offset, size);
}

std::string message(uint16_t simm16) {
  unsigned id = simm16 & 15u, operation = simm16 >> 4 & 7u, stream = simm16 >> 8 & 3u;
  constexpr std::string_view Operations[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
  if (simm16 == 1)
    return "sendmsg(MSG_INTERRUPT)";
  if ((id == 2 || id == 3) && operation < std::size(Operations)) {
    std::string text = fmt::format("sendmsg({}, {}", id == 2 ? "MSG_GS" : "MSG_GS_DONE", Operations[operation]);
    return operation == 0 ? text + ")" : fmt::format("{}, {})", text, stream);
  }
  if (simm16 == 9)
    return "sendmsg(MSG_GS_ALLOC_REQ)";
  return std::to_string(simm16);
}

std::string indexMode(unsigned mode) {
  constexpr std::string_view Names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    if ((mode >> i & 1) != 0)
      text += fmt::format("{}{}", text.empty() ? "" : ",", Names[i]);
  }
  return fmt::format("gpr_idx({})", text);
}

} // namespace

std::string printScalarFlow(const Instruction &instruction) {
  std::string_view name = instruction.opcode->name;
  uint16_t simm16 = instruction.simm16;
  std::string dst = printOperand(instruction, instruction.dst, name == "s_call_b64" ? 2 : 1);
  if (name == "s_set_gpr_idx_on")
    return ", " + indexMode(instruction.src[1] & 15u);
  if (name == "s_set_gpr_idx_mode")
    return " " + indexMode(simm16);
  if (name == "s_waitcnt")
    return waitcnt(factsOf(instruction.generation), simm16);
  if (name == "s_sendmsg" || name == "s_sendmsghalt")
    return " " + message(simm16);
  if (name == "s_getreg_b32")
    return fmt::format(" {}, {}", dst, hardwareRegister(simm16));
  if (name == "s_setreg_b32")
    return fmt::format(" {}, {}", hardwareRegister(simm16), dst);
  if (name == "s_setreg_imm32_b32")
    return fmt::format(" {}, {}", hardwareRegister(simm16), printOperand(instruction, Literal, 1));
  if (name == "s_call_b64")
    return fmt::format(" {}, {}", dst, simm16);
  if (name == "s_version")
    return fmt::format(" {}", simm16);
  if (instruction.format == Format::Sopk)
    return fmt::format(" {}, {:#x}", dst, simm16);
  if (name == "s_nop" || name == "s_sleep" || name == "s_setprio" || name.substr(0, 9) == "s_cbranch" ||
      name == "s_branch" || name == "s_denorm_mode" || name == "s_incperflevel" || name == "s_decperflevel")
    return fmt::format(" {}", simm16);
  for (std::string_view hexadecimal : {"s_clause", "s_inst_prefetch", "s_round_mode", "s_waitcnt_depctr"})
    if (name == hexadecimal)
      return fmt::format(" {:#x}", simm16);
  return {};
}

} // namespace dovetail::emulator
