// SPDX-License-Identifier: MIT
#include "tools/proof/radv/radv_pipelines.h"
#include "tools/proof/radv/commands/vulkan_check.h"
#include "tools/proof/radv/graphics_info.h"
#include "tools/proof/radv/radv_recorder.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace dovetail {

namespace {

// Runs a clean-up when the scope is left.
class Cleanup {
public:
  explicit Cleanup(std::function<void()> action) : m_action(std::move(action)) {}
  Cleanup(const Cleanup &) = delete;
  ~Cleanup() { m_action(); }

private:
  std::function<void()> m_action;
};

VkDescriptorType descriptorType(spirv::DescriptorKind kind) {
  switch (kind) {
  case spirv::DescriptorKind::UniformBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  case spirv::DescriptorKind::StorageBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  case spirv::DescriptorKind::SampledImage:
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  case spirv::DescriptorKind::StorageImage:
    return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  case spirv::DescriptorKind::Sampler:
    return VK_DESCRIPTOR_TYPE_SAMPLER;
  case spirv::DescriptorKind::CombinedImageSampler:
    return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  case spirv::DescriptorKind::UniformTexelBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  case spirv::DescriptorKind::StorageTexelBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  case spirv::DescriptorKind::InputAttachment:
    return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  }
  return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

VkShaderStageFlagBits stageFlag(lgc::ShaderStage stage) {
  // Both enumerations count the stages in the same order.
  return static_cast<VkShaderStageFlagBits>(1u << static_cast<uint32_t>(stage));
}

class Device final : public RadvDevice {
public:
  ~Device() override {
    m_recorder.reset();
    if (m_device)
      vkDestroyDevice(m_device, nullptr);
    if (m_instance)
      vkDestroyInstance(m_instance, nullptr);
  }

  Result<void> open() {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instanceInfo = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application};
    DOVETAIL_CHECK_VK(vkCreateInstance(&instanceInfo, nullptr, &m_instance));
    uint32_t count = 1;
    VkResult enumerated = vkEnumeratePhysicalDevices(m_instance, &count, &m_physical);
    if ((enumerated != VK_SUCCESS && enumerated != VK_INCOMPLETE) || count == 0)
      return makeError(ErrorCode::Unsupported, "RADV shows no device (is mesa-vulkan-drivers installed?)");

    // Enables all features of the device, so that no shader is refused.
    VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &features13};
    VkPhysicalDeviceVulkan11Features features11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                   .pNext = &features12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features11};
    vkGetPhysicalDeviceFeatures2(m_physical, &features);
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = 0,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = &features,
        .pipelineExecutableInfo = VK_TRUE};
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
        .pNext = &executables,
        .vertexAttributeInstanceRateDivisor = VK_TRUE,
        .vertexAttributeInstanceRateZeroDivisor = VK_TRUE};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = &divisors,
        .transformFeedback = VK_TRUE,
        .geometryStreams = VK_TRUE};
    VkPhysicalDeviceProvokingVertexFeaturesEXT provokingVertex = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
        .pNext = &feedback,
        .provokingVertexLast = VK_TRUE};
    VkPhysicalDeviceMultiDrawFeaturesEXT multiDraw = {.sType =
                                                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
                                                      .pNext = &provokingVertex,
                                                      .multiDraw = VK_TRUE};
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT dynamicVertexInput = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
        .pNext = &multiDraw,
        .vertexInputDynamicState = VK_TRUE};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .pNext = &dynamicVertexInput,
        .graphicsPipelineLibrary = VK_TRUE};
    std::vector<const char *> extensions = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                                            VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                                            VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                            VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, VK_EXT_MULTI_DRAW_EXTENSION_NAME};
    // RADV with LLVM lacks both extensions.
    m_hasLibraries = isOffered(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME) &&
                     isOffered(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME);
    if (m_hasLibraries)
      extensions.insert(extensions.end(),
                        {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                         VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME});
    VkDeviceCreateInfo deviceInfo = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = m_hasLibraries ? static_cast<void *>(&libraries) : &multiDraw,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                     .ppEnabledExtensionNames = extensions.data()};
    DOVETAIL_CHECK_VK(vkCreateDevice(m_physical, &deviceInfo, nullptr, &m_device));
    return {};
  }

  Result<RadvPipeline> takePipeline(const ShaderSet &shaders, const PipelineState &state) override {
    DOVETAIL_CHECK(openRecorder());
    RadvPipeline taken;
    VkPipelineCreateFlags flags =
        VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    DOVETAIL_CHECK(withPipeline(shaders, state, flags, [&](const PipelineMaker &make, const RadvLayout &layout) {
      return withOne(make, [&](VkPipeline pipeline) -> Result<void> {
        taken.registers =
            DOVETAIL_TRY(shaders.shader(lgc::ShaderStage::Compute)
                             ? m_recorder->recordMarkedDispatch(pipeline, layout)
                             : m_recorder->recordMarkedDraw(pipeline, layout, state, capturesVertices(shaders)));
        taken.programs = DOVETAIL_TRY(readPrograms(m_device, pipeline, shaders, taken.registers));
        return {};
      });
    }));
    return taken;
  }

  Result<RecordedDraws> recordPipeline(const ShaderSet &shaders, const PipelineState &state, bool isLinked) override {
    DOVETAIL_CHECK(openRecorder());
    RecordedDraws recorded;
    const VkPipelineCreateFlags flags = isLinked ? 0 : VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
    DOVETAIL_CHECK(withPipeline(shaders, state, flags, [&](const PipelineMaker &make, const RadvLayout &) {
      return withOne(make, [&](VkPipeline pipeline) { return recordDraws(pipeline, shaders, state, recorded); });
    }));
    return recorded;
  }

  Result<void> withStages(const ShaderSet &shaders, const StagesAction &action) override {
    RadvStages stages;
    RadvLayout layout;
    Cleanup cleanup([&] {
      for (const VkPipelineShaderStageCreateInfo &stage : stages)
        vkDestroyShaderModule(m_device, stage.module, nullptr);
      for (VkDescriptorSetLayout setLayout : layout.sets)
        vkDestroyDescriptorSetLayout(m_device, setLayout, nullptr);
      vkDestroyPipelineLayout(m_device, layout.layout, nullptr);
    });
    DOVETAIL_CHECK(makeStages(shaders, stages));
    DOVETAIL_CHECK(makeLayout(shaders, layout));
    return action(stages, layout);
  }

  VkDevice handle() const override { return m_device; }
  bool hasLibraries() const override { return m_hasLibraries; }

private:
  using PipelineMaker = std::function<VkResult(VkPipeline *)>;
  using Action = std::function<Result<void>(const PipelineMaker &, const RadvLayout &)>;

  bool isOffered(std::string_view extension) const {
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(m_physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> offered(count);
    vkEnumerateDeviceExtensionProperties(m_physical, nullptr, &count, offered.data());
    return std::ranges::any_of(
        offered, [&](const VkExtensionProperties &properties) { return properties.extensionName == extension; });
  }

  Result<void> recordDraws(VkPipeline pipeline, const ShaderSet &shaders, const PipelineState &state,
                           RecordedDraws &recorded) {
    if (shaders.shader(lgc::ShaderStage::Compute)) {
      recorded.plain = recorded.withRestart = DOVETAIL_TRY(m_recorder->recordDispatch(pipeline));
      return {};
    }
    const bool xfb = state.transformFeedbackEnable && capturesVertices(shaders);
    recorded.plain = DOVETAIL_TRY(m_recorder->recordDraw(pipeline, state, {xfb, false}));
    recorded.withRestart = DOVETAIL_TRY(m_recorder->recordDraw(pipeline, state, {xfb, true}));
    return {};
  }

  Result<void> openRecorder() {
    if (!m_recorder)
      m_recorder.emplace(DOVETAIL_TRY(RadvRecorder::create(m_physical, m_device)));
    return {};
  }

  // Calls `use` with one pipeline, which is destroyed afterwards.
  Result<void> withOne(const PipelineMaker &make, const std::function<Result<void>(VkPipeline)> &use) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    DOVETAIL_CHECK_VK(make(&pipeline));
    Result<void> used = use(pipeline);
    vkDestroyPipeline(m_device, pipeline, nullptr);
    return used;
  }

  // Calls `action` with a create-info for the pipeline, and with the layout of its shaders.
  Result<void> withPipeline(const ShaderSet &shaders, const PipelineState &state, VkPipelineCreateFlags flags,
                            const Action &action) {
    return withStages(shaders, [&](const RadvStages &stages, const RadvLayout &layout) {
      return shaders.shader(lgc::ShaderStage::Compute) ? withCompute(stages[0], layout, flags, action)
                                                       : withGraphics(stages, layout, state, flags, action);
    });
  }

  Result<void> makeStages(const ShaderSet &shaders, RadvStages &stages) {
    for (const ShaderRef &shader : shaders.shaders) {
      if (!shader)
        continue;
      VkShaderModuleCreateInfo moduleInfo = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = shader->description.words.size() * sizeof(uint32_t),
                                             .pCode = shader->description.words.data()};
      VkShaderModule module;
      DOVETAIL_CHECK_VK(vkCreateShaderModule(m_device, &moduleInfo, nullptr, &module));
      stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                        .stage = stageFlag(shader->description.stage),
                        .module = module,
                        .pName = shader->description.entryPoint.c_str(),
                        .pSpecializationInfo = specialization(*shader)});
    }
    return {};
  }

  // Lives as long as the device; nullptr without specialisation.
  const VkSpecializationInfo *specialization(const Shader &shader) {
    if (shader.description.specConstants.empty())
      return nullptr;
    Specialization &specialization = m_specializations.emplace_back();
    for (const spirv::SpecConstant &constant : shader.description.specConstants) {
      uint32_t bits = 32;
      for (const spirv::SpecConstantInfo &info : shader.reflection.specConstants)
        if (info.id == constant.id)
          bits = info.bits;
      specialization.entries.push_back({.constantID = constant.id,
                                        .offset = static_cast<uint32_t>(specialization.values.size() * 8),
                                        .size = bits == 1 ? sizeof(VkBool32) : bits / 8});
      specialization.values.push_back(constant.value);
    }
    specialization.info = {.mapEntryCount = static_cast<uint32_t>(specialization.entries.size()),
                           .pMapEntries = specialization.entries.data(),
                           .dataSize = specialization.values.size() * 8,
                           .pData = specialization.values.data()};
    return &specialization.info;
  }

  Result<void> makeLayout(const ShaderSet &shaders, RadvLayout &layout) {
    std::map<uint32_t, std::map<uint32_t, VkDescriptorSetLayoutBinding>> sets;
    uint32_t pushConstantBytes = 0;
    for (const ShaderRef &shader : shaders.shaders) {
      if (!shader)
        continue;
      pushConstantBytes = std::max(pushConstantBytes, shader->reflection.pushConstantBytes);
      for (const spirv::DescriptorBinding &binding : shader->reflection.descriptors)
        sets[binding.set][binding.binding] = {.binding = binding.binding,
                                              .descriptorType = descriptorType(binding.kind),
                                              .descriptorCount =
                                                  binding.arraySize ? binding.arraySize : RuntimeArrayElements,
                                              .stageFlags = VK_SHADER_STAGE_ALL};
    }
    uint32_t setCount = sets.empty() ? 0 : sets.rbegin()->first + 1;
    for (uint32_t set = 0; set < setCount; ++set) {
      std::vector<VkDescriptorSetLayoutBinding> bindings;
      for (const auto &[number, binding] : sets[set])
        bindings.push_back(binding);
      VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                              .bindingCount = static_cast<uint32_t>(bindings.size()),
                                              .pBindings = bindings.data()};
      VkDescriptorSetLayout setLayout;
      DOVETAIL_CHECK_VK(vkCreateDescriptorSetLayout(m_device, &info, nullptr, &setLayout));
      layout.sets.push_back(setLayout);
    }
    layout.pushConstantBytes = (pushConstantBytes + 3) & ~3u;
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_ALL, .offset = 0, .size = layout.pushConstantBytes};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = setCount,
                                       .pSetLayouts = layout.sets.data(),
                                       .pushConstantRangeCount = pushConstantBytes ? 1u : 0u,
                                       .pPushConstantRanges = &range};
    DOVETAIL_CHECK_VK(vkCreatePipelineLayout(m_device, &info, nullptr, &layout.layout));
    return {};
  }

  Result<void> withCompute(const VkPipelineShaderStageCreateInfo &stage, const RadvLayout &layout,
                           VkPipelineCreateFlags flags, const Action &action) {
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .flags = flags,
                                        .stage = stage,
                                        .layout = layout.layout,
                                        .basePipelineIndex = -1};
    return action(
        [&](VkPipeline *pipeline) {
          return vkCreateComputePipelines(m_device, VK_NULL_HANDLE, 1, &info, nullptr, pipeline);
        },
        layout);
  }

  Result<void> withGraphics(const RadvStages &stages, const RadvLayout &layout, const PipelineState &state,
                            VkPipelineCreateFlags flags, const Action &action) {
    const GraphicsInfo graphics(state);
    VkGraphicsPipelineCreateInfo info = graphics.wholePipeline(stages, layout.layout);
    info.flags = flags;
    return action(
        [&](VkPipeline *pipeline) {
          return vkCreateGraphicsPipelines(m_device, VK_NULL_HANDLE, 1, &info, nullptr, pipeline);
        },
        layout);
  }

  struct Specialization {
    std::vector<VkSpecializationMapEntry> entries;
    std::vector<uint64_t> values;
    VkSpecializationInfo info;
  };
  std::deque<Specialization> m_specializations;
  VkInstance m_instance = VK_NULL_HANDLE;
  VkPhysicalDevice m_physical = VK_NULL_HANDLE;
  VkDevice m_device = VK_NULL_HANDLE;
  bool m_hasLibraries = false;
  std::optional<RadvRecorder> m_recorder; // made when something is first recorded
};

} // namespace

void selectRadv(RadvBackend backend, const std::string &family, const std::string &cacheFolder) {
  const bool hasCache = !cacheFolder.empty();
  setenv("RADV_FORCE_FAMILY", family.c_str(), 1);
  const char *other = std::getenv("DOVETAIL_RADV_DRIVER");
  setenv("VK_ICD_FILENAMES", other ? other : RadvDriver, 1);
  // Turns on pipeline libraries, which are off by default. With them, RADV caches no pipelines.
  setenv("RADV_PERFTEST", hasCache ? "" : "gpl", 1);
  const std::string backEnd = backend == RadvBackend::Llvm ? "llvm" : "";
  setenv("RADV_DEBUG", (backEnd + (hasCache ? "" : ",nocache")).c_str(), 1);
  if (hasCache) {
    setenv("MESA_SHADER_CACHE_DIR", cacheFolder.c_str(), 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "false", 1);
  }
}

Result<std::unique_ptr<RadvDevice>> RadvDevice::create() {
  auto device = std::make_unique<Device>();
  DOVETAIL_CHECK(device->open());
  return std::unique_ptr<RadvDevice>(std::move(device));
}

} // namespace dovetail
