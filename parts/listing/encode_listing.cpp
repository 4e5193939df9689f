// SPDX-License-Identifier: MIT
#include "parts/listing/encode_listing.h"
#include "parts/listing/division.h"
#include "parts/listing/encode_memory.h"
#include "parts/listing/placed_values.h"
#include "src/base/parallel_moves.h"
#include <algorithm>
#include <array>
#include <cassert>

namespace dovetail {

namespace {

using isa::Opcode;
using isa::Operand;

class ListingEncoder {
public:
  ListingEncoder(const Listing &listing, const TargetInfo &target)
      : m_listing(listing), m_values(listing, target), m_memory(m_values) {}

  Result<EncodedListing> encode() {
    if (m_listing.includesHelpers())
      includeHelpers();
    const size_t count = m_listing.steps().size();
    for (size_t i = 0; i != count && !m_hasEnded; ++i) {
      if (!takesCode(m_listing.steps()[i].operation))
        continue;
      m_values.beginStep(i);
      encodeStep(m_listing.steps()[i]);
      m_values.endStep();
    }
    m_values.beginStep(count);
    if (!m_listing.endsProgram())
      deliver();
    else if (!m_hasEnded)
      endProgram();
    if (m_values.lacksRegisters())
      return makeError(ErrorCode::Unsupported, "a prolog or epilog needs more registers than there are");
    return EncodedListing{std::move(m_values.encoder), std::move(m_linkLiterals)};
  }

private:
  using Branches = boost::container::small_vector<uint32_t, 2>;
  struct Delivery {
    Operand destination, source;
  };

  static bool takesCode(Operation operation) {
    return operation != Operation::Input && operation != Operation::Constant && operation != Operation::LinkConstant;
  }

  void encodeStep(const Step &step) {
    switch (step.operation) {
    case Operation::Input:
    case Operation::Constant:
    case Operation::LinkConstant:
      break;
    case Operation::ToVector:
      return emitUnary(Opcode::VMovB32);
    case Operation::ClampToUnit: {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.emitClamped(Opcode::VMaxF32, m_values.destination(), value, value);
      break;
    }
    case Operation::MultiplyAdd: {
      const std::array operands = {m_values.shortOperand(0), m_values.shortOperand(1), m_values.shortOperand(2)};
      m_values.encoder.emit(Opcode::VMadF32, m_values.destination(), operands[0], operands[1], operands[2]);
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
      return emitCommutative(m_values.encoder.isGfx9() ? Opcode::VAddU32 : Opcode::VAddCoU32);
    case Operation::DivideUnsigned:
      return encodeDivision(divisionBy(step.immediate));
    case Operation::And:
      return emitCommutative(Opcode::VAndB32);
    case Operation::SelectBits: {
      const Operand ones = m_values.vectorOperand(0), zeros = m_values.vectorOperand(1);
      m_values.encoder.emit(Opcode::VBfiB32, m_values.destination(), isa::constant(step.immediate), ones, zeros);
      break;
    }
    case Operation::MultiplySmall: {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.emit(Opcode::VMulU32U24, m_values.destination(), isa::constant(step.immediate), value);
      break;
    }
    case Operation::ShiftLeft: {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.emit(Opcode::VLshlrevB32, m_values.destination(), isa::constant(step.immediate), value);
      break;
    }
    case Operation::ShiftLeftBy: {
      const Operand value = m_values.shortOperand(0), count = m_values.operand(1);
      m_values.encoder.emit(Opcode::VLshlrevB32, m_values.destination(), count, value);
      break;
    }
    case Operation::BitAt: {
      const Operand bits = m_values.vectorOperand(0), number = m_values.operand(1);
      m_values.encoder.emit(Opcode::VBfeU32, m_values.destination(), bits, number, isa::constant(1));
      break;
    }
    case Operation::AddScalars:
      return encodeScalar(Opcode::SAddU32, m_values.operand(1));
    case Operation::ShiftScalarLeft:
      return encodeScalar(Opcode::SLshlB32, isa::constant(step.immediate));
    case Operation::BitField:
    case Operation::SignedBitField: {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.emit(step.operation == Operation::BitField ? Opcode::VBfeU32 : Opcode::VBfeI32,
                            m_values.destination(), value, isa::constant(step.immediate), isa::constant(step.bitCount));
      break;
    }
    case Operation::LowBits: {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.emit(Opcode::VBfmB32, m_values.destination(), value, isa::constant(0));
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
    case Operation::IsZero:
    case Operation::IsNonzero:
    case Operation::IsNegative:
      return encodeCondition(step);
    case Operation::Select:
      return encodeSelect();
    case Operation::LoadDescriptor:
      return m_memory.loadDescriptor();
    case Operation::LoadTyped:
      return m_memory.loadTyped();
    case Operation::LoadRaw:
      return m_memory.loadRaw();
    case Operation::LoadLds:
      return m_memory.loadLds();
    case Operation::StoreRaw:
      return m_memory.storeRaw();
    case Operation::Interpolate:
    case Operation::FlatInput:
      return encodeAttribute(step);
    case Operation::Barrier:
      m_values.encoder.wait({.lgkm = 0});
      m_values.encoder.emit(Opcode::SBarrier);
      break;
    case Operation::KeepLanes:
      return encodeKeepLanes(step);
    case Operation::KeepPixels:
      return encodeKeepPixels(step);
    case Operation::KillUnless:
      return encodeKill(step);
    case Operation::Export:
      return encodeExport(step);
    }
  }

  // The second source of VOP2 must be a VGPR; the operation is commutative, so either operand can be the second.
  void emitCommutative(Opcode opcode) {
    Operand a = m_values.operand(0), b = m_values.operand(1);
    if (!b.isVgpr())
      std::swap(a, b);
    if (!b.isVgpr())
      b = m_values.vectorOperand(1);
    m_values.encoder.emit(opcode, m_values.destination(), a, b);
  }
  void emitAdd(Operand to, Operand a, Operand b) {
    m_values.encoder.emit(m_values.encoder.isGfx9() ? Opcode::VAddU32 : Opcode::VAddCoU32, to, a, b);
  }
  void emitSubtract(Operand to, Operand a, Operand b) {
    m_values.encoder.emit(m_values.encoder.isGfx9() ? Opcode::VSubU32 : Opcode::VSubCoU32, to, a, b);
  }

  void emitUnary(Opcode opcode) {
    const Operand value = m_values.operand(0);
    m_values.encoder.emit(opcode, m_values.destination(), value);
  }
  void emitBinary(Opcode opcode) {
    const Operand a = m_values.shortOperand(0), b = m_values.shortOperand(1);
    m_values.encoder.emit(opcode, m_values.destination(), a, b);
  }

  void encodeDivision(const Division &division) {
    const Operand dividend = m_values.vectorOperand(0);
    if (!division.magic) {
      m_values.encoder.emit(Opcode::VLshrrevB32, m_values.destination(), isa::constant(division.shift), dividend);
      return;
    }
    const Operand magic = m_values.inSgpr(division.magic);
    if (!division.addsDividend) {
      const Operand quotient = m_values.destination();
      m_values.encoder.emit(Opcode::VMulHiU32, quotient, dividend, magic);
      if (division.shift)
        m_values.encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(division.shift), quotient);
      return;
    }
    const Operand high = m_values.borrowVgprs(1);
    m_values.encoder.emit(Opcode::VMulHiU32, high, dividend, magic);
    const Operand quotient = m_values.destination();
    emitSubtract(quotient, dividend, high);
    m_values.encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(1), quotient);
    emitAdd(quotient, quotient, high);
    if (division.shift > 1)
      m_values.encoder.emit(Opcode::VLshrrevB32, quotient, isa::constant(division.shift - 1), quotient);
  }

  // GFX9 clamps both halves at once, behind the conversion. GFX8 has no packed arithmetic and clamps each half before.
  void encodePackedIntegers(const Step &step) {
    const bool isSigned = step.operation == Operation::PackSint16;
    const Opcode pack = isSigned ? Opcode::VCvtPkI16I32 : Opcode::VCvtPkU16U32;
    if (step.clamp == PackedClamp{}) {
      emitBinary(pack);
      return;
    }
    if (m_values.encoder.isGfx9()) {
      emitBinary(pack);
      const Operand packed = m_values.placeOf(Value(m_values.step()));
      const PackedBounds bounds = boundsOf(step.operation, step.clamp);
      m_values.encoder.emit(isSigned ? Opcode::VPkMinI16 : Opcode::VPkMinU16, packed, packed,
                            m_values.inSgpr(bounds.most));
      if (isSigned)
        m_values.encoder.emit(Opcode::VPkMaxI16, packed, packed, m_values.inSgpr(bounds.least));
      return;
    }
    auto clampHalf = [&](unsigned number, unsigned bits) {
      const Operand value = m_values.vectorOperand(number);
      const Operand clamped = m_values.borrowVgprs(1);
      const Bounds bounds = boundsOf(step.operation, bits);
      m_values.encoder.emit(isSigned ? Opcode::VMinI32 : Opcode::VMinU32, clamped, isa::constant(bounds.most), value);
      if (isSigned)
        m_values.encoder.emit(Opcode::VMaxI32, clamped, isa::constant(bounds.least), clamped);
      return clamped;
    };
    const Operand low = clampHalf(0, step.clamp.lowBits), high = clampHalf(1, step.clamp.highBits);
    m_values.encoder.emit(pack, m_values.destination(), low, high);
  }

  // Emits an operation of the scalar unit; its literals may be link constants.
  void encodeScalar(Opcode opcode, Operand second) {
    const Operand first = m_values.operand(0);
    const Operand to = m_values.takeSgprs(1);
    m_values.encoder.emit(opcode, to, first, second);
    m_values.place(Value(m_values.step()), to, 1);
    for (Value operand : m_values.current().operands)
      if (operand && m_values.stepOf(operand).operation == Operation::LinkConstant)
        m_linkLiterals.push_back({m_values.encoder.offset() - 4, LinkConstant(m_values.stepOf(operand).immediate)});
  }

  // Emits a condition, which is in VCC.
  void encodeCondition(const Step &step) {
    if (step.operation == Operation::IsNegative) {
      constexpr unsigned signBit = 31;
      m_values.encoder.compare(Opcode::SBitcmp1B32, m_values.operand(0), isa::constant(signBit));
      m_values.encoder.emit(Opcode::SCselectB64, isa::VccLo, isa::constant(-1), isa::constant(0));
    } else {
      const Operand value = m_values.vectorOperand(0);
      m_values.encoder.compare(step.operation == Operation::IsZero ? Opcode::VCmpEqU32 : Opcode::VCmpNeU32,
                               isa::constant(0), value);
    }
    m_condition = Value(m_values.step());
  }
  void encodeSelect() {
    assert(m_condition == m_values.current().operands[0]);
    const Operand whenTrue = m_values.vectorOperand(1), whenFalse = m_values.operand(2);
    m_values.encoder.emit(Opcode::VCndmaskB32, m_values.destination(), whenFalse, whenTrue);
  }

  // Turns helper pixels on until the end. m_pixels holds the pixels that are no helpers.
  void includeHelpers() {
    m_pixels = m_values.takeSgprs(2);
    m_values.encoder.emit(Opcode::SMovB64, m_pixels, isa::Exec);
    std::span<const Step> steps = m_listing.steps();
    auto first = std::ranges::find_if(steps, [](const Step &step) {
      return step.operation == Operation::Interpolate || step.operation == Operation::FlatInput;
    });
    // GFX9 needs an instruction between this one and the interpolation; the next one is between them.
    if (first != steps.end())
      m_values.encoder.emit(Opcode::SMovB32, isa::M0, m_values.placeOf(primMaskOf(*first)));
    m_values.encoder.emit(Opcode::SWqmB64, isa::Exec, isa::Exec);
  }
  static Value primMaskOf(const Step &step) { return step.operands[step.operation == Operation::Interpolate ? 2 : 0]; }

  // On GPUs with 16 banks of LDS, the first half of an interpolation must not overwrite its weight (LLVM:
  // has16BankLDS).
  void encodeAttribute(const Step &step) {
    isa::Interpolation half{.attribute = step.attribute.number, .channel = step.attribute.channel};
    if (step.operation == Operation::FlatInput) {
      half.destination = m_values.destination();
      m_values.encoder.interpolate(Opcode::VInterpMovF32, half);
      return;
    }
    const Operand weights[] = {m_values.operand(0), m_values.operand(1)};
    half.destination = m_values.destination(/*mayOverlap=*/false);
    half.weight = weights[0];
    m_values.encoder.interpolate(Opcode::VInterpP1F32, half);
    half.weight = weights[1];
    m_values.encoder.interpolate(Opcode::VInterpP2F32, half);
  }

  void branch(Opcode opcode, Branches &branches) {
    branches.push_back(m_values.encoder.offset());
    m_values.encoder.emit(opcode);
  }
  void land(const Branches &branches) {
    for (uint32_t from : branches)
      m_values.encoder.patch(from, uint16_t((m_values.encoder.offset() - from) / 4 - 1));
  }

  void encodeKeepLanes(const Step &step) {
    assert(m_condition == step.operands[0]);
    m_values.encoder.emit(Opcode::SAndB64, isa::Exec, isa::Exec, isa::VccLo);
    branch(Opcode::SCbranchScc0, m_endBranches);
  }

  // Ends the program if no pixels are left. A quad without pixels stops.
  void encodeKeepPixels(const Step &step) {
    assert(m_condition == step.operands[0]);
    m_values.encoder.emit(Opcode::SAndB64, m_pixels, m_pixels, isa::VccLo);
    Branches goOn;
    branch(Opcode::SCbranchScc1, goOn);
    m_values.encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(0));
    endWithoutPixels();
    land(goOn);
    m_values.encoder.emit(Opcode::SWqmB64, isa::Exec, m_pixels);
  }

  // Removes the pixels that fail the comparison from EXEC. Ends the program if no pixels are left.
  void encodeKill(const Step &step) {
    if (step.compareOp == VK_COMPARE_OP_NEVER) {
      m_values.encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(0));
      endWithoutPixels();
      m_hasEnded = true;
      return;
    }
    const Operand value = m_values.vectorOperand(0), reference = m_values.operand(1);
    m_values.encoder.compare(mirrored(step.compareOp), reference, value);
    m_values.encoder.emit(Opcode::SAndB64, isa::Exec, isa::Exec, isa::VccLo);
    branch(Opcode::SCbranchScc0, m_deadBranches);
  }
  // The comparison of b with a that equals `a op b`.
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
        exported.sources[i] = m_values.operand(i);
        exported.enable |= exported.compressed ? 3u << 2 * i : 1u << i;
      }
    m_values.encoder.exportTo(exported);
  }

  void endProgram() {
    land(m_endBranches);
    m_values.encoder.emit(Opcode::SEndpgm);
    if (m_deadBranches.empty())
      return;
    land(m_deadBranches);
    endWithoutPixels();
  }
  void endWithoutPixels() {
    m_values.encoder.exportTo({.target = isa::NullExportTarget, .done = true, .validMask = true});
    m_values.encoder.emit(Opcode::SEndpgm);
  }

  // Moves the results that are not in their registers yet. Constants go first where they can, because they wait for no
  // load.
  void deliver() {
    boost::container::small_vector<Delivery, 32> deliveries;
    size_t constants = 0;
    for (const GivenValue &given : m_listing.given()) {
      const Delivery delivery = {isa::vgpr(given.reg.index), m_values.placeOf(given.value)};
      if (delivery.destination != delivery.source)
        deliveries.push_back(delivery);
      if (delivery.source.isConstant())
        std::rotate(deliveries.begin() + ptrdiff_t(constants++), deliveries.end() - 1, deliveries.end());
    }
    for (const Delivery &delivery : oneByOne(deliveries, [&] { return m_values.borrowVgprs(1); })) {
      if (delivery.source.isVgpr())
        m_values.waitForVgprs(delivery.source, 1);
      m_values.waitForVgprs(delivery.destination, 1);
      m_values.encoder.emit(Opcode::VMovB32, delivery.destination, delivery.source);
    }
    m_values.loads.waitForAll(m_values.encoder);
    if (m_listing.includesHelpers())
      m_values.encoder.emit(Opcode::SMovB64, isa::Exec, m_pixels);
  }

  const Listing &m_listing;
  PlacedValues m_values;
  MemoryEncoder m_memory;
  boost::container::small_vector<EncodedListing::LinkLiteral, 2> m_linkLiterals;
  Value m_condition;
  Operand m_pixels = {};
  Branches m_endBranches;  // to the end of the program
  Branches m_deadBranches; // to the end without pixels
  bool m_hasEnded = false;
};

} // namespace

Result<EncodedListing> encodeListing(const Listing &listing, const TargetInfo &target) {
  return ListingEncoder(listing, target).encode();
}

} // namespace dovetail
