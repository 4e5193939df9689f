// SPDX-License-Identifier: MIT
//
// A capability that is not in the list gives an Error before anything is translated. One that is may still bring an
// instruction that is not supported; that instruction then gives the Error.
#include "src/spirv/module/capabilities.h"
#include "src/spirv/module/names.h"

namespace dovetail::spirv {

namespace {

bool isSupported(spv::Capability capability) {
  switch (capability) {
  case spv::Capability::Matrix:
  case spv::Capability::Shader:
  case spv::Capability::Geometry:
  case spv::Capability::Tessellation:
  case spv::Capability::GeometryStreams:
  case spv::Capability::TransformFeedback:
  case spv::Capability::Float16:
  case spv::Capability::Float64:
  case spv::Capability::Int8:
  case spv::Capability::Int16:
  case spv::Capability::Int64:
  case spv::Capability::Int64Atomics:
  case spv::Capability::AtomicFloat32AddEXT:
  case spv::Capability::AtomicFloat32MinMaxEXT:
  case spv::Capability::TessellationPointSize:
  case spv::Capability::GeometryPointSize:
  case spv::Capability::ImageGatherExtended:
  case spv::Capability::StorageImageMultisample:
  case spv::Capability::UniformBufferArrayDynamicIndexing:
  case spv::Capability::SampledImageArrayDynamicIndexing:
  case spv::Capability::StorageBufferArrayDynamicIndexing:
  case spv::Capability::StorageImageArrayDynamicIndexing:
  case spv::Capability::ClipDistance:
  case spv::Capability::CullDistance:
  case spv::Capability::ImageCubeArray:
  case spv::Capability::SampleRateShading:
  case spv::Capability::InputAttachment:
  case spv::Capability::MinLod:
  case spv::Capability::Sampled1D:
  case spv::Capability::Image1D:
  case spv::Capability::SampledCubeArray:
  case spv::Capability::SampledBuffer:
  case spv::Capability::ImageBuffer:
  case spv::Capability::ImageMSArray:
  case spv::Capability::StorageImageExtendedFormats:
  case spv::Capability::ImageQuery:
  case spv::Capability::DerivativeControl:
  case spv::Capability::InterpolationFunction:
  case spv::Capability::StorageImageReadWithoutFormat:
  case spv::Capability::StorageImageWriteWithoutFormat:
  case spv::Capability::MultiViewport:
  case spv::Capability::GroupNonUniform:
  case spv::Capability::GroupNonUniformVote:
  case spv::Capability::GroupNonUniformArithmetic:
  case spv::Capability::GroupNonUniformBallot:
  case spv::Capability::GroupNonUniformShuffle:
  case spv::Capability::GroupNonUniformShuffleRelative:
  case spv::Capability::GroupNonUniformClustered:
  case spv::Capability::GroupNonUniformQuad:
  case spv::Capability::SubgroupBallotKHR:
  case spv::Capability::SubgroupVoteKHR:
  case spv::Capability::ShaderLayer:
  case spv::Capability::ShaderViewportIndex:
  case spv::Capability::ShaderViewportIndexLayerEXT:
  case spv::Capability::DrawParameters:
  case spv::Capability::StorageBuffer16BitAccess:
  case spv::Capability::UniformAndStorageBuffer16BitAccess:
  case spv::Capability::StoragePushConstant16:
  case spv::Capability::StorageInputOutput16:
  case spv::Capability::StorageBuffer8BitAccess:
  case spv::Capability::UniformAndStorageBuffer8BitAccess:
  case spv::Capability::StoragePushConstant8:
  case spv::Capability::DeviceGroup:
  case spv::Capability::MultiView:
  case spv::Capability::VariablePointers:
  case spv::Capability::VariablePointersStorageBuffer:
  case spv::Capability::StencilExportEXT:
  case spv::Capability::ShaderClockKHR:
  case spv::Capability::ShaderNonUniform:
  case spv::Capability::RuntimeDescriptorArray:
  case spv::Capability::InputAttachmentArrayDynamicIndexing:
  case spv::Capability::UniformTexelBufferArrayDynamicIndexing:
  case spv::Capability::StorageTexelBufferArrayDynamicIndexing:
  case spv::Capability::UniformBufferArrayNonUniformIndexing:
  case spv::Capability::SampledImageArrayNonUniformIndexing:
  case spv::Capability::StorageBufferArrayNonUniformIndexing:
  case spv::Capability::StorageImageArrayNonUniformIndexing:
  case spv::Capability::InputAttachmentArrayNonUniformIndexing:
  case spv::Capability::UniformTexelBufferArrayNonUniformIndexing:
  case spv::Capability::StorageTexelBufferArrayNonUniformIndexing:
  case spv::Capability::PhysicalStorageBufferAddresses:
  case spv::Capability::VulkanMemoryModel:
  case spv::Capability::VulkanMemoryModelDeviceScope:
  case spv::Capability::DenormPreserve:
  case spv::Capability::DenormFlushToZero:
  case spv::Capability::SignedZeroInfNanPreserve:
  case spv::Capability::RoundingModeRTE:
  case spv::Capability::RoundingModeRTZ:
  case spv::Capability::DemoteToHelperInvocationEXT:
    return true;
  default:
    return false;
  }
}

// Why what is not supported never will be on these GPUs; empty if there is no such reason.
std::string_view missingInHardware(spv::Capability capability) {
  switch (capability) {
  case spv::Capability::SampleMaskPostDepthCoverage:
    // DB_SHADER_CONTROL.PRE_SHADER_DEPTH_COVERAGE_ENABLE (RADV: radv_compute_db_shader_control) is GFX10's; RADV has
    // VK_EXT_post_depth_coverage from there on (radv_device.c, radv_physical_device_get_supported_extensions).
    return " (the hardware has it from GFX10 on)";
  default:
    return {};
  }
}

} // namespace

Result<void> checkModule(const Module &module) {
  for (const Instruction &inst : module.capabilities) {
    spv::Capability capability = static_cast<spv::Capability>(inst.operand(0));
    if (!isSupported(capability))
      return makeError(ErrorCode::Unsupported, "OpCapability at word {}: capability {} is not supported{}",
                       inst.wordOffset, nameOf(capability), missingInHardware(capability));
  }
  if (module.addressingModel != spv::AddressingModel::Logical &&
      module.addressingModel != spv::AddressingModel::PhysicalStorageBuffer64)
    return makeError(ErrorCode::Unsupported, "OpMemoryModel: addressing model {} is not supported",
                     static_cast<uint32_t>(module.addressingModel));
  return {};
}

} // namespace dovetail::spirv
