// SPDX-License-Identifier: MIT
#include "tools/proof/radv/radv_programs.h"
#include "tools/proof/radv/commands/vulkan_check.h"
#include "tools/proof/radv/own_code.h"
#include "tools/proof/radv/radv_costs.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr VkShaderStageFlags TessControl = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                             TessEval = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                             Geometry = VK_SHADER_STAGE_GEOMETRY_BIT;

// The properties of one program from VK_KHR_pipeline_executable_properties.
struct Executable {
  VkShaderStageFlags stages = 0;
  std::map<std::string, std::string> texts;
  std::map<std::string, uint64_t> numbers; // "Code size", "VGPRs", …
};

class Describer {
public:
  explicit Describer(VkDevice device) : m_device(device) {
    getFunction(m_getExecutables, "vkGetPipelineExecutablePropertiesKHR");
    getFunction(m_getStatistics, "vkGetPipelineExecutableStatisticsKHR");
    getFunction(m_getTexts, "vkGetPipelineExecutableInternalRepresentationsKHR");
  }

  Result<std::vector<Executable>> describe(VkPipeline pipeline) {
    VkPipelineInfoKHR pipelineInfo = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = 0;
    DOVETAIL_CHECK_VK(m_getExecutables(m_device, &pipelineInfo, &count, nullptr));
    std::vector<VkPipelineExecutablePropertiesKHR> properties(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR});
    DOVETAIL_CHECK_VK(m_getExecutables(m_device, &pipelineInfo, &count, properties.data()));
    std::vector<Executable> executables;
    for (uint32_t index = 0; index < count; ++index) {
      VkPipelineExecutableInfoKHR info = {
          .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline, .executableIndex = index};
      Executable &executable = executables.emplace_back();
      executable.stages = properties[index].stages;
      DOVETAIL_CHECK(readTexts(info, executable));
      DOVETAIL_CHECK(readStatistics(info, executable));
    }
    return executables;
  }

private:
  template <typename Function> void getFunction(Function &function, const char *name) {
    function = reinterpret_cast<Function>(vkGetDeviceProcAddr(m_device, name));
  }

  Result<void> readTexts(const VkPipelineExecutableInfoKHR &info, Executable &executable) {
    uint32_t count = 0;
    DOVETAIL_CHECK_VK(m_getTexts(m_device, &info, &count, nullptr));
    std::vector<VkPipelineExecutableInternalRepresentationKHR> texts(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
    DOVETAIL_CHECK_VK(m_getTexts(m_device, &info, &count, texts.data())); // the first call gives names and sizes
    std::vector<std::string> buffers(count);
    for (uint32_t index = 0; index < count; ++index) {
      buffers[index].resize(texts[index].dataSize + 1);
      texts[index].pData = buffers[index].data();
    }
    DOVETAIL_CHECK_VK(m_getTexts(m_device, &info, &count, texts.data()));
    for (uint32_t index = 0; index < count; ++index)
      executable.texts[texts[index].name] = buffers[index].c_str(); // the text ends at a zero
    return {};
  }

  Result<void> readStatistics(const VkPipelineExecutableInfoKHR &info, Executable &executable) {
    uint32_t count = 0;
    DOVETAIL_CHECK_VK(m_getStatistics(m_device, &info, &count, nullptr));
    std::vector<VkPipelineExecutableStatisticKHR> statistics(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    DOVETAIL_CHECK_VK(m_getStatistics(m_device, &info, &count, statistics.data()));
    for (const VkPipelineExecutableStatisticKHR &statistic : statistics)
      executable.numbers[statistic.name] = statistic.value.u64;
    return {};
  }

  VkDevice m_device;
  PFN_vkGetPipelineExecutablePropertiesKHR m_getExecutables = nullptr;
  PFN_vkGetPipelineExecutableStatisticsKHR m_getStatistics = nullptr;
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR m_getTexts = nullptr;
};

// `all`: stages of the pipeline. `isCopy`: the second of a geometry shader's two programs.
HardwareStage hardwareStageOf(VkShaderStageFlags stages, VkShaderStageFlags all, bool isCopy) {
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0)
    return HardwareStage::Cs;
  if ((stages & VK_SHADER_STAGE_FRAGMENT_BIT) != 0)
    return HardwareStage::Ps;
  if (isCopy)
    return HardwareStage::Vs;
  if ((stages & Geometry) != 0)
    return HardwareStage::Gs;
  if ((stages & TessControl) != 0)
    return HardwareStage::Hs;
  if (stages == VK_SHADER_STAGE_VERTEX_BIT && (all & TessControl) != 0)
    return HardwareStage::Ls;
  return (all & Geometry) != 0 ? HardwareStage::Es : HardwareStage::Vs;
}

VkShaderStageFlags stagesOf(const std::vector<Executable> &executables) {
  VkShaderStageFlags all = 0;
  for (const Executable &executable : executables)
    all |= executable.stages;
  return all;
}

bool usesSets(const ShaderSet &shaders, VkShaderStageFlags stages) {
  return std::ranges::any_of(shaders.shaders, [&](const ShaderRef &shader) {
    return shader && (stages >> unsigned(shader->description.stage) & 1) != 0 &&
           !shader->reflection.descriptors.empty();
  });
}

} // namespace

bool capturesVertices(const ShaderSet &shaders) {
  for (lgc::ShaderStage stage : {lgc::ShaderStage::Geometry, lgc::ShaderStage::TessEval, lgc::ShaderStage::Vertex})
    if (const spirv::Reflection *last = shaders.reflection(stage))
      return std::ranges::any_of(last->xfbStrides, [](uint32_t stride) { return stride != 0; });
  return false;
}

Result<std::vector<RadvCost>> readCosts(VkDevice device, VkPipeline pipeline) {
  std::vector<Executable> executables = DOVETAIL_TRY(Describer(device).describe(pipeline));
  const VkShaderStageFlags all = stagesOf(executables);
  VkShaderStageFlags seen = 0;
  std::vector<RadvCost> costs;
  for (Executable &executable : executables) {
    const bool isCopy = executable.stages == Geometry && (seen & Geometry) != 0;
    seen |= executable.stages;
    const RadvListing listing = DOVETAIL_TRY(readRadvListing(executable.texts["Assembly"]));
    costs.push_back({hardwareStageOf(executable.stages, all, isCopy), listing.instructions,
                     executable.numbers["Code size"], executable.numbers["VGPRs"], executable.numbers["SGPRs"]});
  }
  return costs;
}

Result<std::vector<RadvProgram>> readPrograms(VkDevice device, VkPipeline pipeline, const ShaderSet &shaders,
                                              const RegisterValues &recorded) {
  std::vector<Executable> executables = DOVETAIL_TRY(Describer(device).describe(pipeline));
  const VkShaderStageFlags all = stagesOf(executables);
  VkShaderStageFlags seen = 0;

  std::vector<RadvProgram> programs;
  std::vector<OwnProgram> wanted;
  for (Executable &executable : executables) {
    RadvProgram &program = programs.emplace_back();
    const bool isCopy = executable.stages == Geometry && (seen & Geometry) != 0;
    seen |= executable.stages;
    program.stage = hardwareStageOf(executable.stages, all, isCopy);
    program.isMerged = std::popcount(executable.stages) > 1;
    program.stages = executable.stages;
    program.listing = DOVETAIL_TRY(readRadvListing(executable.texts["Assembly"]));
    if (program.listing.words.empty())
      return makeError(ErrorCode::Unsupported, "RADV does not show its assembly");
    program.codeBytes = program.listing.words.size() * sizeof(uint32_t);
    program.scratchBytesOfWave = executable.numbers["Scratch size"];
    program.texts = std::move(executable.texts);
    const bool isLast = program.stage == HardwareStage::Vs || program.stage == HardwareStage::Gs;
    program.userSgprs = DOVETAIL_TRY(readUserSgprs({.stage = program.stage,
                                                    .isMerged = program.isMerged,
                                                    .usesSets = !isCopy && usesSets(shaders, program.stages),
                                                    .writesXfb = isLast && capturesVertices(shaders)},
                                                   recorded));
    auto address = recorded.find(registersOf(program.stage, program.isMerged).address);
    if (address == recorded.end())
      return makeError(ErrorCode::CheckFailed, "RADV does not write the address of its {} program",
                       toString(program.stage));
    wanted.push_back({uint64_t(address->second) << 8, program.listing});
  }
  std::vector<std::vector<uint8_t>> code = DOVETAIL_TRY(findOwnCode(wanted));
  for (size_t i = 0; i < programs.size(); ++i)
    programs[i].bytes = std::move(code[i]);
  return programs;
}

} // namespace dovetail
