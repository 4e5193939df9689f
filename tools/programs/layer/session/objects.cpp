// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/objects.h"
#include <fmt/format.h>
#include <sstream>
#include <xxhash.h>

namespace dovetail::layer {

namespace {

const char *shortName(VkShaderStageFlagBits stage) {
  switch (stage) {
  case VK_SHADER_STAGE_VERTEX_BIT:
    return "vert";
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return "tesc";
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return "tese";
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return "geom";
  case VK_SHADER_STAGE_FRAGMENT_BIT:
    return "frag";
  case VK_SHADER_STAGE_COMPUTE_BIT:
    return "comp";
  default:
    return "other";
  }
}

} // namespace

Hash hashOf(const void *bytes, size_t size, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
  return {hash.high64, hash.low64};
}

std::string nameOf(const StageSource &source) {
  return fmt::format("{}-{:016x}", shortName(source.stage), source.module->hash.high);
}

std::string PipelineFacts::describe() const {
  std::string name = label.get();
  if (name.empty()) {
    std::istringstream words(entryPoints);
    for (std::string word; words >> word;)
      if (word != "main") // which says nothing
        name = entryPoints;
  }
  return name.empty() ? shaders : fmt::format("{} ({})", name, shaders);
}

Pipeline::Pipeline() {
  static std::atomic<uint64_t> made = 0;
  number = made.fetch_add(1, std::memory_order_relaxed) + 1;
}

void Pipeline::noteFailure(const dovetail_state *failed, Problem &why) {
  std::scoped_lock lock(m_failuresMutex);
  m_failures.emplace_back(failed, &why);
  m_hasFailures.store(true, std::memory_order_release);
}

Problem *Pipeline::searchFailure(const dovetail_state *asked) {
  std::scoped_lock lock(m_failuresMutex);
  for (const auto &[failed, why] : m_failures)
    if (failed == asked)
      return why;
  return nullptr;
}

} // namespace dovetail::layer
