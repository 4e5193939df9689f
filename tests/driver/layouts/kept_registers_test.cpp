// SPDX-License-Identifier: MIT
//
// A pipeline finds in the registers the values that the last pipeline left there. So it must set all registers that it
// depends on.
#include "src/abi/registers/registers.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/emulator/driver/kept_registers.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <array>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

struct Drawn {
  ShaderSet shaders;
  Scene scene;
  VariantRef variant;

  // Whether the picture is another one, or none, if the image does not set this register. Tries 16 kinds of garbage.
  bool needs(uint32_t address, const std::vector<uint8_t> &right) const {
    Image image = *variant->image;
    auto found = std::ranges::find(image.registers, address, &RegisterValue::address);
    REQUIRE(found != image.registers.end());
    image.registers.erase(found);
    for (unsigned i = 0; i < 16; ++i) {
      const Result<SceneResult> drawn = emulate(scene, shaders, image);
      if (!drawn || drawn->colors[0].bytes != right)
        return true;
      image.code.resize(image.code.size() + 256, 0); // the garbage depends on the size of the code
    }
    return false;
  }
};

Drawn drawSomething() {
  Drawn drawn;
  drawn.shaders = shadersOf("layout(location = 0) in vec4 p; layout(location = 0) out vec4 v;"
                            "void main() { gl_Position = vec4(p.xy, 0, 1); v = p; }",
                            "layout(location = 0) in vec4 v; layout(location = 0) out vec4 c; void main() { c = v; }");
  drawn.scene = makeScene(drawn.shaders, defaultState(drawn.shaders), {}).value();
  drawn.variant = sharedDevice().bind(drawn.shaders, drawn.scene.state).value();
  return drawn;
}

} // namespace

TEST_CASE("what pipelines set holds garbage before, what the driver sets holds nothing") {
  for (emulator::Generation generation : {emulator::Generation::Gfx8, emulator::Generation::Gfx9}) {
    const emulator::HardwareRegisters kept = keptRegisters(generation, 5);
    const auto absent =
        generation == emulator::Generation::Gfx9 ? RegisterGenerations::Gfx8 : RegisterGenerations::Gfx9;
    for (const RegisterRow &row : registerTable()) {
      INFO(row.name);
      if (row.generations == absent) // another register may be at its address
        continue;
      const bool isThere = row.owner != RegisterOwner::Driver;
      CHECK(kept.contains(row.address) == isThere);
      CHECK(kept.contains(row.address + row.count - 1) == isThere);
    }
    CHECK(kept.at(reg::VGT_INSTANCE_STEP_RATE_0) > 1);
    CHECK(kept.at(reg::VGT_INSTANCE_STEP_RATE_0) != keptRegisters(generation, 6).at(reg::VGT_INSTANCE_STEP_RATE_0));
    CHECK(kept.at(reg::SPI_PS_INPUT_CNTL_0) != kept.at(reg::SPI_PS_INPUT_CNTL_0 + 1));
  }
}

TEST_CASE("a register that an image does not set is found out") {
  const Drawn drawn = drawSomething();
  const Result<SceneResult> right = emulate(drawn.scene, drawn.shaders, *drawn.variant->image);
  REQUIRE_MESSAGE(right.has_value(), right.error().text);
  for (uint32_t address :
       {reg::SPI_SHADER_PGM_RSRC2_VS, reg::SPI_SHADER_PGM_RSRC2_PS, reg::SPI_SHADER_POS_FORMAT, reg::PA_CL_VS_OUT_CNTL,
        reg::VGT_SHADER_STAGES_EN, reg::SPI_PS_INPUT_ENA, reg::SPI_PS_INPUT_ADDR, reg::SPI_PS_IN_CONTROL,
        reg::SPI_PS_INPUT_CNTL_0, reg::SPI_SHADER_COL_FORMAT, reg::SPI_SHADER_Z_FORMAT}) {
    INFO(registerName(address));
    CHECK(drawn.needs(address, right->colors[0].bytes));
  }
}

TEST_CASE("a pipeline without a fragment shader leaves colours alone, whatever the last one exported") {
  Drawn drawn = drawSomething();
  const std::vector<uint8_t> before = emulate(drawn.scene, drawn.shaders, *drawn.variant->image)->colors[0].bytes;
  drawn.scene.vertexCount = 0;
  const std::vector<uint8_t> cleared = emulate(drawn.scene, drawn.shaders, *drawn.variant->image)->colors[0].bytes;
  REQUIRE(before != cleared);
  drawn = drawSomething();
  drawn.shaders = makeShaderSet(std::array{drawn.shaders.shader(lgc::ShaderStage::Vertex)}).value();
  for (bool isMonolithic : {false, true}) {
    drawn.variant = sharedDevice().bind(drawn.shaders, drawn.scene.state, {isMonolithic}).value();
    const Result<SceneResult> without = emulate(drawn.scene, drawn.shaders, *drawn.variant->image);
    REQUIRE_MESSAGE(without.has_value(), without.error().text);
    CHECK(without->colors[0].bytes == cleared);
  }
}
