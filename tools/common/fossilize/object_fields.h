// SPDX-License-Identifier: MIT
//
// Lists the members of each object by their JSON names: Vulkan's names without the p of pointers. Readers and writers
// are made from these lists. A member's type decides how it is read and written. Vulkan has no bool members, so a bool
// stays out of JSON. (Shader modules are written in their own way.)
#pragma once

#include "src/base/fields.h"
#include "tools/common/fossilize/objects.h"

namespace dovetail::fossilize {

template <typename T> constexpr bool IsVector = false;
template <typename T> constexpr bool IsVector<std::vector<T>> = true;

DOVETAIL_FIELDS(CustomBorderColor, customBorderColor, format)
DOVETAIL_FIELDS(ReductionMode, reductionMode)
DOVETAIL_FIELDS(SamplerYcbcrConversion, format, ycbcrModel, ycbcrRange, components, xChromaOffset, yChromaOffset,
                chromaFilter, forceExplicitReconstruction)
DOVETAIL_FIELDS(Sampler, flags, minFilter, magFilter, maxAnisotropy, compareOp, anisotropyEnable, mipmapMode,
                addressModeU, addressModeV, addressModeW, borderColor, unnormalizedCoordinates, compareEnable,
                mipLodBias, minLod, maxLod, customBorderColor, reductionMode, ycbcrConversion)
DOVETAIL_FIELDS(LayoutBinding, descriptorType, descriptorCount, stageFlags, binding, immutableSamplers)
DOVETAIL_FIELDS(BindingFlags, bindingFlags)
DOVETAIL_FIELDS(MutableDescriptorTypes, mutableDescriptorTypeLists)
DOVETAIL_FIELDS(DescriptorSetLayout, flags, bindings, bindingFlags, mutableTypes)
DOVETAIL_FIELDS(PushConstantRange, stageFlags, size, offset)
DOVETAIL_FIELDS(PipelineLayout, flags, pushConstantRanges, setLayouts)
DOVETAIL_FIELDS(AttachmentReference, attachment, layout, aspectMask)
DOVETAIL_FIELDS(AttachmentDescription, flags, format, finalLayout, initialLayout, loadOp, storeOp, samples,
                stencilLoadOp, stencilStoreOp)
DOVETAIL_FIELDS(Subpass, flags, pipelineBindPoint, viewMask, preserveAttachments, inputAttachments, colorAttachments,
                resolveAttachments, depthStencilAttachment)
DOVETAIL_FIELDS(SubpassDependency, dependencyFlags, dstAccessMask, srcAccessMask, dstStageMask, srcStageMask,
                dstSubpass, srcSubpass, viewOffset)
DOVETAIL_FIELDS(Multiview, viewMasks, correlationMasks, viewOffsets)
DOVETAIL_FIELDS(RenderPass, isVersion2, flags, correlatedViewMasks, dependencies, attachments, subpasses, multiview)
DOVETAIL_FIELDS(MapEntry, offset, size, constantID)
DOVETAIL_FIELDS(SpecializationInfo, data, mapEntries)
DOVETAIL_FIELDS(RequiredSubgroupSize, requiredSubgroupSize)
DOVETAIL_FIELDS(ShaderStage, flags, name, module, stage, specializationInfo, requiredSubgroupSize)
DOVETAIL_FIELDS(CreateFlags2, flags)
DOVETAIL_FIELDS(DomainOrigin, domainOrigin)
DOVETAIL_FIELDS(TessellationState, flags, patchControlPoints, domainOrigin)
DOVETAIL_FIELDS(DynamicStates, flags, dynamicState)
DOVETAIL_FIELDS(SampleLocation, x, y)
DOVETAIL_FIELDS(Extent, width, height)
DOVETAIL_FIELDS(SampleLocationsInfo, sType, sampleLocationsPerPixel, sampleLocationGridSize, sampleLocations)
DOVETAIL_FIELDS(SampleLocations, sampleLocationsEnable, sampleLocationsInfo)
DOVETAIL_FIELDS(MultisampleState, flags, rasterizationSamples, sampleShadingEnable, minSampleShading, alphaToOneEnable,
                alphaToCoverageEnable, sampleMask, sampleLocations)
DOVETAIL_FIELDS(VertexInputAttribute, location, binding, offset, format)
DOVETAIL_FIELDS(VertexInputBinding, binding, stride, inputRate)
DOVETAIL_FIELDS(BindingDivisor, binding, divisor)
DOVETAIL_FIELDS(VertexDivisors, vertexBindingDivisorCount, vertexBindingDivisors)
DOVETAIL_FIELDS(VertexInputState, flags, attributes, bindings, divisors)
DOVETAIL_FIELDS(DepthClip, flags, depthClipEnable)
DOVETAIL_FIELDS(RasterizationStream, flags, rasterizationStream)
DOVETAIL_FIELDS(ConservativeRasterization, flags, conservativeRasterizationMode, extraPrimitiveOverestimationSize)
DOVETAIL_FIELDS(LineRasterization, lineRasterizationMode, stippledLineEnable, lineStippleFactor, lineStipplePattern)
DOVETAIL_FIELDS(ProvokingVertex, provokingVertexMode)
DOVETAIL_FIELDS(RasterizationState, flags, depthBiasConstantFactor, depthBiasSlopeFactor, depthBiasClamp,
                depthBiasEnable, depthClampEnable, polygonMode, rasterizerDiscardEnable, frontFace, lineWidth, cullMode,
                depthClip, stream, conservative, line, provokingVertex)
DOVETAIL_FIELDS(InputAssemblyState, flags, topology, primitiveRestartEnable)
DOVETAIL_FIELDS(BlendAttachment, dstAlphaBlendFactor, srcAlphaBlendFactor, dstColorBlendFactor, srcColorBlendFactor,
                colorWriteMask, alphaBlendOp, colorBlendOp, blendEnable)
DOVETAIL_FIELDS(ColorWrite, attachmentCount, colorWriteEnables)
DOVETAIL_FIELDS(ColorBlendState, flags, logicOp, logicOpEnable, blendConstants, attachments, colorWrite)
DOVETAIL_FIELDS(Viewport, x, y, width, height, minDepth, maxDepth)
DOVETAIL_FIELDS(Scissor, x, y, width, height)
DOVETAIL_FIELDS(DepthClipControl, negativeOneToOne)
DOVETAIL_FIELDS(ViewportState, flags, viewportCount, scissorCount, viewports, scissors, depthClipControl)
DOVETAIL_FIELDS(StencilOp, compareOp, writeMask, reference, compareMask, passOp, failOp, depthFailOp)
DOVETAIL_FIELDS(DepthStencilState, flags, stencilTestEnable, maxDepthBounds, minDepthBounds, depthBoundsTestEnable,
                depthWriteEnable, depthTestEnable, depthCompareOp, front, back)
DOVETAIL_FIELDS(Rendering, depthAttachmentFormat, stencilAttachmentFormat, viewMask, colorAttachmentFormats)
DOVETAIL_FIELDS(AttachmentLocations, colorAttachmentCount, colorAttachmentLocations)
DOVETAIL_FIELDS(LibraryPieces, flags)
DOVETAIL_FIELDS(LinkedLibraries, libraries)
DOVETAIL_FIELDS(GraphicsPipeline, flags, basePipelineHandle, basePipelineIndex, layout, renderPass, subpass,
                tessellationState, dynamicState, multisampleState, vertexInputState, rasterizationState,
                inputAssemblyState, colorBlendState, viewportState, depthStencilState, stages, rendering,
                attachmentLocations, libraryPieces, libraries, flags2)
DOVETAIL_FIELDS(ComputePipeline, flags, layout, basePipelineHandle, basePipelineIndex, stage, flags2)

} // namespace dovetail::fossilize
