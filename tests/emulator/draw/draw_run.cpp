// SPDX-License-Identifier: MIT
#include "tests/emulator/draw/draw_run.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include "tools/proof/scene/texel.h"
#include <bit>
#include <cstring>
#include <doctest/doctest.h>

namespace dovetail::emulator::test {

namespace {

constexpr unsigned Size = 8;

const char *const VertexShader = R"(
  buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
  buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen offset:16
  s_waitcnt vmcnt(0)
  exp pos0 v4, v5, v6, v7 done
  exp param0 v8, v9, v10, v11
  s_endpgm
)";

} // namespace

const char *const InterpolateAll = R"(
  s_mov_b32 m0, s0
  s_nop 0
  v_interp_p1_f32 v8, v0, attr0.x
  v_interp_p1_f32 v9, v0, attr0.y
  v_interp_p1_f32 v10, v0, attr0.z
  v_interp_p1_f32 v11, v0, attr0.w
  v_interp_p2_f32 v8, v1, attr0.x
  v_interp_p2_f32 v9, v1, attr0.y
  v_interp_p2_f32 v10, v1, attr0.z
  v_interp_p2_f32 v11, v1, attr0.w
)";

const char *const MoveAll = R"(
  s_mov_b32 m0, s0
  s_nop 0
  v_interp_mov_f32 v8, p0, attr0.x
  v_interp_mov_f32 v9, p0, attr0.y
  v_interp_mov_f32 v10, p0, attr0.z
  v_interp_mov_f32 v11, p0, attr0.w
)";

const char *const ExportAll = R"(
  exp mrt0 v8, v9, v10, v11 done vm
  s_endpgm
)";

std::vector<DrawVertex> fullScreen(const Color &attribute, float depth) {
  return {{{-1, -1, depth, 1}, attribute}, {{3, -1, depth, 1}, attribute}, {{-1, 3, depth, 1}, attribute}};
}

DrawVertex at(float x, float y, const Color &attribute, float depth, float w) {
  constexpr float Half = Size / 2;
  return {{(x - Half) / Half * w, (y - Half) / Half * w, depth * w, w}, attribute};
}

HardwareProgram mapProgram(Gpu &gpu, const char *name, const std::string &text) {
  const char *gpuName = gpu.generation() == Generation::Gfx9 ? "gfx900" : "gfx803";
  HardwareProgram program;
  program.address = gpu.memory().map(name, dovetail::test::assemble(text, gpuName), 256, false);
  return program;
}

DrawRun::DrawRun() : vs(VertexShader), ps(std::string(InterpolateAll) + ExportAll) {
  using namespace field;
  scene.width = scene.height = Size;
  scene.state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  scene.state.depthStencilFormat = VK_FORMAT_UNDEFINED;

  constexpr uint32_t Allocation =
      PGM_RSRC1::VGPRS(5) | PGM_RSRC1::SGPRS(3) | PGM_RSRC1::FLOAT_MODE(0xc0) | PGM_RSRC1::DX10_CLAMP(1);
  set(reg::SPI_SHADER_PGM_RSRC1_VS, Allocation | SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(2));
  set(reg::SPI_SHADER_PGM_RSRC2_VS, SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(4));
  set(reg::SPI_SHADER_PGM_RSRC1_PS, Allocation);
  set(reg::SPI_SHADER_POS_FORMAT, 4);
  set(reg::SPI_PS_IN_CONTROL, SPI_PS_IN_CONTROL::NUM_INTERP(1));
  set(reg::SPI_INTERP_CONTROL_0, SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA(1));
  set(reg::SPI_BARYC_CNTL, SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS(1));
  set(reg::SPI_SHADER_COL_FORMAT, 9);
  set(reg::CB_SHADER_MASK, 0xf);
  set(reg::DB_SHADER_CONTROL, DB_SHADER_CONTROL::Z_ORDER(1) | DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1));
  enable(PerspCenterEna);
}

void DrawRun::enable(uint32_t psInputs) {
  set(reg::SPI_PS_INPUT_ENA, psInputs);
  set(reg::SPI_PS_INPUT_ADDR, psInputs);
}

Result<SceneResult> DrawRun::tryDraw() {
  Chip chip = chipOf(generation);
  chip.hasLsVgprInitBug = hasLsVgprInitBug;
  Gpu gpu(chip);
  if (scene.indices.empty())
    scene.vertexCount = uint32_t(vertices.size());
  std::vector<uint8_t> bytes(vertices.size() * sizeof(DrawVertex));
  std::memcpy(bytes.data(), vertices.data(), bytes.size());
  BufferDescriptor descriptor;
  descriptor.base = gpu.memory().map("vertices", std::move(bytes));
  descriptor.stride = sizeof(DrawVertex);
  // GFX8 counts bytes.
  descriptor.numRecords = uint32_t(vertices.size() * (generation == Generation::Gfx9 ? 1 : sizeof(DrawVertex)));
  descriptor.numFormat = 7;   // FLOAT
  descriptor.dataFormat = 14; // 32_32_32_32
  const std::array<uint32_t, 4> words = encode(descriptor);

  Draw command{scene, registers};
  command.program(HardwareStage::Vs) = mapProgram(gpu, "vs", vs);
  command.program(HardwareStage::Vs).userSgprs.assign(words.begin(), words.end());
  command.program(HardwareStage::Ps) = mapProgram(gpu, "ps", ps);
  if (prepare)
    prepare(gpu, command);
  return emulator::draw(gpu, command);
}

void DrawRun::draw() {
  Result<SceneResult> drawn = tryDraw();
  REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
  result = std::move(*drawn);
}

std::string DrawRun::drawError() {
  Result<SceneResult> drawn = tryDraw();
  REQUIRE(!drawn.has_value());
  return drawn.error().text;
}

Color DrawRun::pixel(unsigned x, unsigned y, unsigned target, unsigned layer) const {
  const ScenePicture &picture = result.colors[target];
  const TexelLayout format = *texelLayout(picture.format);
  const size_t texel = (size_t(layer) * picture.height + y) * picture.width + x;
  return std::bit_cast<Color>(decodeTexel(format, &picture.bytes[texel * format.bytes]));
}

float DrawRun::depth(unsigned x, unsigned y) const {
  float value;
  std::memcpy(&value, &result.depth.bytes[(y * result.depth.width + x) * sizeof(float)], sizeof(value));
  return value;
}

unsigned DrawRun::stencil(unsigned x, unsigned y) const {
  return result.stencil.bytes[y * result.stencil.width + x];
}

std::string DrawRun::picture() const {
  std::string text;
  for (unsigned y = 0; y < result.colors[0].height; ++y) {
    for (unsigned x = 0; x < result.colors[0].width; ++x)
      text += pixel(x, y)[0] != 0 ? '#' : '.';
    text += '\n';
  }
  return text;
}

float DrawRun::sum(unsigned channel) const {
  float total = 0;
  for (unsigned y = 0; y < result.colors[0].height; ++y)
    for (unsigned x = 0; x < result.colors[0].width; ++x)
      total += pixel(x, y)[channel];
  return total;
}

} // namespace dovetail::emulator::test
