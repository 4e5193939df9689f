// SPDX-License-Identifier: MIT
//
// Writes GLSL for missing stages. Inputs match outputs by location and component, so blocks, arrays and matrices become
// one variable for each of their locations. Each component is another affine function of the place in the picture, with
// moderate values, unless the input's name suggests something else.
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/interface_glsl.h"
#include "tools/proof/scene/maker/names.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp11>
#include <utility>

namespace dovetail {

namespace {

using lgc::ShaderStage;
using spirv::InterfaceLocation;
using Rows = std::vector<InterfaceLocation>;

constexpr const char *Centers[] = {"0.5", "1.0", "0.2", "0.5"};

// In the shader, s and t run from 0 to 1 over the picture.
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
    // Functions have domains, so most locations stay between 0 and 1; some go above or below.
    return fmt::format("{} + {:.4f} * (s - 0.5) + {:.4f} * (t - 0.5)", Centers[row.location % std::size(Centers)],
                       random.real(-0.45f, 0.45f), random.real(-0.45f, 0.45f));
  }
}

// `numbers` is the name of an ivec4.
std::string madeUpValue(const InterfaceLocation &row, std::string_view numbers) {
  unsigned count = componentsOf(row), first = std::countr_zero(row.componentMask);
  std::string list;
  for (unsigned component = 0; component < count; ++component) {
    std::string scalar = typeName(row.numericClass, row.elementBits, 1);
    std::string value = row.numericClass == NumericClass::Float
                            ? floatValue(row, first + component)
                            : fmt::format("{}[{}]", numbers, (first + component) % 4);
    list += fmt::format("{}{}({})", component ? ", " : "", scalar, value);
  }
  return fmt::format("{}({})", typeName(row.numericClass, row.elementBits, count), list);
}

constexpr const char *PlaceInPicture =
    "  float s = 0.5 + 0.5 * gl_Position.x / gl_Position.w, t = 0.5 + 0.5 * gl_Position.y / gl_Position.w;\n";

unsigned elementsOf(const spirv::Reflection &shader, spv::BuiltIn builtIn) {
  for (const spirv::BuiltInVariable &variable : shader.builtIns)
    if (!variable.isOutput && variable.builtIn == static_cast<uint32_t>(builtIn))
      return variable.elements;
  return 0;
}

// The rows of each vertex, or those of the whole patch.
Rows rowsOf(const Rows &all, bool isPatch) {
  Rows rows = all;
  std::erase_if(rows, [&](const InterfaceLocation &row) { return row.isPatch != isPatch; });
  return withoutOverlaps(rows);
}

// next: the stage that reads the vertex shader's outputs.
std::string vertexShaderFor(const spirv::Reflection &next) {
  Rows rows = rowsOf(next.inputs, false);
  bool hasIntegers = std::ranges::any_of(rows, [](const auto &row) { return row.numericClass != NumericClass::Float; });
  unsigned clipDistances = elementsOf(next, spv::BuiltIn::ClipDistance);
  unsigned cullDistances = elementsOf(next, spv::BuiltIn::CullDistance);

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
  text += PlaceInPicture;
  // Each distance cuts off another corner, some more, some less.
  for (unsigned i = 0; i < clipDistances; ++i)
    text += fmt::format("  gl_ClipDistance[{}] = {} + {} - {:.2f};\n", i, i & 1 ? "1.0 - s" : "s",
                        i & 2 ? "1.0 - t" : "t", 0.2 + 0.03 * i);
  for (unsigned i = 0; i < cullDistances; ++i)
    text += fmt::format("  gl_CullDistance[{}] = s + t - {:.2f};\n", i, 0.1 + 0.02 * i);
  for (const InterfaceLocation &row : rows)
    text += fmt::format("  {} = {};\n", variableName(row), madeUpValue(row, "numbers"));
  return text + "}\n";
}

constexpr uint32_t MaxPatchVertices = 32;

// The number of vertices that an evaluation shader reads, at least the number of corners of its domain.
uint32_t patchVerticesFor(const spirv::Reflection &evaluation) {
  TessPrimitive primitive = evaluation.tessellation.primitive;
  uint32_t corners = primitive == TessPrimitive::Triangles ? 3 : primitive == TessPrimitive::Isolines ? 2 : 4;
  return std::clamp(evaluation.patchVertices, corners, MaxPatchVertices);
}

// In GLSL, only the evaluation shader declares the tessellator's modes; in other languages, the control shader does. So
// the control shader declares the modes that `evaluation` leaves open.
std::vector<uint32_t> withModes(const std::vector<uint32_t> &words, const lgc::TessellationMode &evaluation) {
  std::vector<spv::ExecutionMode> modes;
  if (evaluation.primitive == TessPrimitive::Undeclared)
    modes.push_back(spv::ExecutionMode::Quads);
  if (evaluation.spacing == TessSpacing::Undeclared)
    modes.push_back(spv::ExecutionMode::SpacingEqual);
  if (evaluation.vertexOrder == TessVertexOrder::Undeclared)
    modes.push_back(spv::ExecutionMode::VertexOrderCcw);
  SpirvEditor editor(words);
  return editor.rewrite([&](const SpirvEditor::Instruction &inst) {
    editor.emit(inst);
    if (inst.opcode == spv::Op::OpExecutionMode)
      for (spv::ExecutionMode mode : std::exchange(modes, {}))
        editor.emit({inst.opcode, 0, 0, {inst.operands[0], static_cast<uint32_t>(mode)}});
  });
}

// A control shader that hands on the vertices' values, with levels and values for the patch.
std::string controlShaderFor(const spirv::Reflection &evaluation) {
  Rows vertexRows = rowsOf(evaluation.inputs, false), patchRows = rowsOf(evaluation.inputs, true);
  std::string text = "#version 450\n" + extensionsFor(evaluation.inputs);
  text += fmt::format("layout(vertices = {}) out;\n", patchVerticesFor(evaluation));
  // An input and an output must have different names.
  std::string handOn = "  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n";
  for (const InterfaceLocation &row : vertexRows) {
    std::string input = declarationOfPatch(row, "in"), name = variableName(row);
    input.replace(input.rfind(name), name.size(), "from_" + name);
    text += input + declarationOfPatch(row, "out");
    handOn += fmt::format("  {0}[gl_InvocationID] = from_{0}[gl_InvocationID];\n", name);
  }
  for (const InterfaceLocation &row : patchRows)
    text += declarationOfPatch(row, "out");
  text += "\nvoid main() {\n" + handOn;
  text += "  const float s = 0.4, t = 0.7;\n  const ivec4 numbers = ivec4(1, 2, 0, 3);\n";
  for (const InterfaceLocation &row : patchRows)
    text += fmt::format("  {} = {};\n", variableName(row), madeUpValue(row, "numbers"));
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("  gl_TessLevelOuter[{}] = {}.0;\n", i, 2 + i % 3);
  return text + "  gl_TessLevelInner[0] = 3.0;\n  gl_TessLevelInner[1] = 2.0;\n}\n";
}

TessPrimitive domainOf(const spirv::Reflection &control) {
  if (control.tessellation.primitive != TessPrimitive::Undeclared)
    return control.tessellation.primitive;
  switch (control.tessellation.outputVertices) {
  case 1:
  case 3:
    return TessPrimitive::Triangles;
  case 2:
    return TessPrimitive::Isolines;
  default:
    return TessPrimitive::Quads;
  }
}

struct Corner {
  uint32_t vertex;
  const char *weight;
};

// The vertices at the corners of a domain, and each corner's weight.
std::vector<Corner> cornersOf(TessPrimitive domain, uint32_t vertices) {
  if (domain == TessPrimitive::Triangles)
    return {{0, "gl_TessCoord.x"}, {1 % vertices, "gl_TessCoord.y"}, {2 % vertices, "gl_TessCoord.z"}};
  const char *const left = "1.0 - gl_TessCoord.x", *const right = "gl_TessCoord.x";
  if (domain == TessPrimitive::Isolines)
    return {{0, left}, {1 % vertices, right}};
  // In a net of vertices, rows follow each other; four vertices run around the patch.
  uint32_t side = 1;
  while ((side + 1) * (side + 1) <= vertices)
    ++side;
  const bool isNet = side > 2 && side * side == vertices;
  return {{0, "(1.0 - gl_TessCoord.x) * (1.0 - gl_TessCoord.y)"},
          {isNet ? side - 1 : 1 % vertices, "gl_TessCoord.x * (1.0 - gl_TessCoord.y)"},
          {isNet ? vertices - 1 : 2 % vertices, "gl_TessCoord.x * gl_TessCoord.y"},
          {isNet ? vertices - side : 3 % vertices, "(1.0 - gl_TessCoord.x) * gl_TessCoord.y"}};
}

// Modes that the control shader leaves open get GLSL's default.
std::string modesFor(const lgc::TessellationMode &control, TessPrimitive domain) {
  std::string text = domain == TessPrimitive::Triangles  ? "triangles"
                     : domain == TessPrimitive::Isolines ? "isolines"
                                                         : "quads";
  if (control.spacing == TessSpacing::FractionalEven)
    text += ", fractional_even_spacing";
  if (control.spacing == TessSpacing::FractionalOdd)
    text += ", fractional_odd_spacing";
  if (control.vertexOrder == TessVertexOrder::Clockwise)
    text += ", cw";
  return text + (control.pointMode ? ", point_mode" : "");
}

bool isSamePlace(const InterfaceLocation &one, const InterfaceLocation &other) {
  return one.location == other.location && one.componentMask == other.componentMask &&
         one.numericClass == other.numericClass && one.elementBits == other.elementBits;
}

// next: the stage that reads the evaluation shader's outputs. Without it, the evaluation shader writes all outputs of
// the control shader.
std::string evaluationShaderFor(const spirv::Reflection &control, const spirv::Reflection *next) {
  const TessPrimitive domain = domainOf(control);
  const std::vector<Corner> corners = cornersOf(domain, std::max(control.tessellation.outputVertices, 1u));
  const Rows inputs = withoutOverlaps(control.outputs), outputs = next ? rowsOf(next->inputs, false) : inputs;
  std::string text = "#version 450\n" + extensionsFor(inputs) + extensionsFor(outputs);
  text += fmt::format("layout({}) in;\n", modesFor(control.tessellation, domain));
  for (const InterfaceLocation &row : inputs) {
    std::string input = declarationOfPatch(row, "in"), name = variableName(row);
    text += input.replace(input.rfind(name), name.size(), "from_" + name);
  }
  for (InterfaceLocation row : outputs) {
    row.isPatch = false;
    text += declaration(row, "out");
  }
  text += "\nvoid main() {\n  vec4 place = vec4(0.0);\n";
  for (size_t i = 0; i < corners.size(); ++i)
    text += fmt::format("  float w{0} = {1};\n  place += w{0} * gl_in[{2}].gl_Position;\n", i, corners[i].weight,
                        corners[i].vertex);
  const bool writesPosition = std::ranges::any_of(control.builtIns, [](const spirv::BuiltInVariable &variable) {
    return variable.isOutput && variable.builtIn == static_cast<uint32_t>(spv::BuiltIn::Position);
  });
  // Without positions, each patch fills most of the picture.
  text +=
      writesPosition ? "  gl_Position = place;\n" : "  gl_Position = vec4(gl_TessCoord.xy * 1.8 - 0.9, 0.4, 1.0);\n";
  text += PlaceInPicture;
  text += "  const ivec4 numbers = ivec4(1, 2, 0, 3);\n";
  for (const InterfaceLocation &row : outputs) {
    auto input = std::ranges::find_if(inputs, [&](const auto &candidate) { return isSamePlace(row, candidate); });
    const std::string name = variableName(row);
    std::string value;
    if (input == inputs.end())
      value = madeUpValue(row, "numbers");
    else if (input->isPatch)
      value = "from_" + name;
    else if (row.numericClass != NumericClass::Float)
      value = fmt::format("from_{}[0]", name);
    else
      for (size_t i = 0; i < corners.size(); ++i)
        value += fmt::format("{}{}(w{}) * from_{}[{}]", i ? " + " : "", typeName(row.numericClass, row.elementBits, 1),
                             i, name, corners[i].vertex);
    text += fmt::format("  {} = {};\n", name, value);
  }
  return text + "}\n";
}

class Pipeline {
public:
  explicit Pipeline(std::vector<ShaderRef> &shaders) : m_shaders(shaders) {}

  const spirv::Reflection *reflection(ShaderStage stage) const {
    auto found =
        std::ranges::find_if(m_shaders, [&](const auto &shader) { return shader->description.stage == stage; });
    return found == m_shaders.end() ? nullptr : &(*found)->reflection;
  }

  // The reflection of the first of these stages that the pipeline has.
  const spirv::Reflection *first(std::initializer_list<ShaderStage> stages) const {
    for (ShaderStage stage : stages)
      if (const spirv::Reflection *found = reflection(stage))
        return found;
    return nullptr;
  }

  // evaluation: if a control shader is added, the modes of the evaluation shader behind it.
  Result<void> add(ShaderStage stage, std::string text, const lgc::TessellationMode *evaluation = nullptr) {
    const std::string name = fmt::format("({} shader for {})", stageName(stage), m_shaders.front()->description.name);
    auto modules = DOVETAIL_TRY(translateGlsl({{stage, name, std::move(text)}}));
    std::vector<uint32_t> words = evaluation ? withModes(modules.front(), *evaluation) : std::move(modules.front());
    ShaderRef shader = DOVETAIL_TRY(createShader({name, std::move(words), "main", stage, {}}));
    auto place = std::ranges::find_if(m_shaders, [&](const auto &other) { return other->description.stage > stage; });
    m_shaders.insert(place, std::move(shader));
    return {};
  }

private:
  std::vector<ShaderRef> &m_shaders;
};

} // namespace

Result<void> addEarlierStages(std::vector<ShaderRef> &shaders) {
  using enum ShaderStage;
  Pipeline pipeline(shaders);
  if (shaders.empty() || pipeline.reflection(Compute))
    return {};
  const spirv::Reflection *control = pipeline.reflection(TessControl), *evaluation = pipeline.reflection(TessEval);
  if (control && !evaluation)
    DOVETAIL_CHECK(pipeline.add(TessEval, evaluationShaderFor(*control, pipeline.first({Geometry, Fragment}))));
  const bool passesThrough =
      pipeline.reflection(Vertex) && std::ranges::any_of(shaders, [](const ShaderRef &shader) {
        return shader->description.stage == TessEval && shader->description.environment == spirv::Environment::OpenGl;
      });
  if (evaluation && !control && !passesThrough)
    DOVETAIL_CHECK(pipeline.add(TessControl, controlShaderFor(*evaluation), &evaluation->tessellation));
  if (pipeline.reflection(Vertex))
    return {};
  return pipeline.add(Vertex, vertexShaderFor(*pipeline.first({TessControl, Geometry, Fragment})));
}

} // namespace dovetail
