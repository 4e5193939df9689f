// SPDX-License-Identifier: MIT
#include "parts/cache/compile_event.h"

namespace dovetail {

std::string_view toString(CompilePurpose purpose) {
  switch (purpose) {
  case CompilePurpose::Caller:
    return "a caller";
  case CompilePurpose::Background:
    return "the background";
  case CompilePurpose::Optimized:
    return "an optimised variant";
  }
  return "?";
}

std::string describe(const CompileEvent &event) {
  std::string text =
      fmt::format("{}{}{} for {}: {:.0f} us (front {:.0f}, optimise {:.0f}, code {:.0f})", toString(event.key.kind),
                  event.shaders.empty() ? "" : " of ", event.shaders, toString(event.purpose), event.microseconds,
                  event.frontMicroseconds, event.optimizeMicroseconds, event.codegenMicroseconds);
  if (event.tier == CodeTier::FirstCode)
    text += ", first code";
  if (!event.refusal.empty())
    text += fmt::format(", refused by first code: {}", event.refusal);
  if (event.error)
    return text + fmt::format(", failed: {}", event.error->text);
  const Usage &usage = event.part->usage;
  text += fmt::format(", {} instructions, {} SGPRs, {} VGPRs", event.part->instructionCount, usage.sgprs, usage.vgprs);
  if (usage.spilledSgprs || usage.spilledVgprs)
    text += fmt::format(", spills {} SGPRs and {} VGPRs", usage.spilledSgprs, usage.spilledVgprs);
  return text;
}

} // namespace dovetail
