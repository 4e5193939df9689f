// SPDX-License-Identifier: MIT
#include "src/abi/value.h"
#include <fmt/format.h>
#include <string_view>

namespace dovetail {

namespace {

// How the index and the component of a kind are shown.
enum class Shape : uint8_t {
  Plain,     // scratch_offset
  Indexed,   // user_data4
  Xyzw,      // local_invocation_id.y: by component
  IndexXyzw, // workgroup_id.y: by index
  Ij,        // persp_center.i
  Color,     // mrt0.a
  Attribute, // attr3.y, attr3.4
};

struct Row {
  ValueKind kind;
  std::string_view name;
  Shape shape;
};

constexpr Row Rows[] = {
    {ValueKind::GlobalTable, "global_table", Shape::Plain},
    {ValueKind::VertexBufferTable, "vertex_buffer_table", Shape::Plain},
    {ValueKind::BaseVertex, "base_vertex", Shape::Plain},
    {ValueKind::BaseInstance, "base_instance", Shape::Plain},
    {ValueKind::DrawIndex, "draw_index", Shape::Plain},
    {ValueKind::UserData, "user_data", Shape::Indexed},
    {ValueKind::SpillTable, "spill_table", Shape::Plain},
    {ValueKind::WorkgroupCount, "workgroup_count", Shape::Indexed},
    {ValueKind::StreamoutTable, "streamout_table", Shape::Plain},
    {ValueKind::AlphaReference, "alpha_reference", Shape::Plain},
    {ValueKind::UserDataPadding, "user_data_padding", Shape::Plain},
    {ValueKind::PrimMask, "prim_mask", Shape::Plain},
    {ValueKind::ScratchOffset, "scratch_offset", Shape::Plain},
    {ValueKind::WorkgroupId, "workgroup_id", Shape::IndexXyzw},
    {ValueKind::MergedWaveInfo, "merged_wave_info", Shape::Plain},
    {ValueKind::OffchipOffset, "offchip_offset", Shape::Plain},
    {ValueKind::TessFactorOffset, "tess_factor_offset", Shape::Plain},
    {ValueKind::Gs2VsOffset, "gs2vs_offset", Shape::Plain},
    {ValueKind::Es2GsOffset, "es2gs_offset", Shape::Plain},
    {ValueKind::GsWaveId, "gs_wave_id", Shape::Plain},
    {ValueKind::StreamoutConfig, "streamout_config", Shape::Plain},
    {ValueKind::StreamoutWriteIndex, "streamout_write_index", Shape::Plain},
    {ValueKind::StreamoutOffset, "streamout_offset", Shape::Indexed},
    {ValueKind::MergedUserDataAddress, "merged_user_data_address", Shape::Indexed},
    {ValueKind::VertexId, "vertex_id", Shape::Plain},
    {ValueKind::InstanceId, "instance_id", Shape::Plain},
    {ValueKind::VertexPrimitiveId, "vertex_primitive_id", Shape::Plain},
    {ValueKind::RelVertexId, "rel_vertex_id", Shape::Plain},
    {ValueKind::RelPatchId, "rel_patch_id", Shape::Plain},
    {ValueKind::PatchId, "patch_id", Shape::Plain},
    {ValueKind::RelIds, "rel_ids", Shape::Plain},
    {ValueKind::TessCoord, "tess_coord", Shape::IndexXyzw},
    {ValueKind::GsVertexOffset, "gs_vertex_offset", Shape::Indexed},
    {ValueKind::GsVertexOffsetPair, "gs_vertex_offset_pair", Shape::Indexed},
    {ValueKind::GsPrimitiveId, "gs_primitive_id", Shape::Plain},
    {ValueKind::GsInvocationId, "gs_invocation_id", Shape::Plain},
    {ValueKind::PerspSample, "persp_sample", Shape::Ij},
    {ValueKind::PerspCenter, "persp_center", Shape::Ij},
    {ValueKind::PerspCentroid, "persp_centroid", Shape::Ij},
    {ValueKind::PerspPullModel, "persp_pull_model", Shape::Xyzw},
    {ValueKind::LinearSample, "linear_sample", Shape::Ij},
    {ValueKind::LinearCenter, "linear_center", Shape::Ij},
    {ValueKind::LinearCentroid, "linear_centroid", Shape::Ij},
    {ValueKind::LineStipple, "line_stipple", Shape::Plain},
    {ValueKind::PosX, "pos_x", Shape::Plain},
    {ValueKind::PosY, "pos_y", Shape::Plain},
    {ValueKind::PosZ, "pos_z", Shape::Plain},
    {ValueKind::PosW, "pos_w", Shape::Plain},
    {ValueKind::FrontFace, "front_face", Shape::Plain},
    {ValueKind::Ancillary, "ancillary", Shape::Plain},
    {ValueKind::SampleCoverage, "sample_coverage", Shape::Plain},
    {ValueKind::PosFixedPt, "pos_fixed_pt", Shape::Plain},
    {ValueKind::LocalInvocationId, "local_invocation_id", Shape::Xyzw},
    {ValueKind::Attribute, "attr", Shape::Attribute},
    {ValueKind::Color, "mrt", Shape::Color},
    {ValueKind::ColorSource1, "blend_source1", Shape::Color},
    {ValueKind::Depth, "depth", Shape::Plain},
    {ValueKind::Stencil, "stencil", Shape::Plain},
    {ValueKind::SampleMask, "sample_mask", Shape::Plain},
    {ValueKind::TessFactorOuter, "tess_factor_outer", Shape::Indexed},
    {ValueKind::TessFactorInner, "tess_factor_inner", Shape::Indexed},
    {ValueKind::TessFactorLds, "tess_factor_lds", Shape::Plain},
    {ValueKind::TessInvocationId, "tess_invocation_id", Shape::Plain},
    {ValueKind::InterpolatedColor, "color", Shape::Color},
};

constexpr bool rowsAreInOrder() {
  for (unsigned i = 0; i < std::size(Rows); ++i)
    if (Rows[i].kind != ValueKind(i))
      return false;
  return true;
}
static_assert(rowsAreInOrder());
static_assert(std::size(Rows) == unsigned(ValueKind::InterpolatedColor) + 1);

std::string componentOf(unsigned component, std::string_view letters) {
  return component < letters.size() ? std::string(1, letters[component]) : std::to_string(component);
}

} // namespace

std::string toString(const ValueName &value) {
  if (unsigned(value.kind) >= std::size(Rows))
    return fmt::format("value{}", unsigned(value.kind));
  const Row &row = Rows[unsigned(value.kind)];
  switch (row.shape) {
  case Shape::Plain:
    return std::string(row.name);
  case Shape::Indexed:
    return fmt::format("{}{}", row.name, value.index);
  case Shape::Xyzw:
    return fmt::format("{}.{}", row.name, componentOf(value.component, "xyzw"));
  case Shape::IndexXyzw:
    return fmt::format("{}.{}", row.name, componentOf(value.index, "xyzw"));
  case Shape::Ij:
    return fmt::format("{}.{}", row.name, componentOf(value.component, "ij"));
  case Shape::Color:
    return fmt::format("{}{}.{}", row.name, value.index, componentOf(value.component, "rgba"));
  case Shape::Attribute:
    return fmt::format("{}{}.{}", row.name, value.index, componentOf(value.component, "xyzw"));
  }
  return std::string(row.name);
}

std::string toString(Register reg) {
  return fmt::format("{}{}", reg.bank == RegisterBank::Sgpr ? 's' : 'v', reg.index);
}

} // namespace dovetail
