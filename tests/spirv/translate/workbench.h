// SPDX-License-Identifier: MIT
//
// The objects that translate a shader, around a module whose types, constants and variables are translated. Tests use
// one object, through its interface.
#pragma once

#include "src/spirv/translate/ops/services.h"
#include "tests/spirv/assembled.h"
#include <initializer_list>

namespace dovetail::test {

class Workbench {
public:
  // `names`: ids of the assembly that the test asks for, without the %.
  explicit Workbench(const Assembly &assembly, std::initializer_list<std::string_view> names = {});

  spirv::Services &services() { return *m_services; }
  lgc::Builder &builder() { return *m_builder; }
  uint32_t id(std::string_view name) const;
  const spirv::TypeInfo &type(std::string_view name) const { return m_services->type(id(name)); }
  // The pointer that a variable is bound to.
  spirv::Pointer pointer(std::string_view variable) const { return *m_services->values.find(id(variable))->pointer; }
  const spirv::Function &function(std::string_view name) const;

private:
  llvm::LLVMContext m_context;
  std::vector<uint32_t> m_words;
  Result<std::unique_ptr<lgc::BuilderContext>> m_builderContext;
  std::unique_ptr<llvm::Module> m_target;
  std::unique_ptr<lgc::Builder> m_builder;
  spirv::TranslateOptions m_options;
  spirv::Module m_module;
  std::optional<spirv::Services> m_services;
};

// The number that an i32 is; nullopt if it is no constant.
std::optional<uint64_t> constant(const llvm::Value *value);

} // namespace dovetail::test
