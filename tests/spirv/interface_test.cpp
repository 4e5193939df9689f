// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

using namespace dovetail::test;

namespace {

// %out is an output of a type.
Assembly output(std::string type, std::string declarations, std::string body, std::string decorations = "") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 2\n" + decorations;
  assembly.declarations = declarations + "%ptr_out = OpTypePointer Output " + type +
                          "\n%out = OpVariable %ptr_out Output\n" +
                          "%ptr_of = OpTypePointer Output %float\n%ptr_ov = OpTypePointer Output %v4float\n";
  assembly.interface = "%out";
  assembly.body = "%x = OpCompositeExtract %float %p 0\n%i = OpCompositeExtract %int %n 0\n" + body;
  return assembly;
}

// %late is an input of a type at location 4.
Assembly input(std::string type, std::string declarations, std::string body, std::string decorations = "") {
  Assembly assembly = output("%float", declarations, body, decorations + "OpDecorate %late Location 4\n");
  assembly.declarations += "%ptr_late = OpTypePointer Input " + type +
                           "\n%late = OpVariable %ptr_late Input\n"
                           "%ptr_if = OpTypePointer Input %float\n%ptr_iv = OpTypePointer Input %v4float\n";
  assembly.interface += " %late";
  return assembly;
}

struct Write {
  unsigned location;
  unsigned component;
  unsigned count;
  bool operator==(const Write &) const = default;
};

std::vector<Write> writes(const Assembly &assembly) {
  Translated translated(assembly);
  CHECK(translated.error() == "");
  std::vector<Write> found;
  for (auto *write : translated.all<lgc::WriteGenericOutputOp>()) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(write->value()->getType());
    CHECK(llvm::cast<llvm::ConstantInt>(write->locationOffset())->isZero());
    found.push_back({write->location(), write->component(), vector ? vector->getNumElements() : 1});
  }
  return found;
}

using Writes = std::vector<Write>;

} // namespace

TEST_CASE("an output that nothing is stored to is not written") {
  CHECK(writes(output("%v4float", "", "")).empty());
}

TEST_CASE("only the components that are stored are written") {
  CHECK(writes(output("%v4float", "", "OpStore %out %p\n")) == Writes{{2, 0, 4}});
  CHECK(writes(output("%v4float", "", "%a = OpAccessChain %ptr_of %out %int_2\nOpStore %a %x\n")) == Writes{{2, 2, 1}});
  CHECK(writes(output("%v4float", "",
                      "%a = OpAccessChain %ptr_of %out %int_0\nOpStore %a %x\n%b = OpAccessChain %ptr_of %out %int_2\n"
                      "OpStore %b %x\n%d = OpAccessChain %ptr_of %out %int_3\nOpStore %d %x\n")) ==
        Writes{{2, 0, 1}, {2, 2, 2}});
  CHECK(writes(output("%v4float", "", "%a = OpAccessChain %ptr_of %out %i\nOpStore %a %x\n")) == Writes{{2, 0, 4}});
}

TEST_CASE("only the elements that may be stored are written, at their locations") {
  std::string array = "%arr = OpTypeArray %v4float %uint_3\n";
  CHECK(writes(output("%arr", array, "%a = OpAccessChain %ptr_ov %out %int_1\nOpStore %a %p\n")) == Writes{{3, 0, 4}});
  CHECK(writes(output("%arr", array, "%a = OpAccessChain %ptr_ov %out %i\nOpStore %a %p\n")) ==
        Writes{{2, 0, 4}, {3, 0, 4}, {4, 0, 4}});
}

TEST_CASE("an output's component decoration moves it") {
  CHECK(writes(output("%v2float", "", "%v = OpVectorShuffle %v2float %p %p 0 1\nOpStore %out %v\n",
                      "OpDecorate %out Component 2\n")) == Writes{{2, 2, 2}});
}

TEST_CASE("the second source of dual-source blending has index 1") {
  Translated translated(output("%v4float", "", "OpStore %out %p\n", "OpDecorate %out Index 1\n"));
  CHECK(translated.error() == "");
  auto *write = translated.only<lgc::WriteGenericOutputOp>();
  REQUIRE(write);
  CHECK(write->index() == 1);
}

TEST_CASE("of a built-in block only the members that are stored are written") {
  std::vector<uint32_t> words = assembleText(R"(
OpCapability Shader
OpCapability ClipDistance
OpCapability CullDistance
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %vertex %index
OpDecorate %index BuiltIn VertexIndex
OpDecorate %per_vertex Block
OpMemberDecorate %per_vertex 0 BuiltIn Position
OpMemberDecorate %per_vertex 1 BuiltIn PointSize
OpMemberDecorate %per_vertex 2 BuiltIn ClipDistance
OpMemberDecorate %per_vertex 3 BuiltIn CullDistance
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%uint_2 = OpConstant %uint 2
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
%int_2 = OpConstant %int 2
%arr = OpTypeArray %float %uint_2
%per_vertex = OpTypeStruct %v4float %float %arr %arr
%ptr_per_vertex = OpTypePointer Output %per_vertex
%vertex = OpVariable %ptr_per_vertex Output
%ptr_v4float = OpTypePointer Output %v4float
%ptr_float = OpTypePointer Output %float
%ptr_int = OpTypePointer Input %int
%index = OpVariable %ptr_int Input
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %int %index
%f = OpConvertSToF %float %i
%v = OpCompositeConstruct %v4float %f %f %f %f
%position = OpAccessChain %ptr_v4float %vertex %int_0
OpStore %position %v
%clip = OpAccessChain %ptr_float %vertex %int_2 %int_1
OpStore %clip %f
OpReturn
OpFunctionEnd
)");
  Translated translated(words, {});
  CHECK(translated.error() == "");
  auto *index = translated.only<lgc::ReadBuiltInInputOp>();
  REQUIRE(index);
  CHECK(index->builtIn() == lgc::BuiltIn::VertexIndex);
  auto written = translated.all<lgc::WriteBuiltInOutputOp>();
  REQUIRE(written.size() == 2);
  CHECK(written[0]->builtIn() == lgc::BuiltIn::Position);
  CHECK(written[1]->builtIn() == lgc::BuiltIn::ClipDistance);
  CHECK(llvm::cast<llvm::ConstantInt>(written[1]->arrayIndex().operator lgc::Value *())->getZExtValue() == 1);
}

TEST_CASE("an element of an input array is read at its location, a dynamic one by an offset") {
  std::string array = "%arr = OpTypeArray %v4float %uint_3\n";
  Translated fixed(input("%arr", array, "%a = OpAccessChain %ptr_iv %late %int_2\n%v = OpLoad %v4float %a\n"));
  CHECK(fixed.error() == "");
  auto reads = fixed.all<lgc::ReadGenericInputOp>();
  REQUIRE(reads.size() == 3);
  CHECK(reads[2]->location() == 6);
  CHECK(reads[2]->locationCount() == 1);

  Translated dynamic(input("%arr", array, "%a = OpAccessChain %ptr_iv %late %i\n%v = OpLoad %v4float %a\n"));
  CHECK(dynamic.error() == "");
  reads = dynamic.all<lgc::ReadGenericInputOp>();
  REQUIRE(reads.size() == 3);
  CHECK(reads[2]->location() == 4);
  CHECK(reads[2]->locationCount() == 3);
  CHECK_FALSE(llvm::isa<llvm::Constant>(reads[2]->locationOffset()));
}

TEST_CASE("one component of an input is read alone") {
  Translated translated(input("%v4float", "", "%a = OpAccessChain %ptr_if %late %int_3\n%v = OpLoad %float %a\n"));
  CHECK(translated.error() == "");
  auto reads = translated.all<lgc::ReadGenericInputOp>();
  REQUIRE(reads.size() == 3);
  CHECK(reads[2]->component() == 3);
  CHECK(reads[2]->getType()->isFloatTy());
}

TEST_CASE("a whole matrix input is read column by column") {
  Translated translated(input("%mat", "%mat = OpTypeMatrix %v4float 3\n", "%v = OpLoad %mat %late\n"));
  CHECK(translated.error() == "");
  auto reads = translated.all<lgc::ReadGenericInputOp>();
  REQUIRE(reads.size() == 5);
  CHECK(reads[2]->location() == 4);
  CHECK(reads[4]->location() == 6);
}

TEST_CASE("interpolation decorations of a block's member are those of its reads") {
  Assembly assembly =
      input("%block", "%block = OpTypeStruct %v4float %v4float\n",
            "%a = OpAccessChain %ptr_iv %late %int_1\n%v = OpLoad %v4float %a\n",
            "OpDecorate %block Block\nOpMemberDecorate %block 1 NoPerspective\nOpMemberDecorate %block 1 Sample\n");
  assembly.capabilities = "OpCapability SampleRateShading\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  auto reads = translated.all<lgc::ReadGenericInputOp>();
  REQUIRE(reads.size() == 3);
  CHECK(reads[2]->location() == 5);
  CHECK(reads[2]->mode() == lgc::InterpMode::NoPerspective);
  CHECK(reads[2]->interpLocation() == lgc::InterpLocation::Sample);
  CHECK(reads[0]->interpLocation() == lgc::InterpLocation::Center);
}

TEST_CASE("members of an output block lie one behind the other, arrays among them") {
  std::vector<uint32_t> words = assembleText(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %block
OpDecorate %type Block
OpDecorate %block Location 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%uint = OpTypeInt 32 0
%uint_2 = OpConstant %uint 2
%pair = OpTypeArray %v4float %uint_2
%type = OpTypeStruct %v4float %pair %float %v4float
%ptr_type = OpTypePointer Output %type
%block = OpVariable %ptr_type Output
%values = OpConstantNull %type
%main = OpFunction %void None %fn
%entry = OpLabel
OpStore %block %values
OpReturn
OpFunctionEnd
)");
  Translated translated(words, {});
  CHECK(translated.error() == "");
  std::vector<unsigned> locations;
  for (lgc::WriteGenericOutputOp *write : translated.all<lgc::WriteGenericOutputOp>())
    locations.push_back(write->location());
  CHECK(locations == std::vector<unsigned>{4, 5, 6, 7, 8});
}
