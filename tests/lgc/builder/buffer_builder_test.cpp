// SPDX-License-Identifier: MIT
//
// Buffers: how values of every element type and count are cut into loads and stores.
#include "tests/lgc/builder/lowering.h"
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;

namespace {

Type *shape(BuilderImpl &b, unsigned bits, unsigned count) {
  Type *element = b.getIntNTy(bits);
  return count == 1 ? element : static_cast<Type *>(llvm::FixedVectorType::get(element, count));
}

Lowered load(unsigned bits, unsigned count, unsigned flags,
             const std::function<Value *(BuilderImpl &, Operands &)> &offset) {
  return lower(ShaderStage::Compute, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    bool isDivergent = flags & NonUniformImage;
    Value *desc = isDivergent ? in.ints(4) : in.bufferDesc();
    return {b.CreateBufferLoad(shape(b, bits, count), desc, offset(b, in), flags)};
  });
}

Value *divergentOffset(BuilderImpl &, Operands &in) {
  return in.ints(1);
}
Value *constantOffset(BuilderImpl &b, Operands &) {
  return b.getInt32(32);
}

} // namespace

TEST_CASE("loads and stores of 1 to 16 elements of 8 to 64 bits compile") {
  for (unsigned bits : {8, 16, 32, 64})
    for (unsigned count = 1; count <= 16; ++count)
      for (bool isConstant : {false, true}) {
        CAPTURE(bits);
        CAPTURE(count);
        CAPTURE(isConstant);
        Lowered lowered = lower(ShaderStage::Compute, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
          Value *desc = in.bufferDesc();
          Value *offset = isConstant ? b.getInt32(64) : in.ints(1);
          Value *value = b.CreateBufferLoad(shape(b, bits, count), desc, offset, 0);
          b.CreateBufferStore(value, desc, offset, Coherent);
          return {};
        });
        CHECK(lowered.error == "");
        unsigned bytes = bits / 8 * count;
        bool isWide = bits >= 32 || isConstant;
        unsigned expected = !isWide ? count : bytes / 16 + (bytes % 16 >= 4) + (bytes % 4 >= 2) + bytes % 2;
        if (isWide && bytes % 16 / 4 == 0 && bytes % 16 >= 4)
          continue;
        CHECK(lowered.count("buffer_load_") == expected);
        CHECK(lowered.count("buffer_store_") == expected);
      }
}

TEST_CASE("dwords are loaded together, whatever the offset") {
  CHECK(load(32, 4, 0, divergentOffset).count("buffer_load_dwordx4 ") == 1);
  CHECK(load(32, 3, 0, divergentOffset).count("buffer_load_dwordx3 ") == 1);
  CHECK(load(64, 2, 0, divergentOffset).count("buffer_load_dwordx4 ") == 1);
  CHECK(load(64, 3, 0, divergentOffset).count("buffer_load_dwordx2 ") == 1);
}

TEST_CASE("shorts and bytes are loaded together where the offset is known to be aligned") {
  CHECK(load(16, 4, 0, constantOffset).count("buffer_load_dwordx2 ") == 1);
  CHECK(load(16, 4, 0, divergentOffset).count("buffer_load_ushort ") == 4);
  Lowered scaled = load(8, 4, 0, [](BuilderImpl &b, Operands &in) { return b.CreateShl(in.ints(1), b.getInt32(2)); });
  CHECK(scaled.count("buffer_load_dword ") == 1);
  CHECK(load(8, 3, 0, constantOffset).count("buffer_load_ushort ") == 1);
  CHECK(load(8, 3, 0, constantOffset).count("buffer_load_ubyte ") == 1);
}

TEST_CASE("what nothing writes is loaded by scalar loads") {
  CHECK(load(32, 4, ReadOnly, constantOffset).count("s_buffer_load_dwordx4 ") == 1);
  CHECK(load(32, 16, ReadOnly, constantOffset).count("s_buffer_load_dwordx16 ") == 1);
  CHECK(load(64, 3, ReadOnly, constantOffset).count("s_buffer_load_dword") == 2);
  CHECK(load(32, 1, ReadOnly, divergentOffset).count("buffer_load_dword ") == 1);
  CHECK(load(32, 1, ReadOnly, divergentOffset).count("s_buffer_load") == 0);
  CHECK(load(16, 1, ReadOnly, constantOffset).count("buffer_load_ushort ") == 1);
  CHECK(load(32, 4, ReadOnly | Volatile, constantOffset).count("s_buffer_load") == 0);
  CHECK(load(32, 4, 0, constantOffset).count("s_buffer_load") == 0);
}

TEST_CASE("coherent, volatile and non-temporal accesses carry their cache bits") {
  CHECK(load(32, 1, Coherent, divergentOffset).has(" glc"));
  CHECK(load(32, 1, Volatile, divergentOffset).has(" glc"));
  CHECK(load(32, 1, NonTemporal, divergentOffset).has(" slc"));
  CHECK(!load(32, 1, 0, divergentOffset).has(" glc"));
  CHECK(!load(32, 1, 0, divergentOffset).has(" slc"));
}

TEST_CASE("two volatile loads of one place stay two") {
  auto twice = [](unsigned flags) {
    return lower(ShaderStage::Compute, [=](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *desc = in.bufferDesc();
      Value *offset = in.ints(1);
      return {b.CreateBufferLoad(b.getInt32Ty(), desc, offset, flags),
              b.CreateBufferLoad(b.getInt32Ty(), desc, offset, flags)};
    });
  };
  CHECK(twice(Volatile).count("buffer_load_dword ") == 2);
  CHECK(twice(0).count("buffer_load_dword ") == 1);
}

TEST_CASE("a buffer that differs between lanes is read in a loop, once for each") {
  Lowered lowered = load(32, 8, NonUniformImage | ReadOnly, divergentOffset);
  CHECK(lowered.error == "");
  CHECK(lowered.count("v_readfirstlane_b32") == 4);
  CHECK(lowered.count("buffer_load_dwordx4 ") == 2);
  CHECK(lowered.has("s_andn2_b64 exec, exec")); // lanes leave the loop
}

TEST_CASE("buffer atomics of every operation and type") {
  for (AtomicOp op :
       {AtomicOp::Swap, AtomicOp::Add, AtomicOp::Sub, AtomicOp::SMin, AtomicOp::UMin, AtomicOp::SMax, AtomicOp::UMax,
        AtomicOp::And, AtomicOp::Or, AtomicOp::Xor, AtomicOp::FAdd, AtomicOp::FMin, AtomicOp::FMax})
    for (unsigned bits : {32, 64})
      for (unsigned flags : {0, int(NonUniformImage)}) {
        CAPTURE(static_cast<unsigned>(op));
        CAPTURE(bits);
        bool isFloat = op >= AtomicOp::FAdd;
        Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
          Type *type = isFloat ? (bits == 32 ? b.getFloatTy() : b.getDoubleTy()) : b.getIntNTy(bits);
          Value *desc = flags ? in.ints(4) : in.bufferDesc();
          return {b.CreateBufferAtomic(op, in.divergent(type), desc, in.ints(1), flags)};
        });
        CHECK(lowered.error == "");
        CHECK(lowered.count("buffer_atomic_") == 1);
        CHECK(lowered.has("buffer_atomic_cmpswap") == isFloat);
        CHECK(lowered.has("_x2 ") == (bits == 64));
      }
  Lowered swap = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    Value *desc = in.bufferDesc();
    return {b.CreateBufferAtomic(AtomicOp::Swap, in.floats(1), desc, in.ints(1), 0),
            b.CreateBufferAtomicCompareSwap(in.ints(1), in.ints(1), desc, in.ints(1), 0),
            b.CreateBufferAtomicCompareSwap(in.divergent(b.getInt64Ty()), in.divergent(b.getInt64Ty()), desc,
                                            in.ints(1), 0),
            b.CreateBufferLength(desc)};
  });
  CHECK(swap.error == "");
  CHECK(swap.count("buffer_atomic_swap ") == 1);
  CHECK(swap.count("buffer_atomic_cmpswap ") == 1);
  CHECK(swap.count("buffer_atomic_cmpswap_x2 ") == 1);
}
