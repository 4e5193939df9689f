// SPDX-License-Identifier: MIT
#include "tests/spirv/capability_shaders.h"

namespace dovetail::test {

namespace {

using lgc::ShaderStage;
using Shaders = std::vector<CapabilityShader>;

std::string head(const std::string &extensions) {
  std::string text = "#version 460\n";
  for (size_t begin = 0, end; begin < extensions.size(); begin = end + 1) {
    end = std::min(extensions.find(' ', begin), extensions.size());
    text += "#extension " + extensions.substr(begin, end - begin) + " : require\n";
  }
  return text;
}

// `extensions` are names with spaces between them.
CapabilityShader compute(const std::string &body, const std::string &extensions = "",
                         const std::string &declarations = "") {
  return {ShaderStage::Compute, head(extensions) +
                                    "layout(local_size_x = 64) in;\n"
                                    "layout(std430, binding = 0) buffer Data { uint data[]; };\n" +
                                    declarations + "\nvoid main() { uint i = gl_LocalInvocationIndex; " + body + " }"};
}
CapabilityShader fragment(const std::string &body = "target = v;", const std::string &extensions = "",
                          const std::string &declarations = "") {
  return {ShaderStage::Fragment, head(extensions) +
                                     "layout(location = 0) in vec4 v;\nlayout(location = 0) out vec4 target;\n" +
                                     declarations + "\nvoid main() { " + body + " }"};
}
CapabilityShader vertex(const std::string &body = "", const std::string &extensions = "",
                        const std::string &declarations = "") {
  return {ShaderStage::Vertex, head(extensions) +
                                   "layout(location = 0) in vec4 p;\nlayout(location = 0) out vec4 v;\n" +
                                   declarations + "\nvoid main() { gl_Position = p; v = p; " + body + " }"};
}
Shaders geometry(const std::string &body, const std::string &declarations = "") {
  return {vertex(),
          {ShaderStage::Geometry, "#version 460\nlayout(points) in; layout(points, max_vertices = 4) out;\n"
                                  "layout(location = 0) in vec4 w[];\n" +
                                      declarations + "void main() { gl_Position = w[0]; " + body + " }"}};
}
Shaders tessellation(const std::string &body) {
  return {vertex(),
          {ShaderStage::TessControl, "#version 460\nlayout(vertices = 3) out;\nlayout(location = 0) in vec4 w[];\n"
                                     "layout(location = 0) out vec4 o[];\n"
                                     "void main() { o[gl_InvocationID] = w[gl_InvocationID];"
                                     "  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;"
                                     "  gl_TessLevelInner[0] = 2.0; }"},
          {ShaderStage::TessEval, "#version 460\nlayout(triangles, point_mode) in;\nlayout(location = 0) in vec4 w[];\n"
                                  "void main() { gl_Position = w[0] * gl_TessCoord.x; " +
                                      body + " }"}};
}

CapabilityShader openGl(CapabilityShader shader) {
  shader.environment = spirv::Environment::OpenGl;
  return shader;
}

// A compute shader with an execution mode of SPV_KHR_float_controls.
CapabilityShader floatControl(unsigned capability, unsigned mode) {
  return compute("float f = uintBitsToFloat(data[i]); data[i] = floatBitsToUint(f * f);", "GL_EXT_spirv_intrinsics",
                 "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [" +
                     std::to_string(capability) + "], " + std::to_string(mode) + ", 32);\n");
}

CapabilityShader descriptorIndexing(const std::string &declarations, const std::string &body) {
  return compute("uint k = data[i] & 3u; " + body, "GL_EXT_nonuniform_qualifier", declarations);
}

// Selects a pointer into a storage buffer, or into shared memory.
std::string variablePointers(const std::string &capability, const std::string &storage) {
  const bool isShared = storage == "Workgroup";
  return "OpCapability Shader\nOpCapability " + capability +
         "\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n"
         "OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn LocalInvocationIndex\n"
         "OpDecorate %array ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
         "OpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n"
         "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n"
         "%one = OpConstant %uint 1\n%n = OpConstant %uint 64\n%array = OpTypeRuntimeArray %uint\n"
         "%block = OpTypeStruct %array\n%ptr_block = OpTypePointer StorageBuffer %block\n"
         "%data = OpVariable %ptr_block StorageBuffer\n%ptr_id = OpTypePointer Input %uint\n"
         "%id = OpVariable %ptr_id Input\n%ptr_data = OpTypePointer StorageBuffer %uint\n"
         "%numbers = OpTypeArray %uint %n\n%ptr_numbers = OpTypePointer Workgroup %numbers\n"
         "%ptr_shared = OpTypePointer Workgroup %uint\n%shared = OpVariable %ptr_numbers Workgroup\n"
         "%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
         "%i = OpLoad %uint %id\n%odd = OpBitwiseAnd %uint %i %one\n%is_odd = OpIEqual %bool %odd %one\n" +
         (isShared ? "%a = OpAccessChain %ptr_shared %shared %i\n%b = OpAccessChain %ptr_shared %shared %odd\n"
                     "OpStore %a %i\n%chosen = OpSelect %ptr_shared %is_odd %a %b\n"
                   : "%a = OpAccessChain %ptr_data %data %zero %i\n%b = OpAccessChain %ptr_data %data %zero %odd\n"
                     "%chosen = OpSelect %ptr_data %is_odd %a %b\n") +
         "%value = OpLoad %uint %chosen\n%out = OpAccessChain %ptr_data %data %zero %i\nOpStore %out %value\n"
         "OpReturn\nOpFunctionEnd\n";
}

CapabilityShader interlock(const std::string &mode) {
  return fragment("beginInvocationInterlockARB(); data[uint(gl_FragCoord.y) & 3u] += v; target = v;"
                  "endInvocationInterlockARB();",
                  "GL_ARB_fragment_shader_interlock",
                  "layout(" + mode + ") in; layout(binding = 0) coherent buffer Data { vec4 data[4]; };");
}

std::vector<CapabilityProgram> makePrograms() {
  const std::string int8 = "GL_EXT_shader_explicit_arithmetic_types_int8";
  const std::string int16 = "GL_EXT_shader_explicit_arithmetic_types_int16";
  const std::string int64 = "GL_EXT_shader_explicit_arithmetic_types_int64";
  const std::string float16 = "GL_EXT_shader_explicit_arithmetic_types_float16";
  const std::string sampled = "layout(binding = 1) uniform sampler2D image;\n";
  const std::string memoryModel = "#pragma use_vulkan_memory_model\n";
  auto bits = [](const std::string &place, const std::string &type) {
    return compute("data[i] = uint(small[i & 3u]);",
                   "GL_EXT_shader_8bit_storage GL_EXT_shader_16bit_storage GL_EXT_scalar_block_layout",
                   "layout(" + place + " Small { " + type + " small[4]; };");
  };
  auto sharedBlock = [](const std::string &type) {
    return compute("a[i] = " + type + "(i); barrier(); data[i] = uint(b[63u - i]);",
                   "GL_EXT_shared_memory_block GL_EXT_shader_explicit_arithmetic_types_int8 "
                   "GL_EXT_shader_explicit_arithmetic_types_int16",
                   "shared A { " + type + " a[64]; }; shared B { " + type + " b[64]; };");
  };
  auto group = [](const std::string &extension, const std::string &value) {
    return compute("data[i] = uint(" + value + ");", "GL_KHR_shader_subgroup_" + extension);
  };
  auto dot = [&](const std::string &capabilities, const std::string &parameters, const std::string &call) {
    return compute("data[i] = uint(dot8(" + call + "));", "GL_EXT_spirv_intrinsics " + int8,
                   "spirv_instruction(extensions = [\"SPV_KHR_integer_dot_product\"], capabilities = [" + capabilities +
                       "], id = 4450) int dot8(" + parameters + ");");
  };
  return {
      {"Matrix", {fragment("target = mat4(v, v, v, v) * v;")}, true},
      {"Shader", {fragment()}},
      {"Geometry", geometry("EmitVertex();")},
      {"Tessellation", tessellation("")},
      {"Float16", {compute("float16_t h = float16_t(data[i]); data[i] = uint(h * h);", float16)}},
      {"Float64", {compute("double d = double(data[i]); data[i] = uint(d * d);")}},
      {"Int64", {compute("uint64_t l = uint64_t(data[i]); data[i] = uint(l * l >> 32);", int64)}},
      {"Int64Atomics",
       {compute("atomicAdd(l, uint64_t(i));", int64 + " GL_EXT_shader_atomic_int64",
                "layout(binding = 1) buffer Long { uint64_t l; };")}},
      {"Int16", {compute("uint16_t s = uint16_t(data[i]); data[i] = uint(s * s);", int16)}},
      {"TessellationPointSize", tessellation("gl_PointSize = 2.0;")},
      {"GeometryPointSize", geometry("gl_PointSize = 2.0; EmitVertex();")},
      {"ImageGatherExtended", {fragment("target = textureGatherOffset(image, v.xy, ivec2(v.zw));", "", sampled)}},
      {"StorageImageMultisample",
       {fragment("imageStore(samples, ivec2(v.xy), 1, v); target = v;", "",
                 "layout(binding = 1, rgba8) uniform image2DMS samples;")}},
      {"UniformBufferArrayDynamicIndexing",
       {compute("data[i] = u[data[0]].value;", "", "layout(binding = 1) uniform U { uint value; } u[4];")},
       true},
      {"SampledImageArrayDynamicIndexing",
       {compute("data[i] = uint(texelFetch(t[data[0]], ivec2(i), 0).x);", "",
                "layout(binding = 1) uniform sampler2D t[4];")},
       true},
      {"StorageBufferArrayDynamicIndexing",
       {compute("data[i] = u[data[0]].value;", "", "layout(binding = 1) buffer U { uint value; } u[4];")},
       true},
      {"StorageImageArrayDynamicIndexing",
       {compute("imageStore(t[data[0]], ivec2(i), vec4(1));", "", "layout(binding = 1, rgba8) uniform image2D t[4];")},
       true},
      {"ClipDistance", {vertex("gl_ClipDistance[0] = p.x;")}},
      {"CullDistance", {vertex("gl_CullDistance[0] = p.x;")}},
      {"ImageCubeArray",
       {compute("imageStore(cubes, ivec3(i), vec4(1));", "",
                "layout(binding = 1, rgba8) uniform imageCubeArray cubes;")}},
      {"SampleRateShading", {fragment("target = v * float(gl_SampleID);")}},
      {"Int8", {compute("uint8_t s = uint8_t(data[i]); data[i] = uint(s * s);", int8)}},
      {"InputAttachment",
       {fragment("target = subpassLoad(attachment);", "",
                 "layout(input_attachment_index = 0, binding = 1) uniform subpassInput attachment;")}},
      {"SparseResidency",
       {fragment("vec4 a, b; int code = sparseTextureARB(image, v.xy, a) | sparseTextureGatherARB(image, v.xy, b, 1);"
                 "target = sparseTexelsResidentARB(code) ? a : b;",
                 "GL_ARB_sparse_texture2", sampled)}},
      {"MinLod", {fragment("target = textureClampARB(image, v.xy, v.z);", "GL_ARB_sparse_texture_clamp", sampled)}},
      {"Sampled1D", {fragment("target = texture(line, v.x);", "", "layout(binding = 1) uniform sampler1D line;")}},
      {"Image1D",
       {compute("imageStore(line, int(i), vec4(1));", "", "layout(binding = 1, rgba8) uniform image1D line;")}},
      {"SampledCubeArray",
       {fragment("target = texture(cubes, v);", "", "layout(binding = 1) uniform samplerCubeArray cubes;")}},
      {"SampledBuffer",
       {compute("data[i] = uint(texelFetch(texels, int(i)).x);", "",
                "layout(binding = 1) uniform samplerBuffer texels;")}},
      {"ImageBuffer",
       {compute("imageStore(texels, int(i), vec4(1));", "", "layout(binding = 1, rgba8) uniform imageBuffer texels;")}},
      {"ImageMSArray",
       {compute("imageStore(samples, ivec3(i), 1, vec4(1));", "",
                "layout(binding = 1, rgba8) uniform image2DMSArray samples;")}},
      {"StorageImageExtendedFormats",
       {compute("imageStore(image, ivec2(i), vec4(1));", "", "layout(binding = 1, rg16f) uniform image2D image;")}},
      {"ImageQuery", {compute("data[i] = uint(textureSize(image, 0).x);", "", sampled)}},
      {"DerivativeControl", {fragment("target = dFdxFine(v);")}},
      {"InterpolationFunction", {fragment("target = interpolateAtCentroid(v);")}},
      {"TransformFeedback",
       {vertex("w = p;", "", "layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 w;")}},
      {"GeometryStreams", geometry("o = w[0]; EmitStreamVertex(1);", "layout(stream = 1, location = 1) out vec4 o;")},
      {"StorageImageReadWithoutFormat",
       {compute("data[i] = uint(imageLoad(image, ivec2(i)).x);", "GL_EXT_shader_image_load_formatted",
                "layout(binding = 1) uniform image2D image;")}},
      {"StorageImageWriteWithoutFormat",
       {compute("imageStore(image, ivec2(i), vec4(1));", "", "layout(binding = 1) writeonly uniform image2D image;")}},
      {"MultiViewport", geometry("gl_ViewportIndex = 1; EmitVertex();")},

      {"GroupNonUniform", {group("basic", "subgroupElect()")}},
      {"GroupNonUniformVote", {group("vote", "subgroupAny(data[i] != 0u)")}},
      {"GroupNonUniformArithmetic", {group("arithmetic", "subgroupAdd(data[i])")}},
      {"GroupNonUniformBallot", {group("ballot", "subgroupBallot(data[i] != 0u).x")}},
      {"GroupNonUniformShuffle", {group("shuffle", "subgroupShuffle(data[i], data[i])")}},
      {"GroupNonUniformShuffleRelative", {group("shuffle_relative", "subgroupShuffleUp(data[i], 1u)")}},
      {"GroupNonUniformClustered", {group("clustered", "subgroupClusteredAdd(data[i], 4u)")}},
      {"GroupNonUniformQuad", {group("quad", "subgroupQuadSwapVertical(data[i])")}},
      {"DrawParameters", {vertex("v.x = float(gl_BaseVertex + gl_DrawID);")}},
      {"StorageBuffer16BitAccess", {bits("binding = 1, scalar) buffer", "int16_t")}},
      {"UniformAndStorageBuffer16BitAccess", {bits("binding = 1, scalar) uniform", "int16_t")}},
      {"StoragePushConstant16", {bits("push_constant, scalar) uniform", "int16_t")}},
      {"StorageInputOutput16",
       {fragment("target = vec4(h);", float16 + " GL_EXT_shader_16bit_storage", "layout(location = 1) in f16vec4 h;")}},
      {"DeviceGroup", {compute("data[i] = uint(gl_DeviceIndex);", "GL_EXT_device_group")}},
      {"MultiView", {vertex("v.x = float(gl_ViewIndex);", "GL_EXT_multiview")}},
      {"VariablePointersStorageBuffer",
       {{ShaderStage::Compute, variablePointers("VariablePointersStorageBuffer", "StorageBuffer")}}},
      {"VariablePointers", {{ShaderStage::Compute, variablePointers("VariablePointers", "Workgroup")}}},

      {"ShaderLayer", {vertex("gl_Layer = 1;", "GL_ARB_shader_viewport_layer_array")}},
      {"ShaderViewportIndex", {vertex("gl_ViewportIndex = 1;", "GL_ARB_shader_viewport_layer_array")}},
      {"StorageBuffer8BitAccess", {bits("binding = 1, scalar) buffer", "int8_t")}},
      {"UniformAndStorageBuffer8BitAccess", {bits("binding = 1, scalar) uniform", "int8_t")}},
      {"StoragePushConstant8", {bits("push_constant, scalar) uniform", "int8_t")}},
      {"DenormPreserve", {floatControl(4464, 4459)}},
      {"DenormFlushToZero", {floatControl(4465, 4460)}},
      {"SignedZeroInfNanPreserve", {floatControl(4466, 4461)}},
      {"RoundingModeRTE", {floatControl(4467, 4462)}},
      {"RoundingModeRTZ", {floatControl(4468, 4463)}},
      {"ShaderNonUniform",
       {descriptorIndexing("layout(binding = 1) buffer U { uint value; } u[4];",
                           "data[i] = u[nonuniformEXT(k)].value;")}},
      {"RuntimeDescriptorArray",
       {descriptorIndexing("layout(binding = 1) uniform sampler2D t[];",
                           "data[i] = uint(texelFetch(t[data[0]], ivec2(i), 0).x);")}},
      {"InputAttachmentArrayDynamicIndexing",
       {fragment("target = subpassLoad(a[int(gl_FragCoord.x) & 1]);", "GL_EXT_nonuniform_qualifier",
                 "layout(input_attachment_index = 0, binding = 1) uniform subpassInput a[2];")}},
      {"UniformTexelBufferArrayDynamicIndexing",
       {descriptorIndexing("layout(binding = 1) uniform samplerBuffer t[4];",
                           "data[i] = uint(texelFetch(t[data[0]], int(i)).x);")}},
      {"StorageTexelBufferArrayDynamicIndexing",
       {descriptorIndexing("layout(binding = 1, rgba8) uniform imageBuffer t[4];",
                           "imageStore(t[data[0]], int(i), vec4(1));")}},
      {"UniformBufferArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1) uniform U { uint value; } u[4];",
                           "data[i] = u[nonuniformEXT(k)].value;")}},
      {"SampledImageArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1) uniform sampler2D t[4];",
                           "data[i] = uint(texelFetch(t[nonuniformEXT(k)], ivec2(i), 0).x);")}},
      {"StorageBufferArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1) buffer U { uint value; } u[4];",
                           "data[i] = u[nonuniformEXT(k)].value;")}},
      {"StorageImageArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1, rgba8) uniform image2D t[4];",
                           "imageStore(t[nonuniformEXT(k)], ivec2(i), vec4(1));")}},
      {"InputAttachmentArrayNonUniformIndexing",
       {fragment("target = subpassLoad(a[nonuniformEXT(int(v.x) & 1)]);", "GL_EXT_nonuniform_qualifier",
                 "layout(input_attachment_index = 0, binding = 1) uniform subpassInput a[2];")}},
      {"UniformTexelBufferArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1) uniform samplerBuffer t[4];",
                           "data[i] = uint(texelFetch(t[nonuniformEXT(k)], int(i)).x);")}},
      {"StorageTexelBufferArrayNonUniformIndexing",
       {descriptorIndexing("layout(binding = 1, rgba8) uniform imageBuffer t[4];",
                           "imageStore(t[nonuniformEXT(k)], int(i), vec4(1));")}},
      {"VulkanMemoryModel", {compute("data[i] += 1u;", "GL_KHR_memory_scope_semantics", memoryModel)}},
      {"VulkanMemoryModelDeviceScope",
       {compute("atomicAdd(data[i], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);",
                "GL_KHR_memory_scope_semantics", memoryModel)}},
      {"PhysicalStorageBufferAddresses",
       {compute("data[i] = next.value;", "GL_EXT_buffer_reference",
                "layout(buffer_reference, std430) buffer Node { uint value; };\n"
                "layout(push_constant) uniform Push { Node next; };")}},

      {"DemoteToHelperInvocation",
       {fragment("if (v.x < 0.5) demote; target = helperInvocationEXT() ? dFdx(v) : v;",
                 "GL_EXT_demote_to_helper_invocation")}},
      {"FragmentShaderSampleInterlockEXT", {interlock("sample_interlock_ordered")}, false, "", true},
      {"FragmentShaderPixelInterlockEXT", {interlock("pixel_interlock_unordered")}, false, "", true},
      {"DotProductInputAll", {dot("6019, 6016", "ivec2 a, ivec2 b", "ivec2(i), ivec2(data[i], 3)")}},
      {"DotProductInput4x8Bit", {dot("6019, 6017", "i8vec4 a, i8vec4 b", "i8vec4(i), i8vec4(data[i])")}},
      {"DotProductInput4x8BitPacked", {dot("6019, 6018", "uint a, uint b, spirv_literal int format", "i, data[i], 0")}},
      {"DotProduct", {dot("6019, 6018", "uint a, uint b, spirv_literal int format", "i, data[i], 0")}},

      {"AtomicStorage",
       {openGl(compute("data[i] = atomicCounterIncrement(count);", "",
                       "layout(binding = 0, offset = 4) uniform atomic_uint count;"))}},
      {"ImageRect",
       {openGl(compute("imageStore(image, ivec2(i), vec4(1));", "",
                       "layout(binding = 1, rgba8) uniform image2DRect image;"))}},
      {"SampledRect",
       {openGl(fragment("target = texture(image, v.xy);", "", "layout(binding = 1) uniform sampler2DRect image;"))}},
      {"AtomicStorageOps",
       {openGl(compute("data[i] = atomicCounterAdd(count, i);", "",
                       "layout(binding = 0, offset = 4) uniform atomic_uint count;"))}},

      {"AtomicFloat32MinMaxEXT",
       {compute("atomicMax(f, 1.0);", "GL_EXT_shader_atomic_float2", "layout(binding = 1) buffer F { float f; };")}},
      {"AtomicFloat64MinMaxEXT",
       {compute("atomicMin(f, 1.0LF);", "GL_EXT_shader_atomic_float2", "layout(binding = 1) buffer F { double f; };")}},
      {"AtomicFloat32AddEXT",
       {compute("atomicAdd(f, 1.0);", "GL_EXT_shader_atomic_float", "layout(binding = 1) buffer F { float f; };")}},
      {"AtomicFloat64AddEXT",
       {compute("atomicAdd(f, 1.0LF); atomicAdd(g, 1.0LF);", "GL_EXT_shader_atomic_float",
                "layout(binding = 1) buffer F { double f; }; shared double g;")}},
      {"Int64ImageEXT",
       {compute("imageAtomicMax(image, ivec2(i), uint64_t(i) << 40);", int64 + " GL_EXT_shader_image_int64",
                "layout(binding = 1, r64ui) uniform u64image2D image;")}},
      {"WorkgroupMemoryExplicitLayoutKHR", {sharedBlock("uint")}},
      {"WorkgroupMemoryExplicitLayout8BitAccessKHR", {sharedBlock("uint8_t")}},
      {"WorkgroupMemoryExplicitLayout16BitAccessKHR", {sharedBlock("uint16_t")}},
      {"SubgroupBallotKHR", {compute("data[i] = uint(ballotARB(data[i] != 0u));", "GL_ARB_shader_ballot " + int64)}},
      {"SubgroupVoteKHR", {compute("data[i] = uint(anyInvocationARB(data[i] != 0u));", "GL_ARB_shader_group_vote")}},
      {"GroupNonUniformRotateKHR",
       {compute("data[i] = rotate(3, data[i], 5u);", "GL_EXT_spirv_intrinsics",
                "spirv_instruction(extensions = [\"SPV_KHR_subgroup_rotate\"], capabilities = [6026], id = 4431) "
                "uint rotate(uint scope, uint value, uint delta);")}},
      {"GroupNonUniformPartitionedNV",
       {compute("data[i] = subgroupPartitionedAddNV(data[i], subgroupPartitionNV(data[i]));",
                "GL_NV_shader_subgroup_partitioned")}},
      {"QuadControlKHR",
       {compute("data[i] = uint(quadAny(data[i] != 0u));", "GL_EXT_spirv_intrinsics",
                "spirv_instruction(extensions = [\"SPV_KHR_quad_control\"], capabilities = [5087], id = 5111) "
                "bool quadAny(bool condition);")}},
      {"StencilExportEXT", {fragment("gl_FragStencilRefARB = int(v.x);", "GL_ARB_shader_stencil_export")}},
      {"ShaderViewportIndexLayerEXT",
       {vertex("gl_Layer = 1;", "GL_ARB_shader_viewport_layer_array")},
       true,
       "SPV_EXT_shader_viewport_index_layer"},
      {"Groups", {compute("data[i] = addInvocationsNonUniformAMD(data[i]);", "GL_AMD_shader_ballot")}},
      {"Float16ImageAMD",
       {compute("data[i] = uint(texelFetch(image, ivec2(i), 0).x);",
                "GL_AMD_gpu_shader_half_float_fetch GL_EXT_shader_explicit_arithmetic_types_float16",
                "layout(binding = 1) uniform f16sampler2D image;")}},
      {"ImageGatherBiasLodAMD",
       {fragment("target = textureGatherLodAMD(image, v.xy, v.z, 1);", "GL_AMD_texture_gather_bias_lod", sampled)}},
      {"FragmentMaskAMD",
       {compute("uint mask = fragmentMaskFetchAMD(samples, ivec2(i)); "
                "data[i] = uint(fragmentFetchAMD(samples, ivec2(i), mask & 7u).x);",
                "GL_AMD_shader_fragment_mask", "layout(binding = 1) uniform sampler2DMS samples;")}},
      {"ImageReadWriteLodAMD",
       {compute("imageStoreLodAMD(image, ivec2(i), 1, imageLoadLodAMD(image, ivec2(i), 2));",
                "GL_AMD_shader_image_load_store_lod", "layout(binding = 1, rgba8) uniform image2D image;")}},
      {"ShaderClockKHR", {compute("data[i] = uint(clockARB());", "GL_ARB_shader_clock " + int64)}},
      {"ComputeDerivativeGroupQuadsNV",
       {{ShaderStage::Compute, head("GL_NV_compute_shader_derivatives") +
                                   "layout(local_size_x = 8, local_size_y = 8) in;\n"
                                   "layout(derivative_group_quadsNV) in;\n"
                                   "layout(std430, binding = 0) buffer Data { uint data[]; };\n"
                                   "void main() { uint i = gl_LocalInvocationIndex; "
                                   "data[i] = uint(dFdx(float(data[i]))); }"}}},
      {"ComputeDerivativeGroupLinearNV",
       {compute("data[i] = uint(dFdx(float(data[i])));", "GL_NV_compute_shader_derivatives",
                "layout(derivative_group_linearNV) in;")}},
      {"ExpectAssumeKHR",
       {compute("data[i] = expect(data[i], 1u);", "GL_EXT_spirv_intrinsics",
                "spirv_instruction(extensions = [\"SPV_KHR_expect_assume\"], capabilities = [5629], id = 5631) "
                "uint expect(uint value, uint expected);")}},
  };
}

} // namespace

const std::vector<CapabilityProgram> &capabilityPrograms() {
  static const std::vector<CapabilityProgram> programs = makePrograms();
  return programs;
}

} // namespace dovetail::test
