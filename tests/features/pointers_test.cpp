// SPDX-License-Identifier: MIT
//
// Pointers, images and samplers that are selected, come round loops, are undefined, or are given to functions and
// returned by them. The shaders also compute the same without a selection, and store both results.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// %i is the invocation's index, %is_odd its lowest bit; @data is a pointer to element %i of the words.
struct Kernel {
  std::string capabilities, decorations, declarations, body, functions;

  std::string text() const {
    return "OpCapability Shader\nOpCapability VariablePointers\n" + capabilities +
           R"(OpExtension "SPV_KHR_variable_pointers"
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %local
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %local BuiltIn LocalInvocationId
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
)" + decorations +
           R"(%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2uint = OpTypeVector %uint 2
%v3uint = OpTypeVector %uint 3
%v4uint = OpTypeVector %uint 4
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u64 = OpConstant %uint 64
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%ptr_block = OpTypePointer StorageBuffer %block
%data = OpVariable %ptr_block StorageBuffer
%ptr_in_uint = OpTypePointer Input %uint
%ptr_in_v3uint = OpTypePointer Input %v3uint
%id = OpVariable %ptr_in_uint Input
%local = OpVariable %ptr_in_v3uint Input
%ptr = OpTypePointer StorageBuffer %uint
%fn = OpTypeFunction %void
)" + declarations +
           R"(%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %id
%odd = OpBitwiseAnd %uint %i %u1
%is_odd = OpIEqual %bool %odd %u1
%place = OpAccessChain %ptr %data %u0 %i
%second_i = OpIAdd %uint %i %u64
%second = OpAccessChain %ptr %data %u0 %second_i
)" + body + "OpReturn\nOpFunctionEnd\n" +
           functions;
  }
};

std::vector<uint32_t> counted(size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t k = 0; k < count; ++k)
    words[k] = uint32_t(k * 2654435761u);
  return words;
}

std::vector<uint32_t> run(const Kernel &kernel) {
  return computedWords(computeOfAssembly(kernel.text()), counted(128));
}

// The first 64 words must be the same as the others. They must not all be equal.
void checkSame(const Kernel &kernel) {
  std::vector<uint32_t> after = run(kernel);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == after[i + 64]);
  CHECK(std::count(after.begin(), after.begin() + 64, after[0]) < 40);
}

// Two buffers of blocks with matrices of rows, and two images.
const char *const Matrices = "%matrix = OpTypeMatrix %v3float 2\n%laid = OpTypeStruct %uint %matrix\n"
                             "%blocks = OpTypeArray %laid %u2\n%ptr_blocks = OpTypePointer StorageBuffer %blocks\n"
                             "%matrices = OpVariable %ptr_blocks StorageBuffer\n"
                             "%ptr_laid = OpTypePointer StorageBuffer %laid\n"
                             "%ptr_matrix = OpTypePointer StorageBuffer %matrix\n"
                             "%ptr_column = OpTypePointer StorageBuffer %v3float\n"
                             "%ptr_float = OpTypePointer StorageBuffer %float\n"
                             "%column_fn = OpTypeFunction %ptr_laid %uint\n";
const char *const MatrixDecorations = "OpDecorate %laid Block\nOpMemberDecorate %laid 0 Offset 0\n"
                                      "OpMemberDecorate %laid 1 Offset 16\nOpMemberDecorate %laid 1 RowMajor\n"
                                      "OpMemberDecorate %laid 1 MatrixStride 16\nOpDecorate %matrices DescriptorSet 0\n"
                                      "OpDecorate %matrices Binding 1\n";
const char *const Images = "%image = OpTypeImage %uint 2D 0 0 0 2 R32ui\n"
                           "%ptr_image = OpTypePointer UniformConstant %image\n"
                           "%a = OpVariable %ptr_image UniformConstant\n%b = OpVariable %ptr_image UniformConstant\n"
                           "%image_fn = OpTypeFunction %image %uint\n";
const char *const ImageDecorations = "OpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 1\n"
                                     "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 2\n";
// %chosen is the image that was chosen.
const char *const CompareImages = "%xy = OpCompositeConstruct %v2uint %i %u1\n"
                                  "%texel = OpImageRead %v4uint %chosen %xy\n%red = OpCompositeExtract %uint %texel 0\n"
                                  "OpStore %place %red\n%image_a = OpLoad %image %a\n%image_b = OpLoad %image %b\n"
                                  "%texel_a = OpImageRead %v4uint %image_a %xy\n"
                                  "%texel_b = OpImageRead %v4uint %image_b %xy\n"
                                  "%red_a = OpCompositeExtract %uint %texel_a 0\n"
                                  "%red_b = OpCompositeExtract %uint %texel_b 0\n"
                                  "%expected = OpSelect %uint %is_odd %red_a %red_b\nOpStore %second %expected\n";

// A kernel that chooses an image by a function of %flag, from %ra and %rb, or from arrays of two images; its first
// variables are %v and %w, of such arrays, and %single.
Kernel choosing(const std::string &body) {
  return {"", ImageDecorations,
          std::string(Images) + "%pair = OpTypeArray %image %u2\n%ptr_pair = OpTypePointer Function %pair\n"
                                "%ptr_local = OpTypePointer Function %image\n%pair_fn = OpTypeFunction %image %pair\n"
                                "%set_fn = OpTypeFunction %void %ptr_local\n",
          "%chosen = OpFunctionCall %image %choose %odd\n" + std::string(CompareImages),
          "%choose = OpFunction %image None %image_fn\n%flag = OpFunctionParameter %uint\n%begin = OpLabel\n"
          "%v = OpVariable %ptr_pair Function\n%w = OpVariable %ptr_pair Function\n"
          "%single = OpVariable %ptr_local Function\n%is = OpIEqual %bool %flag %u1\n"
          "%ra = OpLoad %image %a\n%rb = OpLoad %image %b\n" +
              body};
}

} // namespace

TEST_CASE("selected pointers to matrices of several descriptors know how these are laid out") {
  checkSame(
      {"", MatrixDecorations, Matrices,
       "%m0 = OpAccessChain %ptr_matrix %matrices %u0 %u1\n%m1 = OpAccessChain %ptr_matrix %matrices %u1 %u1\n"
       "%m = OpSelect %ptr_matrix %is_odd %m0 %m1\n%row = OpUMod %uint %i %u3\n"
       "%element = OpAccessChain %ptr_float %m %u1 %row\n%f = OpLoad %float %element\n"
       "%bits = OpBitcast %uint %f\nOpStore %place %bits\n"
       "%whole0 = OpLoad %matrix %m0\n%whole1 = OpLoad %matrix %m1\n%column0 = OpCompositeExtract %v3float %whole0 1\n"
       "%column1 = OpCompositeExtract %v3float %whole1 1\n%f0 = OpVectorExtractDynamic %float %column0 %row\n"
       "%f1 = OpVectorExtractDynamic %float %column1 %row\n%g = OpSelect %float %is_odd %f0 %f1\n"
       "%expected = OpBitcast %uint %g\nOpStore %second %expected\n"});
}

TEST_CASE("a pointer to a column of a matrix of rows that comes out of a branch") {
  checkSame({"", MatrixDecorations, Matrices,
             "%c0 = OpAccessChain %ptr_column %matrices %u0 %u1 %u0\n"
             "%c1 = OpAccessChain %ptr_column %matrices %u0 %u1 %u1\n"
             "OpSelectionMerge %end None\nOpBranchConditional %is_odd %then %end\n%then = OpLabel\nOpBranch %end\n"
             "%end = OpLabel\n%c = OpPhi %ptr_column %c0 %then %c1 %entry\n%v = OpLoad %v3float %c\n"
             "%row = OpUMod %uint %i %u3\n%f = OpVectorExtractDynamic %float %v %row\n%bits = OpBitcast %uint %f\n"
             "OpStore %place %bits\n%v0 = OpLoad %v3float %c0\n%v1 = OpLoad %v3float %c1\n"
             "%f0 = OpVectorExtractDynamic %float %v0 %row\n%f1 = OpVectorExtractDynamic %float %v1 %row\n"
             "%g = OpSelect %float %is_odd %f0 %f1\n%expected = OpBitcast %uint %g\nOpStore %second %expected\n"});
}

TEST_CASE("pointers to columns of several layouts are refused") {
  Kernel kernel = {"",
                   std::string(MatrixDecorations) + "OpDecorate %columns ArrayStride 16\nOpDecorate %other Block\n"
                                                    "OpMemberDecorate %other 0 Offset 0\n"
                                                    "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n",
                   std::string(Matrices) + "%columns = OpTypeRuntimeArray %v3float\n%other = OpTypeStruct %columns\n"
                                           "%ptr_other = OpTypePointer StorageBuffer %other\n"
                                           "%more = OpVariable %ptr_other StorageBuffer\n",
                   "%c0 = OpAccessChain %ptr_column %matrices %u0 %u1 %u0\n"
                   "%c1 = OpAccessChain %ptr_column %more %u0 %u1\n%c = OpSelect %ptr_column %is_odd %c0 %c1\n"
                   "%v = OpLoad %v3float %c\n"};
  CHECK(compileError(computeOfAssembly(kernel.text()))
            .find("a variable pointer to vectors of several layouts is not supported") != std::string::npos);
}

TEST_CASE("a pointer that moves round a loop") {
  std::vector<uint32_t> after =
      run({"", "OpDecorate %ptr ArrayStride 4\n", "",
           "%start = OpAccessChain %ptr %data %u0 %u64\nOpBranch %head\n%head = OpLabel\n"
           "%p = OpPhi %ptr %start %entry %q %next\n%k = OpPhi %uint %u0 %entry %l %next\n"
           "%sum = OpPhi %uint %u0 %entry %more %next\nOpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n"
           "%goes = OpULessThan %bool %k %i\nOpBranchConditional %goes %next %end\n%next = OpLabel\n"
           "%value = OpLoad %uint %p\n%more = OpIAdd %uint %sum %value\n%q = OpPtrAccessChain %ptr %p %u1\n"
           "%l = OpIAdd %uint %k %u1\nOpBranch %head\n%end = OpLabel\nOpStore %place %sum\n"});
  const std::vector<uint32_t> before = counted(128);
  uint32_t sum = 0;
  for (unsigned i = 0; i < 64; sum += before[64 + i], ++i)
    CHECK(after[i] == sum);
}

TEST_CASE("an image that a function returns from several places") {
  checkSame({"", ImageDecorations, Images,
             "%chosen = OpFunctionCall %image %choose %odd\n" + std::string(CompareImages),
             "%choose = OpFunction %image None %image_fn\n%flag = OpFunctionParameter %uint\n%begin = OpLabel\n"
             "%is = OpIEqual %bool %flag %u1\nOpSelectionMerge %otherwise None\n"
             "OpBranchConditional %is %yes %otherwise\n%yes = OpLabel\n%ra = OpLoad %image %a\nOpReturnValue %ra\n"
             "%otherwise = OpLabel\n%rb = OpLoad %image %b\nOpReturnValue %rb\nOpFunctionEnd\n"});
}

TEST_CASE("an array of images is put together, and indexed in a variable") {
  checkSame(choosing("%both = OpCompositeConstruct %pair %rb %ra\nOpStore %v %both\n"
                     "%at = OpAccessChain %ptr_local %v %flag\n%r = OpLoad %image %at\nOpReturnValue %r\n"
                     "OpFunctionEnd\n"));
}

TEST_CASE("images are inserted into an undefined array, which is given to a function by value") {
  checkSame(choosing("%none = OpUndef %pair\n%one = OpCompositeInsert %pair %ra %none 1\n"
                     "%both = OpCompositeInsert %pair %rb %one 0\n%c = OpCompositeExtract %image %one 1\n"
                     "%turned = OpCompositeConstruct %pair %c %rb\nOpSelectionMerge %end None\n"
                     "OpBranchConditional %is %yes %no\n%yes = OpLabel\n"
                     "%x = OpFunctionCall %image %second_of %both\nOpReturnValue %x\n%no = OpLabel\n"
                     "%y = OpFunctionCall %image %second_of %turned\nOpReturnValue %y\n%end = OpLabel\n"
                     "OpUnreachable\nOpFunctionEnd\n"
                     "%second_of = OpFunction %image None %pair_fn\n%given = OpFunctionParameter %pair\n"
                     "%first = OpLabel\n%part = OpCompositeExtract %image %given 1\nOpReturnValue %part\n"
                     "OpFunctionEnd\n"));
}

TEST_CASE("a variable of an image is stored to several times") {
  checkSame(choosing("OpStore %single %rb\nOpSelectionMerge %end None\nOpBranchConditional %is %yes %end\n"
                     "%yes = OpLabel\nOpStore %single %ra\nOpBranch %end\n%end = OpLabel\n"
                     "%r = OpLoad %image %single\nOpReturnValue %r\nOpFunctionEnd\n"));
}

TEST_CASE("a function stores an image through a pointer to a variable") {
  checkSame(choosing("OpStore %single %rb\nOpSelectionMerge %end None\nOpBranchConditional %is %yes %end\n"
                     "%yes = OpLabel\n%nothing = OpFunctionCall %void %set %single\nOpBranch %end\n%end = OpLabel\n"
                     "%r = OpLoad %image %single\nOpReturnValue %r\nOpFunctionEnd\n"
                     "%set = OpFunction %void None %set_fn\n%to = OpFunctionParameter %ptr_local\n"
                     "%first = OpLabel\n%la = OpLoad %image %a\nOpStore %to %la\nOpReturn\nOpFunctionEnd\n"));
}

TEST_CASE("elements of an array of images are stored one by one, and the array is copied") {
  checkSame(choosing("%at0 = OpAccessChain %ptr_local %v %u0\nOpStore %at0 %rb\n"
                     "%at1 = OpAccessChain %ptr_local %v %u1\nOpStore %at1 %ra\nOpCopyMemory %w %v\n"
                     "OpStore %at1 %rb\n%at = OpAccessChain %ptr_local %w %flag\n%r = OpLoad %image %at\n"
                     "OpReturnValue %r\nOpFunctionEnd\n"));
}

TEST_CASE("an array of images comes out of a branch") {
  checkSame(choosing("%there = OpCompositeConstruct %pair %ra %rb\n%back = OpCompositeConstruct %pair %rb %ra\n"
                     "OpSelectionMerge %end None\nOpBranchConditional %is %yes %end\n%yes = OpLabel\n"
                     "OpBranch %end\n%end = OpLabel\n%both = OpPhi %pair %there %yes %back %begin\n"
                     "%r = OpCompositeExtract %image %both 0\nOpReturnValue %r\nOpFunctionEnd\n"));
}

TEST_CASE("undefined images and pointers harm nothing that does not depend on them") {
  std::vector<uint32_t> after =
      run({"", ImageDecorations, Images,
           "%chosen = OpUndef %image\n%undefined = OpUndef %ptr\n"
           "%nowhere = OpSelect %ptr %is_odd %undefined %place\n%xy = OpCompositeConstruct %v2uint %i %u1\n"
           "%texel = OpImageRead %v4uint %chosen %xy\n%red = OpCompositeExtract %uint %texel 0\n"
           "%value = OpLoad %uint %nowhere\n%both = OpIAdd %uint %red %value\n%low = OpBitwiseAnd %uint %both %u0\n"
           "%result = OpIAdd %uint %low %i\nOpStore %place %result\nOpStore %second %both\n"});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == i);
}

TEST_CASE("pointers to inputs, whole and to a component, are arguments") {
  std::vector<uint32_t> after = run(
      {"", "", "%sum_fn = OpTypeFunction %uint %ptr_in_v3uint %ptr_in_uint\n",
       "%x = OpAccessChain %ptr_in_uint %local %u0\n%sum = OpFunctionCall %uint %add %local %x\nOpStore %place %sum\n",
       "%add = OpFunction %uint None %sum_fn\n%all = OpFunctionParameter %ptr_in_v3uint\n"
       "%one = OpFunctionParameter %ptr_in_uint\n%begin = OpLabel\n%v = OpLoad %v3uint %all\n"
       "%w = OpLoad %uint %one\n%vx = OpCompositeExtract %uint %v 0\n%vy = OpCompositeExtract %uint %v 1\n"
       "%s = OpIAdd %uint %vx %w\n%t = OpIAdd %uint %s %vy\nOpReturnValue %t\nOpFunctionEnd\n"});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == 2 * i);
}

TEST_CASE("an array of very many descriptors is indexed like a small one") {
  ShaderSet shaders = computeOf("GL_EXT_nonuniform_qualifier",
                                "layout(set = 1, binding = 3) uniform U { uint value; } many[500000];"
                                "layout(set = 2, binding = 0, r32ui) uniform uimage2D images[70000];",
                                "data[i] = many[nonuniformEXT(data[i])].value + "
                                "imageLoad(images[nonuniformEXT(data[i])], ivec2(0)).x;");
  CHECK(compileError(shaders) == "");
}

TEST_CASE("the difference of pointers is counted in elements of the array that they were indexed into") {
  const Kernel kernel = {"",
                         "OpDecorate %row ArrayStride 4\nOpDecorate %rows ArrayStride 16\nOpDecorate %table Block\n"
                         "OpMemberDecorate %table 0 Offset 0\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 1\n",
                         "%u4 = OpConstant %uint 4\n%row = OpTypeArray %uint %u4\n%rows = OpTypeRuntimeArray %row\n"
                         "%table = OpTypeStruct %rows\n%ptr_table = OpTypePointer StorageBuffer %table\n"
                         "%t = OpVariable %ptr_table StorageBuffer\n%ptr_row = OpTypePointer StorageBuffer %row\n",
                         "%third = OpAccessChain %ptr %data %u0 %u3\n%words_between = OpPtrDiff %uint %place %third\n"
                         "%row_i = OpAccessChain %ptr_row %t %u0 %i\n%row_1 = OpAccessChain %ptr_row %t %u0 %u1\n"
                         "%rows_between = OpPtrDiff %uint %row_1 %row_i\n"
                         "OpStore %place %words_between\nOpStore %second %rows_between\n",
                         ""};
  std::string text = kernel.text(); // OpPtrDiff came with version 1.4, in which an entry point lists all variables
  text.replace(text.find("%id %local\n"), 10, "%id %local %data %t");
  std::vector<uint32_t> after = computedWords(computeOfAssembly(text), counted(128));
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(after[i] == i - 3);
    CHECK(after[i + 64] == 1 - i);
  }
}

TEST_CASE("variables of void and of empty structures take no room") {
  std::vector<uint32_t> after =
      run({"", "",
           "%empty = OpTypeStruct\n%ptr_void = OpTypePointer Function %void\n"
           "%ptr_private_void = OpTypePointer Private %void\n%nowhere = OpVariable %ptr_private_void Private\n"
           "%ptr_empty = OpTypePointer Function %empty\n",
           "%called = OpFunctionCall %void %nothing\nOpStore %place %i\n",
           "%nothing = OpFunction %void None %fn\n%begin = OpLabel\n%v = OpVariable %ptr_void Function\n"
           "%w = OpVariable %ptr_empty Function\n%c = OpCompositeConstruct %empty\nOpStore %w %c\n"
           "OpReturn\nOpFunctionEnd\n"});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == i);
}
