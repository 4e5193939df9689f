// SPDX-License-Identifier: MIT
//
// tests/driver/shaders/self_index.comp runs such code.
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace {

// The number of loads that the pass freezes in a function with `a`, an array of four numbers.
unsigned frozenIn(StringRef accesses) {
  const std::string text = "define amdgpu_ps i32 @main(<4 x i32> inreg %v, i32 %i) {\n"
                           "  %a = alloca [4 x i32], addrspace(5)\n"
                           "  store <4 x i32> %v, ptr addrspace(5) %a\n" +
                           accesses.str() + "  ret i32 %r\n}\n";
  return lgc::runOnMain<lgc::FreezeArrayLoadsPass>(text, [](Function &function) {
    unsigned frozen = 0;
    for (Instruction &inst : instructions(function))
      frozen += isa<FreezeInst>(inst);
    return frozen;
  });
}

} // namespace

TEST_CASE("an index that comes from an array is frozen") {
  CHECK(frozenIn("  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i\n"
                 "  %j = load i32, ptr addrspace(5) %p\n"
                 "  %q = getelementptr i32, ptr addrspace(5) %a, i32 %j\n"
                 "  %r = load i32, ptr addrspace(5) %q\n") == 1);
}

TEST_CASE("a value that comes from an array and is stored to one is frozen") {
  CHECK(frozenIn("  %j = load <2 x i32>, ptr addrspace(5) %a\n"
                 "  store <2 x i32> %j, ptr addrspace(5) %a\n"
                 "  %r = load i32, ptr addrspace(5) %a\n") == 1);
}

TEST_CASE("other indices stay as they are") {
  CHECK(frozenIn("  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i\n"
                 "  %j = load i32, ptr addrspace(5) %p\n"
                 "  %k = add i32 %j, 1\n"
                 "  %q = getelementptr i32, ptr addrspace(5) %a, i32 %k\n"
                 "  %r = load i32, ptr addrspace(5) %q\n") == 0);
}
