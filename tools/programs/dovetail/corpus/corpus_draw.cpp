// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include "merge/elf/pal_elf.h"
#include "src/base/hash.h"
#include "tools/common/command/part_way.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/common/pipelines/softened_twin.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <filesystem>

namespace dovetail {

namespace {

std::string reasonOf(const Error &error) {
  std::string text = fmt::format("{}: {}", toString(error.code), error.text);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Gives each unit of a corpus another state. Uses the unit's name without its folder: so a unit has the same seed
// wherever its corpus lies.
uint64_t seedOf(const CorpusUnit &unit, uint64_t seed) {
  std::string name = std::filesystem::path(unit.name).filename().string();
  Hasher hasher;
  hasher.add(std::string_view(name)).add(seed);
  return hasher.finish().low & 0xffffffff;
}

DrawRequest requestOf(const CorpusUnit &unit, const DrawCorpusOptions &options) {
  DrawRequest request;
  request.files = unit.files;
  request.read = options.read;
  request.seed = seedOf(unit, options.seed);
  request.width = request.height = options.size;
  request.randomState = !options.defaultState && !namesPipeline(unit.files.front());
  request.floatColorFormat = options.floatColorFormat;
  return request;
}

std::string modesAsOptions(const DrawCorpusOptions &options) {
  std::string text;
  for (PipelineMode mode : options.modes)
    text += fmt::format("{}{}", text.empty() ? " --mode=" : ",", toString(mode));
  return text;
}

std::string replayOf(const DrawRequest &request, const DrawCorpusOptions &options) {
  return replayCommand(request, options.gpu) + (options.optimized ? " --optimized" : "") +
         (options.firstCode ? " --first-code" : "") + (options.parts == CompiledParts ? " --parts ir" : "") +
         modesAsOptions(options) + (options.radv ? " --radv" : "");
}

// The channels that are not within tolerance, in one line.
std::string printOutside(const Comparison &comparison) {
  std::string text;
  for (const ChannelDifference &channel : comparison.channels)
    if (!channel.isWithin)
      text += fmt::format("{}{}: {} of {} outside, {} unstable, maximum {:.3g}{}{}", text.empty() ? "" : "; ",
                          channel.what, channel.outside, channel.texels, channel.unstable, channel.maximum,
                          channel.unit.empty() ? "" : " ", channel.unit);
  return text;
}

// The largest difference of each channel that differs at all.
std::string printMaxima(const Comparison &comparison) {
  std::string text;
  for (const ChannelDifference &channel : comparison.channels)
    if (channel.maximum != 0)
      text += fmt::format("{}{}: maximum {:.3g}{}{}", text.empty() ? "" : "; ", channel.what, channel.maximum,
                          channel.unit.empty() ? "" : " ", channel.unit);
  return text;
}

// Whether all texels hold the clear value, so nothing was drawn.
bool isClear(const ScenePicture &picture, const TexelValue &clearValue) {
  Result<TexelLayout> layout = texelLayout(picture.format);
  if (!layout)
    return true; // no such target
  std::vector<uint8_t> texel(layout->bytes);
  encodeTexel(*layout, clearValue, texel.data());
  for (size_t at = 0; at < picture.bytes.size(); at += layout->bytes)
    if (!std::equal(texel.begin(), texel.end(), picture.bytes.begin() + at))
      return false;
  return true;
}

// Whether the result would be the same without the shaders: then it proves nothing about them.
bool showsNothing(const Scene &scene, const SceneResult &result) {
  if (result.buffers != scene.buffers)
    return false;
  for (size_t index = 0; index < std::min(result.images.size(), scene.images.size()); ++index)
    if (result.images[index] != scene.images[index].bytes)
      return false;
  for (size_t index = 0; index < result.colors.size(); ++index) {
    const auto &clear = scene.clearColors[index].uint32;
    if (!isClear(result.colors[index], {clear[0], clear[1], clear[2], clear[3]}))
      return false;
  }
  return isClear(result.depth, {std::bit_cast<uint32_t>(scene.clearDepth)}) &&
         isClear(result.stencil, {scene.clearStencil});
}

void noteShares(const Comparison &comparison, DrawOutcome &outcome) {
  for (const ChannelDifference &channel : comparison.channels) {
    const double texels = static_cast<double>(std::max<size_t>(channel.texels, 1));
    outcome.unstable = std::max(outcome.unstable, static_cast<double>(channel.unstable) / texels);
    outcome.undefined = std::max(outcome.undefined, static_cast<double>(channel.undefined) / texels);
    auto addKind = [&](std::string_view kind, size_t count) {
      if (count > 0 && std::ranges::find(outcome.unstableFrom, kind) == outcome.unstableFrom.end())
        outcome.unstableFrom.emplace_back(kind);
    };
    addKind("integers", channel.unstableIntegers);
    for (size_t source = 0; source < channel.unstableBy.size(); ++source)
      addKind(toString(emulator::NoiseSource(source)), channel.unstableBy[source]);
  }
}

void noteOpinion(const Result<ThirdOpinion> &opinion, DrawOutcome &outcome) {
  outcome.radv = opinion ? opinion->verdict : RadvVerdict::CannotSay;
  outcome.radvReason = opinion ? opinion->reason : reasonOf(opinion.error());
  std::ranges::replace(outcome.radvReason, '\n', ' ');
}

bool isJoinedFile(Device &device, const DrawCase &drawCase, const std::vector<uint8_t> &elf) {
  Result<VariantRef> joined = buildDrawn(device, drawCase, DrawnCode::Joined);
  Result<std::vector<uint8_t>> file = joined ? writePalElf(*(*joined)->image) : std::vector<uint8_t>();
  return file && *file == elf;
}

// `reference`: lavapipe's result; without lavapipe, that of joined code.
void drawAll(Device &device, const DrawCase &drawCase, const SceneResult &reference, const DrawCorpusOptions &options,
             DrawOutcome &outcome) {
  PictureJudge judge(device, drawCase);
  auto differ = [&](std::string reason) {
    outcome.status = DrawOutcome::Status::Differ;
    outcome.reason = std::move(reason);
  };
  // Whether a drawing matches. If it does not, the outcome gets the reason, which begins with `what`.
  auto matches = [&](const std::string &what, const Result<Comparison> &comparison) {
    if (!comparison)
      differ(what + reasonOf(comparison.error()));
    else if (!comparison->matches)
      differ(what + printOutside(*comparison));
    return comparison && comparison->matches;
  };
  Result<Drawing> joined = drawInEmulator(device, drawCase, DrawnCode::Joined);
  if (!joined) {
    if (options.radv)
      noteOpinion(askRadv(judge, drawCase, options.gpu, tl::unexpected(joined.error()), &reference), outcome);
    return differ("joined: " + reasonOf(joined.error()));
  }
  outcome.instructions = joined->statistics.instructions;
  Result<Comparison> comparison = judge.explain(joined->result, reference);
  if (comparison)
    noteShares(*comparison, outcome);
  if (options.radv && comparison && (!comparison->matches || outcome.unstable + outcome.undefined > 0))
    noteOpinion(askRadv(judge, drawCase, options.gpu, joined->result, &reference), outcome);
  if (comparison && isChaos(*comparison) && !outcome.isTwin)
    if (Result<std::optional<DrawCase>> twin = softenedTwin(drawCase); twin && *twin)
      if (Result<SceneResult> twinReference = drawReference((*twin)->scene)) {
        outcome.isTwin = true;
        return drawAll(device, **twin, *twinReference, options, outcome);
      }
  if (!matches("", comparison))
    return;
  Result<Drawing> monolithic = drawInEmulator(device, drawCase, DrawnCode::Monolithic);
  if (!monolithic)
    return differ("monolithic: " + reasonOf(monolithic.error()));
  Result<Comparison> both = judge.compare(joined->result, monolithic->result, monolithicTolerance());
  outcome.isSameAsMonolithic = both && isIdentical(*both);
  if (!matches("joined and monolithic: ", both) ||
      (!outcome.isSameAsMonolithic && !matches("monolithic: ", judge.compare(monolithic->result, reference))))
    return;
  if (options.firstCode) {
    Result<Drawing> first = drawInEmulator(device, drawCase, DrawnCode::FirstCode);
    if (!first)
      return differ("first code: " + reasonOf(first.error()));
    outcome.firstCode = std::move(first->firstCode);
    both = judge.compare(joined->result, first->result, monolithicTolerance());
    outcome.isSameAsFirstCode = both && isIdentical(*both);
    if (!matches("joined and first code: ", both))
      return;
    if (!outcome.isSameAsFirstCode)
      outcome.firstCodeDifference = printMaxima(*both);
  }
  for (PipelineMode mode : options.modes) {
    Result<LinkedPipeline> linked = buildInMode(device, drawCase, mode);
    Result<SceneResult> drawn = linked ? emulate(drawCase.scene, drawCase.shaders, *linked->image)
                                       : Result<SceneResult>(tl::unexpected(linked.error()));
    const std::string what = fmt::format("{}: ", toString(mode));
    if (!drawn)
      return differ(what + reasonOf(drawn.error()));
    both = judge.compare(joined->result, *drawn, monolithicTolerance());
    if (!both)
      return differ(what + reasonOf(both.error()));
    if (!matches(what, judge.compare(*drawn, reference)))
      return;
    outcome.modes.push_back({mode, linked->refusal, isJoinedFile(device, drawCase, linked->elf), isIdentical(*both)});
    // All modes must draw the same picture, bit for bit.
    if (!isIdentical(*both))
      return differ(fmt::format("{} and joined are not the same: {}", toString(mode), printMaxima(*both)));
  }
  if (!options.optimized)
    return;

  Result<Drawing> optimized = drawInEmulator(device, drawCase, DrawnCode::Optimized);
  Result<CodeGain> gain = measureGain(device, drawCase, outcome.name);
  if (!optimized || !gain)
    return differ("optimised: " + reasonOf(optimized ? gain.error() : optimized.error()));
  outcome.gain = std::move(*gain);
  both = judge.compare(joined->result, optimized->result, monolithicTolerance());
  if (!both)
    return differ("joined and optimised: " + reasonOf(both.error()));
  outcome.isSameAsOptimized = isIdentical(*both);
  // With an uninterpolated or folded constant, a difference may exceed the tolerance for prologs.
  outcome.isOptimizedLikeReference = !both->matches;
  matches("optimised: ", judge.compare(optimized->result, reference));
}

// For draws that lavapipe refuses: the code must not trap, and joined and monolithic code must draw the same.
void drawWithoutReference(Device &device, const DrawCase &drawCase, const DrawCorpusOptions &options,
                          DrawOutcome &outcome) {
  Result<Drawing> joined = drawInEmulator(device, drawCase, DrawnCode::Joined);
  if (!joined) {
    const ErrorCode code = joined.error().code;
    if (code != ErrorCode::Unsupported && code != ErrorCode::InvalidInput)
      outcome.status = DrawOutcome::Status::Differ;
    outcome.notDrawn = code == ErrorCode::Unsupported ? NotDrawnClass::NeitherTakesIt : NotDrawnClass::InvalidInput;
    outcome.reason += "; joined: " + reasonOf(joined.error());
    return;
  }
  if (options.radv) {
    PictureJudge judge(device, drawCase);
    noteOpinion(askRadv(judge, drawCase, options.gpu, joined->result, nullptr), outcome);
  }
  DrawOutcome alone;
  alone.name = outcome.name;
  DrawCorpusOptions withoutRadv = options;
  withoutRadv.radv = false;
  drawAll(device, drawCase, joined->result, withoutRadv, alone);
  outcome.isSameAsMonolithic = alone.isSameAsMonolithic;
  outcome.gain = std::move(alone.gain);
  outcome.isSameAsOptimized = alone.isSameAsOptimized;
  outcome.isOptimizedLikeReference = alone.isOptimizedLikeReference;
  outcome.modes = std::move(alone.modes);
  outcome.firstCode = std::move(alone.firstCode);
  outcome.isSameAsFirstCode = alone.isSameAsFirstCode;
  outcome.firstCodeDifference = std::move(alone.firstCodeDifference);
  if (alone.status != DrawOutcome::Status::Differ)
    return;
  outcome.status = DrawOutcome::Status::Differ;
  outcome.reason += "; " + alone.reason;
}

DrawOutcome notDrawn(std::string name, NotDrawnClass why, std::string reason, std::string replay) {
  DrawOutcome outcome;
  outcome.name = std::move(name);
  outcome.status = DrawOutcome::Status::NotDrawn;
  outcome.notDrawn = why;
  outcome.reason = std::move(reason);
  outcome.replay = std::move(replay);
  return outcome;
}

DrawOutcome drawShaders(Device &device, const std::string &name, Result<DrawCase> drawCase, const DrawRequest &request,
                        const DrawCorpusOptions &options) {
  DrawOutcome outcome = notDrawn(name, NotDrawnClass::InvalidInput, "", replayOf(request, options));
  if (!drawCase) {
    if (drawCase.error().code == ErrorCode::Unsupported)
      outcome.notDrawn = NotDrawnClass::CannotBeMadeUp;
    outcome.reason = reasonOf(drawCase.error());
    return outcome;
  }
  // Two shaders that contradict each other: no pipeline can have them.
  Result<VariantRef> bound = device.bind(drawCase->shaders, drawCase->scene.state);
  if (!bound && bound.error().code == ErrorCode::StateMismatch) {
    outcome.reason = reasonOf(bound.error());
    return outcome;
  }
  Result<SceneResult> reference = drawReference(drawCase->scene);
  if (!reference) {
    outcome.notDrawn = reference.error().code == ErrorCode::Unsupported ? NotDrawnClass::ReferenceRefuses
                                                                        : NotDrawnClass::ReferenceFails;
    outcome.reason = reasonOf(reference.error());
    drawWithoutReference(device, *drawCase, options, outcome);
    return outcome;
  }
  outcome.status = DrawOutcome::Status::Match;
  outcome.showsNothing = showsNothing(drawCase->scene, *reference);
  drawAll(device, *drawCase, *reference, options, outcome);
  return outcome;
}

} // namespace

std::vector<DrawOutcome> drawUnit(Device &device, const CorpusUnit &unit, const DrawCorpusOptions &options) {
  DrawRequest request = requestOf(unit, options);
  if (namesPipeline(unit.files.front())) {
    Result<PipelineInput> pipeline = readPipeline(unit.files.front(), options.read);
    if (!pipeline)
      return {notDrawn(unit.name,
                       pipeline.error().code == ErrorCode::Unsupported ? NotDrawnClass::Refused
                                                                       : NotDrawnClass::InvalidInput,
                       reasonOf(pipeline.error()), replayOf(request, options))};
    return {drawShaders(device, unit.name, makeDrawCase(std::move(*pipeline), request), request, options)};
  }
  std::vector<ShaderRef> graphics;
  std::vector<std::vector<ShaderRef>> draws;
  for (const std::string &file : unit.files) {
    Result<std::vector<ShaderRef>> read = readShaders({file}, options.read);
    if (!read)
      return {notDrawn(
          unit.name, read.error().code == ErrorCode::Unsupported ? NotDrawnClass::Refused : NotDrawnClass::InvalidInput,
          reasonOf(read.error()), replayOf(request, options))};
    for (ShaderRef &shader : *read)
      if (shader->description.stage == lgc::ShaderStage::Compute)
        draws.push_back({std::move(shader)});
      else
        graphics.push_back(std::move(shader));
  }
  if (!graphics.empty())
    draws.insert(draws.begin(), std::move(graphics));
  std::vector<DrawOutcome> outcomes;
  for (std::vector<ShaderRef> &shaders : draws) {
    std::string name = draws.size() > 1 ? shaders.front()->description.name : unit.name;
    outcomes.push_back(drawShaders(device, name, makeDrawCase(std::move(shaders), request), request, options));
  }
  return outcomes;
}

DrawOutcome lostUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options) {
  DrawOutcome outcome;
  outcome.name = unit.name;
  outcome.status = DrawOutcome::Status::Differ;
  outcome.reason = reason;
  outcome.replay = replayOf(requestOf(unit, options), options);
  return outcome;
}

DrawOutcome unreadUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options) {
  return notDrawn(unit.name, NotDrawnClass::ReaderCrashes, "while it was read: " + reason,
                  replayOf(requestOf(unit, options), options));
}

bool canBeRead(const CorpusUnit &unit, const DrawCorpusOptions &options) {
  return std::ranges::all_of(unit.files, [&](const std::string &file) {
    return namesPipeline(file) ? readPipeline(file, options.read).has_value()
                               : readShaderBinaries(file, options.read).has_value();
  });
}

std::string_view toString(NotDrawnClass each) {
  switch (each) {
  case NotDrawnClass::InvalidInput:
    return "no valid input";
  case NotDrawnClass::Refused:
    return "refused";
  case NotDrawnClass::CannotBeMadeUp:
    return "what it reads cannot be made up";
  case NotDrawnClass::ReferenceRefuses:
    return "lavapipe does not have it";
  case NotDrawnClass::ReferenceFails:
    return "lavapipe crashes or fails";
  case NotDrawnClass::NeitherTakesIt:
    return "neither side takes it";
  case NotDrawnClass::ReaderCrashes:
    return "glslang crashes";
  }
  return "?";
}

std::string_view toString(DrawOutcome::Status status) {
  switch (status) {
  case DrawOutcome::Status::Match:
    return "match";
  case DrawOutcome::Status::Differ:
    return "differ";
  case DrawOutcome::Status::NotDrawn:
    return "not drawn";
  }
  return "?";
}

} // namespace dovetail
