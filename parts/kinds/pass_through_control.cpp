// SPDX-License-Identifier: MIT
#include "parts/kinds/pass_through_control.h"
#include "src/lgc/builder/builder.h"
#include "src/lgc/builder_context.h"
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

using lgc::BuiltIn;

// The words: Magic; then four bits of components for each location, from the low bits of the next word on; then the
// built-ins: position [0], point size [1], clip distances [11:8], cull distances [15:12].
constexpr uint32_t Magic = 0x54505644; // "DVPT"
constexpr size_t FirstComponents = 1, BuiltIns = 5, WordCount = 6;
constexpr unsigned LocationsPerWord = 8, ComponentBits = 4;
constexpr unsigned ClipShift = 8, CullShift = 12;

PassedThrough decode(std::span<const uint32_t> words) {
  constexpr uint32_t four = 0xf;
  PassedThrough passed;
  for (size_t location = 0; location < passed.components.size(); ++location)
    passed.components[location] =
        words[FirstComponents + location / LocationsPerWord] >> location % LocationsPerWord * ComponentBits & four;
  passed.position = words[BuiltIns] & 1;
  passed.pointSize = words[BuiltIns] >> 1 & 1;
  passed.clipDistances = words[BuiltIns] >> ClipShift & four;
  passed.cullDistances = words[BuiltIns] >> CullShift & four;
  return passed;
}

class PassThroughMaker {
public:
  PassThroughMaker(lgc::Builder &builder, llvm::Function &main) : m_builder(builder) {
    m_builder.SetInsertPoint(llvm::BasicBlock::Create(m_builder.getContext(), "entry", &main));
    m_invocation = m_builder.CreateReadBuiltInInput(m_builder.getInt32Ty(), BuiltIn::InvocationId, nullptr, nullptr);
  }

  void make(const PassedThrough &passed) {
    for (unsigned location = 0; location < passed.components.size(); ++location)
      for (unsigned component = 0; component < ComponentBits; ++component)
        if (passed.components[location] >> component & 1)
          copyGeneric(location, component);
    if (passed.position)
      copy(BuiltIn::Position, llvm::FixedVectorType::get(m_builder.getFloatTy(), 4), nullptr);
    if (passed.pointSize)
      copy(BuiltIn::PointSize, m_builder.getFloatTy(), nullptr);
    for (unsigned i = 0; i < passed.clipDistances; ++i)
      copy(BuiltIn::ClipDistance, m_builder.getFloatTy(), m_builder.getInt32(i));
    for (unsigned i = 0; i < passed.cullDistances; ++i)
      copy(BuiltIn::CullDistance, m_builder.getFloatTy(), m_builder.getInt32(i));
    writeLevels(BuiltIn::TessLevelOuter, 4);
    writeLevels(BuiltIn::TessLevelInner, 2);
    m_builder.CreateRetVoid();
  }

private:
  // 32 bits of any type.
  void copyGeneric(unsigned location, unsigned component) {
    llvm::Value *zero = m_builder.getInt32(0);
    llvm::Value *word =
        m_builder.CreateReadGenericInput(m_builder.getInt32Ty(), location, zero, component, 1, lgc::InterpMode::Smooth,
                                         lgc::InterpLocation::Center, nullptr, m_invocation);
    m_builder.CreateWriteGenericOutput(word, location, zero, component, 1, 0, m_invocation);
  }

  void copy(BuiltIn builtIn, llvm::Type *type, llvm::Value *index) {
    llvm::Value *value = m_builder.CreateReadBuiltInInput(type, builtIn, index, m_invocation);
    m_builder.CreateWriteBuiltInOutput(value, builtIn, index, m_invocation);
  }

  void writeLevels(BuiltIn builtIn, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *level =
          m_builder.CreateReadBuiltInInput(m_builder.getFloatTy(), builtIn, m_builder.getInt32(i), nullptr);
      m_builder.CreateWriteBuiltInOutput(level, builtIn, m_builder.getInt32(i), nullptr);
    }
  }

  lgc::Builder &m_builder;
  llvm::Value *m_invocation;
};

} // namespace

std::vector<uint32_t> encodePassedThrough(const PassedThrough &passed) {
  std::vector<uint32_t> words(WordCount);
  words[0] = Magic;
  for (size_t location = 0; location < passed.components.size(); ++location)
    words[FirstComponents + location / LocationsPerWord] |= uint32_t(passed.components[location])
                                                            << location % LocationsPerWord * ComponentBits;
  words[BuiltIns] = uint32_t(passed.position) | uint32_t(passed.pointSize) << 1 |
                    uint32_t(passed.clipDistances) << ClipShift | uint32_t(passed.cullDistances) << CullShift;
  return words;
}

bool isPassedThrough(std::span<const uint32_t> words) {
  return words.size() == WordCount && words.front() == Magic;
}

Result<std::unique_ptr<llvm::Module>> makePassThroughControl(std::span<const uint32_t> words, unsigned vertices,
                                                             lgc::BuilderContext &context, lgc::Builder &builder) {
  if (vertices == 0)
    return makeError(ErrorCode::Unsupported, "a control shader that passes patches through is compiled for a state, "
                                             "which says how many vertices they have");
  std::unique_ptr<llvm::Module> module = context.createModule("main");
  lgc::ShaderModes &modes = builder.shaderModes();
  modes.stage = lgc::ShaderStage::TessControl;
  modes.tessellation.outputVertices = vertices;
  auto *main = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                      llvm::GlobalValue::ExternalLinkage, "main", *module);
  PassThroughMaker(builder, *main).make(decode(words));
  return module;
}

} // namespace dovetail
