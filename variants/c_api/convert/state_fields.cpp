// SPDX-License-Identifier: MIT
//
// One list of fields serves both directions: visitFields() pairs each field of PipelineState with C's, and says what
// values it may have.
#include "variants/c_api/convert/state_fields.h"
#include "src/state/format_table.h"
#include "variants/c_api/convert/arguments.h"
#include <bit>
#include <bitset>

namespace dovetail::c_api {

namespace {

constexpr size_t MaxVertexBindings = 32;
constexpr uint32_t MaxSamples = 16;

// The values that a field of type uint32_t may have.
struct AnyNumber {};
struct Samples {};
struct Format {};
struct Bits {
  uint32_t all;
};
// An enumeration from 0 to its last value.
template <typename Enum> struct UpTo { Enum last; };

bool isFormat(uint32_t value) {
  return value == VK_FORMAT_UNDEFINED ||
         (value <= VK_FORMAT_MAX_ENUM && parseFormatName(formatName(static_cast<VkFormat>(value))).has_value());
}

// A struct of the caller's: "state", or an element of an array in it. Binds read whole states, so a text is made only
// for an error.
struct Place {
  const char *state;
  const char *array = nullptr;
  size_t index = 0;

  std::string text() const { return array ? fmt::format("{}->{}[{}]", state, array, index) : state; }
  std::string member(const char *field) const { return text() + (array ? "." : "->") + field; }
};

// Reads from C. Keeps the first failure.
class Reader {
public:
  explicit Reader(const Place &place) : m_place(place) {}

  void operator()(const char *field, bool &ours, uint32_t theirs) {
    check(theirs <= 1, field, theirs, [] { return "is to be 0 or 1"; });
    ours = theirs == 1;
  }
  void operator()(const char *, uint32_t &ours, uint32_t theirs, AnyNumber) { ours = theirs; }
  void operator()(const char *field, uint32_t &ours, uint32_t theirs, Samples) {
    check(std::has_single_bit(theirs) && theirs <= MaxSamples, field, theirs,
          [] { return "is to be 1, 2, 4, 8 or 16"; });
    ours = theirs;
  }
  template <typename Number> void operator()(const char *field, Number &ours, uint32_t theirs, Bits bits) {
    check((theirs & ~bits.all) == 0, field, theirs,
          [&] { return fmt::format("is to have no bits beyond {:#x}", bits.all); });
    ours = static_cast<Number>(theirs);
  }
  void operator()(const char *field, VkFormat &ours, uint32_t theirs, Format) {
    if (check(isFormat(theirs), field, theirs, [] { return "is no VkFormat"; }))
      ours = static_cast<VkFormat>(theirs);
  }
  template <typename Enum> void operator()(const char *field, Enum &ours, uint32_t theirs, UpTo<Enum> range) {
    const auto last = static_cast<uint32_t>(range.last);
    if (check(theirs <= last, field, theirs,
              [&] { return fmt::format("belongs to an enumeration that ends with {}", last); }))
      ours = static_cast<Enum>(theirs);
  }

  Outcome<void> finish() const {
    if (!m_complaint.empty())
      return tl::unexpected<Failure>(Failure(DOVETAIL_BAD_ARGUMENT, m_complaint));
    return {};
  }

private:
  // A bad value must not become one of our enumerators.
  template <typename What> bool check(bool isGood, const char *field, uint32_t value, const What &what) {
    if (!isGood && m_complaint.empty())
      m_complaint = fmt::format("{} is {}; it {}", m_place.member(field), value, what());
    return isGood;
  }

  const Place m_place;
  std::string m_complaint;
};

// Writes to C.
class Writer {
public:
  template <typename Ours, typename... Values>
  void operator()(const char *, const Ours &ours, uint32_t &theirs, const Values &...) const {
    theirs = static_cast<uint32_t>(ours);
  }
};

// The functions below are instantiated for reading (PipelineState, const dovetail_pipeline_state) and for writing
// (const PipelineState, dovetail_pipeline_state).

template <typename Visitor, typename Ours, typename Theirs>
void visitBinding(Visitor &visit, Ours &ours, Theirs &theirs) {
  visit("binding", ours.binding, theirs.binding, AnyNumber());
  visit("stride", ours.stride, theirs.stride, AnyNumber());
  visit("input_rate", ours.inputRate, theirs.input_rate, UpTo<VkVertexInputRate>{VK_VERTEX_INPUT_RATE_INSTANCE});
  visit("divisor", ours.divisor, theirs.divisor, AnyNumber());
}

template <typename Visitor, typename Ours, typename Theirs>
void visitAttribute(Visitor &visit, Ours &ours, Theirs &theirs) {
  visit("location", ours.location, theirs.location, AnyNumber());
  visit("binding", ours.binding, theirs.binding, AnyNumber());
  visit("format", ours.format, theirs.format, Format());
  visit("offset", ours.offset, theirs.offset, AnyNumber());
}

template <typename Visitor, typename Ours, typename Theirs>
void visitColorTarget(Visitor &visit, Ours &ours, Theirs &theirs) {
  constexpr UpTo<VkBlendFactor> Factor{VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
  constexpr UpTo<VkBlendOp> Op{VK_BLEND_OP_MAX};
  visit("format", ours.format, theirs.format, Format());
  visit("write_mask", ours.writeMask, theirs.write_mask, Bits{0xf});
  visit("blend_enable", ours.blendEnable, theirs.blend_enable);
  visit("src_color_blend_factor", ours.srcColorBlendFactor, theirs.src_color_blend_factor, Factor);
  visit("dst_color_blend_factor", ours.dstColorBlendFactor, theirs.dst_color_blend_factor, Factor);
  visit("color_blend_op", ours.colorBlendOp, theirs.color_blend_op, Op);
  visit("src_alpha_blend_factor", ours.srcAlphaBlendFactor, theirs.src_alpha_blend_factor, Factor);
  visit("dst_alpha_blend_factor", ours.dstAlphaBlendFactor, theirs.dst_alpha_blend_factor, Factor);
  visit("alpha_blend_op", ours.alphaBlendOp, theirs.alpha_blend_op, Op);
}

// Visits all fields but the arrays.
template <typename Visitor, typename Ours, typename Theirs>
void visitFields(Visitor &visit, Ours &ours, Theirs &theirs) {
  visit("topology", ours.topology, theirs.topology, UpTo<VkPrimitiveTopology>{VK_PRIMITIVE_TOPOLOGY_PATCH_LIST});
  visit("patch_control_points", ours.patchControlPoints, theirs.patch_control_points, AnyNumber());
  visit("tessellation_domain_lower_left", ours.tessellationDomainLowerLeft, theirs.tessellation_domain_lower_left);

  visit("flat_provoking_vertex_last", ours.flatProvokingVertexLast, theirs.flat_provoking_vertex_last);
  visit("depth_clamp_enable", ours.depthClampEnable, theirs.depth_clamp_enable);
  visit("rasterizer_discard_enable", ours.rasterizerDiscardEnable, theirs.rasterizer_discard_enable);
  visit("rasterization_samples", ours.rasterizationSamples, theirs.rasterization_samples, Samples());
  visit("sample_shading_enable", ours.sampleShadingEnable, theirs.sample_shading_enable);
  visit("polygon_stipple_enable", ours.polygonStippleEnable, theirs.polygon_stipple_enable);
  visit("color_two_side", ours.colorTwoSide, theirs.color_two_side);
  visit("flat_shade_colors", ours.flatShadeColors, theirs.flat_shade_colors);
  visit("per_sample_interpolation", ours.perSampleInterpolation, theirs.per_sample_interpolation);
  visit("multisample_disable", ours.multisampleDisable, theirs.multisample_disable);
  visit("barycentric_optimization", ours.barycentricOptimization, theirs.barycentric_optimization);
  visit("layered_framebuffer", ours.layeredFramebuffer, theirs.layered_framebuffer);
  visit("smoothing", ours.smoothing, theirs.smoothing);
  visit("point_smoothing", ours.pointSmoothing, theirs.point_smoothing);
  visit("sprite_coord_enable", ours.spriteCoordEnable, theirs.sprite_coord_enable, AnyNumber());
  visit("sprite_coord_lower_left", ours.spriteCoordLowerLeft, theirs.sprite_coord_lower_left);
  visit("clamp_vertex_color", ours.clampVertexColor, theirs.clamp_vertex_color);
  visit("clip_distance_enable", ours.clipDistanceEnable, theirs.clip_distance_enable, Bits{0xff});
  visit("transform_feedback_enable", ours.transformFeedbackEnable, theirs.transform_feedback_enable);
  visit("square_compute_waves", ours.squareComputeWaves, theirs.square_compute_waves);

  visit("alpha_to_coverage_enable", ours.alphaToCoverageEnable, theirs.alpha_to_coverage_enable);
  visit("alpha_to_one_enable", ours.alphaToOneEnable, theirs.alpha_to_one_enable);
  visit("broadcast_color0", ours.broadcastColor0, theirs.broadcast_color0);
  visit("clamp_color", ours.clampColor, theirs.clamp_color);
  visit("alpha_test_func", ours.alphaTestFunc, theirs.alpha_test_func, UpTo<VkCompareOp>{VK_COMPARE_OP_ALWAYS});
  visit("depth_stencil_format", ours.depthStencilFormat, theirs.depth_stencil_format, Format());
}

Outcome<void> readVertexInput(const dovetail_pipeline_state &given, const char *name, PipelineState &state) {
  const auto bindings = DOVETAIL_C_TRY(
      readArray(given.vertex_bindings, given.vertex_binding_count, fmt::format("{}->vertex_bindings", name)));
  const auto attributes = DOVETAIL_C_TRY(
      readArray(given.vertex_attributes, given.vertex_attribute_count, fmt::format("{}->vertex_attributes", name)));
  if (bindings.size() > MaxVertexBindings)
    return badArgument("{}->vertex_binding_count is {}; at most {} are possible", name, bindings.size(),
                       MaxVertexBindings);
  for (const dovetail_vertex_binding &binding : bindings) {
    Reader reader({name, "vertex_bindings", state.vertexBindings.size()});
    for (const VertexBinding &other : state.vertexBindings)
      if (other.binding == binding.binding)
        return badArgument("{}->vertex_bindings: binding {} is described twice", name, binding.binding);
    visitBinding(reader, state.vertexBindings.emplace_back(), binding);
    DOVETAIL_C_CHECK(reader.finish());
  }
  std::bitset<MaxVertexAttributes> locations;
  for (const dovetail_vertex_attribute &attribute : attributes) {
    const Place place = {name, "vertex_attributes", state.vertexAttributes.size()};
    if (attribute.location >= MaxVertexAttributes)
      return badArgument("{} is {}; it is to be below {}", place.member("location"), attribute.location,
                         MaxVertexAttributes);
    if (locations.test(attribute.location))
      return badArgument("{}: location {} is described twice", place.text(), attribute.location);
    locations.set(attribute.location);
    if (std::ranges::find(state.vertexBindings, attribute.binding, &VertexBinding::binding) ==
        state.vertexBindings.end())
      return badArgument("{}: there is no vertex binding {}", place.text(), attribute.binding);
    Reader reader(place);
    visitAttribute(reader, state.vertexAttributes.emplace_back(), attribute);
    DOVETAIL_C_CHECK(reader.finish());
  }
  return {};
}

} // namespace

dovetail_pipeline_state defaultPipelineState() {
  return DOVETAIL_PIPELINE_STATE_INIT;
}

Outcome<PipelineState> toPipelineState(const dovetail_pipeline_state &given, const char *name) {
  PipelineState state;
  DOVETAIL_C_CHECK(readVertexInput(given, name, state));
  DOVETAIL_C_CHECK(checkReserved(given.reserved, fmt::format("{}->reserved", name)));
  Reader reader({name});
  visitFields(reader, state, given);
  DOVETAIL_C_CHECK(reader.finish());
  static_assert(sizeof(given.color_targets) / sizeof(given.color_targets[0]) == MaxColorTargets);
  for (unsigned i = 0; i < MaxColorTargets; ++i) {
    Reader targetReader({name, "color_targets", i});
    visitColorTarget(targetReader, state.colorTargets[i], given.color_targets[i]);
    DOVETAIL_C_CHECK(targetReader.finish());
  }
  return state;
}

std::vector<dovetail_vertex_binding> toVertexBindings(const PipelineState &state) {
  std::vector<dovetail_vertex_binding> bindings;
  for (const VertexBinding &binding : state.vertexBindings) {
    Writer writer;
    visitBinding(writer, binding, bindings.emplace_back());
  }
  return bindings;
}

std::vector<dovetail_vertex_attribute> toVertexAttributes(const PipelineState &state) {
  std::vector<dovetail_vertex_attribute> attributes;
  for (const VertexAttribute &attribute : state.vertexAttributes) {
    Writer writer;
    visitAttribute(writer, attribute, attributes.emplace_back());
  }
  return attributes;
}

dovetail_pipeline_state fromPipelineState(const PipelineState &state,
                                          std::span<const dovetail_vertex_binding> vertexBindings,
                                          std::span<const dovetail_vertex_attribute> vertexAttributes) {
  dovetail_pipeline_state answer = defaultPipelineState();
  answer.vertex_bindings = vertexBindings.data();
  answer.vertex_binding_count = vertexBindings.size();
  answer.vertex_attributes = vertexAttributes.data();
  answer.vertex_attribute_count = vertexAttributes.size();
  Writer writer;
  visitFields(writer, state, answer);
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    visitColorTarget(writer, state.colorTargets[i], answer.color_targets[i]);
  return answer;
}

} // namespace dovetail::c_api
