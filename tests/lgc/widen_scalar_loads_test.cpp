// SPDX-License-Identifier: MIT
//
// tests/driver/shaders/double_uniforms.comp runs such code.
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace {

// The number of dwords that are loaded for a scalar load of `count` dwords.
unsigned loadedFor(unsigned count) {
  const std::string type = "<" + std::to_string(count) + " x i32>";
  const std::string load = "@llvm.amdgcn.s.buffer.load.v" + std::to_string(count) + "i32(<4 x i32>";
  const std::string text = "declare " + type + " " + load + ", i32, i32)\n" +
                           "define amdgpu_ps i32 @main(<4 x i32> inreg %b) {\n" + "  %l = call " + type + " " + load +
                           " %b, i32 32, i32 0)\n" + "  %r = extractelement " + type + " %l, i32 1\n  ret i32 %r\n}\n";
  return lgc::runOnMain<lgc::WidenScalarLoadsPass>(text, [](Function &function) {
    unsigned loaded = 0;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::amdgcn_s_buffer_load)
        loaded += cast<FixedVectorType>(call->getType())->getNumElements();
    return loaded;
  });
}

} // namespace

TEST_CASE("scalar loads of a number of dwords that LLVM cannot select become wider") {
  for (unsigned count : {5, 6, 7})
    CHECK(loadedFor(count) == 8);
  for (unsigned count : {9, 12, 15})
    CHECK(loadedFor(count) == 16);
}

TEST_CASE("other scalar loads stay as wide as they are") {
  for (unsigned count : {2, 3, 4, 8, 16})
    CHECK(loadedFor(count) == count);
}
