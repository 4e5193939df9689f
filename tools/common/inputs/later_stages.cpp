// SPDX-License-Identifier: MIT
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/interface_glsl.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

using spirv::InterfaceLocation;

std::string fragmentShaderFor(const spirv::Reflection &last) {
  std::vector<InterfaceLocation> outputs = last.outputs;
  // The rasteriser reads stream 0 only.
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
  // Without inputs, the picture shows the shape of the draw.
  text += rows.empty() ? "  color = vec4(0.2, 0.4, 0.6, 0.8);\n" : fmt::format("  color = sum / {}.0;\n", rows.size());
  return text + "}\n";
}

bool writesPosition(const spirv::Reflection &shader) {
  return std::ranges::any_of(shader.builtIns, [](const spirv::BuiltInVariable &variable) {
    return variable.isOutput && variable.builtIn == static_cast<uint32_t>(spv::BuiltIn::Position);
  });
}

// A geometry shader that gives each triangle a cell of the picture, and hands on the vertices' values.
std::string geometryShaderFor(const spirv::Reflection &vertex) {
  std::vector<InterfaceLocation> rows = withoutOverlaps(vertex.outputs);
  std::string text = "#version 450\n" + extensionsFor(rows);
  text += "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n";
  std::string handOn;
  for (const InterfaceLocation &row : rows) {
    std::string input = declarationOfPatch(row, "in"), name = variableName(row);
    text += input.replace(input.rfind(name), name.size(), "from_" + name) + declaration(row, "out");
    handOn += fmt::format("    {0} = from_{0}[i];\n", name);
  }
  text += "\nvoid main() {\n";
  text += "  vec2 cell = vec2(gl_PrimitiveIDIn % 8, gl_PrimitiveIDIn / 8 % 8) / 4.0 - 1.0;\n";
  text += "  for (int i = 0; i < 3; ++i) {\n";
  text += "    gl_Position = vec4(cell + vec2(i & 1, i >> 1) * 0.25, 0.5, 1.0);\n";
  return text + handOn + "    EmitVertex();\n  }\n}\n";
}

Result<ShaderRef> makeStage(const Shader &before, lgc::ShaderStage stage, std::string text) {
  const std::string name = fmt::format("({} shader for {})", stageName(stage), before.description.name);
  auto modules = DOVETAIL_TRY(translateGlsl({{stage, name, std::move(text)}}));
  return createShader({name, std::move(modules.front()), "main", stage, {}});
}

} // namespace

Result<void> addLaterStages(std::vector<ShaderRef> &shaders) {
  using enum lgc::ShaderStage;
  ShaderRef last; // the last stage in front of the rasteriser
  bool hasFragment = false;
  for (const ShaderRef &shader : shaders) {
    const lgc::ShaderStage stage = shader->description.stage;
    if (stage == Compute)
      return {};
    if (stage == Fragment)
      hasFragment = true;
    else if (!last || stage > last->description.stage)
      last = shader;
  }
  if (!last)
    return {};
  if (last->description.stage == Vertex && !writesPosition(last->reflection)) {
    last = DOVETAIL_TRY(makeStage(*last, Geometry, geometryShaderFor(last->reflection)));
    shaders.push_back(last);
  }
  if (!hasFragment)
    shaders.push_back(DOVETAIL_TRY(makeStage(*last, Fragment, fragmentShaderFor(last->reflection))));
  return {};
}

} // namespace dovetail
