// SPDX-License-Identifier: MIT
//
// Transform feedback on GFX8 and GFX9: the program stores the vertices, and the fixed function says where. It gives a
// wave the number of its first vertex in the buffers (StreamoutWriteIndex). It also gives the number of the wave's
// lanes whose vertex still fits into all buffers (StreamoutConfig[22:16]), and, for each buffer, where this draw's
// vertices begin (StreamoutOffset, in dwords). Lanes are vertices in the order in which primitives need them. Mesa's
// radeonsi relies on this (si_shader_llvm_vs.c); PAL calls the fields by the names used here.
//
// The driver's buffer descriptors are PAL's: their stride is a vertex's, so stores are indexed by vertices. On GFX8
// they add the lane to the index (ADD_TID_ENABLE; PAL, gfx6UniversalCmdBuffer.cpp, CmdBindStreamOutTargets). On GFX9
// code adds it, as "a structured buffer load/store with ADD_TID_ENABLE is an invalid combination for the HW"
// (gfx9UniversalCmdBuffer.cpp). Stores are typed (MTBUF): where the lane is added, untyped stores take the descriptor's
// data format, which PAL sets, for stride bits (Mesa, si_shader_llvm_gs.c). LLPC stores in the same way
// (PatchInOutImportExport.cpp, storeValueToStreamOutBuffer).
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/output_dword.h"
#include "src/state/format_table.h"
#include <algorithm>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <tuple>

using namespace llvm;
using dovetail::ValueKind;
using dovetail::XfbInterface;
using dovetail::XfbOutput;

namespace lgc {

namespace {

constexpr unsigned VertexCountShift = 16, VertexCountMask = 0x7f; // of StreamoutConfig

// The operand `format` of llvm.amdgcn.struct.tbuffer.store: [3:0] BUF_DATA_FORMAT, [6:4] BUF_NUM_FORMAT. Integers store
// all bits unchanged.
unsigned storeFormat(size_t dwords) {
  using dovetail::BufferDataFormat;
  constexpr BufferDataFormat dataFormats[] = {BufferDataFormat::Format32, BufferDataFormat::Format32_32,
                                              BufferDataFormat::Format32_32_32, BufferDataFormat::Format32_32_32_32};
  return unsigned(dataFormats[dwords - 1]) | unsigned(dovetail::BufferNumFormat::Uint) << 4;
}

Value *joinDwords(IRBuilderBase &builder, ArrayRef<Value *> dwords) {
  if (dwords.size() == 1)
    return dwords[0];
  Value *vector = PoisonValue::get(FixedVectorType::get(dwords[0]->getType(), dwords.size()));
  for (auto [i, dword] : enumerate(dwords))
    vector = builder.CreateInsertElement(vector, dword, i);
  return vector;
}

} // namespace

XfbInterface capturedOutputs(const ResourceUsage &usage) {
  XfbInterface xfb = usage.xfb;
  std::erase_if(xfb.outputs, [&](const XfbOutput &captured) {
    OutputComponent place = *outputOf({captured.slot, captured.component});
    auto found = usage.outputs.find(place.output);
    return found == usage.outputs.end() || !(found->second.componentMask >> place.component & 1);
  });
  return xfb;
}

void writeTransformFeedback(IRBuilderBase &builder, const dovetail::TargetInfo &target, const XfbInterface &xfb,
                            unsigned stream, OutputReader valueOf) {
  std::vector<XfbOutput> outputs;
  std::ranges::copy_if(xfb.outputs, std::back_inserter(outputs),
                       [&](const XfbOutput &output) { return output.stream == stream; });
  if (outputs.empty())
    return;
  std::ranges::sort(outputs, {}, [](const XfbOutput &output) { return std::tuple(output.buffer, output.offset); });
  SmallVector<Value *, 16> values;
  for (const XfbOutput &output : outputs) {
    OutputComponent place = *outputOf({output.slot, output.component});
    values.push_back(valueOf(place.output, place.component));
  }

  Value *allOnes = builder.getInt32(~0u);
  Value *lane = builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {allOnes, builder.getInt32(0)});
  lane = builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {allOnes, lane});
  Value *count = builder.CreateLShr(hardwareDword(builder, ValueKind::StreamoutConfig), VertexCountShift);
  Value *isWritten = builder.CreateICmpULT(lane, builder.CreateAnd(count, VertexCountMask));
  Instruction *behind = &*builder.GetInsertPoint();
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(isWritten, behind, /*Unreachable=*/false));
  Value *vertex = hardwareDword(builder, ValueKind::StreamoutWriteIndex);
  if (!target.xfbBuffersAddLane)
    vertex = builder.CreateAdd(vertex, lane);

  Value *descriptor = nullptr, *drawStart = nullptr; // of the buffer
  for (size_t first = 0, end; first < outputs.size(); first = end) {
    unsigned buffer = outputs[first].buffer;
    if (first == 0 || outputs[first - 1].buffer != buffer) {
      descriptor = loadStreamoutBuffer(builder, buffer);
      drawStart = builder.CreateShl(hardwareDword(builder, ValueKind::StreamoutOffset, buffer), 2);
    }
    // One store takes up to four neighbours.
    auto isNeighbour = [&](size_t at) {
      return outputs[at].buffer == buffer && outputs[at].offset == outputs[first].offset + (at - first) * 4;
    };
    for (end = first + 1; end < outputs.size() && end < first + 4 && isNeighbour(end);)
      ++end;
    Value *value = joinDwords(builder, ArrayRef<Value *>(values).slice(first, end - first));
    builder.CreateIntrinsic(Intrinsic::amdgcn_struct_tbuffer_store, {value->getType()},
                            {value, descriptor, vertex, builder.getInt32(outputs[first].offset), drawStart,
                             builder.getInt32(storeFormat(end - first)),
                             builder.getInt32(GloballyCoherent | StreamOnce)});
  }
  builder.SetInsertPoint(behind);
}

} // namespace lgc
