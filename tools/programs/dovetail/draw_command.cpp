// SPDX-License-Identifier: MIT
//
// `dovetail draw` compiles and joins the shaders of one pipeline, runs them in the emulator on made-up or given inputs,
// and compares the picture with lavapipe's.
#include "tools/common/command/options.h"
#include "tools/common/command/part_way.h"
#include "tools/common/inputs/state_file.h"
#include "tools/common/inputs/vulkan_names.h"
#include "tools/common/pipelines/code_gain.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/common/pipelines/scene_case.h"
#include "tools/common/pipelines/softened_twin.h"
#include "tools/common/pipelines/third_opinion.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/picture_png.h"
#include <CLI/CLI.hpp>
#include <cstdio>

namespace dovetail {

namespace {

struct DrawOptions {
  DrawRequest request;
  std::string gpu = "gfx900";
  std::string size;
  std::string colorFormat;
  std::vector<std::string> modes;
  std::string parts;
  bool joined = false, monolithic = false, optimized = false, firstCode = false;
  std::string output, reference, difference;
  bool compare = false, radv = false;
  bool printState = false;
};

Result<void> parseSize(const std::string &text, DrawRequest &request) {
  unsigned width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &rest) != 2 || width == 0 || height == 0 ||
      width > 8192 || height > 8192)
    return makeError(ErrorCode::InvalidInput, "a size is WIDTHxHEIGHT, each from 1 to 8192, found \"{}\"", text);
  request.width = width;
  request.height = height;
  return {};
}

Result<void> writePng(const std::string &path, const Raster &raster) {
  return writeOutput(path, DOVETAIL_TRY(encodePng(raster)));
}

void printComparison(const char *title, const Comparison &comparison) {
  print(fmt::format("{}:\n", title));
  size_t begin = 0;
  for (size_t end; (end = comparison.text.find('\n', begin)) != std::string::npos; begin = end + 1)
    print(fmt::format("  {}\n", comparison.text.substr(begin, end - begin)));
}

void printWork(DrawnCode code, const Drawing &drawing) {
  const EmulationStatistics &work = drawing.statistics;
  print(fmt::format("{}: {} waves, {} instructions, {:.1f} million a second\n", toString(code), work.waves,
                    work.instructions, work.seconds > 0 ? double(work.instructions) / work.seconds / 1e6 : 0));
  for (unsigned event = 0; event < emulator::UndefinedEventCount; ++event)
    if (const uint64_t times = work.undefinedEvents[event])
      print(fmt::format("  undefined: {}, {} times\n", toString(emulator::UndefinedEvent(event)), times));
  if (code == DrawnCode::FirstCode)
    print(printFirstCode(drawing.firstCode));
}

void printOpinion(const ThirdOpinion &opinion) {
  if (opinion.verdict != RadvVerdict::CannotSay) {
    printComparison("RADV's code and ours", opinion.withOurs);
    printComparison("RADV's code and lavapipe", opinion.withLavapipe);
  }
  print(fmt::format("RADV {}{}{}\n", toString(opinion.verdict), opinion.reason.empty() ? "" : ": ", opinion.reason));
}

// For a picture that is chaos: whether its softened twin matches. The files keep the picture itself.
Result<bool> twinMatches(Device &device, const DrawCase &drawCase, DrawnCode code) {
  const std::optional<DrawCase> twin = DOVETAIL_TRY(softenedTwin(drawCase));
  if (!twin)
    return false;
  const SceneResult reference = DOVETAIL_TRY(drawReference(twin->scene));
  const Drawing drawing = DOVETAIL_TRY(drawInEmulator(device, *twin, code));
  PictureJudge judge(device, *twin);
  const Comparison comparison = DOVETAIL_TRY(judge.compare(drawing.result, reference));
  printComparison("softened twin, emulator and lavapipe", comparison);
  return comparison.matches;
}

// Prints which parts of a pipeline's file are ignored.
Result<DrawCase> makeCase(const DrawRequest &request) {
  if (request.files.size() == 1 && namesScene(request.files[0]))
    return readSceneCase(request.files[0]);
  if (request.files.size() != 1 || !namesPipeline(request.files[0]))
    return makeDrawCase(request);
  PipelineInput pipeline = DOVETAIL_TRY(readPipeline(request.files[0], request.read));
  std::fputs(describeIgnored(pipeline).c_str(), stderr);
  return makeDrawCase(std::move(pipeline), request);
}

Result<int> draw(DrawOptions options) {
  DOVETAIL_CHECK(parseSize(options.size, options.request));
  std::vector<std::string> inputs = options.request.files;
  inputs.push_back(options.request.stateFile);
  for (const std::string &file : {options.output, options.reference, options.difference})
    DOVETAIL_CHECK(reserveOutput(file, inputs));
  const std::vector<PipelineMode> modes = modesOf(options.modes);
  const bool isCompared = options.compare || options.radv || !options.reference.empty() || !options.difference.empty();
  if (isCompared)
    DOVETAIL_CHECK(checkReference());
  if (!options.colorFormat.empty()) {
    std::optional<VkFormat> format = parseVulkanName<VkFormat>(options.colorFormat);
    if (!format)
      return makeError(ErrorCode::InvalidInput, "unknown format \"{}\"", options.colorFormat);
    options.request.floatColorFormat = *format;
  }
  std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(options.gpu));
  usePartWay(*device, options.parts);
  DrawCase drawCase = DOVETAIL_TRY(makeCase(options.request));

  if (options.printState)
    print(printState(drawCase.scene.state));
  // The first is written and compared with lavapipe; the others are compared with the first.
  std::vector<DrawnCode> codes;
  if (options.joined || (!options.monolithic && !options.optimized && !options.firstCode))
    codes.push_back(DrawnCode::Joined);
  if (options.monolithic)
    codes.push_back(DrawnCode::Monolithic);
  if (options.optimized)
    codes.push_back(DrawnCode::Optimized);
  if (options.firstCode)
    codes.push_back(DrawnCode::FirstCode);
  Drawing drawing = DOVETAIL_TRY(drawInEmulator(*device, drawCase, codes[0]));
  printWork(codes[0], drawing);
  if (options.optimized)
    print(printGains({DOVETAIL_TRY(measureGain(*device, drawCase, options.request.files[0]))}));
  bool matches = true;
  PictureJudge judge(*device, drawCase);
  for (size_t i = 1; i < codes.size(); ++i) {
    Drawing other = DOVETAIL_TRY(drawInEmulator(*device, drawCase, codes[i]));
    printWork(codes[i], other);
    Comparison comparison = DOVETAIL_TRY(judge.compare(drawing.result, other.result, monolithicTolerance()));
    printComparison(fmt::format("{} and {}", toString(codes[0]), toString(codes[i])).c_str(), comparison);
    if (codes[0] == DrawnCode::Joined && codes[i] == DrawnCode::FirstCode)
      print(isIdentical(comparison) ? "  the same bit for bit\n" : "  not the same bit for bit\n");
    matches &= comparison.matches;
  }
  for (PipelineMode mode : modes) {
    LinkedPipeline linked = DOVETAIL_TRY(buildInMode(*device, drawCase, mode));
    if (!linked.refusal.empty())
      print(fmt::format("{}: not linked but compiled as a whole: {}\n", toString(mode), linked.refusal));
    SceneResult other = DOVETAIL_TRY(emulate(drawCase.scene, drawCase.shaders, *linked.image));
    Comparison comparison = DOVETAIL_TRY(judge.compare(drawing.result, other, monolithicTolerance()));
    printComparison(fmt::format("{} and {}", toString(codes[0]), toString(mode)).c_str(), comparison);
    matches &= comparison.matches;
  }
  // Write the picture before anything is compared: a user wants to see a picture that differs.
  Raster ours = DOVETAIL_TRY(showResult(drawing.result));
  if (!options.output.empty())
    DOVETAIL_CHECK(writePng(options.output, ours));
  if (isCompared) {
    SceneResult reference = DOVETAIL_TRY(drawReference(drawCase.scene));
    Raster theirs = DOVETAIL_TRY(showResult(reference));
    if (!options.reference.empty())
      DOVETAIL_CHECK(writePng(options.reference, theirs));
    if (!options.difference.empty())
      DOVETAIL_CHECK(writePng(options.difference, showDifference(ours, theirs)));
    Comparison comparison = DOVETAIL_TRY(judge.explain(drawing.result, reference));
    printComparison("emulator and lavapipe", comparison);
    matches &= comparison.matches || (isChaos(comparison) && DOVETAIL_TRY(twinMatches(*device, drawCase, codes[0])));
    if (options.radv)
      printOpinion(DOVETAIL_TRY(askRadv(judge, drawCase, options.gpu, drawing.result, &reference)));
    print(matches ? "match\n" : "differ\n");
  }
  return matches ? 0 : 1;
}

} // namespace

void addDrawCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App *command = app.add_subcommand("draw", "Draw with the shaders of one pipeline in the emulator");
  command
      ->add_option(
          "SHADER", options->request.files,
          "GLSL (.vert .tesc .tese .geom .frag .comp), SPIR-V (.spv .spvasm), a .shader_test, or a captured pipeline "
          "(FILE.foz#N), or a scene that the layer kept (FILE.scene), of which nothing is made up")
      ->required()
      ->check(notEmpty());
  addReadOptions(*command, options->request.read);
  addSpirvPassesOption(*command, options->request.read);
  addGpuOption(*command, options->gpu)->capture_default_str();
  command
      ->add_option("--state", options->request.stateFile,
                   "pipeline state and scene (JSON); what it leaves out is made up")
      ->check(notEmpty());
  command->add_option("--seed", options->request.seed, "of everything that is made up")
      ->check(wholeNumber())
      ->capture_default_str();
  command->add_flag("--random-state", options->request.randomState,
                    "a state chosen by the seed, as corpus --draw does, instead of the default one");
  command->add_option("--color-format", options->colorFormat,
                      "format of all colour targets that the shaders write floats to");
  command->add_option("--size", options->size, "of the framebuffer")->default_val("64x64");
  command->add_flag("--joined", options->joined, "draw with joined parts (the default)");
  command->add_flag("--monolithic", options->monolithic,
                    "draw with stages compiled as one module; with --joined: draw with both and compare them");
  command->add_flag(
      "--optimized", options->optimized,
      "draw with the optimised variant, and print what it saves; with --joined: draw with both and compare them");
  command->add_flag("--first-code", options->firstCode,
                    "draw with main parts of first code where it does not refuse them, and print its refusals; with "
                    "--joined: draw with both and compare them");
  command
      ->add_option("--mode", options->modes,
                   "draw with pipelines that were compiled like this and went through ELF files, too, and compare: "
                   "whole, unlinked, part, joined")
      ->delimiter(',')
      ->check(oneOf(modeNames()));
  addPartWayOption(*command, options->parts);
  command->add_option("-o,--output", options->output, "write the picture as PNG; -: to the standard output")
      ->check(notEmpty());
  command->add_option("--reference", options->reference, "write lavapipe's picture as PNG")->check(notEmpty());
  command->add_option("--diff", options->difference, "write the difference as PNG")->check(notEmpty());
  command->add_flag("--compare", options->compare, "compare with lavapipe, without writing its picture");
  command->add_flag("--radv", options->radv,
                    "compare with lavapipe, and draw with the code of Mesa's RADV in the emulator, too: who agrees "
                    "with whom");
  command->add_flag("--print-state", options->printState, "print the state that was used, as a state file");
  command->callback([options, &chosen] { chosen = [options] { return draw(*options); }; });
}

} // namespace dovetail
