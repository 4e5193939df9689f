// SPDX-License-Identifier: MIT
//
// Tests ShaderInterface::functionHash: shaders of one hash have the same code, whatever else they know of their
// pipeline. So the test finds a pass that uses another stage's data without a trace in the hash. It also finds that a
// shader is compiled again because of knowledge that it cannot use.
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include "tests/driver/own_shaders.h"
#include "variants/assemble/get_parts.h"
#include "variants/optimize/inlinable_uniforms.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <map>
#include <random>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

class RandomKnowledge {
public:
  explicit RandomKnowledge(uint32_t seed) : m_random(seed) {}

  // Knowledge of some random kinds, about things that the shader has or might have.
  StageKnowledge make(const Shader &shader, const ShaderInterface &plain) {
    StageKnowledge knowledge;
    if (chance(3))
      drop(knowledge.droppedOutputs);
    if (chance(4))
      drop(knowledge.droppedPatchOutputs);
    if (chance(4))
      drop(knowledge.droppedFixedFunctionOutputs);
    if (chance(2))
      knowledge.keptColors = uint16_t(m_random());
    knowledge.dropsTransformFeedback = chance(4);
    if (chance(3))
      addConstants(knowledge.constantInputs, plain.inputComponents);
    if (chance(3))
      addUniforms(knowledge.inlinableUniforms, shader);
    if (chance(4))
      knowledge.patchControlPoints = 1 + m_random() % 4;
    if (chance(4))
      pack(knowledge.packedParameters);
    return knowledge;
  }

private:
  // Is true once in `odds` times.
  bool chance(unsigned odds) { return m_random() % odds == 0; }

  void drop(SlotComponents &components) {
    for (uint8_t &component : components)
      component = chance(3) ? uint8_t(m_random() & 0xf) : 0;
  }

  void addConstants(std::vector<ConstantDword> &constants, const SlotComponents &read) {
    constexpr uint32_t Values[] = {0, 0x3f800000, 0xbf000000, 7};
    for (unsigned slot = 0; slot < read.size(); ++slot)
      for (unsigned component = 0; component < 4; ++component)
        if (chance(read[slot] >> component & 1 ? 3 : 60))
          constants.push_back({uint8_t(slot), uint8_t(component), Values[m_random() % 4]});
  }

  void addUniforms(std::vector<InlinableUniform> &uniforms, const Shader &shader) {
    auto add = [&](const UniformPlace &place) { uniforms.push_back({place, uint32_t(m_random() % 3)}); };
    auto places = inlinableUniforms(shader);
    REQUIRE_MESSAGE(places, places.error().text);
    for (const UniformPlace &place : *places)
      if (chance(2))
        add(place);
    for (uint32_t offset = 0; offset < 128; offset += 4)
      if (chance(8))
        add({UniformPlace::Place::PushConstants, 0, 0, offset});
    std::ranges::sort(uniforms);
    const auto same = std::ranges::unique(uniforms, {}, [](const UniformPlace &place) { return place; });
    uniforms.erase(same.begin(), same.end());
  }

  void pack(std::vector<PackedParameter> &parameters) {
    for (uint8_t location = 0; location < 8; ++location)
      for (uint8_t component = 0; component < 4; ++component)
        if (chance(2)) {
          const auto place = uint8_t(parameters.size());
          parameters.push_back({{location, component},
                                {uint8_t(PackedParameter0 + place / 4), uint8_t(place % 4)},
                                DwordPart(m_random() % 3)});
        }
  }

  std::mt19937 m_random;
};

struct Compiled {
  std::vector<uint8_t> elf;
  ShaderInterface interface;
  StageKnowledge knowledge;
};

Compiled compileUnder(ShaderSource source, const StageKnowledge &knowledge, lgc::BuilderContext &context) {
  source.key.knowledge = knowledge;
  auto compiled = compileShader(source.key, source.words, context, {});
  REQUIRE_MESSAGE(compiled, compiled.error().text);
  return {std::move(compiled->elf), std::move(compiled->interface), knowledge};
}

// Counts over the compiles of all shaders.
struct Tally {
  unsigned compiles = 0, functions = 0, codes = 0;
};

// Compiles each shader under `count` random pieces of knowledge.
Tally compareFunctions(const std::string &gpu, unsigned count) {
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, gpu);
  REQUIRE(context);
  RandomKnowledge random(1);
  Tally tally;
  forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
    const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
    std::map<Hash128, Compiled> functions;
    std::vector<std::vector<uint8_t>> codes;
    auto compile = [&](const StageKnowledge &knowledge) {
      Compiled compiled = compileUnder(source, knowledge, **context);
      if (std::ranges::find(codes, compiled.elf) == codes.end())
        codes.push_back(compiled.elf);
      ++tally.compiles;
      const Hash128 hash = compiled.interface.functionHash;
      CHECK((hash != Hash128()));
      auto [same, isNew] = functions.try_emplace(hash, compiled);
      if (isNew)
        return;
      CHECK(same->second.elf == compiled.elf);
      CHECK(same->second.interface == compiled.interface);
    };
    compile({});
    CHECK((functions.begin()->first == source.key.partKey().hash));
    const ShaderInterface plain = functions.begin()->second.interface;
    for (unsigned i = 0; i < count; ++i)
      compile(random.make(shader, plain));
    tally.functions += functions.size();
    tally.codes += codes.size();
  });
  return tally;
}

} // namespace

TEST_CASE("functions of one hash have the same code, whatever they were told") {
  for (const auto &[gpu, count] : {std::pair("gfx900", 4u), std::pair("gfx803", 1u)}) {
    const Tally tally = compareFunctions(gpu, count);
    CAPTURE(gpu);
    CAPTURE(tally.functions);
    CAPTURE(tally.codes);
    // Both must occur: knowledge that is of no use to a shader, and knowledge that changes its code.
    CHECK(tally.functions < tally.compiles * 9 / 10);
    CHECK(tally.codes > tally.compiles / 5);
  }
}
