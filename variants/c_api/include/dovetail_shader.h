/* SPDX-License-Identifier: MIT
 *
 * Part of dovetail.h: formats, shaders with their inputs, outputs and resources, and programs of shaders.
 */
#pragma once

#include "variants/c_api/include/dovetail_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats ---- */

/* The type of the components of inputs, outputs and formats. */
typedef enum dovetail_numeric_class {
  DOVETAIL_NUMERIC_FLOAT = 0, /* normalised and scaled formats, too */
  DOVETAIL_NUMERIC_SINT = 1,  /* signed integers */
  DOVETAIL_NUMERIC_UINT = 2   /* unsigned integers */
} dovetail_numeric_class;

/* All 0 for a format that is neither a vertex nor a colour format. A 64-bit input of a shader takes only formats with
 * 64-bit components. Smaller inputs take all other formats; a shader that reads integers as floats, or floats as
 * integers, gets their bits. Integer outputs take integer formats; float outputs take all others. */
typedef struct dovetail_format_info {
  size_t size;
  uint32_t is_vertex_format; /* vertex attributes may have it */
  uint32_t is_color_format;  /* colour targets may have it */
  uint32_t is_blendable;     /* colour targets of it blend; on others blend_enable has no effect */
  uint32_t numeric_class;    /* dovetail_numeric_class */
  uint32_t component_count;  /* 1 to 4 */
  uint32_t component_bits;   /* of the first component */
  uint32_t element_bytes;    /* of a pixel, or of an attribute in the vertex buffer */
  uint32_t reserved;
} dovetail_format_info;

/* Tells what a VkFormat may be used as on a GPU. dovetail_state_create() accepts exactly these uses. gpu: see
 * dovetail_gpu_name(). Thread-safe. Errors: DOVETAIL_UNKNOWN_GPU, with the names that are known. */
DOVETAIL_API dovetail_status dovetail_format_get_info(const char *gpu, uint32_t format, dovetail_format_info *info,
                                                      dovetail_message *message);

/* VkSamplerYcbcrConversionCreateInfo, with Vulkan's values, and the filters of the sampler. */
typedef struct dovetail_ycbcr_conversion {
  size_t size;
  uint32_t format;                        /* VkFormat of the image */
  uint32_t model;                         /* VkSamplerYcbcrModelConversion */
  uint32_t range;                         /* VkSamplerYcbcrRange */
  uint32_t components[4];                 /* VkComponentSwizzle of r, g, b and a */
  uint32_t x_chroma_offset;               /* VkChromaLocation */
  uint32_t y_chroma_offset;               /* VkChromaLocation */
  uint32_t chroma_filter;                 /* VkFilter */
  uint32_t force_explicit_reconstruction; /* 0: no GPU here has it */
  uint32_t mag_filter;                    /* VkFilter */
  uint32_t min_filter;                    /* VkFilter */
  uint32_t reserved;                      /* 0 */
} dovetail_ycbcr_conversion;

/* The dword of a DOVETAIL_NODE_YCBCR_CONVERSION. Conversions that give the same colours have the same dword.
 * Thread-safe. Errors: DOVETAIL_UNSUPPORTED, naming the member, for formats that no conversion takes, for explicit
 * reconstruction and for values that Vulkan 1.3 does not have. */
DOVETAIL_API dovetail_status dovetail_ycbcr_conversion_get_dword(const dovetail_ycbcr_conversion *conversion,
                                                                 uint32_t *dword, dovetail_message *message);

/* ---- Layout of the root table ---- */

/* The root table is an array of dwords that the driver sets for each draw ("user data"). Its first dwords arrive in
 * SGPRs, as many as fit; see dovetail_stage_info::user_data. */
typedef enum dovetail_node_type {
  DOVETAIL_NODE_DESCRIPTOR_TABLE = 0, /* in the root table, one dword: low half of the address of a table */
  DOVETAIL_NODE_PUSH_CONSTANTS = 1,   /* in the root table: size_in_dwords dwords */
  /* In a descriptor table: offset_in_dwords counts from its start. */
  DOVETAIL_NODE_IMAGE = 2,                  /* 8 dwords */
  DOVETAIL_NODE_SAMPLER = 3,                /* 4 dwords */
  DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER = 4, /* 12 dwords: image, sampler */
  DOVETAIL_NODE_TEXEL_BUFFER = 5,           /* 4 dwords */
  DOVETAIL_NODE_BUFFER = 6,                 /* 4 dwords */
  /* 8 dwords: the FMASK descriptor of the multisampled image of the same set and binding, or 8 zeros for an image
   * without FMASK. Fetches and input attachments read through it; storage images never do. Without such a node, sample
   * n is fragment n, and the driver expands images before shaders read them. */
  DOVETAIL_NODE_FMASK = 7,
  /* Instead of a buffer's node. The shader's own code is compiled for it. */
  DOVETAIL_NODE_COMPACT_BUFFER = 8,  /* in a table, 2 dwords: the buffer's address. Accesses are not checked against its
                                        end, and a shader that asks for its length cannot be compiled */
  DOVETAIL_NODE_INLINE_UNIFORMS = 9, /* in a table: size_in_dwords dwords, the uniform block itself */
  DOVETAIL_NODE_ROOT_BUFFER = 10,    /* in the root table, 4 dwords: the buffer's descriptor */
  /* In the root table, beside a DOVETAIL_NODE_BUFFER in a table: one dword for each of its elements, the bytes that are
   * added to its address (Vulkan's dynamic uniform and storage buffers). */
  DOVETAIL_NODE_DYNAMIC_OFFSET = 11,
  /* Instead of a sampler's node, or beside the DOVETAIL_NODE_IMAGE of the same set and binding: 4 dwords for each
   * element, in dovetail_program_options::immutable_samplers from offset_in_dwords on. They are in no table. */
  DOVETAIL_NODE_IMMUTABLE_SAMPLER = 12,
  /* The YCbCr conversion of the sampler of the same set and binding: 1 dword for each element, from
   * dovetail_ycbcr_conversion_get_dword(), also in dovetail_program_options::immutable_samplers. The shader's own code
   * is compiled for it. The shader must choose the sampler by a constant, unless all elements convert alike. */
  DOVETAIL_NODE_YCBCR_CONVERSION = 13,
  /* 8 dwords each: the second and third plane of the image of the same set and binding, as far as the format has
   * them. */
  DOVETAIL_NODE_IMAGE_PLANE_1 = 14,
  DOVETAIL_NODE_IMAGE_PLANE_2 = 15 /* as DOVETAIL_NODE_IMAGE_PLANE_1 */
} dovetail_node_type;

/* A table, or an element of one: a place in the root table or in a descriptor table. */
typedef struct dovetail_layout_node {
  uint32_t type;             /* dovetail_node_type */
  uint32_t set;              /* of the table, or of the table that the element is in */
  uint32_t binding;          /* of the resource; 0 for a table and for push constants */
  uint32_t offset_in_dwords; /* offset + size is below 2^30, too */
  uint32_t size_in_dwords;   /* of all elements of an array */
  uint32_t stride_in_dwords; /* from element to element of an array */
} dovetail_layout_node;

/* ---- Shaders ---- */

/* The stages of the API. */
typedef enum dovetail_shader_stage {
  DOVETAIL_STAGE_VERTEX = 0,          /* vertex shaders */
  DOVETAIL_STAGE_TESS_CONTROL = 1,    /* tessellation control shaders */
  DOVETAIL_STAGE_TESS_EVALUATION = 2, /* tessellation evaluation shaders */
  DOVETAIL_STAGE_GEOMETRY = 3,        /* geometry shaders */
  DOVETAIL_STAGE_FRAGMENT = 4,        /* fragment shaders */
  DOVETAIL_STAGE_COMPUTE = 5          /* compute shaders */
} dovetail_shader_stage;

/* When a shader's own code is compiled. */
typedef enum dovetail_compile_time {
  DOVETAIL_COMPILE_AT_FIRST_USE = 0, /* by the bind that needs it */
  DOVETAIL_COMPILE_NOW = 1,          /* before dovetail_shader_create() returns */
  DOVETAIL_COMPILE_IN_BACKGROUND = 2 /* soon; the bind that needs it returns its errors */
} dovetail_compile_time;

/* The API whose rules a module follows. */
typedef enum dovetail_environment {
  DOVETAIL_ENVIRONMENT_VULKAN = 0, /* 1.0 to 1.3 */
  DOVETAIL_ENVIRONMENT_OPENGL = 1  /* 4.6, GL_ARB_gl_spirv */
} dovetail_environment;

/* OpenGL has no descriptor sets, so each kind of its resources gets one. The comment names the binding in that set. */
typedef enum dovetail_opengl_set {
  DOVETAIL_OPENGL_UNIFORM_BUFFERS = 0, /* OpenGL's */
  DOVETAIL_OPENGL_STORAGE_BUFFERS = 1, /* OpenGL's */
  DOVETAIL_OPENGL_TEXTURES = 2,        /* the texture unit; textures without a location */
  DOVETAIL_OPENGL_IMAGES = 3,          /* the image unit; images without a location */
  DOVETAIL_OPENGL_ATOMIC_COUNTERS = 4, /* OpenGL's, of a storage buffer whose members are the counters */
  DOVETAIL_OPENGL_DEFAULT_BLOCK = 5, /* dovetail_shader_stage, of a uniform buffer. Its members are the uniforms outside
                                        of blocks, laid out by the rules of std430 in the order of their locations */
  DOVETAIL_OPENGL_UNIFORMS = 6 /* the location of a texture or an image, also of one in a structure; for arrays, the
                                  first element's location. The texture or image unit may change while the program is
                                  used; at first it is dovetail_descriptor_info::declared_binding */
} dovetail_opengl_set;

/* The value of a specialisation constant. */
typedef struct dovetail_spec_constant {
  uint64_t value; /* the low bits, as many as the constant's type has; a bool is true unless they are 0 */
  uint32_t id;    /* SpecId; ids that the module does not have are ignored */
  uint32_t reserved;
} dovetail_spec_constant;

/* Of dovetail_color_input::back: there is none. */
#define DOVETAIL_NO_LOCATION 0xffu

/* Locations of the inputs of a fragment shader that are one of GL's colours. Such inputs depend on the shade model and
 * on the side that is seen. */
typedef struct dovetail_color_input {
  uint32_t color; /* 0: primary, 1: secondary */
  uint32_t front; /* location */
  uint32_t back;  /* location, or DOVETAIL_NO_LOCATION */
} dovetail_color_input;

/* Lanes of a wave on all GPUs: gl_SubgroupSize, and both minSubgroupSize and maxSubgroupSize of
 * VkPhysicalDeviceSubgroupSizeControlProperties, for every stage. A workgroup has at most 16 subgroups. */
#define DOVETAIL_SUBGROUP_SIZE 64u

/* VkPipelineShaderStageCreateFlagBits. */
typedef enum dovetail_subgroup_flags {
  DOVETAIL_SUBGROUP_ALLOW_VARYING_SIZE = 1, /* changes nothing: there is one size */
  /* Compute: each subgroup has DOVETAIL_SUBGROUP_SIZE invocations. Vulkan requires that the workgroup's size along x is
   * a multiple of that. */
  DOVETAIL_SUBGROUP_REQUIRE_FULL = 2
} dovetail_subgroup_flags;

/* Which denormals of 32 bits a shader keeps. */
typedef enum dovetail_denormal_mode {
  DOVETAIL_DENORMAL_AS_DECLARED = 0, /* as the shader says; if it says nothing, they become 0 */
  DOVETAIL_DENORMAL_PRESERVE = 1,    /* kept, whatever the shader says */
  DOVETAIL_DENORMAL_FLUSH = 2        /* become 0, whatever the shader says */
} dovetail_denormal_mode;

/* A driver's choices for one shader. All 0: none. */
typedef struct dovetail_shader_options {
  size_t size;
  uint32_t vgpr_limit;                 /* at most so many registers; 0: the GPU's */
  uint32_t sgpr_limit;                 /* the same for SGPRs */
  uint32_t min_waves_per_simd;         /* the compiler spares registers for so many */
  uint32_t max_workgroups_per_unit;    /* compute: at most so many run on a compute unit at a time */
  uint32_t unroll_threshold;           /* LLVM's measure of how large unrolled loops may be; 0: 700 */
  uint32_t disable_loop_unroll;        /* 1: LLVM leaves loops as they are */
  uint32_t trap_present;               /* a trap handler is there: TRAP_PRESENT of the program's RSRC2 */
  uint32_t debug_mode;                 /* the trap handler is called after each instruction: DEBUG_MODE of RSRC1 */
  uint32_t allow_re_z;                 /* fragment: depth may be tested before the shader and again after it */
  uint32_t force_late_z;               /* fragment: depth is tested after the shader, unless it declares early tests */
  uint32_t view_index_is_device_index; /* VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT */
  uint32_t denormals;                  /* dovetail_denormal_mode */
} dovetail_shader_options;

/* What a shader is made from. `words` and `word_count` are needed; all else may be 0. */
typedef struct dovetail_shader_description {
  size_t size;
  const char *name;        /* its name in messages. Default: the stage */
  const uint32_t *words;   /* SPIR-V 1.0 to 1.6 in the machine's byte order. Needed. */
  size_t word_count;       /* dwords */
  const char *entry_point; /* default "main" */
  uint32_t stage;          /* dovetail_shader_stage */
  uint32_t compile;        /* dovetail_compile_time: of the shader's own code, its main part */
  uint32_t next_stage;     /* dovetail_shader_stage that will follow a vertex or evaluation shader, as far as is known.
                              Default (0): fragment. A wrong guess costs a second compile. */
  uint32_t has_layout;     /* 1: `layout` is the layout of the shader's programs, also if it is empty */
  const dovetail_layout_node *layout; /* only the types of its nodes count: code does not depend on places. Without a
                                         layout, code is compiled for images, FMASK, samplers and buffers in tables */
  size_t layout_count;                /* nodes */
  const dovetail_spec_constant *spec_constants; /* NULL: all have their defaults */
  size_t spec_constant_count;                   /* rows */
  const dovetail_color_input *color_inputs;     /* of a fragment shader of GL */
  size_t color_input_count;                     /* at most 2 */
  uint32_t environment;                         /* dovetail_environment */
  uint32_t dynamic_buffers;                     /* as in the dovetail_program_options of its programs */
  uint32_t required_subgroup_size;              /* VkPipelineShaderStageRequiredSubgroupSizeCreateInfo; 0: none */
  uint32_t subgroup_flags;                      /* dovetail_subgroup_flags */
  const dovetail_shader_options *options;       /* NULL: nothing is chosen */
} dovetail_shader_description;

/* Thread-safe. Errors: DOVETAIL_INVALID_INPUT and DOVETAIL_UNSUPPORTED, with word offset and instruction;
 * DOVETAIL_UNSUPPORTED for a required subgroup size that no wave has; DOVETAIL_STATE_MISMATCH for a workgroup that
 * cannot have full subgroups; with DOVETAIL_COMPILE_NOW also those of the compiler. */
DOVETAIL_API dovetail_status dovetail_shader_create(dovetail_device *device,
                                                    const dovetail_shader_description *description,
                                                    dovetail_shader **shader, dovetail_message *message);

/* Programs that contain the shader keep what they need of it. Thread-safe. */
DOVETAIL_API void dovetail_shader_destroy(dovetail_shader *shader);

/* ---- Reflection ---- */

/* The declarations that a shader's entry point uses, with the given specialisation constants. Names are those of the
 * module, "" where it has none; they and the other pointers live as long as the shader. */
typedef struct dovetail_shader_info {
  size_t size;
  const char *name;              /* the name in the description */
  const char *entry_point;       /* the name in the description */
  uint32_t stage;                /* dovetail_shader_stage */
  uint32_t input_count;          /* dovetail_shader_get_input() */
  uint32_t output_count;         /* dovetail_shader_get_output() */
  uint32_t builtin_count;        /* dovetail_shader_get_builtin() */
  uint32_t descriptor_count;     /* dovetail_shader_get_descriptor() */
  uint32_t spec_constant_count;  /* dovetail_shader_get_spec_constant() */
  uint32_t push_constant_begin;  /* the range of push constants, in bytes: offset of the first member */
  uint32_t push_constant_end;    /* end of the last one; 0: there are none */
  uint32_t push_constant_count;  /* members of the block: dovetail_shader_get_member() */
  uint32_t patch_control_points; /* control shaders: of the patches that they read, if known; else 0 */
  uint32_t workgroup_size[3];    /* compute; else 0 */
  uint32_t uses_atomics;         /* on buffers, images or shared memory */
  uint32_t entry_point_count;    /* of the whole module: dovetail_shader_get_entry_point() */
  uint32_t reserved;
  uint64_t cache_hash[2]; /* of module, entry point, stage, environment, specialisation constants, colours and options.
                             A layout is not in it; of a layout, only the types of its nodes change the shader's code */
} dovetail_shader_info;

/* Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_info(const dovetail_shader *shader, dovetail_shader_info *info,
                                                      dovetail_message *message);

/* An entry point of a shader's module. */
typedef struct dovetail_entry_point_info {
  size_t size;
  const char *name; /* in the module */
  uint32_t stage;   /* dovetail_shader_stage */
  uint32_t reserved;
} dovetail_entry_point_info;

/* An entry point of the shader's module, in the module's order. index: below dovetail_shader_info::entry_point_count.
 * Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_entry_point(const dovetail_shader *shader, uint32_t index,
                                                             dovetail_entry_point_info *info,
                                                             dovetail_message *message);

/* How an input of a fragment shader is interpolated. */
typedef enum dovetail_interpolation {
  DOVETAIL_INTERPOLATION_PERSPECTIVE = 0, /* SPIR-V's default */
  DOVETAIL_INTERPOLATION_LINEAR = 1,      /* noperspective */
  DOVETAIL_INTERPOLATION_FLAT = 2         /* the value of the provoking vertex */
} dovetail_interpolation;

/* Where an input of a fragment shader is interpolated. */
typedef enum dovetail_interpolation_point {
  DOVETAIL_INTERPOLATION_CENTER = 0,   /* of the pixel: SPIR-V's default */
  DOVETAIL_INTERPOLATION_CENTROID = 1, /* of the covered samples */
  DOVETAIL_INTERPOLATION_SAMPLE = 2    /* each sample, for which the shader then runs */
} dovetail_interpolation_point;

/* One location of an input or output variable; a matrix or an array has several. */
typedef struct dovetail_interface_info {
  size_t size;
  const char *name;             /* of the variable */
  uint32_t location;            /* as declared, plus the row of a matrix or array */
  uint32_t second_source;       /* fragment outputs: the second source of dual-source blending (index 1) */
  uint32_t component_mask;      /* components of 32 bits, bit 0 is x; a component of 64 bits covers two */
  uint32_t numeric_class;       /* dovetail_numeric_class */
  uint32_t component_bits;      /* 16, 32 or 64 */
  uint32_t interpolation;       /* dovetail_interpolation: fragment inputs, and outputs that declare it */
  uint32_t interpolation_point; /* dovetail_interpolation_point */
  uint32_t is_patch;            /* tessellation: of the whole patch */
  uint32_t stream;              /* geometry outputs */
  uint32_t feeds_position;      /* vertex inputs: gl_Position is computed from it */
} dovetail_interface_info;

/* index: below dovetail_shader_info::input_count; sorted by location. Arrays over vertices count as one vertex.
 * Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_input(const dovetail_shader *shader, uint32_t index,
                                                       dovetail_interface_info *info, dovetail_message *message);

/* index: below dovetail_shader_info::output_count; sorted by location. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_output(const dovetail_shader *shader, uint32_t index,
                                                        dovetail_interface_info *info, dovetail_message *message);

/* A built-in variable of a shader. */
typedef struct dovetail_builtin_info {
  size_t size;
  uint32_t builtin;       /* SPIR-V's number of the BuiltIn */
  uint32_t elements;      /* of an array: gl_ClipDistance; else 1 */
  uint32_t is_output;     /* 0: an input */
  uint32_t is_per_vertex; /* one for each vertex of a patch or primitive: gl_in[] */
} dovetail_builtin_info;

/* index: below dovetail_shader_info::builtin_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_builtin(const dovetail_shader *shader, uint32_t index,
                                                         dovetail_builtin_info *info, dovetail_message *message);

/* The kinds of a shader's resources. */
typedef enum dovetail_descriptor_kind {
  DOVETAIL_DESCRIPTOR_UNIFORM_BUFFER = 0,         /* VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER */
  DOVETAIL_DESCRIPTOR_STORAGE_BUFFER = 1,         /* VK_DESCRIPTOR_TYPE_STORAGE_BUFFER */
  DOVETAIL_DESCRIPTOR_SAMPLED_IMAGE = 2,          /* VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE */
  DOVETAIL_DESCRIPTOR_STORAGE_IMAGE = 3,          /* VK_DESCRIPTOR_TYPE_STORAGE_IMAGE */
  DOVETAIL_DESCRIPTOR_SAMPLER = 4,                /* VK_DESCRIPTOR_TYPE_SAMPLER */
  DOVETAIL_DESCRIPTOR_COMBINED_IMAGE_SAMPLER = 5, /* VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER */
  DOVETAIL_DESCRIPTOR_UNIFORM_TEXEL_BUFFER = 6,   /* VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER */
  DOVETAIL_DESCRIPTOR_STORAGE_TEXEL_BUFFER = 7,   /* VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER */
  DOVETAIL_DESCRIPTOR_INPUT_ATTACHMENT = 8        /* VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT */
} dovetail_descriptor_kind;

/* SPIR-V's dimensions of images. */
typedef enum dovetail_image_dimension {
  DOVETAIL_IMAGE_1D = 0,     /* Dim1D */
  DOVETAIL_IMAGE_2D = 1,     /* Dim2D */
  DOVETAIL_IMAGE_3D = 2,     /* Dim3D */
  DOVETAIL_IMAGE_CUBE = 3,   /* DimCube */
  DOVETAIL_IMAGE_RECT = 4,   /* DimRect: OpenGL alone */
  DOVETAIL_IMAGE_BUFFER = 5, /* DimBuffer: texel buffers */
  DOVETAIL_IMAGE_SUBPASS = 6 /* DimSubpassData: input attachments */
} dovetail_image_dimension;

/* How many dimensions of an array dovetail_descriptor_info and dovetail_member_info have room for. */
#define DOVETAIL_MAX_ARRAY_DIMENSIONS 8

/* A descriptor of a shader, or an array of descriptors. */
typedef struct dovetail_descriptor_info {
  size_t size;
  const char *name;      /* of the variable, or of the block */
  uint32_t set;          /* of OpenGL: dovetail_opengl_set */
  uint32_t binding;      /* of the first element */
  uint32_t kind;         /* dovetail_descriptor_kind */
  uint32_t array_size;   /* elements of all array dimensions; 1: no array; 0: a runtime array */
  uint32_t block_bytes;  /* buffers: to the end of the last member, without elements of a runtime array */
  uint32_t member_count; /* buffers: dovetail_shader_get_member() */
  /* Images and texel buffers; else 0. */
  uint32_t image_dimension;       /* dovetail_image_dimension */
  uint32_t image_is_arrayed;      /* it has layers */
  uint32_t image_is_multisampled; /* it has samples */
  uint32_t image_numeric_class;   /* dovetail_numeric_class of what is read */
  uint32_t image_format;          /* VkFormat that the shader declares, of storage images and texel buffers; else 0 */
  uint32_t compares_depth;        /* images and samplers: the shader compares with a reference */
  uint32_t declared_binding;      /* OpenGL: the module's; `binding` is that of dovetail_opengl_set */
  /* OpenGL: textures and images with a location; else 0. The element [i][j] of the descriptor array is
   * i * array_counts[1] + j, and has the location binding + i * array_locations[0] + j * array_locations[1]. */
  uint32_t array_dimensions; /* their number; the arrays below have the first DOVETAIL_MAX_ARRAY_DIMENSIONS */
  uint32_t array_counts[DOVETAIL_MAX_ARRAY_DIMENSIONS];    /* outermost first */
  uint32_t array_locations[DOVETAIL_MAX_ARRAY_DIMENSIONS]; /* of each dimension: from one element to the next */
} dovetail_descriptor_info;

/* index: below dovetail_shader_info::descriptor_count; sorted by set and binding. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_descriptor(const dovetail_shader *shader, uint32_t index,
                                                            dovetail_descriptor_info *info, dovetail_message *message);

/* In place of a descriptor's index: the block of push constants. */
#define DOVETAIL_PUSH_CONSTANTS 0xffffffffu

/* A scalar, vector or matrix in a block. Structs are taken apart, and a member has the dimensions of all arrays around
 * it: the element [i][j] is at offset + i * array_strides[0] + j * array_strides[1]. */
typedef struct dovetail_member_info {
  size_t size;
  const char *name;          /* "lights.color" */
  uint32_t offset;           /* bytes from the start of the block */
  uint32_t numeric_class;    /* dovetail_numeric_class */
  uint32_t component_bits;   /* 8, 16, 32 or 64 */
  uint32_t rows;             /* components of a vector, or of a matrix' column */
  uint32_t columns;          /* of a matrix; else 1 */
  uint32_t matrix_stride;    /* bytes from column to column, or from row to row if is_row_major */
  uint32_t is_row_major;     /* of a matrix; else 0 */
  uint32_t is_address;       /* a 64-bit address of a physical storage buffer; the module may keep it as integers */
  uint32_t array_dimensions; /* their number; the arrays below have the first DOVETAIL_MAX_ARRAY_DIMENSIONS */
  uint32_t array_counts[DOVETAIL_MAX_ARRAY_DIMENSIONS];  /* outermost first; 0: a runtime array */
  uint32_t array_strides[DOVETAIL_MAX_ARRAY_DIMENSIONS]; /* bytes */
  uint32_t reserved;
  uint32_t has_location;                                   /* the member is in OpenGL's default block */
  uint32_t location;                                       /* if has_location: of the first element */
  uint32_t array_locations[DOVETAIL_MAX_ARRAY_DIMENSIONS]; /* if has_location: from element to element */
} dovetail_member_info;

/* descriptor: index of a buffer, or DOVETAIL_PUSH_CONSTANTS; index: below its number of members. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_member(const dovetail_shader *shader, uint32_t descriptor,
                                                        uint32_t index, dovetail_member_info *info,
                                                        dovetail_message *message);

/* A specialisation constant of a shader. */
typedef struct dovetail_spec_constant_info {
  size_t size;
  const char *name;       /* of the constant */
  uint64_t default_value; /* the module's */
  uint32_t id;            /* SpecId */
  uint32_t numeric_class; /* dovetail_numeric_class; a bool is DOVETAIL_NUMERIC_UINT of 1 bit */
  uint32_t bits;          /* of its type */
  uint32_t reserved;
} dovetail_spec_constant_info;

/* index: below dovetail_shader_info::spec_constant_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_spec_constant(const dovetail_shader *shader, uint32_t index,
                                                               dovetail_spec_constant_info *info,
                                                               dovetail_message *message);

/* ---- Programs ---- */

/* Programs without a driver's layout get the automatic one. Its root table has the tables of the used sets in ascending
 * order, the offsets of dynamic buffers, and the push constants. In a table, each binding lies at its number times
 * DOVETAIL_AUTOMATIC_SLOT_DWORDS, whatever else is in the set, so tables need not change with the program. Nodes
 * without room there lie behind all others: arrays that would reach into the next used binding, FMASK, and numbers
 * beyond 21,844. Runtime arrays come last, with 16 elements. */
#define DOVETAIL_AUTOMATIC_SLOT_DWORDS 12

/* Buffers with dynamic offsets, in the automatic layout. */
typedef enum dovetail_dynamic_buffers {
  DOVETAIL_DYNAMIC_UNIFORM_BUFFERS = 1, /* all uniform buffers have a DOVETAIL_NODE_DYNAMIC_OFFSET */
  DOVETAIL_DYNAMIC_STORAGE_BUFFERS = 2  /* all storage buffers have one */
} dovetail_dynamic_buffers;

/* How the resources of a program are laid out, and what publications hand back. All may be 0. */
typedef struct dovetail_program_options {
  size_t size;
  uint32_t has_layout;                /* 0: the automatic layout */
  uint32_t dynamic_buffers;           /* for the automatic layout: bits of dovetail_dynamic_buffers */
  const dovetail_layout_node *layout; /* if has_layout */
  size_t layout_count;                /* nodes */
  void *user;                         /* for dovetail_publication::program_user */
  const uint32_t *immutable_samplers; /* of DOVETAIL_NODE_IMMUTABLE_SAMPLER and DOVETAIL_NODE_YCBCR_CONVERSION */
  size_t immutable_sampler_dwords;    /* their number */
} dovetail_program_options;

/* Takes at most one shader of each stage: {compute}, or {vertex} and any stages behind it. options may be NULL.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT for two shaders of one stage, and for stages that cannot be drawn with
 * (the message names them); DOVETAIL_STATE_MISMATCH if their resources cannot be laid out together. */
DOVETAIL_API dovetail_status dovetail_program_create(dovetail_device *device, dovetail_shader *const *shaders,
                                                     size_t shader_count, const dovetail_program_options *options,
                                                     dovetail_program **program, dovetail_message *message);

/* Cancels the builds for the program that wait in the background. Its variants stay until they are evicted.
 * Thread-safe. */
DOVETAIL_API void dovetail_program_destroy(dovetail_program *program);

/* Returns where the program finds its resources: the layout that it was given, or the automatic one, first the nodes of
 * the root table, then the elements of descriptor tables. `*count`: on entry the nodes that `nodes` has room for; on
 * return their number. With nodes == NULL, the call returns only the number. Thread-safe. Errors:
 * DOVETAIL_BUFFER_TOO_SMALL; only the count is written then. */
DOVETAIL_API dovetail_status dovetail_program_get_layout(const dovetail_program *program, dovetail_layout_node *nodes,
                                                         size_t *count, dovetail_message *message);

#ifdef __cplusplus
}
#endif
