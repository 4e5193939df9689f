// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/check.h"
#include "src/first/form/refusal.h"
#include "src/spirv/validate/validate.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_passes.h"
#include "tools/programs/random-programs/glsl/write_glsl.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/spirv/write_spirv.h"
#include "tools/proof/reference/reference.h"
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

namespace dovetail::random_programs {

namespace {

// Keeps one device for each GPU for the life of this process. Its memory budget is small, because no program comes
// again.
Device *deviceFor(const std::string &gpu) {
  static std::map<std::string, std::unique_ptr<Device>> devices;
  std::unique_ptr<Device> &device = devices[gpu];
  if (!device) {
    DeviceOptions options;
    options.gpuName = gpu;
    options.memoryBudget = uint64_t(16) << 20;
    Result<std::unique_ptr<Device>> made = Device::create(std::move(options));
    if (made)
      device = std::move(*made);
  }
  return device.get();
}

Result<std::vector<StageModule>> spelledModules(const Shader &shader, const Way &way, SubgroupSpelling subgroups) {
  std::vector<StageModule> modules;
  std::vector<GlslSource> sources;
  for (Stage stage : shader.stages()) {
    // The vertex shader of a lone fragment shader has no programs, so it stays SPIR-V.
    if (way.isGlsl && (stage == shader.stage || shader.isChain))
      sources.push_back({stageOf(stage), fmt::format("seed {}", shader.seed), writeGlsl(shader, stage)});
    else
      modules.push_back({stage, writeSpirv(shader, stage, subgroups)});
  }
  if (sources.empty())
    return modules;
  std::vector<std::vector<uint32_t>> translated = DOVETAIL_TRY(translateGlsl(sources));
  const std::vector<Stage> stages = shader.stages();
  for (std::vector<uint32_t> &words : translated)
    modules.push_back({stages[modules.size()], std::move(words)});
  return modules;
}

// Runs spirv-opt's passes on the modules, if the way has passes.
Result<std::vector<StageModule>> afterPasses(std::vector<StageModule> modules, const Way &way) {
  if (!way.spirvPasses.empty())
    for (StageModule &module : modules)
      module.words = DOVETAIL_TRY(runSpirvPasses(module.words, way.spirvPasses));
  return modules;
}

Result<DrawCase> caseFor(const Shader &shader, const Way &way, SubgroupSpelling subgroups = SubgroupSpelling::Own) {
  return caseOf(shader, DOVETAIL_TRY(modulesFor(shader, way, subgroups)), way.optimizationLevel);
}

std::string verdictOf(const Shader &shader, const Scene &scene, const Result<SceneResult> &result,
                      const Interpretation &expected) {
  if (!result)
    return "cannot say: " + result.error().text;
  const Difference difference = compareWords(shader, scene, *result, expected);
  return difference.count ? "is not: " + difference.text : "agrees";
}

bool hasSubgroups(const Shader &shader) {
  bool found = false;
  for (const SmallProgram &program : shader.programs) {
    Block &body = const_cast<Block &>(program.body); // only visited, not changed
    visitExpressions(body, [&](const Expression &expression) { found |= expression.op == Op::Subgroup; });
  }
  return found;
}

// lavapipe's subgroups have 8 invocations. So for a shader with subgroup operations, lavapipe gets the same shader as
// SPIR-V that spells them with shared memory.
std::string askLavapipe(const Shader &shader, const Way &way, const Interpretation &expected) {
  Way asked = way;
  SubgroupSpelling subgroups = SubgroupSpelling::Own;
  if (expected.partsSubgroups)
    return "cannot say: its subgroups have other invocations";
  if (hasSubgroups(shader)) {
    asked.isGlsl = false;
    subgroups = SubgroupSpelling::SharedMemory;
  }
  const Result<DrawCase> drawCase = caseFor(shader, asked, subgroups);
  if (!drawCase)
    return "cannot say: " + drawCase.error().text;
  return verdictOf(shader, drawCase->scene, drawReference(drawCase->scene), expected);
}

} // namespace

std::string toString(const Way &way) {
  return fmt::format("{} {}{}{}{}{}", way.gpu, dovetail::toString(way.code),
                     way.optimizationLevel == 2 ? "" : fmt::format(" at level {}", way.optimizationLevel),
                     way.isGlsl ? " by GLSL" : "", way.spirvPasses.empty() ? "" : " after ", way.spirvPasses);
}

std::string_view toString(FindingKind kind) {
  constexpr std::string_view Names[] = {"right", "wrong", "refused", "crash", "hang", "undefined", "spirv-opt"};
  return Names[size_t(kind)];
}

Shader shaderFor(const Shader &shader, const Way &way) {
  Shader kept = shader;
  if (way.isGlsl)
    keepGlsl(kept);
  return kept;
}

Result<std::vector<StageModule>> modulesFor(const Shader &shader, const Way &way, SubgroupSpelling subgroups) {
  return afterPasses(DOVETAIL_TRY(spelledModules(shader, way, subgroups)), way);
}

void openDevices(const std::vector<std::string> &gpus) {
  for (const std::string &gpu : gpus)
    deviceFor(gpu);
}

Finding check(const Shader &whole, const Way &way, const Shader *written) {
  const Shader shader = shaderFor(whole, way);
  Finding finding;
  finding.way = way;
  auto failed = [&](FindingKind kind, std::string text) {
    finding.kind = kind;
    finding.text = std::move(text);
    return finding;
  };
  const Interpretation expected = interpret(shader);
  if (expected.undefined)
    return failed(FindingKind::Undefined, expected.undefined->reason);
  Device *device = deviceFor(way.gpu);
  if (!device)
    return failed(FindingKind::Refused, "there is no GPU " + way.gpu);
  const Result<std::vector<StageModule>> spelled =
      spelledModules(written ? *written : shader, way, SubgroupSpelling::Own);
  if (!spelled)
    return failed(FindingKind::Refused, spelled.error().text);
  if (way.isGlsl)
    for (const StageModule &module : *spelled)
      if (Result<void> valid = spirv::validate(module.words); !valid)
        return failed(FindingKind::Producer, valid.error().text);
  const Result<std::vector<StageModule>> modules = afterPasses(*spelled, way);
  if (!modules)
    return failed(FindingKind::Producer, modules.error().text);
  const Result<DrawCase> drawCase = caseOf(shader, *modules, way.optimizationLevel);
  if (!drawCase)
    return failed(caseOf(shader, *spelled, way.optimizationLevel) ? FindingKind::Producer : FindingKind::Refused,
                  drawCase.error().text);
  const Result<Drawing> drawing = drawInEmulator(*device, *drawCase, way.code);
  if (!drawing)
    return failed(FindingKind::Refused, drawing.error().text);
  finding.firstCode = drawing->firstCode;
  for (const auto &[reason, count] : drawing->firstCode.reasons)
    if (first::isFault(reason))
      return failed(FindingKind::Refused, reason);
  const Difference difference = compareWords(shader, drawCase->scene, drawing->result, expected);
  if (difference.count == 0)
    return finding;
  finding.program = difference.program;
  return failed(FindingKind::WrongWord, fmt::format("{} ({} words differ)", difference.text, difference.count));
}

std::string encode(const Finding &finding) {
  return fmt::format("{} {} {}", unsigned(finding.kind), finding.program ? int64_t(*finding.program) : -1,
                     finding.text);
}

Finding decode(const WorkerReply &reply, const Way &way) {
  Finding finding;
  finding.way = way;
  if (reply.status != WorkerReply::Status::Finished) {
    finding.kind = reply.status == WorkerReply::Status::Crashed ? FindingKind::Crash : FindingKind::Hang;
    finding.text = reply.text;
    return finding;
  }
  unsigned kind = 0;
  long long program = -1;
  int length = 0;
  std::sscanf(reply.text.c_str(), "%u %lld %n", &kind, &program, &length);
  finding.kind = FindingKind(kind);
  if (program >= 0)
    finding.program = uint32_t(program);
  finding.text = reply.text.substr(size_t(length));
  return finding;
}

bool isSameFailure(const Finding &first, const Finding &second) {
  if (first.kind != second.kind)
    return false;
  if (first.kind != FindingKind::Refused)
    return first.kind != FindingKind::None && first.kind != FindingKind::Undefined;
  // Names and numbers change as a shader shrinks, so words with digits are left out.
  auto words = [](const std::string &text) {
    std::istringstream line(text.substr(0, text.find('\n')));
    std::string kept;
    for (std::string word; line >> word && kept.size() < 60;)
      if (std::ranges::none_of(word, [](unsigned char c) { return std::isdigit(c); }))
        kept += word + " ";
    return kept;
  };
  return words(first.text) == words(second.text);
}

std::string askOthers(const Shader &whole, const Way &way) {
  const Shader shader = shaderFor(whole, way);
  const Interpretation expected = interpret(shader);
  const Result<DrawCase> drawCase = caseFor(shader, way);
  if (!drawCase)
    return "nobody can be asked: " + drawCase.error().text;
  const std::string lavapipe = askLavapipe(shader, way, expected);
  const std::string radv = verdictOf(shader, drawCase->scene, drawWithRadvCode(drawCase->scene, way.gpu), expected);
  return fmt::format("lavapipe {}\nRADV {}\n", lavapipe, radv);
}

} // namespace dovetail::random_programs
