// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

using namespace dovetail::test;

namespace {

// A compute shader with %block as the variable of a block type %B.
Assembly withBlock(std::string types, std::string decorations, std::string body,
                   std::string storage = "StorageBuffer") {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.decorations = "OpDecorate %B Block\n" + decorations;
  if (storage != "PushConstant")
    assembly.decorations += "OpDecorate %block DescriptorSet 1\nOpDecorate %block Binding 2\n";
  assembly.declarations = types + "%ptr_B = OpTypePointer " + storage + " %B\n%block = OpVariable %ptr_B " + storage +
                          "\n%ptr_float = OpTypePointer " + storage + " %float\n%ptr_int = OpTypePointer " + storage +
                          " %int\n%ptr_vec = OpTypePointer " + storage + " %v3float\n";
  assembly.body = std::move(body);
  return assembly;
}

constexpr char MatrixTypes[] = "%mat = OpTypeMatrix %v3float 2\n%B = OpTypeStruct %v4float %mat\n";
constexpr char MatrixDecorations[] = "OpMemberDecorate %B 0 Offset 0\nOpMemberDecorate %B 1 Offset 16\n"
                                     "OpMemberDecorate %B 1 MatrixStride 16\n";

// Constant byte offsets of a kind of access to set 1, binding 2.
template <typename T> std::vector<uint64_t> offsets(Translated &translated) {
  std::vector<uint64_t> found;
  for (T *access : translated.all<T>()) {
    auto *desc = llvm::dyn_cast<lgc::LoadBufferDescOp>(access->desc());
    if (!desc || desc->set() != 1)
      continue;
    CHECK(desc->binding() == 2);
    auto *offset = llvm::dyn_cast<llvm::ConstantInt>(access->byteOffset());
    found.push_back(offset ? offset->getZExtValue() : ~0ull);
  }
  return found;
}

using Offsets = std::vector<uint64_t>;

} // namespace

TEST_CASE("a column-major matrix is loaded column by column") {
  Assembly assembly = withBlock(MatrixTypes, std::string(MatrixDecorations) + "OpMemberDecorate %B 1 ColMajor\n",
                                "%place = OpAccessChain %ptr_mat %block %int_1\n%m = OpLoad %mat %place\n");
  assembly.declarations += "%ptr_mat = OpTypePointer StorageBuffer %mat\n";
  Translated loaded(assembly);
  CHECK(loaded.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(loaded) == Offsets{16, 32});
}

TEST_CASE("a row-major matrix is loaded row by row, its column component by component") {
  std::string decorations = std::string(MatrixDecorations) + "OpMemberDecorate %B 1 RowMajor\n";
  Assembly whole =
      withBlock(MatrixTypes, decorations, "%place = OpAccessChain %ptr_mat %block %int_1\n%m = OpLoad %mat %place\n");
  whole.declarations += "%ptr_mat = OpTypePointer StorageBuffer %mat\n";
  Translated loaded(whole);
  CHECK(loaded.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(loaded) == Offsets{16, 32, 48});
  for (auto *load : loaded.all<lgc::BufferLoadOp>()) {
    auto *desc = llvm::cast<lgc::LoadBufferDescOp>(load->desc());
    if (desc->set() == 1)
      CHECK(load->getType() == llvm::FixedVectorType::get(llvm::Type::getFloatTy(load->getContext()), 2));
  }

  Translated column(withBlock(MatrixTypes, decorations,
                              "%place = OpAccessChain %ptr_vec %block %int_1 %int_1\n%v = OpLoad %v3float %place\n"
                              "OpStore %place %v\n"));
  CHECK(column.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(column) == Offsets{20, 36, 52});
  CHECK(offsets<lgc::BufferStoreOp>(column) == Offsets{20, 36, 52});

  Translated element(
      withBlock(MatrixTypes, decorations,
                "%place = OpAccessChain %ptr_float %block %int_1 %int_1 %int_2\n%v = OpLoad %float %place\n"));
  CHECK(element.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(element) == Offsets{52});
}

TEST_CASE("nested arrays of structures are stored member by member at their strides") {
  Assembly assembly =
      withBlock("%S = OpTypeStruct %v3float %float\n%arr = OpTypeArray %S %uint_2\n%B = OpTypeStruct %arr\n",
                "OpMemberDecorate %S 0 Offset 0\nOpMemberDecorate %S 1 Offset 12\n"
                "OpDecorate %arr ArrayStride 32\nOpMemberDecorate %B 0 Offset 8\n",
                "%place = OpAccessChain %ptr_arr %block %int_0\n%v = OpLoad %arr %place\nOpStore %place %v\n");
  assembly.declarations += "%ptr_arr = OpTypePointer StorageBuffer %arr\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(translated) == Offsets{8, 20, 40, 52});
  CHECK(offsets<lgc::BufferStoreOp>(translated) == Offsets{8, 20, 40, 52});
}

TEST_CASE("a runtime array is addressed by its stride and measured from its start") {
  Translated translated(
      withBlock("%arr = OpTypeRuntimeArray %float\n%B = OpTypeStruct %int %arr\n",
                "OpDecorate %arr ArrayStride 4\nOpMemberDecorate %B 0 Offset 0\nOpMemberDecorate %B 1 Offset 4\n",
                "%place = OpAccessChain %ptr_float %block %int_1 %int_3\n%v = OpLoad %float %place\n"
                "%length = OpArrayLength %uint %block 1\n%first = OpAccessChain %ptr_int %block %int_0\n"
                "%as_int = OpBitcast %int %length\nOpStore %first %as_int\n"));
  CHECK(translated.error() == "");
  CHECK(offsets<lgc::BufferLoadOp>(translated) == Offsets{16});
  CHECK(translated.all<lgc::BufferLengthOp>().size() == 1);
}

TEST_CASE("only uniform blocks, and storage blocks when none can be written, are read-only") {
  auto isReadOnly = [](std::string storage, std::string more) {
    Translated translated(withBlock("%B = OpTypeStruct %float\n", "OpMemberDecorate %B 0 Offset 0\n" + more,
                                    "%place = OpAccessChain %ptr_float %block %int_0\n%v = OpLoad %float %place\n",
                                    storage));
    CHECK(translated.error() == "");
    bool readOnly = false;
    for (auto *load : translated.all<lgc::BufferLoadOp>()) {
      if (llvm::cast<lgc::LoadBufferDescOp>(load->desc())->set() == 1)
        readOnly = (load->flags() & lgc::ReadOnly) != 0;
    }
    return readOnly;
  };
  CHECK(isReadOnly("Uniform", ""));
  CHECK_FALSE(isReadOnly("StorageBuffer", ""));
  CHECK_FALSE(isReadOnly("StorageBuffer", "OpMemberDecorate %B 0 NonWritable\n")); // %in may be written
  CHECK(isReadOnly("StorageBuffer", "OpMemberDecorate %B 0 NonWritable\nOpDecorate %in NonWritable\n"));
}

TEST_CASE("push constants are read at their offsets") {
  Translated translated(withBlock(
      "%B = OpTypeStruct %float %v3float\n", "OpMemberDecorate %B 0 Offset 0\nOpMemberDecorate %B 1 Offset 16\n",
      "%place = OpAccessChain %ptr_vec %block %int_1\n%v = OpLoad %v3float %place\n", "PushConstant"));
  CHECK(translated.error() == "");
  auto *load = translated.only<lgc::LoadPushConstantOp>();
  REQUIRE(load);
  CHECK(llvm::cast<llvm::ConstantInt>(load->byteOffset())->getZExtValue() == 16);
}

TEST_CASE("an element of an array of blocks is an index of the descriptor load") {
  Assembly assembly =
      withBlock("%B = OpTypeStruct %float\n%three = OpTypeArray %B %uint_3\n"
                "%ptr_three = OpTypePointer Uniform %three\n%blocks = OpVariable %ptr_three Uniform\n",
                "OpMemberDecorate %B 0 Offset 0\nOpDecorate %blocks DescriptorSet 0\n"
                "OpDecorate %blocks Binding 5\n",
                "%place = OpAccessChain %ptr_float %blocks %int_2 %int_0\n%v = OpLoad %float %place\n", "Uniform");
  Translated translated(assembly);
  CHECK(translated.error() == "");
  uint64_t index = 0;
  for (auto *desc : translated.all<lgc::LoadBufferDescOp>()) {
    if (desc->binding() == 5)
      index = llvm::cast<llvm::ConstantInt>(desc->index())->getZExtValue();
  }
  CHECK(index == 2);
}

TEST_CASE("bools are words in memory") {
  Assembly assembly;
  assembly.declarations = "%arr = OpTypeArray %bool %uint_2\n"
                          "%true = OpConstantTrue %bool\n%both = OpConstantComposite %arr %true %true\n";
  assembly.declarations += "%ptr_private = OpTypePointer Private %arr\n%v = OpVariable %ptr_private Private %both\n"
                           "%ptr_bool = OpTypePointer Private %bool\n";
  assembly.body = "%i = OpCompositeExtract %int %n 0\n%b = OpAccessChain %ptr_bool %v %i\nOpStore %b %true\n"
                  "%l = OpLoad %arr %v\nOpStore %v %l\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  auto *variable = translated.only<llvm::AllocaInst>();
  REQUIRE(variable);
  CHECK(variable->getAllocatedType()->getArrayElementType()->isIntegerTy(32));
}

TEST_CASE("a constant array goes to constant memory") {
  Assembly assembly;
  assembly.declarations =
      "%uint_8 = OpConstant %uint 8\n%arr = OpTypeArray %float %uint_8\n%ptr_arr = OpTypePointer Private %arr\n"
      "%table = OpConstantComposite %arr %float_0 %float_1 %float_0 %float_1 %float_0 %float_1 %float_0 %float_1\n"
      "%v = OpVariable %ptr_arr Private %table\n%ptr_element = OpTypePointer Private %float\n";
  assembly.body = "%i = OpCompositeExtract %int %n 0\n%e = OpAccessChain %ptr_element %v %i\n%l = OpLoad %float %e\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.intrinsics("llvm.memcpy") == 1);
}

TEST_CASE("a zero array is set, not copied") {
  Assembly assembly;
  assembly.declarations =
      "%uint_8 = OpConstant %uint 8\n%arr = OpTypeArray %float %uint_8\n%ptr_arr = OpTypePointer Private %arr\n"
      "%zero = OpConstantNull %arr\n%v = OpVariable %ptr_arr Private %zero\n%ptr_element = OpTypePointer Private "
      "%float\n";
  assembly.body = "%i = OpCompositeExtract %int %n 0\n%e = OpAccessChain %ptr_element %v %i\n%l = OpLoad %float %e\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.intrinsics("llvm.memset") == 1);
  CHECK(translated.intrinsics("llvm.memcpy") == 0);
}

TEST_CASE("a selected buffer pointer is a descriptor and an offset") {
  Assembly assembly =
      withBlock("%arr = OpTypeRuntimeArray %float\n%B = OpTypeStruct %arr\n",
                "OpDecorate %arr ArrayStride 4\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %ptr_float ArrayStride 4\n",
                "%a = OpAccessChain %ptr_float %block %int_0 %int_1\n"
                "%b = OpAccessChain %ptr_float %block %int_0 %int_4\n"
                "%n1 = OpCompositeExtract %int %n 0\n%c = OpSGreaterThan %bool %n1 %int_0\n"
                "%s = OpSelect %ptr_float %c %a %b\n%t = OpPtrAccessChain %ptr_float %s %int_2\n"
                "%v = OpLoad %float %t\nOpStore %s %v\n");
  assembly.capabilities = "OpCapability VariablePointersStorageBuffer\n";
  assembly.extensions = "OpExtension \"SPV_KHR_variable_pointers\"\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::SelectInst>().size() == 1);
  CHECK(translated.all<lgc::BufferStoreOp>().size() == 1);
}

TEST_CASE("a buffer address is an integer") {
  std::vector<uint32_t> words = assembleText(R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpExtension "SPV_KHR_physical_storage_buffer"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %push Block
OpMemberDecorate %push 0 Offset 8
OpDecorate %node Block
OpMemberDecorate %node 0 Offset 0
OpMemberDecorate %node 1 Offset 12
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
OpTypeForwardPointer %ptr_node PhysicalStorageBuffer
%node = OpTypeStruct %ptr_node %uint
%ptr_node = OpTypePointer PhysicalStorageBuffer %node
%ptr_ptr = OpTypePointer PhysicalStorageBuffer %ptr_node
%ptr_uint = OpTypePointer PhysicalStorageBuffer %uint
%push = OpTypeStruct %ptr_node
%ptr_push = OpTypePointer PushConstant %push
%ptr_push_node = OpTypePointer PushConstant %ptr_node
%constants = OpVariable %ptr_push PushConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%place = OpAccessChain %ptr_push_node %constants %int_0
%first = OpLoad %ptr_node %place
%next_place = OpAccessChain %ptr_ptr %first %int_0
%next = OpLoad %ptr_node %next_place Aligned 8
%value_place = OpAccessChain %ptr_uint %next %int_1
%value = OpLoad %uint %value_place Aligned 4
OpStore %value_place %value Aligned 4
OpReturn
OpFunctionEnd
)");
  dovetail::spirv::TranslateOptions options;
  options.stage = lgc::ShaderStage::Compute;
  Translated translated(words, options);
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::LoadInst>().size() == 2);
  CHECK(translated.all<llvm::StoreInst>().size() == 1);
}
