// SPDX-License-Identifier: MIT
#include "variants/bind/device.h"
#include "gfx9-merged/stage_map.h"
#include "parts/kinds/main_part.h"
#include "parts/store/part_bundle.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "variants/assemble/get_parts.h"
#include "variants/assemble/source_lines.h"
#include "variants/bind/device_core.h"
#include "variants/state/canonicalize.h"
#include <llvm/IR/LLVMContext.h>

namespace dovetail {

Device::Device(std::unique_ptr<DeviceCore> core) : m_core(std::move(core)) {}

Device::~Device() = default;

Result<std::unique_ptr<Device>> Device::create(DeviceOptions options) {
  std::unique_ptr<DeviceCore> core = DOVETAIL_TRY(DeviceCore::create(std::move(options)));
  return std::unique_ptr<Device>(new Device(std::move(core)));
}

Result<std::unique_ptr<Device>> Device::create(std::string_view gpuName) {
  DeviceOptions options;
  options.gpuName = gpuName;
  return create(std::move(options));
}

Result<ShaderRef> Device::createShader(ShaderDescription description, CompileTime compile, lgc::ShaderStage next,
                                       const UserDataNodes *layout, const AutomaticLayout &automatic) {
  ShaderRef shader = DOVETAIL_TRY(reflect(std::move(description)));
  if (compile == CompileTime::FirstUse)
    return shader;
  const std::span<const ShaderRef> one(&shader, 1);
  const ShaderSet alone = DOVETAIL_TRY(layout ? makeShaderSet(one, *layout) : makeShaderSet(one, automatic));
  ShaderSource source = sourceInFrontOf(alone, shader->description.stage, next, target().gpuName);
  if (compile == CompileTime::Now) {
    source.key.tier = m_core->firstTier();
    const MadePart made = DOVETAIL_TRY(
        m_core->dumps().watch(DumpedBuild::Shader, alone, nullptr, [&] { return partMaker().getMainPart(source); }));
    if (made.part->tier == CodeTier::Llvm)
      return shader;
    source.key.tier = CodeTier::Llvm;
  }
  m_core->background().requestMainPart(shader, alone, std::move(source));
  return shader;
}

Result<ShaderRef> Device::reflect(ShaderDescription description) {
  PartStore *store = partMaker().cache().store().get();
  if (!m_core->dumps().isOn())
    return dovetail::createShader(std::move(description), store);
  Result<ShaderRef> shader = dovetail::createShader(description, store);
  if (!shader)
    m_core->dumps().noteRefused(description, shader.error());
  return shader;
}

Result<ProgramRef> Device::createProgram(std::span<const ShaderRef> shaders, const UserDataNodes *layout, void *user) {
  return createProgramOf(DOVETAIL_TRY(layout ? makeShaderSet(shaders, *layout) : makeShaderSet(shaders)), user);
}

Result<ProgramRef> Device::createProgramOf(ShaderSet set, void *user) {
  DOVETAIL_CHECK(checkStages(set.stageMask()));
  // Making a program is no moment of drawing, so the thread is started here. Starting it takes as long as a new
  // variant, and more.
  if (m_core->options().policy != OptimizationPolicy::Off || m_core->options().background.startsEarly)
    m_core->background().queue().prepare();
  const Hash128 hash = hashShaders(set);
  return makeProgram(std::move(set), hash, user);
}

Result<VariantRef> Device::bind(const ShaderSet &shaders, const PipelineState &state, const BuildOptions &options) {
  PipelineState canonical = canonicalize(state, shaders);
  VariantTables::Lookup lookup =
      DOVETAIL_TRY(m_core->getVariant(makeVariantKey(shaders, canonical, options), shaders, canonical, options));
  return std::move(lookup.value);
}

// `print`: Result<std::string>(const ShaderSource &, lgc::BuilderContext &), for each shader.
template <typename Print>
static Result<std::string> printShaders(const ShaderSet &shaders, const PipelineState &state, std::string_view gpuName,
                                        const Print &print) {
  const PipelineState canonical = canonicalize(state, shaders);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  std::string text;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader)
      continue;
    ShaderSource source = sourceOf(shaders, shader->description.stage, gpuName);
    source.key.mainPartState = mainPartState(canonical, shaders, shader->description.stage);
    text += DOVETAIL_TRY(print(source, *context));
  }
  return text;
}

Result<std::string> Device::printIr(const ShaderSet &shaders, const PipelineState &state) {
  auto print = [](const ShaderSource &source, lgc::BuilderContext &context) -> Result<std::string> {
    lgc::CompiledShader compiled = DOVETAIL_TRY(compileShader(source.key, source.words, context, {.keepIr = true}));
    return fmt::format("; {}\n{}", source.name, compiled.ir);
  };
  return printShaders(shaders, state, target().gpuName, print);
}

Result<std::string> Device::printLinkedIr(const ShaderSet &shaders, const PipelineState &state) {
  auto print = [](const ShaderSource &source, lgc::BuilderContext &context) -> Result<std::string> {
    std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(linkShader(source.key, source.words, context));
    module->setModuleIdentifier(source.name);
    return lgc::writeIr(*module, lgc::IrFormat::Text);
  };
  return printShaders(shaders, state, target().gpuName, print);
}

Result<std::vector<CodeLine>> Device::findSourceLines(const ShaderSet &shaders, const PipelineState &state,
                                                      const Variant &variant) {
  return dovetail::findSourceLines(partMaker(), shaders, canonicalize(state, shaders), *variant.image);
}

uint64_t Device::generation() const {
  return m_core->generation();
}

void Device::drain() {
  m_core->background().queue().drain();
}

std::vector<uint8_t> Device::exportParts() const {
  PartMaker &maker = m_core->partMaker();
  return writePartBundle(maker.cache().parts(), maker.gpuName());
}

Result<ImportedParts> Device::importParts(std::span<const uint8_t> bytes) {
  PartCache &cache = partMaker().cache();
  const PartBundle bundle = DOVETAIL_TRY(readPartBundle(bytes, target().gpuName));
  ImportedParts result = {.damaged = bundle.damaged};
  for (const PartRef &part : bundle.parts)
    ++(cache.insert(part) ? result.imported : result.known);
  m_core->budget().enforce();
  return result;
}

void Device::cancelBuilds(const ProgramRef &program) {
  m_core->background().cancel(program);
}

Result<void> Device::flushStore() {
  const PartStoreOptions &asked = m_core->options().store;
  if (asked.path.empty() || asked.readOnly)
    return {};
  const std::shared_ptr<PartStore> &store = partMaker().cache().store();
  if (store)
    store->flush();
  if (!store || !store->statistics().isWritable)
    return makeError(ErrorCode::Io, "the part store in {} is turned off", asked.path);
  return {};
}

DeviceStatistics Device::statistics() const {
  return m_core->statistics();
}

const TargetInfo &Device::target() const {
  return m_core->partMaker().target();
}

PartMaker &Device::partMaker() {
  return m_core->partMaker();
}

} // namespace dovetail
