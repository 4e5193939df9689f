// SPDX-License-Identifier: MIT
//
// PipelineState: the Pipeline that BuilderContext makes, and the outside-IR state of a compile. There are two kinds of
// it. What the front end sets is written to the module's metadata by link() and read back when generate() begins, so a
// linked module can be kept as text and compiled elsewhere. What the middle-end finds out (ResourceUsage, errors) lives
// only during generate().
#pragma once

#include "src/abi/target_info.h"
#include "src/lgc/pipeline.h"
#include "src/lgc/state/resource_usage.h"
#include <algorithm>
#include <array>
#include <optional>

namespace lgc {

class BuilderContext;
class CodeGenerator;

class PipelineState final : public Pipeline {
public:
  PipelineState(BuilderContext &builderContext, CodeGenerator &codeGenerator)
      : m_builderContext(builderContext), m_codeGenerator(codeGenerator) {}

  void setShaderStageMask(uint32_t mask) override { m_stageMask = mask; }
  void setOptions(const Options &options) override { m_options = options; }
  void setShaderOptions(ShaderStage stage, const ShaderOptions &options) override {
    m_shaderOptions[static_cast<unsigned>(stage)] = options;
  }
  void setUserDataNodes(UserDataNodes nodes) override { m_userDataNodes = std::move(nodes); }
  void setDeviceIndex(uint32_t index) override { m_deviceIndex = index; }
  void setVertexInputDescriptions(std::vector<VertexInputDescription> inputs) override {
    m_vertexInputs = std::move(inputs);
  }
  void setColorExportState(const ColorExportState &state) override { m_colorExportState = state; }
  void setGraphicsState(const GraphicsState &state) override { m_graphicsState = state; }

  uint32_t shaderStageMask() const { return m_stageMask; }
  const Options &options() const { return m_options; }
  const ShaderOptions &shaderOptions(ShaderStage stage) const { return m_shaderOptions[static_cast<unsigned>(stage)]; }
  const UserDataNodes &userDataNodes() const { return m_userDataNodes; }
  uint32_t deviceIndex() const { return m_deviceIndex; }
  const std::vector<VertexInputDescription> &vertexInputDescriptions() const { return m_vertexInputs; }
  const ColorExportState &colorExportState() const { return m_colorExportState; }
  const GraphicsState &graphicsState() const { return m_graphicsState; }

  Result<std::unique_ptr<llvm::Module>> link(std::vector<std::unique_ptr<llvm::Module>> shaders) override;
  Result<CompiledShader> generate(std::unique_ptr<llvm::Module> module, const ComposeHook &compose) override;
  Result<HardwareFormShader> lower(std::unique_ptr<llvm::Module> module, const ComposeHook &compose) override;
  Result<CompiledShader> generateCopyShader(const dovetail::ShaderInterface &geometryShader) override;

  // Writes the front end's state to the named metadata `lgc.*` of the module, replacing what is there.
  void record(llvm::Module &module) const;
  // Replaces the front end's state by that of the module. False, and nothing changed, if it is malformed.
  bool read(const llvm::Module &module);

  const dovetail::TargetInfo &targetInfo() const;

  // The modes of the one shader that is being generated.
  const ShaderModes &shaderModes() const { return m_shaderModes; }
  void setShaderModes(const ShaderModes &modes) { m_shaderModes = modes; }
  // The hardware stage that the shader gets the launch state of (GFX8's, whatever the GPU), and what runs as it.
  dovetail::HardwareStage hardwareStage() const;
  dovetail::VertexSource vertexSource() const;
  // What is being generated is the copy shader of a geometry shader: a vertex shader without vertex fetch.
  bool isCopyShader() const { return m_isCopyShader; }

  // The node of a binding among those whose type is in the list; nullptr if there is none.
  const UserDataNode *findNode(uint32_t set, uint32_t binding, std::initializer_list<UserDataNodeType> types) const;
  // The node of a set's descriptor table, or of the push constants.
  const UserDataNode *findRootNode(UserDataNodeType type, uint32_t set = 0) const;

  // Notes that the shader cannot be lowered; the first reason is kept and becomes the Error of generate(). Lowering
  // goes on with any value of the right type.
  void fail(dovetail::ErrorCode code, std::string text);
  Result<void> checkNoFailure();

  // What is known about the shader that is being generated, from resource collection on.
  ResourceUsage &usage() { return m_usage; }
  const ResourceUsage &usage() const { return m_usage; }

private:
  unsigned optimizationLevel() const { return std::min(m_options.optimizationLevel, 3u); }
  // The last steps of a compile, from the hardware form to the object file.
  Result<void> emit(llvm::Module &module, llvm::Function &entry, CompiledShader &compiled);

  BuilderContext &m_builderContext;
  CodeGenerator &m_codeGenerator;

  uint32_t m_stageMask = 0;
  Options m_options;
  std::array<ShaderOptions, ShaderStageCount> m_shaderOptions;
  UserDataNodes m_userDataNodes;
  uint32_t m_deviceIndex = 0;
  std::vector<VertexInputDescription> m_vertexInputs;
  ColorExportState m_colorExportState;
  GraphicsState m_graphicsState;

  ShaderModes m_shaderModes;
  bool m_isCopyShader = false;
  ResourceUsage m_usage;
  std::optional<dovetail::Error> m_failure;
};

} // namespace lgc
