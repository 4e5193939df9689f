// SPDX-License-Identifier: MIT
//
// tests/driver/shaders/register_loops.tese runs such code.
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>

using namespace llvm;

TEST_CASE("a buffer's offset that comes out of divergent control flow is in a scalar register") {
  const std::string declarations =
      "declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32 immarg)\n"
      "declare void @llvm.amdgcn.raw.buffer.store.i32(i32, <4 x i32>, i32, i32, i32 immarg)\n"
      "declare i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32>, i32, i32, i32, i32 immarg, i32 immarg)\n"
      "declare void @llvm.amdgcn.struct.tbuffer.store.i32(i32, <4 x i32>, i32, i32, i32, i32 immarg, i32 immarg)\n";
  for (const std::string access :
       {"%r = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %v, i32 %offset, i32 0)",
        "call void @llvm.amdgcn.raw.buffer.store.i32(i32 %v, <4 x i32> %buffer, i32 %v, i32 %offset, i32 0)",
        "%r = call i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32> %buffer, i32 %v, i32 0, i32 %offset, i32 20, "
        "i32 0)",
        "call void @llvm.amdgcn.struct.tbuffer.store.i32(i32 %v, <4 x i32> %buffer, i32 %v, i32 0, i32 %offset, "
        "i32 20, i32 0)"}) {
    const std::string result = access.starts_with("%r") ? "%r" : "%v";
    LLVMContext context;
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::unique_ptr<Module> module =
        lgc::parseIr(**builderContext, context,
                     declarations +
                         "define amdgpu_ps float @main(<4 x i32> inreg %buffer, i32 inreg %s, "
                         "i32 %v) {\n"
                         "entry:\n%c = icmp eq i32 %v, 0\nbr i1 %c, label %a, label %b\n"
                         "a:\n%x = mul i32 %s, 3\nbr label %c2\n"
                         "c2:\n%d = icmp eq i32 %s, 7\nbr i1 %d, label %end, label %e\n"
                         "b:\nbr label %e\n"
                         "e:\n%offset = phi i32 [ %x, %c2 ], [ %s, %b ]\n" +
                         access + "\n%f = bitcast i32 " + result + " to float\nret float %f\nend:\nret float 0.0\n}\n");
    auto code = (*builderContext)->generateCode(*module);
    CHECK_MESSAGE(code, access, ": ", (code ? std::string() : code.error().text));
  }
}
