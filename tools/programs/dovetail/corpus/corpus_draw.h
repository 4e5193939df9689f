// SPDX-License-Identifier: MIT
//
// Draws one unit of a corpus: joined, monolithic, optimised and with first code on request, and on lavapipe. Runs in a
// worker process, so its results travel as text.
#pragma once

#include "parts/cache/first_code_counts.h"
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
  VkFormat floatColorFormat = VK_FORMAT_UNDEFINED; // of all float targets; VK_FORMAT_UNDEFINED: each keeps its own
  bool defaultState = false;                       // the default state instead of one chosen by the seed
  bool optimized = false;                          // draw with the optimised variant, too
  ReadOptions read = {};
  std::string parts = {};               // --parts
  std::vector<PipelineMode> modes = {}; // also draw with files of these modes
  bool firstCode = false;               // also draw with first code
  bool radv = false;                    // ask RADV if a draw differs, or if texels of a match are excused
};

// A draw with a pipeline that was written to files and read back.
struct ModeOutcome {
  PipelineMode mode = PipelineMode::Whole;
  std::string refusal;     // LinkedPipeline's
  bool isSameFile = false; // the file equals that of the joined image, byte for byte
  bool isSameDraw = false; // joined code drew the same, bit for bit
};

// Why lavapipe has no picture to compare with.
enum class NotDrawnClass {
  InvalidInput,     // no valid shaders, or none that belong together
  Refused,          // valid, but Dovetail refuses it; lavapipe is not asked
  CannotBeMadeUp,   // the inputs that the shaders read cannot be made up
  ReferenceRefuses, // lavapipe lacks a feature that they need
  ReferenceFails,   // lavapipe crashes, hangs or fails
  NeitherTakesIt,   // lavapipe and Dovetail both refuse it
  ReaderCrashes,    // glslang crashes on the text, which is no valid GLSL
};
constexpr unsigned NotDrawnClassCount = unsigned(NotDrawnClass::ReaderCrashes) + 1;
std::string_view toString(NotDrawnClass each);

struct DrawOutcome {
  enum class Status { Match, Differ, NotDrawn };
  std::string name; // the unit's, or the shader's if a unit's shaders are drawn one by one
  Status status = Status::Match;
  NotDrawnClass notDrawn = NotDrawnClass::InvalidInput; // if NotDrawn
  std::string reason;                                   // if Differ or NotDrawn
  std::string replay;                                   // the command that draws it again
  bool isSameAsMonolithic = false;                      // joined and monolithic code drew the same, bit for bit
  bool showsNothing = false; // lavapipe's targets are still clear, and no buffer or image has changed
  uint64_t instructions = 0; // run by the joined code
  // Joined code compared with lavapipe: the largest share of unstable and of undefined texels in a target (or of words
  // in a buffer).
  double unstable = 0, undefined = 0;
  std::vector<std::string>
      unstableFrom;    // the kinds of noise that make texels unstable, and "integers" if unstable values are integers
  bool isTwin = false; // the picture is chaos, so all other members describe its softened twin
  // DrawCorpusOptions::optimized
  std::optional<CodeGain> gain;
  bool isSameAsOptimized = false; // joined and optimised code drew the same, bit for bit
  // Joined and optimised code differ by more than monolithicTolerance(), but both match lavapipe.
  bool isOptimizedLikeReference = false;
  std::vector<ModeOutcome> modes; // the modes that match
  // DrawCorpusOptions::firstCode; nullopt: it was not drawn.
  std::optional<FirstCodeCounts> firstCode;
  bool isSameAsFirstCode = false;  // joined code of LLVM and of first code drew the same, bit for bit
  std::string firstCodeDifference; // if not
  RadvVerdict radv = RadvVerdict::NotAsked;
  std::string radvReason; // if CannotSay
};

// Draws all draws and dispatches of the unit's shaders, with one outcome each: vertex and fragment shader together,
// each other shader by itself. A draw is "not drawn" if its shaders are no valid input, if nothing can be made up for
// them, or if lavapipe cannot draw it. Any later failure on Dovetail's side counts as a difference.
std::vector<DrawOutcome> drawUnit(Device &device, const CorpusUnit &unit, const DrawCorpusOptions &options);

// The outcome of a unit whose worker crashed or took too long.
DrawOutcome lostUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options);

// The outcome of a unit whose worker crashed or took too long while it read the unit's files.
DrawOutcome unreadUnit(const CorpusUnit &unit, const std::string &reason, const DrawCorpusOptions &options);

// Whether a unit's files are SPIR-V, or GLSL that becomes SPIR-V. May crash: glslang does on some invalid text.
bool canBeRead(const CorpusUnit &unit, const DrawCorpusOptions &options);

std::string printDrawOutcomes(const std::vector<DrawOutcome> &outcomes);
Result<std::vector<DrawOutcome>> parseDrawOutcomes(const std::string &text);

std::string_view toString(DrawOutcome::Status status);

} // namespace dovetail
