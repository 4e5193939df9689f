// SPDX-License-Identifier: MIT
//
// What a prolog or an epilog does, step by step, on 32-bit values. It is written once for each kind of part, from the
// part's key (kinds/). Where the part is joined, its listing is encoded directly (encode_listing.h); where it is
// compiled with a main part as one function, it becomes LLVM IR (listing_ir.h).
#pragma once

#include "src/abi/value.h"
#include "src/state/format_table.h"
#include "src/state/pipeline_state.h"
#include <array>
#include <boost/container/small_vector.hpp>
#include <cassert>
#include <cstdint>
#include <span>

namespace dovetail {

// What a step gives, or one channel of what it loads. There may be none, where a step needs none.
class Value {
public:
  static constexpr size_t MaxSteps = 0x3fff;

  constexpr Value() = default;
  constexpr explicit Value(size_t step) : m_step(uint16_t(step)), m_channel(0) {}
  constexpr explicit operator bool() const { return m_step != MaxSteps; }
  constexpr size_t step() const { return m_step; }
  // Of a load, at most 3.
  constexpr unsigned channel() const { return m_channel; }
  constexpr Value withChannel(unsigned number) const {
    Value value(m_step);
    value.m_channel = uint16_t(number & 3);
    return value;
  }
  constexpr bool operator==(const Value &) const = default;

private:
  uint16_t m_step : 14 = MaxSteps;
  uint16_t m_channel : 2 = 0;
};

enum class Operation : uint8_t {
  Input,        // the register `reg`
  Constant,     // the bits `immediate`
  LinkConstant, // the one with number `immediate`, for operations on scalars
  ToVector,     // a scalar, or a channel of a load, in a VGPR of its own

  // Floats. The mode of the program says how denormals are treated.
  ClampToUnit, // NaN: 0
  MultiplyAdd, // a * b + c, rounded twice
  Max,         // of numbers
  ToUnsigned,  // toward zero
  FromUnsigned,
  FromSigned,
  ScaleByPowerOf2, // a * 2^b, b an integer

  // Integers.
  Add,
  DivideUnsigned, // by the constant `immediate`, not 0
  And,
  SelectBits,    // bits of a where the constant `immediate`, at most 64, has ones, otherwise of b
  MultiplySmall, // by the constant `immediate`; both are below 2^24
  ShiftLeft,     // by the constant `immediate`
  ShiftLeftBy,   // by b, below 32
  BitAt,         // the bit of a with number (b & 31)

  // Integers that are scalars, like what comes of them.
  AddScalars,
  ShiftScalarLeft, // by the constant `immediate`
  BitField,        // `bitCount` bits from bit `immediate` on, without a sign
  SignedBitField,  // with one
  LowBits,         // (1 << a) - 1, a below 32

  // Conditions: of lanes, not values. There is one at a time; making the next one ends it.
  IsZero,
  IsNonzero,
  IsNegative, // of a scalar, so for all lanes
  Select,     // b where the condition a holds, otherwise c

  // Two values in the halves of one, a in the lower. Integers are clamped to 16 bits, then to `clamp`.
  PackHalf, // toward zero
  PackUnorm16,
  PackSnorm16,
  PackUint16,
  PackSint16,

  // Memory.
  LoadDescriptor, // number `immediate` of those that the table at address a has, whose high half is that of the code
  LoadTyped,      // `load` through descriptor a, from element b: so many channels
  LoadRaw,        // one dword through descriptor a, at b bytes
  LoadLds,        // `lds` dwords behind the address a, each a channel

  // Pixels.
  Interpolate, // `attribute`, with weights a and b; c is the primitive mask, the same in all such steps
  FlatInput,   // `attribute` of the provoking vertex; a is the primitive mask

  // Without a value.
  StoreRaw,   // a to d, which end where one is missing, through descriptor e at f + g + `immediate` bytes, for other
              // units, too. f may be missing; g is a scalar, `immediate` below 4096
  Barrier,    // for the group, which finds in LDS what was written before
  KeepLanes,  // without the condition a, a lane does nothing more; only where the program ends
  KeepPixels, // without the condition a, a pixel is a helper from here on
  KillUnless, // the pixels for which a `compareOp` b does not hold; a NaN passes none. b is a scalar
  Export,     // `exported`; operands are in VGPRs, those that are missing are not exported
};

// Of PackUint16 and PackSint16: so many bits are kept of each half.
struct PackedClamp {
  uint8_t lowBits = 16;
  uint8_t highBits = 16;

  bool operator==(const PackedClamp &) const = default;
};

struct TypedLoadFormat {
  BufferDataFormat data = BufferDataFormat::Invalid;
  BufferNumFormat number = BufferNumFormat::Unorm;
  uint16_t channels = 0;
  uint32_t offset = 0; // bytes
};

// Dwords of LDS, counted from an address.
struct LdsLoad {
  uint8_t count = 0;
  std::array<uint8_t, 4> dwords = {};
};

// As v_interp numbers them.
struct PixelAttribute {
  uint8_t number = 0;
  uint8_t channel = 0;
};

// What MTBUF holds of an offset; the rest is in an SGPR, in steps that neighbouring attributes can share.
constexpr uint32_t MaxTypedLoadOffset = 4095;

struct ExportForm {
  uint8_t target = 0;    // as EXP numbers them
  bool isPacked = false; // two operands, each of which holds two components
  bool isLast = false;   // says that the pixel is done, and which lanes are valid
};

struct Step {
  Operation operation;
  std::array<Value, 7> operands;
  uint32_t immediate = 0;
  uint8_t bitCount = 0;
  Register reg = {};
  PackedClamp clamp;
  TypedLoadFormat load;
  LdsLoad lds;
  PixelAttribute attribute;
  VkCompareOp compareOp = VK_COMPARE_OP_ALWAYS;
  ExportForm exported;
};

// In the order of the operands. Only some operations have one that is there behind one that is missing.
template <typename Visit> void forEachOperand(const Step &step, const Visit &visit) {
  const bool hasGaps = step.operation == Operation::StoreRaw || step.operation == Operation::Export;
  for (Value operand : step.operands)
    if (operand)
      visit(operand);
    else if (!hasGaps)
      return;
}

// A result in the register where the part's contract has it.
struct GivenValue {
  Value value;
  Register reg;
};

class Listing {
public:
  // passedSgprs, passedVgprs: the part leaves registers [0, n) as they were.
  Listing(unsigned passedSgprs, unsigned passedVgprs, bool endsProgram)
      : m_passedSgprs(passedSgprs), m_passedVgprs(passedVgprs), m_endsProgram(endsProgram) {}

  Value add(const Step &step) {
    assert(m_steps.size() < Value::MaxSteps);
    m_steps.push_back(step);
    return Value(m_steps.size() - 1);
  }
  Value add(Operation operation, Value a, Value b = {}, Value c = {}) {
    return add(Step{.operation = operation, .operands = {a, b, c}});
  }
  Value addImmediate(Operation operation, Value a, uint32_t immediate, uint8_t bitCount = 0) {
    return add(Step{.operation = operation, .operands = {a}, .immediate = immediate, .bitCount = bitCount});
  }
  Value input(RegisterBank bank, unsigned index) {
    return add(Step{.operation = Operation::Input, .reg = {bank, uint16_t(index)}});
  }
  Value constant(uint32_t bits) { return add(Step{.operation = Operation::Constant, .immediate = bits}); }
  // Values are made for helper pixels too, because a main part may take derivatives of them.
  void includeHelpers() { m_includesHelpers = true; }
  // Each register once.
  void give(Value value, Register reg) { m_given.push_back({value, reg}); }

  std::span<const Step> steps() const { return {m_steps.data(), m_steps.size()}; }
  const Step &step(Value value) const { return m_steps[value.step()]; }
  std::span<const GivenValue> given() const { return {m_given.data(), m_given.size()}; }
  unsigned passedSgprs() const { return m_passedSgprs; }
  unsigned passedVgprs() const { return m_passedVgprs; }
  bool endsProgram() const { return m_endsProgram; }
  bool includesHelpers() const { return m_includesHelpers; }

private:
  unsigned m_passedSgprs;
  unsigned m_passedVgprs;
  bool m_endsProgram;
  bool m_includesHelpers = false;
  boost::container::small_vector<Step, 32> m_steps;
  boost::container::small_vector<GivenValue, 32> m_given;
};

// What the halves of a packed pair are clamped to, in both of its halves as one constant.
struct PackedBounds {
  uint32_t least;
  uint32_t most;
};
PackedBounds boundsOf(Operation pack, PackedClamp clamp);
// The same of one half.
struct Bounds {
  int32_t least;
  int32_t most;
};
Bounds boundsOf(Operation pack, unsigned bits);

} // namespace dovetail
