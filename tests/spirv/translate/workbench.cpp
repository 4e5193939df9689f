// SPDX-License-Identifier: MIT
#include "tests/spirv/translate/workbench.h"
#include "src/spirv/translate/globals.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

namespace dovetail::test {

namespace {

// The module reader takes names in any place.
Assembly named(Assembly assembly, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    assembly.decorations += fmt::format("OpName %{} \"{}\"\n", name, name);
  return assembly;
}

} // namespace

Workbench::Workbench(const Assembly &assembly, std::initializer_list<std::string_view> names)
    : m_words(assemble(named(assembly, names))), m_builderContext(nullptr) {
  lgc::BuilderContext::initialize();
  m_builderContext = lgc::BuilderContext::create(m_context, "gfx900");
  REQUIRE(m_builderContext);
  m_target = (*m_builderContext)->createModule("main");
  m_builder = (*m_builderContext)->createBuilder();
  m_options.stage = assembly.stage;
  Result<spirv::Module> module = spirv::parseModule(m_words);
  REQUIRE(module);
  m_module = std::move(*module);
  m_services.emplace(m_module, m_module.entryPoints.front(), m_options, *m_builder, *m_target);
  Result<void> globals =
      spirv::translateConstants(*m_services).and_then([&] { return spirv::translateVariables(*m_services); });
  INFO((globals ? std::string() : globals.error().text));
  REQUIRE(globals);
}

uint32_t Workbench::id(std::string_view name) const {
  for (const auto &[id, each] : m_module.names)
    if (each == name)
      return id;
  FAIL("no id has the name ", std::string(name));
  return 0;
}

const spirv::Function &Workbench::function(std::string_view name) const {
  return m_module.functions[m_module.functionIndex.at(id(name))];
}

std::optional<uint64_t> constant(const llvm::Value *value) {
  auto *integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return integer ? std::optional(integer->getZExtValue()) : std::nullopt;
}

} // namespace dovetail::test
