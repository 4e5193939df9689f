// SPDX-License-Identifier: MIT
#include "parts/listing/encode_memory.h"
#include <algorithm>
#include <array>

namespace dovetail {

using isa::Opcode;
using isa::Operand;

namespace {

constexpr unsigned DescriptorDwords = 4;
constexpr unsigned DescriptorBytes = 16;

} // namespace

// The address of the listing's only table. Its high half is that of the code.
Operand MemoryEncoder::tableAddress(Value low) {
  if (!m_table) {
    m_table = m_values.takeSgprs(2);
    m_values.encoder.emit(Opcode::SGetpcB64, *m_table);
    m_values.encoder.emit(Opcode::SMovB32, *m_table, m_values.placeOf(low));
  }
  return *m_table;
}

// Loads the descriptors of consecutive steps, as many as there are SGPRs for. One instruction loads those that are
// neighbours in the table.
void MemoryEncoder::loadDescriptor() {
  if (m_values.isPlaced(Value(m_values.step())))
    return;
  std::span<const Step> steps = m_values.listing().steps();
  boost::container::small_vector<Value, 32> wanted;
  for (size_t i = m_values.step(); i != steps.size() && steps[i].operation == Operation::LoadDescriptor; ++i)
    wanted.push_back(Value(i));
  auto entryOf = [&](Value value) { return m_values.stepOf(value).immediate; };
  std::ranges::sort(wanted, {}, entryOf);
  for (size_t first = 0; first != wanted.size();) {
    size_t end = first + 1;
    while (end != wanted.size() && entryOf(wanted[end]) == entryOf(wanted[end - 1]) + 1)
      ++end;
    unsigned count = end - first >= 4 ? 4 : end - first >= 2 ? 2 : 1;
    while (count != 0 && !loadDescriptors(std::span<const Value>(wanted.data() + first, count)))
      count /= 2;
    if (count == 0)
      return; // the others are loaded where they are used
    first += count;
  }
}

bool MemoryEncoder::loadDescriptors(std::span<const Value> descriptors) {
  const Step &first = m_values.stepOf(descriptors[0]);
  const Operand table = tableAddress(first.operands[0]);
  const std::optional<Operand> place = m_values.findSgprs(unsigned(descriptors.size()) * DescriptorDwords);
  if (!place)
    return false;
  const Opcode opcode = descriptors.size() == 4   ? Opcode::SLoadDwordx16
                        : descriptors.size() == 2 ? Opcode::SLoadDwordx8
                                                  : Opcode::SLoadDwordx4;
  m_values.encoder.load(opcode, *place, table, first.immediate * DescriptorBytes);
  m_values.addPendingScalarLoad();
  for (size_t i = 0; i != descriptors.size(); ++i)
    m_values.place(descriptors[i], isa::sgpr(place->code + unsigned(i) * DescriptorDwords), DescriptorDwords);
  return true;
}

Operand MemoryEncoder::descriptorOf(Value value) {
  while (!m_values.isPlaced(value) && !loadDescriptors(std::array{value}))
    if (!m_values.makeRoom())
      return m_values.takeSgprs(DescriptorDwords); // notes that registers do not suffice
  m_values.waitForScalarLoads();
  return m_values.placeOf(value);
}

void MemoryEncoder::loadTyped() {
  const Step &step = m_values.current();
  isa::TypedLoad load;
  load.channels = step.load.channels;
  load.index = m_values.vectorOperand(1);
  load.descriptor = descriptorOf(step.operands[0]);
  load.dataFormat = unsigned(step.load.data);
  load.numFormat = unsigned(step.load.number);
  load.offset = step.load.offset & MaxTypedLoadOffset;
  if (const uint32_t rest = step.load.offset - load.offset)
    load.scalarOffset = m_values.inSgpr(rest); // frees no descriptor that this step uses
  const Value result = Value(m_values.step());
  if (const std::optional<uint16_t> given = m_values.givenPlace(result)) {
    load.destination = isa::vgpr(*given);
    m_values.place(result, load.destination, 0);
    m_values.takeGivenVgprs(*given, load.channels);
    m_values.waitForVgprs(load.destination, load.channels);
  } else {
    load.destination = m_values.destinations(load.channels);
  }
  m_values.loads.issue(m_values.encoder, {load.destination, load.channels, load.index}, m_values.target().replaysMemory,
                       [&](isa::Encoder &encoder) { encoder.load(load); });
}

void MemoryEncoder::loadRaw() {
  isa::BufferAccess access;
  access.address = m_values.vectorOperand(1);
  access.descriptor = descriptorOf(m_values.current().operands[0]);
  access.data = m_values.destination();
  m_values.loads.issue(m_values.encoder, {access.data, 1, *access.address}, m_values.target().replaysMemory,
                       [&](isa::Encoder &encoder) { encoder.access(Opcode::BufferLoadDword, access); });
}

// On GFX8, accesses at M0 and behind it are out of bounds ("GCN3" ISA manual, chapter 11).
void MemoryEncoder::loadLds() {
  const LdsLoad &load = m_values.current().lds;
  if (!m_values.encoder.isGfx9() && !m_hasLdsLimit)
    m_values.encoder.emit(Opcode::SMovB32, isa::M0, isa::constant(-1));
  m_hasLdsLimit = true;
  const Operand address = m_values.vectorOperand(0);
  const Operand first = m_values.destinations(load.count);
  for (unsigned i = 0; i < load.count; i += 2) {
    const unsigned count = std::min(2u, load.count - i);
    m_values.encoder.readLds(isa::vgpr(first.code + i - 256u), address, std::span(load.dwords).subspan(i, count));
  }
  m_values.addPendingLdsLoad(first, load.count);
}

void MemoryEncoder::storeRaw() {
  const Step &step = m_values.current();
  isa::BufferAccess access;
  access.channels = 0;
  while (access.channels != 4 && step.operands[access.channels])
    ++access.channels;
  if (step.operands[5])
    access.address = m_values.vectorOperand(5);
  access.descriptor = descriptorOf(step.operands[4]);
  access.data = storedRun(std::span(step.operands).first(access.channels));
  access.offset = step.immediate;
  access.scalarOffset = m_values.shortOperand(6);
  access.isCoherent = true;
  m_values.encoder.access(Opcode::BufferStoreDword, access);
}

// Brings the stored values into consecutive registers. These are kept, because the same values may be stored again.
// Values that are consecutive from the start stay, if the registers behind them are free for the others.
Operand MemoryEncoder::storedRun(std::span<const Value> stored) {
  Operand first = m_values.arrived(stored[0]);
  for (Value value : stored)
    m_values.arrived(value);
  unsigned inPlace = 0;
  while (first.isVgpr() && inPlace != stored.size() && m_values.placeOf(stored[inPlace]).code == first.code + inPlace)
    ++inPlace;
  if (inPlace == stored.size())
    return first;
  for (const Run &run : m_runs)
    if (auto part = std::ranges::search(run.values, stored); !part.empty())
      return isa::vgpr(run.first.code + unsigned(part.begin() - run.values.begin()) - 256u);
  if (inPlace == 0 ||
      !m_values.keepVgprsAt(isa::vgpr(first.code + inPlace - 256u), unsigned(stored.size()) - inPlace)) {
    first = m_values.keepVgprs(unsigned(stored.size()));
    inPlace = 0;
  }
  for (unsigned i = inPlace; i != stored.size(); ++i)
    m_values.encoder.emit(Opcode::VMovB32, isa::vgpr(first.code + i - 256u), m_values.placeOf(stored[i]));
  m_runs.push_back({{stored.begin(), stored.end()}, first});
  return first;
}

} // namespace dovetail
