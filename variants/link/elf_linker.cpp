// SPDX-License-Identifier: MIT
#include "variants/link/elf_linker.h"
#include "merge/elf/pal_elf.h"
#include "parts/compile/key_bytes.h"
#include "parts/elf/part_elf.h"
#include "parts/kinds/geometry_copy.h"
#include "parts/kinds/monolithic.h"
#include "parts/kinds/null_fragment.h"
#include "variants/assemble/join_programs.h"
#include "variants/link/part_pipeline.h"
#include "variants/state/canonicalize.h"
#include "variants/state/check_state.h"
#include "variants/state/state_table.h"
#include <algorithm>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// The key of a shader that came as a file.
Result<MainPartKey> mainKeyOf(const UnlinkedShader &shader) {
  std::optional<MainPartKey> key;
  if (shader.part->key.kind == PartKind::Monolithic) {
    if (std::optional<MonolithicKey> whole = decodeKey<MonolithicKey>(shader.part->keyFields))
      key = std::move(whole->main);
  } else {
    key = decodeKey<MainPartKey>(shader.part->keyFields);
  }
  if (!key || key->stage != shader.facts.stage)
    return makeError(ErrorCode::InvalidInput, "{}: the ELF file does not say what it was compiled for",
                     shader.facts.name);
  return std::move(*key);
}

} // namespace

Result<void> ElfLinker::addInputElf(std::span<const uint8_t> elf) {
  UnlinkedShader shader = DOVETAIL_TRY(readShaderElf(elf, m_maker.target()));
  const auto stage = size_t(shader.facts.stage);
  if (m_shaders.shaders[stage])
    return makeError(ErrorCode::InvalidInput, "{} and {} are both {} shaders",
                     m_shaders.shaders[stage]->description.name, shader.facts.name, toString(shader.facts.stage));
  CompiledStage &compiled = m_stages[stage];
  compiled.source.key = DOVETAIL_TRY(mainKeyOf(shader));
  compiled.source.name = shader.facts.name;
  compiled.main.part = shader.part;
  if (shader.part->key.kind == PartKind::Monolithic)
    compiled.whole.part = shader.part;
  m_shaders.shaders[stage] = shaderOf(shader.facts);
  m_facts[stage] = std::move(shader.facts);
  m_isPrepared = false;
  return {};
}

// Checks that there is a file for each shader of the pipeline, and for no other.
Result<void> ElfLinker::checkStageMask() const {
  const uint32_t said = m_frontEnd ? m_frontEnd->stageMask : 0;
  for (size_t index = 0; said != 0 && index < lgc::ShaderStageCount; ++index) {
    const auto stage = ShaderStage(index);
    const bool isSaid = said & lgc::stageBit(stage), isThere = m_shaders.shader(stage) != nullptr;
    if (isSaid != isThere)
      return makeError(ErrorCode::StateMismatch, "the pipeline has {} {} shader, and {} was added", isSaid ? "a" : "no",
                       toString(stage), isThere ? "one" : "none");
  }
  return {};
}

Result<void> ElfLinker::prepare() {
  if (m_isPrepared)
    return {};
  DOVETAIL_CHECK(checkStageMask());
  m_programs = DOVETAIL_TRY(mapStages(m_shaders.stageMask(), m_maker.target().hasMergedStages));
  m_state = canonicalize(m_givenState, m_shaders);
  DOVETAIL_CHECK(checkTopology(m_shaders, m_state));
  const CompiledPipeline pipeline = {m_shaders,       m_facts, m_stages, m_state, m_frontEnd ? &*m_frontEnd : nullptr,
                                     m_maker.target()};
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index)
    if (m_shaders.shaders[index])
      DOVETAIL_CHECK(checkDependencies(pipeline, ShaderStage(index)));
  // Beyond this point, the surroundings that each shader needs are known.
  DOVETAIL_CHECK(listGlue());
  m_isPrepared = true;
  return {};
}

template <typename Key> void ElfLinker::add(const Key &key, Glue::Make make) {
  const PartKey partKey = key.partKey();
  // The hash covers the toolchain, too.
  FieldWriter writer;
  const std::span<const std::byte> bytes = writer.add(toolchainVersion()).add(encodeKey(key)).bytes();
  const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
  m_glue.push_back({partKey, {partKey.kind, {first, first + bytes.size()}}, std::move(make)});
}

const StageKnowledge &ElfLinker::geometryKnowledge() const {
  return m_stages[size_t(ShaderStage::Geometry)].source.key.knowledge;
}

Result<void> ElfLinker::listGlue() {
  m_glue.clear();
  auto interfaceOf = [&](ShaderStage stage) -> const ShaderInterface * {
    const CompiledStage &compiled = m_stages[size_t(stage)];
    return compiled.main.part && !compiled.whole.part ? &*compiled.main.part->interface : nullptr;
  };
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index) {
    const auto stage = ShaderStage(index);
    const ShaderInterface *main = interfaceOf(stage);
    if (!main)
      continue;
    const ShaderInterface *evaluation = interfaceOf(ShaderStage::TessEval);
    const Surroundings around = {*main, m_state, m_maker.target(), evaluation};
    const SurroundingKeys keys = DOVETAIL_TRY(makeSurroundingKeys(mainPartKind(stage), around));
    DOVETAIL_CHECK(forEachKey(keys, [&](const auto &key) -> Result<void> {
      add(key, [kind = key.Kind, main, evaluation](ElfLinker &linker) {
        return linker.m_maker.getAround(kind, *main, linker.m_state, evaluation);
      });
      return {};
    }));
    if (stage == ShaderStage::Geometry)
      add(makeGeometryCopyKey(*main, m_maker.gpuName(), geometryKnowledge()),
          [main](ElfLinker &linker) { return linker.m_maker.getGeometryCopy(*main, linker.geometryKnowledge()); });
  }
  const bool isCompute = m_shaders.shader(ShaderStage::Compute) != nullptr;
  if (!isCompute && !m_shaders.shader(ShaderStage::Fragment))
    add(NullFragmentKey{std::string(m_maker.gpuName())},
        [](ElfLinker &linker) { return linker.m_maker.getNullFragment(); });
  return {};
}

Result<std::vector<GlueInfo>> ElfLinker::getGlueInfo() {
  DOVETAIL_CHECK(prepare());
  std::vector<GlueInfo> infos;
  for (const Glue &glue : m_glue)
    infos.push_back(glue.info);
  return infos;
}

Result<void> ElfLinker::addGlue(size_t index, std::span<const uint8_t> elf) {
  DOVETAIL_CHECK(prepare());
  if (index >= m_glue.size())
    return makeError(ErrorCode::InvalidInput, "glue {} of {}", index, m_glue.size());
  const ElfFile file = DOVETAIL_TRY(readElf(elf));
  Part part = DOVETAIL_TRY(partOf(file));
  if (part.key != m_glue[index].key || file.machine != m_maker.target().elfMachine)
    return makeError(ErrorCode::InvalidInput, "the ELF file has another {} than glue {}", toString(part.key.kind),
                     index);
  // Puts the part into the cache, where later requests find it.
  DOVETAIL_CHECK(m_maker.cache().getOrMake(
      part.key, [&]() -> Result<PartRef> { return std::make_shared<const Part>(std::move(part)); }));
  return {};
}

Result<std::vector<uint8_t>> ElfLinker::compileGlue(size_t index) {
  DOVETAIL_CHECK(prepare());
  if (index >= m_glue.size())
    return makeError(ErrorCode::InvalidInput, "glue {} of {}", index, m_glue.size());
  MadePart made = DOVETAIL_TRY(m_glue[index].make(*this));
  return writeElf(partElf(*made.part, m_maker.target()));
}

Result<std::vector<uint8_t>> ElfLinker::getFsInputMappings() const {
  const CompiledStage &fragment = m_stages[size_t(ShaderStage::Fragment)];
  if (!fragment.main.part)
    return makeError(ErrorCode::InvalidInput, "no fragment shader was added, so that it has no inputs");
  return encodeMappings(mappingsOf(*fragment.main.part->interface, fragment.source.key));
}

Result<VariantRef> ElfLinker::linkVariant() {
  DOVETAIL_CHECK(prepare());
  const PartsContext context = {m_maker, m_state};
  std::vector<ProgramParts> programs;
  FieldWriter key;
  for (const HardwareProgram &hardware : m_programs) {
    programs.push_back(DOVETAIL_TRY(getJoinableProgram(context, hardware, m_stages)));
    for (const PartRef &part : programs.back().parts.parts)
      key.add(part->key.kind).add(part->key.hash);
  }
  // Beyond this point, no compiler runs.
  return joinPrograms(m_maker.target(), {key.addText("linked").add(hashState(m_state).hash()).hash()}, m_shaders,
                      std::move(programs), m_state, /*isMonolithic=*/false);
}

Result<std::vector<uint8_t>> ElfLinker::link() {
  return writePalElf(*DOVETAIL_TRY(linkVariant())->image);
}

} // namespace dovetail
