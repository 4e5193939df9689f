// SPDX-License-Identifier: MIT
#include "tests/first/machine_run.h"
#include "src/base/parallel_moves.h"
#include "src/isa/opcode_rows.h"
#include <array>
#include <bit>
#include <fmt/format.h>

namespace dovetail::first {

namespace {

using isa::Opcode;
using Operand = MachineOperand;
namespace traits = isa::traits;

constexpr unsigned Lanes = 4; // a quad
constexpr uint32_t AllLanes = (1u << Lanes) - 1, MaxSteps = 20000;

class MachineRun {
public:
  MachineRun(const Program &program, const Machine &machine, uint64_t seed)
      : m_program(program), m_machine(machine), m_seed(seed), m_own(machine.registers.size()) {
    for (auto &place : m_places)
      place.fill(uint32_t(mix(0xdead)));
  }

  std::string run() {
    m_exec = uint32_t(mix(1)) & AllLanes;
    if (m_exec == 0)
      m_exec = 5;
    for (VReg reg = 0; reg < m_machine.arguments; ++reg)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (!isVector(reg) || m_exec >> lane & 1)
          write(reg, lane, uint32_t(mix(isVector(reg) ? reg * Lanes + lane : reg)));
    m_at = 0;
    for (uint32_t step = 0; step < MaxSteps && m_at < m_machine.instructions.size() && m_difference.empty(); ++step) {
      m_next = m_at + 1;
      execute(m_machine.instructions[m_at]);
      m_at = m_next;
    }
    return m_difference;
  }

private:
  struct Value {
    std::array<uint32_t, Lanes> lanes{};
    uint32_t known = 0; // lanes that have written it
  };
  struct Move {
    uint32_t destination, source;
  };

  uint64_t mix(uint64_t value) {
    m_seed = (m_seed ^ value) * 0x9e3779b97f4a7c15;
    return m_seed = m_seed ^ m_seed >> 29;
  }

  bool isVector(VReg reg) const { return m_machine.registers[reg].bank == Bank::Vector; }
  // VGPRs stand behind the SGPRs.
  unsigned placeOf(VReg reg) const { return m_machine.registers[reg].place + (isVector(reg) ? FirstVgpr : 0u); }

  uint32_t read(VReg reg, unsigned lane) {
    const unsigned from = isVector(reg) ? lane : 0;
    const Value &own = m_own[reg];
    if (own.known >> from & 1 && own.lanes[from] != m_places[placeOf(reg)][from] && m_difference.empty())
      m_difference = fmt::format("register {}, instruction {}", reg, m_at);
    return own.lanes[from];
  }
  void write(VReg reg, unsigned lane, uint32_t value) {
    const unsigned to = isVector(reg) ? lane : 0;
    m_own[reg].lanes[to] = value;
    m_own[reg].known |= 1u << to;
    m_places[placeOf(reg)][to] = value;
  }

  uint64_t valueOf(const Operand &operand, unsigned lane) {
    switch (operand.kind) {
    case Operand::Register: {
      uint64_t value = 0;
      for (unsigned i = 0; i < operand.dwords; ++i) {
        const uint64_t dword = read(operand.value + i, lane);
        value = i < 2 ? value | dword << 32 * i : value * 31 + dword;
      }
      return value;
    }
    case Operand::Constant:
      return uint64_t(int64_t(int32_t(operand.value)));
    case Operand::Exec:
      return m_exec;
    default:
      return operand.value;
    }
  }
  void set(const Operand &operand, unsigned lane, uint64_t value) {
    for (unsigned i = 0; i < operand.dwords; ++i)
      write(operand.value + i, lane, i < 2 ? uint32_t(value >> 32 * i) : uint32_t(value * (i + 1)));
  }

  void execute(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    switch (instruction.form) {
    case Form::Salu:
    case Form::SetExec:
      return runScalar(instruction);
    case Form::Smem:
      return runScalarLoad(instruction);
    case Form::Copies:
      return runCopies(instruction);
    case Form::Undefine:
      m_own[definitions[0].value].known &= isVector(definitions[0].value) ? ~m_exec : 0;
      return;
    case Form::RepeatBegin:
      m_repeatFrom = m_next;
      return;
    case Form::RepeatEnd:
      if (m_exec)
        m_next = m_repeatFrom;
      return;
    case Form::Jump:
      return jump(instruction);
    default:
      break;
    }
    if (instruction.isTied) { // a copy in front of it
      const Operand &kept = uses.back();
      const bool isRegister = kept.kind == Operand::Register;
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (m_exec >> lane & 1)
          m_places[placeOf(definitions[0].value)][lane] =
              isRegister ? m_places[placeOf(kept.value)][isVector(kept.value) ? lane : 0] : kept.value;
    }
    runVector(instruction);
    if (instruction.form == Form::Return)
      m_next = uint32_t(m_machine.instructions.size());
  }

  void jump(const MachineInstruction &instruction) {
    bool isTaken = true;
    switch (instruction.opcode) {
    case Opcode::SEndpgm:
      m_next = uint32_t(m_machine.instructions.size());
      return;
    case Opcode::SCbranchScc0:
      isTaken = !m_scc;
      break;
    case Opcode::SCbranchScc1:
      isTaken = m_scc;
      break;
    case Opcode::SCbranchExecz:
      isTaken = m_exec == 0;
      break;
    case Opcode::SCbranchExecnz:
      isTaken = m_exec != 0;
      break;
    default:
      break;
    }
    if (isTaken) {
      const MachineBlock &block = m_machine.blocks[instruction.imm];
      m_next = instruction.isLoopEnd ? block.entry : block.first;
    }
  }

  // Of bools that are 0 or 1, what they are; of anything else, anything.
  bool isDifferent(uint64_t left, uint64_t right) {
    return left <= 1 && right <= 1 ? left != right : mix(left * 3 + right) & 1;
  }

  void runScalar(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
    const uint64_t a = uses.empty() ? 0 : valueOf(uses[0], 0), b = uses.size() < 2 ? 0 : valueOf(uses[1], 0);
    uint64_t result = 0;
    switch (instruction.opcode) {
    case Opcode::SMovB32:
    case Opcode::SMovB64:
      result = a;
      break;
    case Opcode::SAndB32:
    case Opcode::SAndB64:
      result = a & b;
      break;
    case Opcode::SOrB32:
    case Opcode::SOrB64:
      result = a | b;
      break;
    case Opcode::SXorB32:
    case Opcode::SXorB64:
      result = a ^ b;
      break;
    case Opcode::SAndn2B64:
      result = a & ~b;
      break;
    case Opcode::SAndSaveexecB64:
    case Opcode::SAndn1SaveexecB64:
      set(definitions[0], 0, m_exec);
      m_exec &= uint32_t(instruction.opcode == Opcode::SAndSaveexecB64 ? a : ~a);
      m_scc = m_exec != 0;
      return;
    case Opcode::SNotB64:
      result = ~a;
      break;
    case Opcode::SWqmB64:
      result = a & AllLanes ? AllLanes : 0;
      break;
    case Opcode::SCselectB32:
    case Opcode::SCselectB64:
      result = m_scc ? a : b;
      break;
    case Opcode::SCmpEqU32:
      m_scc = !isDifferent(a, b);
      return;
    case Opcode::SCmpLgU32:
      m_scc = isDifferent(a, b);
      return;
    default:
      result = mix(a * 5 + b + unsigned(instruction.opcode));
      break;
    }
    if (row.is(traits::WritesScc))
      m_scc = row.encoding == isa::Encoding::Sopc ? result & 1 : result != 0;
    if (instruction.form == Form::SetExec)
      m_exec = uint32_t(result) & AllLanes;
    else if (!definitions.empty())
      set(definitions[0], 0, result);
  }

  void runVector(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    std::array<uint64_t, Lanes> results{};
    uint64_t mask = 0, first = 0;
    bool hasFirst = false;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (!(m_exec >> lane & 1))
        continue;
      uint64_t hash = unsigned(instruction.opcode) + instruction.imm;
      std::array<uint64_t, 4> values{};
      for (size_t i = 0; i < uses.size(); ++i) {
        const uint64_t value = valueOf(uses[i], lane);
        hash = (std::rotl(hash, 13) ^ value) * 0x9e3779b97f4a7c15;
        if (i < values.size())
          values[i] = value;
      }
      bool isSet = false;
      switch (instruction.form == Form::Valu ? instruction.opcode : Opcode::Exp) {
      case Opcode::VMovB32:
      case Opcode::VReadfirstlaneB32:
        results[lane] = values[0];
        break;
      case Opcode::VCndmaskB32:
        results[lane] = values[2] >> lane & 1 ? values[1] : values[0];
        break;
      case Opcode::VCmpEqU64:
        isSet = values[0] == values[1];
        break;
      case Opcode::VCmpNeU32:
        isSet = isDifferent(values[0], values[1]);
        break;
      default:
        results[lane] = mix(hash);
        isSet = results[lane] >> 17 & 1;
        break;
      }
      mask |= uint64_t(isSet) << lane;
      if (!hasFirst)
        first = results[lane];
      hasFirst = true;
    }
    for (const Operand &definition : definitions) {
      if (isVector(definition.value)) {
        for (unsigned lane = 0; lane < Lanes; ++lane)
          if (m_exec >> lane & 1)
            set(definition, lane, results[lane]);
      } else if (isa::rowOf(instruction.opcode).is(traits::ScalarDestination)) {
        set(definition, 0, first);
      } else {
        set(definition, 0, mask);
      }
    }
  }

  // For the wave, also without lanes.
  void runScalarLoad(const MachineInstruction &instruction) {
    uint64_t hash = instruction.imm;
    for (const Operand &use : m_machine.usesOf(instruction))
      hash = hash * 31 + valueOf(use, 0);
    set(m_machine.definitionsOf(instruction)[0], 0, mix(hash));
  }

  void runCopies(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    std::vector<std::array<uint64_t, Lanes>> values(uses.size());
    for (size_t i = 0; i < uses.size(); ++i)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (m_exec >> lane & 1 || !isVector(definitions[i].value))
          values[i][lane] = valueOf(uses[i], lane);
    for (bool isVectorBank : {true, false}) {
      std::vector<Move> moves;
      for (size_t i = 0; i < uses.size(); ++i)
        if (uses[i].kind == Operand::Register && isVector(uses[i].value) == isVectorBank &&
            isVector(definitions[i].value) == isVectorBank && placeOf(uses[i].value) != placeOf(definitions[i].value))
          moves.push_back({placeOf(definitions[i].value), placeOf(uses[i].value)});
      const uint32_t aside = isVectorBank ? (instruction.imm & 0xffff) + FirstVgpr : instruction.imm >> 16;
      bool isExchange = false;
      oneByOne(moves, [&] {
        isExchange = true;
        return aside;
      });
      if (isExchange && aside < m_places.size())
        for (unsigned lane = 0; lane < Lanes; ++lane)
          if (!isVectorBank || m_exec >> lane & 1)
            m_places[aside][lane] = uint32_t(mix(lane));
    }
    for (size_t i = 0; i < uses.size(); ++i)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (!isVector(definitions[i].value) || m_exec >> lane & 1)
          set(definitions[i], lane, values[i][isVector(definitions[i].value) ? lane : 0]);
  }

  static constexpr unsigned FirstVgpr = 128;

  const Program &m_program;
  const Machine &m_machine;
  uint64_t m_seed;
  std::vector<Value> m_own; // by register
  std::array<std::array<uint32_t, Lanes>, FirstVgpr + 256> m_places{};
  uint32_t m_exec = 0, m_at = 0, m_next = 0, m_repeatFrom = 0;
  bool m_scc = false;
  std::string m_difference;
};

} // namespace

std::string runInPlaces(const Program &program, const Machine &machine, uint64_t seed) {
  return MachineRun(program, machine, seed).run();
}

} // namespace dovetail::first
