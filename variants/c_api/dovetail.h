/* SPDX-License-Identifier: MIT
 *
 * dovetail.h: Dovetail for drivers, in C99. SPIR-V shaders become machine code once; every later variant of them, for
 * another pipeline state, is made by joining binaries. docs/c-api.md has an example to begin with:
 *
 *   dovetail_device_create()   one for each GPU
 *   dovetail_shader_create()   one for each API shader
 *   dovetail_program_create()  shaders that are drawn with together
 *   dovetail_binder_create()   one for each context or thread
 *   dovetail_bind()            program and state -> variant, ready to upload
 *
 * Formats, topologies, blend factors and the like are uint32_t and have the values of the Vulkan enumeration that the
 * comment names; vulkan_core.h is not needed. No function calls exit(), prints, throws, installs a signal handler or
 * changes an option of LLVM.
 *
 * STATUS. Functions that can fail return a dovetail_status. If it is not DOVETAIL_OK, nothing has changed, except that
 * handles which were to be returned are NULL. The last parameter, which may be NULL, receives what went wrong in words:
 * it names the input (argument, struct member, SPIR-V word offset, set and binding). Besides the errors that a function
 * lists, every one can return DOVETAIL_BAD_ARGUMENT (NULL where NULL is not allowed, a value that its enumeration does
 * not have, a struct of a wrong size), DOVETAIL_OUT_OF_MEMORY and DOVETAIL_INTERNAL. On success, the message is empty.
 *
 * STRUCTS. The first member of most structs is `size`: set it to sizeof the struct, as your compiler knows it, before
 * the call. Members that a smaller (older) struct does not have take their defaults; a larger (newer) one is an error
 * unless the bytes that this library does not know are 0. Zero is the default of every member of the `_options` and
 * `_description` structs; dovetail_pipeline_state has an initializer. Structs that the library fills in are filled as
 * far as their size goes, and what it does not know is set to 0. Structs without `size` never change. Members named
 * `reserved` are 0. Members that say yes or no are uint32_t: 0 or 1, anything else is an error.
 *
 * OWNERSHIP. What a caller passes in is copied; it need not outlive the call. What `_create` returned is the caller's,
 * until he passes it to `_destroy`. Destroying NULL does nothing. Using what was destroyed, or destroying it twice, is
 * undefined. Everything that was made from a device goes before it, except retained variants. Shaders, programs and
 * binders of different devices do not go together (DOVETAIL_BAD_ARGUMENT); states and uniforms go with those of every
 * device.
 *
 * THREADS. Each function says what it allows. "Thread-safe" means: from any thread, also at the same time on the same
 * objects, except while one of them is being created or destroyed. No lock of the library is held in a callback.
 * Callbacks may call every function but dovetail_device_destroy() and dovetail_device_drain(), and must not throw.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DOVETAIL_API __attribute__((visibility("default")))
#else
#define DOVETAIL_API
#endif

/* ---- Version ---- */

#define DOVETAIL_VERSION_MAJOR 0
#define DOVETAIL_VERSION_MINOR 2
#define DOVETAIL_VERSION_PATCH 0
#define DOVETAIL_MAKE_VERSION(major, minor, patch)                                                                     \
  ((uint32_t)(major)*1000000u + (uint32_t)(minor)*1000u + (uint32_t)(patch))
#define DOVETAIL_VERSION DOVETAIL_MAKE_VERSION(DOVETAIL_VERSION_MAJOR, DOVETAIL_VERSION_MINOR, DOVETAIL_VERSION_PATCH)

/* The library's DOVETAIL_VERSION, which may be another one than the header's. Libraries with the same major version
 * (below 1.0: the same minor version) serve all older headers. Thread-safe. */
DOVETAIL_API uint32_t dovetail_version(void);

/* Names all that code depends on, other than shaders and states: the versions of Dovetail and of LLVM, and the build.
 * 32 hexadecimal digits; static. A driver that keeps variants in a cache of its own has this in its keys. Thread-safe.
 */
DOVETAIL_API const char *dovetail_build_id(void);

/* How many GPUs can be compiled for. Thread-safe. */
DOVETAIL_API size_t dovetail_gpu_count(void);

/* LLVM's name of a GPU's processor ("gfx900"). NULL from dovetail_gpu_count() on. Static. Thread-safe. */
DOVETAIL_API const char *dovetail_gpu_name(size_t index);

/* ---- Status ---- */

typedef enum dovetail_status {
  DOVETAIL_OK = 0,
  DOVETAIL_INVALID_INPUT = 1,    /* what the caller gave is malformed: SPIR-V that does not validate, for example */
  DOVETAIL_UNSUPPORTED = 2,      /* well formed, but nothing here implements it */
  DOVETAIL_UNKNOWN_GPU = 3,      /* see dovetail_gpu_name() */
  DOVETAIL_STATE_MISMATCH = 4,   /* the pipeline state contradicts the shaders, or they contradict each other */
  DOVETAIL_COMPILE_FAILED = 5,   /* LLVM reported an error */
  DOVETAIL_JOIN_REFUSED = 6,     /* parts do not fit together, or do not fit into the hardware */
  DOVETAIL_CHECK_FAILED = 7,     /* a finished image has a defect */
  DOVETAIL_IO = 8,               /* a file could not be read or written */
  DOVETAIL_CANCELLED = 10,       /* whoever wanted it has gone */
  DOVETAIL_INTERNAL = 11,        /* a defect of this library */
  DOVETAIL_OUT_OF_MEMORY = 12,   /* an allocation failed */
  DOVETAIL_BAD_ARGUMENT = 13,    /* the call itself is wrong; the message names the argument */
  DOVETAIL_BUFFER_TOO_SMALL = 14 /* the caller's buffer; the size that is needed was returned */
} dovetail_status;

/* A few words for a status: "out of memory". Static, never NULL, also for numbers that are not in the enumeration.
 * Thread-safe. */
DOVETAIL_API const char *dovetail_status_text(dovetail_status status);

/* What went wrong, in UTF-8, with a final 0. A text that does not fit is cut off and ends in "...". The caller's own,
 * so threads do not disturb each other. */
typedef struct dovetail_message {
  char text[1024];
} dovetail_message;

/* ---- Device ---- */

/* All that the programs of one GPU share: parts, variants, compilers, the background. A process may have several, for
 * the same GPU or for different ones. */
typedef struct dovetail_device dovetail_device;
/* An API shader. */
typedef struct dovetail_shader dovetail_shader;
/* Shaders that are drawn with together, and the layout of their root table. */
typedef struct dovetail_program dovetail_program;
/* A pipeline state. */
typedef struct dovetail_state dovetail_state;
/* Values of uniforms. */
typedef struct dovetail_uniforms dovetail_uniforms;
/* One thread's way to a device's variants. */
typedef struct dovetail_binder dovetail_binder;
/* A program under a state: machine code and register values. Never changes. */
typedef struct dovetail_variant dovetail_variant;

/* When variants are compiled again as a whole, in the background, to be faster. */
typedef enum dovetail_policy {
  DOVETAIL_POLICY_OFF = 0,
  DOVETAIL_POLICY_HOT = 1,   /* those that were bound hot_binds times */
  DOVETAIL_POLICY_ALWAYS = 2 /* each, as soon as it is joined */
} dovetail_policy;

typedef enum dovetail_log_level {
  DOVETAIL_LOG_WARNING = 0 /* something is turned off or was given up: the store, a build in the background */
} dovetail_log_level;

/* A variant was replaced by a better one, which binds find from now on. */
typedef struct dovetail_publication {
  size_t size;
  const dovetail_variant *variant;  /* valid in the callback; retain it to keep it */
  const dovetail_variant *replaced; /* likewise: the joined one, or the fallback */
  uint64_t generation;              /* of the device, this publication included */
  /* `user` of the program and of the state that were bound: dovetail_program_options, dovetail_pipeline_state. Where
   * several of them come to one variant, each pair of pointers has a publication of its own; equal programs, and equal
   * states, with the same pointers are one. A publication may come after they were destroyed, until the device is
   * drained. */
  void *program_user;
  void *state_user;
} dovetail_publication;

/* Memory that this C layer allocates, which is that of its handles. Blocks for code, for the compiler, for the parts
 * and variants behind a handle and for all bookkeeping of the C++ library are NOT allocated here: LLVM and the C++
 * standard library use the process's own operator new and malloc, which no library can redirect. Both functions or
 * none. Called on the threads that create and destroy. */
typedef struct dovetail_allocator {
  void *user;
  /* Returns NULL, and the call returns DOVETAIL_OUT_OF_MEMORY; or a block aligned to `alignment`, a power of two. */
  void *(*allocate)(void *user, size_t size, size_t alignment);
  void (*free)(void *user, void *block);
} dovetail_allocator;

typedef struct dovetail_device_options {
  size_t size;
  const char *gpu;          /* LLVM's name: "gfx900". Needed. */
  uint32_t policy;          /* dovetail_policy */
  uint32_t hot_binds;       /* default 64 */
  uint32_t threads;         /* that work in the background at the same time; default 1 */
  uint32_t max_queued;      /* builds that wait in the background; what exceeds it is not enqueued. Default 64 */
  uint64_t memory_budget;   /* bytes of variants and parts; what is referenced is kept beyond it. Default 256 MiB */
  const char *store_path;   /* a folder for parts on disk, shared by processes; made if missing, with its parents.
                               Default: no store; "" is an error */
  uint64_t store_max_bytes; /* default 1 GiB */
  uint32_t store_read_only;
  /* Use the folder even if it is a link, belongs to somebody else, or others may write to it: whoever may write to it
   * chooses the machine code that runs. */
  uint32_t store_trust_folder;
  /* Called on any thread, several at the same time, also before dovetail_device_create() returns. */
  void *log_user;
  void (*log)(void *user, dovetail_log_level level, const char *text);
  /* Called on background threads, also while dovetail_device_destroy() waits for them. May bind, with a binder of its
   * own; a caller whose callback makes handles drains the device before he destroys it. */
  void *publication_user;
  void (*on_publication)(void *user, const dovetail_publication *publication);
  /* Copied, and used until everything that was made from the device is destroyed. */
  dovetail_allocator allocator;
} dovetail_device_options;

/* Thread-safe. A store that cannot be used is a warning, not an error. Errors: DOVETAIL_UNKNOWN_GPU, with the names
 * that are known. */
DOVETAIL_API dovetail_status dovetail_device_create(const dovetail_device_options *options, dovetail_device **device,
                                                    dovetail_message *message);

/* Cancels what waits in the background and waits for what runs. Errors: DOVETAIL_BAD_ARGUMENT, with their number, while
 * shaders, programs, states, uniforms or binders of the device exist; the device stays as it is. One thread, with
 * nobody else using the device; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_destroy(dovetail_device *device, dovetail_message *message);

/* Waits until nothing waits or runs in the background. Thread-safe; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_drain(dovetail_device *device, dovetail_message *message);

/* Waits until the parts that were made so far are in the store on disk: before a process ends that may not come to
 * dovetail_device_destroy(), or before the folder is copied. Does nothing without a store and with a read-only one.
 * Thread-safe. Errors: DOVETAIL_IO if the store is turned off. */
DOVETAIL_API dovetail_status dovetail_device_flush_store(dovetail_device *device, dovetail_message *message);

/* How many publications there have been; 0 for NULL. Thread-safe, and as fast as reading a number. */
DOVETAIL_API uint64_t dovetail_device_generation(const dovetail_device *device);

typedef struct dovetail_device_statistics {
  size_t size;
  uint64_t binds;           /* of all binders */
  uint64_t unchanged_binds; /* that were a compare */
  uint64_t known_binds;     /* that found their variant */
  uint64_t waited_binds;    /* that waited for another thread's build */
  uint64_t joined_variants; /* that were built, as are the next two */
  uint64_t monolithic_variants;
  uint64_t optimized_variants;
  uint64_t failed_builds;
  uint64_t rejected_optimizations; /* that were no better */
  uint64_t fallbacks;              /* binds that got a fallback */
  uint64_t optimizer_overtaken;    /* what a bind made itself, because the background had not finished it */
  uint64_t evicted_variants;
  uint64_t evicted_parts;
  uint64_t variants; /* that are held */
  uint64_t variant_bytes;
  uint64_t generation;
  uint64_t parts_made;
  uint64_t parts_found;
  uint64_t part_bytes;        /* of code and constants, that are held */
  uint64_t part_memory_bytes; /* with bookkeeping; with variant_bytes, it is what memory_budget is for */
  uint64_t background_queued;
  uint64_t background_finished;
  uint64_t background_failed;
  uint64_t background_cancelled;
  uint64_t background_refused; /* because the queue was full */
  uint64_t background_waiting; /* now */
  uint64_t background_running; /* now */
  uint64_t store_hits;
  uint64_t store_misses;
  uint64_t store_written;
  uint64_t store_damaged; /* entries that were found damaged and removed; a damaged database counts as one */
  uint64_t store_evicted;
  uint64_t store_dropped; /* not written: too much was waiting already, there was no room, or the part is too large */
  uint64_t store_entries;
  uint64_t store_bytes;
  uint32_t store_is_readable;
  uint32_t store_is_writable;
} dovetail_device_statistics;

/* Thread-safe; the numbers are not all from one moment. */
DOVETAIL_API dovetail_status dovetail_device_get_statistics(const dovetail_device *device,
                                                            dovetail_device_statistics *statistics,
                                                            dovetail_message *message);

/* ---- Formats ---- */

/* What the components of inputs, outputs and formats are. */
typedef enum dovetail_numeric_class {
  DOVETAIL_NUMERIC_FLOAT = 0, /* normalised and scaled formats, too */
  DOVETAIL_NUMERIC_SINT = 1,
  DOVETAIL_NUMERIC_UINT = 2
} dovetail_numeric_class;

/* All 0 for a format that serves as neither. A shader's input of 64 bits takes formats with components of 64 bits and
 * no others; of the others, integers take integers and floats take the rest. */
typedef struct dovetail_format_info {
  size_t size;
  uint32_t is_vertex_format; /* vertex attributes may have it */
  uint32_t is_color_format;  /* colour targets may have it */
  uint32_t is_blendable;     /* colour targets of it blend; on others blend_enable has no effect */
  uint32_t numeric_class;    /* dovetail_numeric_class */
  uint32_t component_count;
  uint32_t component_bits; /* of the first component */
  uint32_t element_bytes;  /* of a pixel, or of an attribute in the vertex buffer */
  uint32_t reserved;
} dovetail_format_info;

/* What a VkFormat serves as on a GPU: dovetail_state_create() takes exactly these. gpu: see dovetail_gpu_name().
 * Thread-safe. Errors: DOVETAIL_UNKNOWN_GPU, with the names that are known. */
DOVETAIL_API dovetail_status dovetail_format_get_info(const char *gpu, uint32_t format, dovetail_format_info *info,
                                                      dovetail_message *message);

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
  /* 8 dwords: the FMASK descriptor of the multisampled image of the same set and binding, through which fetches and
   * input attachments are read; 8 zeros for an image without FMASK. Without such a node sample n is fragment n, and the
   * driver expands images before they are read. Storage images are never read through it. */
  DOVETAIL_NODE_FMASK = 7
} dovetail_node_type;

typedef struct dovetail_layout_node {
  uint32_t type; /* dovetail_node_type */
  uint32_t set;  /* of the table, or of the table that the element is in */
  uint32_t binding;
  uint32_t offset_in_dwords; /* the end, too, is below 2^30 */
  uint32_t size_in_dwords;   /* of all elements of an array */
  uint32_t stride_in_dwords; /* from element to element of an array */
} dovetail_layout_node;

/* ---- Shaders ---- */

typedef enum dovetail_shader_stage {
  DOVETAIL_STAGE_VERTEX = 0,
  DOVETAIL_STAGE_TESS_CONTROL = 1,
  DOVETAIL_STAGE_TESS_EVALUATION = 2,
  DOVETAIL_STAGE_GEOMETRY = 3,
  DOVETAIL_STAGE_FRAGMENT = 4,
  DOVETAIL_STAGE_COMPUTE = 5
} dovetail_shader_stage;

typedef enum dovetail_compile_time {
  DOVETAIL_COMPILE_AT_FIRST_USE = 0, /* by the bind that needs it */
  DOVETAIL_COMPILE_NOW = 1,          /* before dovetail_shader_create() returns */
  DOVETAIL_COMPILE_IN_BACKGROUND = 2 /* soon; its errors are those of the bind that needs it */
} dovetail_compile_time;

typedef struct dovetail_spec_constant {
  uint64_t value; /* the low bits, as many as the constant's type has; a bool is true unless they are 0 */
  uint32_t id;    /* SpecId; ids that the module does not have are ignored */
  uint32_t reserved;
} dovetail_spec_constant;

/* Locations of inputs of a fragment shader that are one of GL's colours, which depend on shade model and on which side
 * is seen. */
#define DOVETAIL_NO_LOCATION 0xffu
typedef struct dovetail_color_input {
  uint32_t color; /* 0: primary, 1: secondary */
  uint32_t front; /* location */
  uint32_t back;  /* location, or DOVETAIL_NO_LOCATION */
} dovetail_color_input;

typedef struct dovetail_shader_description {
  size_t size;
  const char *name;        /* what messages call it. Default: the stage */
  const uint32_t *words;   /* SPIR-V 1.0 to 1.6 in the machine's byte order. Needed. */
  size_t word_count;       /* dwords */
  const char *entry_point; /* default "main" */
  uint32_t stage;          /* dovetail_shader_stage */
  uint32_t compile;        /* dovetail_compile_time: of the shader's own code, its main part */
  uint32_t next_stage;     /* dovetail_shader_stage that will follow a vertex or evaluation shader, as far as is known.
                              Default (0): fragment. A wrong guess costs a second compile. */
  uint32_t has_layout;     /* `layout` is the one of the programs that it will be used in, and counts if empty, too */
  const dovetail_layout_node *layout; /* without it, the shader is laid out alone: another guess */
  size_t layout_count;
  const dovetail_spec_constant *spec_constants;
  size_t spec_constant_count;
  const dovetail_color_input *color_inputs;
  size_t color_input_count; /* at most 2 */
} dovetail_shader_description;

/* Thread-safe. Errors: DOVETAIL_INVALID_INPUT and DOVETAIL_UNSUPPORTED, with word offset and instruction;
 * with DOVETAIL_COMPILE_NOW also those of the compiler. */
DOVETAIL_API dovetail_status dovetail_shader_create(dovetail_device *device,
                                                    const dovetail_shader_description *description,
                                                    dovetail_shader **shader, dovetail_message *message);

/* Programs that it is in keep what they need of it. Thread-safe. */
DOVETAIL_API void dovetail_shader_destroy(dovetail_shader *shader);

/* ---- Reflection ---- */

/* What a shader declares and its entry point uses, with the specialisation constants that it was given. Names are those
 * of the module, "" where it has none; they and the other pointers live as long as the shader. */
typedef struct dovetail_shader_info {
  size_t size;
  const char *name; /* as it was given */
  const char *entry_point;
  uint32_t stage;                /* dovetail_shader_stage */
  uint32_t input_count;          /* dovetail_shader_get_input() */
  uint32_t output_count;         /* dovetail_shader_get_output() */
  uint32_t builtin_count;        /* dovetail_shader_get_builtin() */
  uint32_t descriptor_count;     /* dovetail_shader_get_descriptor() */
  uint32_t spec_constant_count;  /* dovetail_shader_get_spec_constant() */
  uint32_t push_constant_begin;  /* the range of push constants, in bytes: offset of the first member */
  uint32_t push_constant_end;    /* end of the last one; 0: there are none */
  uint32_t push_constant_count;  /* members of the block: dovetail_shader_get_member() */
  uint32_t patch_control_points; /* control shaders: of the patches that they read, as far as is known; else 0 */
  uint32_t workgroup_size[3];    /* compute; else 0 */
  uint32_t uses_atomics;
} dovetail_shader_info;

/* Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_info(const dovetail_shader *shader, dovetail_shader_info *info,
                                                      dovetail_message *message);

typedef enum dovetail_interpolation {
  DOVETAIL_INTERPOLATION_PERSPECTIVE = 0,
  DOVETAIL_INTERPOLATION_LINEAR = 1, /* noperspective */
  DOVETAIL_INTERPOLATION_FLAT = 2
} dovetail_interpolation;

typedef enum dovetail_interpolation_point {
  DOVETAIL_INTERPOLATION_CENTER = 0,
  DOVETAIL_INTERPOLATION_CENTROID = 1,
  DOVETAIL_INTERPOLATION_SAMPLE = 2
} dovetail_interpolation_point;

/* One location of an input or output variable; a matrix or an array has several. */
typedef struct dovetail_interface_info {
  size_t size;
  const char *name;
  uint32_t location;
  uint32_t second_source;       /* fragment outputs: the second source of dual-source blending (index 1) */
  uint32_t component_mask;      /* of 32 bits each, bit 0 is x; a component of 64 bits covers two */
  uint32_t numeric_class;       /* dovetail_numeric_class */
  uint32_t component_bits;      /* 16, 32 or 64 */
  uint32_t interpolation;       /* dovetail_interpolation: fragment inputs, and outputs that say it */
  uint32_t interpolation_point; /* dovetail_interpolation_point */
  uint32_t is_patch;            /* tessellation: of the whole patch */
  uint32_t stream;              /* geometry outputs */
  uint32_t feeds_position;      /* vertex inputs: gl_Position is computed from it */
} dovetail_interface_info;

/* index: below dovetail_shader_info::input_count; by location. Arrays over vertices count as one vertex. Thread-safe.
 */
DOVETAIL_API dovetail_status dovetail_shader_get_input(const dovetail_shader *shader, uint32_t index,
                                                       dovetail_interface_info *info, dovetail_message *message);

/* index: below dovetail_shader_info::output_count; by location. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_output(const dovetail_shader *shader, uint32_t index,
                                                        dovetail_interface_info *info, dovetail_message *message);

typedef struct dovetail_builtin_info {
  size_t size;
  uint32_t builtin;  /* SPIR-V's number of the BuiltIn */
  uint32_t elements; /* of an array: gl_ClipDistance; else 1 */
  uint32_t is_output;
  uint32_t is_per_vertex; /* one for each vertex of a patch or primitive: gl_in[] */
} dovetail_builtin_info;

/* index: below dovetail_shader_info::builtin_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_builtin(const dovetail_shader *shader, uint32_t index,
                                                         dovetail_builtin_info *info, dovetail_message *message);

typedef enum dovetail_descriptor_kind {
  DOVETAIL_DESCRIPTOR_UNIFORM_BUFFER = 0,
  DOVETAIL_DESCRIPTOR_STORAGE_BUFFER = 1,
  DOVETAIL_DESCRIPTOR_SAMPLED_IMAGE = 2,
  DOVETAIL_DESCRIPTOR_STORAGE_IMAGE = 3,
  DOVETAIL_DESCRIPTOR_SAMPLER = 4,
  DOVETAIL_DESCRIPTOR_COMBINED_IMAGE_SAMPLER = 5,
  DOVETAIL_DESCRIPTOR_UNIFORM_TEXEL_BUFFER = 6,
  DOVETAIL_DESCRIPTOR_STORAGE_TEXEL_BUFFER = 7,
  DOVETAIL_DESCRIPTOR_INPUT_ATTACHMENT = 8
} dovetail_descriptor_kind;

typedef enum dovetail_image_dimension {
  DOVETAIL_IMAGE_1D = 0,
  DOVETAIL_IMAGE_2D = 1,
  DOVETAIL_IMAGE_3D = 2,
  DOVETAIL_IMAGE_CUBE = 3,
  DOVETAIL_IMAGE_RECT = 4,
  DOVETAIL_IMAGE_BUFFER = 5,
  DOVETAIL_IMAGE_SUBPASS = 6
} dovetail_image_dimension;

typedef struct dovetail_descriptor_info {
  size_t size;
  const char *name;
  uint32_t set;
  uint32_t binding;
  uint32_t kind;         /* dovetail_descriptor_kind */
  uint32_t array_size;   /* elements of all array dimensions; 1: no array; 0: a runtime array */
  uint32_t block_bytes;  /* buffers: to the end of the last member, without elements of a runtime array */
  uint32_t member_count; /* buffers: dovetail_shader_get_member() */
  /* Images and texel buffers; else 0. */
  uint32_t image_dimension; /* dovetail_image_dimension */
  uint32_t image_is_arrayed;
  uint32_t image_is_multisampled;
  uint32_t image_numeric_class; /* dovetail_numeric_class of what is read */
  uint32_t image_format;        /* VkFormat that the shader declares, of storage images and texel buffers; else 0 */
  uint32_t compares_depth;      /* images and samplers: there is a comparison with a reference */
} dovetail_descriptor_info;

/* index: below dovetail_shader_info::descriptor_count; by set and binding. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_descriptor(const dovetail_shader *shader, uint32_t index,
                                                            dovetail_descriptor_info *info, dovetail_message *message);

/* In place of a descriptor's index: the block of push constants. */
#define DOVETAIL_PUSH_CONSTANTS 0xffffffffu

#define DOVETAIL_MAX_ARRAY_DIMENSIONS 8

/* A scalar, vector or matrix in a block. Structs are taken apart, and the dimensions of all arrays around a member are
 * its own: the element [i][j] is at offset + i * array_strides[0] + j * array_strides[1]. */
typedef struct dovetail_member_info {
  size_t size;
  const char *name;       /* "lights.color" */
  uint32_t offset;        /* bytes from the start of the block */
  uint32_t numeric_class; /* dovetail_numeric_class */
  uint32_t component_bits;
  uint32_t rows; /* components of a vector, or of a matrix' column */
  uint32_t columns;
  uint32_t matrix_stride; /* bytes from column to column, or from row to row if is_row_major */
  uint32_t is_row_major;
  uint32_t is_address;       /* of a physical storage buffer, 64 bits */
  uint32_t array_dimensions; /* how many there are; the first DOVETAIL_MAX_ARRAY_DIMENSIONS are told */
  uint32_t array_counts[DOVETAIL_MAX_ARRAY_DIMENSIONS];  /* outermost first; 0: a runtime array */
  uint32_t array_strides[DOVETAIL_MAX_ARRAY_DIMENSIONS]; /* bytes */
  uint32_t reserved;
} dovetail_member_info;

/* descriptor: index of a buffer, or DOVETAIL_PUSH_CONSTANTS; index: below its number of members. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_member(const dovetail_shader *shader, uint32_t descriptor,
                                                        uint32_t index, dovetail_member_info *info,
                                                        dovetail_message *message);

typedef struct dovetail_spec_constant_info {
  size_t size;
  const char *name;
  uint64_t default_value; /* the module's */
  uint32_t id;            /* SpecId */
  uint32_t numeric_class; /* dovetail_numeric_class; a bool is DOVETAIL_NUMERIC_UINT of 1 bit */
  uint32_t bits;
  uint32_t reserved;
} dovetail_spec_constant_info;

/* index: below dovetail_shader_info::spec_constant_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_shader_get_spec_constant(const dovetail_shader *shader, uint32_t index,
                                                               dovetail_spec_constant_info *info,
                                                               dovetail_message *message);

/* ---- Programs ---- */

typedef struct dovetail_program_options {
  size_t size;
  uint32_t has_layout; /* else: a table of descriptors for each used set, in ascending order, then the push constants */
  uint32_t reserved;
  const dovetail_layout_node *layout;
  size_t layout_count;
  void *user; /* for dovetail_publication::program_user */
} dovetail_program_options;

/* One shader of each stage at most: {compute}, or {vertex} with what there is behind it. options may be NULL.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT for two shaders of one stage; DOVETAIL_STATE_MISMATCH if their resources
 * cannot be laid out together. */
DOVETAIL_API dovetail_status dovetail_program_create(dovetail_device *device, dovetail_shader *const *shaders,
                                                     size_t shader_count, const dovetail_program_options *options,
                                                     dovetail_program **program, dovetail_message *message);

/* Builds for it that wait in the background are cancelled. Its variants stay until they are evicted. Thread-safe. */
DOVETAIL_API void dovetail_program_destroy(dovetail_program *program);

/* Where the program finds its resources: the layout that it was given, or else first the nodes of the root table, then
 * the elements of descriptor tables. `*count`: nodes that `nodes` has room for; becomes how many there are. With nodes
 * == NULL, only that. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL, and nothing is written but the count. */
DOVETAIL_API dovetail_status dovetail_program_get_layout(const dovetail_program *program, dovetail_layout_node *nodes,
                                                         size_t *count, dovetail_message *message);

/* ---- States ---- */

typedef struct dovetail_vertex_binding {
  uint32_t binding;
  uint32_t stride;     /* bytes; goes into the driver's buffer descriptor */
  uint32_t input_rate; /* VkVertexInputRate */
  uint32_t divisor;    /* instances per step; 0: every instance reads element 0 (+ first instance) */
} dovetail_vertex_binding;

typedef struct dovetail_vertex_attribute {
  uint32_t location; /* below 32 */
  uint32_t binding;  /* one of the vertex_bindings */
  uint32_t format;   /* VkFormat */
  uint32_t offset;   /* bytes */
} dovetail_vertex_attribute;

typedef struct dovetail_color_target {
  uint32_t format;     /* VkFormat; VK_FORMAT_UNDEFINED (0): no target at this location */
  uint32_t write_mask; /* VkColorComponentFlags: 1 red, 2 green, 4 blue, 8 alpha */
  uint32_t blend_enable;
  uint32_t src_color_blend_factor; /* VkBlendFactor */
  uint32_t dst_color_blend_factor; /* VkBlendFactor */
  uint32_t color_blend_op;         /* VkBlendOp, the first five */
  uint32_t src_alpha_blend_factor; /* VkBlendFactor */
  uint32_t dst_alpha_blend_factor; /* VkBlendFactor */
  uint32_t alpha_blend_op;         /* VkBlendOp, the first five */
} dovetail_color_target;

#define DOVETAIL_COLOR_TARGET_INIT                                                                                     \
  { 0, 0xf, 0, 1, 0, 0, 1, 0, 0 }

/* Begin with DOVETAIL_PIPELINE_STATE_INIT. */
typedef struct dovetail_pipeline_state {
  size_t size;

  /* Vertex input. */
  const dovetail_vertex_binding *vertex_bindings;
  size_t vertex_binding_count; /* at most 32 */
  const dovetail_vertex_attribute *vertex_attributes;
  size_t vertex_attribute_count;           /* at most 32 */
  uint32_t topology;                       /* VkPrimitiveTopology */
  uint32_t patch_control_points;           /* 1 to 32, with patches */
  uint32_t tessellation_domain_lower_left; /* VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT: turns the vertex order round */

  /* Rasterization. */
  uint32_t flat_provoking_vertex_last;
  uint32_t depth_clamp_enable;
  uint32_t rasterizer_discard_enable;
  uint32_t rasterization_samples; /* 1, 2, 4, 8 or 16 */
  uint32_t sample_shading_enable; /* the fragment shader runs for each sample */
  /* States of GL and of layered drivers. */
  uint32_t polygon_stipple_enable;    /* pattern: entry DOVETAIL_GLOBAL_TABLE_POLYGON_STIPPLE of the global table */
  uint32_t color_two_side;            /* GL's colours: those of the back where a back face is seen */
  uint32_t flat_shade_colors;         /* GL_FLAT for GL's colours */
  uint32_t per_sample_interpolation;  /* every input is interpolated at the sample */
  uint32_t multisample_disable;       /* GL_MULTISAMPLE is off: every input is interpolated at the centre */
  uint32_t barycentric_optimization;  /* the hardware may leave out centroids of quads that are covered as a whole */
  uint32_t layered_framebuffer;       /* input attachments have the framebuffer's layers */
  uint32_t smoothing;                 /* polygons and lines: alpha is multiplied by the covered part of the pixel */
  uint32_t clip_distance_enable;      /* bit i: GL_CLIP_DISTANCEi; 0xff for Vulkan */
  uint32_t transform_feedback_enable; /* 0: nothing is captured, whatever the shader declares */

  /* Colour output. */
  dovetail_color_target color_targets[8];
  uint32_t alpha_to_coverage_enable;
  uint32_t alpha_to_one_enable;
  uint32_t broadcast_color0;     /* gl_FragColor: colour 0 goes to every target */
  uint32_t clamp_color;          /* GL_CLAMP_FRAGMENT_COLOR */
  uint32_t alpha_test_func;      /* VkCompareOp, against DOVETAIL_USER_DATA_ALPHA_REFERENCE */
  uint32_t depth_stencil_format; /* VkFormat: fragment outputs that the framebuffer has no place for are not exported */
  void *user;                    /* for dovetail_publication::state_user */
} dovetail_pipeline_state;

/* One triangle list, no vertex input, no colour target, one sample, every feature of GL off; a depth-stencil format of
 * VK_FORMAT_D32_SFLOAT_S8_UINT, all clip distances, transform feedback if the shader declares it. */
#define DOVETAIL_PIPELINE_STATE_INIT                                                                                   \
  {                                                                                                                    \
    sizeof(dovetail_pipeline_state), NULL, 0, NULL, 0, 3, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1,        \
        {DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT,                           \
         DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT,                           \
         DOVETAIL_COLOR_TARGET_INIT, DOVETAIL_COLOR_TARGET_INIT},                                                      \
        0, 0, 0, 0, 7, 130, NULL                                                                                       \
  }

/* Thread-safe, and quick: nothing is compiled. What no program could be bound under is refused. Errors:
 * DOVETAIL_UNSUPPORTED for a format that dovetail_format_get_info() does not have as a vertex or colour format;
 * DOVETAIL_STATE_MISMATCH for patches of a size that there is not. */
DOVETAIL_API dovetail_status dovetail_state_create(dovetail_device *device, const dovetail_pipeline_state *description,
                                                   dovetail_state **state, dovetail_message *message);

/* A state that fits the program: vertex attributes of the shader's own types, tightly packed in binding 0; targets of
 * R8G8B8A8_UNORM, or R32G32B32A32_SINT or _UINT; a topology that its stages take. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_state_create_default(dovetail_device *device, const dovetail_program *program,
                                                           dovetail_state **state, dovetail_message *message);

/* Reads a state back. `size` is set by the caller; the arrays it points to live as long as the state. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_state_get(const dovetail_state *state, dovetail_pipeline_state *description,
                                                dovetail_message *message);

/* Binders do not need it any more once it is destroyed. Thread-safe. */
DOVETAIL_API void dovetail_state_destroy(dovetail_state *state);

typedef enum dovetail_uniform_place {
  DOVETAIL_UNIFORM_PUSH_CONSTANTS = 0,
  DOVETAIL_UNIFORM_BUFFER = 1
} dovetail_uniform_place;

/* A promise that this dword will be found in a shader's resources whenever a variant runs that was bound with it. */
typedef struct dovetail_uniform_value {
  uint32_t place;   /* dovetail_uniform_place */
  uint32_t set;     /* uniform buffers only; element 0 of the binding */
  uint32_t binding; /* likewise */
  uint32_t offset;  /* bytes, a multiple of 4 */
  uint32_t value;
} dovetail_uniform_value;

/* Values that optimized variants may be compiled for; joined ones do not look at them. Thread-safe. Errors:
 * DOVETAIL_INVALID_INPUT for an offset that is no multiple of 4, and for a place that is given two values. */
DOVETAIL_API dovetail_status dovetail_uniforms_create(dovetail_device *device, const dovetail_uniform_value *values,
                                                      size_t count, dovetail_uniforms **uniforms,
                                                      dovetail_message *message);

/* Binders do not need them any more once they are destroyed. Thread-safe. */
DOVETAIL_API void dovetail_uniforms_destroy(dovetail_uniforms *uniforms);

/* ---- Binding ---- */

/* Thread-safe. */
DOVETAIL_API dovetail_status dovetail_binder_create(dovetail_device *device, dovetail_binder **binder,
                                                    dovetail_message *message);

/* What it returned last is valid no longer, unless it was retained. One thread, with nobody else using the binder. */
DOVETAIL_API void dovetail_binder_destroy(dovetail_binder *binder);

typedef struct dovetail_bind_options {
  size_t size;
  /* Returned as long as the wanted variant takes a compiler, which works in the background then, because the state
   * changes a main part's own code. For the same GPU, and valid in the call; the binder keeps it as long as it returns
   * it. Default: the first bind waits for the compiler. */
  const dovetail_variant *fallback;
} dovetail_bind_options;

/* The variant to draw with: the optimized one from its publication on, before that the joined one. Parts are made when
 * a program needs them for the first time; it never waits for an optimized build. `*variant` is valid until the next
 * bind of this binder (or its end); dovetail_variant_retain() keeps it longer. A call with what was bound last costs a
 * compare; one with what was bound before takes no lock.
 *
 * state may be NULL: the program's default state (dovetail_state_create_default()). uniforms and options may be NULL.
 * One thread at a time for each binder; different binders do not disturb each other. Errors: those of the compiler and
 * of the join; DOVETAIL_STATE_MISMATCH where state and shaders contradict each other. What was bound stays valid then,
 * and *variant is NULL. */
DOVETAIL_API dovetail_status dovetail_bind(dovetail_binder *binder, const dovetail_program *program,
                                           const dovetail_state *state, const dovetail_uniforms *uniforms,
                                           const dovetail_bind_options *options, const dovetail_variant **variant,
                                           dovetail_message *message);

typedef struct dovetail_build_options {
  size_t size;
  uint32_t monolithic; /* compile each program of the hardware as a whole */
  uint32_t reserved;
} dovetail_build_options;

/* The variant for tools: joined or monolithic as the options say, never optimized, built now if it is not known. It is
 * retained; release it. state and options may be NULL. Thread-safe. Errors: as dovetail_bind(). */
DOVETAIL_API dovetail_status dovetail_build(dovetail_device *device, const dovetail_program *program,
                                            const dovetail_state *state, const dovetail_build_options *options,
                                            const dovetail_variant **variant, dovetail_message *message);

/* ---- Variants ---- */

/* Keeps a valid variant until it has been released as often as it was retained. Retained variants may outlive the
 * device. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_retain(const dovetail_variant *variant, dovetail_message *message);

/* NULL: does nothing. Releasing more often than retaining is undefined. Thread-safe. */
DOVETAIL_API void dovetail_variant_release(const dovetail_variant *variant);

/* A value for a hardware register, which the driver writes before it draws. */
typedef struct dovetail_register {
  uint32_t address; /* in dwords, as in PAL metadata and register headers: 0xa000 + n is a context register */
  uint32_t value;
} dovetail_register;

/* A field of the code that depends on the address at which the code is placed. dovetail_variant_copy_code() deals with
 * them. */
typedef enum dovetail_relocation_kind {
  DOVETAIL_RELOCATION_ABS32 = 0,
  DOVETAIL_RELOCATION_ABS32_LO = 1,
  DOVETAIL_RELOCATION_ABS32_HI = 2,
  DOVETAIL_RELOCATION_ABS64 = 3
} dovetail_relocation_kind;

typedef struct dovetail_relocation {
  uint32_t offset; /* of the field, bytes from the start of the code */
  uint32_t kind;   /* dovetail_relocation_kind */
  int64_t target;  /* bytes from the start of the code: the field becomes the address of that */
} dovetail_relocation;

/* Pointers live as long as the variant. Offsets are in bytes from the start of the code. */
typedef struct dovetail_variant_info {
  size_t size;
  const char *gpu;
  uint64_t key[2];     /* 128 bits; different for variants that differ */
  const uint8_t *code; /* text, constants, padding for the instruction prefetch; all of it is to be uploaded */
  size_t code_size;
  uint32_t code_alignment; /* of the GPU address, in bytes; at least 256 */
  uint32_t text_size;      /* end of the last instruction */
  uint32_t constants_start;
  uint32_t constants_end; /* == constants_start: there are none */
  const dovetail_register *registers;
  size_t register_count;
  uint32_t stage_count;      /* dovetail_variant_get_stage() */
  uint32_t part_count;       /* dovetail_variant_get_part() */
  uint32_t relocation_count; /* dovetail_variant_get_relocation(); 0: the code runs at every address as it is */
  uint32_t instruction_count;
  uint32_t is_monolithic;    /* its programs were compiled as a whole; of an optimized one, those that gain by it.
                                If a state changes one program's code, only that one was: dovetail_part_info::kind */
  uint32_t is_optimized;     /* it was compiled for this state in particular */
  uint32_t has_tessellation; /* dovetail_variant_get_tessellation() */
  uint32_t has_geometry;     /* dovetail_variant_get_geometry() */
  double join_microseconds;  /* wall time of the join, without that of making parts */
} dovetail_variant_info;

/* The variant of this function and of all below must be valid. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_info(const dovetail_variant *variant, dovetail_variant_info *info,
                                                       dovetail_message *message);

/* Programs of the hardware. GFX9 has no LS and no ES: they are the first half of HS and GS. */
typedef enum dovetail_hardware_stage {
  DOVETAIL_HARDWARE_LS = 0,
  DOVETAIL_HARDWARE_HS = 1,
  DOVETAIL_HARDWARE_ES = 2,
  DOVETAIL_HARDWARE_GS = 3,
  DOVETAIL_HARDWARE_VS = 4,
  DOVETAIL_HARDWARE_PS = 5,
  DOVETAIL_HARDWARE_CS = 6
} dovetail_hardware_stage;

/* What the driver writes to a user SGPR: a dword of the root table, by its index (below 0x10000000), or one of these.
 * Addresses are low halves of 64-bit ones; the high half is that of the code. Numbers are PAL's, but for the alpha
 * reference. */
typedef enum dovetail_user_data {
  DOVETAIL_USER_DATA_GLOBAL_TABLE = 0x10000000, /* address of the descriptors in dovetail_global_table */
  DOVETAIL_USER_DATA_SPILL_TABLE = 0x10000002,  /* address of a copy of the whole root table in memory */
  DOVETAIL_USER_DATA_BASE_VERTEX = 0x10000003,  /* vertexOffset, or firstVertex if not indexed */
  DOVETAIL_USER_DATA_BASE_INSTANCE = 0x10000004,
  DOVETAIL_USER_DATA_DRAW_INDEX = 0x10000005,
  DOVETAIL_USER_DATA_WORKGROUP_COUNT = 0x10000006, /* address of three dwords; its high half goes into the next SGPR,
                                                      which is DOVETAIL_USER_DATA_UNMAPPED */
  /* Address of four descriptors: transform feedback buffers. Their stride is that of VGT_STRMOUT_VTX_STRIDE; on GFX8
   * they have ADD_TID_ENABLE. */
  DOVETAIL_USER_DATA_STREAMOUT_TABLE = 0x1000000c,
  DOVETAIL_USER_DATA_VERTEX_BUFFER_TABLE = 0x1000000f, /* address of a descriptor for each vertex binding, by number */
  DOVETAIL_USER_DATA_ALPHA_REFERENCE = 0x40000000      /* float: what alpha is compared with */
} dovetail_user_data;
#define DOVETAIL_USER_DATA_UNMAPPED 0xffffffffu /* nothing: it is never read */

/* Entries of the global table: buffer descriptors (V#) of 16 bytes each, as far as programs use them. */
typedef enum dovetail_global_table {
  DOVETAIL_GLOBAL_TABLE_GRAPHICS_SCRATCH = 0, /* swizzled by lane, as wide as a wave */
  DOVETAIL_GLOBAL_TABLE_COMPUTE_SCRATCH = 1,
  DOVETAIL_GLOBAL_TABLE_ES_RING_OUT = 2,  /* GFX8: the ESGS ring, swizzled likewise, for the writing ES */
  DOVETAIL_GLOBAL_TABLE_GS_RING_IN = 3,   /* GFX8: the same memory, for the reading GS */
  DOVETAIL_GLOBAL_TABLE_GS_RING_OUT = 4,  /* the GSVS ring; only its base address counts */
  DOVETAIL_GLOBAL_TABLE_COPY_RING_IN = 8, /* the same memory, for the reading copy shader (VS) */
  DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9,
  DOVETAIL_GLOBAL_TABLE_OFFCHIP = 10,          /* outputs of control shaders */
  DOVETAIL_GLOBAL_TABLE_SAMPLE_POSITIONS = 12, /* PAL's palette: 16 patterns of 16 samples of 16 bytes, of which the
                                                  first two floats are the offset from the pixel's centre; pattern n is
                                                  that of 2^n samples */
  DOVETAIL_GLOBAL_TABLE_POLYGON_STIPPLE = 32   /* 32 rows of 32 pixels, a dword each. Not one of PAL's */
} dovetail_global_table;

typedef struct dovetail_stage_info {
  size_t size;
  uint32_t stage;     /* dovetail_hardware_stage */
  uint32_t entry;     /* offset of the first instruction, a multiple of 256; in its SPI_SHADER_PGM_LO register's
                         place goes (address of the code + entry) >> 8 */
  uint32_t text_size; /* bytes, from the entry to the end of the program */
  uint32_t first_part;
  uint32_t part_count;
  uint32_t second_half; /* merged programs made of parts: which of them, from first_part on, begins the second half */
  uint32_t sgprs;       /* that the code uses, VCC and other specials included */
  uint32_t vgprs;
  uint32_t scratch_bytes; /* for each lane */
  uint32_t lds_bytes;     /* for each group */
  uint32_t wave_size;
  uint32_t user_sgpr_count;
  uint32_t user_data[32];     /* what goes into each user SGPR: see dovetail_user_data */
  uint32_t spill_threshold;   /* the lowest root dword that is read through the spill table; 0xffff: none */
  uint32_t workgroup_size[3]; /* compute; else 0 */
  uint32_t writes_memory;     /* it has stores or atomics */
  uint32_t reserved;
} dovetail_stage_info;

/* index: below dovetail_variant_info::stage_count; in the order in which the stages run. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_stage(const dovetail_variant *variant, uint32_t index,
                                                        dovetail_stage_info *info, dovetail_message *message);

typedef enum dovetail_part_kind {
  DOVETAIL_PART_VERTEX_PROLOG = 0,
  DOVETAIL_PART_VERTEX_MAIN = 1,
  DOVETAIL_PART_TESS_CONTROL_MAIN = 2,
  DOVETAIL_PART_TESS_CONTROL_EPILOG = 3,
  DOVETAIL_PART_TESS_EVALUATION_MAIN = 4,
  DOVETAIL_PART_GEOMETRY_PROLOG = 5,
  DOVETAIL_PART_GEOMETRY_MAIN = 6,
  DOVETAIL_PART_GEOMETRY_COPY = 7, /* runs as VS and exports a geometry shader's vertices */
  DOVETAIL_PART_FRAGMENT_PROLOG = 8,
  DOVETAIL_PART_FRAGMENT_MAIN = 9,
  DOVETAIL_PART_FRAGMENT_EPILOG = 10,
  DOVETAIL_PART_COMPUTE_MAIN = 11,
  DOVETAIL_PART_GLUE = 12, /* between the halves of a merged program */
  DOVETAIL_PART_MONOLITHIC = 13,
  DOVETAIL_PART_NULL_FRAGMENT = 14 /* the whole PS of programs without a fragment shader */
} dovetail_part_kind;

/* Pointers live as long as the variant. */
typedef struct dovetail_part_info {
  size_t size;
  uint32_t kind;  /* dovetail_part_kind */
  uint32_t stage; /* index of its dovetail_stage_info */
  uint32_t offset;
  uint32_t code_size;        /* bytes, without constants */
  uint32_t wait_states;      /* of the s_nop that the join put in front of it; 0: there is none */
  uint32_t constants_offset; /* of its constants */
  uint32_t constants_size;   /* bytes */
  uint32_t instruction_count;
  uint32_t was_made; /* when this variant was built; else it was there already */
  uint32_t reserved;
  double make_microseconds; /* wall time that the build spent on getting it */
  uint64_t key[2];          /* 128 bits; parts with the same kind and key are the same */
  const char *description;  /* what it does, in words: "attr0 R32G32B32_SFLOAT.xyz binding 0 +12, ..." */
  char symbol[64];          /* "vs.vertex_prolog", unique in the variant */
} dovetail_part_info;

/* index: below dovetail_variant_info::part_count; in the order of their offsets. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_part(const dovetail_variant *variant, uint32_t index,
                                                       dovetail_part_info *info, dovetail_message *message);

/* index: below dovetail_variant_info::relocation_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_relocation(const dovetail_variant *variant, uint32_t index,
                                                             dovetail_relocation *relocation,
                                                             dovetail_message *message);

/* How patches are put into groups, and how a group shares LDS and its part of the off-chip buffer. */
typedef struct dovetail_tessellation_info {
  size_t size;
  uint32_t input_control_points; /* of a patch */
  uint32_t output_control_points;
  uint32_t patches_per_group;
  uint32_t ls_vertex_stride;   /* bytes from vertex to vertex in LDS */
  uint32_t lds_patch_stride;   /* bytes of a patch's outputs in LDS */
  uint32_t output_base;        /* LDS bytes: where the outputs of the group's patches begin */
  uint32_t offchip_patch_base; /* bytes in the group's part of the off-chip buffer: where per-patch outputs begin */
  uint32_t lds_bytes;          /* of a group */
  uint32_t offchip_bytes;      /* of a group; at most the size of a block of the off-chip buffer, 32 KiB */
  uint32_t reserved;
} dovetail_tessellation_info;

/* Thread-safe. Errors: DOVETAIL_BAD_ARGUMENT if the variant has no tessellation. */
DOVETAIL_API dovetail_status dovetail_variant_get_tessellation(const dovetail_variant *variant,
                                                               dovetail_tessellation_info *info,
                                                               dovetail_message *message);

/* The sizes of the rings of geometry shaders, and of their groups. */
typedef struct dovetail_geometry_info {
  size_t size;
  uint32_t es_vertex_stride; /* bytes: VGT_ESGS_RING_ITEMSIZE * 4 */
  /* GFX9: an ES-GS group, whose ESGS ring is in LDS. GFX8: 0, and the ring is in memory. */
  uint32_t es_vertices_per_group;
  uint32_t gs_primitives_per_group;          /* without instancing */
  uint32_t gs_instance_primitives_per_group; /* times the invocations */
  uint32_t lds_bytes;
  uint32_t gsvs_item_dwords[4]; /* the GSVS ring: dwords that one lane of a wave takes for each stream */
  uint32_t reserved;
} dovetail_geometry_info;

/* Thread-safe. Errors: DOVETAIL_BAD_ARGUMENT if the variant has no geometry shader. */
DOVETAIL_API dovetail_status dovetail_variant_get_geometry(const dovetail_variant *variant,
                                                           dovetail_geometry_info *info, dovetail_message *message);

/* Writes the code as it has to be in the GPU's memory at `gpu_address`, a multiple of code_alignment. `destination` has
 * room for code_size bytes at least; no byte of it is read, so it may be write-combined. Thread-safe. Errors:
 * DOVETAIL_BUFFER_TOO_SMALL, and nothing is written. */
DOVETAIL_API dovetail_status dovetail_variant_copy_code(const dovetail_variant *variant, void *destination,
                                                        size_t destination_size, uint64_t gpu_address,
                                                        dovetail_message *message);

/* A PAL pipeline ELF, for drivers and tools that read one: code, metadata, a symbol for each program and each part.
 * `*size`: bytes that `buffer` has room for; becomes the size of the file. With buffer == NULL, only that. The file is
 * made by each call, in about 100 microseconds. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL, and nothing is written
 * but the size; DOVETAIL_IO. */
DOVETAIL_API dovetail_status dovetail_variant_write_elf(const dovetail_variant *variant, void *buffer, size_t *size,
                                                        dovetail_message *message);

/* The code as assembly text that shows where each part begins, what it takes and what it gives. UTF-8, with a final 0,
 * which *size includes; otherwise like dovetail_variant_write_elf(). Takes milliseconds. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_disassemble(const dovetail_variant *variant, char *buffer, size_t *size,
                                                          dovetail_message *message);

#ifdef __cplusplus
}
#endif
