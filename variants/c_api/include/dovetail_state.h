/* SPDX-License-Identifier: MIT
 *
 * Part of dovetail.h: pipeline states, and values of uniforms.
 */
#pragma once

#include "variants/c_api/include/dovetail_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- States ---- */

/* A vertex buffer: how far its elements are apart, and when the next element follows. */
typedef struct dovetail_vertex_binding {
  uint32_t binding;    /* its number, below 32 */
  uint32_t stride;     /* bytes; goes into the driver's buffer descriptor */
  uint32_t input_rate; /* VkVertexInputRate */
  uint32_t divisor;    /* instances per step; 0: every instance reads element 0 (+ first instance) */
} dovetail_vertex_binding;

/* FIELD(member) for each uint32_t of the struct; for loops over a state: its log, its hash. */
#define DOVETAIL_VERTEX_BINDING_FIELDS(FIELD) FIELD(binding) FIELD(stride) FIELD(input_rate) FIELD(divisor)

/* An input of the vertex shader, and its place in an element of a vertex buffer. */
typedef struct dovetail_vertex_attribute {
  uint32_t location; /* below 32 */
  uint32_t binding;  /* one of the vertex_bindings */
  uint32_t format;   /* VkFormat */
  uint32_t offset;   /* bytes */
} dovetail_vertex_attribute;

/* FIELD(member) for each uint32_t of the struct; for loops over a state: its log, its hash. */
#define DOVETAIL_VERTEX_ATTRIBUTE_FIELDS(FIELD) FIELD(location) FIELD(binding) FIELD(format) FIELD(offset)

/* What becomes of a colour of the fragment shader: format, write mask and blending. */
typedef struct dovetail_color_target {
  uint32_t format;                 /* VkFormat; VK_FORMAT_UNDEFINED (0): no target at this location */
  uint32_t write_mask;             /* VkColorComponentFlags: 1 red, 2 green, 4 blue, 8 alpha */
  uint32_t blend_enable;           /* 0: the colour replaces that of the target */
  uint32_t src_color_blend_factor; /* VkBlendFactor */
  uint32_t dst_color_blend_factor; /* VkBlendFactor */
  uint32_t color_blend_op;         /* VkBlendOp, the first five */
  uint32_t src_alpha_blend_factor; /* VkBlendFactor */
  uint32_t dst_alpha_blend_factor; /* VkBlendFactor */
  uint32_t alpha_blend_op;         /* VkBlendOp, the first five */
} dovetail_color_target;

/* clang-format off */
/* FIELD(member) for each uint32_t of the struct; for loops over a state: its log, its hash. */
#define DOVETAIL_COLOR_TARGET_FIELDS(FIELD)                                                                            \
  FIELD(format) FIELD(write_mask) FIELD(blend_enable) FIELD(src_color_blend_factor) FIELD(dst_color_blend_factor)      \
  FIELD(color_blend_op) FIELD(src_alpha_blend_factor) FIELD(dst_alpha_blend_factor) FIELD(alpha_blend_op)
/* clang-format on */

/* No target: all components are written, and nothing is blended. */
#define DOVETAIL_COLOR_TARGET_INIT                                                                                     \
  { 0, 0xf, 0, 1, 0, 0, 1, 0, 0 }

/* Begin with DOVETAIL_PIPELINE_STATE_INIT. */
typedef struct dovetail_pipeline_state {
  size_t size;

  /* Vertex input. */
  const dovetail_vertex_binding *vertex_bindings;     /* vertex buffers */
  size_t vertex_binding_count;                        /* at most 32 */
  const dovetail_vertex_attribute *vertex_attributes; /* inputs of the vertex shader */
  size_t vertex_attribute_count;                      /* at most 32 */
  uint32_t topology;                                  /* VkPrimitiveTopology */
  uint32_t patch_control_points;                      /* 1 to 32, with patches */
  uint32_t tessellation_domain_lower_left; /* VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT: reverses the vertex order */

  /* Rasterization. */
  uint32_t flat_provoking_vertex_last; /* VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT */
  uint32_t depth_clamp_enable;         /* depth is clamped, and nothing is clipped by it */
  uint32_t rasterizer_discard_enable;  /* nothing is rasterized */
  uint32_t rasterization_samples;      /* 1, 2, 4, 8 or 16 */
  uint32_t sample_shading_enable;      /* the fragment shader runs for each sample */
  /* States of GL and of layered drivers. */
  uint32_t polygon_stipple_enable;    /* pattern: entry DOVETAIL_GLOBAL_TABLE_POLYGON_STIPPLE of the global table */
  uint32_t color_two_side;            /* GL's colours: a back face has the back colours */
  uint32_t flat_shade_colors;         /* GL_FLAT for GL's colours */
  uint32_t per_sample_interpolation;  /* every input is interpolated at the sample */
  uint32_t multisample_disable;       /* GL_MULTISAMPLE is off: every input is interpolated at the centre */
  uint32_t barycentric_optimization;  /* the hardware may leave out centroids of fully covered quads */
  uint32_t layered_framebuffer;       /* input attachments have the framebuffer's layers */
  uint32_t smoothing;                 /* polygons and lines: alpha is multiplied by the covered part of the pixel */
  uint32_t clip_distance_enable;      /* bit i: GL_CLIP_DISTANCEi; 0xff for Vulkan */
  uint32_t transform_feedback_enable; /* 0: nothing is captured, whatever the shader declares */

  /* Colour output. */
  dovetail_color_target color_targets[8]; /* by location */
  uint32_t alpha_to_coverage_enable;      /* alpha of colour 0 chooses the covered samples */
  uint32_t alpha_to_one_enable;           /* alpha of all colours becomes 1 */
  uint32_t broadcast_color0;              /* gl_FragColor: colour 0 goes to every target */
  uint32_t clamp_color;                   /* GL_CLAMP_FRAGMENT_COLOR */
  uint32_t alpha_test_func;               /* VkCompareOp, against DOVETAIL_USER_DATA_ALPHA_REFERENCE */
  uint32_t depth_stencil_format; /* VkFormat: fragment outputs that the framebuffer has no place for are not exported */
  void *user;                    /* for dovetail_publication::state_user */

  /* Compute: a wave has a square of 8 by 8 invocations, and four neighbouring lanes a square of 2 by 2. A compute
   * prolog does so if the workgroup is a multiple of 8 both ways and the shader cannot see the difference. */
  uint32_t square_compute_waves;

  /* States of GL. */
  uint32_t clamp_vertex_color;  /* GL_CLAMP_VERTEX_COLOR: GL's colours are clamped in front of the rasterizer */
  uint32_t point_smoothing;     /* GL_POINT_SMOOTH: points are round, and alpha is multiplied by their coverage */
  uint32_t sprite_coord_enable; /* GL_COORD_REPLACE: bit i: on points, input i is the point coordinate (s, t, 0, 1) */
  uint32_t sprite_coord_lower_left; /* GL_POINT_SPRITE_COORD_ORIGIN: t of point coordinates begins at the lower edge */
  uint32_t reserved;
} dovetail_pipeline_state;

/* clang-format off */
/* FIELD(member) for each uint32_t of the struct; for loops over a state: its log, its hash. */
#define DOVETAIL_PIPELINE_STATE_FIELDS(FIELD)                                                                          \
  FIELD(topology) FIELD(patch_control_points) FIELD(tessellation_domain_lower_left)                                    \
  FIELD(flat_provoking_vertex_last) FIELD(depth_clamp_enable) FIELD(rasterizer_discard_enable)                         \
  FIELD(rasterization_samples) FIELD(sample_shading_enable) FIELD(polygon_stipple_enable) FIELD(color_two_side)        \
  FIELD(flat_shade_colors) FIELD(per_sample_interpolation) FIELD(multisample_disable)                                  \
  FIELD(barycentric_optimization) FIELD(layered_framebuffer) FIELD(smoothing) FIELD(clip_distance_enable)              \
  FIELD(transform_feedback_enable) FIELD(alpha_to_coverage_enable) FIELD(alpha_to_one_enable)                          \
  FIELD(broadcast_color0) FIELD(clamp_color) FIELD(alpha_test_func) FIELD(depth_stencil_format)                        \
  FIELD(square_compute_waves) FIELD(clamp_vertex_color) FIELD(point_smoothing) FIELD(sprite_coord_enable)              \
  FIELD(sprite_coord_lower_left)
/* clang-format on */

/* A triangle list, no vertex input, no colour target, one sample, every feature of GL off; a depth-stencil format of
 * VK_FORMAT_D32_SFLOAT_S8_UINT, all clip distances, transform feedback if the shader declares it. */
#define DOVETAIL_PIPELINE_STATE_INIT                                                                                   \
  {                                                                                                                    \
    sizeof(dovetail_pipeline_state), NULL, 0, NULL, 0, 3, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1,        \
        {DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT,                           \
         DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT,                           \
         DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT},                                                      \
        0, 0, 0, 0, 7, 130, NULL, 0, 0, 0, 0, 0, 0                                                                     \
  }

/* Thread-safe, and quick: it compiles nothing. Refuses a state under which no program could be bound. Errors:
 * DOVETAIL_UNSUPPORTED for a format that dovetail_format_get_info() does not have as a vertex or colour format;
 * DOVETAIL_STATE_MISMATCH for a patch size out of range. */
DOVETAIL_API dovetail_status dovetail_state_create(dovetail_device *device, const dovetail_pipeline_state *description,
                                                   dovetail_state **state, dovetail_message *message);

/* A state that fits the program: vertex attributes of the shader's own types, tightly packed in binding 0; targets of
 * R8G8B8A8_UNORM, or R32G32B32A32_SINT or _UINT; a topology that its stages take. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_state_create_default(dovetail_device *device, const dovetail_program *program,
                                                           dovetail_state **state, dovetail_message *message);

/* Reads a state back. Set `size` before the call. The arrays that *description points to live as long as the state.
 * Thread-safe. */
DOVETAIL_API dovetail_status dovetail_state_get(const dovetail_state *state, dovetail_pipeline_state *description,
                                                dovetail_message *message);

/* Binders do not need the state afterwards. Thread-safe. */
DOVETAIL_API void dovetail_state_destroy(dovetail_state *state);

/* Where a shader finds a uniform. */
typedef enum dovetail_uniform_place {
  DOVETAIL_UNIFORM_PUSH_CONSTANTS = 0, /* in the program's push constants */
  DOVETAIL_UNIFORM_BUFFER = 1          /* in a uniform buffer */
} dovetail_uniform_place;

/* A promise of the driver: a shader finds this dword in its resources whenever a variant runs that was bound with the
 * value. */
typedef struct dovetail_uniform_value {
  uint32_t place;   /* dovetail_uniform_place */
  uint32_t set;     /* uniform buffers only; element 0 of the binding */
  uint32_t binding; /* uniform buffers only */
  uint32_t offset;  /* bytes, a multiple of 4 */
  uint32_t value;   /* the dword */
} dovetail_uniform_value;

/* Values that optimized variants may be compiled for; joined ones ignore them. Thread-safe. Errors:
 * DOVETAIL_INVALID_INPUT for an offset that is no multiple of 4, and for a place with two values. */
DOVETAIL_API dovetail_status dovetail_uniforms_create(dovetail_device *device, const dovetail_uniform_value *values,
                                                      size_t count, dovetail_uniforms **uniforms,
                                                      dovetail_message *message);

/* Binders do not need the uniforms afterwards. Thread-safe. */
DOVETAIL_API void dovetail_uniforms_destroy(dovetail_uniforms *uniforms);

#ifdef __cplusplus
}
#endif
