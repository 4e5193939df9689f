// SPDX-License-Identifier: MIT
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "parts/kinds/passed_registers.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

constexpr unsigned VertexCount = 6;

Register vgpr(size_t index) {
  return {RegisterBank::Vgpr, uint16_t(index)};
}

} // namespace

std::optional<GeometryPrologKey> makeGeometryPrologKey(const ShaderInterface &main, bool tessellated,
                                                       const PipelineState &state, std::string_view gpuName) {
  if (tessellated || !state.flatProvokingVertexLast ||
      state.topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY ||
      main.geometry.input != GeometryInput::TrianglesAdjacency)
    return std::nullopt;
  return GeometryPrologKey{std::string(gpuName), passedSgprs(main)};
}

PartKey GeometryPrologKey::partKey() const {
  return {PartKind::GeometryProlog, hashKey(*this)};
}

std::string GeometryPrologKey::describe() const {
  return "triangle strip with adjacency";
}

Contract GeometryPrologKey::contract() const {
  Contract contract;
  std::span<const ValueName> vgprs = entryVgprs(HardwareStage::Gs);
  for (size_t i = 0; i != vgprs.size(); ++i) {
    // It only passes on the invocation's number; whether it is there is for the main part to say.
    if (vgprs[i].kind != ValueKind::GsInvocationId)
      contract.inputs.push_back({vgprs[i], vgpr(i)});
    contract.outputs.push_back({vgprs[i], vgpr(i)});
  }
  contract.preservedSgprs = sgprCount;
  return contract;
}

llvm::Function *emitGeometryProlog(llvm::Module &module, const GeometryPrologKey &key, std::string_view name) {
  using namespace llvm;
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 32> types(key.sgprCount, Type::getInt32Ty(context));
  types.append(GeometryVgprCount, Type::getFloatTy(context));
  auto *type = FunctionType::get(StructType::get(context, types), types, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, StringRef(name.data(), name.size()), module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  for (unsigned i = 0; i != key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);

  // Where the vertices are among the arguments.
  unsigned places[VertexCount] = {};
  unsigned primitiveIdPlace = 0;
  std::span<const ValueName> vgprs = entryVgprs(HardwareStage::Gs);
  for (unsigned i = 0; i != vgprs.size(); ++i) {
    if (vgprs[i].kind == ValueKind::GsVertexOffset)
      places[vgprs[i].index] = key.sgprCount + i;
    else if (vgprs[i].kind == ValueKind::GsPrimitiveId)
      primitiveIdPlace = key.sgprCount + i;
  }

  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  SmallVector<Value *, 32> results;
  for (Argument &argument : function->args())
    results.push_back(&argument);
  Value *primitiveId = builder.CreateBitCast(function->getArg(primitiveIdPlace), builder.getInt32Ty());
  Value *isOdd = builder.CreateTrunc(primitiveId, builder.getInt1Ty());
  for (unsigned i = 0; i != VertexCount; ++i)
    results[places[i]] =
        builder.CreateSelect(isOdd, function->getArg(places[(i + 4) % VertexCount]), function->getArg(places[i]));
  Value *result = PoisonValue::get(function->getReturnType());
  for (unsigned i = 0; i != results.size(); ++i)
    result = builder.CreateInsertValue(result, results[i], i);
  builder.CreateRet(result);
  return function;
}

} // namespace dovetail
