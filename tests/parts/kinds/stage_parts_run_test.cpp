// SPDX-License-Identifier: MIT
//
// Prologs and epilogs of tessellation and geometry on the emulated GPU.
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/kinds/around/tess_control_epilog.h"
#include "src/lgc/builder_context.h"
#include "tests/lgc/stages/stage_run.h"
#include "tests/parts/stage_interfaces.h"
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail;
using emulator::Generation;

namespace {

constexpr unsigned FactorBuffer = 9, OffchipBuffer = 10;
constexpr uint32_t Untouched = 0xdeadbeef;
constexpr unsigned FactorOffset = 32, OffchipOffset = 64;
constexpr unsigned LdsPatchStride = 48;

const char *gpuOf(Generation generation) {
  return generation == Generation::Gfx9 ? "gfx900" : "gfx803";
}

template <typename Key> lgc::CompiledShader compile(const Key &key) {
  lgc::BuilderContext::initialize();
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, key.gpuName).value();
  std::unique_ptr<llvm::Module> module = context->createModule("part");
  emitFunction(*module, key, "_amdgpu_vs_main");
  lgc::CompiledShader compiled;
  compiled.elf = context->generateCode(*module).value();
  return compiled;
}

// An epilog's run over `patches` patches, whose control points are the lanes of one wave.
struct EpilogRun {
  lgc::CompiledShader shader;
  std::unique_ptr<StageRun> run;

  EpilogRun(const ShaderInterface &control, const ShaderInterface &evaluation, unsigned patches,
            Generation generation = Generation::Gfx9) {
    TessControlEpilogKey key = makeTessControlEpilogKey(control, evaluation, *findTarget(gpuOf(generation))).value();
    shader = compile(key);
    shader.interface.hardwareStage = HardwareStage::Hs;
    shader.interface.inputs = control.outputs;
    unsigned vertices = control.tessellation.outputVertices;
    run = std::make_unique<StageRun>(shader, patches * vertices, generation);
    run->setBuffer(FactorBuffer, 512);
    run->setBuffer(OffchipBuffer, 1024);
    run->setSgpr(ValueKind::OffchipOffset, OffchipOffset);
    run->setSgpr(ValueKind::TessFactorOffset, FactorOffset);
    run->setLink(LinkConstant::PatchesPerGroup, 5);
    run->setLink(LinkConstant::OffchipPatchBase, 256);
    run->setVgpr({ValueKind::RelPatchId}, [=](unsigned lane) { return lane / vertices; });
    run->setVgpr({ValueKind::TessInvocationId}, [=](unsigned lane) { return lane % vertices; });
    run->setVgpr({ValueKind::TessFactorLds}, [=](unsigned lane) { return 16 + lane / vertices * LdsPatchStride; });
    // Factor i of patch p is 100 p + i, inner ones 10 more. Only invocation 0 has them.
    for (uint8_t i = 0; i < 4; ++i)
      run->setVgpr({ValueKind::TessFactorOuter, i},
                   [=](unsigned lane) { return lane % vertices ? Untouched : lane / vertices * 100 + i; });
    for (uint8_t i = 0; i < 2; ++i)
      run->setVgpr({ValueKind::TessFactorInner, i},
                   [=](unsigned lane) { return lane % vertices ? Untouched : lane / vertices * 100 + 10 + i; });
    for (unsigned patch = 0; patch < patches; ++patch) {
      for (unsigned i = 0; i < 4; ++i)
        setLds(16 + patch * LdsPatchStride + i * 4, patch * 100 + i);
      for (unsigned i = 0; i < 2; ++i)
        setLds(16 + patch * LdsPatchStride + 16 + i * 4, patch * 100 + 10 + i);
    }
    run->run();
  }

  void setLds(unsigned byte, uint32_t value) { std::memcpy(&run->lds()[byte], &value, 4); }
  uint32_t factor(unsigned dword) { return run->bufferDword(FactorBuffer, FactorOffset + dword * 4); }
  uint32_t offchip(unsigned slot, unsigned patch, unsigned component) {
    return run->bufferDword(OffchipBuffer, OffchipOffset + 256 + (slot * 5 + patch) * 16 + component * 4);
  }
};

} // namespace

TEST_CASE("triangles: three outer factors and an inner one for each patch") {
  EpilogRun epilog(controlInterface(4), evaluationInterface(TessPrimitive::Triangles), 3);
  for (unsigned patch = 0; patch < 3; ++patch) {
    CHECK(epilog.factor(patch * 4 + 0) == patch * 100 + 0);
    CHECK(epilog.factor(patch * 4 + 2) == patch * 100 + 2);
    CHECK(epilog.factor(patch * 4 + 3) == patch * 100 + 10);
  }
  CHECK(epilog.factor(12) == Untouched);
  CHECK(epilog.run->bufferDword(FactorBuffer, FactorOffset - 4) == Untouched);
  CHECK(epilog.offchip(0, 0, 0) == Untouched);
}

TEST_CASE("quads: four outer factors, then two inner ones") {
  EpilogRun epilog(controlInterface(1), evaluationInterface(TessPrimitive::Quads), 2);
  for (unsigned patch = 0; patch < 2; ++patch) {
    for (unsigned i = 0; i < 4; ++i)
      CHECK(epilog.factor(patch * 6 + i) == patch * 100 + i);
    CHECK(epilog.factor(patch * 6 + 4) == patch * 100 + 10);
    CHECK(epilog.factor(patch * 6 + 5) == patch * 100 + 11);
  }
  CHECK(epilog.factor(12) == Untouched);
}

TEST_CASE("isolines: the second factor first") {
  EpilogRun epilog(controlInterface(2), evaluationInterface(TessPrimitive::Isolines), 2);
  CHECK(epilog.factor(0) == 1);
  CHECK(epilog.factor(1) == 0);
  CHECK(epilog.factor(2) == 101);
  CHECK(epilog.factor(3) == 100);
  CHECK(epilog.factor(4) == Untouched);
}

TEST_CASE("factors in registers are those of invocation 0") {
  EpilogRun epilog(controlInterface(3, true), evaluationInterface(TessPrimitive::Quads), 2);
  CHECK(epilog.factor(0) == 0);
  CHECK(epilog.factor(3) == 3);
  CHECK(epilog.factor(5) == 11);
  CHECK(epilog.factor(6) == 100);
  CHECK(epilog.factor(11) == 111);
}

TEST_CASE("an evaluation shader that reads factors finds them in patch slots 0 and 1, in the API's order") {
  EpilogRun epilog(controlInterface(3), evaluationInterface(TessPrimitive::Isolines, true), 2);
  CHECK(epilog.factor(0) == 1);
  CHECK(epilog.offchip(0, 0, 0) == 0);
  CHECK(epilog.offchip(0, 1, 0) == 100);
  CHECK(epilog.offchip(0, 1, 1) == 101);
  CHECK(epilog.offchip(0, 1, 2) == Untouched);
  CHECK(epilog.offchip(1, 0, 0) == Untouched);

  EpilogRun quads(controlInterface(3, true), evaluationInterface(TessPrimitive::Quads, true), 2);
  CHECK(quads.offchip(0, 1, 3) == 103);
  CHECK(quads.offchip(1, 0, 0) == 10);
  CHECK(quads.offchip(1, 1, 1) == 111);
  CHECK(quads.offchip(1, 1, 2) == Untouched);
}

TEST_CASE("GFX8: the control word comes first, and the factors behind it") {
  EpilogRun epilog(controlInterface(4), evaluationInterface(TessPrimitive::Triangles, true), 2, Generation::Gfx8);
  CHECK(epilog.factor(0) == 0x80000000);
  CHECK(epilog.factor(1) == 0);
  CHECK(epilog.factor(4) == 10);
  CHECK(epilog.factor(5) == 100);
  CHECK(epilog.factor(8) == 110);
  CHECK(epilog.factor(9) == Untouched);
  CHECK(epilog.offchip(0, 1, 2) == 102);
}

TEST_CASE("the geometry prolog turns the vertices of odd triangles and leaves all else") {
  for (Generation generation : {Generation::Gfx9, Generation::Gfx8}) {
    GeometryPrologKey key{gpuOf(generation), 8};
    lgc::CompiledShader shader = compile(key);
    shader.interface.hardwareStage = HardwareStage::Gs;
    Contract contract = key.contract();
    shader.interface.inputs = contract.inputs;
    shader.interface.inputs.push_back({{ValueKind::GsInvocationId}, {RegisterBank::Vgpr, 7}});
    shader.interface.inputs.insert(
        shader.interface.inputs.begin(),
        {{{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}}, {{ValueKind::SpillTable}, {RegisterBank::Sgpr, 7}}});
    shader.interface.outputs = contract.outputs;
    StageRun run(shader, 8, generation);
    run.setSgpr(ValueKind::SpillTable, 77);
    run.setVgpr({ValueKind::GsPrimitiveId}, [](unsigned lane) { return lane; });
    run.setVgpr({ValueKind::GsInvocationId}, [](unsigned lane) { return 1000 + lane; });
    for (uint8_t i = 0; i < 6; ++i)
      run.setVgpr({ValueKind::GsVertexOffset, i}, [=](unsigned lane) { return lane * 10 + i; });
    run.run();
    for (unsigned lane = 0; lane < 8; ++lane) {
      for (uint8_t i = 0; i < 6; ++i)
        CHECK(run.output({ValueKind::GsVertexOffset, i}, lane) == lane * 10 + (lane & 1 ? (i + 4) % 6 : i));
      CHECK(run.output({ValueKind::GsPrimitiveId}, lane) == lane);
      CHECK(run.output({ValueKind::GsInvocationId}, lane) == 1000 + lane);
    }
    CHECK(run.wave().peekSgpr(7) == 77);
  }
}
