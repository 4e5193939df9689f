// SPDX-License-Identifier: MIT
//
// Tessellation stages on the emulated GPU: the data that each leaves in LDS, in the off-chip buffer and in registers.
// The tests work out the addresses by hand from the layout of offchip_memory.h and lower_tess_control.cpp.
#include "tests/lgc/stages/compile_shader.h"
#include "tests/lgc/stages/stage_run.h"
#include <bit>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

using namespace llvm;
using namespace lgc;
using dovetail::LinkConstant;
using dovetail::SlotMask;
using dovetail::ValueKind;
namespace em = dovetail::emulator;

namespace {

constexpr unsigned Offchip = 10;
constexpr uint32_t Untouched = 0xdeadbeef;

CompiledShader compiled(const ShaderModes &modes, const std::function<void(Builder &)> &body,
                        dovetail::HardwareStage vertexStage = dovetail::HardwareStage::Vs, const char *gpu = "gfx900") {
  ShaderCompiler compiler(gpu);
  std::unique_ptr<Pipeline> pipeline = compiler.builderContext->createPipeline();
  Options options;
  options.vertexStage = vertexStage;
  options.keepIr = true;
  pipeline->setOptions(options);
  auto result = compiler.compile(*pipeline, modes, body);
  REQUIRE_MESSAGE(result.has_value(), result.error().text);
  return *result;
}

ShaderModes controlModes(unsigned outputVertices) {
  ShaderModes modes = modesOf(ShaderStage::TessControl);
  modes.tessellation.outputVertices = outputVertices;
  return modes;
}

ShaderModes evalModes(dovetail::TessPrimitive primitive) {
  ShaderModes modes = modesOf(ShaderStage::TessEval);
  modes.tessellation.primitive = primitive;
  return modes;
}

Type *vec4(Builder &builder) {
  return FixedVectorType::get(builder.getFloatTy(), 4);
}

Value *readBuiltIn(Builder &builder, BuiltIn builtIn) {
  return builder.CreateReadBuiltInInput(builder.getInt32Ty(), builtIn, nullptr, nullptr);
}

Value *readInput(Builder &builder, Type *type, unsigned location, Value *vertex, unsigned component = 0) {
  return builder.CreateReadGenericInput(type, location, builder.getInt32(0), component, 1, InterpMode::Smooth,
                                        InterpLocation::Center, nullptr, vertex);
}

void writeOutput(Builder &builder, Value *value, unsigned location, Value *vertex = nullptr) {
  builder.CreateWriteGenericOutput(value, location, builder.getInt32(0), 0, 1, 0, vertex);
}

void writeLevels(Builder &builder, Value *base) {
  for (unsigned i = 0; i < 4; ++i)
    builder.CreateWriteBuiltInOutput(builder.CreateFAdd(base, ConstantFP::get(builder.getFloatTy(), i)),
                                     BuiltIn::TessLevelOuter, builder.getInt32(i), nullptr);
  for (unsigned i = 0; i < 2; ++i)
    builder.CreateWriteBuiltInOutput(builder.CreateFAdd(base, ConstantFP::get(builder.getFloatTy(), 10 + i)),
                                     BuiltIn::TessLevelInner, builder.getInt32(i), nullptr);
}

em::Generation generationOf(StringRef gpu) {
  return gpu.starts_with("gfx9") ? em::Generation::Gfx9 : em::Generation::Gfx8;
}

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// 64 lanes over patches of `vertices` invocations.
void setControlIds(StageRun &run, unsigned vertices) {
  run.setVgpr({ValueKind::RelIds}, [=](unsigned lane) { return lane / vertices | lane % vertices << 8; });
  run.setVgpr({ValueKind::PatchId}, [=](unsigned lane) { return 1000 + lane / vertices; });
}

} // namespace

TEST_CASE("an LS leaves its outputs in LDS, vertex by vertex in their slots") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CompiledShader shader = compiled(
        modesOf(ShaderStage::Vertex),
        [](Builder &builder) {
          Value *attribute =
              builder.CreateReadGenericInput(vec4(builder), 0, builder.getInt32(0), 0, 1, InterpMode::Smooth,
                                             InterpLocation::Center, nullptr, nullptr);
          builder.CreateWriteBuiltInOutput(attribute, BuiltIn::Position, nullptr, nullptr);
          builder.CreateWriteGenericOutput(builder.CreateExtractElement(attribute, 2), 4, builder.getInt32(0), 1, 1, 0,
                                           nullptr);
        },
        dovetail::HardwareStage::Ls, gpu);
    bool isGfx9 = StringRef(gpu) == "gfx900";
    CHECK((shader.interface.hardwareStage == dovetail::HardwareStage::Ls));
    CHECK(shader.interface.outputSlots == (SlotMask(1) << dovetail::PositionSlot | SlotMask(1) << 5));
    CHECK(shader.interface.outputs.size() == (isGfx9 ? 1 : 0)); // GlobalTable

    StageRun run(shader, 50, generationOf(gpu));
    constexpr unsigned stride = 100;
    run.setLink(LinkConstant::LsVertexStride, stride);
    run.setVgpr({ValueKind::RelVertexId}, [](unsigned lane) { return 63 - lane; });
    for (uint8_t c = 0; c < 4; ++c)
      run.setVgpr({ValueKind::Attribute, 0, c}, [c](unsigned lane) { return lane << 8 | c; });
    run.run();
    for (unsigned lane : {0u, 7u, 49u}) {
      unsigned vertex = (63 - lane) * stride;
      for (unsigned c = 0; c < 4; ++c)
        CHECK(run.ldsDword(vertex + c * 4) == (lane << 8 | c));
      CHECK(run.ldsDword(vertex + 16) == Untouched);
      CHECK(run.ldsDword(vertex + 5 * 16 + 4) == (lane << 8 | 2));
      CHECK(run.ldsDword(vertex + 5 * 16) == Untouched);
    }
    CHECK(run.ldsDword(0) == Untouched); // of a lane that does not run
  }
}

TEST_CASE("a control shader reads its patch's vertices and hands on outputs of vertices and of the patch") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    constexpr unsigned vertices = 3, lanes = 63;
    CompiledShader shader = compiled(
        controlModes(vertices),
        [](Builder &builder) {
          Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
          Value *last = builder.CreateSub(readBuiltIn(builder, BuiltIn::PatchVertices), builder.getInt32(1));
          Value *mine = readInput(builder, vec4(builder), 2, id);
          builder.CreateWriteBuiltInOutput(mine, BuiltIn::Position, nullptr, id);
          writeOutput(builder, readInput(builder, builder.getFloatTy(), 2, last, 3), 7, id);
          writeOutput(builder, readBuiltIn(builder, BuiltIn::PrimitiveId), 1);
          writeLevels(builder, builder.CreateExtractElement(mine, uint64_t(0)));
        },
        dovetail::HardwareStage::Vs, gpu);
    const dovetail::ShaderInterface &interface = shader.interface;
    CHECK(interface.inputSlots == SlotMask(1) << 3);
    CHECK(interface.outputSlots == (SlotMask(1) | SlotMask(1) << 8));
    CHECK(interface.patchOutputSlots == (SlotMask(3) | SlotMask(1) << 3));
    CHECK(interface.tessellation.factorsInRegisters);
    CHECK(interface.tessellation.ldsPatchStride == 0);
    CHECK(interface.tessellation.outputVertices == vertices);

    StageRun run(shader, lanes, generationOf(gpu));
    constexpr unsigned stride = 68, inputVertices = 4, patches = 40, patchBase = 9 * patches * vertices * 16;
    constexpr unsigned groupOffset = 4096;
    run.setLink(LinkConstant::LsVertexStride, stride);
    run.setLink(LinkConstant::PatchControlPoints, inputVertices);
    run.setLink(LinkConstant::PatchesPerGroup, patches);
    run.setLink(LinkConstant::OffchipPatchBase, patchBase);
    run.setBuffer(Offchip, 64 * 1024);
    run.setSgpr(ValueKind::OffchipOffset, groupOffset);
    run.setSgpr(ValueKind::TessFactorOffset, 0x7777);
    setControlIds(run, vertices);
    for (unsigned vertex = 0; vertex < 21 * inputVertices; ++vertex)
      for (unsigned c = 0; c < 4; ++c) {
        uint32_t value = bits(float(vertex * 4 + c));
        std::memcpy(&run.lds()[vertex * stride + 3 * 16 + c * 4], &value, 4);
      }
    run.run();
    for (unsigned lane : {0u, 1u, 32u, 62u}) {
      unsigned patch = lane / vertices, vertex = lane % vertices;
      unsigned input = patch * inputVertices + vertex, lastInput = patch * inputVertices + 3;
      unsigned item = (patch * vertices + vertex) * 16;
      unsigned slotBytes = patches * vertices * 16;
      for (unsigned c = 0; c < 4; ++c)
        CHECK(run.bufferDword(Offchip, groupOffset + item + c * 4) == bits(float(input * 4 + c)));
      CHECK(run.bufferDword(Offchip, groupOffset + 8 * slotBytes + item) == bits(float(lastInput * 4 + 3)));
      CHECK(run.bufferDword(Offchip, groupOffset + 8 * slotBytes + item + 4) == Untouched);
      CHECK(run.bufferDword(Offchip, groupOffset + patchBase + (3 * patches + patch) * 16) == 1000 + patch);
      CHECK(run.output({ValueKind::RelPatchId}, lane) == patch);
      CHECK(run.output({ValueKind::TessInvocationId}, lane) == vertex);
      CHECK(run.output({ValueKind::TessFactorOuter, 3}, lane) == bits(float(input * 4 + 3)));
      CHECK(run.output({ValueKind::TessFactorInner, 1}, lane) == bits(float(input * 4 + 11)));
    }
    CHECK(run.output({ValueKind::OffchipOffset}, 0) == groupOffset);
    CHECK(run.output({ValueKind::TessFactorOffset}, 0) == 0x7777);
  }
}

TEST_CASE("what a control shader reads back of its neighbours comes from LDS, behind a barrier") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    constexpr unsigned vertices = 4;
    CompiledShader shader = compiled(
        controlModes(vertices),
        [](Builder &builder) {
          Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
          writeOutput(builder, readInput(builder, builder.getFloatTy(), 0, id), 5, id);
          writeOutput(builder, builder.getInt32(77), 6, id); // nobody reads it
          builder.CreateBarrier();
          Value *next = builder.CreateAnd(builder.CreateAdd(id, builder.getInt32(1)), 3);
          Value *theirs = builder.CreateReadGenericOutput(builder.getFloatTy(), 5, builder.getInt32(0), 0, 1, next);
          writeOutput(builder, theirs, 9, id);
          // The last invocation to write decides the levels, so they cannot be in registers.
          builder.CreateWriteBuiltInOutput(theirs, BuiltIn::TessLevelOuter, builder.CreateAnd(id, 3), nullptr);
        },
        dovetail::HardwareStage::Vs, gpu);
    CHECK_FALSE(shader.interface.tessellation.factorsInRegisters);
    // 24 bytes of factors and a slot for each vertex: 88 bytes, an odd number of dwords.
    CHECK(shader.interface.tessellation.ldsPatchStride == 92);

    StageRun run(shader, 64, generationOf(gpu));
    constexpr unsigned stride = 32, base = 4096, patches = 16;
    run.setLink(LinkConstant::LsVertexStride, stride);
    run.setLink(LinkConstant::PatchControlPoints, vertices);
    run.setLink(LinkConstant::PatchesPerGroup, patches);
    run.setLink(LinkConstant::TcsOutputBase, base);
    run.setBuffer(Offchip, 64 * 1024);
    run.setSgpr(ValueKind::OffchipOffset, 0);
    setControlIds(run, vertices);
    for (unsigned vertex = 0; vertex < 64; ++vertex) {
      uint32_t value = bits(float(vertex));
      std::memcpy(&run.lds()[vertex * stride + 16], &value, 4);
    }
    run.run();
    unsigned slotBytes = patches * vertices * 16;
    for (unsigned lane : {0u, 3u, 17u, 63u}) {
      unsigned neighbour = (lane & ~3u) + (lane + 1) % 4;
      CHECK(run.bufferDword(Offchip, 10 * slotBytes + lane * 16) == bits(float(neighbour)));
      CHECK(run.bufferDword(Offchip, 7 * slotBytes + lane * 16) == 77);
      unsigned patch = base + lane / 4 * 92;
      CHECK(run.ldsDword(patch + lane % 4 * 4) == bits(float(neighbour)));  // factor
      CHECK(run.ldsDword(patch + 24 + lane % 4 * 16) == bits(float(lane))); // vertex
      CHECK(run.ldsDword(patch + 24 + lane % 4 * 16 + 4) == Untouched);     // one component only
      CHECK(run.output({ValueKind::TessFactorLds}, lane) == patch);
    }
    CHECK(StringRef(shader.ir).contains("s.barrier"));
  }
}

TEST_CASE("levels that invocation 0 writes alone are in its registers, unless they are read back") {
  for (bool readsBack : {false, true}) {
    CompiledShader shader = compiled(controlModes(2), [=](Builder &builder) {
      Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
      Function *function = builder.GetInsertBlock()->getParent();
      BasicBlock *then = BasicBlock::Create(builder.getContext(), "", function);
      BasicBlock *join = BasicBlock::Create(builder.getContext(), "", function);
      builder.CreateCondBr(builder.CreateICmpEQ(id, builder.getInt32(0)), then, join);
      builder.SetInsertPoint(then);
      writeLevels(builder, readInput(builder, builder.getFloatTy(), 0, id));
      builder.CreateBr(join);
      builder.SetInsertPoint(join);
      if (readsBack) {
        builder.CreateBarrier();
        Value *level = builder.CreateReadBuiltInOutput(builder.getFloatTy(), BuiltIn::TessLevelInner,
                                                       builder.getInt32(1), nullptr);
        writeOutput(builder, level, 0, id);
      }
    });
    CHECK(shader.interface.tessellation.factorsInRegisters == !readsBack);
    CHECK(shader.interface.tessellation.ldsPatchStride == (readsBack ? 28 : 0));
  }
}

TEST_CASE("levels that invocation 0 writes alone are in its registers, whatever the others do meanwhile") {
  for (uint64_t first : {0, 2}) {
    CompiledShader shader = compiled(controlModes(3), [=](Builder &builder) {
      Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
      Function *function = builder.GetInsertBlock()->getParent();
      BasicBlock *one = BasicBlock::Create(builder.getContext(), "", function);
      BasicBlock *two = BasicBlock::Create(builder.getContext(), "", function);
      BasicBlock *join = BasicBlock::Create(builder.getContext(), "", function);
      SwitchInst *branches = builder.CreateSwitch(id, join, 2);
      branches->addCase(builder.getInt32(first), one);
      branches->addCase(builder.getInt32(1), two);
      builder.SetInsertPoint(one);
      writeLevels(builder, readInput(builder, builder.getFloatTy(), 0, id));
      builder.CreateBr(join);
      builder.SetInsertPoint(two);
      writeOutput(builder, id, 0);
      builder.CreateBr(join);
      builder.SetInsertPoint(join);
    });
    CHECK(shader.interface.tessellation.factorsInRegisters == (first == 0));
  }
}

TEST_CASE("levels that another invocation may write go through LDS") {
  CompiledShader shader = compiled(controlModes(2), [](Builder &builder) {
    Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
    Function *function = builder.GetInsertBlock()->getParent();
    BasicBlock *then = BasicBlock::Create(builder.getContext(), "", function);
    BasicBlock *join = BasicBlock::Create(builder.getContext(), "", function);
    builder.CreateCondBr(builder.CreateICmpEQ(id, builder.getInt32(1)), then, join);
    builder.SetInsertPoint(then);
    writeLevels(builder, readInput(builder, builder.getFloatTy(), 0, id));
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  });
  CHECK_FALSE(shader.interface.tessellation.factorsInRegisters);
}

TEST_CASE("dynamic locations and elements of a control shader are addresses") {
  constexpr unsigned vertices = 2;
  CompiledShader shader = compiled(controlModes(vertices), [](Builder &builder) {
    Value *id = readBuiltIn(builder, BuiltIn::InvocationId);
    // out[id][1 + id] = in[1 - id][id], arrays of three locations from 4 and of two from 0.
    Value *other = builder.CreateSub(builder.getInt32(1), id);
    Value *value = builder.CreateReadGenericInput(builder.getFloatTy(), 0, id, 1, 2, InterpMode::Smooth,
                                                  InterpLocation::Center, nullptr, other);
    builder.CreateWriteGenericOutput(value, 4, builder.CreateAdd(id, builder.getInt32(1)), 2, 3, 0, id);
    Value *clip = builder.CreateReadBuiltInInput(builder.getFloatTy(), BuiltIn::ClipDistance,
                                                 builder.CreateAdd(id, builder.getInt32(4)), other);
    builder.CreateWriteBuiltInOutput(clip, BuiltIn::TessLevelOuter, other, nullptr);
  });
  CHECK(shader.interface.inputSlots == (SlotMask(3) << 1 | SlotMask(3) << dovetail::ClipDistanceSlot));
  CHECK(shader.interface.outputSlots == SlotMask(7) << 5);

  StageRun run(shader, 2);
  constexpr unsigned stride = 39 * 16, base = 2048, patches = 5;
  run.setLink(LinkConstant::LsVertexStride, stride);
  run.setLink(LinkConstant::PatchControlPoints, vertices);
  run.setLink(LinkConstant::PatchesPerGroup, patches);
  run.setLink(LinkConstant::TcsOutputBase, base);
  run.setBuffer(Offchip, 4096);
  run.setSgpr(ValueKind::OffchipOffset, 0);
  setControlIds(run, vertices);
  for (unsigned dword = 0; dword < 2 * stride / 4; ++dword)
    std::memcpy(&run.lds()[dword * 4], &dword, 4);
  run.run();
  unsigned slotBytes = patches * vertices * 16;
  // Lane 0: location 0 of vertex 1; lane 1: location 1 of vertex 0; component 1 each.
  CHECK(run.bufferDword(Offchip, 6 * slotBytes + 0 * 16 + 8) == (stride + 16 + 4) / 4);
  CHECK(run.bufferDword(Offchip, 7 * slotBytes + 1 * 16 + 8) == (32 + 4) / 4);
  CHECK(run.bufferDword(Offchip, 5 * slotBytes + 0 * 16 + 8) == Untouched);
  CHECK(run.ldsDword(base + 4) == (stride + dovetail::ClipDistanceSlot * 16) / 4 + 4);
  CHECK(run.ldsDword(base) == dovetail::ClipDistanceSlot * 4 + 5);
}

TEST_CASE("an evaluation shader reads the off-chip buffer and exports a vertex") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CompiledShader shader = compiled(
        evalModes(dovetail::TessPrimitive::Triangles),
        [](Builder &builder) {
          Value *patchVertices = readBuiltIn(builder, BuiltIn::PatchVertices);
          Value *last = builder.CreateSub(patchVertices, builder.getInt32(1));
          Value *position = builder.CreateReadBuiltInInput(vec4(builder), BuiltIn::Position, nullptr, last);
          builder.CreateWriteBuiltInOutput(position, BuiltIn::Position, nullptr, nullptr);
          Value *coord = builder.CreateReadBuiltInInput(FixedVectorType::get(builder.getFloatTy(), 3),
                                                        BuiltIn::TessCoord, nullptr, nullptr);
          writeOutput(builder, coord, 0);
          Value *wide = readInput(builder, builder.getDoubleTy(), 3, nullptr, 2); // of the patch
          writeOutput(builder, builder.CreateFPTrunc(wide, builder.getFloatTy()), 1);
          Value *outer = builder.CreateReadBuiltInInput(builder.getFloatTy(), BuiltIn::TessLevelOuter,
                                                        builder.getInt32(2), nullptr);
          writeOutput(builder, outer, 2);
          writeOutput(builder, readBuiltIn(builder, BuiltIn::PrimitiveId), 3);
        },
        dovetail::HardwareStage::Vs, gpu);
    const dovetail::ShaderInterface &interface = shader.interface;
    CHECK((interface.source == dovetail::VertexSource::TessEval));
    CHECK(interface.inputSlots == 1);
    CHECK(interface.patchInputSlots == (SlotMask(1) | SlotMask(1) << 5));
    CHECK(interface.tessellation.readsFactors);

    constexpr unsigned vertices = 5, patches = 8, group = 512, patchBase = patches * vertices * 16;
    StageRun run(shader, 64, generationOf(gpu));
    run.setLink(LinkConstant::TcsOutputVertices, vertices);
    run.setLink(LinkConstant::PatchesPerGroup, patches);
    run.setLink(LinkConstant::OffchipPatchBase, patchBase);
    run.setBuffer(Offchip, 8192);
    run.setSgpr(ValueKind::OffchipOffset, group);
    run.setSgpr(ValueKind::StreamoutConfig, 0);
    run.setVgpr({ValueKind::TessCoord, 0}, [](unsigned lane) { return bits(float(lane) / 128); });
    run.setVgpr({ValueKind::TessCoord, 1}, [](unsigned) { return bits(0.25f); });
    run.setVgpr({ValueKind::RelPatchId}, [](unsigned lane) { return lane % patches; });
    run.setVgpr({ValueKind::PatchId}, [](unsigned lane) { return 500 + lane % patches; });
    for (unsigned patch = 0; patch < patches; ++patch) {
      for (unsigned c = 0; c < 4; ++c)
        run.setBufferDword(Offchip, group + (patch * vertices + 4) * 16 + c * 4, bits(float(patch * 10 + c)));
      uint64_t wide = std::bit_cast<uint64_t>(patch + 0.5);
      unsigned slot5 = group + patchBase + (5 * patches + patch) * 16;
      run.setBufferDword(Offchip, slot5 + 8, uint32_t(wide));
      run.setBufferDword(Offchip, slot5 + 12, uint32_t(wide >> 32));
      run.setBufferDword(Offchip, group + patchBase + patch * 16 + 8, bits(float(patch + 100)));
    }
    run.run();
    constexpr unsigned pos0 = 12, param0 = 32;
    auto exported = [&](unsigned target) -> const em::Export & {
      for (const em::Export &made : run.wave().exports)
        if (made.target == target)
          return made;
      FAIL("no export to " << target);
      return run.wave().exports.front();
    };
    for (unsigned lane : {0u, 13u, 63u}) {
      unsigned patch = lane % patches;
      for (unsigned c = 0; c < 4; ++c)
        CHECK(exported(pos0).data[c][lane] == bits(float(patch * 10 + c)));
      CHECK(exported(param0).data[0][lane] == bits(float(lane) / 128));
      CHECK(exported(param0).data[1][lane] == bits(0.25f));
      CHECK(exported(param0).data[2][lane] == bits(1 - (float(lane) / 128 + 0.25f)));
      CHECK(exported(param0 + 1).data[0][lane] == bits(float(patch) + 0.5f));
      CHECK(exported(param0 + 2).data[0][lane] == bits(float(patch + 100)));
      CHECK(exported(param0 + 3).data[0][lane] == 500 + patch);
    }
  }
}

TEST_CASE("a domain of quads has no third coordinate") {
  CompiledShader shader = compiled(evalModes(dovetail::TessPrimitive::Quads), [](Builder &builder) {
    Value *coord = builder.CreateReadBuiltInInput(FixedVectorType::get(builder.getFloatTy(), 3), BuiltIn::TessCoord,
                                                  nullptr, nullptr);
    writeOutput(builder, builder.CreateExtractElement(coord, 2), 0);
  });
  for (const dovetail::Binding &input : shader.interface.inputs)
    CHECK_FALSE((input.reg.bank == dovetail::RegisterBank::Vgpr)); // nothing is read
  StageRun run(shader, 1);
  run.setSgpr(ValueKind::OffchipOffset, 0);
  run.run();
  CHECK(run.wave().exports.back().data[0][0] == 0);
}

TEST_CASE("narrow and wide elements reach the control shader as the vertex shader wrote them") {
  CompiledShader vertex = compiled(
      modesOf(ShaderStage::Vertex),
      [](Builder &builder) {
        Value *word = builder.CreateReadGenericInput(builder.getInt32Ty(), 0, builder.getInt32(0), 0, 1,
                                                     InterpMode::Smooth, InterpLocation::Center, nullptr, nullptr);
        writeOutput(builder, builder.CreateTrunc(word, builder.getInt16Ty()), 0);
        writeOutput(builder, builder.CreateUIToFP(word, builder.getHalfTy()), 1);
        writeOutput(builder, builder.CreateZExt(word, builder.getInt64Ty()), 2);
      },
      dovetail::HardwareStage::Ls);
  StageRun first(vertex, 1);
  first.setLink(LinkConstant::LsVertexStride, 64);
  first.setVgpr({ValueKind::RelVertexId}, [](unsigned) { return 0; });
  first.setVgpr({ValueKind::Attribute, 0, 0}, [](unsigned) { return 0x1f004; });
  first.run();

  CompiledShader control = compiled(controlModes(1), [](Builder &builder) {
    Value *zero = builder.getInt32(0);
    Value *narrow = readInput(builder, builder.getInt16Ty(), 0, zero);
    Value *half = readInput(builder, builder.getHalfTy(), 1, zero);
    Value *wide = readInput(builder, builder.getInt64Ty(), 2, zero);
    writeOutput(builder, builder.CreateSExt(narrow, builder.getInt32Ty()), 0);
    writeOutput(builder, builder.CreateFPExt(half, builder.getFloatTy()), 1);
    writeOutput(builder, builder.CreateAdd(wide, builder.getInt64(0xffffffff)), 2);
  });
  StageRun second(control, 1);
  second.lds() = first.lds();
  second.setLink(LinkConstant::LsVertexStride, 64);
  second.setLink(LinkConstant::PatchControlPoints, 1);
  second.setLink(LinkConstant::PatchesPerGroup, 1);
  second.setLink(LinkConstant::OffchipPatchBase, 0);
  second.setBuffer(Offchip, 256);
  second.setSgpr(ValueKind::OffchipOffset, 0);
  setControlIds(second, 1);
  second.run();
  CHECK(second.bufferDword(Offchip, 2 * 16) == 0xfffff004);
  CHECK(second.bufferDword(Offchip, 3 * 16) == bits(std::numeric_limits<float>::infinity())); // beyond 65504
  CHECK(second.bufferDword(Offchip, 4 * 16) == 0x1f003);
  CHECK(second.bufferDword(Offchip, 4 * 16 + 4) == 1);
}

TEST_CASE("an evaluation shader exports its patch's number if it is asked to") {
  ShaderCompiler compiler;
  std::unique_ptr<Pipeline> pipeline = compiler.builderContext->createPipeline();
  Options options;
  options.exportPrimitiveId = true;
  pipeline->setOptions(options);
  auto shader = compiler.compile(*pipeline, evalModes(dovetail::TessPrimitive::Quads), [](Builder &) {});
  REQUIRE_MESSAGE(shader.has_value(), shader.error().text);
  std::vector<dovetail::ParameterExport> expected = {{dovetail::PrimitiveIdParameter, 0}};
  CHECK(shader->interface.preRaster.parameters == expected);
  StageRun run(*shader, 3);
  run.setSgpr(ValueKind::OffchipOffset, 0);
  run.setVgpr({ValueKind::PatchId}, [](unsigned lane) { return 40 + lane; });
  run.run();
  CHECK(run.wave().exports.back().data[0][2] == 42);
}

TEST_CASE("the scratch offset of each stage is behind its system values") {
  auto scratchOf = [](const CompiledShader &shader) {
    for (const dovetail::Binding &input : shader.interface.inputs)
      if (input.value.kind == ValueKind::ScratchOffset)
        return int(input.reg.index) - int(shader.interface.userSgprCount);
    return -1;
  };
  auto nothing = [](Builder &) {};
  using dovetail::HardwareStage;
  CHECK(scratchOf(compiled(controlModes(1), nothing)) == 2); // off-chip offset, tessellation factor offset
  ShaderModes eval = evalModes(dovetail::TessPrimitive::Quads);
  CHECK(scratchOf(compiled(eval, nothing, HardwareStage::Vs)) == 2); // streamout config, off-chip offset
  CHECK(scratchOf(compiled(eval, nothing, HardwareStage::Es)) == 3); // off-chip offset, nothing, ES-to-GS offset
  CHECK(scratchOf(compiled(modesOf(ShaderStage::Vertex), nothing, HardwareStage::Ls)) == 0);
  CHECK(scratchOf(compiled(modesOf(ShaderStage::Vertex), nothing, HardwareStage::Es)) == 1);
}
