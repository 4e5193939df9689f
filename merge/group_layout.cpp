// SPDX-License-Identifier: MIT
//
// Sizes and limits are those of Mesa 22.3 (radeonsi: si_emit_derived_tess_state, gfx9_get_gs_info, si_shader_gs; names
// in the comments below). In LDS, each vertex has one dword more than its slots. Without it, the stride would be a
// multiple of four dwords, and lanes that read the same output of neighbouring vertices would collide in few banks.
#include "merge/group_layout.h"
#include "merge/image.h"
#include "merge/steps.h"
#include "src/abi/interface/interface_slots.h"
#include "src/abi/interface/tessellation.h"
#include "src/abi/sample_positions.h"
#include "src/base/enumerators.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr uint32_t MaxControlPoints = 32;
constexpr uint32_t MaxGroupThreads = 256;   // "the number of tcs in and out vertices per threadgroup are at most 256"
constexpr uint32_t MaxPatchesPerGroup = 64; // "higher numbers are slower"
constexpr uint32_t WaveLanes = 64;
constexpr uint32_t LdsLimit = 32 * 1024;      // "the maximum allowed LDS size is 32K. Higher numbers can hang"
constexpr uint32_t LdsTarget = 16 * 1024;     // two groups on a compute unit
constexpr uint32_t OffchipGroupBytes = 32768; // "tess_offchip_block_dw_size", 8192 dwords
constexpr uint32_t PaddingBytes = 4;

constexpr uint32_t EsGsLdsLimit = 32 * 1024; // bytes; "GS waves compete with other shader stages for LDS space"
constexpr uint32_t MaxEsVertices = 255;
constexpr uint32_t IdealGsPrimitives = 64;
constexpr uint32_t MaxGsPrimitives = 255;
constexpr uint32_t MaxRepeatedGsPrimitives = 127; // with adjacency, or of all invocations together
constexpr uint32_t MaxOutputPrimitives = 32 * 1024;
constexpr uint32_t MaxGsvsItemDwords = (1 << 15) - 1; // VGT_GSVS_RING_ITEMSIZE

// The number of slots up to the highest one that either side writes or reads.
uint32_t slotCount(SlotMask written, SlotMask read) {
  return uint32_t(std::bit_width(written | read));
}

uint32_t threadsOf(const TessellationLayout &layout) {
  return std::max(layout.inputControlPoints, layout.outputControlPoints);
}

// As many patches as fit into a group, but fewer if the last wave would have many idle lanes.
uint32_t choosePatches(const TessellationLayout &layout, uint32_t ldsPerPatch, uint32_t offchipPerPatch) {
  const uint32_t threads = threadsOf(layout);
  uint32_t patches = std::min(MaxGroupThreads / threads, MaxPatchesPerGroup);
  if (offchipPerPatch)
    patches = std::min(patches, OffchipGroupBytes / offchipPerPatch);
  if (ldsPerPatch)
    patches = std::min(patches, LdsTarget / ldsPerPatch);
  patches = std::max(patches, 1u); // a single patch may be larger than the target
  const uint32_t used = patches * threads;
  if (used > WaveLanes && WaveLanes - used % WaveLanes >= std::max(threads, 8u) && used % WaveLanes != 0)
    patches = used / WaveLanes * WaveLanes / threads;
  return patches;
}

template <typename Mode> bool contradict(Mode a, Mode b) {
  return a != Mode::Undeclared && b != Mode::Undeclared && a != b;
}

Result<void> checkModes(const ShaderInterface &control, const ShaderInterface &evaluation) {
  const TessellationInterface &a = control.tessellation, &b = evaluation.tessellation;
  const char *what = nullptr;
  if (contradict(a.primitive, b.primitive))
    what = "primitives";
  else if (contradict(a.spacing, b.spacing))
    what = "spacing";
  else if (contradict(a.vertexOrder, b.vertexOrder))
    what = "vertex order";
  if (what)
    return makeError(ErrorCode::StateMismatch,
                     "tessellation control and evaluation shader declare different {} of the tessellator", what);
  if (a.primitive == TessPrimitive::Undeclared && b.primitive == TessPrimitive::Undeclared)
    return makeError(ErrorCode::StateMismatch, "neither the tessellation control nor the evaluation shader declares "
                                               "whether patches are triangles, quads or isolines");
  if (a.outputVertices < 1 || a.outputVertices > MaxControlPoints)
    return makeError(ErrorCode::StateMismatch,
                     "the tessellation control shader makes patches of {} vertices, not 1 to {}", a.outputVertices,
                     MaxControlPoints);
  return {};
}

static_assert(std::size(VerticesOfInput) == enumeratorCount<GeometryInput>());

bool hasAdjacency(GeometryInput input) {
  return input == GeometryInput::LinesAdjacency || input == GeometryInput::TrianglesAdjacency;
}

// Chooses the size of ES-GS groups whose vertices lie in LDS.
Result<void> sizeEsGsGroup(const GeometryInterface &geometry, GeometryLayout &layout) {
  const uint32_t invocations = std::max<uint32_t>(geometry.invocations, 1);
  const uint32_t vertices = VerticesOfInput[size_t(geometry.input)];
  const bool repeats = hasAdjacency(geometry.input) || invocations > 1;
  uint32_t most = repeats ? MaxRepeatedGsPrimitives / invocations : MaxGsPrimitives;
  if (geometry.maxVertices)
    most = std::min(most, MaxOutputPrimitives / (geometry.maxVertices * invocations));
  if (most == 0)
    return makeError(ErrorCode::JoinRefused,
                     "a geometry shader of {} invocations with {} vertices each is too large for a group", invocations,
                     geometry.maxVertices);

  if (vertices * layout.esVertexStride > EsGsLdsLimit)
    return makeError(ErrorCode::JoinRefused,
                     "a primitive of {} vertices of {} bytes does not fit into the {} bytes of LDS of an ES-GS group",
                     vertices, layout.esVertexStride, EsGsLdsLimit);

  // The vertices of a primitive that its neighbours do not share: with adjacency, about half of them.
  const uint32_t ownVertices = hasAdjacency(geometry.input) ? vertices / 2 : vertices;
  auto verticesFor = [&](uint32_t primitives) {
    return std::max(std::min(ownVertices * primitives, MaxEsVertices), vertices);
  };
  uint32_t primitives = std::min(IdealGsPrimitives, most);
  if (verticesFor(primitives) * layout.esVertexStride > EsGsLdsLimit)
    primitives = std::clamp(EsGsLdsLimit / (layout.esVertexStride * ownVertices), 1u, most);
  const uint32_t ldsVertices = verticesFor(primitives);
  // A group ends when it has this many vertices, but the last primitive still gets all of its vertices.
  layout.esVerticesPerGroup = ldsVertices - (vertices - 1);
  layout.gsPrimitivesPerGroup = primitives;
  layout.gsInstancePrimitivesPerGroup = primitives * invocations;
  layout.ldsBytes = ldsVertices * layout.esVertexStride;
  return {};
}

} // namespace

Result<void> checkPatchControlPoints(uint32_t patchControlPoints) {
  if (patchControlPoints < 1 || patchControlPoints > MaxControlPoints)
    return makeError(ErrorCode::StateMismatch, "patches of {} control points; there can be 1 to {}", patchControlPoints,
                     MaxControlPoints);
  return {};
}

Result<TessellationLayout> layOutTessellation(const ShaderInterface &vertex, const ShaderInterface &control,
                                              const ShaderInterface &evaluation, uint32_t patchControlPoints) {
  DOVETAIL_CHECK(checkPatchControlPoints(patchControlPoints));
  DOVETAIL_CHECK(checkModes(control, evaluation));

  TessellationLayout layout;
  layout.inputControlPoints = patchControlPoints;
  layout.outputControlPoints = control.tessellation.outputVertices;
  if (const uint32_t slots = slotCount(vertex.outputSlots, control.inputSlots)) // otherwise, all is in registers
    layout.lsVertexStride = slots * SlotBytes + PaddingBytes;
  layout.ldsPatchStride = control.tessellation.ldsPatchStride;

  constexpr SlotMask FactorSlots = SlotMask(1) << TessLevelOuterSlot | SlotMask(1) << TessLevelInnerSlot;
  const uint32_t vertexSlots = slotCount(control.outputSlots, evaluation.inputSlots);
  const uint32_t patchSlots = slotCount(
      control.patchOutputSlots | (evaluation.tessellation.readsFactors ? FactorSlots : 0), evaluation.patchInputSlots);
  const uint32_t offchipPerPatch = (vertexSlots * layout.outputControlPoints + patchSlots) * SlotBytes;
  const uint32_t ldsPerPatch = layout.inputControlPoints * layout.lsVertexStride + layout.ldsPatchStride;
  if (offchipPerPatch > OffchipGroupBytes)
    return makeError(ErrorCode::JoinRefused, "a patch takes {} bytes of the off-chip buffer; a group has {}",
                     offchipPerPatch, OffchipGroupBytes);
  if (ldsPerPatch > LdsLimit)
    return makeError(ErrorCode::JoinRefused, "a patch takes {} bytes of LDS; a group has {}", ldsPerPatch, LdsLimit);

  const uint32_t patches = choosePatches(layout, ldsPerPatch, offchipPerPatch);
  layout.patchesPerGroup = patches;
  layout.outputBase = patches * layout.inputControlPoints * layout.lsVertexStride;
  layout.offchipPatchBase = patches * vertexSlots * layout.outputControlPoints * SlotBytes;
  layout.ldsBytes = patches * ldsPerPatch;
  layout.offchipBytes = patches * offchipPerPatch;
  return layout;
}

Result<GeometryLayout> layOutGeometry(const ShaderInterface &es, const ShaderInterface &geometry, bool ringInLds) {
  GeometryLayout layout;
  const uint32_t slots = slotCount(es.outputSlots, geometry.inputSlots);
  if (ringInLds) {
    layout.esVertexStride = slots * SlotBytes + PaddingBytes;
    DOVETAIL_CHECK(sizeEsGsGroup(geometry.geometry, layout));
  } else {
    // Vertices without outputs take some of the ring as well (LLPC's config builders).
    layout.esVertexStride = std::max(slots, 1u) * SlotBytes;
  }
  uint32_t total = 0;
  for (const GeometryOutputDword &output : geometry.geometry.outputs)
    layout.gsvsItemDwords[output.stream] += geometry.geometry.maxVertices;
  for (uint32_t dwords : layout.gsvsItemDwords)
    total += dwords;
  if (total > MaxGsvsItemDwords)
    return makeError(ErrorCode::JoinRefused,
                     "a geometry shader's {} vertices take {} dwords of the GSVS ring; there is room for {}",
                     geometry.geometry.maxVertices, total, MaxGsvsItemDwords);
  return layout;
}

Result<uint32_t> linkConstantValue(const Image &image, LinkConstant constant) {
  if (constant == LinkConstant::SamplePattern) {
    if (image.findStage(HardwareStage::Ps))
      return samplePatternOffset(image.samples);
  } else if (constant == LinkConstant::EsVertexStride) {
    if (image.geometry)
      return image.geometry->esVertexStride;
  } else if (image.tessellation) {
    const TessellationLayout &layout = *image.tessellation;
    switch (constant) {
    case LinkConstant::LsVertexStride:
      return layout.lsVertexStride;
    case LinkConstant::PatchControlPoints:
      return layout.inputControlPoints;
    case LinkConstant::PatchesPerGroup:
      return layout.patchesPerGroup;
    case LinkConstant::TcsOutputBase:
      return layout.outputBase;
    case LinkConstant::TcsOutputVertices:
      return layout.outputControlPoints;
    case LinkConstant::OffchipPatchBase:
      return layout.offchipPatchBase;
    case LinkConstant::EsVertexStride:
    case LinkConstant::SamplePattern:
      break;
    }
  }
  if (unsigned(constant) >= LinkConstantCount)
    return makeError(ErrorCode::JoinRefused, "a part refers to link constant {}, which does not exist",
                     unsigned(constant));
  return makeError(ErrorCode::JoinRefused, "a part refers to {}, but the image has no stages that decide it",
                   symbolOf(constant));
}

Result<void> layOutGroups(const PipelineState &state, const TargetInfo &target, Image &image) {
  if (image.findStage(HardwareStage::Ps) && !state.multisampleDisable)
    image.samples = std::max(state.rasterizationSamples, 1u);
  if (image.findStage(HardwareStage::Hs)) {
    const ShaderInterface *evaluation = image.findInterface(HardwareStage::Es);
    if (!evaluation)
      evaluation = image.findInterface(HardwareStage::Vs);
    const ShaderInterface &control = *image.findInterface(HardwareStage::Hs);
    image.tessellation = DOVETAIL_TRY(
        layOutTessellation(*image.findInterface(HardwareStage::Ls), control, *evaluation, state.patchControlPoints));
    image.tessellationMode = combineTessellation(control.tessellation, evaluation->tessellation);
  }
  if (image.findStage(HardwareStage::Gs))
    image.geometry = DOVETAIL_TRY(layOutGeometry(*image.findInterface(HardwareStage::Es),
                                                 *image.findInterface(HardwareStage::Gs), target.hasMergedStages));
  return {};
}

} // namespace dovetail
