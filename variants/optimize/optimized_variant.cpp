// SPDX-License-Identifier: MIT
//
// Three steps:
// - Forwards: an input is constant if the stage before writes a constant, or would with its own constant inputs and
//   uniforms.
// - Backwards: each program is built with this knowledge, as a whole and as joined parts. It takes the place of the
//   joined variant's program if it needs no more of anything. The programs before it only have to write what it reads.
// - Last, the outputs that go through the rasteriser are packed into fewer parameters. The programs on both sides of it
//   are compiled once more for that.
//
// A program is tried in a whole pipeline: those behind it are chosen already, and those before it are as in the joined
// variant, where they write everything. So each trial is a valid pipeline, and its cost is known exactly.
#include "variants/optimize/optimized_variant.h"
#include "gfx9-merged/stage_map.h"
#include "src/base/field_bytes.h"
#include "variants/assemble/get_parts.h"
#include "variants/assemble/join_programs.h"
#include "variants/optimize/inlinable_uniforms.h"
#include "variants/optimize/pack_parameters.h"
#include "variants/optimize/program_cost.h"
#include "variants/optimize/stage_knowledge_of.h"
#include "variants/state/check_state.h"
#include <tuple>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// The needs of a variant; lower is better. Instructions come first, because most programs have registers to spare.
auto costOf(const Image &image) {
  uint64_t instructions = 0, vgprs = 0, parameters = 0;
  for (const ProgramCost &cost : programCosts(image)) {
    instructions += cost.instructions;
    vgprs += cost.vgprs;
    parameters += cost.parameters;
  }
  return std::tuple(instructions, vgprs, parameters);
}

class Optimizer {
public:
  Optimizer(PartMaker &maker, const VariantKey &key, const StageMap &programs, const ShaderSet &shaders,
            const PipelineState &state, const UniformValues *uniforms, const Variant &joined,
            const std::function<bool()> &isCancelled)
      : m_context{maker, state}, m_key(key), m_hardware(programs), m_shaders(shaders), m_state(state),
        m_uniforms(uniforms), m_joined(joined), m_isCancelled(isCancelled) {}

  Result<OptimizedBuild> run() {
    m_plain = DOVETAIL_TRY(compileStages(m_context, m_shaders));
    m_stages = m_plain;
    m_isWhole.resize(m_hardware.size());
    for (size_t program = 0; program < m_hardware.size(); ++program)
      m_programs.push_back(DOVETAIL_TRY(build(program, m_stages, /*monolithic=*/false)));
    DOVETAIL_CHECK(learnConstants());

    // Beyond this point, the knowledge does not depend on the choices.
    for (size_t program = m_hardware.size(); program-- > 0;)
      // A copy shader goes with its geometry shader, and a null fragment shader has nothing to optimise.
      if (!m_hardware[program].shaders.empty())
        DOVETAIL_CHECK(optimizeProgram(program));
    DOVETAIL_CHECK(pack());
    if (!m_chosen)
      return OptimizedBuild{nullptr, "no program gets by with fewer instructions, registers or parameters"};
    return OptimizedBuild{std::move(m_chosen), {}};
  }

private:
  Result<ProgramParts> build(size_t program, const CompiledStages &stages, bool monolithic) const {
    return monolithic ? getMonolithicProgram(m_context, m_hardware[program], stages)
                      : getJoinableProgram(m_context, m_hardware[program], stages);
  }
  size_t programOf(HardwareStage stage) const {
    return size_t(std::ranges::find(m_hardware, stage, &HardwareProgram::stage) - m_hardware.begin());
  }
  const Image &bestImage() const { return *(m_chosen ? *m_chosen : m_joined).image; }

  bool has(ShaderStage stage) const { return m_shaders.shader(stage) != nullptr; }
  const ShaderInterface &plainInterface(ShaderStage stage) const {
    return *m_plain[size_t(stage)].main.part->interface;
  }

  Result<void> checkNotCancelled() const {
    if (m_isCancelled && m_isCancelled())
      return makeError(ErrorCode::Cancelled, "nobody needs the optimised variant any more");
    return {};
  }

  Result<void> compile(CompiledStage &stage) {
    DOVETAIL_CHECK(checkNotCancelled());
    return compileStage(m_context, stage);
  }

  Result<void> learnConstants();
  Result<StageKnowledge> knowledgeOf(const CompiledStages &stages, ShaderStage stage) const;
  Result<void> optimizeProgram(size_t program);
  Result<void> pack();
  Result<bool> considerPacked(const std::vector<PackedParameter> &packed);
  Result<void> considerWhole(size_t program, const CompiledStages &stages);
  Result<uint32_t> consider(size_t program, const CompiledStages &stages, bool monolithic);
  Result<VariantRef> join(const std::vector<ProgramParts> &programs) const;

  PartsContext m_context;
  const VariantKey &m_key;
  const StageMap &m_hardware;
  const ShaderSet &m_shaders;
  const PipelineState &m_state;
  const UniformValues *m_uniforms;
  const Variant &m_joined;
  const std::function<bool()> &m_isCancelled;

  CompiledStages m_plain; // as in the joined variant
  // Assumptions of a stage that hold whatever the other stages do.
  std::array<StageKnowledge, lgc::ShaderStageCount> m_knowledge;
  // The best choice so far; at first, the parts of the joined variant.
  CompiledStages m_stages;
  std::vector<ProgramParts> m_programs;
  std::vector<bool> m_isWhole; // whether a program is one module
  VariantRef m_chosen;         // nullptr: the joined variant itself
};

Result<void> Optimizer::learnConstants() {
  std::vector<ConstantDword> constants; // of the vertices that reach the stage
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index) {
    auto stage = static_cast<ShaderStage>(index);
    if (!has(stage))
      continue;
    StageKnowledge &knowledge = m_knowledge[index];
    knowledge.constantInputs = constantsFor(plainInterface(stage), constants, m_state);
    if (m_uniforms)
      knowledge.inlinableUniforms = uniformsReachedBy(*m_shaders.reflection(stage), m_uniforms->values);
    constants = plainInterface(stage).constantOutputs;
    const bool isLast = stage == ShaderStage::Fragment || stage == ShaderStage::Compute;
    if (!isLast && knowledge != StageKnowledge()) {
      CompiledStage compiled = m_plain[index];
      compiled.source.key.knowledge = knowledge;
      DOVETAIL_CHECK(compile(compiled));
      constants = compiled.main.part->interface->constantOutputs;
    }
    if (stage == ShaderStage::TessControl)
      knowledge.patchControlPoints = m_state.patchControlPoints;
  }
  return {};
}

Result<StageKnowledge> Optimizer::knowledgeOf(const CompiledStages &stages, ShaderStage stage) const {
  StageKnowledge knowledge = m_knowledge[size_t(stage)];
  const ShaderInterface &main = plainInterface(stage);
  if (stage == ShaderStage::Compute)
    return knowledge;
  if (stage == ShaderStage::Fragment) {
    dropForEpilog(knowledge, main, DOVETAIL_TRY(makeFragmentEpilogKey(main, m_state, m_context.maker.gpuName())));
    return knowledge;
  }
  dropForNeighbours(knowledge, main, stages, stage, m_state);
  return knowledge;
}

Result<void> Optimizer::optimizeProgram(size_t program) {
  const auto &shaders = m_hardware[program].shaders;
  const CompiledStages before = m_stages;
  CompiledStages stages = before;
  bool isKnowing = false;
  for (size_t half = shaders.size(); half-- > 0;) {
    CompiledStage &compiled = stages[size_t(shaders[half])];
    compiled.source.key.knowledge = DOVETAIL_TRY(knowledgeOf(stages, shaders[half]));
    compiled.source.key.exportPrimitiveId = exportsPrimitiveId(compiled.source.key, stages);
    isKnowing |= compiled.source.key.knowledge != StageKnowledge();
    DOVETAIL_CHECK(compile(compiled));
  }
  DOVETAIL_CHECK(considerWhole(program, stages));
  if (!isKnowing)
    return {};
  DOVETAIL_CHECK(consider(program, stages, /*monolithic=*/false));
  if (m_hardware[program].stage != HardwareStage::Gs)
    return {};
  // Tries the copy shader alone, behind the unchanged geometry shader.
  stages = before;
  CompiledStage &geometry = stages[size_t(ShaderStage::Geometry)];
  geometry.source.key.knowledge = DOVETAIL_TRY(knowledgeOf(stages, ShaderStage::Geometry));
  DOVETAIL_CHECK(consider(program, stages, /*monolithic=*/false));
  return {};
}

// LLVM takes more VGPRs than necessary where fewer would not let more waves run. If a program then has more than the
// joined one, it is compiled again with the joined program's number as a limit. That may fail because vertices stay in
// registers between LS and HS; the vertices then go through LDS.
Result<void> Optimizer::considerWhole(size_t program, const CompiledStages &stages) {
  const uint32_t limit = programCosts(*m_joined.image)[program].vgprs;
  if (DOVETAIL_TRY(consider(program, stages, /*monolithic=*/true)) <= limit)
    return {};
  auto retry = [&](void (*change)(ShaderSource &, uint32_t)) -> Result<uint32_t> {
    CompiledStages changed = stages;
    for (ShaderStage stage : m_hardware[program].shaders) {
      CompiledStage &compiled = changed[size_t(stage)];
      change(compiled.source, limit);
      DOVETAIL_CHECK(compile(compiled));
    }
    return consider(program, changed, /*monolithic=*/true);
  };
  const VariantRef chosen = m_chosen;
  Result<uint32_t> limited = retry([](ShaderSource &source, uint32_t vgprs) { source.key.options.vgprLimit = vgprs; });
  if (!limited && limited.error().code != ErrorCode::CompileFailed) // it may be impossible
    return tl::unexpected(limited.error());
  if (m_chosen == chosen && m_hardware[program].stage == HardwareStage::Hs)
    DOVETAIL_CHECK(retry([](ShaderSource &source, uint32_t) { source.key.knowledge.patchControlPoints = 0; }));
  return {};
}

// Takes the program if the pipeline with it is better than the best so far. Returns the number of VGPRs that it needs.
Result<uint32_t> Optimizer::consider(size_t program, const CompiledStages &stages, bool monolithic) {
  DOVETAIL_CHECK(checkNotCancelled());
  std::vector<ProgramParts> programs = m_programs;
  std::vector<bool> isWhole = m_isWhole;
  std::vector<size_t> built = {program};
  if (m_hardware[program].stage == HardwareStage::Gs)
    built.push_back(programOf(HardwareStage::Vs)); // the copy shader
  for (size_t index : built) {
    programs[index] = DOVETAIL_TRY(build(index, stages, monolithic));
    isWhole[index] = monolithic;
  }
  VariantRef variant = DOVETAIL_TRY(join(programs));
  if (!variant)
    return 0;
  const uint32_t vgprs = programCosts(*variant->image)[program].vgprs;
  if (!describeLoss(*m_joined.image, *variant->image).empty())
    return vgprs;
  const auto cost = costOf(*variant->image), best = costOf(bestImage());
  // A program of equal cost may still need less of the programs before it.
  const auto &first = m_hardware[program].shaders.front();
  auto readsOfProgram = [&](const CompiledStages &compiled) {
    return readsOf(*compiled[size_t(first)].main.part->interface, m_state);
  };
  if (cost > best || (cost == best && !readsLess(readsOfProgram(stages), readsOfProgram(m_stages))))
    return vgprs;
  m_chosen = std::move(variant);
  m_programs = std::move(programs);
  m_isWhole = std::move(isWhole);
  m_stages = stages;
  return vgprs;
}

// nullptr if the programs do not fit together.
Result<VariantRef> Optimizer::join(const std::vector<ProgramParts> &programs) const {
  Result<VariantRef> variant =
      joinPrograms(m_context.maker.target(), m_key, m_shaders, programs, m_state, /*isMonolithic=*/true,
                   /*isOptimized=*/true);
  if (!variant && variant.error().code == ErrorCode::JoinRefused)
    return VariantRef();
  return variant;
}

// Halves that share a dword take instructions in front of the rasteriser. If these instructions cost more than the
// parameters that they save, halves stay in dwords of their own.
Result<void> Optimizer::pack() {
  if (!m_context.maker.packsInOut() || !has(ShaderStage::Fragment) || m_state.rasterizerDiscardEnable)
    return {};
  const ShaderInterface fragment = *m_stages[size_t(ShaderStage::Fragment)].main.part->interface;
  const std::vector<ParameterExport> exported =
      bestImage().stages[programOf(HardwareStage::Vs)].interface->preRaster.parameters;
  std::vector<PackedParameter> tried;
  for (bool pairsHalves : {true, false}) {
    const std::vector<PackedParameter> packed =
        packParameters(fragment, exported, m_state.spriteCoordEnable, pairsHalves);
    if (packed == tried || DOVETAIL_TRY(considerPacked(packed)))
      return {};
    tried = packed;
  }
  return {};
}

// Returns whether the packing is taken.
Result<bool> Optimizer::considerPacked(const std::vector<PackedParameter> &packed) {
  if (packed.empty())
    return false;
  const size_t vs = programOf(HardwareStage::Vs), ps = programOf(HardwareStage::Ps);
  CompiledStages stages = m_stages;
  CompiledStage &reader = stages[size_t(ShaderStage::Fragment)];
  reader.source.key.knowledge.packedParameters = packed;
  DOVETAIL_CHECK(compile(reader));

  const ShaderStage last = has(ShaderStage::Geometry)   ? ShaderStage::Geometry
                           : has(ShaderStage::TessEval) ? ShaderStage::TessEval
                                                        : ShaderStage::Vertex;
  CompiledStage &writer = stages[size_t(last)];
  writer.source.key.knowledge = DOVETAIL_TRY(knowledgeOf(stages, last));
  writer.source.key.knowledge.packedParameters = packed;
  writer.source.key.exportPrimitiveId = exportsPrimitiveId(writer.source.key, stages);
  if (last != ShaderStage::Geometry) // its copy shader exports
    DOVETAIL_CHECK(compile(writer));

  std::vector<ProgramParts> programs = m_programs;
  for (size_t program : {vs, ps})
    programs[program] = DOVETAIL_TRY(build(program, stages, m_isWhole[program]));
  VariantRef variant = DOVETAIL_TRY(join(programs));
  auto cost = [](const Image &image) {
    const auto [instructions, vgprs, parameters] = costOf(image);
    return std::tuple(instructions + parameters * StepsOfParameter, vgprs);
  };
  const bool isBetter =
      variant && describeLoss(*m_joined.image, *variant->image).empty() && cost(*variant->image) < cost(bestImage());
  if (isBetter)
    m_chosen = std::move(variant);
  return isBetter;
}

} // namespace

VariantKey makeOptimizedKey(const ShaderSet &shaders, const PipelineState &canonicalState,
                            const UniformValues *uniforms) {
  return makeOptimizedKey(shaders, makeVariantKey(shaders, canonicalState, {}), uniforms);
}

VariantKey makeOptimizedKey(const ShaderSet &shaders, const VariantKey &joined, const UniformValues *uniforms) {
  FieldWriter bytes;
  bytes.addText("optimized").add(joined.hash);
  // Values that no shader uses make no difference.
  for (const ShaderRef &shader : shaders.shaders) {
    StageKnowledge knowledge;
    if (shader && uniforms)
      knowledge.inlinableUniforms = uniformsReachedBy(shader->reflection, uniforms->values);
    bytes.add(knowledge);
  }
  return {bytes.hash()};
}

Result<OptimizedBuild> buildOptimizedVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                             const PipelineState &canonicalState, const UniformValues *uniforms,
                                             const Variant &joined, const std::function<bool()> &isCancelled) {
  StageMap programs = DOVETAIL_TRY(mapStages(shaders.stageMask(), maker.target().hasMergedStages));
  DOVETAIL_CHECK(checkTopology(shaders, canonicalState));
  return Optimizer(maker, key, programs, shaders, canonicalState, uniforms, joined, isCancelled).run();
}

} // namespace dovetail
