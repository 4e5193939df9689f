// SPDX-License-Identifier: MIT
#include "tools/random-programs/glsl/write_glsl.h"
#include "tools/random-programs/glsl/glsl_expressions.h"
#include "tools/random-programs/interpret/interpret.h"
#include "tools/random-programs/program/structures.h"
#include "tools/random-programs/spirv/float_modes.h"
#include "tools/random-programs/spirv/spirv_interface.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail::random_programs {

namespace {

// Longer texts come of shuffles of shuffles.
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
  // `first`: of the values that are the path's indices.
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
    // Shared words are unsigned there.
    isSaid &= statement.kind != StatementKind::Atomic || statement.space != Space::Shared ||
              AtomicForm(statement.form) != AtomicForm::MaximumSigned;
    isSaid &= statement.kind != StatementKind::Switch || statement.values[0].type == I32;
  });
  return isSaid && ProgramText(shader, program).write().size() < MaxTextOfProgram;
}

// Execution modes by their numbers in SPIR-V: GLSL has none of its own.
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

std::string declarations(const Shader &shader) {
  std::string text = "#version 460\n";
  for (const char *name :
       {"GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_8bit_storage", "GL_EXT_shader_16bit_storage",
        "GL_EXT_nonuniform_qualifier", "GL_EXT_buffer_reference", "GL_KHR_shader_subgroup_arithmetic",
        "GL_KHR_shader_subgroup_ballot", "GL_KHR_shader_subgroup_shuffle", "GL_KHR_shader_subgroup_vote"})
    text += fmt::format("#extension {} : require\n", name);
  if (shader.stage == Stage::Fragment)
    text += "#extension GL_EXT_demote_to_helper_invocation : require\n";
  else
    text += fmt::format("layout(local_size_x = {}) in;\n", shader.groupLanes);
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
  return text + "uint lane;\n" + glslFunctions();
}

} // namespace

void keepGlsl(Shader &shader) {
  std::erase_if(shader.programs, [&](SmallProgram &program) { return !canBeSaid(shader, program); });
  // What others have left in memory is missing.
  while (const std::optional<UndefinedPlace> place = interpret(shader).undefined)
    std::erase_if(shader.programs, [&](const SmallProgram &program) { return program.number == place->program; });
}

std::string writeGlsl(const Shader &shader) {
  std::string text = declarations(shader);
  for (const SmallProgram &program : shader.programs)
    text += ProgramText(shader, program).write();
  text += "void main() {\n";
  text += shader.stage == Stage::Compute
              ? fmt::format("  lane = gl_WorkGroupID.x * {}u + gl_LocalInvocationIndex;\n", shader.groupLanes)
              : "  lane = uint(gl_FragCoord.y) * 8u + uint(gl_FragCoord.x);\n";
  for (const SmallProgram &program : shader.programs)
    text += fmt::format("  program{}();\n", program.number);
  return text + "}\n";
}

} // namespace dovetail::random_programs
