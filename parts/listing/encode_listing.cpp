// SPDX-License-Identifier: MIT
#include "parts/listing/encode_listing.h"
#include "parts/listing/division.h"
#include "parts/listing/lifetimes.h"
#include "parts/listing/loads_in_flight.h"
#include "parts/listing/register_pool.h"
#include "src/base/parallel_moves.h"
#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>

namespace dovetail {

namespace {

using isa::Opcode;
using isa::Operand;

constexpr unsigned DescriptorDwords = 4;
constexpr unsigned DescriptorBytes = 16;

class ListingEncoder {
public:
  ListingEncoder(const Listing &listing, const TargetInfo &target)
      : m_listing(listing), m_target(target), m_encoder(target.gfxIp.major == 9), m_lifetimes(findLifetimes(listing)),
        m_values(listing.steps().size()), m_sgprs(NumberedSgprs), m_vgprs(RegisterPool::MaxCount) {}

  Result<isa::Encoder> encode() {
    takeInputs();
    for (size_t i = 0; i != m_values.size() && !m_hasEnded; ++i) {
      m_step = i;
      encodeStep(m_listing.steps()[i]);
      freeDying();
    }
    m_step = m_values.size();
    if (!m_listing.endsProgram())
      deliver();
    else if (!m_hasEnded)
      endProgram();
    if (m_lacksRegisters)
      return makeError(ErrorCode::Unsupported, "a prolog or epilog needs more registers than there are");
    return std::move(m_encoder);
  }

private:
  static constexpr uint16_t Nowhere = 0xffff;

  // Where a value is.
  struct State {
    Operand place = {Nowhere};
    uint16_t count = 0; // registers that it owns; 0 if they are not to be freed
    bool isThere() const { return place.code != Nowhere; }
  };
  struct Delivery {
    Operand destination, source;
  };
  struct Literal {
    uint32_t value;
    Operand place;
  };

  State &state(Value value) { return m_values[value.step()]; }
  const Step &step(Value value) const { return m_listing.step(value); }

  void takeInputs() {
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
    }
  }

  // Whether a value that is used for the last time at a step may be in this VGPR until then. Those that are delivered
  // at the end are all delivered at once.
  bool isUnusedUntil(unsigned vgpr, size_t lastUse) const {
    return m_lifetimes.givenAt[vgpr] == 0 ||
           (m_lifetimes.givenAt[vgpr] > m_step && lastUse <= m_lifetimes.givenAt[vgpr] && m_step != m_values.size());
  }

  Operand takeVgprs(unsigned count, size_t lastUse) {
    std::optional<unsigned> first = m_vgprs.find(count, 1, [&](unsigned candidate) {
      for (unsigned i = candidate; i != candidate + count; ++i)
        if (!isUnusedUntil(i, lastUse))
          return false;
      return true;
    });
    m_lacksRegisters |= !first;
    return isa::vgpr(first.value_or(0));
  }
  // Until the end of the step.
  Operand takeVgpr() {
    const Operand taken = takeVgprs(1, m_step);
    m_borrowed.push_back(taken);
    return taken;
  }

  std::optional<Operand> findSgprs(unsigned count) {
    std::optional<unsigned> first = m_sgprs.find(count, std::min(count, 4u), [](unsigned) { return true; });
    return first ? std::optional(isa::sgpr(*first)) : std::nullopt;
  }
  Operand takeSgprs(unsigned count) {
    std::optional<Operand> taken = findSgprs(count);
    while (!taken && makeRoom())
      taken = findSgprs(count);
    m_lacksRegisters |= !taken;
    return taken.value_or(isa::sgpr(0));
  }

  // Gives up a descriptor that this step does not use, the one that is not used for longest, or a constant; false:
  // there is none.
  bool makeRoom() {
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
      m_sgprs.free(furthest->place.code, DescriptorDwords);
      furthest->place = {Nowhere};
      furthest->count = 0;
      return true;
    }
    if (m_literals.empty())
      return false;
    m_sgprs.free(m_literals.front().place.code, 1);
    m_literals.erase(m_literals.begin());
    return true;
  }

  bool dies(Value value) const {
    return m_lifetimes.lastUse[value.step()] == m_step && m_values[value.step()].count != 0;
  }

  void freeDying() {
    for (Operand borrowed : m_borrowed)
      m_vgprs.free(borrowed.code - 256u, 1);
    m_borrowed.clear();
    for (Value operand : m_listing.steps()[m_step].operands)
      if (operand)
        freeIfDying(operand);
  }
  void freeIfDying(Value value) {
    if (step(value).operation == Operation::Channel)
      return freeIfDying(step(value).operands[0]);
    if (!dies(value))
      return;
    State &dying = state(value);
    if (dying.place.isVgpr())
      m_vgprs.free(dying.place.code - 256u, dying.count);
    else
      m_sgprs.free(dying.place.code, dying.count);
    dying.count = 0;
  }

  // Where the step's value goes: to where it is given, over an operand that dies, or elsewhere.
  Operand destination() {
    State &result = m_values[m_step];
    if (const uint16_t given = m_lifetimes.given[m_step]; given != Lifetimes::NotGiven) {
      result.place = isa::vgpr(given);
      m_vgprs.take(given, 1);
    } else {
      result.count = 1;
      result.place = overDyingOperand();
      if (!result.isThere())
        result.place = takeVgprs(1, m_lifetimes.lastUse[m_step]);
    }
    waitForVgprs(result.place, 1);
    return result.place;
  }
  Operand overDyingOperand() {
    for (Value operand : m_listing.steps()[m_step].operands) {
      if (!operand || step(operand).operation == Operation::Channel)
        continue;
      State &dying = state(operand);
      if (dies(operand) && dying.count == 1 && dying.place.isVgpr() &&
          isUnusedUntil(dying.place.code - 256u, m_lifetimes.lastUse[m_step])) {
        dying.count = 0;
        return dying.place;
      }
    }
    return {Nowhere};
  }

  void waitForVgprs(Operand first, unsigned count) { m_loads.waitFor(m_encoder, first, count); }
  void waitForScalarLoads() {
    if (m_hasPendingScalarLoads)
      m_encoder.wait({.lgkm = 0});
    m_hasPendingScalarLoads = false;
  }

  // Operand `number` of the step.
  Operand operand(unsigned number) {
    const Value value = m_listing.steps()[m_step].operands[number];
    const Step &made = step(value);
    if (made.operation == Operation::Constant)
      return isa::constant(int32_t(made.immediate));
    Operand place = state(value).place;
    if (made.operation == Operation::Channel) {
      place = state(made.operands[0]).place;
      place.code += uint16_t(made.immediate);
    }
    if (place.isVgpr())
      waitForVgprs(place, 1);
    return place;
  }
  // For VOP3, which has no literals.
  Operand shortOperand(unsigned number) {
    const Operand place = operand(number);
    return place.isLiteral() ? inSgpr(place.literal) : place;
  }
  Operand vectorOperand(unsigned number) {
    const Operand place = operand(number);
    if (place.isVgpr())
      return place;
    const Operand copy = takeVgpr();
    m_encoder.emit(Opcode::VMovB32, copy, place);
    return copy;
  }

  // A constant that stays where it is from its first use on.
  Operand inSgpr(uint32_t value) {
    auto known = std::ranges::find(m_literals, value, &Literal::value);
    if (known != m_literals.end())
      return known->place;
    const Operand place = takeSgprs(1);
    m_encoder.emit(Opcode::SMovB32, place, isa::constant(int32_t(value)));
    m_literals.push_back({value, place});
    return place;
  }

  // The second source of VOP2 is a VGPR; the operation does not mind which operand it is.
  void emitCommutative(Opcode opcode) {
    Operand a = operand(0), b = operand(1);
    if (!b.isVgpr())
      std::swap(a, b);
    if (!b.isVgpr())
      b = vectorOperand(1);
    m_encoder.emit(opcode, destination(), a, b);
  }
  void emitAdd(Operand to, Operand a, Operand b) {
    m_encoder.emit(m_encoder.isGfx9() ? Opcode::VAddU32 : Opcode::VAddCoU32, to, a, b);
  }
  void emitSubtract(Operand to, Operand a, Operand b) {
    m_encoder.emit(m_encoder.isGfx9() ? Opcode::VSubU32 : Opcode::VSubCoU32, to, a, b);
  }

  void encodeStep(const Step &step) {
    switch (step.operation) {
    case Operation::Input:
    case Operation::Constant:
    case Operation::Channel:
      break;
    case Operation::ToVector:
      return emitUnary(Opcode::VMovB32);
    case Operation::ClampToUnit: {
      const Operand value = vectorOperand(0);
      m_encoder.emitClamped(Opcode::VMaxF32, destination(), value, value);
      break;
    }
    case Operation::MultiplyAdd: {
      const std::array operands = {shortOperand(0), shortOperand(1), shortOperand(2)};
      m_encoder.emit(Opcode::VMadF32, destination(), operands[0], operands[1], operands[2]);
      break;
    }
    case Operation::Max:
      return emitCommutative(Opcode::VMaxF32);
    case Operation::ToUnsigned:
      return emitUnary(Opcode::VCvtU32F32);
    case Operation::FromUnsigned:
      return emitUnary(Opcode::VCvtF32U32);
    case Operation::FromSigned:
      return emitUnary(Opcode::VCvtF32I32);
    case Operation::ScaleByPowerOf2:
      return emitBinary(Opcode::VLdexpF32);
    case Operation::Add:
      return emitCommutative(m_encoder.isGfx9() ? Opcode::VAddU32 : Opcode::VAddCoU32);
    case Operation::DivideUnsigned:
      return encodeDivision(divisionBy(step.immediate));
    case Operation::And:
      return emitCommutative(Opcode::VAndB32);
    case Operation::ShiftLeft: {
      const Operand value = vectorOperand(0);
      m_encoder.emit(Opcode::VLshlrevB32, destination(), isa::constant(step.immediate), value);
      break;
    }
    case Operation::BitField:
    case Operation::SignedBitField: {
      const Operand value = vectorOperand(0);
      m_encoder.emit(step.operation == Operation::BitField ? Opcode::VBfeU32 : Opcode::VBfeI32, destination(), value,
                     isa::constant(step.immediate), isa::constant(step.bitCount));
      break;
    }
    case Operation::LowBits: {
      const Operand value = vectorOperand(0);
      m_encoder.emit(Opcode::VBfmB32, destination(), value, isa::constant(0));
      break;
    }
    case Operation::PackHalf:
      return emitBinary(Opcode::VCvtPkrtzF16F32);
    case Operation::PackUnorm16:
      return emitBinary(Opcode::VCvtPknormU16F32);
    case Operation::PackSnorm16:
      return emitBinary(Opcode::VCvtPknormI16F32);
    case Operation::PackUint16:
    case Operation::PackSint16:
      return encodePackedIntegers(step);
    case Operation::LoadDescriptor:
      if (!state(Value(m_step)).isThere())
        loadDescriptorsFromHere();
      break;
    case Operation::LoadTyped:
      return encodeTypedLoad(step);
    case Operation::KillUnless:
      return encodeKill(step);
    case Operation::Export:
      return encodeExport(step);
    }
  }

  void emitUnary(Opcode opcode) {
    const Operand value = operand(0);
    m_encoder.emit(opcode, destination(), value);
  }
  void emitBinary(Opcode opcode) {
    const Operand a = shortOperand(0), b = shortOperand(1);
    m_encoder.emit(opcode, destination(), a, b);
  }

  void encodeDivision(const Division &division) {
    const Operand dividend = vectorOperand(0);
    if (!division.magic) {
      m_encoder.emit(Opcode::VLshrrevB32, destination(), isa::constant(division.shift), dividend);
      return;
    }
    const Operand magic = inSgpr(division.magic);
    if (!division.addsDividend) {
      const Operand quotient = destination();
      m_encoder.emit(Opcode::VMulHiU32, quotient, dividend, magic);
      if (division.shift)
        m_encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(division.shift), quotient);
      return;
    }
    const Operand high = takeVgpr();
    m_encoder.emit(Opcode::VMulHiU32, high, dividend, magic);
    const Operand quotient = destination();
    emitSubtract(quotient, dividend, high);
    m_encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(1), quotient);
    emitAdd(quotient, quotient, high);
    if (division.shift > 1)
      m_encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(division.shift - 1), quotient);
  }

  // GFX9 clamps both halves at once, behind the conversion; GFX8 has no packed arithmetic and clamps each before.
  void encodePackedIntegers(const Step &step) {
    const bool isSigned = step.operation == Operation::PackSint16;
    const Opcode pack = isSigned ? Opcode::VCvtPkI16I32 : Opcode::VCvtPkU16U32;
    if (step.clamp == PackedClamp{}) {
      emitBinary(pack);
      return;
    }
    if (m_encoder.isGfx9()) {
      emitBinary(pack);
      const Operand packed = m_values[m_step].place;
      const PackedBounds bounds = boundsOf(step.operation, step.clamp);
      m_encoder.emit(isSigned ? Opcode::VPkMinI16 : Opcode::VPkMinU16, packed, packed, inSgpr(bounds.most));
      if (isSigned)
        m_encoder.emit(Opcode::VPkMaxI16, packed, packed, inSgpr(bounds.least));
      return;
    }
    auto clampHalf = [&](unsigned number, unsigned bits) {
      const Operand value = vectorOperand(number);
      const Operand clamped = takeVgpr();
      const Bounds bounds = boundsOf(step.operation, bits);
      m_encoder.emit(isSigned ? Opcode::VMinI32 : Opcode::VMinU32, clamped, isa::constant(bounds.most), value);
      if (isSigned)
        m_encoder.emit(Opcode::VMaxI32, clamped, isa::constant(bounds.least), clamped);
      return clamped;
    };
    const Operand low = clampHalf(0, step.clamp.lowBits), high = clampHalf(1, step.clamp.highBits);
    m_encoder.emit(pack, destination(), low, high);
  }

  // The address of the one table that a listing has: the code's high half.
  Operand tableAddress(Value low) {
    if (m_table.code == Nowhere) {
      m_table = takeSgprs(2);
      m_encoder.emit(Opcode::SGetpcB64, m_table);
      m_encoder.emit(Opcode::SMovB32, m_table, state(low).place);
    }
    return m_table;
  }

  // As many of the descriptors that are asked for one behind the other as there are SGPRs for; neighbours in the table
  // with one instruction.
  void loadDescriptorsFromHere() {
    boost::container::small_vector<Value, 32> wanted;
    for (size_t i = m_step; i != m_values.size() && m_listing.steps()[i].operation == Operation::LoadDescriptor; ++i)
      wanted.push_back(Value(i));
    auto entryOf = [&](Value value) { return step(value).immediate; };
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

  bool loadDescriptors(std::span<const Value> descriptors) {
    const Operand table = tableAddress(step(descriptors[0]).operands[0]);
    const std::optional<Operand> place = findSgprs(unsigned(descriptors.size()) * DescriptorDwords);
    if (!place)
      return false;
    const Opcode opcode = descriptors.size() == 4   ? Opcode::SLoadDwordx16
                          : descriptors.size() == 2 ? Opcode::SLoadDwordx8
                                                    : Opcode::SLoadDwordx4;
    m_encoder.load(opcode, *place, table, step(descriptors[0]).immediate * DescriptorBytes);
    m_hasPendingScalarLoads = true;
    for (size_t i = 0; i != descriptors.size(); ++i) {
      State &descriptor = state(descriptors[i]);
      descriptor.place = isa::sgpr(place->code + unsigned(i) * DescriptorDwords);
      descriptor.count = DescriptorDwords;
    }
    return true;
  }

  Operand descriptorOf(Value value) {
    while (!state(value).isThere() && !loadDescriptors(std::array{value}))
      if (!makeRoom()) {
        m_lacksRegisters = true;
        return isa::sgpr(0);
      }
    waitForScalarLoads();
    return state(value).place;
  }
  size_t nextUse(Value descriptor) const {
    for (size_t i = m_step; i != m_values.size(); ++i)
      if (m_listing.steps()[i].operation == Operation::LoadTyped && m_listing.steps()[i].operands[0] == descriptor)
        return i;
    return Lifetimes::ToTheEnd;
  }

  void encodeTypedLoad(const Step &step) {
    isa::TypedLoad load;
    load.channels = step.load.channels;
    load.index = vectorOperand(1);
    load.descriptor = descriptorOf(step.operands[0]);
    load.dataFormat = unsigned(step.load.data);
    load.numFormat = unsigned(step.load.number);
    load.offset = step.load.offset & MaxTypedLoadOffset;
    if (const uint32_t rest = step.load.offset - load.offset)
      load.scalarOffset = inSgpr(rest); // gives up no descriptor that this step uses
    State &result = m_values[m_step];
    if (const uint16_t given = m_lifetimes.given[m_step]; given != Lifetimes::NotGiven) {
      result.place = isa::vgpr(given);
      m_vgprs.take(given, load.channels);
    } else {
      result.place = takeVgprs(load.channels, m_lifetimes.lastUse[m_step]);
      result.count = uint16_t(load.channels);
    }
    load.destination = result.place;
    waitForVgprs(result.place, load.channels);
    m_loads.issue(m_encoder, load, m_target.replaysMemory);
  }

  // EXEC loses what does not pass. Without pixels left, the program ends.
  void encodeKill(const Step &step) {
    if (step.compareOp == VK_COMPARE_OP_NEVER) {
      m_encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(0));
      endWithoutPixels();
      m_hasEnded = true;
      return;
    }
    const Operand value = vectorOperand(0), reference = operand(1);
    m_encoder.compare(mirrored(step.compareOp), reference, value);
    m_encoder.emit(Opcode::SAndB64, isa::Exec, isa::Exec, isa::VccLo);
    m_deadBranch = m_encoder.offset();
    m_encoder.emit(Opcode::SCbranchScc0);
  }
  // `a op b` as a comparison of b with a.
  static Opcode mirrored(VkCompareOp op) {
    switch (op) {
    case VK_COMPARE_OP_LESS:
      return Opcode::VCmpGtF32;
    case VK_COMPARE_OP_LESS_OR_EQUAL:
      return Opcode::VCmpGeF32;
    case VK_COMPARE_OP_GREATER:
      return Opcode::VCmpLtF32;
    case VK_COMPARE_OP_GREATER_OR_EQUAL:
      return Opcode::VCmpLeF32;
    case VK_COMPARE_OP_NOT_EQUAL:
      return Opcode::VCmpLgF32;
    default:
      return Opcode::VCmpEqF32;
    }
  }

  void encodeExport(const Step &step) {
    isa::Export exported;
    exported.target = step.exported.target;
    exported.compressed = step.exported.isPacked;
    exported.done = exported.validMask = step.exported.isLast;
    for (unsigned i = 0; i != step.operands.size(); ++i)
      if (step.operands[i]) {
        exported.sources[i] = operand(i);
        exported.enable |= exported.compressed ? 3u << 2 * i : 1u << i;
      }
    m_encoder.exportTo(exported);
  }

  void endProgram() {
    m_encoder.emit(Opcode::SEndpgm);
    if (!m_deadBranch)
      return;
    m_encoder.patch(*m_deadBranch, uint16_t((m_encoder.offset() - *m_deadBranch) / 4 - 1));
    endWithoutPixels();
  }
  void endWithoutPixels() {
    m_encoder.exportTo({.target = isa::NullExportTarget, .done = true, .validMask = true});
    m_encoder.emit(Opcode::SEndpgm);
  }

  // What is not where it is given goes there, constants first where they can: they wait for no load.
  void deliver() {
    std::vector<Delivery> deliveries;
    for (const GivenValue &given : m_listing.given())
      if (const Delivery delivery = {isa::vgpr(given.reg.index), placeOf(given.value)};
          delivery.destination != delivery.source)
        deliveries.push_back(delivery);
    std::ranges::stable_partition(deliveries, [](const Delivery &delivery) { return delivery.source.isConstant(); });
    for (const Delivery &delivery : oneByOne(std::move(deliveries), [&] { return takeVgpr(); })) {
      if (delivery.source.isVgpr())
        waitForVgprs(delivery.source, 1);
      waitForVgprs(delivery.destination, 1);
      m_encoder.emit(Opcode::VMovB32, delivery.destination, delivery.source);
    }
    m_loads.waitForAll(m_encoder);
  }
  Operand placeOf(Value value) {
    const Step &made = step(value);
    if (made.operation == Operation::Constant)
      return isa::constant(int32_t(made.immediate));
    if (made.operation != Operation::Channel)
      return state(value).place;
    Operand place = state(made.operands[0]).place;
    place.code += uint16_t(made.immediate);
    return place;
  }

  const Listing &m_listing;
  const TargetInfo &m_target;
  isa::Encoder m_encoder;
  const Lifetimes m_lifetimes;
  std::vector<State> m_values; // by step
  RegisterPool m_sgprs, m_vgprs;
  size_t m_step = 0;
  boost::container::small_vector<Operand, 4> m_borrowed; // VGPRs, until the end of the step
  boost::container::small_vector<Literal, 8> m_literals;
  LoadsInFlight m_loads;
  bool m_hasPendingScalarLoads = false;
  Operand m_table = {Nowhere};
  std::optional<uint32_t> m_deadBranch;
  bool m_hasEnded = false;
  bool m_lacksRegisters = false;
};

} // namespace

Result<isa::Encoder> encodeListing(const Listing &listing, const TargetInfo &target) {
  return ListingEncoder(listing, target).encode();
}

} // namespace dovetail
