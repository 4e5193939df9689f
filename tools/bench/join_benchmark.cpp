// SPDX-License-Identifier: MIT
//
// Measures joining when all parts are in the cache. Each pipeline has a vertex and a fragment stage of two parts each,
// with code of about 1 KB and 9 KB (a small and a large pair), and pieces that are made on demand only. Any decoder
// accepts the code, but joining decodes nothing. Then it measures:
// - the merged programs of GFX9: a tessellated pipeline with a geometry shader, compiled once, whose parts are joined
//   again, and the glue of its LS+HS program, which is made again;
// - prologs and epilogs, made from a state;
// - registers as a driver emits them.
//
// A plain run prints medians.
#include "gfx9-merged/glue.h"
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "merge/join.h"
#include "merge/registers/register_runs.h"
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/around/fragment_epilog.h"
#include "parts/kinds/around/fragment_prolog.h"
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/kinds/around/tess_control_epilog.h"
#include "parts/kinds/around/vertex_prolog.h"
#include "tools/common/inputs/glsl.h"
#include "variants/bind/device.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <benchmark/benchmark.h>
#include <cstring>

using namespace dovetail;

namespace {

// `v_mov_b32_e32 v<to>, 0`, over and over, then `tail`.
std::vector<uint8_t> makeCode(size_t bytes, std::initializer_list<uint32_t> tail, unsigned registers) {
  std::vector<uint32_t> words;
  for (unsigned i = 0; words.size() + tail.size() < bytes / 4; ++i)
    words.push_back(0x7e000280 | ((i % registers) << 17));
  words.insert(words.end(), tail);
  std::vector<uint8_t> code(words.size() * 4);
  std::memcpy(code.data(), words.data(), code.size());
  return code;
}

Binding bind(ValueKind kind, uint8_t index, uint8_t component, RegisterBank bank, unsigned reg) {
  return {{kind, index, component}, {bank, uint16_t(reg)}};
}

constexpr uint32_t EndProgram = 0xbf810000;

// A vertex shader with four attributes and four parameters.
StageParts vertexStage(size_t mainBytes) {
  using enum ValueKind;
  Part prolog{};
  prolog.key.kind = PartKind::VertexProlog;
  prolog.code = makeCode(120, {}, 4);
  for (uint32_t i = 0; i < 30; ++i) { // v4..v19
    uint32_t word = 0x7e000280 | ((4 + i % 16) << 17);
    std::memcpy(&prolog.code[i * 4], &word, 4);
  }
  prolog.contract.inputs = {bind(VertexBufferTable, 0, 0, RegisterBank::Sgpr, 1),
                            bind(BaseVertex, 0, 0, RegisterBank::Sgpr, 2), bind(VertexId, 0, 0, RegisterBank::Vgpr, 0)};
  prolog.contract.preservedSgprs = 8;
  prolog.contract.preservedVgprs = 4;
  prolog.hazards.length = 5;
  prolog.usage = {.sgprs = 24, .vgprs = 20};

  Part main{};
  main.key.kind = PartKind::VertexMain;
  // exp pos0 v4, v5, v6, v7 done, then param0..3.
  std::vector<uint32_t> tail = {0xc40008cf, 0x07060504};
  for (uint32_t i = 0; i < 4; ++i)
    tail.insert(tail.end(), {0xc400020f + (i << 4), 0x07060504});
  main.code = makeCode(
      mainBytes, {tail[0], tail[1], tail[2], tail[3], tail[4], tail[5], tail[6], tail[7], tail[8], tail[9], EndProgram},
      20);
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Vs;
  interface.userSgprCount = 7;
  const ValueKind user[] = {GlobalTable,   VertexBufferTable, BaseVertex,  BaseInstance,
                            DescriptorSet, DescriptorSet,     PushConstant};
  for (unsigned i = 0; i < 7; ++i)
    interface.inputs.push_back(bind(user[i], i == 5 ? 1 : 0, 0, RegisterBank::Sgpr, i));
  interface.inputs.push_back(bind(ScratchOffset, 0, 0, RegisterBank::Sgpr, 7));
  for (unsigned i = 0; i < 16; ++i) {
    Binding attribute = bind(Attribute, uint8_t(i / 4), uint8_t(i % 4), RegisterBank::Vgpr, 4 + i);
    interface.inputs.push_back(attribute);
    prolog.contract.outputs.push_back(attribute);
  }
  interface.preRaster.parameters = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  interface.preRaster.positionExports = 1;
  main.contract.inputs = interface.inputs;
  main.contract.endsProgram = true;
  main.hazards.length = 5;
  main.usage = {.sgprs = 32, .vgprs = 24};
  main.interface = interface;

  StageParts stage;
  stage.stage = HardwareStage::Vs;
  stage.parts = {std::make_shared<const Part>(prolog), std::make_shared<const Part>(main)};
  return stage;
}

// A fragment shader with four inputs and one colour. The main part ends with a v_readfirstlane, so that the join really
// compares hazards.
StageParts fragmentStage(size_t mainBytes) {
  using enum ValueKind;
  Part main{};
  main.key.kind = PartKind::FragmentMain;
  main.code = makeCode(mainBytes, {}, 8);
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Ps;
  interface.userSgprCount = 4;
  interface.inputs = {
      bind(GlobalTable, 0, 0, RegisterBank::Sgpr, 0),   bind(AlphaReference, 0, 0, RegisterBank::Sgpr, 1),
      bind(DescriptorSet, 0, 0, RegisterBank::Sgpr, 2), bind(PushConstant, 0, 0, RegisterBank::Sgpr, 3),
      bind(PrimMask, 0, 0, RegisterBank::Sgpr, 4),      bind(ScratchOffset, 0, 0, RegisterBank::Sgpr, 5),
      bind(PerspCenter, 0, 0, RegisterBank::Vgpr, 0),   bind(PerspCenter, 0, 1, RegisterBank::Vgpr, 1)};
  interface.outputs = {bind(GlobalTable, 0, 0, RegisterBank::Sgpr, 0),
                       bind(AlphaReference, 0, 0, RegisterBank::Sgpr, 1)};
  for (unsigned i = 0; i < 4; ++i)
    interface.outputs.push_back(bind(Color, 0, uint8_t(i), RegisterBank::Vgpr, i));
  interface.fragment.inputs = {{0, false, false}, {1, false, false}, {2, false, false}, {3, true, false}};
  main.contract.inputs = interface.inputs;
  main.contract.outputs = interface.outputs;
  main.hazards.length = 5;
  for (uint16_t reg = 0; reg < 4; ++reg) // the last instructions write VGPRs
    main.hazards.pendingAtEnd.push_back(
        {isa::Hazard::ValuWritesVgprThenDppReadsIt, RegisterBank::Vgpr, reg, 1, uint8_t(reg / 2)});
  main.usage = {.sgprs = 32, .vgprs = 12, .psInputEna = 2, .psInputAddr = 2};
  main.interface = interface;

  Part epilog{};
  epilog.key.kind = PartKind::FragmentEpilog;
  // exp mrt0 v0, v1, v2, v3 done vm
  epilog.code = makeCode(12, {0xc400180f, 0x03020100, EndProgram}, 1);
  for (uint8_t i = 0; i < 4; ++i)
    epilog.contract.inputs.push_back(bind(Color, 0, i, RegisterBank::Vgpr, i));
  epilog.contract.endsProgram = true;
  epilog.hazards.length = 5;
  for (uint16_t reg = 0; reg < 4; ++reg)
    epilog.hazards.sensitiveAtStart.push_back(
        {isa::Hazard::WideVmemStoreThenValuWritesItsData, RegisterBank::Vgpr, reg, 1, 0});
  epilog.usage = {.sgprs = 8, .vgprs = 4};
  epilog.fragmentExports = FragmentExports{.colFormat = 9, .cbShaderMask = 0xf};

  StageParts stage;
  stage.stage = HardwareStage::Ps;
  stage.parts = {std::make_shared<const Part>(main), std::make_shared<const Part>(epilog)};
  return stage;
}

const TargetInfo &gfx900() {
  return *findTarget("gfx900");
}

// The argument is the bytes of code of both stages.
std::vector<StageParts> makeStages(const benchmark::State &state) {
  size_t half = size_t(state.range(0)) / 2;
  return {vertexStage(half - 120), fragmentStage(half - 12)};
}

ResourceLayoutRef tablesAndConstants() {
  using enum UserDataNodeType;
  return std::make_shared<const ResourceLayout>(
      UserDataNodes{{DescriptorTable, 0, 0, 0}, {DescriptorTable, 1, 0, 1}, {PushConstants, 0, 0, 2}});
}

void joinParts(benchmark::State &state) {
  std::vector<StageParts> stages = makeStages(state);
  PipelineState pipelineState;
  const ResourceLayoutRef layout = tablesAndConstants();
  size_t text = 0;
  for (auto _ : state) {
    auto image = join({stages, pipelineState, gfx900(), {}, layout});
    if (!image) {
      state.SkipWithError(image.error().text.c_str());
      return;
    }
    text = (*image)->textSize;
    benchmark::DoNotOptimize(image);
  }
  state.counters["text_bytes"] = double(text);
}

constexpr const char *VertexText = R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 shade;
void main() { gl_Position = position; shade = sqrt(position); }
)";
constexpr const char *ControlText = R"(#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 shadeOut[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  shadeOut[gl_InvocationID] = shade[gl_InvocationID];
  gl_TessLevelOuter = float[4](3.0, 3.0, 3.0, 3.0);
  gl_TessLevelInner = float[2](3.0, 3.0);
}
)";
constexpr const char *EvaluationText = R"(#version 450
layout(triangles) in;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 shadeOut;
void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                gl_TessCoord.z * gl_in[2].gl_Position;
  shadeOut = shade[0];
}
)";
constexpr const char *GeometryText = R"(#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 shadeOut;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    shadeOut = shade[i];
    EmitVertex();
  }
}
)";
constexpr const char *FragmentText = R"(#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = shade; }
)";

// LS+HS, ES+GS, the copy shader and PS.
struct MergedVariant {
  PipelineState state;
  VariantRef variant;
};

Result<MergedVariant> buildMerged(Device &device) {
  using lgc::ShaderStage;
  std::vector<ShaderRef> shaders;
  for (auto [stage, text] :
       {std::pair(ShaderStage::Vertex, VertexText), std::pair(ShaderStage::TessControl, ControlText),
        std::pair(ShaderStage::TessEval, EvaluationText), std::pair(ShaderStage::Geometry, GeometryText),
        std::pair(ShaderStage::Fragment, FragmentText)}) {
    auto modules = DOVETAIL_TRY(translateGlsl({{stage, "benchmark", text}}));
    shaders.push_back(DOVETAIL_TRY(createShader({"benchmark", modules.front(), "main", stage, {}})));
  }
  ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  MergedVariant merged{canonicalize(defaultState(set), set), nullptr};
  merged.variant = DOVETAIL_TRY(device.bind(set, merged.state));
  return merged;
}

void joinMerged(benchmark::State &state) {
  std::unique_ptr<Device> device = std::move(*Device::create("gfx900"));
  Result<MergedVariant> merged = buildMerged(*device);
  if (!merged) {
    state.SkipWithError(merged.error().text.c_str());
    return;
  }
  std::vector<StageParts> stages;
  const Image &image = *merged->variant->image;
  for (const ImageStage &stage : image.stages) {
    StageParts &parts = stages.emplace_back();
    parts.stage = stage.stage;
    for (unsigned index = 0; index < stage.partCount; ++index)
      parts.parts.push_back(image.parts[stage.firstPart + index].part);
  }
  for (auto _ : state) {
    auto joined = join({stages, merged->state, device->target(), {}, image.layout});
    if (!joined) {
      state.SkipWithError(joined.error().text.c_str());
      return;
    }
    benchmark::DoNotOptimize(joined);
  }
  state.counters["text_bytes"] = double(image.textSize);
  state.counters["parts"] = double(image.parts.size());
}

// Both pieces of glue of the LS+HS program.
void makeGlue(benchmark::State &state) {
  std::unique_ptr<Device> device = std::move(*Device::create("gfx900"));
  Result<MergedVariant> merged = buildMerged(*device);
  if (!merged) {
    state.SkipWithError(merged.error().text.c_str());
    return;
  }
  const Image &image = *merged->variant->image;
  const ImageStage &stage = *image.findStage(HardwareStage::Hs);
  std::vector<PartRef> halves[2];
  for (unsigned index = 0; index < stage.partCount; ++index)
    if (const PartRef &part = image.parts[stage.firstPart + index].part; part->key.kind != PartKind::Glue)
      halves[index > stage.secondHalf].push_back(part);
  unsigned instructions = 0;
  for (auto _ : state) {
    auto layout = layOutGlue(HardwareStage::Hs, halves[0], halves[1], device->target());
    const std::string_view gpuName = device->target().gpuName;
    auto first = makeGlue(makeGlueKey(*layout, GluePlace::BeforeFirstHalf, gpuName));
    auto second = makeGlue(makeGlueKey(*layout, GluePlace::BetweenHalves, gpuName));
    if (!first || !second) {
      state.SkipWithError("no glue");
      return;
    }
    instructions = (*first)->instructionCount + (*second)->instructionCount;
  }
  state.counters["instructions"] = double(instructions);
}

// Makes a vertex prolog from the state: so many attributes of four formats.
void makeVertexProlog(benchmark::State &state) {
  constexpr VkFormat Formats[] = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                  VK_FORMAT_R32G32_SFLOAT};
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Vs;
  main.userSgprCount = 5;
  PipelineState fields;
  fields.vertexBindings.push_back({0, 32, VK_VERTEX_INPUT_RATE_VERTEX, 1});
  for (uint8_t i = 0; i < state.range(0); ++i) {
    const FormatInfo &format = **getVertexFormat(Formats[i % 4]);
    main.vertex.inputs.push_back({i, format.componentMask(), NumericClass::Float, 32});
    fields.vertexAttributes.push_back({i, 0, format.format, 8u * i});
  }
  for (auto _ : state) {
    Result<VertexPrologKey> key = makeVertexPrologKey(main, fields, gfx900().gpuName);
    Result<Part> part = encodePart(*key, gfx900());
    if (!part) {
      state.SkipWithError(part.error().text.c_str());
      return;
    }
    setKey(*part, *key);
    benchmark::DoNotOptimize(part);
  }
}

// Makes a fragment epilog from the state: so many targets of 8-bit colours.
void makeFragmentEpilog(benchmark::State &state) {
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Ps;
  main.outputs = {bind(ValueKind::GlobalTable, 0, 0, RegisterBank::Sgpr, 0),
                  bind(ValueKind::AlphaReference, 0, 0, RegisterBank::Sgpr, 1)};
  PipelineState fields;
  for (uint8_t target = 0; target < state.range(0); ++target) {
    main.fragment.colors.push_back({target, 0, 0xf, NumericClass::Float});
    for (uint8_t component = 0; component < 4; ++component)
      main.outputs.push_back(bind(ValueKind::Color, target, component, RegisterBank::Vgpr, 4u * target + component));
    fields.colorTargets[target].format = VK_FORMAT_R8G8B8A8_UNORM;
  }
  for (auto _ : state) {
    Result<FragmentEpilogKey> key = makeFragmentEpilogKey(main, fields, gfx900().gpuName);
    Result<Part> part = encodePart(*key, gfx900());
    if (!part) {
      state.SkipWithError(part.error().text.c_str());
      return;
    }
    setKey(*part, *key);
    benchmark::DoNotOptimize(part);
  }
}

// A fragment prolog with a polygon stipple and two-sided colours.
void makeFragmentProlog(benchmark::State &state) {
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Ps;
  main.userSgprCount = 4;
  main.inputs = {bind(ValueKind::GlobalTable, 0, 0, RegisterBank::Sgpr, 0),
                 bind(ValueKind::PrimMask, 0, 0, RegisterBank::Sgpr, 4),
                 bind(ValueKind::PerspCenter, 0, 0, RegisterBank::Vgpr, 0),
                 bind(ValueKind::PerspCenter, 0, 1, RegisterBank::Vgpr, 1)};
  main.fragment.inputs = {{0, false, false}, {1, false, false}};
  main.fragment.colorInputs = {{0, 0xf, 2, 3}, {1, 0x7, 4, 5}};
  PipelineState fields;
  fields.polygonStippleEnable = fields.colorTwoSide = true;
  for (auto _ : state) {
    auto key = makeFragmentPrologKey(main, fields, gfx900().gpuName);
    Result<Part> part = encodePart(**key, gfx900());
    if (!part) {
      state.SkipWithError(part.error().text.c_str());
      return;
    }
    setKey(*part, **key);
    benchmark::DoNotOptimize(part);
  }
}

// A tessellation control epilog that takes six factors out of LDS and stores them for both readers.
void makeTessControlEpilog(benchmark::State &state) {
  ShaderInterface control, evaluation;
  uint16_t sgpr = 0, vgpr = 0;
  for (ValueKind kind : {ValueKind::GlobalTable, ValueKind::OffchipOffset, ValueKind::TessFactorOffset})
    control.outputs.push_back(bind(kind, 0, 0, RegisterBank::Sgpr, sgpr++));
  for (ValueKind kind : {ValueKind::RelPatchId, ValueKind::TessInvocationId, ValueKind::TessFactorLds})
    control.outputs.push_back(bind(kind, 0, 0, RegisterBank::Vgpr, vgpr++));
  control.tessellation.outputVertices = 3;
  evaluation.tessellation.primitive = TessPrimitive::Quads;
  evaluation.tessellation.readsFactors = true;
  for (auto _ : state) {
    auto key = makeTessControlEpilogKey(control, evaluation, gfx900());
    Result<Part> part = encodePart(*key, gfx900());
    if (!part) {
      state.SkipWithError(part.error().text.c_str());
      return;
    }
    setKey(*part, *key);
    benchmark::DoNotOptimize(part);
  }
}

void makeGeometryProlog(benchmark::State &state) {
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Gs;
  main.userSgprCount = 6;
  main.geometry.input = GeometryInput::TrianglesAdjacency;
  PipelineState fields;
  fields.flatProvokingVertexLast = true;
  fields.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  for (auto _ : state) {
    auto key = makeGeometryPrologKey(main, false, fields, gfx900().gpuName);
    Result<Part> part = encodePart(*key, gfx900());
    if (!part) {
      state.SkipWithError(part.error().text.c_str());
      return;
    }
    setKey(*part, *key);
    benchmark::DoNotOptimize(part);
  }
}

Result<ImageRef> joinPair(const PipelineState &state) {
  const std::vector<StageParts> stages = {vertexStage(512), fragmentStage(512)};
  return join({stages, state, gfx900(), {}, tablesAndConstants()});
}

// A driver asks this once for each variant: the registers of a vertex and a fragment shader, in runs.
void sortRegisters(benchmark::State &state) {
  const Result<ImageRef> image = joinPair({});
  if (!image) {
    state.SkipWithError(image.error().text.c_str());
    return;
  }
  RegisterRuns written;
  for (auto _ : state) {
    written = registerRuns(**image);
    benchmark::DoNotOptimize(written);
  }
  state.counters["registers"] = double(written.values.size());
  state.counters["runs"] = double(written.runs.size());
}

// The registers that another state changes.
void compareRegisters(benchmark::State &state) {
  PipelineState clamped;
  clamped.depthClampEnable = true;
  const Result<ImageRef> before = joinPair({}), after = joinPair(clamped);
  if (!before || !after) {
    state.SkipWithError("the join failed");
    return;
  }
  RegisterRuns written;
  for (auto _ : state) {
    written = changedRegisterRuns(**before, **after);
    benchmark::DoNotOptimize(written);
  }
  state.counters["registers"] = double(written.values.size());
}

void writeElf(benchmark::State &state) {
  std::vector<StageParts> stages = makeStages(state);
  PipelineState pipelineState;
  auto image = join({stages, pipelineState, gfx900(), {}, tablesAndConstants()});
  for (auto _ : state) {
    auto elf = writePalElf(**image);
    benchmark::DoNotOptimize(elf);
  }
}

void check(benchmark::State &state) {
  std::vector<StageParts> stages = makeStages(state);
  PipelineState pipelineState;
  auto image = join({stages, pipelineState, gfx900(), {}, tablesAndConstants()});
  for (auto _ : state) {
    auto result = checkImage(**image);
    if (!result) {
      state.SkipWithError(result.error().text.c_str());
      return;
    }
  }
}

} // namespace

#define MEDIANS ->Repetitions(9)->ReportAggregatesOnly()->MinTime(0.1)
BENCHMARK(joinParts)->Arg(1024)->Arg(9216) MEDIANS;
BENCHMARK(joinMerged) MEDIANS;
BENCHMARK(makeGlue)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(makeVertexProlog)->Arg(4)->Arg(16)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(makeFragmentEpilog)->Arg(1)->Arg(4)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(makeFragmentProlog)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(makeTessControlEpilog)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(makeGeometryProlog)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(sortRegisters) MEDIANS;
BENCHMARK(compareRegisters) MEDIANS;
BENCHMARK(writeElf)->Arg(1024)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK(check)->Arg(1024)->Arg(9216)->Unit(benchmark::kMicrosecond) MEDIANS;
BENCHMARK_MAIN();
