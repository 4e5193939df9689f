// SPDX-License-Identifier: MIT
//
// Geometry lowering.
//
// ES to GS: the ESGS ring. GFX9 has it in LDS, one vertex behind the other. An ES lane's vertex is number Es2GsOffset +
// lane of the group, and GsVertexOffset counts dwords from the start of the LDS. GFX8 has it in memory, swizzled: a
// wave's part begins at Es2GsOffset, and in this part the same dword of all 64 vertices lies together. GsVertexOffset
// leads to the first dword of a vertex, and each further one is 64 dwords on.
//
// GS to copy shader: the GSVS ring, in memory. Each wave has a part for each stream. In it, dword d of vertex k of a
// lane is at item (d * maxVertices + k), swizzled so that the same item of 16 lanes lies together. The descriptors are
// made here from the ring's base, because the sizes are the shader's own. The fixed function reads no data. The shader
// tells it with s_sendmsg that the active lanes have finished a vertex or a strip; it numbers the vertices itself, and
// launches copy shaders after GS_DONE. LLVM waits for all stores before that message (SIInsertWaitcnts.cpp), and so
// does Mesa's ACO.
//
// Vertices beyond maxVertices have no effect. Only transform feedback reads an output of a stream other than 0.
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/output_dword.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::GeometryInterface;
using dovetail::GeometryOutputDword;
using dovetail::makeError;
using dovetail::MaxVertexStreams;
using dovetail::ShaderInterface;
using dovetail::SlotBytes;
using dovetail::SlotMask;
using dovetail::ValueKind;
using dovetail::XfbOutput;

namespace lgc {

namespace {

constexpr unsigned PrivateSpace = 5;
constexpr unsigned WaveLanes = 64;
constexpr unsigned MaxSlots = sizeof(SlotMask) * 8;

Value *laneNumber(IRBuilderBase &builder) {
  Value *allOnes = builder.getInt32(~0u);
  Value *low = builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {allOnes, builder.getInt32(0)});
  return builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {allOnes, low});
}

void storeToBuffer(IRBuilderBase &builder, Value *value, Value *descriptor, Value *offset, Value *scalarOffset,
                   unsigned policy) {
  builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {value->getType()},
                          {value, descriptor, offset, scalarOffset, builder.getInt32(policy)});
}

// The place of an output that a GS can read of a vertex. Layer and viewport index have no effect in stages before the
// last.
std::optional<VertexDword> esDwordOf(OutputSlot output, unsigned component) {
  if (output.kind == OutputKind::Layer || output.kind == OutputKind::ViewportIndex)
    return std::nullopt;
  return vertexDwordOf(output, component);
}

class GeometryLowering {
public:
  GeometryLowering(Function &function, const PipelineState &state, ShaderInterface &interface,
                   const OutputValues &outputs)
      : m_function(function), m_state(state), m_usage(state.usage()), m_interface(interface),
        m_geometry(interface.geometry), m_outputs(outputs), m_builder(function.getContext()) {}

  dovetail::Result<void> run() {
    for (Instruction &instruction : instructions(m_function)) {
      if (auto *input = dyn_cast<GeometryInputOp>(&instruction))
        m_inputs.push_back(input);
      else if (auto *vertex = dyn_cast<SendVertexOp>(&instruction))
        m_vertices.push_back(vertex);
      else if (auto *cut = dyn_cast<SendCutOp>(&instruction))
        m_cuts.push_back(cut);
    }
    DOVETAIL_CHECK(describe());
    for (GeometryInputOp *input : m_inputs)
      lowerInput(*input);
    for (SendVertexOp *vertex : m_vertices)
      lowerVertex(*vertex);
    for (SendCutOp *cut : m_cuts)
      lowerCut(*cut);
    endWave();
    return {};
  }

private:
  dovetail::Result<void> describe();
  void lowerInput(GeometryInputOp &input);
  void lowerVertex(SendVertexOp &vertex);
  void lowerCut(SendCutOp &cut);
  void endWave();

  unsigned streamOf(OutputSlot output, unsigned component) const {
    auto found = m_usage.outputStreams.find({output, component});
    return found == m_usage.outputStreams.end() ? 0 : found->second;
  }
  ArrayRef<GeometryOutputDword> outputsOf(unsigned stream) const;
  // Bytes that a lane takes in a stream's part of the ring.
  unsigned strideOf(unsigned stream) const {
    return static_cast<unsigned>(outputsOf(stream).size()) * m_geometry.maxVertices * 4;
  }
  Value *ringOf(unsigned stream);
  AllocaInst *counterOf(unsigned stream);
  void setToEntry();
  void sendMessage(unsigned message);

  Function &m_function;
  const PipelineState &m_state;
  const ResourceUsage &m_usage;
  ShaderInterface &m_interface;
  GeometryInterface &m_geometry;
  const OutputValues &m_outputs;
  IRBuilder<> m_builder;
  SmallVector<GeometryInputOp *, 16> m_inputs;
  SmallVector<SendVertexOp *, 16> m_vertices;
  SmallVector<SendCutOp *, 8> m_cuts;
  std::array<Value *, MaxVertexStreams> m_rings = {};
  std::array<AllocaInst *, MaxVertexStreams> m_counters = {};
  Value *m_ringIn = nullptr; // GFX8
};

// Fills in the interface, which includes the layout of the ring.
dovetail::Result<void> GeometryLowering::describe() {
  const GeometryShaderMode &mode = m_state.shaderModes().geometry;
  m_geometry.input = mode.input;
  m_geometry.output = mode.output;
  m_geometry.maxVertices = static_cast<uint16_t>(mode.maxVertices);
  m_geometry.invocations = static_cast<uint8_t>(mode.invocations);
  m_geometry.usesPrimitiveId = m_usage.uses(ValueKind::GsPrimitiveId);
  m_geometry.usesInvocationId = m_usage.uses(ValueKind::GsInvocationId);
  m_geometry.streamMask = 0;
  for (SendVertexOp *vertex : m_vertices)
    m_geometry.streamMask |= 1u << vertex->stream();
  constexpr unsigned maxVertices = 1024, maxInvocations = 127; // VGT_GS_MAX_VERT_OUT; VGT_GS_INSTANCE_CNT.CNT
  if (mode.maxVertices > maxVertices || mode.invocations == 0 || mode.invocations > maxInvocations)
    return makeError(ErrorCode::InvalidInput,
                     "a geometry shader of up to {} vertices and {} invocations; the hardware has {} and {}",
                     mode.maxVertices, mode.invocations, maxVertices, maxInvocations);

  auto isEmitted = [&](unsigned stream) { return m_geometry.streamMask >> stream & 1; };
  auto isCaptured = [&](VertexDword dword) {
    return any_of(m_usage.xfb.outputs, [&](const XfbOutput &output) {
      return output.slot == dword.slot && output.component == dword.component;
    });
  };
  for (auto &[output, usage] : m_usage.outputs) {
    for (unsigned component = 0; component < 8; ++component) {
      if (!(usage.componentMask >> component & 1))
        continue;
      std::optional<VertexDword> dword = vertexDwordOf(output, component);
      unsigned stream = streamOf(output, component);
      if (dword && isEmitted(stream) && (stream == 0 || isCaptured(*dword)))
        m_geometry.outputs.push_back(
            {static_cast<uint8_t>(dword->slot), static_cast<uint8_t>(dword->component), static_cast<uint8_t>(stream)});
    }
  }
  std::ranges::sort(m_geometry.outputs, {}, [](const GeometryOutputDword &dword) {
    return std::tuple(dword.stream, dword.slot, dword.component);
  });
  unsigned total = 0;
  for (unsigned stream = 0; stream < MaxVertexStreams; ++stream)
    total += strideOf(stream) / 4;
  constexpr unsigned maxStride = (1u << 14) - 1, maxItem = (1u << 15) - 1; // of a V#; VGT_GSVS_RING_ITEMSIZE
  for (unsigned stream = 0; stream < MaxVertexStreams; ++stream)
    if (strideOf(stream) > maxStride || total > maxItem)
      return makeError(ErrorCode::Unsupported, "a geometry shader of {} vertices with {} dwords of outputs",
                       mode.maxVertices, m_geometry.outputs.size());

  // The copy shader captures the outputs that it gets.
  m_interface.preRaster.xfb = m_usage.xfb;
  std::erase_if(m_interface.preRaster.xfb.outputs, [&](const XfbOutput &output) {
    return none_of(m_geometry.outputs, [&](const GeometryOutputDword &dword) {
      return std::tuple(dword.slot, dword.component, dword.stream) ==
             std::tuple(output.slot, output.component, output.stream);
    });
  });
  return {};
}

void GeometryLowering::setToEntry() {
  BasicBlock &entry = m_function.getEntryBlock();
  m_builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
}

void GeometryLowering::lowerInput(GeometryInputOp &input) {
  auto *constantOffset = dyn_cast<ConstantInt>(input.dwordOffset());
  unsigned first = input.slot(), count = input.slotCount();
  unsigned dword = first * 4 + input.component();
  if (constantOffset) {
    dword += static_cast<unsigned>(constantOffset->getZExtValue());
    first = dword / 4;
    count = 1;
  }
  for (unsigned slot = first; slot < std::min(first + count, MaxSlots); ++slot)
    m_interface.inputSlots |= SlotMask(1) << slot;

  bool isInLds = m_state.targetInfo().hasMergedStages;
  if (!isInLds && !m_ringIn) {
    setToEntry();
    m_ringIn = loadGlobalEntry(m_builder, GlobalTableEntry::GsRingIn);
  }
  m_builder.SetInsertPoint(&input);
  unsigned dwordBytes = isInLds ? 4 : WaveLanes * 4; // to the next dword of the same vertex
  Value *address = m_builder.CreateShl(input.vertexOffset(), 2);
  if (!constantOffset)
    address = m_builder.CreateAdd(address, m_builder.CreateMul(input.dwordOffset(), m_builder.getInt32(dwordBytes)));
  address = m_builder.CreateAdd(address, m_builder.getInt32(dword * dwordBytes));
  Value *value;
  if (isInLds) {
    value = m_builder.CreateAlignedLoad(m_builder.getInt32Ty(), ldsPointer(m_builder, address, 0), Align(4));
  } else {
    value = m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_raw_buffer_load, {m_builder.getInt32Ty()},
        {m_ringIn, address, m_builder.getInt32(0), m_builder.getInt32(GloballyCoherent | StreamOnce)});
  }
  input.replaceAllUsesWith(value);
  input.eraseFromParent();
}

ArrayRef<GeometryOutputDword> GeometryLowering::outputsOf(unsigned stream) const {
  auto range = std::ranges::equal_range(m_geometry.outputs, stream, {}, &GeometryOutputDword::stream);
  return ArrayRef<GeometryOutputDword>(m_geometry.outputs)
      .slice(range.begin() - m_geometry.outputs.begin(), range.size());
}

// The V# of a stream's part of the ring.
Value *GeometryLowering::ringOf(unsigned stream) {
  Value *&ring = m_rings[stream];
  if (ring)
    return ring;
  uint64_t streamBase = 0;
  for (unsigned before = 0; before < stream; ++before)
    streamBase += uint64_t(strideOf(before)) * WaveLanes;

  constexpr unsigned swizzleEnable = 1u << 31;                                         // word 1
  constexpr unsigned selectXyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9, floatFormat = 7 << 12; // word 3
  constexpr unsigned indexStride16 = 1 << 21, addTidEnable = 1 << 23;
  // GFX9 always swizzles elements of 4 bytes. With ADD_TID_ENABLE the data format is part of the stride.
  unsigned elementSize4 = m_state.targetInfo().gfxIp.major < 9 ? 1 << 19 : 0;

  setToEntry();
  Value *base = loadGlobalEntry(m_builder, GlobalTableEntry::GsRingOut);
  Value *low = m_builder.CreateExtractElement(base, uint64_t(0));
  Value *high = m_builder.CreateAnd(m_builder.CreateExtractElement(base, 1), 0xffff);
  if (streamBase) {
    Type *wide = m_builder.getInt64Ty();
    Value *address = m_builder.CreateShl(m_builder.CreateZExt(high, wide), 32);
    address = m_builder.CreateAdd(m_builder.CreateOr(address, m_builder.CreateZExt(low, wide)),
                                  m_builder.getInt64(streamBase));
    low = m_builder.CreateTrunc(address, m_builder.getInt32Ty());
    high = m_builder.CreateTrunc(m_builder.CreateLShr(address, 32), m_builder.getInt32Ty());
  }
  high = m_builder.CreateOr(high, swizzleEnable | strideOf(stream) << 16);
  ring = m_builder.CreateInsertElement(PoisonValue::get(base->getType()), low, uint64_t(0));
  ring = m_builder.CreateInsertElement(ring, high, 1);
  ring = m_builder.CreateInsertElement(ring, m_builder.getInt32(WaveLanes), 2);
  Value *format = m_builder.getInt32(selectXyzw | floatFormat | indexStride16 | addTidEnable | elementSize4);
  ring = m_builder.CreateInsertElement(ring, format, 3);
  return ring;
}

// The number of vertices that the lane has emitted to a stream.
AllocaInst *GeometryLowering::counterOf(unsigned stream) {
  AllocaInst *&counter = m_counters[stream];
  if (!counter) {
    BasicBlock &entry = m_function.getEntryBlock();
    m_builder.SetInsertPoint(&entry, entry.begin());
    counter = m_builder.CreateAlloca(m_builder.getInt32Ty(), PrivateSpace);
    setToEntry();
    m_builder.CreateStore(m_builder.getInt32(0), counter);
  }
  return counter;
}

// M0 names the wave.
void GeometryLowering::sendMessage(unsigned message) {
  m_builder.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {},
                            {m_builder.getInt32(message), hardwareDword(m_builder, ValueKind::GsWaveId)});
}

// "Vega" ISA manual, section 12.5.1: message [3:0], operation [5:4], stream [9:8].
enum GsMessage : unsigned { MessageGs = 2, MessageGsDone = 3, OperationCut = 1 << 4, OperationEmit = 2 << 4 };
constexpr unsigned MessageStreamShift = 8;

void GeometryLowering::lowerVertex(SendVertexOp &vertex) {
  unsigned stream = vertex.stream();
  ArrayRef<GeometryOutputDword> outputs = outputsOf(stream);
  // The hardware ignores streams of vertices without data.
  if (!outputs.empty()) {
    Value *ring = ringOf(stream);
    AllocaInst *counter = counterOf(stream);
    m_builder.SetInsertPoint(&vertex);
    Value *number = m_builder.CreateLoad(m_builder.getInt32Ty(), counter);
    m_builder.CreateStore(m_builder.CreateAdd(number, m_builder.getInt32(1)), counter);
    Value *isInLimit = m_builder.CreateICmpULT(number, m_builder.getInt32(m_geometry.maxVertices));
    m_builder.SetInsertPoint(SplitBlockAndInsertIfThen(isInLimit, &vertex, /*Unreachable=*/false));
    Value *waveOffset = hardwareDword(m_builder, ValueKind::Gs2VsOffset);
    Value *vertexOffset = m_builder.CreateShl(number, 2);
    for (auto [index, dword] : enumerate(outputs)) {
      OutputComponent output = *outputOf({dword.slot, dword.component});
      unsigned first = static_cast<unsigned>(index) * m_geometry.maxVertices * 4;
      Value *offset = m_builder.CreateAdd(vertexOffset, m_builder.getInt32(first));
      storeToBuffer(m_builder, m_outputs.valueOf(m_builder, output.output, output.component), ring, offset, waveOffset,
                    GloballyCoherent | StreamOnce | Swizzled);
    }
    sendMessage(MessageGs | OperationEmit | stream << MessageStreamShift);
  }
  vertex.eraseFromParent();
}

void GeometryLowering::lowerCut(SendCutOp &cut) {
  m_builder.SetInsertPoint(&cut);
  if (!outputsOf(cut.stream()).empty())
    sendMessage(MessageGs | OperationCut | cut.stream() << MessageStreamShift);
  cut.eraseFromParent();
}

void GeometryLowering::endWave() {
  for (BasicBlock &block : m_function)
    if (isa<ReturnInst>(block.getTerminator()))
      m_builder.SetInsertPoint(block.getTerminator());
  sendMessage(MessageGsDone);
}

} // namespace

void storeEsOutputs(IRBuilderBase &builder, const PipelineState &state, ShaderInterface &interface,
                    OutputReader valueOf) {
  bool isInLds = state.targetInfo().hasMergedStages;
  Value *ring = nullptr, *vertex = nullptr;
  Value *place = hardwareDword(builder, ValueKind::Es2GsOffset);
  if (isInLds) {
    Value *stride = linkConstant(builder, dovetail::LinkConstant::EsVertexStride);
    vertex = builder.CreateMul(builder.CreateAdd(place, laneNumber(builder)), stride);
  } else {
    ring = loadGlobalEntry(builder, GlobalTableEntry::EsRingOut);
  }
  for (auto &[output, usage] : state.usage().outputs) {
    for (unsigned component = 0; component < 8; ++component) {
      std::optional<VertexDword> dword = esDwordOf(output, component);
      if (!dword || !(usage.componentMask >> component & 1))
        continue;
      interface.outputSlots |= SlotMask(1) << dword->slot;
      Value *value = valueOf(output, component);
      Value *offset = builder.getInt32(dword->slot * SlotBytes + dword->component * 4);
      if (isInLds)
        builder.CreateAlignedStore(value, ldsPointer(builder, builder.CreateAdd(vertex, offset), 0), Align(4));
      else
        storeToBuffer(builder, value, ring, offset, place, GloballyCoherent | StreamOnce | Swizzled);
    }
  }
}

dovetail::Result<void> lowerGeometryShader(Function &function, const PipelineState &state, ShaderInterface &interface,
                                           const OutputValues &outputs) {
  return GeometryLowering(function, state, interface, outputs).run();
}

} // namespace lgc
