// SPDX-License-Identifier: MIT
#include "tests/merge/image_by_hand.h"
#include "merge/steps.h"
#include <algorithm>
#include <doctest/doctest.h>

namespace dovetail::test {

namespace {

constexpr uint32_t GlobalTableData = 0x10000000;
constexpr uint32_t VertexBufferTableData = 0x1000000f;
constexpr uint32_t StreamoutTableData = 0x1000000c;

Usage usageOf(uint16_t sgprs, uint16_t vgprs) {
  Usage usage;
  usage.sgprs = sgprs;
  usage.vgprs = vgprs;
  return usage;
}

} // namespace

std::vector<PipelineKind> allPipelineKinds() {
  return {{"VS PS, GFX8", true, false, false},           {"VS PS, GFX9", false, false, false},
          {"LS HS VS PS, GFX8", true, true, false},      {"LS-HS VS PS, GFX9", false, true, false},
          {"ES GS VS PS, GFX8", true, false, true},      {"ES-GS VS PS, GFX9", false, false, true},
          {"LS HS ES GS VS PS, GFX8", true, true, true}, {"LS-HS ES-GS VS PS, GFX9", false, true, true},
          {"CS, GFX8", true, false, false, true},        {"CS, GFX9", false, false, false, true}};
}

ImageByHand::ImageByHand(const PipelineKind &kind) {
  target = *findTarget(kind.isGfx8 ? "gfx803" : "gfx900");
  if (kind.isCompute) {
    addCompute();
    return;
  }
  if (kind.hasTessellation)
    addTessellation(kind);
  if (kind.hasGeometry)
    addGeometry(kind);
  addVertex(kind);
  addPixel();
}

ShaderInterface &ImageByHand::addInterface(HardwareStage stage, VertexSource source) {
  ShaderInterface &interface = m_interfaces.emplace_back();
  interface.hardwareStage = stage;
  interface.source = source;
  return interface;
}

ImageStage &ImageByHand::add(HardwareStage stage, Usage usage, std::vector<uint32_t> userData) {
  ImageStage &added = image.stages.emplace_back();
  added.stage = stage;
  added.usage = usage;
  added.userSgprCount = uint8_t(userData.size());
  std::ranges::copy(userData, added.userDataMap.begin());
  return added;
}

// 3 control points in, 4 out, 16 patches to a group.
void ImageByHand::addTessellation(const PipelineKind &kind) {
  ShaderInterface &ls = addInterface(HardwareStage::Ls, VertexSource::Vertex);
  ShaderInterface &hs = addInterface(HardwareStage::Hs, VertexSource::Vertex);
  hs.tessellation.outputVertices = 4;
  if (kind.isGfx8) {
    ImageStage &first = add(HardwareStage::Ls, usageOf(20, 10), {GlobalTableData, VertexBufferTableData, 0});
    first.interface = &ls;
    first.vgprCompCount = 1;
    add(HardwareStage::Hs, usageOf(40, 20), {GlobalTableData, 5}).interface = &hs;
  } else {
    ImageStage &merged = add(HardwareStage::Hs, usageOf(40, 20), {GlobalTableData, VertexBufferTableData, 0, 5});
    merged.interface = &hs;
    merged.firstInterface = &ls;
    merged.vgprCompCount = 1;
    merged.firstVgprCompCount = 1;
  }
  image.tessellation = TessellationLayout{.inputControlPoints = 3,
                                          .outputControlPoints = 4,
                                          .patchesPerGroup = 16,
                                          .lsVertexStride = 64,
                                          .ldsPatchStride = 120,
                                          .outputBase = 3072,
                                          .offchipPatchBase = 4096,
                                          .ldsBytes = 4992,
                                          .offchipBytes = 8192};
  image.tessellationMode.primitive = TessPrimitive::Triangles;
  image.tessellationMode.spacing = TessSpacing::FractionalOdd;
  image.tessellationMode.vertexOrder = TessVertexOrder::CounterClockwise;
}

// Two streams, of 5 dwords and of 1; at most 200 vertices; two invocations.
void ImageByHand::addGeometry(const PipelineKind &kind) {
  VertexSource source = kind.hasTessellation ? VertexSource::TessEval : VertexSource::Vertex;
  ShaderInterface &es = addInterface(HardwareStage::Es, source);
  ShaderInterface &gs = addInterface(HardwareStage::Gs, VertexSource::Vertex);
  GeometryInterface &geometry = gs.geometry;
  geometry.output = GeometryOutput::LineStrip;
  geometry.maxVertices = 200;
  geometry.invocations = 2;
  geometry.streamMask = 3;
  for (uint8_t component = 0; component < 4; ++component)
    geometry.outputs.push_back({0, component, 0});
  geometry.outputs.push_back({1, 0, 0});
  geometry.outputs.push_back({2, 0, 1});
  const uint8_t esVgprs = kind.hasTessellation ? 2 : 0;
  image.geometry = GeometryLayout{.esVertexStride = 48, .gsvsItemDwords = {1000, 200, 0, 0}};
  if (kind.isGfx8) {
    ImageStage &first = add(HardwareStage::Es, usageOf(20, 10), {GlobalTableData, 7});
    first.interface = &es;
    first.vgprCompCount = esVgprs;
    add(HardwareStage::Gs, usageOf(40, 20), {GlobalTableData}).interface = &gs;
  } else {
    ImageStage &merged = add(HardwareStage::Gs, usageOf(40, 20), {GlobalTableData, 7});
    merged.interface = &gs;
    merged.firstInterface = &es;
    merged.vgprCompCount = 4; // the fifth and sixth vertex
    merged.firstVgprCompCount = esVgprs;
    image.geometry->esVerticesPerGroup = 60;
    image.geometry->gsPrimitivesPerGroup = 20;
    image.geometry->gsInstancePrimitivesPerGroup = 40;
    image.geometry->ldsBytes = 62 * 48;
  }
}

void ImageByHand::addVertex(const PipelineKind &kind) {
  const bool isTessEval = kind.hasTessellation && !kind.hasGeometry;
  ShaderInterface &vs = addInterface(HardwareStage::Vs, isTessEval ? VertexSource::TessEval : VertexSource::Vertex);
  vs.preRaster.parameters = {{3, 0}};
  vs.preRaster.positionExports = 1;
  std::vector<uint32_t> userData = {GlobalTableData};
  uint8_t vgprCompCount = 0;
  if (isTessEval)
    vgprCompCount = 2;
  if (!kind.hasTessellation && !kind.hasGeometry)
    userData = {GlobalTableData, VertexBufferTableData, 0x10000003, 0x10000004};
  if (kind.hasGeometry) {
    userData = {GlobalTableData, StreamoutTableData};
    vs.preRaster.xfb.strides = {16, 0, 4, 0};
    vs.preRaster.xfb.bufferStream = {0, 0, 1, 0};
    vs.preRaster.xfb.outputs = {{0, 0, 0, 0, 12}, {2, 0, 2, 1, 0}};
  }
  ImageStage &stage = add(HardwareStage::Vs, usageOf(12, 8), userData);
  stage.interface = &vs;
  stage.vgprCompCount = vgprCompCount;
}

void ImageByHand::addPixel() {
  ShaderInterface &ps = addInterface(HardwareStage::Ps, VertexSource::Vertex);
  ps.fragment.inputs = {{3, false, false}};
  Usage usage = usageOf(18, 5);
  usage.psInputEna = usage.psInputAddr = 2;
  m_exports = FragmentExports{.colFormat = 4, .cbShaderMask = 0xf};
  ImageStage &stage = add(HardwareStage::Ps, usage, {GlobalTableData, 0x40000000});
  stage.interface = &ps;
  stage.fragmentExports = &m_exports;
}

void ImageByHand::addCompute() {
  ShaderInterface &cs = addInterface(HardwareStage::Cs, VertexSource::Vertex);
  cs.compute.workgroupSize = {8, 4, 2};
  cs.inputs = {{{ValueKind::WorkgroupId, 0}, {RegisterBank::Sgpr, 2}},
               {{ValueKind::WorkgroupId, 2}, {RegisterBank::Sgpr, 3}}};
  Usage usage = usageOf(30, 9);
  usage.ldsBytes = 1025;
  usage.scratchBytes = 16;
  ImageStage &stage = add(HardwareStage::Cs, usage, {GlobalTableData, 9});
  stage.interface = &cs;
  stage.vgprCompCount = 1;
}

ShaderInterface &ImageByHand::interfaceOf(HardwareStage stage) {
  for (ShaderInterface &interface : m_interfaces)
    if (interface.hardwareStage == stage)
      return interface;
  FAIL("no such interface");
  return m_interfaces[0];
}

ImageStage &ImageByHand::stageOf(HardwareStage stage) {
  for (ImageStage &each : image.stages)
    if (each.stage == stage)
      return each;
  FAIL("no such stage");
  return image.stages[0];
}

std::vector<RegisterValue> ImageByHand::registers() {
  image.registers.clear();
  writeRegisters(state, target, image);
  std::vector<RegisterValue> result(image.registers.begin(), image.registers.end());
  std::ranges::sort(result);
  return result;
}

uint32_t ImageByHand::at(uint32_t address) {
  std::vector<RegisterValue> all = registers();
  auto found = std::ranges::find(all, address, &RegisterValue::address);
  REQUIRE(found != all.end());
  return found->value;
}

} // namespace dovetail::test
