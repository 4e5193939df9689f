// SPDX-License-Identifier: MIT
#include "variants/shader.h"
#include "gfx9-merged/stage_map.h"
#include "src/base/field_bytes.h"
#include "src/lgc/state/state_fields.h"
#include "src/spirv/module/specialize.h"
#include "variants/pass_through.h"

namespace dovetail {

Hash128 hashDescription(const ShaderDescription &description, const Hash128 &words) {
  Hasher hasher;
  hasher.add(words).add(std::string_view(description.entryPoint)).add(description.stage).add(description.environment);
  hasher.add(description.specConstants.size());
  for (const spirv::SpecConstant &constant : description.specConstants)
    hasher.add(constant.id).add(constant.value);
  for (const lgc::ColorInputLocations &color : description.colorInputs)
    hasher.add(color.front).add(color.back);
  hasher.add(FieldWriter().add(description.options).hash());
  hasher.add(description.deviceIndex).add(description.optimizationLevel);
  return hasher.finish();
}

namespace {

const UserDataNodes NoNodes;

// Reflects the shader as it is compiled: specialisation constants, which may be sizes of arrays, have the description's
// values. The facts about the constants themselves come from the module.
Result<spirv::Reflection> reflectSpecialized(const ShaderDescription &description, spirv::ValidModuleStore *store) {
  auto reflect = [&](std::span<const uint32_t> words) {
    return spirv::reflect(words, description.entryPoint, description.stage, description.environment, store);
  };
  spirv::Reflection plain = DOVETAIL_TRY(reflect(description.words));
  if (description.specConstants.empty())
    return plain;
  std::vector<uint32_t> words = DOVETAIL_TRY(spirv::specialize(description.words, description.specConstants));
  spirv::Reflection special = DOVETAIL_TRY(reflect(words));
  special.specConstants = std::move(plain.specConstants);
  return special;
}

// Checks that the shader can have the subgroups that it asks for.
Result<void> checkSubgroups(const ShaderDescription &description, const spirv::Reflection &reflection) {
  const uint32_t size = description.options.subgroupSize;
  if (size != 0 && size != lgc::WaveLanes)
    return makeError(ErrorCode::Unsupported, "{}: a subgroup size of {}; waves have {} lanes", description.name, size,
                     lgc::WaveLanes);
  if (description.needsFullSubgroups && description.stage == lgc::ShaderStage::Compute &&
      reflection.localSize[0] % lgc::WaveLanes != 0)
    return makeError(ErrorCode::StateMismatch,
                     "{}: full subgroups need a workgroup that is a multiple of {} long; it is {}", description.name,
                     lgc::WaveLanes, reflection.localSize[0]);
  return {};
}

} // namespace

Result<ShaderRef> createShader(ShaderDescription description, spirv::ValidModuleStore *store) {
  Result<spirv::Reflection> reflection = reflectSpecialized(description, store);
  if (!reflection)
    return makeError(reflection.error().code, "{}: {}", description.name, reflection.error().text);
  DOVETAIL_CHECK(checkSubgroups(description, *reflection));
  auto shader = std::make_shared<Shader>();
  shader->wordsHash = hashBytes(std::as_bytes(std::span(description.words)));
  shader->hash = hashDescription(description, shader->wordsHash);
  shader->reflection = std::move(*reflection);
  shader->description = std::move(description);
  return shader;
}

const spirv::Reflection *ShaderSet::reflection(lgc::ShaderStage stage) const {
  return shader(stage) ? &shader(stage)->reflection : nullptr;
}

uint32_t ShaderSet::stageMask() const {
  uint32_t mask = 0;
  for (size_t index = 0; index < shaders.size(); ++index)
    if (shaders[index])
      mask |= lgc::stageBit(static_cast<lgc::ShaderStage>(index));
  return mask;
}

lgc::ShaderStage ShaderSet::stageBehind(lgc::ShaderStage stage) const {
  for (size_t next = size_t(stage) + 1; next < lgc::ShaderStageCount; ++next)
    if (shaders[next])
      return lgc::ShaderStage(next);
  return lgc::ShaderStage::Fragment;
}

std::optional<lgc::ShaderStage> ShaderSet::lastInFront() const {
  for (lgc::ShaderStage stage : {lgc::ShaderStage::Geometry, lgc::ShaderStage::TessEval, lgc::ShaderStage::Vertex})
    if (shader(stage))
      return stage;
  return std::nullopt;
}

const UserDataNodes &ShaderSet::userDataNodes() const {
  return layout ? layout->nodes() : NoNodes;
}

const std::vector<uint32_t> &ShaderSet::immutableSamplers() const {
  static const std::vector<uint32_t> none;
  return layout ? layout->immutableSamplers() : none;
}

Result<ShaderSet> makeShaderSet(std::span<const ShaderRef> shaders, UserDataNodes layout,
                                std::vector<uint32_t> immutableSamplers) {
  ShaderSet set;
  for (const ShaderRef &shader : shaders) {
    lgc::ShaderStage stage = shader->description.stage;
    ShaderRef &place = set.shaders[static_cast<size_t>(stage)];
    if (place)
      return makeError(ErrorCode::InvalidInput, "{} and {} are both {} shaders", place->description.name,
                       shader->description.name, toString(stage));
    place = shader;
  }
  const ShaderRef &vertex = set.shader(lgc::ShaderStage::Vertex), &evaluation = set.shader(lgc::ShaderStage::TessEval);
  if (vertex && evaluation && !set.shader(lgc::ShaderStage::TessControl) &&
      evaluation->description.environment == spirv::Environment::OpenGl)
    set.shaders[size_t(lgc::ShaderStage::TessControl)] = DOVETAIL_TRY(passThroughControl(*vertex, *evaluation));
  set.layout = std::make_shared<const ResourceLayout>(std::move(layout), std::move(immutableSamplers));
  return set;
}

Result<ShaderSet> makeShaderSet(std::span<const ShaderRef> shaders, const AutomaticLayout &options) {
  std::vector<const spirv::Reflection *> reflections;
  for (const ShaderRef &shader : shaders)
    reflections.push_back(&shader->reflection);
  return makeShaderSet(shaders, DOVETAIL_TRY(layOutUserData(reflections, options)));
}

} // namespace dovetail
