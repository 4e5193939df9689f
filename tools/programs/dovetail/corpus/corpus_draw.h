// SPDX-License-Identifier: MIT
//
// Draws one unit of a corpus: joined, monolithic, optimised if that is wanted, and on lavapipe. Runs in a worker
// process: what it finds travels as text.
#pragma once

#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/code_gain.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/link_modes.h"
#include "tools/common/pipelines/third_opinion.h"
#include "variants/bind/device.h"
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

struct DrawCorpusOptions {
  std::string gpu = "gfx900";
  uint64_t seed = 0;
  uint32_t size = 32;                              // of the framebuffer's sides
  VkFormat floatColorFormat = VK_FORMAT_UNDEFINED; // of all targets of floats, unless it is undefined
  bool defaultState = false;                       // instead of a state by seed
  bool optimized = false;                          // draw with the optimised variant, too
  ReadOptions read = {};
  std::string parts = {};               // --parts
  std::vector<PipelineMode> modes = {}; // draw with files of these, too
  bool radv = false;                    // ask RADV where a draw differs, or matches but for some texels
};

// A draw with a pipeline that went through files.
struct ModeOutcome {
  PipelineMode mode = PipelineMode::Whole;
  std::string refusal;     // LinkedPipeline's
  bool isSameFile = false; // it is byte for byte the one of the joined image
  bool isSameDraw = false; // joined code drew the same, bit for bit
};

// Why there is no picture of lavapipe's to compare with.
enum class NotDrawnClass {
  InvalidInput,     // no valid shaders, or none that belong together
  Refused,          // valid, but this side does not have it; lavapipe is not asked
  CannotBeMadeUp,   // nothing that they read can be made up
  ReferenceRefuses, // lavapipe does not have what they need
  ReferenceFails,   // it crashes, hangs or fails
  NeitherTakesIt,   // and this side does not have it, either
  ReaderCrashes,    // glslang does, on text that is no valid GLSL
};
constexpr unsigned NotDrawnClassCount = unsigned(NotDrawnClass::ReaderCrashes) + 1;
std::string_view toString(NotDrawnClass each);

struct DrawOutcome {
  enum class Status { Match, Differ, NotDrawn };
  std::string name; // the unit's, or the shader's if several of a unit are drawn one by one
  Status status = Status::Match;
  NotDrawnClass notDrawn = NotDrawnClass::InvalidInput; // NotDrawn
  std::string reason;                                   // Differ and NotDrawn
  std::string replay;                                   // the command that draws it again
  bool isSameAsMonolithic = false;                      // joined and monolithic code drew the same, bit for bit
  bool showsNothing = false; // lavapipe's targets are still clear, and no buffer or image has changed
  uint64_t instructions = 0; // run by the joined code
  // The largest share of a target's texels (or a buffer's words) that are so, of joined code and lavapipe's.
  double unstable = 0, undefined = 0;
  std::vector<std::string>
      unstableFrom;    // kinds of noise that make texels unstable, and "integers" if some are integers
  bool isTwin = false; // the picture is chaos, so all else is about its softened twin
  // DrawCorpusOptions::optimized
  std::optional<CodeGain> gain;
  bool isSameAsOptimized = false; // joined and optimised code drew the same, bit for bit
  // They did not even within the tolerance between joined and monolithic code, but both drew what lavapipe did.
  bool isOptimizedLikeReference = false;
  std::vector<ModeOutcome> modes; // as many as match
  RadvVerdict radv = RadvVerdict::NotAsked;
  std::string radvReason; // CannotSay
};

// One outcome for each draw or dispatch that the unit's shaders make: vertex and fragment shader together, each other
// shader by itself. A draw is not drawn if its shaders are no valid input, if nothing can be made up for them, or if
// lavapipe cannot draw it; whatever goes wrong on this side after that is a difference.
std::vector<DrawOutcome> drawUnit(Device &device, const CorpusUnit &unit, const DrawCorpusOptions &options);

// The outcome of a unit whose worker crashed or took too long.
DrawOutcome lostUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options);

// The same for one whose files cannot even be read without that.
DrawOutcome unreadUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options);

// Whether a unit's files are SPIR-V, or GLSL that becomes SPIR-V. (glslang may crash on what is neither.)
bool canBeRead(const CorpusUnit &unit, const DrawCorpusOptions &options);

std::string printDrawOutcomes(const std::vector<DrawOutcome> &outcomes);
Result<std::vector<DrawOutcome>> parseDrawOutcomes(const std::string &text);

std::string_view toString(DrawOutcome::Status status);

} // namespace dovetail
