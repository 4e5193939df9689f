/* SPDX-License-Identifier: MIT
 *
 * dovetail_emulator.h: an emulated GPU for drivers that embed Dovetail, in C99. It runs the code of a variant from
 * dovetail_bind(), instruction by instruction, on data that the caller describes. The caller can then read the
 * pictures. It needs no GPU, checks every access of the code, and stops at a defect. It exists to see a driver work and
 * is slow: about two million instructions of 64 lanes per second.
 *
 *   dovetail_emulator_framebuffer_create()
 *   dovetail_emulator_framebuffer_clear()
 *   dovetail_bind(), dovetail_emulator_draw()      for each draw
 *   dovetail_emulator_framebuffer_read()
 *
 * The emulator asks for everything about a variant through dovetail.h, as a driver does: code, registers, the values of
 * user SGPRs, the sizes of rings and scratch memory. Statuses, messages, sized structs, yes and no, and Vulkan's
 * enumerations work here as dovetail.h says.
 *
 * THREADS. All functions are thread-safe. But only one thread at a time may use a framebuffer, or memory that shaders
 * write.
 */
#pragma once

#include "variants/c_api/include/dovetail.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Framebuffers ---- */

/* Colour, depth and stencil targets of one size. */
typedef struct dovetail_emulator_framebuffer dovetail_emulator_framebuffer;

/* The most that a framebuffer has. */
#define DOVETAIL_EMULATOR_COLOR_TARGETS 8

/* What a framebuffer is made from. */
typedef struct dovetail_emulator_framebuffer_description {
  size_t size;
  uint32_t width;   /* 1 to 16384; all layers and samples together may have 2^26 texels */
  uint32_t height;  /* 1 to 16384 */
  uint32_t layers;  /* default 1 */
  uint32_t samples; /* 1, 2, 4, 8 or 16; default 1 */
  uint32_t color_formats[DOVETAIL_EMULATOR_COLOR_TARGETS]; /* VkFormat; default: no such target */
  uint32_t depth_stencil_format;                           /* VkFormat; default: none */
  uint32_t reserved;
} dovetail_emulator_framebuffer_description;

/* All targets begin with 0. Errors: DOVETAIL_UNSUPPORTED, naming a format that cannot be a target here. */
DOVETAIL_API dovetail_status
dovetail_emulator_framebuffer_create(const dovetail_emulator_framebuffer_description *description,
                                     dovetail_emulator_framebuffer **framebuffer, dovetail_message *message);

/* NULL: does nothing. */
DOVETAIL_API void dovetail_emulator_framebuffer_destroy(dovetail_emulator_framebuffer *framebuffer);

/* A colour, in the numbers of its target. */
typedef union dovetail_emulator_color {
  float f[4];    /* red, green, blue, alpha; for all formats but integer ones */
  int32_t i[4];  /* for signed integer formats */
  uint32_t u[4]; /* for unsigned integer formats */
} dovetail_emulator_color;

/* What the targets are filled with. */
typedef struct dovetail_emulator_clear_values {
  size_t size;
  dovetail_emulator_color colors[DOVETAIL_EMULATOR_COLOR_TARGETS]; /* of the colour targets, by number */
  float depth;                                                     /* 0 to 1 */
  uint32_t stencil;                                                /* 0 to 255 */
} dovetail_emulator_clear_values;

/* Fills all targets, in all layers and samples. */
DOVETAIL_API dovetail_status dovetail_emulator_framebuffer_clear(dovetail_emulator_framebuffer *framebuffer,
                                                                 const dovetail_emulator_clear_values *values,
                                                                 dovetail_message *message);

/* Numbers of the targets behind the colours, which are 0 to 7. */
#define DOVETAIL_EMULATOR_DEPTH 8u   /* is read as VK_FORMAT_D32_SFLOAT */
#define DOVETAIL_EMULATOR_STENCIL 9u /* is read as VK_FORMAT_S8_UINT */

/* Rows from the top, layer by layer, tightly packed. */
typedef struct dovetail_emulator_picture {
  size_t size;
  uint32_t format;       /* VkFormat */
  uint32_t width;        /* texels */
  uint32_t height;       /* texels */
  uint32_t layers;       /* of the framebuffer */
  const uint8_t *texels; /* valid until the next call with this framebuffer */
  size_t texel_bytes;    /* of all texels */
} dovetail_emulator_picture;

/* Reads a target. Multisampled targets give the mean of the samples; for integers, sample 0. Errors:
 * DOVETAIL_BAD_ARGUMENT if there is no such target, and for multisampled depth or stencil. */
DOVETAIL_API dovetail_status dovetail_emulator_framebuffer_read(const dovetail_emulator_framebuffer *framebuffer,
                                                                uint32_t target, dovetail_emulator_picture *picture,
                                                                dovetail_message *message);

/* ---- What shaders read and write ---- */

/* An image in the caller's memory. */
typedef struct dovetail_emulator_image {
  size_t size;
  uint32_t format;     /* VkFormat */
  uint32_t view_type;  /* VkImageViewType */
  uint32_t width;      /* texels of level 0 */
  uint32_t height;     /* texels of level 0 */
  uint32_t depth;      /* default 1 */
  uint32_t layers;     /* default 1; cubes: a multiple of 6 */
  uint32_t mip_levels; /* default 1 */
  uint32_t samples;    /* default 1; else read only, and a texel is the value of all samples of its layer */
  /* Level 0 of all layers, then level 1, ...: each as layers, depth slices, rows, texels, tightly packed. */
  void *texels;
  size_t texel_bytes; /* of all texels; an error if sizes and format give another number */
} dovetail_emulator_image;

/* VkSamplerCreateInfo, with Vulkan's values. */
typedef struct dovetail_emulator_sampler {
  size_t size;
  uint32_t mag_filter;               /* VkFilter */
  uint32_t min_filter;               /* VkFilter */
  uint32_t mipmap_mode;              /* VkSamplerMipmapMode */
  uint32_t address_mode_u;           /* VkSamplerAddressMode */
  uint32_t address_mode_v;           /* VkSamplerAddressMode */
  uint32_t address_mode_w;           /* VkSamplerAddressMode */
  float mip_lod_bias;                /* levels */
  uint32_t compare_enable;           /* depth comparisons */
  uint32_t compare_op;               /* VkCompareOp */
  float min_lod;                     /* level */
  float max_lod;                     /* level */
  uint32_t border_color;             /* VkBorderColor */
  uint32_t unnormalized_coordinates; /* coordinates count texels */
  uint32_t reserved;
} dovetail_emulator_sampler;

/* One element of a binding of the program's layout. Shaders write to storage buffers, storage texel buffers and storage
 * images; after the call, the caller's memory has the written values. Descriptors with the same pointer are one buffer
 * or image. Memory that overlaps in another way is not shared. */
typedef struct dovetail_emulator_descriptor {
  uint32_t set;          /* of the layout */
  uint32_t binding;      /* of the layout */
  uint32_t element;      /* of the binding */
  uint32_t type;         /* VkDescriptorType */
  uint32_t texel_format; /* VkFormat, for texel buffers */
  uint32_t reserved;
  void *data;                               /* for buffers */
  size_t data_size;                         /* bytes */
  const dovetail_emulator_image *image;     /* for images, also with a sampler */
  const dovetail_emulator_sampler *sampler; /* for samplers, also with an image */
} dovetail_emulator_descriptor;

/* ---- Draws ---- */

/* The memory behind a binding of the state's vertex input. */
typedef struct dovetail_emulator_vertex_buffer {
  uint32_t binding; /* dovetail_vertex_binding::binding */
  uint32_t reserved;
  const void *data; /* elements */
  size_t data_size; /* bytes */
} dovetail_emulator_vertex_buffer;

/* VkViewport. */
typedef struct dovetail_emulator_viewport {
  float x;         /* of the left edge */
  float y;         /* of the upper edge; runs down */
  float width;     /* pixels */
  float height;    /* pixels; a negative one turns the picture round */
  float min_depth; /* 0 to 1 */
  float max_depth; /* 0 to 1 */
} dovetail_emulator_viewport;

/* VkRect2D. */
typedef struct dovetail_emulator_scissor {
  int32_t x;       /* of the left edge, pixels */
  int32_t y;       /* of the upper edge, pixels */
  uint32_t width;  /* pixels */
  uint32_t height; /* pixels */
} dovetail_emulator_scissor;

/* A piece of the caller's memory. */
typedef struct dovetail_emulator_memory {
  void *data;       /* the first byte */
  size_t data_size; /* bytes */
} dovetail_emulator_memory;

/* Begin with DOVETAIL_EMULATOR_DRAW_INIT. */
typedef struct dovetail_emulator_draw_description {
  size_t size;
  const dovetail_variant *variant; /* from dovetail_bind() for the next two members */
  const dovetail_program *program; /* that was bound */
  const dovetail_state *state;     /* its targets must be those of the framebuffer */

  /* Memory. */
  const dovetail_emulator_vertex_buffer *vertex_buffers;  /* of the bindings of the state */
  size_t vertex_buffer_count;                             /* rows */
  const dovetail_emulator_descriptor *descriptors;        /* of all resources of the program */
  size_t descriptor_count;                                /* rows */
  const void *push_constants;                             /* from byte 0 on */
  size_t push_constant_size;                              /* bytes */
  dovetail_emulator_memory transform_feedback_buffers[4]; /* by number; NULL: not bound, and nothing is written */

  /* Vertices. */
  const uint32_t *indices;    /* NULL: not indexed */
  size_t index_count;         /* length of `indices`; the draw takes vertex_count of them, from first_vertex on */
  uint32_t primitive_restart; /* index 0xffffffff begins a new strip */
  uint32_t vertex_count;      /* of each instance; with indices, their number */
  uint32_t instance_count;    /* 1 without instancing */
  uint32_t first_vertex;      /* as in VkDrawIndirectCommand */
  uint32_t first_instance;    /* as in VkDrawIndirectCommand */
  int32_t vertex_offset;      /* added to indices */

  /* State on which no code depends. */
  const dovetail_emulator_viewport *viewports; /* NULL: one, the whole framebuffer */
  size_t viewport_count;                       /* rows */
  const dovetail_emulator_scissor *scissors;   /* as many as viewports, or NULL: the whole framebuffer */
  size_t scissor_count;                        /* rows */
  uint32_t cull_mode;                          /* VkCullModeFlags */
  uint32_t front_face;                         /* VkFrontFace */
  uint32_t depth_test_enable;                  /* compares */
  uint32_t depth_write_enable;                 /* writes where the test passes */
  uint32_t depth_compare_op;                   /* VkCompareOp */
  uint32_t stencil_test_enable;                /* always passes, and writes stencil_reference or the shader's value */
  uint32_t stencil_reference;                  /* 0 to 255 */
  uint32_t sample_mask;                        /* bit i: sample i */
  float blend_constants[4];                    /* red, green, blue, alpha */
  float alpha_reference;                       /* for GL's alpha test */
  uint32_t reserved;
  float default_tess_levels[6]; /* for programs without a control shader: four outer, two inner */
} dovetail_emulator_draw_description;

/* Three vertices, one instance, all samples, no test, no culling. */
#define DOVETAIL_EMULATOR_DRAW_INIT                                                                                    \
  {                                                                                                                    \
    sizeof(dovetail_emulator_draw_description), NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, 0,                           \
        {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}, NULL, 0, 0, 3, 1, 0, 0, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, 3, 0,   \
        0, 0xffffffffu, {0, 0, 0, 0}, 0, 0, {                                                                          \
      1, 1, 1, 1, 1, 1                                                                                                 \
    }                                                                                                                  \
  }

/* What a draw or dispatch cost. */
typedef struct dovetail_emulator_statistics {
  size_t size;
  uint64_t waves;        /* number of waves that ran, of all stages */
  uint64_t instructions; /* that they executed; one for 64 lanes counts once */
} dovetail_emulator_statistics;

/* Draws into a framebuffer, over its present content. statistics may be NULL. Errors: DOVETAIL_CHECK_FAILED with the
 * text of a trap, if the code has a defect (an access outside of all memory, a register that nothing wrote, a missing
 * wait); DOVETAIL_UNSUPPORTED for features that are not emulated, such as two draws into multisampled targets;
 * DOVETAIL_STATE_MISMATCH if memory is missing that the program reads, and if the framebuffer's targets are not those
 * of the state; DOVETAIL_INVALID_INPUT for data that no draw can have, such as indices that are not there. After an
 * error, the framebuffer is unchanged. */
DOVETAIL_API dovetail_status dovetail_emulator_draw(dovetail_emulator_framebuffer *framebuffer,
                                                    const dovetail_emulator_draw_description *draw,
                                                    dovetail_emulator_statistics *statistics,
                                                    dovetail_message *message);

/* What a dispatch runs, and on which memory. */
typedef struct dovetail_emulator_dispatch_description {
  size_t size;
  const dovetail_variant *variant;                 /* from dovetail_bind() for the program */
  const dovetail_program *program;                 /* with a compute shader */
  const dovetail_emulator_descriptor *descriptors; /* of all resources of the program */
  size_t descriptor_count;                         /* rows */
  const void *push_constants;                      /* from byte 0 on */
  size_t push_constant_size;                       /* bytes */
  uint32_t workgroups[3];                          /* along x, y and z */
  uint32_t reserved;
} dovetail_emulator_dispatch_description;

/* Runs a compute program. Errors: as dovetail_emulator_draw(). */
DOVETAIL_API dovetail_status dovetail_emulator_dispatch(const dovetail_emulator_dispatch_description *dispatch,
                                                        dovetail_emulator_statistics *statistics,
                                                        dovetail_message *message);

#ifdef __cplusplus
}
#endif
