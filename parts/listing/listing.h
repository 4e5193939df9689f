// SPDX-License-Identifier: MIT
//
// A listing is the list of steps that a prolog or an epilog does, on 32-bit values. It is written once for each kind of
// part, from the part's key (kinds/). If the part is joined, its listing is encoded directly (encode_listing.h). If it
// is compiled with a main part as one function, its listing becomes LLVM IR (listing_ir.h).
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

// The result of a step, or one channel of a load. Where a step needs no operand, its Value is empty.
class Value {
public:
  static constexpr size_t MaxSteps = 0x3fff;

  constexpr Value() = default;
  constexpr explicit Value(size_t step) : m_step(uint16_t(step)), m_channel(0) {}
  constexpr explicit operator bool() const { return m_step != MaxSteps; }
  constexpr size_t step() const { return m_step; }
  // The channel of a load, at most 3.
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
  LinkConstant, // the link constant with number `immediate`, for operations on scalars
  ToVector,     // a scalar, or a channel of a load, copied to a VGPR of its own

  // Floats. The program's mode decides how denormals are treated.
  ClampToUnit, // NaN: 0
  MultiplyAdd, // a * b + c, rounded twice
  Max,         // neither operand is a NaN
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

  // Integers that are scalars; the results are scalars, too.
  AddScalars,
  ShiftScalarLeft, // by the constant `immediate`
  BitField,        // `bitCount` bits from bit `immediate` on, without a sign
  SignedBitField,  // the same with a sign
  LowBits,         // (1 << a) - 1, a below 32

  // Conditions of lanes; they are no values. There is one at a time; the next one replaces it.
  IsZero,
  IsNonzero,
  IsNegative, // of a scalar, so for all lanes
  Select,     // b where the condition a holds, otherwise c

  // Two values in the halves of one, a in the lower half. Integers are clamped to 16 bits, then to `clamp`.
  PackHalf, // toward zero
  PackUnorm16,
  PackSnorm16,
  PackUint16,
  PackSint16,

  // Memory.
  LoadDescriptor, // descriptor `immediate` of the table at address a, whose high half is that of the code
  LoadTyped,      // `load.channels` channels through descriptor a, from element b
  LoadRaw,        // one dword through descriptor a, at b bytes
  LoadLds,        // `lds` dwords behind the address a, each one a channel

  // Pixels.
  Interpolate, // `attribute`, with weights a and b; c is the primitive mask, the same in all such steps
  FlatInput,   // `attribute` of the provoking vertex; a is the primitive mask

  // Steps without a result.
  StoreRaw,   // dwords a to d, up to the first missing one, through descriptor e at f + g + `immediate` bytes, for
              // other units, too. f may be missing; g is a scalar, `immediate` below 4096
  Barrier,    // waits for the group, whose earlier writes to LDS are there then
  KeepLanes,  // lanes without the condition a stop; only in listings that end the program
  KeepPixels, // pixels without the condition a are helpers from here on
  KillUnless, // kills the pixels for which a `compareOp` b does not hold; a NaN fails every comparison. b is a scalar
  Export,     // `exported`; operands are in VGPRs, missing ones are not exported
};

// How many bits PackUint16 and PackSint16 keep of each half.
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

// Numbers as v_interp has them.
struct PixelAttribute {
  uint8_t number = 0;
  uint8_t channel = 0;
};

// The offset that MTBUF can hold. The rest is in an SGPR, in steps that neighbouring attributes can share.
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

// Visits operands in order. Only some operations have an operand behind a missing one.
template <typename Visit> void forEachOperand(const Step &step, const Visit &visit) {
  const bool hasGaps = step.operation == Operation::StoreRaw || step.operation == Operation::Export;
  for (Value operand : step.operands)
    if (operand)
      visit(operand);
    else if (!hasGaps)
      return;
}

// A result, and the register where the part's contract has it.
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
  // Values are also made for helper pixels, because a main part may take derivatives of them.
  void includeHelpers() { m_includesHelpers = true; }
  // Each register is given once.
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

// The bounds of the two halves of a packed pair, each bound in both halves of one constant.
struct PackedBounds {
  uint32_t least;
  uint32_t most;
};
PackedBounds boundsOf(Operation pack, PackedClamp clamp);
// The bounds of one half.
struct Bounds {
  int32_t least;
  int32_t most;
};
Bounds boundsOf(Operation pack, unsigned bits);

} // namespace dovetail
