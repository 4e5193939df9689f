// SPDX-License-Identifier: MIT
#include "parts/listing/placed_values.h"
#include <algorithm>

namespace dovetail {

using isa::Opcode;
using isa::Operand;

namespace {

constexpr unsigned FirstVgpr = 256; // as operands number them

} // namespace

PlacedValues::PlacedValues(const Listing &listing, const TargetInfo &target)
    : encoder(target.gfxIp.major == 9, 16 + listing.steps().size() + listing.given().size()), m_listing(listing),
      m_target(target), m_lifetimes(findLifetimes(listing)), m_values(listing.steps().size()), m_sgprs(NumberedSgprs),
      m_vgprs(RegisterPool::MaxCount) {
  takeInputs();
}

void PlacedValues::takeInputs() {
  m_sgprs.take(0, m_listing.passedSgprs());
  m_vgprs.take(0, m_listing.passedVgprs());
  for (size_t i = 0; i != m_values.size(); ++i) {
    const Step &step = m_listing.steps()[i];
    if (step.operation != Operation::Input)
      continue;
    const bool isVgpr = step.reg.bank == RegisterBank::Vgpr;
    m_values[i].place = isVgpr ? isa::vgpr(step.reg.index) : isa::sgpr(step.reg.index);
    (isVgpr ? m_vgprs : m_sgprs).take(step.reg.index, 1);
    if (step.reg.index >= (isVgpr ? m_listing.passedVgprs() : m_listing.passedSgprs()))
      m_values[i].count = 1;
    if (isVgpr)
      m_inputUntil[step.reg.index] = m_lifetimes.steps[i].lastUse;
  }
}

void PlacedValues::endStep() {
  for (const Run &run : m_borrowed)
    m_vgprs.free(run.first.code - FirstVgpr, run.count);
  m_borrowed.clear();
  forEachOperand(current(), [&](Value operand) { freeIfDying(operand); });
}

void PlacedValues::freeIfDying(Value value) {
  if (!dies(value))
    return;
  State &dying = m_values[value.step()];
  if (dying.place.isVgpr())
    m_vgprs.free(dying.place.code - FirstVgpr, dying.count);
  else
    m_sgprs.free(dying.place.code, dying.count);
  dying.count = 0;
}

Operand PlacedValues::placeOf(Value value) const {
  const Step &made = stepOf(value);
  if (made.operation == Operation::Constant)
    return isa::constant(int32_t(made.immediate));
  if (made.operation == Operation::LinkConstant)
    return isa::literal(0);
  Operand place = m_values[value.step()].place;
  place.code += uint16_t(value.channel());
  return place;
}

void PlacedValues::place(Value value, Operand first, unsigned count) {
  m_values[value.step()] = {first, uint16_t(count)};
}

Operand PlacedValues::arrived(Value value) {
  const Operand place = placeOf(value);
  if (place.isVgpr())
    waitForVgprs(place, 1);
  return place;
}

Operand PlacedValues::shortOperand(unsigned number) {
  const Operand place = operand(number);
  return place.isLiteral() ? inSgpr(place.literal) : place;
}

Operand PlacedValues::vectorOperand(unsigned number) {
  const Operand place = operand(number);
  if (place.isVgpr())
    return place;
  const Operand copy = borrowVgprs(1);
  encoder.emit(Opcode::VMovB32, copy, place);
  return copy;
}

const std::optional<uint16_t> PlacedValues::givenPlace(Value value) const {
  const uint16_t given = m_lifetimes.steps[value.step()].given;
  return given == Lifetimes::NotGiven ? std::nullopt : std::optional(given);
}

// If an input is still in the given register, the value is delivered there at the end. Only an input can be there
// (isUnusedUntil).
std::optional<Operand> PlacedValues::givenDestination(bool mayOverlap) const {
  const uint16_t given = m_lifetimes.steps[m_step].given;
  if (given == Lifetimes::NotGiven || m_inputUntil[given] > m_step)
    return std::nullopt;
  const Operand place = isa::vgpr(given);
  if (!mayOverlap)
    for (Value operand : current().operands)
      if (operand && placeOf(operand) == place)
        return std::nullopt;
  return place;
}

Operand PlacedValues::destination(bool mayOverlap) {
  State &result = m_values[m_step];
  if (std::optional<Operand> given = givenDestination(mayOverlap)) {
    result.place = *given;
    m_vgprs.take(given->code - FirstVgpr, 1);
  } else {
    std::optional<Operand> over = mayOverlap ? overDyingOperand() : std::nullopt;
    result = {over ? *over : takeVgprs(1, m_lifetimes.steps[m_step].lastUse), 1};
  }
  waitForVgprs(result.place, 1);
  return result.place;
}

std::optional<Operand> PlacedValues::overDyingOperand() {
  for (Value operand : current().operands) {
    if (!operand)
      continue;
    State &dying = m_values[operand.step()];
    if (dies(operand) && dying.count == 1 && dying.place.isVgpr() &&
        isUnusedUntil(dying.place.code - FirstVgpr, m_lifetimes.steps[m_step].lastUse)) {
      dying.count = 0;
      return dying.place;
    }
  }
  return std::nullopt;
}

Operand PlacedValues::destinations(unsigned count) {
  State &result = m_values[m_step];
  result = {takeVgprs(count, m_lifetimes.steps[m_step].lastUse), uint16_t(count)};
  waitForVgprs(result.place, count);
  return result.place;
}

// Whether a value whose last use is at a step may be in this VGPR until then. All values that are delivered at the end
// are delivered at once.
bool PlacedValues::isUnusedUntil(unsigned vgpr, size_t lastUse) const {
  const size_t givenAt = m_lifetimes.givenAt[vgpr];
  return givenAt == 0 || (givenAt > m_step && lastUse <= givenAt && m_step != m_values.size());
}

Operand PlacedValues::takeVgprs(unsigned count, size_t lastUse) {
  std::optional<unsigned> first = m_vgprs.find(count, 1, [&](unsigned candidate) {
    for (unsigned i = candidate; i != candidate + count; ++i)
      if (!isUnusedUntil(i, lastUse))
        return false;
    return true;
  });
  m_lacksRegisters |= !first;
  return isa::vgpr(first.value_or(0));
}

Operand PlacedValues::borrowVgprs(unsigned count) {
  const Operand taken = takeVgprs(count, m_step);
  waitForVgprs(taken, count);
  m_borrowed.push_back({taken, uint16_t(count)});
  return taken;
}

Operand PlacedValues::keepVgprs(unsigned count) {
  const Operand taken = takeVgprs(count, Lifetimes::ToTheEnd);
  waitForVgprs(taken, count);
  return taken;
}

bool PlacedValues::keepVgprsAt(Operand first, unsigned count) {
  const unsigned index = first.code - FirstVgpr;
  for (unsigned i = index; i != index + count; ++i)
    if (i >= RegisterPool::MaxCount || !m_vgprs.isFree(i, 1) || !isUnusedUntil(i, Lifetimes::ToTheEnd))
      return false;
  m_vgprs.take(index, count);
  waitForVgprs(first, count);
  return true;
}

std::optional<Operand> PlacedValues::findSgprs(unsigned count) {
  std::optional<unsigned> first = m_sgprs.find(count, std::min(count, 4u), [](unsigned) { return true; });
  return first ? std::optional(isa::sgpr(*first)) : std::nullopt;
}

Operand PlacedValues::takeSgprs(unsigned count) {
  std::optional<Operand> taken = findSgprs(count);
  while (!taken && makeRoom())
    taken = findSgprs(count);
  m_lacksRegisters |= !taken;
  return taken.value_or(isa::sgpr(0));
}

bool PlacedValues::makeRoom() {
  constexpr unsigned descriptorDwords = 4;
  State *furthest = nullptr;
  size_t furthestUse = m_step;
  for (size_t i = 0; i != m_values.size(); ++i) {
    if (m_listing.steps()[i].operation != Operation::LoadDescriptor || m_values[i].count == 0)
      continue;
    if (const size_t use = nextUse(Value(i)); use > furthestUse) {
      furthest = &m_values[i];
      furthestUse = use;
    }
  }
  if (furthest) {
    waitForScalarLoads();
    m_sgprs.free(furthest->place.code, descriptorDwords);
    *furthest = {};
    return true;
  }
  if (m_literals.empty())
    return false;
  m_sgprs.free(m_literals.front().place.code, 1);
  m_literals.erase(m_literals.begin());
  return true;
}

size_t PlacedValues::nextUse(Value descriptor) const {
  for (size_t i = m_step; i != m_values.size(); ++i)
    if (std::ranges::find(m_listing.steps()[i].operands, descriptor) != m_listing.steps()[i].operands.end())
      return i;
  return Lifetimes::ToTheEnd;
}

Operand PlacedValues::inSgpr(uint32_t value) {
  auto known = std::ranges::find(m_literals, value, &Literal::value);
  if (known != m_literals.end())
    return known->place;
  const Operand place = takeSgprs(1);
  encoder.emit(Opcode::SMovB32, place, isa::constant(int32_t(value)));
  m_literals.push_back({value, place});
  return place;
}

void PlacedValues::waitForScalarLoads() {
  if (m_hasPendingScalarLoads)
    waitForLgkm();
}

void PlacedValues::waitForVgprs(Operand first, unsigned count) {
  loads.waitFor(encoder, first, count);
  if (std::ranges::any_of(m_ldsLoads, [&](const Run &load) {
        return load.first.code < first.code + count && first.code < load.first.code + load.count;
      }))
    waitForLgkm();
}

// Scalar loads return in any order, so the wait covers LDS loads as well as scalar loads.
void PlacedValues::waitForLgkm() {
  encoder.wait({.lgkm = 0});
  m_hasPendingScalarLoads = false;
  m_ldsLoads.clear();
}

} // namespace dovetail
