// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/write_find.h"
#include "tools/common/command/output.h"
#include "tools/programs/random-programs/glsl/write_glsl.h"
#include "tools/programs/random-programs/scene_of.h"
#include "tools/programs/random-programs/spirv/write_spirv.h"
#include <filesystem>
#include <set>
#include <spirv-tools/libspirv.hpp>

namespace dovetail::random_programs {

namespace {

std::string disassemble(const std::vector<uint32_t> &words) {
  std::string text;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES);
  return text;
}

} // namespace

std::string kindOf(const Find &find) {
  std::set<std::string> names;
  for (const SmallProgram &program : find.reduction.shader.programs) {
    Block body = program.body;
    visitExpressions(body, [&](Expression &expression) {
      if (expression.op > Op::Load)
        names.insert(std::string(toString(expression.op)));
    });
    visitStatements(body, [&](const Statement &statement) {
      constexpr std::string_view Kinds[] = {"",          "",         "",       "if",      "loop",   "switch", "break",
                                            "breakLoop", "continue", "return", "barrier", "atomic", "demote", "kill"};
      if (const std::string_view kind = Kinds[size_t(statement.kind)]; !kind.empty())
        names.insert(std::string(kind));
    });
  }
  std::string kind = fmt::format("{}_{}", toString(find.reduction.finding.kind), find.reduction.finding.way.gpu);
  size_t count = 0;
  for (const std::string &name : names)
    if (++count <= 8)
      kind += "_" + name;
  return kind;
}

Result<std::string> writeFind(const std::string &folder, const Find &find) {
  const std::filesystem::path place = std::filesystem::path(folder) / kindOf(find);
  std::error_code error;
  std::filesystem::create_directories(place, error);
  const std::string name = fmt::format("seed_{}", find.seed);
  const Shader &shader = find.reduction.shader;
  const Finding &finding = find.reduction.finding;
  auto write = [&](const std::string &file, const std::string &text) { return writeOutput(place / file, text); };
  constexpr std::string_view Endings[] = {"comp", "vert", "tesc", "tese", "geom", "frag"};
  std::string files;
  if (const Result<std::vector<StageModule>> modules = modulesFor(shader, finding.way))
    for (const StageModule &module : *modules) {
      const std::string file = fmt::format("{}.{}.spvasm", name, Endings[size_t(module.stage)]);
      DOVETAIL_CHECK(write(file, disassemble(module.words)));
      files += file + " ";
    }
  for (Stage stage : shader.stages())
    if (finding.way.isGlsl && (stage == shader.stage || shader.isChain))
      DOVETAIL_CHECK(write(fmt::format("{}.{}", name, Endings[size_t(stage)]), writeGlsl(shader, stage)));
  DOVETAIL_CHECK(write(name + ".json", stateFileOf(shader)));
  const std::string text = fmt::format("seed {}: {}, {}\n{}\n\nreduced with {} checks: {}\n{}\n    dovetail draw "
                                       "{}--state {}.json --gpu {} --optimization-level {} "
                                       "--compare --radv\n\n{}",
                                       find.seed, toString(find.whole.kind), toString(find.whole.way), find.whole.text,
                                       find.reduction.checks, finding.text, find.others, files, name, finding.way.gpu,
                                       finding.way.optimizationLevel, print(shader));
  DOVETAIL_CHECK(write(name + ".txt", text));
  return place.string();
}

} // namespace dovetail::random_programs
