// SPDX-License-Identifier: MIT
#include "tests/divisions/division_proof.h"
#include "merge/check/check_image.h"
#include "src/abi/registers/registers.h"
#include "tests/divisions/division_shader.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>

namespace dovetail {

namespace {

Result<ShaderSet> compile(const std::string &text) {
  auto modules = DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Compute, "division", text}}));
  ShaderRef shader =
      DOVETAIL_TRY(createShader({"division", std::move(modules.front()), "main", lgc::ShaderStage::Compute, {}}));
  return makeShaderSet(std::vector<ShaderRef>{shader});
}

// The image, with the setting's rounding of f32 instead of the shader's.
Result<Image> imageOf(const ShaderSet &shaders, const DivisionSetting &setting) {
  using namespace field;
  VariantRef variant = DOVETAIL_TRY(sharedDevice(setting.gpu).bind(shaders, {}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  Image image = *variant->image;
  for (RegisterValue &each : image.registers)
    if (each.address == reg::COMPUTE_PGM_RSRC1)
      each.value |= PGM_RSRC1::FLOAT_MODE(setting.rounding);
  return image;
}

std::vector<uint32_t> wordsOf(const DivisionPass &pass, const PlantedFaults &faults) {
  std::vector<uint32_t> words(DivisionWordCount);
  std::ranges::copy(faults, words.begin() + FaultWords);
  const uint32_t parameters[] = {pass.turns,       pass.first,      pass.step, pass.spread,
                                 pass.firstFactor, pass.lastFactor, pass.seed};
  std::ranges::copy(parameters, words.begin() + ParameterWords);
  return words;
}

std::string failureOf(const DividedForm &form, const uint32_t *words) {
  auto number = [&](unsigned index) {
    const uint64_t bits = words[2 * index] | uint64_t(words[2 * index + 1]) << 32;
    if (!form.isSigned)
      return fmt::format("{}", bits);
    return fmt::format("{}", form.width == 64 ? int64_t(bits) : int64_t(int32_t(bits)));
  };
  return fmt::format("{} by {} is {}, remainder {}, modulo {}", number(0), number(1), number(2), number(3), number(4));
}

Result<DivisionOutcome> prove(const DividedForm &form, DivisionWalk walk, const std::vector<DivisionPass> &passes,
                              const DivisionSetting &setting, const PlantedFaults &faults) {
  const ShaderSet shaders = DOVETAIL_TRY(compile(divisionShader(form, walk)));
  const Image image = DOVETAIL_TRY(imageOf(shaders, setting));
  Scene scene = DOVETAIL_TRY(makeScene(shaders, {}, {}));
  DivisionOutcome outcome;
  for (const DivisionPass &pass : passes) {
    std::vector<uint32_t> words = wordsOf(pass, faults);
    const size_t bytes = words.size() * sizeof(uint32_t);
    scene.buffers.at(0).resize(bytes);
    std::memcpy(scene.buffers[0].data(), words.data(), bytes);
    scene.workgroups = {pass.workgroups, 1, 1};
    const SceneResult result =
        DOVETAIL_TRY(emulate(scene, shaders, image, nullptr, {.reciprocalUlps = setting.reciprocalUlps}));
    std::memcpy(words.data(), result.buffers.at(0).data(), bytes);
    outcome.pairs += words[PairsWords] | uint64_t(words[PairsWords + 1]) << 32;
    if (words[WrongWord] != 0 && outcome.wrong == 0)
      outcome.failure = failureOf(form, &words[FailureWords]);
    outcome.wrong += words[WrongWord];
  }
  return outcome;
}

} // namespace

DivisionOutcome proveDivisions(const DividedForm &form, DivisionWalk walk, const std::vector<DivisionPass> &passes,
                               const DivisionSetting &setting, const PlantedFaults &faults) {
  Result<DivisionOutcome> outcome = prove(form, walk, passes, setting, faults);
  if (!outcome)
    FAIL(outcome.error().text);
  return *outcome;
}

} // namespace dovetail
