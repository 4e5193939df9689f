// SPDX-License-Identifier: MIT
#include "src/spirv/module/specialize.h"
#include "src/spirv/reflect/reflection.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr char Resources[] = R"(
OpCapability Shader
OpCapability Float64
OpCapability SampledBuffer
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs "vs" %position %matrix %double
OpEntryPoint Fragment %fs "fs" %color %mask
OpExecutionMode %fs OriginUpperLeft
OpName %textures "textures"
OpName %unused "unused"
OpName %position "position"
OpDecorate %textures DescriptorSet 1
OpDecorate %textures Binding 3
OpDecorate %texels DescriptorSet 0
OpDecorate %texels Binding 9
OpDecorate %uniforms DescriptorSet 1
OpDecorate %uniforms Binding 0
OpDecorate %unused DescriptorSet 2
OpDecorate %unused Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 16
OpMemberDecorate %block 1 Offset 64
OpMemberDecorate %block 1 MatrixStride 16
OpMemberDecorate %block 1 RowMajor
OpDecorate %count SpecId 7
OpDecorate %position Location 2
OpDecorate %position Component 1
OpDecorate %matrix Location 4
OpDecorate %double Location 8
OpDecorate %color Location 0
OpDecorate %mask Location 0
OpDecorate %mask Index 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%double_t = OpTypeFloat 64
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%v3double = OpTypeVector %double_t 3
%v2int = OpTypeVector %int 2
%uint_2 = OpConstant %uint 2
%count = OpSpecConstant %uint 3
%total = OpSpecConstantOp %uint IMul %count %uint_2
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%images = OpTypeArray %sampled %total
%ptr_images = OpTypePointer UniformConstant %images
%textures = OpVariable %ptr_images UniformConstant
%texel = OpTypeImage %int Buffer 0 0 0 1 Unknown
%ptr_texel = OpTypePointer UniformConstant %texel
%texels = OpVariable %ptr_texel UniformConstant
%mat = OpTypeMatrix %v3float 4
%block = OpTypeStruct %v4float %mat
%ptr_block = OpTypePointer Uniform %block
%uniforms = OpVariable %ptr_block Uniform
%unused = OpVariable %ptr_block Uniform
%ptr_push = OpTypePointer PushConstant %block
%push = OpVariable %ptr_push PushConstant
%ptr_v2 = OpTypePointer Input %v2float
%position = OpVariable %ptr_v2 Input
%mat2 = OpTypeMatrix %v2float 2
%ptr_mat2 = OpTypePointer Input %mat2
%matrix = OpVariable %ptr_mat2 Input
%ptr_double = OpTypePointer Input %v3double
%double = OpVariable %ptr_double Input
%ptr_color = OpTypePointer Output %v4float
%color = OpVariable %ptr_color Output
%ptr_mask = OpTypePointer Output %v2int
%mask = OpVariable %ptr_mask Output
%null = OpConstantNull %v4float
%vs = OpFunction %void None %fn
%ve = OpLabel
%c = OpFunctionCall %void %helper
%p = OpLoad %v2float %position
%m = OpLoad %mat2 %matrix
%d = OpLoad %v3double %double
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%he = OpLabel
%u = OpLoad %block %uniforms
%t = OpLoad %texel %texels
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fe = OpLabel
%i = OpLoad %images %textures
%k = OpLoad %block %push
OpStore %color %null
%w = OpLoad %v2int %mask
OpReturn
OpFunctionEnd
)";

spirv::Reflection reflected(std::string_view entryPoint, lgc::ShaderStage stage) {
  Result<spirv::Reflection> result = spirv::reflect(assembleText(Resources), entryPoint, stage);
  REQUIRE_MESSAGE(result.has_value(), result.error().text);
  return *result;
}

// The patch vertices of a control shader that reads an input of `count` vertices.
unsigned patchVerticesOf(const std::string &decoration, unsigned count, const std::string &read) {
  const std::string text = R"(
OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %main "main" %in %invocation
OpExecutionMode %main OutputVertices 3
OpDecorate %in )" + decoration +
                           R"(
OpDecorate %invocation BuiltIn InvocationId
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vector = OpTypeVector %float 4
%uint = OpTypeInt 32 0
%count = OpConstant %uint )" +
                           std::to_string(count) + R"(
%vectors = OpTypeArray %vector %count
%pointer = OpTypePointer Input %vectors
%element = OpTypePointer Input %vector
%uint_in = OpTypePointer Input %uint
%in = OpVariable %pointer Input
%invocation = OpVariable %uint_in Input
%main = OpFunction %void None %fn
%label = OpLabel
)" + read + R"(
OpReturn
OpFunctionEnd
)";
  Result<spirv::Reflection> control = spirv::reflect(assembleText(text), "main", lgc::ShaderStage::TessControl);
  REQUIRE_MESSAGE(control, control.error().text);
  return control->patchVertices;
}

} // namespace

TEST_CASE("descriptors are those of the entry point's own call tree") {
  spirv::Reflection vertex = reflected("vs", lgc::ShaderStage::Vertex);
  REQUIRE(vertex.descriptors.size() == 2);
  CHECK(vertex.descriptors[0].set == 0);
  CHECK(vertex.descriptors[0].binding == 9);
  CHECK((vertex.descriptors[0].kind == spirv::DescriptorKind::UniformTexelBuffer));
  CHECK((vertex.descriptors[1].kind == spirv::DescriptorKind::UniformBuffer));
  CHECK(vertex.pushConstantBytes == 0);

  spirv::Reflection fragment = reflected("fs", lgc::ShaderStage::Fragment);
  REQUIRE(fragment.descriptors.size() == 1);
  CHECK((fragment.descriptors[0].kind == spirv::DescriptorKind::CombinedImageSampler));
  CHECK(fragment.descriptors[0].arraySize == 6);
  CHECK(fragment.descriptors[0].name == "textures");
}

TEST_CASE("push constants end with their last member") {
  CHECK(reflected("fs", lgc::ShaderStage::Fragment).pushConstantBytes == 64 + 2 * 16 + 4 * 4);
}

TEST_CASE("vertex inputs are listed by location, a wide one twice") {
  std::vector<spirv::InterfaceLocation> inputs = reflected("vs", lgc::ShaderStage::Vertex).vertexInputs;
  REQUIRE(inputs.size() == 5);
  CHECK(inputs[0].location == 2);
  CHECK(inputs[0].componentMask == 6);
  CHECK(inputs[0].name == "position");
  CHECK(inputs[1].location == 4);
  CHECK(inputs[2].location == 5);
  CHECK(inputs[2].componentMask == 3);
  CHECK(inputs[3].location == 8);
  CHECK(inputs[3].componentMask == 15);
  CHECK(inputs[3].elementBits == 64);
  CHECK(inputs[4].location == 9);
  CHECK(inputs[4].componentMask == 3);
}

TEST_CASE("fragment outputs tell both sources of a blend apart") {
  std::vector<spirv::InterfaceLocation> outputs = reflected("fs", lgc::ShaderStage::Fragment).fragmentOutputs;
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].index == 0);
  CHECK(outputs[0].numericClass == NumericClass::Float);
  CHECK(outputs[1].index == 1);
  CHECK(outputs[1].numericClass == NumericClass::Sint);
  CHECK(outputs[1].componentMask == 3);
}

TEST_CASE("specialisation constants have their defaults") {
  std::vector<spirv::SpecConstantInfo> constants = reflected("fs", lgc::ShaderStage::Fragment).specConstants;
  REQUIRE(constants.size() == 1);
  CHECK(constants[0].id == 7);
  CHECK(constants[0].bits == 32);
  CHECK(constants[0].defaultValue == 3);
}

TEST_CASE("a narrow negative default has the bits of its type") {
  Assembly assembly;
  assembly.capabilities = "OpCapability Int16\n";
  assembly.decorations = "OpDecorate %s SpecId 1\n";
  assembly.declarations = "%short = OpTypeInt 16 1\n%s = OpSpecConstant %short -7\n";
  Result<spirv::Reflection> result = spirv::reflect(assemble(assembly), "main", assembly.stage);
  REQUIRE_MESSAGE(result.has_value(), result.error().text);
  REQUIRE(result->specConstants.size() == 1);
  CHECK(result->specConstants[0].bits == 16);
  CHECK(result->specConstants[0].defaultValue == 0xfff9);
}

TEST_CASE("of a specialised module, arrays have the sizes that it is compiled with") {
  auto texturesWith = [](const std::vector<spirv::SpecConstant> &constants) {
    Result<std::vector<uint32_t>> words = spirv::specialize(assembleText(Resources), constants);
    REQUIRE_MESSAGE(words.has_value(), words.error().text);
    Result<spirv::Reflection> result = spirv::reflect(*words, "fs", lgc::ShaderStage::Fragment);
    REQUIRE_MESSAGE(result.has_value(), result.error().text);
    return result->descriptors.back().arraySize;
  };
  CHECK(texturesWith({}) == 6);
  CHECK(texturesWith({{7, 5}}) == 10);
  CHECK(texturesWith({{8, 5}}) == 6); // there is no such constant
  CHECK(texturesWith({{7, 5}, {7, 2}}) == 4);
}

TEST_CASE("all entry points are found") {
  Result<std::vector<spirv::EntryPointInfo>> found = spirv::entryPoints(assembleText(Resources));
  REQUIRE(found.has_value());
  REQUIRE(found->size() == 2);
  CHECK((*found)[0].name == "vs");
  CHECK((*found)[1].stage == lgc::ShaderStage::Fragment);
  CHECK_FALSE(spirv::reflect(assembleText(Resources), "vs", lgc::ShaderStage::Fragment).has_value());
  Result<spirv::Reflection> one = spirv::reflect(assembleText(Resources), "fs", lgc::ShaderStage::Fragment);
  REQUIRE(one.has_value());
  REQUIRE(one->entryPoints.size() == 2);
  CHECK(one->entryPoints[0].name == "vs");
  CHECK((one->entryPoints[0].stage == lgc::ShaderStage::Vertex));
  CHECK(one->entryPoints[1].name == "fs");
}

TEST_CASE("a patch has all vertices of an array that is read at once") {
  for (unsigned count : {2, 5, 32}) // an input of 32, the size of the largest patch, declares nothing
    CHECK(patchVerticesOf("Location 0", count, "%all = OpLoad %vectors %in") == count);
}

TEST_CASE("a patch has the vertices that an input is declared for, else those of the output patch") {
  const std::string read = "%index = OpLoad %uint %invocation\n"
                           "%chain = OpAccessChain %element %in %index\n"
                           "%one = OpLoad %vector %chain";
  for (const char *decoration : {"Location 0", "BuiltIn Position"}) {
    CHECK(patchVerticesOf(decoration, 5, read) == 5);
    CHECK(patchVerticesOf(decoration, 32, read) == 3);
  }
}

TEST_CASE("a binding that two variables take for different kinds of descriptor is named") {
  const std::vector<uint32_t> words = assembleText(R"(
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %first DescriptorSet 2
OpDecorate %first Binding 5
OpDecorate %second DescriptorSet 2
OpDecorate %second Binding 5
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%block = OpTypeStruct %uint
%uniform = OpTypePointer Uniform %block
%uniform_uint = OpTypePointer Uniform %uint
%storage = OpTypePointer StorageBuffer %block
%storage_uint = OpTypePointer StorageBuffer %uint
%first = OpVariable %uniform Uniform
%second = OpVariable %storage StorageBuffer
%main = OpFunction %void None %fn
%label = OpLabel
%a = OpAccessChain %uniform_uint %first %zero
%x = OpLoad %uint %a
%b = OpAccessChain %storage_uint %second %zero
%y = OpLoad %uint %b
OpReturn
OpFunctionEnd
)");
  Result<spirv::Reflection> mixed = spirv::reflect(words, "main", lgc::ShaderStage::Compute);
  REQUIRE_FALSE(mixed.has_value());
  CHECK((mixed.error().code == ErrorCode::Unsupported));
  CHECK(mixed.error().text.find("set 2 binding 5 is used as storage buffer and as uniform buffer") !=
        std::string::npos);
}

TEST_CASE("a location that no shader can have is named") {
  const std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
OpDecorate %out Location LOCATION
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%zero = OpConstant %float 0
%pointer = OpTypePointer Output %float
%out = OpVariable %pointer Output
%main = OpFunction %void None %fn
%label = OpLabel
OpStore %out %zero
OpReturn
OpFunctionEnd
)";
  for (const std::string location : {"64", "1000", "65535"}) {
    std::string shader = text;
    shader.replace(shader.find("LOCATION"), 8, location);
    Result<spirv::Reflection> vertex = spirv::reflect(assembleText(shader), "main", lgc::ShaderStage::Vertex);
    REQUIRE_FALSE(vertex);
    CHECK((vertex.error().code == ErrorCode::InvalidInput));
    CHECK(vertex.error().text.find("location " + location + " is out of range") != std::string::npos);
  }
}
