// SPDX-License-Identifier: MIT
#include "variants/link/ir_shader.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/reached_step.h"
#include <algorithm>
#include <cstring>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <map>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// The value of an operand that is usually a constant.
std::optional<uint32_t> constantOf(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return constant && constant->getBitWidth() == 32 ? std::optional(uint32_t(constant->getZExtValue())) : std::nullopt;
}

class IrReflector {
public:
  explicit IrReflector(const lgc::ShaderModes &modes) : m_modes(modes) {
    m_result.entryPoint = "main";
    m_result.stage = modes.stage;
    m_result.tessellation = modes.tessellation;
    m_result.geometry = modes.geometry;
    m_result.localSize = {modes.compute.workgroupSizeX, modes.compute.workgroupSizeY, modes.compute.workgroupSizeZ};
  }

  void visit(llvm::Instruction &instruction) {
    if (auto *read = llvm::dyn_cast<lgc::ReadGenericInputOp>(&instruction))
      readInput(*read);
    else if (auto *write = llvm::dyn_cast<lgc::WriteGenericOutputOp>(&instruction))
      writeOutput(*write);
    else if (auto *builtIn = llvm::dyn_cast<lgc::ReadBuiltInInputOp>(&instruction))
      addBuiltIn(builtIn->builtIn(), builtIn->getType(), builtIn->arrayIndex(), false);
    else if (auto *output = llvm::dyn_cast<lgc::WriteBuiltInOutputOp>(&instruction))
      addBuiltIn(output->builtIn(), output->value()->getType(), output->arrayIndex(), true);
    else if (auto *capture = llvm::dyn_cast<lgc::CaptureOutputOp>(&instruction))
      captureOutput(*capture);
    else if (auto *buffer = llvm::dyn_cast<lgc::LoadBufferDescOp>(&instruction))
      addDescriptor(buffer->set(), buffer->binding(), spirv::DescriptorKind::StorageBuffer);
    else if (auto *image = llvm::dyn_cast<lgc::LoadImageDescOp>(&instruction))
      addDescriptor(image->set(), image->binding(), spirv::DescriptorKind::SampledImage);
    else if (auto *fmask = llvm::dyn_cast<lgc::LoadFmaskDescOp>(&instruction))
      addDescriptor(fmask->set(), fmask->binding(), spirv::DescriptorKind::SampledImage).image.isMultisampled = true;
    else if (auto *sampler = llvm::dyn_cast<lgc::LoadSamplerDescOp>(&instruction))
      addDescriptor(sampler->set(), sampler->binding(), spirv::DescriptorKind::Sampler);
    else if (auto *texels = llvm::dyn_cast<lgc::LoadTexelBufferDescOp>(&instruction))
      addDescriptor(texels->set(), texels->binding(), spirv::DescriptorKind::UniformTexelBuffer);
  }

  spirv::Reflection take() {
    for (auto &[place, descriptor] : m_descriptors)
      m_result.descriptors.push_back(std::move(descriptor));
    for (auto *list : {&m_result.vertexInputs, &m_result.fragmentOutputs, &m_result.inputs, &m_result.outputs})
      std::ranges::sort(*list, {}, [](const auto &each) { return std::pair(each.location, each.index); });
    return std::move(m_result);
  }

private:
  static void addLocation(std::vector<spirv::InterfaceLocation> &list, uint32_t location, uint32_t index) {
    const bool isThere =
        std::ranges::any_of(list, [&](const auto &each) { return each.location == location && each.index == index; });
    if (isThere)
      return;
    spirv::InterfaceLocation &added = list.emplace_back();
    added.location = location;
    added.index = index;
  }

  // All locations that the op may reach, as a range.
  template <typename InOutOp> static std::pair<uint32_t, uint32_t> locationsOf(const InOutOp &op) {
    const std::optional<uint32_t> offset = constantOf(op.locationOffset());
    const uint32_t first = op.location() + offset.value_or(0);
    return {first, offset ? 1 : std::max(op.locationCount(), 1u)};
  }

  // A value of more than four components continues in the next location.
  static uint32_t locationsOf(const llvm::Type *type, uint32_t component) {
    constexpr uint32_t bitsOfLocation = 128, bitsOfComponent = 32;
    const uint32_t bits = uint32_t(type->getPrimitiveSizeInBits().getFixedValue());
    return std::max((component * bitsOfComponent + bits + bitsOfLocation - 1) / bitsOfLocation, 1u);
  }

  void readInput(const lgc::ReadGenericInputOp &op) {
    auto [first, count] = locationsOf(op);
    count += locationsOf(op.getType(), op.component()) - 1;
    for (uint32_t location = first; location < first + count; ++location) {
      addLocation(m_result.inputs, location, 0);
      if (m_modes.stage == ShaderStage::Vertex)
        addLocation(m_result.vertexInputs, location, 0);
    }
    m_result.interpolatesAt |=
        m_modes.stage == ShaderStage::Fragment && (op.interpLocation() == lgc::InterpLocation::SampleIndex ||
                                                   op.interpLocation() == lgc::InterpLocation::PixelOffset);
  }

  void writeOutput(const lgc::WriteGenericOutputOp &op) {
    auto [first, count] = locationsOf(op);
    count += locationsOf(op.value()->getType(), op.component()) - 1;
    const bool isFragment = m_modes.stage == ShaderStage::Fragment;
    const uint32_t index = isFragment && (op.index() & lgc::SecondBlendSource) != 0 ? 1 : 0;
    for (uint32_t location = first; location < first + count; ++location)
      addLocation(isFragment ? m_result.fragmentOutputs : m_result.outputs, location, index);
  }

  // arrayIndex: the element of an array that a write may name.
  void addBuiltIn(lgc::BuiltIn builtIn, const llvm::Type *type, const llvm::Value *arrayIndex, bool isOutput) {
    constexpr uint32_t maxElements = 8; // of clip and cull distances, the largest arrays
    uint32_t elements = 1;
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      elements = uint32_t(array->getNumElements());
    else if (arrayIndex)
      elements = std::min(constantOf(arrayIndex).value_or(maxElements - 1), maxElements - 1) + 1;
    auto found = std::ranges::find_if(m_result.builtIns, [&](const spirv::BuiltInVariable &variable) {
      return variable.builtIn == uint32_t(builtIn) && variable.isOutput == isOutput;
    });
    if (found == m_result.builtIns.end())
      found = m_result.builtIns.insert(found, {.builtIn = uint32_t(builtIn), .isOutput = isOutput});
    found->elements = std::max(found->elements, elements);
  }

  void captureOutput(const lgc::CaptureOutputOp &op) {
    if (op.buffer() >= MaxXfbBuffers)
      return;
    m_result.xfbStrides[op.buffer()] = op.stride();
    m_result.xfbStreams[op.buffer()] = op.stream();
  }

  // A descriptor that is loaded as an image and as a sampler is both. If it is loaded as two other kinds, the first one
  // stays.
  spirv::DescriptorBinding &addDescriptor(uint32_t set, uint32_t binding, spirv::DescriptorKind kind) {
    auto [found, isNew] = m_descriptors.try_emplace({set, binding});
    if (isNew) {
      found->second.set = set;
      found->second.binding = binding;
      found->second.kind = kind;
    }
    found->second.kind = spirv::commonKind(found->second.kind, kind).value_or(found->second.kind);
    return found->second;
  }

  const lgc::ShaderModes &m_modes;
  std::map<std::pair<uint32_t, uint32_t>, spirv::DescriptorBinding> m_descriptors;
  spirv::Reflection m_result;
};

std::vector<uint32_t> wordsOf(const std::string &bitcode) {
  std::vector<uint32_t> words((bitcode.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  std::memcpy(words.data(), bitcode.data(), bitcode.size());
  return words;
}

// Takes over the state of one shader from that of a pipeline.
void takeState(ShaderDescription &description, const spirv::Reflection &reflection, const lgc::FrontEndState &state) {
  description.colorInputs = state.options.colorInputs;
  description.options = state.shaderOptions[size_t(description.stage)];
  description.optimizationLevel = state.options.optimizationLevel;
  // Other shaders have the same code for every device index.
  const bool readsDevice = std::ranges::any_of(reflection.builtIns, [&](const spirv::BuiltInVariable &variable) {
    return variable.builtIn == uint32_t(lgc::BuiltIn::DeviceIndex) ||
           (variable.builtIn == uint32_t(lgc::BuiltIn::ViewIndex) && description.options.viewIndexFromDeviceIndex);
  });
  if (readsDevice)
    description.deviceIndex = state.deviceIndex;
}

Result<std::shared_ptr<Shader>> makeShader(const std::string &name, std::string_view ir, std::string_view gpuName,
                                           std::span<const std::string> dialects) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  context->addDialects(dialects);
  auto modules = DOVETAIL_TRY(lgc::readIr(*context, ir, name));
  if (modules.size() != 1)
    return makeError(ErrorCode::InvalidInput, "it has {} modules", modules.size());
  llvm::Module &module = *modules.front();
  DOVETAIL_CHECK(lgc::checkIsRecorded(module));
  auto shader = std::make_shared<Shader>();
  shader->reflection = DOVETAIL_TRY(reflectIr(module));
  shader->description.name = name;
  shader->description.stage = shader->reflection.stage;
  if (lgc::FrontEndState::isIn(module)) {
    lgc::FrontEndState state;
    if (!state.read(module))
      return makeError(ErrorCode::InvalidInput, "its lgc.pipeline.state is malformed");
    takeState(shader->description, shader->reflection, state);
  }
  // The rest of the pipeline's state is removed, so that the shader is the same in all pipelines.
  lgc::FrontEndState().record(module);
  module.setModuleIdentifier("shader");
  module.setSourceFileName("shader");
  shader->description.words = wordsOf(lgc::writeIr(module, lgc::IrFormat::Bitcode));
  return shader;
}

} // namespace

Result<spirv::Reflection> reflectIr(const llvm::Module &shader) {
  lgc::ShaderModes modes;
  if (!modes.read(shader))
    return makeError(ErrorCode::InvalidInput, "the shader module carries no modes, or malformed ones");
  IrReflector reflector(modes);
  for (const llvm::Function &function : shader)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      reflector.visit(const_cast<llvm::Instruction &>(instruction)); // ops have no const form; nothing is changed
  return reflector.take();
}

Result<ShaderRef> createShaderFromIr(std::string name, std::string_view ir, std::string_view gpuName,
                                     std::span<const std::string> dialects) {
  Result<std::shared_ptr<Shader>> made = makeShader(name, ir, gpuName, dialects);
  if (!made)
    return makeError(made.error().code, "{}: {}", name, made.error().text);
  (*made)->wordsHash = hashBytes(std::as_bytes(std::span((*made)->description.words)));
  (*made)->hash = hashDescription((*made)->description, (*made)->wordsHash);
  return ShaderRef(std::move(*made));
}

} // namespace dovetail
