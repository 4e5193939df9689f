// SPDX-License-Identifier: MIT
#include "tests/first/misplace.h"
#include <algorithm>

namespace dovetail::first {

using Operand = MachineOperand;

std::string_view toString(Misplace kind) {
  static constexpr std::string_view names[] = {"elsewhere", "exchanged", "torn", "aside", "whole"};
  static_assert(std::size(names) == MisplaceCount);
  return names[size_t(kind)];
}

std::optional<Machine> misplace(const Machine &machine, Misplace kind, Random &random) {
  Machine broken = machine;
  auto below = [&](size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random); };
  std::vector<VReg> groups;
  std::array<unsigned, 2> behind = {1, 1}; // the highest place of each bank
  for (VReg reg = machine.arguments; reg < machine.registers.size(); ++reg) {
    const VirtualRegister &each = machine.registers[reg];
    if (each.place == NoPlace || (each.bank == Bank::Scalar && each.place >= isa::VccLo.code))
      continue;
    if (each.index == 0)
      groups.push_back(reg);
    behind[size_t(each.bank)] = std::max(behind[size_t(each.bank)], each.place + 1u);
  }
  if (kind == Misplace::Whole)
    std::erase_if(groups, [&](VReg reg) { return !machine.registers[reg].isWhole; });
  if (groups.empty())
    return {};
  auto put = [&](VReg group, unsigned place) {
    for (unsigned i = 0; i < broken.registers[group].groupSize; ++i)
      broken.registers[group + i].place = uint16_t(place + i);
  };
  const VReg group = groups[below(groups.size())];
  const VirtualRegister first = machine.registers[group];
  const unsigned alignment = first.bank == Bank::Vector ? 1 : first.groupSize >= 4 ? 4 : first.groupSize;
  switch (kind) {
  case Misplace::Elsewhere:
  case Misplace::Whole: {
    const unsigned place = unsigned(below(behind[size_t(first.bank)])) / alignment * alignment;
    if (place == first.place || place + first.groupSize > 256)
      return {};
    put(group, place);
    return broken;
  }
  case Misplace::Exchanged: {
    const VReg other = groups[below(groups.size())];
    if (machine.registers[other].bank != first.bank || machine.registers[other].groupSize != first.groupSize ||
        machine.registers[other].place == first.place)
      return {};
    put(group, machine.registers[other].place);
    put(other, first.place);
    return broken;
  }
  case Misplace::Torn: {
    std::vector<Operand> tuples;
    for (const MachineInstruction &instruction : machine.instructions)
      for (const auto &operands : {machine.definitionsOf(instruction), machine.usesOf(instruction)})
        std::ranges::copy_if(operands, std::back_inserter(tuples), [&](const Operand &operand) {
          return operand.kind == Operand::Register && operand.dwords > 1;
        });
    if (tuples.empty())
      return {};
    const Operand tuple = tuples[below(tuples.size())];
    VirtualRegister &torn = broken.registers[tuple.value + below(tuple.dwords)];
    const uint16_t place = uint16_t(below(behind[size_t(torn.bank)]));
    if (place == torn.place)
      return {};
    torn.place = place;
    return broken;
  }
  case Misplace::Aside: {
    std::vector<MachineInstruction *> copies;
    for (MachineInstruction &instruction : broken.instructions) {
      if (instruction.form != Form::Copies)
        continue;
      auto isIn = [&](std::span<const Operand> operands, const Operand &other) { // in the same place
        return std::ranges::any_of(operands, [&](const Operand &operand) {
          return operand.kind == Operand::Register &&
                 machine.registers[operand.value].bank == machine.registers[other.value].bank &&
                 machine.registers[operand.value].place == machine.registers[other.value].place;
        });
      };
      const auto definitions = machine.definitionsOf(instruction), uses = machine.usesOf(instruction);
      if (std::ranges::any_of(definitions, [&](const Operand &to) { return isIn(uses, to); }))
        copies.push_back(&instruction);
    }
    if (copies.empty())
      return {};
    copies[below(copies.size())]->imm = uint32_t(below(behind[1]) | below(behind[0]) << 16);
    return broken;
  }
  }
  return {};
}

} // namespace dovetail::first
