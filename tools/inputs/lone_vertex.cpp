// SPDX-License-Identifier: MIT
#include "tools/inputs/lone_vertex.h"
#include "tools/inputs/glsl.h"
#include "tools/inputs/interface_glsl.h"
#include <algorithm>

namespace dovetail {

namespace {

using spirv::InterfaceLocation;

std::string fragmentShaderFor(const spirv::Reflection &last) {
  std::vector<InterfaceLocation> outputs = last.outputs;
  // The rasteriser takes the first stream.
  std::erase_if(outputs, [](const InterfaceLocation &output) { return output.stream != 0 || output.isPatch; });
  std::vector<InterfaceLocation> rows = withoutOverlaps(outputs);
  std::string text = "#version 450\n" + extensionsFor(rows);
  for (const InterfaceLocation &row : rows)
    text += declaration(row, "in");
  text += "layout(location = 0) out vec4 color;\n\nvoid main() {\n  vec4 sum = vec4(0.0);\n";
  for (const InterfaceLocation &row : rows) {
    unsigned count = componentsOf(row);
    for (unsigned component = 0; component < 4; ++component) {
      std::string element = count == 1 ? "" : fmt::format(".{}", "xyzw"[component % count]);
      text += fmt::format("  sum.{} += float({}{});\n", "xyzw"[component], variableName(row), element);
    }
  }
  // Without anything to show, the shape of what is drawn.
  text += rows.empty() ? "  color = vec4(0.2, 0.4, 0.6, 0.8);\n" : fmt::format("  color = sum / {}.0;\n", rows.size());
  return text + "}\n";
}

} // namespace

Result<void> accompanyLoneVertexShader(std::vector<ShaderRef> &shaders) {
  const Shader *last = nullptr; // the one in front of the rasteriser
  for (const ShaderRef &shader : shaders) {
    lgc::ShaderStage stage = shader->description.stage;
    if (stage == lgc::ShaderStage::Fragment || stage == lgc::ShaderStage::Compute)
      return {};
    if (!last || stage > last->description.stage)
      last = shader.get();
  }
  if (!last)
    return {};
  const std::string name = fmt::format("(fragment shader for {})", last->description.name);
  std::string text = fragmentShaderFor(last->reflection);
  auto modules = DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Fragment, name, std::move(text)}}));
  shaders.push_back(
      DOVETAIL_TRY(createShader({name, std::move(modules.front()), "main", lgc::ShaderStage::Fragment, {}})));
  return {};
}

} // namespace dovetail
