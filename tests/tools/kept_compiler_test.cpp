// SPDX-License-Identifier: MIT
//
// A compiler keeps LLVM's passes from shader to shader. Its code for a shader must not depend on the shaders before:
// parts are shared and stored under keys that do not cover those.
#include "parts/compile/compiler_pool.h"
#include "parts/kinds/main_part.h"
#include "tools/common/inputs/shader_file.h"
#include "variants/assemble/get_parts.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

ShaderSet readShader(const char *file) {
  auto binaries = readShaderFile(std::string(DOVETAIL_OWN_SHADERS "/") + file);
  REQUIRE_MESSAGE(binaries, binaries.error().text);
  const ShaderBinary &binary = binaries->front();
  auto shader = createShader({binary.name, binary.words, binary.entryPoint, binary.stage, {}});
  REQUIRE_MESSAGE(shader, shader.error().text);
  auto set = makeShaderSet(std::span(&*shader, 1));
  REQUIRE_MESSAGE(set, set.error().text);
  return std::move(*set);
}

std::vector<uint8_t> compile(const ShaderSet &set, CompilerPool &compilers) {
  for (const ShaderRef &shader : set.shaders)
    if (shader) {
      auto compiler = compilers.lease();
      REQUIRE(compiler);
      const ShaderSource source = sourceOf(set, shader->description.stage, compilers.target().gpuName);
      auto part = makeMainPart(source.key, source.words, **compiler);
      REQUIRE_MESSAGE(part, part.error().text);
      return part->code;
    }
  return {};
}

} // namespace

TEST_CASE("a compiler makes of a shader what a new one makes, whatever it has compiled before") {
  // Loops that read memory: in these, LLVM's si-insert-waitcnts may remember blocks of other shaders.
  const char *const files[] = {"descriptor_arrays.frag", "geom_spiral.geom", "phong.frag",       "loops.comp",
                               "spirv15.comp",           "blur.comp",        "nested_flow.frag", "geom_streams_2.vert"};
  auto kept = CompilerPool::create("gfx803");
  REQUIRE(kept);
  std::vector<ShaderSet> sets;
  std::vector<std::vector<uint8_t>> expected;
  for (const char *file : files) {
    sets.push_back(readShader(file));
    auto fresh = CompilerPool::create("gfx803");
    REQUIRE(fresh);
    expected.push_back(compile(sets.back(), **fresh));
    REQUIRE_FALSE(expected.back().empty());
  }
  for (unsigned round = 0; round < 12; ++round)
    for (size_t i = 0; i < sets.size(); ++i) {
      const size_t shader = (i * 3 + round) % sets.size(); // 8 of them: each once, starting elsewhere
      INFO("round ", round, ", ", files[shader]);
      CHECK(compile(sets[shader], **kept) == expected[shader]);
    }
}
