// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/spirv_passes.h"
#include "src/spirv/module/visible_module.h"
#include <spirv-tools/optimizer.hpp>
#include <sstream>

namespace dovetail {

Result<std::vector<uint32_t>> runSpirvPasses(const std::vector<uint32_t> &given, const std::string &passes) {
  std::istringstream stream(passes);
  std::vector<std::string> flags;
  for (std::string flag; stream >> flag;)
    flags.push_back(std::move(flag));
  // Hide debug instructions: the optimiser refuses modules with anything unknown, even the name of a language.
  const std::vector<uint32_t> words = spirv::showToTools(given, /*hidesNewer=*/false).words;
  std::string complaints;
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.SetMessageConsumer([&](spv_message_level_t level, const char *, const spv_position_t &, const char *text) {
    if (level <= SPV_MSG_ERROR)
      complaints += (complaints.empty() ? "" : "; ") + std::string(text);
  });
  if (!optimizer.RegisterPassesFromFlags(flags))
    return makeError(ErrorCode::InvalidInput, "spirv-opt's passes: {}", complaints);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false); // createShader() validates later
  std::vector<uint32_t> optimized;
  if (!optimizer.Run(words.data(), words.size(), &optimized, options))
    return makeError(ErrorCode::InvalidInput, "SPIRV-Tools' optimiser: {}", complaints);
  return optimized;
}

Result<ShaderSet> withSpirvPasses(const ShaderSet &shaders, const std::string &passes) {
  std::vector<ShaderRef> changed;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader || shader->passesThrough) // makeShaderSet() makes pass-through shaders again
      continue;
    ShaderDescription description = shader->description;
    description.words = DOVETAIL_TRY(runSpirvPasses(description.words, passes));
    Result<ShaderRef> made = createShader(std::move(description));
    if (!made)
      return makeError(made.error().code, "after SPIRV-Tools' optimiser: {}", made.error().text);
    changed.push_back(std::move(*made));
  }
  return makeShaderSet(changed);
}

} // namespace dovetail
