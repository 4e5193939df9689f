// SPDX-License-Identifier: MIT
//
// Each row of the table of capabilities: what is implemented has a program that declares it and is compiled for both
// generations, what is refused gives the row's reason.
#include "merge/check_image.h"
#include "src/spirv/module/capabilities.h"
#include "src/spirv/module/names.h"
#include "tests/driver/shared_device.h"
#include "tests/spirv/capability_shaders.h"
#include "tools/inputs/earlier_stages.h"
#include "tools/inputs/glsl.h"
#include "tools/inputs/spirv_assembly.h"
#include "variants/build/default_state.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using namespace dovetail::test;

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t OpCapability = 2u << 16 | uint32_t(spv::Op::OpCapability);

bool declares(const Words &words, spv::Capability capability) {
  for (size_t at = spirv::HeaderWords; words.at(at) == OpCapability; at += 2)
    if (words.at(at + 1) == uint32_t(capability))
      return true;
  return false;
}

void declare(Words &words, spv::Capability capability, std::string_view extension) {
  size_t at = spirv::HeaderWords;
  words.insert(words.begin() + long(at), {OpCapability, uint32_t(capability)});
  while (words.at(at) == OpCapability)
    at += 2;
  if (extension.empty())
    return;
  Words text(1 + extension.size() / 4 + 1);
  text[0] = uint32_t(text.size()) << 16 | uint32_t(spv::Op::OpExtension);
  std::memcpy(&text[1], extension.data(), extension.size());
  words.insert(words.begin() + long(at), text.begin(), text.end());
}

Words wordsOf(const CapabilityShader &shader) {
  if (shader.text.starts_with("OpCapability")) {
    Result<Words> words = assembleSpirv("assembly", shader.text);
    if (!words)
      FAIL(words.error().text);
    return *words;
  }
  auto modules = translateGlsl({{shader.stage, "shader", shader.text}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

Result<void> compile(const std::string &gpu, const std::vector<ShaderRef> &shaders) {
  std::vector<ShaderRef> all = shaders;
  DOVETAIL_CHECK(addEarlierStages(all));
  ShaderSet set = DOVETAIL_TRY(makeShaderSet(all));
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(set, defaultState(set)));
  return checkImage(*variant->image);
}

const CapabilityProgram *programOf(std::string_view capability) {
  auto found = std::ranges::find(capabilityPrograms(), capability, &CapabilityProgram::capability);
  return found == capabilityPrograms().end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("each capability that is implemented has a program that is compiled") {
  size_t compiled = 0;
  for (const spirv::CapabilityRow &row : spirv::capabilityRows()) {
    if (!row.refusal.empty())
      continue;
    CAPTURE(std::string(row.name));
    const CapabilityProgram *program = programOf(row.name);
    if (!program) {
      FAIL_CHECK("no program");
      continue;
    }
    std::vector<Words> modules;
    for (const CapabilityShader &shader : program->shaders)
      modules.push_back(wordsOf(shader));
    if (program->isAdded) {
      CHECK(std::ranges::none_of(modules, [&](const Words &words) { return declares(words, row.capability); }));
      declare(modules.back(), row.capability, program->extension);
    }
    CHECK(std::ranges::any_of(modules, [&](const Words &words) { return declares(words, row.capability); }));
    std::vector<ShaderRef> shaders;
    for (size_t i = 0; i < modules.size(); ++i) {
      Result<ShaderRef> shader = createShader({"shader", modules[i], "main", program->shaders[i].stage, {}});
      if (!shader)
        FAIL_CHECK(shader.error().text);
      else
        shaders.push_back(*shader);
    }
    if (shaders.size() != modules.size())
      continue;
    for (const char *gpu : {"gfx900", "gfx803"}) {
      CAPTURE(std::string(gpu));
      Result<void> result = compile(gpu, shaders);
      if (!result)
        FAIL_CHECK(result.error().text);
    }
    ++compiled;
  }
  CHECK(compiled == capabilityPrograms().size()); // no program is for anything else
}

TEST_CASE("each capability that is refused says why") {
  size_t refused = 0;
  const Words words =
      wordsOf({lgc::ShaderStage::Compute, "#version 460\nlayout(local_size_x = 64) in; void main() {}"});
  for (const spirv::CapabilityRow &row : spirv::capabilityRows()) {
    if (row.refusal.empty())
      continue;
    CAPTURE(std::string(row.name));
    Words changed = words;
    declare(changed, row.capability, {});
    Result<ShaderRef> shader = createShader({"shader", changed, "main", lgc::ShaderStage::Compute, {}});
    REQUIRE_FALSE(shader.has_value());
    CHECK((shader.error().code == ErrorCode::Unsupported));
    CHECK(shader.error().text.find("OpCapability at word 5: capability " + std::string(row.name) +
                                   " is not supported (" + std::string(row.refusal) + ")") != std::string::npos);
    ++refused;
  }
  CHECK(refused > 30);
}

TEST_CASE("the table has each number once, and the grammar's names") {
  std::set<uint32_t> numbers;
  for (const spirv::CapabilityRow &row : spirv::capabilityRows()) {
    CAPTURE(std::string(row.name));
    CHECK(numbers.insert(uint32_t(row.capability)).second);
    const std::string known = spirv::nameOf(row.capability);
    // The grammar may know it by an older name, with the extension's letters, or not at all.
    CHECK((known.starts_with(row.name) || known.starts_with("capability ") || row.name.starts_with(known)));
  }
}

TEST_CASE("a capability that no row has is refused by its name") {
  Words words = wordsOf({lgc::ShaderStage::Compute, "#version 460\nlayout(local_size_x = 64) in; void main() {}"});
  declare(words, spv::Capability::AtomicStorageOps, "SPV_KHR_shader_atomic_counter_ops");
  Result<ShaderRef> shader = createShader({"shader", words, "main", lgc::ShaderStage::Compute, {}});
  Result<void> result = shader ? compile("gfx900", {*shader}) : Result<void>(tl::unexpected(shader.error()));
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text.find("AtomicStorageOps") != std::string::npos);
}
