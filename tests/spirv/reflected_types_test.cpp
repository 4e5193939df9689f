// SPDX-License-Identifier: MIT
//
// Reflection of the insides of blocks, of images and of interfaces.
#include "src/spirv/reflect/reflection.h"
#include "tests/spirv/assembled.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <spirv/unified1/spirv.hpp11>

using namespace dovetail;
using namespace dovetail::test;
using spirv::BlockMember;

namespace {

constexpr char Fragment[] = R"(
OpCapability Shader
OpCapability Image1D
OpCapability SampleRateShading
OpCapability StorageImageExtendedFormats
OpCapability SampledCubeArray
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %smooth %flat %block %front %color
OpExecutionMode %main OriginUpperLeft
OpName %lights "lights"
OpMemberName %lights 0 "count"
OpMemberName %lights 1 "list"
OpMemberName %light 0 "color"
OpMemberName %light 1 "turn"
OpMemberName %light 2 "pairs"
OpName %smooth "smooth"
OpName %pair "pair"
OpMemberName %pair 1 "second"
OpDecorate %lights Block
OpMemberDecorate %lights 0 Offset 0
OpMemberDecorate %lights 1 Offset 16
OpMemberDecorate %light 0 Offset 0
OpMemberDecorate %light 1 Offset 16
OpMemberDecorate %light 1 MatrixStride 16
OpMemberDecorate %light 1 RowMajor
OpMemberDecorate %light 2 Offset 64
OpDecorate %light_array ArrayStride 128
OpDecorate %pair_array ArrayStride 8
OpDecorate %pair_arrays ArrayStride 16
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %map DescriptorSet 0
OpDecorate %map Binding 1
OpDecorate %comparing DescriptorSet 0
OpDecorate %comparing Binding 2
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 3
OpDecorate %plain DescriptorSet 0
OpDecorate %plain Binding 4
OpDecorate %stored DescriptorSet 0
OpDecorate %stored Binding 5
OpDecorate %stored NonReadable
OpDecorate %smooth Location 3
OpDecorate %smooth NoPerspective
OpDecorate %smooth Centroid
OpDecorate %flat Location 0
OpDecorate %flat Component 2
OpDecorate %flat Flat
OpDecorate %pair Block
OpDecorate %block Location 5
OpMemberDecorate %pair 1 Sample
OpDecorate %front BuiltIn FrontFacing
OpDecorate %color Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%v4uint = OpTypeVector %uint 4
%v2int = OpTypeVector %int 2
%int_0 = OpConstant %int 0
%uint_2 = OpConstant %uint 2
%uint_3 = OpConstant %uint 3
%float_0 = OpConstant %float 0
%v2float_0 = OpConstantNull %v2float
%v2int_0 = OpConstantNull %v2int
%mat = OpTypeMatrix %v3float 2
%pair_array = OpTypeArray %v2int %uint_2
%pair_arrays = OpTypeArray %pair_array %uint_3
%light = OpTypeStruct %v3float %mat %pair_arrays
%light_array = OpTypeRuntimeArray %light
%lights = OpTypeStruct %uint %light_array
%ptr_lights = OpTypePointer StorageBuffer %lights
%buffer = OpVariable %ptr_lights StorageBuffer
%ptr_buffer_uint = OpTypePointer StorageBuffer %uint
%image = OpTypeImage %float 2D 0 1 0 1 Unknown
%ptr_image = OpTypePointer UniformConstant %image
%map = OpVariable %ptr_image UniformConstant
%sampler = OpTypeSampler
%ptr_sampler = OpTypePointer UniformConstant %sampler
%comparing = OpVariable %ptr_sampler UniformConstant
%plain = OpVariable %ptr_sampler UniformConstant
%sampled = OpTypeSampledImage %image
%uimage = OpTypeImage %uint Cube 0 1 0 1 Unknown
%ptr_uimage = OpTypePointer UniformConstant %uimage
%numbers = OpVariable %ptr_uimage UniformConstant
%usampled = OpTypeSampledImage %uimage
%storage = OpTypeImage %int 1D 0 0 0 2 Rg32i
%ptr_storage = OpTypePointer UniformConstant %storage
%stored = OpVariable %ptr_storage UniformConstant
%in_v4float = OpTypePointer Input %v4float
%smooth = OpVariable %in_v4float Input
%in_v2int = OpTypePointer Input %v2int
%flat = OpVariable %in_v2int Input
%pair = OpTypeStruct %float %v2float
%in_pair = OpTypePointer Input %pair
%block = OpVariable %in_pair Input
%in_bool = OpTypePointer Input %bool
%front = OpVariable %in_bool Input
%out_v4float = OpTypePointer Output %v4float
%color = OpVariable %out_v4float Output
%compare_fn = OpTypeFunction %float %ptr_image %ptr_sampler
%main = OpFunction %void None %fn
%entry = OpLabel
%s = OpLoad %v4float %smooth
%f = OpLoad %v2int %flat
%b = OpLoad %pair %block
%q = OpLoad %bool %front
%counter = OpAccessChain %ptr_buffer_uint %buffer %int_0
%count = OpLoad %uint %counter
%lit = OpFunctionCall %float %compare %map %comparing
%u = OpLoad %uimage %numbers
%p = OpLoad %sampler %plain
%us = OpSampledImage %usampled %u %p
%t = OpImageSampleImplicitLod %v4uint %us %s
%st = OpLoad %storage %stored
OpImageWrite %st %int_0 %f
OpStore %color %s
OpReturn
OpFunctionEnd
%compare = OpFunction %float None %compare_fn
%image_parameter = OpFunctionParameter %ptr_image
%sampler_parameter = OpFunctionParameter %ptr_sampler
%compare_entry = OpLabel
%i = OpLoad %image %image_parameter
%sm = OpLoad %sampler %sampler_parameter
%si = OpSampledImage %sampled %i %sm
%at = OpCompositeConstruct %v3float %v2float_0 %float_0
%d = OpImageSampleDrefImplicitLod %float %si %at %float_0
OpReturnValue %d
OpFunctionEnd
)";

constexpr char Vertex[] = R"(
OpCapability Shader
OpCapability ClipDistance
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %normal %place %offset %unrelated %out %vertex
OpName %normal "normal"
OpName %place "place"
OpName %offset "offset"
OpName %unrelated "unrelated"
OpDecorate %normal Location 0
OpDecorate %place Location 1
OpDecorate %offset Location 2
OpDecorate %unrelated Location 3
OpDecorate %out Location 0
OpDecorate %out Flat
OpDecorate %per_vertex Block
OpMemberDecorate %per_vertex 0 BuiltIn Position
OpMemberDecorate %per_vertex 1 BuiltIn ClipDistance
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v4float = OpTypeVector %float 4
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
%uint_3 = OpConstant %uint 3
%distances = OpTypeArray %float %uint_3
%per_vertex = OpTypeStruct %v4float %distances
%in_v4float = OpTypePointer Input %v4float
%normal = OpVariable %in_v4float Input
%place = OpVariable %in_v4float Input
%offset = OpVariable %in_v4float Input
%unrelated = OpVariable %in_v4float Input
%out_v4float = OpTypePointer Output %v4float
%out_float = OpTypePointer Output %float
%out = OpVariable %out_v4float Output
%out_per_vertex = OpTypePointer Output %per_vertex
%vertex = OpVariable %out_per_vertex Output
%function_v4float = OpTypePointer Function %v4float
%move_fn = OpTypeFunction %void %function_v4float %v4float
%main = OpFunction %void None %fn
%entry = OpLabel
%moved = OpVariable %function_v4float Function
%p = OpLoad %v4float %place
OpStore %moved %p
%o = OpLoad %v4float %offset
%call = OpFunctionCall %void %move %moved %o
%m = OpLoad %v4float %moved
%position = OpAccessChain %out_v4float %vertex %int_0
OpStore %position %m
%u = OpLoad %v4float %unrelated
%x = OpCompositeExtract %float %u 0
%distance = OpAccessChain %out_float %vertex %int_1 %int_0
OpStore %distance %x
%n = OpLoad %v4float %normal
OpStore %out %n
OpReturn
OpFunctionEnd
%move = OpFunction %void None %move_fn
%where = OpFunctionParameter %function_v4float
%by = OpFunctionParameter %v4float
%move_entry = OpLabel
%before = OpLoad %v4float %where
%after = OpFAdd %v4float %before %by
OpStore %where %after
OpReturn
OpFunctionEnd
)";

spirv::Reflection reflected(const char *text, lgc::ShaderStage stage) {
  Result<spirv::Reflection> result = spirv::reflect(assembleText(text), "main", stage);
  REQUIRE_MESSAGE(result.has_value(), result.error().text);
  return *result;
}

const spirv::Reflection &fragment() {
  static const spirv::Reflection reflection = reflected(Fragment, lgc::ShaderStage::Fragment);
  return reflection;
}

} // namespace

TEST_CASE("a block's numbers have their places, whatever structs and arrays are around them") {
  const spirv::DescriptorBinding &lights = fragment().descriptors.at(0);
  CHECK(lights.blockBytes == 16);
  REQUIRE(lights.members.size() == 4);

  CHECK(lights.members[0].name == "count");
  CHECK(lights.members[0].offset == 0);
  CHECK((lights.members[0].numericClass == NumericClass::Uint));
  CHECK(lights.members[0].arrays.empty());

  CHECK(lights.members[1].name == "list.color");
  CHECK(lights.members[1].offset == 16);
  CHECK(lights.members[1].rows == 3);
  REQUIRE(lights.members[1].arrays.size() == 1);
  CHECK(lights.members[1].arrays[0].count == 0);
  CHECK(lights.members[1].arrays[0].stride == 128);

  const BlockMember &turn = lights.members[2];
  CHECK(turn.offset == 32);
  CHECK(turn.columns == 2);
  CHECK(turn.rows == 3);
  CHECK(turn.matrixStride == 16);
  CHECK(turn.rowMajor);

  const BlockMember &pairs = lights.members[3];
  CHECK(pairs.offset == 80);
  CHECK((pairs.numericClass == NumericClass::Sint));
  REQUIRE(pairs.arrays.size() == 3);
  CHECK(pairs.arrays[1].count == 3);
  CHECK(pairs.arrays[1].stride == 16);
  CHECK(pairs.arrays[2].count == 2);
  CHECK(pairs.arrays[2].stride == 8);
}

TEST_CASE("images have their shapes and formats") {
  const spirv::ImageShape &map = fragment().descriptors.at(1).image;
  CHECK((map.dimension == spirv::ImageDimension::Dim2D));
  CHECK(map.isArrayed);
  CHECK((map.numericClass == NumericClass::Float));
  CHECK((map.format == VK_FORMAT_UNDEFINED));
  const spirv::ImageShape &numbers = fragment().descriptors.at(3).image;
  CHECK((numbers.dimension == spirv::ImageDimension::Cube));
  CHECK((numbers.numericClass == NumericClass::Uint));
  const spirv::ImageShape &stored = fragment().descriptors.at(5).image;
  CHECK((stored.dimension == spirv::ImageDimension::Dim1D));
  CHECK((stored.format == VK_FORMAT_R32G32_SINT));
  CHECK((stored.numericClass == NumericClass::Sint));
}

TEST_CASE("what compares a depth is found through function parameters") {
  CHECK(fragment().descriptors.at(1).comparesDepth);
  CHECK(fragment().descriptors.at(2).comparesDepth);
  CHECK_FALSE(fragment().descriptors.at(3).comparesDepth);
  CHECK_FALSE(fragment().descriptors.at(4).comparesDepth);
}

TEST_CASE("a separate sampler knows of images of integers") {
  CHECK(fragment().descriptors.at(4).samplesIntegers);
  CHECK_FALSE(fragment().descriptors.at(2).samplesIntegers);
}

TEST_CASE("fragment inputs have their interpolation, members of blocks their own") {
  const std::vector<spirv::InterfaceLocation> &inputs = fragment().fragmentInputs;
  REQUIRE(inputs.size() == 4);
  CHECK(inputs[0].location == 0);
  CHECK(inputs[0].componentMask == 0xc);
  CHECK((inputs[0].interpolation == spirv::Interpolation::Flat));
  CHECK((inputs[0].numericClass == NumericClass::Sint));
  CHECK(inputs[1].location == 3);
  CHECK((inputs[1].interpolation == spirv::Interpolation::Linear));
  CHECK((inputs[1].interpolationPoint == spirv::InterpolationPoint::Centroid));
  CHECK(inputs[2].location == 5);
  CHECK(inputs[2].componentMask == 1);
  CHECK((inputs[2].interpolationPoint == spirv::InterpolationPoint::Center));
  CHECK(inputs[3].location == 6);
  CHECK((inputs[3].interpolationPoint == spirv::InterpolationPoint::Sample));
}

TEST_CASE("built-ins are listed with their direction and size") {
  REQUIRE(fragment().builtIns.size() == 1);
  CHECK((static_cast<spv::BuiltIn>(fragment().builtIns[0].builtIn) == spv::BuiltIn::FrontFacing));
  CHECK_FALSE(fragment().builtIns[0].isOutput);
  spirv::Reflection vertex = reflected(Vertex, lgc::ShaderStage::Vertex);
  REQUIRE(vertex.builtIns.size() == 2);
  CHECK(vertex.builtIns[0].isOutput);
  CHECK((static_cast<spv::BuiltIn>(vertex.builtIns[1].builtIn) == spv::BuiltIn::ClipDistance));
  CHECK(vertex.builtIns[1].elements == 3);
}

TEST_CASE("vertex outputs leave out built-ins") {
  spirv::Reflection vertex = reflected(Vertex, lgc::ShaderStage::Vertex);
  REQUIRE(vertex.vertexOutputs.size() == 1);
  CHECK(vertex.vertexOutputs[0].location == 0);
  CHECK((vertex.vertexOutputs[0].interpolation == spirv::Interpolation::Flat));
}

TEST_CASE("the inputs that make the position are found through variables and calls, others are not") {
  spirv::Reflection vertex = reflected(Vertex, lgc::ShaderStage::Vertex);
  REQUIRE(vertex.vertexInputs.size() == 4);
  CHECK_FALSE(vertex.vertexInputs[0].feedsPosition); // normal
  CHECK(vertex.vertexInputs[1].feedsPosition);       // place
  CHECK(vertex.vertexInputs[2].feedsPosition);       // offset
  CHECK_FALSE(vertex.vertexInputs[3].feedsPosition); // unrelated: a clip distance
}

TEST_CASE("atomics are seen") {
  CHECK_FALSE(fragment().usesAtomics);
  std::string text = Fragment;
  auto replace = [&](const std::string &old, const std::string &by) { text.replace(text.find(old), old.size(), by); };
  replace("%uint_2 = ", "%uint_0 = OpConstant %uint 0\n%uint_1 = OpConstant %uint 1\n%uint_2 = ");
  replace("OpLoad %uint %counter", "OpAtomicIIncrement %uint %counter %uint_1 %uint_0");
  CHECK(reflected(text.c_str(), lgc::ShaderStage::Fragment).usesAtomics);
}
