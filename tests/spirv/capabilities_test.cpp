// SPDX-License-Identifier: MIT
//
// Each row of the table of capabilities. An implemented capability has a program that declares it, and that does the
// same on both generations. A refused capability gives the row's reason.
#include "merge/check/check_image.h"
#include "src/spirv/module/names.h"
#include "src/spirv/validate/capabilities.h"
#include "tests/driver/shared_device.h"
#include "tests/spirv/capability_shaders.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/spirv/spirv_editor.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using namespace dovetail::test;

namespace {

using Words = std::vector<uint32_t>;

void declare(Words &words, spv::Capability capability, std::string_view extension) {
  SpirvEditor editor(words);
  editor.declareCapability(capability);
  if (!extension.empty())
    editor.declareExtension(extension);
  words = editor.rewrite([&](const SpirvEditor::Instruction &inst) { editor.emit(inst); });
}

Words wordsOf(const CapabilityShader &shader) {
  if (shader.text.starts_with("OpCapability")) {
    Result<Words> words = assembleSpirv("assembly", shader.text);
    if (!words)
      FAIL(words.error().text);
    return *words;
  }
  auto modules = translateGlsl({{shader.stage, "shader", shader.text}}, {.environment = shader.environment});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

Result<ShaderSet> withCompany(std::vector<ShaderRef> shaders) {
  DOVETAIL_CHECK(addEarlierStages(shaders));
  return makeShaderSet(shaders);
}

Result<SceneResult> run(const std::string &gpu, const Scene &scene, const ShaderSet &shaders) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return emulate(scene, shaders, *variant->image);
}

// An Error also for a difference between the generations, unless the program may give any result.
Result<void> runOnBoth(const std::vector<ShaderRef> &shaders, bool isTimed, bool isOfGfx9 = false) {
  constexpr uint32_t Size = 8;
  ShaderSet set = DOVETAIL_TRY(withCompany(shaders));
  Scene scene = DOVETAIL_TRY(makeScene(set, defaultState(set), {1, Size, Size}));
  SceneResult newer = DOVETAIL_TRY(run("gfx900", scene, set));
  if (isOfGfx9) {
    const Result<SceneResult> refused = run("gfx803", scene, set);
    if (refused || refused.error().code != ErrorCode::Unsupported)
      return makeError(ErrorCode::CheckFailed, "GFX8 does not refuse it");
    return {};
  }
  SceneResult older = DOVETAIL_TRY(run("gfx803", scene, set));
  Comparison comparison = compare(scene, newer, older);
  if (!comparison.matches && !isTimed)
    return makeError(ErrorCode::CheckFailed, "{}", comparison.text);
  return {};
}

const CapabilityProgram *programOf(std::string_view capability) {
  auto found = std::ranges::find(capabilityPrograms(), capability, &CapabilityProgram::capability);
  return found == capabilityPrograms().end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("each capability that is implemented has a program that runs") {
  size_t done = 0;
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
      CHECK(
          std::ranges::none_of(modules, [&](const Words &words) { return declaresCapability(words, row.capability); }));
      declare(modules.back(), row.capability, program->extension);
    }
    CHECK(std::ranges::any_of(modules, [&](const Words &words) { return declaresCapability(words, row.capability); }));
    std::vector<ShaderRef> shaders;
    for (size_t i = 0; i < modules.size(); ++i) {
      Result<ShaderRef> shader = createShader(
          {"shader", modules[i], "main", program->shaders[i].stage, {}, {}, program->shaders[i].environment});
      if (!shader)
        FAIL_CHECK(shader.error().text);
      else
        shaders.push_back(*shader);
    }
    if (shaders.size() != modules.size())
      continue;
    Result<void> result = runOnBoth(shaders, row.capability == spv::Capability::ShaderClockKHR, program->isOfGfx9);
    if (!result)
      FAIL_CHECK(result.error().text);
    ++done;
  }
  CHECK(done == capabilityPrograms().size()); // each program belongs to an implemented capability
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

TEST_CASE("what only OpenGL has is refused in a shader of Vulkan's") {
  size_t refused = 0;
  for (const spirv::CapabilityRow &row : spirv::capabilityRows()) {
    if (!row.isOpenGl)
      continue;
    CAPTURE(std::string(row.name));
    const CapabilityShader &only = programOf(row.name)->shaders.back();
    Result<ShaderRef> shader = createShader({"shader", wordsOf(only), "main", only.stage, {}});
    REQUIRE_FALSE(shader.has_value());
    CHECK((shader.error().code == ErrorCode::Unsupported));
    CHECK(shader.error().text.find("is not supported (it is OpenGL's, and the shader is described as Vulkan's)") !=
          std::string::npos);
    ++refused;
  }
  CHECK(refused == 4);
}

TEST_CASE("the table has each number once, and the grammar's names") {
  std::set<uint32_t> numbers;
  for (const spirv::CapabilityRow &row : spirv::capabilityRows()) {
    CAPTURE(std::string(row.name));
    CHECK(numbers.insert(uint32_t(row.capability)).second);
    const std::string known = spirv::nameOf(row.capability);
    // The grammar may know the capability by an older name, with the extension's letters, or not at all.
    CHECK((known.starts_with(row.name) || known.starts_with("capability ") || row.name.starts_with(known)));
  }
}

TEST_CASE("a capability that no row has is refused by its name") {
  Words words = wordsOf({lgc::ShaderStage::Compute, "#version 460\nlayout(local_size_x = 64) in; void main() {}"});
  declare(words, spv::Capability::Kernel, {});
  Result<ShaderRef> shader = createShader({"shader", words, "main", lgc::ShaderStage::Compute, {}});
  Result<void> result = shader ? runOnBoth({*shader}, false) : Result<void>(tl::unexpected(shader.error()));
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text.find("Kernel") != std::string::npos);
}
