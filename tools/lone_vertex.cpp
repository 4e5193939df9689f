// SPDX-License-Identifier: MIT
#include "tools/lone_vertex.h"
#include "tools/glsl.h"
#include "tools/interface_glsl.h"
#include <algorithm>

namespace dovetail {

namespace {

using spirv::InterfaceLocation;

std::string fragmentShaderFor(const spirv::Reflection &vertex) {
  std::vector<InterfaceLocation> rows = withoutOverlaps(vertex.vertexOutputs);
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
  bool isLone = shaders.size() == 1 && shaders.front()->description.stage == lgc::ShaderStage::Vertex;
  if (!isLone)
    return {};
  const std::string name = fmt::format("(fragment shader for {})", shaders.front()->description.name);
  std::string text = fragmentShaderFor(shaders.front()->reflection);
  auto modules = DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Fragment, name, std::move(text)}}));
  shaders.push_back(
      DOVETAIL_TRY(createShader({name, std::move(modules.front()), "main", lgc::ShaderStage::Fragment, {}})));
  return {};
}

} // namespace dovetail
