// SPDX-License-Identifier: MIT
//
// Gives C a shader's Reflection: one struct for each row, by index, so that the structs can grow.
#include "src/spirv/reflect/opengl_uniforms.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

static_assert(int(NumericClass::Float) == DOVETAIL_NUMERIC_FLOAT && int(NumericClass::Sint) == DOVETAIL_NUMERIC_SINT &&
              int(NumericClass::Uint) == DOVETAIL_NUMERIC_UINT);
static_assert(int(spirv::Interpolation::Perspective) == DOVETAIL_INTERPOLATION_PERSPECTIVE &&
              int(spirv::Interpolation::Linear) == DOVETAIL_INTERPOLATION_LINEAR &&
              int(spirv::Interpolation::Flat) == DOVETAIL_INTERPOLATION_FLAT);
static_assert(int(spirv::InterpolationPoint::Center) == DOVETAIL_INTERPOLATION_CENTER &&
              int(spirv::InterpolationPoint::Centroid) == DOVETAIL_INTERPOLATION_CENTROID &&
              int(spirv::InterpolationPoint::Sample) == DOVETAIL_INTERPOLATION_SAMPLE);
static_assert(int(spirv::DescriptorKind::UniformBuffer) == DOVETAIL_DESCRIPTOR_UNIFORM_BUFFER &&
              int(spirv::DescriptorKind::StorageBuffer) == DOVETAIL_DESCRIPTOR_STORAGE_BUFFER &&
              int(spirv::DescriptorKind::SampledImage) == DOVETAIL_DESCRIPTOR_SAMPLED_IMAGE &&
              int(spirv::DescriptorKind::StorageImage) == DOVETAIL_DESCRIPTOR_STORAGE_IMAGE &&
              int(spirv::DescriptorKind::Sampler) == DOVETAIL_DESCRIPTOR_SAMPLER &&
              int(spirv::DescriptorKind::CombinedImageSampler) == DOVETAIL_DESCRIPTOR_COMBINED_IMAGE_SAMPLER &&
              int(spirv::DescriptorKind::UniformTexelBuffer) == DOVETAIL_DESCRIPTOR_UNIFORM_TEXEL_BUFFER &&
              int(spirv::DescriptorKind::StorageTexelBuffer) == DOVETAIL_DESCRIPTOR_STORAGE_TEXEL_BUFFER &&
              int(spirv::DescriptorKind::InputAttachment) == DOVETAIL_DESCRIPTOR_INPUT_ATTACHMENT);
static_assert(int(spirv::ImageDimension::Dim1D) == DOVETAIL_IMAGE_1D &&
              int(spirv::ImageDimension::Dim2D) == DOVETAIL_IMAGE_2D &&
              int(spirv::ImageDimension::Dim3D) == DOVETAIL_IMAGE_3D &&
              int(spirv::ImageDimension::Cube) == DOVETAIL_IMAGE_CUBE &&
              int(spirv::ImageDimension::Rect) == DOVETAIL_IMAGE_RECT &&
              int(spirv::ImageDimension::Buffer) == DOVETAIL_IMAGE_BUFFER &&
              int(spirv::ImageDimension::SubpassData) == DOVETAIL_IMAGE_SUBPASS);

static_assert(int(spirv::OpenGlSet::UniformBuffers) == DOVETAIL_OPENGL_UNIFORM_BUFFERS &&
              int(spirv::OpenGlSet::StorageBuffers) == DOVETAIL_OPENGL_STORAGE_BUFFERS &&
              int(spirv::OpenGlSet::Textures) == DOVETAIL_OPENGL_TEXTURES &&
              int(spirv::OpenGlSet::Images) == DOVETAIL_OPENGL_IMAGES &&
              int(spirv::OpenGlSet::AtomicCounters) == DOVETAIL_OPENGL_ATOMIC_COUNTERS &&
              int(spirv::OpenGlSet::DefaultBlock) == DOVETAIL_OPENGL_DEFAULT_BLOCK &&
              int(spirv::OpenGlSet::Uniforms) == DOVETAIL_OPENGL_UNIFORMS);

Outcome<const Shader *> shaderOf(const dovetail_shader *shader) {
  DOVETAIL_C_CHECK(checkNotNull(shader, "shader"));
  return shader->shader.get();
}

// Looks up a row of a list of the shader's reflection. `what`: the rows' name.
template <typename Row>
Outcome<const Row *> rowOf(const dovetail_shader *shader, std::vector<Row> spirv::Reflection::*list, uint32_t index,
                           std::string_view what) {
  const std::vector<Row> &rows = (*DOVETAIL_C_TRY(shaderOf(shader))).reflection.*list;
  DOVETAIL_C_CHECK(checkIndex(index, rows.size(), "shader", what));
  return &rows[index];
}

dovetail_status getInterface(const dovetail_shader *shader,
                             std::vector<spirv::InterfaceLocation> spirv::Reflection::*list, std::string_view what,
                             uint32_t index, dovetail_interface_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const spirv::InterfaceLocation &row = *DOVETAIL_C_TRY(rowOf(shader, list, index, what));
    dovetail_interface_info answer = {};
    answer.name = row.name.c_str();
    answer.location = row.location;
    answer.second_source = row.index;
    answer.component_mask = row.componentMask;
    answer.numeric_class = static_cast<uint32_t>(row.numericClass);
    answer.component_bits = row.elementBits;
    answer.interpolation = static_cast<uint32_t>(row.interpolation);
    answer.interpolation_point = static_cast<uint32_t>(row.interpolationPoint);
    answer.is_patch = row.isPatch;
    answer.stream = row.stream;
    answer.feeds_position = row.feedsPosition;
    return writeSized(answer, info, "info");
  });
}

bool hasImage(spirv::DescriptorKind kind) {
  return kind != spirv::DescriptorKind::UniformBuffer && kind != spirv::DescriptorKind::StorageBuffer &&
         kind != spirv::DescriptorKind::Sampler;
}

// The block of a descriptor, or of the push constants.
Outcome<const std::vector<spirv::BlockMember> *> membersOf(const dovetail_shader *shader, uint32_t descriptor) {
  const spirv::Reflection &reflection = (*DOVETAIL_C_TRY(shaderOf(shader))).reflection;
  if (descriptor == DOVETAIL_PUSH_CONSTANTS)
    return &reflection.pushConstants;
  if (descriptor >= reflection.descriptors.size())
    return badArgument("descriptor is {}; the shader has {} descriptors", descriptor, reflection.descriptors.size());
  return &reflection.descriptors[descriptor].members;
}

} // namespace

dovetail_status dovetail_shader_get_info(const dovetail_shader *shader, dovetail_shader_info *info,
                                         dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Shader &read = *DOVETAIL_C_TRY(shaderOf(shader));
    const spirv::Reflection &reflection = read.reflection;
    dovetail_shader_info answer = {};
    answer.name = read.description.name.c_str();
    answer.entry_point = reflection.entryPoint.c_str();
    answer.stage = static_cast<uint32_t>(reflection.stage);
    answer.input_count = uint32_t(reflection.inputs.size());
    answer.output_count = uint32_t(reflection.outputs.size());
    answer.builtin_count = uint32_t(reflection.builtIns.size());
    answer.descriptor_count = uint32_t(reflection.descriptors.size());
    answer.spec_constant_count = uint32_t(reflection.specConstants.size());
    if (!reflection.pushConstants.empty())
      answer.push_constant_begin =
          std::ranges::min_element(reflection.pushConstants, {}, &spirv::BlockMember::offset)->offset;
    answer.push_constant_end = reflection.pushConstantBytes;
    answer.push_constant_count = uint32_t(reflection.pushConstants.size());
    if (reflection.stage == lgc::ShaderStage::TessControl)
      answer.patch_control_points = reflection.patchVertices;
    if (reflection.stage == lgc::ShaderStage::Compute)
      std::ranges::copy(reflection.localSize, answer.workgroup_size);
    answer.uses_atomics = reflection.usesAtomics;
    answer.entry_point_count = uint32_t(reflection.entryPoints.size());
    answer.cache_hash[0] = read.hash.low;
    answer.cache_hash[1] = read.hash.high;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_shader_get_input(const dovetail_shader *shader, uint32_t index, dovetail_interface_info *info,
                                          dovetail_message *message) {
  return getInterface(shader, &spirv::Reflection::inputs, "inputs", index, info, message);
}

dovetail_status dovetail_shader_get_output(const dovetail_shader *shader, uint32_t index, dovetail_interface_info *info,
                                           dovetail_message *message) {
  return getInterface(shader, &spirv::Reflection::outputs, "outputs", index, info, message);
}

dovetail_status dovetail_shader_get_builtin(const dovetail_shader *shader, uint32_t index, dovetail_builtin_info *info,
                                            dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const spirv::BuiltInVariable &row =
        *DOVETAIL_C_TRY(rowOf(shader, &spirv::Reflection::builtIns, index, "built-in variables"));
    dovetail_builtin_info answer = {};
    answer.builtin = row.builtIn;
    answer.elements = row.elements;
    answer.is_output = row.isOutput;
    answer.is_per_vertex = row.isPerVertex;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_shader_get_descriptor(const dovetail_shader *shader, uint32_t index,
                                               dovetail_descriptor_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const spirv::DescriptorBinding &row =
        *DOVETAIL_C_TRY(rowOf(shader, &spirv::Reflection::descriptors, index, "descriptors"));
    dovetail_descriptor_info answer = {};
    answer.name = row.name.c_str();
    answer.set = row.set;
    answer.binding = row.binding;
    answer.kind = static_cast<uint32_t>(row.kind);
    answer.array_size = row.arraySize;
    answer.block_bytes = row.blockBytes;
    answer.member_count = uint32_t(row.members.size());
    if (hasImage(row.kind)) {
      answer.image_dimension = static_cast<uint32_t>(row.image.dimension);
      answer.image_is_arrayed = row.image.isArrayed;
      answer.image_is_multisampled = row.image.isMultisampled;
      answer.image_numeric_class = static_cast<uint32_t>(row.image.numericClass);
      answer.image_format = static_cast<uint32_t>(row.image.format);
    }
    answer.compares_depth = row.comparesDepth;
    answer.declared_binding = row.declaredBinding;
    answer.array_dimensions = uint32_t(row.arrays.size());
    for (size_t i = 0; i < std::min<size_t>(row.arrays.size(), DOVETAIL_MAX_ARRAY_DIMENSIONS); ++i) {
      answer.array_counts[i] = row.arrays[i].count;
      answer.array_locations[i] = row.arrays[i].locations;
    }
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_shader_get_member(const dovetail_shader *shader, uint32_t descriptor, uint32_t index,
                                           dovetail_member_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const std::vector<spirv::BlockMember> &members = *DOVETAIL_C_TRY(membersOf(shader, descriptor));
    DOVETAIL_C_CHECK(checkIndex(index, members.size(), "block", "members"));
    const spirv::BlockMember &row = members[index];
    dovetail_member_info answer = {};
    answer.name = row.name.c_str();
    answer.offset = row.offset;
    answer.numeric_class = static_cast<uint32_t>(row.numericClass);
    answer.component_bits = row.bits;
    answer.rows = row.rows;
    answer.columns = row.columns;
    answer.matrix_stride = row.matrixStride;
    answer.is_row_major = row.rowMajor;
    answer.is_address = row.isAddress;
    answer.array_dimensions = uint32_t(row.arrays.size());
    for (size_t i = 0; i < std::min<size_t>(row.arrays.size(), DOVETAIL_MAX_ARRAY_DIMENSIONS); ++i) {
      answer.array_counts[i] = row.arrays[i].count;
      answer.array_strides[i] = row.arrays[i].stride;
      answer.array_locations[i] = row.arrays[i].locations;
    }
    answer.has_location = row.location.has_value();
    answer.location = row.location.value_or(0);
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_shader_get_entry_point(const dovetail_shader *shader, uint32_t index,
                                                dovetail_entry_point_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const spirv::EntryPointInfo &row =
        *DOVETAIL_C_TRY(rowOf(shader, &spirv::Reflection::entryPoints, index, "entry points"));
    dovetail_entry_point_info answer = {};
    answer.name = row.name.c_str();
    answer.stage = static_cast<uint32_t>(row.stage);
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_shader_get_spec_constant(const dovetail_shader *shader, uint32_t index,
                                                  dovetail_spec_constant_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const spirv::SpecConstantInfo &row =
        *DOVETAIL_C_TRY(rowOf(shader, &spirv::Reflection::specConstants, index, "specialisation constants"));
    dovetail_spec_constant_info answer = {};
    answer.name = row.name.c_str();
    answer.default_value = row.defaultValue;
    answer.id = row.id;
    answer.numeric_class = static_cast<uint32_t>(row.numericClass);
    answer.bits = row.bits;
    return writeSized(answer, info, "info");
  });
}
