// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/glsl/write_glsl.h"
#include "tools/programs/random-programs/glsl/glsl_expressions.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/program/structures.h"
#include "tools/programs/random-programs/spirv/float_modes.h"
#include "tools/programs/random-programs/spirv/spirv_interface.h"
#include <algorithm>
#include <fmt/ranges.h>

namespace dovetail::random_programs {

namespace {

// Shuffles of shuffles make longer texts; such programs are left out.
constexpr size_t MaxTextOfProgram = 60'000;

class ProgramText {
public:
  ProgramText(const Shader &shader, const SmallProgram &program) : m_shader(shader), m_program(program) {}

  std::string write() {
    m_text = fmt::format("void program{}() {{\n", m_program.number);
    for (size_t i = 0; i < m_program.variables.size(); ++i) {
      const Variable &variable = m_program.variables[i];
      m_text +=
          fmt::format("  {} v{} = {};\n", glslType(variable.type), i, glslConstant(variable.type, variable.initial));
    }
    writeBlock(m_program.body, 1);
    return m_text + "}\n";
  }

private:
  std::string text(const Expression &expression) { return glslExpression(m_shader, m_program, expression); }
  // `first`: position of the path's indices among the statement's values.
  std::string path(const Type &whole, const Statement &statement, size_t first) {
    std::vector<std::string> indices;
    for (size_t i = first; i < statement.values.size(); ++i)
      indices.push_back(text(statement.values[i]));
    return glslPath(whole, statement.path, indices);
  }
  void line(unsigned depth, const std::string &content) {
    m_text += std::string(2 * size_t(depth), ' ') + content + "\n";
  }

  void writeBlock(const Block &block, unsigned depth) {
    for (const Statement &statement : block)
      writeStatement(statement, depth);
  }

  void writeStatement(const Statement &statement, unsigned depth) {
    const std::vector<Expression> &values = statement.values;
    switch (statement.kind) {
    case StatementKind::Assign:
      return line(depth, fmt::format("v{} = {};", statement.variable, text(values[0])));
    case StatementKind::AssignElement:
      return line(depth,
                  fmt::format("v{}{} = {};", statement.variable,
                              path(m_program.variables[statement.variable].type, statement, 1), text(values[0])));
    case StatementKind::Store: {
      const Type element = typeOfContent(contentOf(values[0].type.scalar, statement.structure));
      return line(depth,
                  fmt::format("{}{} = {};", glslPlace(m_shader, m_program, statement.space, element, text(values[1])),
                              path(element, statement, 2), text(values[0])));
    }
    case StatementKind::Atomic:
      return writeAtomic(statement, depth);
    case StatementKind::If:
      line(depth, fmt::format("if ({}) {{", text(values[0])));
      writeBlock(statement.blocks[0], depth + 1);
      if (statement.blocks.size() > 1) {
        line(depth, "} else {");
        writeBlock(statement.blocks[1], depth + 1);
      }
      return line(depth, "}");
    case StatementKind::Loop:
      return writeLoop(statement, depth);
    case StatementKind::Switch:
      return writeSwitch(statement, depth);
    case StatementKind::Break:
    case StatementKind::BreakLoop:
      return line(depth, "break;");
    case StatementKind::Continue:
      return line(depth, "continue;");
    case StatementKind::Return:
      return line(depth, "return;");
    case StatementKind::Kill:
      return line(depth, "discard;");
    case StatementKind::Demote:
      return line(depth, "demote;");
    case StatementKind::Barrier:
      return line(depth, "memoryBarrierShared(); barrier();");
    }
  }

  void writeAtomic(const Statement &statement, unsigned depth) {
    constexpr std::string_view Names[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
    const bool isSigned = AtomicForm(statement.form) == AtomicForm::MaximumSigned;
    std::string place = glslPlace(m_shader, m_program, statement.space, I32, text(statement.values[1]));
    std::string value = text(statement.values[0]);
    if (isSigned) {
      place = "signed_" + place;
      value = fmt::format("int({})", value);
    }
    line(depth, fmt::format("atomic{}({}, {});", Names[statement.form], place, value));
  }

  void writeLoop(const Statement &statement, unsigned depth) {
    const std::string counter = fmt::format("v{}", statement.variable), limit = text(statement.values[0]);
    switch (LoopForm(statement.form)) {
    case LoopForm::TestAtHeader:
      line(depth, fmt::format("for ({0} = 0u; {0} < {1}; ++{0}) {{", counter, limit));
      writeBlock(statement.blocks[0], depth + 1);
      return line(depth, "}");
    case LoopForm::TestInside:
      line(depth, fmt::format("for ({0} = 0u;; ++{0}) {{", counter));
      line(depth + 1, fmt::format("if (!({} < {})) break;", counter, limit));
      writeBlock(statement.blocks[0], depth + 1);
      return line(depth, "}");
    case LoopForm::TestAtEnd:
      line(depth, fmt::format("{} = 0u;", counter));
      line(depth, "do {");
      writeBlock(statement.blocks[0], depth + 1);
      return line(depth, fmt::format("}} while (++{0} < {1});", counter, limit));
    }
  }

  void writeSwitch(const Statement &statement, unsigned depth) {
    line(depth, fmt::format("switch ({}) {{", text(statement.values[0])));
    for (size_t i = 0; i < statement.cases.size(); ++i) {
      for (uint64_t label : statement.cases[i].labels)
        line(depth, fmt::format("case {}u:", label));
      if (i + 1 == statement.cases.size())
        line(depth, "default:");
      writeBlock(statement.blocks[i], depth + 1);
      if (!statement.cases[i].fallsThrough)
        line(depth + 1, "break;");
    }
    line(depth, "}");
  }

  const Shader &m_shader;
  const SmallProgram &m_program;
  std::string m_text;
};

bool canBeSaid(const Shader &shader, SmallProgram &program) {
  bool isSaid = true;
  visitExpressions(program.body, [&](Expression &expression) { isSaid &= hasGlsl(expression); });
  visitStatements(program.body, [&](const Statement &statement) {
    isSaid &= statement.kind != StatementKind::BreakLoop;
    // GLSL's shared words are unsigned here.
    isSaid &= statement.kind != StatementKind::Atomic || statement.space != Space::Shared ||
              AtomicForm(statement.form) != AtomicForm::MaximumSigned;
    isSaid &= statement.kind != StatementKind::Switch || statement.values[0].type == I32;
  });
  return isSaid && ProgramText(shader, program).write().size() < MaxTextOfProgram;
}

// Execution modes by their SPIR-V numbers, because GLSL has none.
std::string floatModes(const Shader &shader) {
  std::string text;
  for (Scalar scalar : FloatScalars)
    for (const FloatModeRow &row : FloatModeRows)
      if (shader.floatMode(scalar).*row.flag)
        text += fmt::format(
            "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [{}], {}, {});\n",
            uint32_t(row.capability), uint32_t(row.mode), bitsOf(scalar));
  return text.empty() ? text : "#extension GL_EXT_spirv_intrinsics : require\n" + text;
}

std::string layoutsOf(const Shader &shader, Stage stage) {
  switch (stage) {
  case Stage::Compute:
    return fmt::format("layout(local_size_x = {}) in;\n", shader.groupLanes);
  case Stage::TessControl:
    return "layout(vertices = 1) out;\n";
  case Stage::TessEval:
    return "layout(triangles, equal_spacing, ccw, point_mode) in;\n";
  case Stage::Geometry:
    return "layout(points) in;\nlayout(points, max_vertices = 1) out;\n";
  case Stage::Fragment:
    return "#extension GL_EXT_demote_to_helper_invocation : require\n";
  case Stage::Vertex:
    break;
  }
  return "";
}

// The words that stages of a chain hand to each other, and the array that holds them while a stage runs.
std::string varyingsOf(const Shader &shader, Stage stage) {
  const bool isArray = stage == Stage::TessControl || stage == Stage::TessEval || stage == Stage::Geometry;
  const bool isCaptured = shader.capturesVertices && stage == shader.lastBeforeRaster();
  const std::vector<std::string> zeros(VaryingWords, "0u");
  std::string text = fmt::format("uint varyings[{0}] = uint[{0}]({1});\n", VaryingWords, fmt::join(zeros, ", "));
  // The stride needs a declaration of its own: beside a variable, glslang takes it for 0.
  for (uint32_t buffer = 0; buffer < CaptureBuffers && isCaptured; ++buffer)
    text += fmt::format("layout(xfb_buffer = {}, xfb_stride = {}) out;\n", buffer, CapturedStrides[buffer]);
  for (uint32_t i = 0; i < VaryingWords; ++i) {
    if (stage != Stage::Vertex)
      text += fmt::format("layout(location = {0}) {1}in uint taken{0}{2};\n", i,
                          stage == Stage::Fragment ? "flat " : "", isArray ? "[]" : "");
    const auto &[buffer, offset] = CapturedWords[i];
    const std::string place = isCaptured ? fmt::format(", xfb_buffer = {}, xfb_offset = {}", buffer, offset) : "";
    if (stage != Stage::Fragment)
      text += fmt::format("layout(location = {0}{1}) out uint given{0}{2};\n", i, place,
                          stage == Stage::TessControl ? "[]" : "");
  }
  return text;
}

std::string takeVaryings(Stage stage) {
  const bool isArray = stage == Stage::TessControl || stage == Stage::TessEval || stage == Stage::Geometry;
  std::string text;
  for (uint32_t i = 0; i < VaryingWords && stage != Stage::Vertex; ++i)
    text += fmt::format("  varyings[{0}] = taken{0}{1};\n", i, isArray ? "[0]" : "");
  return text;
}

std::string giveVaryings(Stage stage) {
  if (stage == Stage::Fragment)
    return "";
  std::string text;
  for (uint32_t i = 0; i < VaryingWords; ++i)
    text += fmt::format("  given{0}{1} = varyings[{0}];\n", i, stage == Stage::TessControl ? "[gl_InvocationID]" : "");
  if (stage == Stage::TessControl)
    return text + "  gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0);\n  gl_TessLevelInner = float[2](1.0, 1.0);\n";
  text += "  gl_Position = vec4(float(lane & 7u) * 0.25 - 0.875, float(lane >> 3) * 0.25 - 0.875, 0.0, 1.0);\n"
          "  gl_PointSize = 1.0;\n";
  return stage == Stage::Geometry ? text + "  EmitVertex();\n  EndPrimitive();\n" : text;
}

std::string laneOf(const Shader &shader, Stage stage) {
  switch (stage) {
  case Stage::Compute:
    return fmt::format("gl_WorkGroupID.x * {}u + gl_LocalInvocationIndex", shader.groupLanes);
  case Stage::Vertex:
    return "uint(gl_VertexIndex)";
  case Stage::TessControl:
  case Stage::TessEval:
    return "uint(gl_PrimitiveID)";
  case Stage::Geometry:
    return "uint(gl_PrimitiveIDIn)";
  case Stage::Fragment:
    break;
  }
  return "uint(gl_FragCoord.y) * 8u + uint(gl_FragCoord.x)";
}

std::string declarations(const Shader &shader, Stage stage) {
  std::string text = "#version 460\n";
  for (const char *name :
       {"GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_8bit_storage", "GL_EXT_shader_16bit_storage",
        "GL_EXT_nonuniform_qualifier", "GL_EXT_buffer_reference", "GL_KHR_shader_subgroup_arithmetic",
        "GL_KHR_shader_subgroup_ballot", "GL_KHR_shader_subgroup_shuffle", "GL_KHR_shader_subgroup_vote"})
    text += fmt::format("#extension {} : require\n", name);
  text += layoutsOf(shader, stage);
  text += floatModes(shader) + glslStructures();
  auto buffer = [&](unsigned binding, const std::string &type, const std::string &name) {
    text += fmt::format("layout(std430, binding = {0}) buffer Block_{2} {{ {1} {2}[]; }};\n", binding, type, name);
  };
  buffer(OutputBinding, "uint", "outputs");
  buffer(CountersBinding, "uint", "counters");
  buffer(CountersBinding, "int", "signed_counters");
  for (unsigned i = 1; i < ContentCount; ++i) {
    if (i >= ScalarCount && !hasLayout(typeOfContent(i).structure))
      continue;
    const std::string type = glslType(typeOfContent(i));
    buffer(InputBinding + i, type, "input_" + type);
    buffer(ScratchBinding + i, type, "scratch_" + type);
  }
  text += fmt::format("layout(std140, binding = {}) uniform Uniforms {{ layout(offset = 0) uint uniforms[{}]; }};\n",
                      uint32_t(UniformBinding), UniformElements);
  text += fmt::format("layout(std430, binding = {}) buffer Several {{ uint words[]; }} several[{}];\n",
                      uint32_t(SeveralBinding), SeveralBuffers);
  text += "layout(buffer_reference, std430, buffer_reference_align = 4) buffer Pointed { uint words[]; };\n";
  text +=
      fmt::format("layout(push_constant, std430) uniform Push {{ Pointed pointed; uint push[{}]; }};\n", PushElements);
  if (shader.sharedElements)
    text += fmt::format("shared uint sharedWords[{}];\n", shader.sharedElements);
  if (shader.isChain)
    text += varyingsOf(shader, stage);
  return text + "uint lane;\n" + glslFunctions();
}

} // namespace

void keepGlsl(Shader &shader) {
  // If an execution mode is given for several widths, glslang keeps only one.
  shader.floatModes[1] = {};
  std::erase_if(shader.programs, [&](SmallProgram &program) { return !canBeSaid(shader, program); });
  // A program may load from memory that a dropped program should have written.
  while (const std::optional<UndefinedPlace> place = interpret(shader).undefined)
    std::erase_if(shader.programs, [&](const SmallProgram &program) { return program.number == place->program; });
}

std::string writeGlsl(const Shader &shader, Stage stage) {
  std::string text = declarations(shader, stage);
  for (const SmallProgram &program : shader.programs)
    if (program.stage == stage)
      text += ProgramText(shader, program).write();
  // glslang declares Float16 for additions of halves, but not for extended instructions.
  text += fmt::format("void main() {{\n  lane = {};\n  float16_t sum = float16_t(lane);\n  sum = sum + sum;\n",
                      laneOf(shader, stage));
  if (shader.isChain)
    text += takeVaryings(stage);
  for (const SmallProgram &program : shader.programs)
    if (program.stage == stage)
      text += fmt::format("  program{}();\n", program.number);
  if (shader.isChain)
    text += giveVaryings(stage);
  return text + "}\n";
}

} // namespace dovetail::random_programs
