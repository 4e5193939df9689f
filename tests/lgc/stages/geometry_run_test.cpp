// SPDX-License-Identifier: MIT
//
// ES, GS and copy shader as LLVM compiles them, and transform feedback. They run one after the other on waves of the
// emulated GPU that the tests launch by hand, on both generations. The tests work out the places in the rings from
// their description (src/abi/interface/interface_slots.h, VGT_GSVS_RING_*).
#include "tests/lgc/stages/geometry_shaders.h"
#include "tests/lgc/stages/stage_run.h"
#include <bit>
#include <doctest/doctest.h>

using namespace llvm;
using namespace lgc;
using namespace lgc::test;
using dovetail::HardwareStage;
using dovetail::ValueKind;
using dovetail::emulator::Export;
using dovetail::emulator::Generation;

namespace {

constexpr unsigned Lanes = 50;
constexpr unsigned EsRingOut = 2, GsRingIn = 3, GsRingOut = 4, CopyRingIn = 8; // entries of the global table
constexpr uint32_t Untouched = 0xdeadbeef;

struct Target {
  const char *gpu;
  Generation generation;
};
constexpr Target Targets[] = {{"gfx900", Generation::Gfx9}, {"gfx803", Generation::Gfx8}};

Value *toFloat(Builder &builder, Value *value) {
  return builder.CreateUIToFP(value, builder.getFloatTy());
}

CompiledShader require(Result<CompiledShader> compiled) {
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  return std::move(*compiled);
}

// Position 2 * index in all components; location 0: index + c / 4.
CompiledShader makeEs(ShaderCompiler &compiler) {
  return require(compileAs(compiler, HardwareStage::Es, [](Builder &builder) {
    Value *index = builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::VertexIndex, nullptr, nullptr);
    Value *number = toFloat(builder, index);
    Value *position = builder.CreateFMul(number, ConstantFP::get(builder.getFloatTy(), 2.0));
    builder.CreateWriteBuiltInOutput(builder.CreateVectorSplat(4, position), BuiltIn::Position, nullptr, nullptr);
    for (unsigned c = 0; c < 4; ++c)
      writeLocation(builder, builder.CreateFAdd(number, ConstantFP::get(builder.getFloatTy(), c / 4.0)), 0, c);
  }));
}

// A lane wants to emit (primitive id mod 4) vertices and may emit 2. Vertex k is made of input vertex k mod 2: its
// position, and as location 2 its location 0 plus k.
CompiledShader makeGs(ShaderCompiler &compiler) {
  return require(compiler.compile(geometryModes(2, dovetail::GeometryInput::Lines), [](Builder &builder) {
    Function *function = builder.GetInsertBlock()->getParent();
    BasicBlock *entry = builder.GetInsertBlock();
    BasicBlock *header = BasicBlock::Create(builder.getContext(), "", function);
    BasicBlock *body = BasicBlock::Create(builder.getContext(), "", function);
    BasicBlock *exit = BasicBlock::Create(builder.getContext(), "", function);
    Value *wanted = builder.CreateAnd(primitiveId(builder), 3);
    builder.CreateBr(header);
    builder.SetInsertPoint(header);
    PHINode *k = builder.CreatePHI(builder.getInt32Ty(), 2);
    k->addIncoming(builder.getInt32(0), entry);
    builder.CreateCondBr(builder.CreateICmpULT(k, wanted), body, exit);
    builder.SetInsertPoint(body);
    Value *vertex = builder.CreateAnd(k, 1);
    Value *position = builder.CreateReadBuiltInInput(vec4(builder), BuiltIn::Position, nullptr, vertex);
    builder.CreateWriteBuiltInOutput(position, BuiltIn::Position, nullptr, nullptr);
    Value *number = builder.CreateVectorSplat(4, toFloat(builder, k));
    writeLocation(builder, builder.CreateFAdd(readLocation(builder, 0, vertex), number), 2, 0);
    builder.CreateEmitVertex(0);
    k->addIncoming(builder.CreateAdd(k, builder.getInt32(1)), body);
    builder.CreateBr(header);
    builder.SetInsertPoint(exit);
  }));
}

uint64_t lanesThatWant(unsigned vertices) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    mask |= uint64_t(lane % 4 >= vertices) << lane;
  return mask;
}

void checkMessage(const dovetail::emulator::Message &message, unsigned simm16, uint64_t exec) {
  CHECK(message.simm16 == simm16);
  CHECK(message.m0 == 5);
  CHECK(message.exec == exec);
}

const Export *findExport(const dovetail::emulator::Wave &wave, unsigned target) {
  for (const Export &one : wave.exports)
    if (one.target == target)
      return &one;
  return nullptr;
}

} // namespace

TEST_CASE("vertices go from ES to GS through the ESGS ring, and from GS to the copy shader through the GSVS ring") {
  for (const Target &target : Targets) {
    CAPTURE(target.gpu);
    bool isMerged = target.generation == Generation::Gfx9;
    ShaderCompiler compiler(target.gpu);
    CompiledShader es = makeEs(compiler), gs = makeGs(compiler);
    CompiledShader copy = require(compiler.builderContext->createPipeline()->generateCopyShader(gs.interface));
    REQUIRE(es.interface.outputSlots == 3);
    REQUIRE(gs.interface.inputSlots == 3);

    // GFX9: the wave's vertices are the group's from number 3 on, 36 bytes each. GFX8: its part is 512 bytes into the
    // ring, in which a dword of 64 lanes takes 256 bytes.
    constexpr unsigned ringBytes = 4096, firstVertex = 3, esStride = 36, es2Gs = 512;
    StageRun esRun(es, Lanes, target.generation);
    esRun.setLink(dovetail::LinkConstant::EsVertexStride, esStride);
    esRun.setSgpr(ValueKind::BaseVertex, 100);
    esRun.setSgpr(ValueKind::Es2GsOffset, isMerged ? firstVertex : es2Gs);
    esRun.setVgpr({ValueKind::VertexId}, [](unsigned lane) { return lane; });
    esRun.setBuffer(EsRingOut, ringBytes);
    // SWIZZLE_ENABLE; ADD_TID_ENABLE, INDEX_STRIDE 64, ELEMENT_SIZE 4.
    esRun.setBufferFormat(EsRingOut, 1u << 31, 1u << 23 | 3 << 21 | 1 << 19 | 0x7fac);
    esRun.run();

    StageRun gsRun(gs, Lanes, target.generation);
    gsRun.lds() = esRun.lds();
    gsRun.setBuffer(GsRingIn, ringBytes);
    for (unsigned byte = 0; byte < ringBytes; byte += 4)
      gsRun.setBufferDword(GsRingIn, byte, esRun.bufferDword(EsRingOut, byte));
    constexpr unsigned gs2Vs = 1024, gsvsBytes = gs2Vs + 64 * 64;
    gsRun.setBuffer(GsRingOut, gsvsBytes);
    gsRun.setSgpr(ValueKind::Gs2VsOffset, gs2Vs);
    gsRun.setSgpr(ValueKind::GsWaveId, 5);
    for (uint8_t vertex = 0; vertex < 2; ++vertex)
      gsRun.setVgpr({ValueKind::GsVertexOffset, vertex}, [=](unsigned lane) {
        unsigned number = (lane + vertex) % Lanes;
        return isMerged ? (firstVertex + number) * esStride / 4 : es2Gs / 4 + number;
      });
    gsRun.setVgpr({ValueKind::GsPrimitiveId}, [](unsigned lane) { return lane; });
    gsRun.setup().gsMessages = {.waveId = 5, .threads = Lanes, .maxVertices = 2};
    gsRun.run();
    const std::vector<dovetail::emulator::Message> &messages = gsRun.wave().messages;
    REQUIRE(messages.size() == 3);
    constexpr unsigned emit = 0x22, done = 3; // no lane emits a third vertex
    checkMessage(messages[0], emit, lanesThatWant(1));
    checkMessage(messages[1], emit, lanesThatWant(2));
    checkMessage(messages[2], done, lanesThatWant(0));

    for (unsigned k = 0; k < 2; ++k) {
      CAPTURE(k);
      std::vector<unsigned> sources;
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (lane % 4 > k)
          sources.push_back(lane);
      StageRun copyRun(copy, sources.size(), target.generation);
      copyRun.setBuffer(CopyRingIn, gsvsBytes);
      for (unsigned byte = 0; byte < gsvsBytes; byte += 4)
        copyRun.setBufferDword(CopyRingIn, byte, gsRun.bufferDword(GsRingOut, byte));
      // 16 lanes of 8 dwords of 2 vertices lie together.
      copyRun.setVgpr({ValueKind::VertexId}, [&](unsigned lane) {
        unsigned source = sources[lane];
        return gs2Vs / 4 + source / 16 * 16 * 16 + k * 16 + source % 16;
      });
      copyRun.run();
      const Export *position = findExport(copyRun.wave(), 12), *parameter = findExport(copyRun.wave(), 32);
      REQUIRE(position);
      REQUIRE(parameter);
      CHECK(copyRun.wave().exports.size() == 2);
      for (unsigned lane = 0; lane < sources.size(); ++lane)
        for (unsigned c = 0; c < 4; ++c) {
          float index = 100 + (sources[lane] + k) % Lanes;
          CHECK(std::bit_cast<float>(position->data[c][lane]) == 2 * index);
          CHECK(std::bit_cast<float>(parameter->data[c][lane]) == index + c * 0.25f + k);
        }
    }
  }
}

namespace {

// A transform feedback buffer's V#: records are vertices, of unsigned dwords. GFX8: ADD_TID_ENABLE.
void describeAsPal(StageRun &run, unsigned entry, uint32_t stride, dovetail::emulator::Generation generation) {
  constexpr uint32_t Dwords = 0x24fac, AddTidEnable = 1u << 23;
  run.setBufferFormat(entry, stride << 16,
                      Dwords | (generation == dovetail::emulator::Generation::Gfx8 ? AddTidEnable : 0));
}

} // namespace

TEST_CASE("transform feedback writes the vertices that fit, at the write index of its buffer") {
  for (const Target &target : Targets) {
    CAPTURE(target.gpu);
    ShaderCompiler compiler(target.gpu);
    ShaderModes modes = modesOf(ShaderStage::Vertex);
    modes.transformFeedback = true;
    CompiledShader shader = require(compiler.compile(modes, [](Builder &builder) {
      Value *index = builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::VertexIndex, nullptr, nullptr);
      for (unsigned c = 0; c < 2; ++c) {
        builder.CreateCaptureOutput(false, 4, c + 1, 1, 16, 4 + c * 4, 0);
        writeLocation(builder, toFloat(builder, builder.CreateAdd(index, builder.getInt32(1000 * c))), 4, c + 1);
      }
      builder.CreateWriteBuiltInOutput(splat(builder, 1.0), BuiltIn::Position, nullptr, nullptr);
    }));
    constexpr unsigned tableEntry = 11, buffer1 = tableEntry + 1, written = 10, writeIndex = 7, start = 5;
    StageRun run(shader, Lanes, target.generation);
    run.setBuffer(buffer1, 4096);
    describeAsPal(run, buffer1, 16, target.generation);
    run.setSgpr(ValueKind::BaseVertex, 0);
    run.setSgpr(ValueKind::StreamoutTable, run.tableAddress(tableEntry));
    run.setSgpr(ValueKind::StreamoutConfig, written << 16);
    run.setSgpr(ValueKind::StreamoutWriteIndex, writeIndex);
    run.setSgpr({ValueKind::StreamoutOffset, 1}, start);
    run.setVgpr({ValueKind::VertexId}, [](unsigned lane) { return lane; });
    run.run();
    for (unsigned vertex = 0; vertex < 30; ++vertex)
      for (unsigned dword = 0; dword < 4; ++dword) {
        bool isWritten = vertex >= writeIndex && vertex < writeIndex + written && (dword == 1 || dword == 2);
        float value = vertex - writeIndex + 1000.0f * (dword - 1);
        CHECK(run.bufferDword(buffer1, start * 4 + vertex * 16 + dword * 4) ==
              (isWritten ? std::bit_cast<uint32_t>(value) : Untouched));
      }
    CHECK(findExport(run.wave(), 12));
  }
}

TEST_CASE("a wave of vertices of another stream is captured and exports nothing; one of stream 0 the other way round") {
  for (const Target &target : Targets) {
    CAPTURE(target.gpu);
    ShaderCompiler compiler(target.gpu);
    CompiledShader gs = require(compiler.compile(geometryModes(3), [](Builder &builder) {
      builder.CreateCaptureOutput(false, 6, 0, 3, 4, 0, 1);
      builder.CreateWriteBuiltInOutput(splat(builder, 8.0), BuiltIn::Position, nullptr, nullptr);
      writeLocation(builder, toFloat(builder, primitiveId(builder)), 6, 0, 1);
      builder.CreateEmitVertex(1);
      builder.CreateEmitVertex(0);
    }));
    CompiledShader copy = require(compiler.builderContext->createPipeline()->generateCopyShader(gs.interface));
    // Stream 0 takes 4 dwords of 3 vertices, stream 1 one of 3, behind it.
    constexpr unsigned streamBase = 4 * 3 * 64 * 4, ringBytes = streamBase + 3 * 64 * 4;
    StageRun gsRun(gs, Lanes, target.generation);
    gsRun.setBuffer(GsRingOut, ringBytes);
    gsRun.setSgpr(ValueKind::Gs2VsOffset, 0);
    gsRun.setSgpr(ValueKind::GsWaveId, 5);
    gsRun.setVgpr({ValueKind::GsPrimitiveId}, [](unsigned lane) { return lane; });
    gsRun.setup().gsMessages = {.waveId = 5, .threads = Lanes, .maxVertices = 3};
    gsRun.run();
    REQUIRE(gsRun.wave().messages.size() == 3);
    checkMessage(gsRun.wave().messages[0], 0x122, lanesThatWant(0));
    checkMessage(gsRun.wave().messages[1], 0x22, lanesThatWant(0));

    for (unsigned stream : {0u, 1u}) {
      CAPTURE(stream);
      constexpr unsigned tableEntry = 9, buffer3 = tableEntry + 3;
      StageRun run(copy, Lanes, target.generation);
      run.setBuffer(CopyRingIn, ringBytes);
      for (unsigned byte = 0; byte < ringBytes; byte += 4)
        run.setBufferDword(CopyRingIn, byte, gsRun.bufferDword(GsRingOut, byte));
      run.setBuffer(buffer3, 1024);
      describeAsPal(run, buffer3, 4, target.generation);
      run.setSgpr(ValueKind::StreamoutTable, run.tableAddress(tableEntry));
      run.setSgpr(ValueKind::StreamoutConfig, stream << 24 | Lanes << 16);
      run.setSgpr(ValueKind::StreamoutWriteIndex, 0);
      run.setSgpr({ValueKind::StreamoutOffset, 3}, 0);
      run.setup().isRasterised = stream == 0;
      run.setVgpr({ValueKind::VertexId}, [&](unsigned lane) {
        unsigned dwords = stream == 0 ? 4 : 1;
        return (stream == 0 ? 0 : streamBase / 4) + lane / 16 * 16 * 3 * dwords + lane % 16;
      });
      run.run();
      CHECK((findExport(run.wave(), 12) != nullptr) == (stream == 0));
      for (unsigned lane = 0; lane < Lanes; ++lane)
        CHECK(run.bufferDword(buffer3, lane * 4) == (stream == 1 ? std::bit_cast<uint32_t>(float(lane)) : Untouched));
      if (const Export *position = findExport(run.wave(), 12))
        CHECK(std::bit_cast<float>(position->data[3][Lanes - 1]) == 8.0f);
    }
  }
}
