// SPDX-License-Identifier: MIT
//
// Cuts a .shader_test file into its [sections] and rewrites their GLSL token by token. Most differences between GL's
// and Vulkan's GLSL are names; a name that Vulkan lacks is declared as an ordinary variable in front of the shader.
// Other differences are left alone; glslang refuses them.
#include "tools/common/inputs/shader_test.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

namespace dovetail {

namespace {

using lgc::ShaderStage;

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Names that have a new name in today's GLSL.
const std::map<std::string, std::string, std::less<>> &renamedWords() {
  static const std::map<std::string, std::string, std::less<>> Words = [] {
    std::map<std::string, std::string, std::less<>> words = {{"gl_VertexID", "gl_VertexIndex"},
                                                             {"gl_InstanceID", "gl_InstanceIndex"},
                                                             {"gl_BaseVertexARB", "gl_BaseVertex"},
                                                             {"gl_BaseInstanceARB", "gl_BaseInstance"},
                                                             {"gl_DrawIDARB", "gl_DrawID"}};
    // texture2DProjLod → textureProjLod, and the same for all dimensions and ways to sample.
    for (const char *dimension : {"1D", "2D", "3D", "Cube", "2DRect", "1DArray", "2DArray", "CubeArray"})
      for (const char *projection : {"", "Proj"})
        for (const char *level : {"", "Lod", "Grad", "LodEXT", "GradARB", "GradEXT"})
          for (const char *offset : {"", "Offset"}) {
            std::string newLevel = level;
            for (const char *suffix : {"EXT", "ARB"})
              if (newLevel.ends_with(suffix))
                newLevel.resize(newLevel.size() - 3);
            words[fmt::format("texture{}{}{}{}", dimension, projection, level, offset)] =
                fmt::format("texture{}{}{}", projection, newLevel, offset);
          }
    for (const char *dimension : {"1D", "2D", "3D", "2DRect", "1DArray", "2DArray", "Buffer"})
      for (const char *offset : {"", "Offset"})
        words[fmt::format("texelFetch{}{}", dimension, offset)] = fmt::format("texelFetch{}", offset);
    for (const char *dimension : {"1D", "2D", "3D", "Cube", "2DRect", "1DArray", "2DArray", "Buffer"})
      words[fmt::format("textureSize{}", dimension)] = "textureSize";
    return words;
  }();
  return Words;
}

// A built-in of GL that becomes an ordinary variable.
struct BuiltInVariable {
  std::string_view name;
  std::string_view vertex; // its declaration in a vertex shader, with $ for the new name; empty: unknown there
  std::string_view fragment;
};
constexpr BuiltInVariable BuiltIns[] = {
    {"gl_Vertex", "in vec4 $;", ""},
    {"gl_Normal", "in vec3 $;", ""},
    {"gl_Color", "in vec4 $;", "in vec4 $;"},
    {"gl_SecondaryColor", "in vec4 $;", "in vec4 $;"},
    {"gl_FogCoord", "in float $;", ""},
    {"gl_MultiTexCoord0", "in vec4 $;", ""},
    {"gl_MultiTexCoord1", "in vec4 $;", ""},
    {"gl_MultiTexCoord2", "in vec4 $;", ""},
    {"gl_MultiTexCoord3", "in vec4 $;", ""},
    {"gl_MultiTexCoord4", "in vec4 $;", ""},
    {"gl_MultiTexCoord5", "in vec4 $;", ""},
    {"gl_MultiTexCoord6", "in vec4 $;", ""},
    {"gl_MultiTexCoord7", "in vec4 $;", ""},
    {"gl_FrontColor", "out vec4 $;", ""},
    {"gl_BackColor", "out vec4 $;", ""},
    {"gl_FrontSecondaryColor", "out vec4 $;", ""},
    {"gl_BackSecondaryColor", "out vec4 $;", ""},
    {"gl_TexCoord", "out vec4 $[8];", "in vec4 $[8];"},
    {"gl_FogFragCoord", "out float $;", "in float $;"},
    {"gl_ClipVertex", "out vec4 $;", ""},
    {"gl_FragColor", "", "layout(location = 0) out vec4 $;"},
    {"gl_FragData", "", "layout(location = 0) out vec4 $[8];"},
    {"gl_SecondaryFragColorEXT", "", "layout(location = 0, index = 1) out vec4 $;"},
    {"gl_ModelViewProjectionMatrix", "uniform mat4 $;", "uniform mat4 $;"},
    {"gl_ModelViewMatrix", "uniform mat4 $;", "uniform mat4 $;"},
    {"gl_ProjectionMatrix", "uniform mat4 $;", "uniform mat4 $;"},
    {"gl_NormalMatrix", "uniform mat3 $;", "uniform mat3 $;"},
    {"gl_TextureMatrix", "uniform mat4 $[8];", "uniform mat4 $[8];"},
    {"gl_MaxDrawBuffers", "const int $ = 8;", "const int $ = 8;"},
};

// Functions whose result type has changed since.
struct OldFunction {
  std::string_view name;
  std::string_view definition;
};
constexpr OldFunction OldFunctions[] = {
    {"shadow1D", "vec4 shadow1D(sampler1DShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"shadow2D", "vec4 shadow2D(sampler2DShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"shadow1DProj", "vec4 shadow1DProj(sampler1DShadow s, vec4 c) { return vec4(textureProj(s, c)); }"},
    {"shadow2DProj", "vec4 shadow2DProj(sampler2DShadow s, vec4 c) { return vec4(textureProj(s, c)); }"},
    {"shadow1DLod", "vec4 shadow1DLod(sampler1DShadow s, vec3 c, float l) { return vec4(textureLod(s, c, l)); }"},
    {"shadow2DLod", "vec4 shadow2DLod(sampler2DShadow s, vec3 c, float l) { return vec4(textureLod(s, c, l)); }"},
    {"shadow2DRect", "vec4 shadow2DRect(sampler2DRectShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"ftransform", "vec4 ftransform() { return gl_ModelViewProjectionMatrix * gl_Vertex; }"},
};

// Extensions that GLSL 4.50 lacks, so glslang must be asked for them. All others are dropped.
constexpr std::array<std::string_view, 14> KeptExtensions = {
    "GL_ARB_gpu_shader_int64",       "GL_ARB_shader_ballot",         "GL_ARB_shader_clock",
    "GL_ARB_shader_group_vote",      "GL_ARB_post_depth_coverage",   "GL_ARB_shader_viewport_layer_array",
    "GL_ARB_shader_draw_parameters", "GL_ARB_sparse_texture2",       "GL_ARB_sparse_texture_clamp",
    "GL_ARB_shader_stencil_export",  "GL_AMD_gpu_shader_half_float", "GL_KHR_shader_subgroup_basic",
    "GL_EXT_shader_integer_mix",     "GL_NV_shader_atomic_float"};

// The new form of a preprocessor line; nothing: drop it.
std::string rewriteDirective(std::string_view line) {
  size_t word = line.find_first_not_of(" \t", line.find('#') + 1);
  if (word == std::string_view::npos)
    return {};
  std::string_view directive = line.substr(word);
  if (directive.starts_with("version"))
    return {};
  if (directive.starts_with("extension")) {
    bool kept = std::ranges::any_of(KeptExtensions,
                                    [&](std::string_view name) { return line.find(name) != std::string_view::npos; });
    return kept ? std::string(line) : std::string();
  }
  return std::string(line);
}

class Modernizer {
public:
  explicit Modernizer(ShaderStage stage) : m_stage(stage) {}

  std::string run(std::string_view text) {
    std::string body;
    for (size_t start = 0; start < text.size();) {
      size_t end = std::min(text.find('\n', start), text.size());
      std::string_view line = text.substr(start, end - start);
      size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && line[first] == '#') {
        std::string directive = rewriteDirective(line);
        if (directive.find("extension") != std::string::npos)
          m_extensions += directive + "\n";
        else
          body += rewriteWords(directive);
      } else {
        body += rewriteWords(line);
      }
      body += '\n';
      start = end + 1;
    }
    return "#version 450\n" + m_extensions + declarations() + body;
  }

private:
  std::string rewriteWords(std::string_view line) {
    std::string result;
    for (size_t at = 0; at < line.size();) {
      if (!isWordCharacter(line[at])) {
        if (line[at] == ')')
          m_inLayout = false;
        result += line[at++];
        continue;
      }
      size_t end = at;
      while (end < line.size() && isWordCharacter(line[end]))
        ++end;
      std::string_view word = line.substr(at, end - at);
      m_inLayout |= word == "layout";
      result += rewriteWord(word);
      at = end;
    }
    return result;
  }

  std::string rewriteWord(std::string_view word) {
    if (word == "attribute")
      return "in";
    if (word == "varying")
      return m_stage == ShaderStage::Vertex ? "out" : "in";
    // layout(shared) and layout(packed) leave the layout to GL; Vulkan needs an explicit one.
    if (m_inLayout && (word == "shared" || word == "packed"))
      return "std140";
    if (auto renamed = renamedWords().find(word); renamed != renamedWords().end())
      return renamed->second;
    for (const OldFunction &function : OldFunctions)
      if (word == function.name) {
        m_functions.insert(&function);
        if (word == "ftransform") {
          rewriteWord("gl_Vertex");
          rewriteWord("gl_ModelViewProjectionMatrix");
        }
      }
    for (const BuiltInVariable &variable : BuiltIns)
      if (word == variable.name && !declarationOf(variable).empty()) {
        m_variables.insert(&variable);
        return newName(variable);
      }
    return std::string(word);
  }

  // Empty if the stage lacks the variable.
  std::string_view declarationOf(const BuiltInVariable &variable) const {
    if (m_stage == ShaderStage::Vertex)
      return variable.vertex;
    if (m_stage == ShaderStage::Fragment)
      return variable.fragment;
    // Stages between vertex and fragment take only uniforms and constants, which are the same in every stage.
    bool isInterface =
        variable.vertex.starts_with("in ") || variable.vertex.starts_with("out ") || variable.vertex.empty();
    return isInterface ? std::string_view() : variable.vertex;
  }

  // gl_Color in a fragment shader is gl_FrontColor in the vertex shader.
  std::string newName(const BuiltInVariable &variable) const {
    if (m_stage == ShaderStage::Fragment && variable.name == "gl_Color")
      return "dt_FrontColor";
    if (m_stage == ShaderStage::Fragment && variable.name == "gl_SecondaryColor")
      return "dt_FrontSecondaryColor";
    return "dt_" + std::string(variable.name.substr(3));
  }

  std::string declarations() {
    std::string text;
    for (const BuiltInVariable *variable : m_variables) {
      std::string declaration(declarationOf(*variable));
      declaration.replace(declaration.find('$'), 1, newName(*variable));
      text += declaration + "\n";
    }
    for (const OldFunction *function : m_functions) {
      std::string definition(function->definition);
      for (const BuiltInVariable *variable : m_variables)
        for (size_t at; (at = definition.find(variable->name)) != std::string::npos;)
          definition.replace(at, variable->name.size(), newName(*variable));
      text += definition + "\n";
    }
    return text;
  }

  ShaderStage m_stage;
  bool m_inLayout = false;
  std::string m_extensions;
  // Pointers into the tables above; so the set has the tables' order.
  std::set<const BuiltInVariable *> m_variables;
  std::set<const OldFunction *> m_functions;
};

enum class SectionKind : uint8_t { Other, Glsl, Passthrough, Assembly, Specializations };

struct TestSection {
  SectionKind kind = SectionKind::Other;
  ShaderStage stage = ShaderStage::Vertex; // unless Other
};

// Reads a section's name. Errors: Unsupported for an unknown kind of shader.
Result<TestSection> readSection(const std::string &file, std::string_view name) {
  static constexpr std::pair<std::string_view, ShaderStage> Stages[] = {
      {"vertex shader", ShaderStage::Vertex},
      {"tessellation control shader", ShaderStage::TessControl},
      {"tessellation evaluation shader", ShaderStage::TessEval},
      {"geometry shader", ShaderStage::Geometry},
      {"fragment shader", ShaderStage::Fragment},
      {"compute shader", ShaderStage::Compute},
  };
  for (const auto &[prefix, stage] : Stages) {
    if (!name.starts_with(prefix))
      continue;
    const std::string_view rest = name.substr(prefix.size());
    if (rest.empty())
      return TestSection{SectionKind::Glsl, stage};
    if (rest == " spirv")
      return TestSection{SectionKind::Assembly, stage};
    if (rest == " specializations")
      return TestSection{SectionKind::Specializations, stage};
    if (rest == " passthrough" && stage == ShaderStage::Vertex)
      return TestSection{SectionKind::Passthrough, stage};
  }
  if (name.find("shader") != std::string_view::npos || name.find("program") != std::string_view::npos)
    return makeError(ErrorCode::Unsupported, "{}: a {} is not supported", file, name);
  return TestSection();
}

// The name in a line that begins a section; nothing for other lines.
std::optional<std::string_view> sectionName(std::string_view line) {
  if (line.empty() || line.front() != '[')
    return std::nullopt;
  return line.substr(1, line.find(']') == std::string_view::npos ? line.npos : line.find(']') - 1);
}

// Reads "uint 0 42" or "float 1 0.42"; nothing for an empty line.
Result<std::optional<spirv::SpecConstant>> readSpecialization(const std::string &file, const std::string &line) {
  char type[8] = {}, value[32] = {}, rest = 0;
  unsigned id = 0;
  const int fields = std::sscanf(line.c_str(), "%7s %u %31s %c", type, &id, value, &rest);
  if (fields <= 0)
    return std::nullopt;
  char *end = value;
  uint32_t bits = 0;
  if (fields == 3 && std::string_view(type) == "float")
    bits = std::bit_cast<uint32_t>(std::strtof(value, &end));
  else if (fields == 3 && std::string_view(type) == "uint")
    bits = static_cast<uint32_t>(std::strtoul(value, &end, 0));
  else if (fields == 3 && std::string_view(type) == "int")
    bits = static_cast<uint32_t>(std::strtol(value, &end, 0));
  if (end == value || *end != 0)
    return makeError(ErrorCode::InvalidInput, "{}: \"{}\" is no specialisation", file, line);
  return spirv::SpecConstant{id, bits};
}

// The texts of one stage.
struct StageTexts {
  std::string glsl, assembly;
  std::vector<spirv::SpecConstant> specConstants;
};

} // namespace

std::string modernizeGlsl(ShaderStage stage, std::string_view text) {
  return Modernizer(stage).run(text);
}

Result<ShaderTest> parseShaderTest(const std::string &name, std::string_view text, spirv::Environment environment) {
  std::map<ShaderStage, StageTexts> stages;
  TestSection section;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string line(text.substr(start, end - start));
    start = end + 1;
    if (const std::optional<std::string_view> begun = sectionName(line)) {
      section = DOVETAIL_TRY(readSection(name, *begun));
      if (section.kind == SectionKind::Passthrough)
        stages[section.stage].glsl =
            "#version 450\nlayout(location = 0) in vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";
    } else if (section.kind == SectionKind::Glsl) {
      stages[section.stage].glsl += line + "\n";
    } else if (section.kind == SectionKind::Assembly) {
      stages[section.stage].assembly += line + "\n";
    } else if (section.kind == SectionKind::Specializations) {
      if (std::optional<spirv::SpecConstant> constant = DOVETAIL_TRY(readSpecialization(name, line)))
        stages[section.stage].specConstants.push_back(*constant);
    }
  }
  ShaderTest test;
  for (auto &[stage, texts] : stages) {
    std::string shader = fmt::format("{}: {} shader", name, stageName(stage));
    if (environment == spirv::Environment::OpenGl && !texts.assembly.empty())
      test.assembly.push_back({stage, std::move(shader), std::move(texts.assembly), std::move(texts.specConstants)});
    else if (!texts.glsl.empty())
      test.glsl.push_back({stage, std::move(shader), modernizeGlsl(stage, texts.glsl)});
    else
      return makeError(ErrorCode::InvalidInput, "{} is there as SPIR-V for OpenGL only", shader);
  }
  if (stages.empty())
    return makeError(ErrorCode::InvalidInput, "{}: there is no GLSL in it", name);
  return test;
}

Result<std::set<ShaderStage>> stagesOfShaderTest(const std::string &path) {
  const std::string text = DOVETAIL_TRY(readWholeFile(path));
  std::set<ShaderStage> stages;
  for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    const std::optional<std::string_view> name =
        sectionName(std::string_view(text).substr(at, text.find('\n', at) - at));
    // An unknown kind of shader adds no stage here.
    if (Result<TestSection> section = name ? readSection(path, *name) : TestSection();
        section && section->kind != SectionKind::Other)
      stages.insert(section->stage);
  }
  return stages;
}

Result<ShaderTest> readShaderTest(const std::string &path, spirv::Environment environment) {
  return parseShaderTest(path, DOVETAIL_TRY(readWholeFile(path)), environment);
}

} // namespace dovetail
