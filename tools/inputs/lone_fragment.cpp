// SPDX-License-Identifier: MIT
//
// Inputs match outputs by location and component, so blocks, arrays and matrices are written as the single variables
// that their locations come down to. A component is an affine function of the place in the picture, different for each,
// with moderate values, unless the input's name asks for something else.
#include "tools/inputs/lone_fragment.h"
#include "tools/inputs/glsl.h"
#include "tools/inputs/interface_glsl.h"
#include "tools/scene/maker/names.h"
#include "tools/scene/maker/random.h"
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

using spirv::InterfaceLocation;

constexpr const char *Centers[] = {"0.5", "1.0", "0.2", "0.5"};

// s and t run from 0 to 1 over the picture.
std::string floatValue(const InterfaceLocation &row, unsigned component) {
  Random random(row.location, "fragment input", {component});
  switch (meaningOf(row.name)) {
  case Meaning::TextureCoordinate: {
    const char *along = component == 0 ? "s" : component == 1 ? "t" : "(s + t)";
    return fmt::format("{:.4f} + {:.4f} * {}", random.real(-0.1f, 0.1f), random.real(0.8f, 1.8f), along);
  }
  case Meaning::Direction:
    if (component < 2)
      return fmt::format("{:.4f} * ({} - 0.5)", random.real(0.3f, 0.6f), component == 0 ? "s" : "t");
    return component == 2 ? "0.9" : "1.0";
  case Meaning::Position:
    if (component < 2)
      return fmt::format("{:.4f} + 1.6 * ({} - 0.5)", random.real(-0.1f, 0.1f), component == 0 ? "s" : "t");
    return component == 2 ? fmt::format("{:.4f} + 0.3 * s", random.real(0.2f, 0.5f)) : "1.0";
  default:
    // Functions have domains: most locations stay between 0 and 1, some go beyond it or below.
    return fmt::format("{} + {:.4f} * (s - 0.5) + {:.4f} * (t - 0.5)", Centers[row.location % std::size(Centers)],
                       random.real(-0.45f, 0.45f), random.real(-0.45f, 0.45f));
  }
}

std::string assignment(const InterfaceLocation &row) {
  unsigned count = componentsOf(row), first = std::countr_zero(row.componentMask);
  std::string list;
  for (unsigned component = 0; component < count; ++component) {
    std::string scalar = typeName(row.numericClass, row.elementBits, 1);
    std::string value = row.numericClass == NumericClass::Float ? floatValue(row, first + component)
                                                                : fmt::format("numbers[{}]", (first + component) % 4);
    list += fmt::format("{}{}({})", component ? ", " : "", scalar, value);
  }
  return fmt::format("  {} = {}({});\n", variableName(row), typeName(row.numericClass, row.elementBits, count), list);
}

unsigned elementsOf(const spirv::Reflection &fragment, spv::BuiltIn builtIn) {
  for (const spirv::BuiltInVariable &variable : fragment.builtIns)
    if (!variable.isOutput && variable.builtIn == static_cast<uint32_t>(builtIn))
      return variable.elements;
  return 0;
}

std::string vertexShaderFor(const spirv::Reflection &fragment) {
  std::vector<InterfaceLocation> rows = withoutOverlaps(fragment.fragmentInputs);
  bool hasIntegers = std::ranges::any_of(rows, [](const auto &row) { return row.numericClass != NumericClass::Float; });
  unsigned clipDistances = elementsOf(fragment, spv::BuiltIn::ClipDistance);
  unsigned cullDistances = elementsOf(fragment, spv::BuiltIn::CullDistance);

  std::string text = "#version 450\n" + extensionsFor(rows);
  text += "layout(location = 0) in vec4 position;\n";
  if (hasIntegers)
    text += "layout(location = 1) in ivec4 numbers;\n";
  for (const InterfaceLocation &row : rows)
    text += declaration(row, "out");
  text += "out gl_PerVertex {\n  vec4 gl_Position;\n  float gl_PointSize;\n";
  if (clipDistances)
    text += fmt::format("  float gl_ClipDistance[{}];\n", clipDistances);
  if (cullDistances)
    text += fmt::format("  float gl_CullDistance[{}];\n", cullDistances);
  text += "};\n\nvoid main() {\n";
  text += "  gl_Position = position;\n  gl_PointSize = 1.0;\n";
  text += "  float s = 0.5 + 0.5 * position.x / position.w, t = 0.5 + 0.5 * position.y / position.w;\n";
  // Each cuts off a corner, more or less of it.
  for (unsigned i = 0; i < clipDistances; ++i)
    text += fmt::format("  gl_ClipDistance[{}] = {} + {} - {:.2f};\n", i, i & 1 ? "1.0 - s" : "s",
                        i & 2 ? "1.0 - t" : "t", 0.2 + 0.03 * i);
  for (unsigned i = 0; i < cullDistances; ++i)
    text += fmt::format("  gl_CullDistance[{}] = s + t - {:.2f};\n", i, 0.1 + 0.02 * i);
  for (const InterfaceLocation &row : rows)
    text += assignment(row);
  return text + "}\n";
}

} // namespace

Result<void> accompanyLoneFragmentShader(std::vector<ShaderRef> &shaders) {
  bool isLone = std::ranges::all_of(
      shaders, [](const ShaderRef &shader) { return shader->description.stage == lgc::ShaderStage::Fragment; });
  if (shaders.empty() || !isLone)
    return {};
  const std::string name = fmt::format("(vertex shader for {})", shaders.front()->description.name);
  std::string text = vertexShaderFor(shaders.front()->reflection);
  auto modules = DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Vertex, name, std::move(text)}}));
  ShaderRef vertex =
      DOVETAIL_TRY(createShader({name, std::move(modules.front()), "main", lgc::ShaderStage::Vertex, {}}));
  shaders.insert(shaders.begin(), std::move(vertex));
  return {};
}

} // namespace dovetail
