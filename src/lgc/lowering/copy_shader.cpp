// SPDX-License-Identifier: MIT
//
// The copy shader is the Vs program that runs after a geometry shader. A lane is a vertex that was emitted. v0 says
// where the vertex lies in the GSVS ring (lower_geometry.cpp): the dword offset of its dword 0. The hardware has added
// the wave's part, the stream's part, the lane and the vertex's number to it. The vertex's further dwords follow at
// constant distances, because the ring is not swizzled for the reader.
//
// A wave has the vertices of one stream. Vertices of stream 0 are exported; those of other streams go to transform
// feedback only, and export nothing. StreamoutConfig[25:24] tells which stream it is; without transform feedback the
// hardware runs no waves of other streams. Source: si_generate_gs_copy_shader in Mesa's si_shader_llvm_gs.c.
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/output_dword.h"
#include <algorithm>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::GeometryInterface;
using dovetail::GeometryOutputDword;
using dovetail::ShaderInterface;
using dovetail::ValueKind;
using dovetail::XfbOutput;

namespace lgc {

namespace {

constexpr unsigned RingLanes = 16; // the dwords of so many lanes lie side by side
constexpr unsigned StreamShift = 24, StreamMask = 3;

using VertexValues = std::map<std::pair<OutputSlot, unsigned>, Value *>;

// Loads all dwords of a vertex of a stream, as floats.
VertexValues loadVertex(IRBuilderBase &builder, const GeometryInterface &geometry, unsigned stream, Value *ring,
                        Value *offset) {
  VertexValues values;
  unsigned number = 0;
  for (const GeometryOutputDword &dword : geometry.outputs) {
    if (dword.stream != stream)
      continue;
    unsigned distance = number++ * geometry.maxVertices * RingLanes * 4;
    OutputComponent place = *outputOf({dword.slot, dword.component});
    values[{place.output, place.component}] =
        builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, {builder.getFloatTy()},
                                {ring, builder.CreateAdd(offset, builder.getInt32(distance)), builder.getInt32(0),
                                 builder.getInt32(GloballyCoherent | StreamOnce)});
  }
  return values;
}

} // namespace

ResourceUsage copyShaderUsage(const GeometryInterface &geometry) {
  ResourceUsage usage;
  for (const GeometryOutputDword &dword : geometry.outputs) {
    if (dword.stream != 0)
      continue;
    if (std::optional<OutputComponent> place = outputOf({dword.slot, dword.component}))
      usage.outputs[place->output].componentMask |= 1u << place->component;
  }
  return usage;
}

dovetail::Result<Function *> buildCopyShader(Module &module, const dovetail::TargetInfo &target,
                                             const ShaderInterface &geometryShader, const ResourceUsage &usage,
                                             const InterShaderData &otherStages, ShaderInterface &interface) {
  const GeometryInterface &geometry = geometryShader.geometry;
  for (const GeometryOutputDword &dword : geometry.outputs)
    if (!outputOf({dword.slot, dword.component}) || dword.stream >= dovetail::MaxVertexStreams)
      return dovetail::makeError(dovetail::ErrorCode::InvalidInput,
                                 "a geometry shader hands on component {} of slot {}, stream {}, which do not exist",
                                 dword.component, dword.slot, dword.stream);
  interface.preRaster.xfb = geometryShader.preRaster.xfb;

  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, "copy", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *ring = loadGlobalEntry(builder, GlobalTableEntry::CopyRingIn);
  Value *offset = builder.CreateShl(hardwareDword(builder, ValueKind::VertexId), 2);

  // Streams that a wave may have. A stream without captured outputs has no waves.
  auto isCaptured = [&](unsigned stream) {
    return any_of(interface.preRaster.xfb.outputs, [&](const XfbOutput &output) { return output.stream == stream; });
  };
  SmallVector<unsigned, 4> others;
  for (unsigned stream = 1; stream < dovetail::MaxVertexStreams; ++stream)
    if (isCaptured(stream))
      others.push_back(stream);

  BasicBlock *end = BasicBlock::Create(context, "end", function);
  BasicBlock *rasterised = BasicBlock::Create(context, "stream0", function, end);
  SwitchInst *streams = nullptr;
  if (others.empty()) {
    builder.CreateBr(rasterised);
  } else {
    Value *stream = builder.CreateLShr(hardwareDword(builder, ValueKind::StreamoutConfig), StreamShift);
    streams = builder.CreateSwitch(builder.CreateAnd(stream, StreamMask), end, others.size() + 1);
    streams->addCase(builder.getInt32(0), rasterised);
  }
  auto copyStream = [&](unsigned stream, BasicBlock *block) -> dovetail::Result<void> {
    builder.SetInsertPoint(block);
    builder.SetInsertPoint(builder.CreateBr(end));
    VertexValues values = loadVertex(builder, geometry, stream, ring, offset);
    auto valueOf = [&](OutputSlot output, unsigned component) -> Value * {
      auto found = values.find({output, component});
      return found == values.end() ? PoisonValue::get(builder.getFloatTy()) : found->second;
    };
    writeTransformFeedback(builder, target, interface.preRaster.xfb, stream, valueOf);
    if (stream == 0)
      DOVETAIL_CHECK(exportVertex(builder, target, usage, valueOf, nullptr, otherStages, interface.preRaster));
    return {};
  };
  DOVETAIL_CHECK(copyStream(0, rasterised));
  for (unsigned stream : others) {
    BasicBlock *block = BasicBlock::Create(context, "stream" + Twine(stream), function, end);
    streams->addCase(builder.getInt32(stream), block);
    DOVETAIL_CHECK(copyStream(stream, block));
  }
  ReturnInst::Create(context, end);
  return function;
}

} // namespace lgc
