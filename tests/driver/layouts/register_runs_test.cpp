// SPDX-License-Identifier: MIT
//
// A driver goes from variant to variant and writes only the registers that differ. Then every register has the value
// that the variant wants, and the picture is the same whatever the earlier variants have left.
#include "merge/registers/register_runs.h"
#include "src/abi/registers/register_fields.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace dovetail;

namespace {

struct Drawable {
  std::string name;
  ShaderSet shaders;
  Scene scene;
  VariantRef variant;

  const Image &image() const { return *variant->image; }
  bool isCompute() const { return image().findStage(HardwareStage::Cs) != nullptr; }
};

std::vector<Drawable> makeDrawables(const std::string &gpu) {
  std::vector<Drawable> drawables;
  for (OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    Result<Scene> scene = makeScene(program.shaders, randomState(program.shaders, 1), {1, 16, 16});
    REQUIRE_MESSAGE(scene.has_value(), scene.error().text);
    Result<VariantRef> variant = sharedDevice(gpu).bind(program.shaders, scene->state);
    REQUIRE_MESSAGE(variant.has_value(), variant.error().text);
    drawables.push_back({std::move(program.name), std::move(program.shaders), std::move(*scene), std::move(*variant)});
  }
  return drawables;
}

// The driver's record of the registers for one kind of program, graphics or compute.
class WrittenRegisters {
public:
  // Returns the number of values that it wrote.
  size_t bind(const Image &image) {
    const RegisterRuns written = m_bound ? changedRegisterRuns(*m_bound, image) : registerRuns(image);
    for (const RegisterRun &run : written.runs)
      for (uint32_t i = 0; i < run.count; ++i)
        m_values[run.address + i] = written.valuesOf(run)[i];
    m_bound = &image;
    return written.values.size();
  }

  // The registers that do not hold the image's values.
  std::string wrongOf(const Image &image) const {
    std::string wrong;
    for (const RegisterValue &value : image.registers)
      if (!holdsUserData(value.address)) {
        const auto found = m_values.find(value.address);
        if (found == m_values.end() || found->second != value.value)
          wrong += registerName(value.address) + " ";
      }
    return wrong;
  }

  // The image, with every register that was ever written.
  Image withAll(const Image &image) const {
    Image result = image;
    result.registers.clear();
    for (const auto &[address, value] : m_values)
      result.registers.push_back({address, value});
    return result;
  }

private:
  const Image *m_bound = nullptr;
  std::map<uint32_t, uint32_t> m_values;
};

} // namespace

TEST_CASE("differences over a random sequence of variants leave every register as each variant wants it") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    const std::vector<Drawable> drawables = makeDrawables(gpu);
    constexpr unsigned Binds = 2000, DrawEvery = 40;
    std::mt19937 random(1);
    WrittenRegisters graphics, compute;
    size_t writtenValues = 0, allValues = 0;
    for (unsigned i = 0; i < Binds; ++i) {
      const Drawable &drawn = drawables[random() % drawables.size()];
      CAPTURE(drawn.name);
      WrittenRegisters &registers = drawn.isCompute() ? compute : graphics;
      writtenValues += registers.bind(drawn.image());
      allValues += registerRuns(drawn.image()).values.size();
      const std::string wrong = registers.wrongOf(drawn.image());
      REQUIRE_MESSAGE(wrong.empty(), wrong);
      if (i % DrawEvery != 0)
        continue;
      const Result<SceneResult> expected = emulate(drawn.scene, drawn.shaders, drawn.image());
      const Result<SceneResult> result = emulate(drawn.scene, drawn.shaders, registers.withAll(drawn.image()));
      REQUIRE_MESSAGE(expected.has_value(), expected.error().text);
      REQUIRE_MESSAGE(result.has_value(), result.error().text);
      const Comparison comparison = compare(drawn.scene, *expected, *result);
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
    CHECK(writtenValues < allValues / 2);
  }
}

TEST_CASE("no own program sets a bit that is the driver's") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    std::map<uint32_t, uint32_t> imageBits;
    const bool isGfx9 = sharedDevice(gpu).target().hasMergedStages;
    for (const RegisterMask &mask : registerMasks(isGfx9 ? RegisterGenerations::Gfx9 : RegisterGenerations::Gfx8))
      imageBits[mask.address] = mask.imageBits;
    for (const Drawable &drawn : makeDrawables(gpu))
      for (const RegisterValue &value : drawn.image().registers) {
        INFO(gpu, " ", drawn.name, " ", registerName(value.address));
        REQUIRE(imageBits.contains(value.address));
        REQUIRE((holdsUserData(value.address) || (value.value & ~imageBits[value.address]) == 0));
      }
  }
}

TEST_CASE("an image that sets a bit of the driver's, or a register of no image, is not drawn") {
  const std::vector<OwnProgram> programs = readOwnPrograms();
  const ShaderSet &shaders = programs.front().shaders;
  const Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 16, 16});
  REQUIRE(scene.has_value());
  const Result<VariantRef> variant = sharedDevice().bind(shaders, scene->state);
  REQUIRE(variant.has_value());
  Image image = *(*variant)->image;
  const bool isCompute = image.findStage(HardwareStage::Cs) != nullptr;
  const uint32_t address = isCompute ? reg::COMPUTE_PGM_RSRC2 : reg::SPI_SHADER_PGM_RSRC2_PS;
  for (RegisterValue &value : image.registers)
    if (value.address == address)
      value.value |= 1u << 31;
  Result<SceneResult> drawn = emulate(*scene, shaders, image);
  REQUIRE(!drawn.has_value());
  CHECK(drawn.error().text ==
        "the image sets bits 0x80000000 of " + registerName(address) + ", which are the driver's");
  image = *(*variant)->image;
  image.registers.push_back({reg::SPI_TMPRING_SIZE, 0});
  drawn = emulate(*scene, shaders, image);
  REQUIRE(!drawn.has_value());
  CHECK(drawn.error().text == "the image sets SPI_TMPRING_SIZE, which no image is to set");
}
