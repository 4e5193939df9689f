/* SPDX-License-Identifier: MIT
 *
 * Part of dovetail.h: binding, and queries about a variant.
 */
#pragma once

#include "variants/c_api/include/dovetail_shader.h"
#include "variants/c_api/include/dovetail_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Binding ---- */

/* Thread-safe. */
DOVETAIL_API dovetail_status dovetail_binder_create(dovetail_device *device, dovetail_binder **binder,
                                                    dovetail_message *message);

/* The variant that the binder returned last becomes invalid, unless it was retained. One thread, with nobody else using
 * the binder. */
DOVETAIL_API void dovetail_binder_destroy(dovetail_binder *binder);

/* The order in which the background builds, higher ones first. */
typedef enum dovetail_priority {
  DOVETAIL_PRIORITY_NORMAL = 0, /* draws have another variant meanwhile */
  DOVETAIL_PRIORITY_HIGH = 1,   /* draws are left out until the variant is there */
  DOVETAIL_PRIORITY_LOW = 2     /* not urgent: among optimized variants, and shaders that are compiled ahead */
} dovetail_priority;

/* What a bind may do and cost. All may be 0. */
typedef struct dovetail_bind_options {
  size_t size;
  /* The bind returns this variant while a compiler works on the wanted one in the background. That happens if the state
   * changes a main part's own code; with never_compile, whenever a compiler is needed. The fallback is for the same GPU
   * and valid during the call; the binder keeps it as long as it returns it. Default: the first bind waits for the
   * compiler. */
  const dovetail_variant *fallback;
  /* 1: the bind makes only what takes microseconds, and waits for no other thread and no store. If main parts are still
   * to be compiled, or the program was never bound, the bind leaves the build to the background. It returns the
   * fallback, or DOVETAIL_NOT_READY if there is none. on_publication tells when to bind again, and
   * dovetail_device_generation() grows. If the background is full (the message says so), neither happens: one of the
   * next 64 binds asks again. */
  uint32_t never_compile;
  uint32_t priority; /* dovetail_priority, of a build that goes to the background */
} dovetail_bind_options;

/* Returns the variant to draw with: the optimized one from its publication on, before that the joined one. The first
 * bind that needs a part makes it; no bind waits for an optimized build. `*variant` is valid until the next bind of
 * this binder (or its end); dovetail_variant_retain() keeps it longer. Binding the same again costs a compare; binding
 * what was bound at some time before takes no lock.
 *
 * state may be NULL: the program's default state (dovetail_state_create_default()). uniforms and options may be NULL.
 * One thread at a time for each binder; different binders do not disturb each other. Errors: those of the compiler and
 * of the join; DOVETAIL_STATE_MISMATCH if state and shaders contradict each other. After an error, the variant that was
 * bound stays valid, and *variant is NULL. The same holds for DOVETAIL_NOT_READY, which only binds with
 * dovetail_bind_options::never_compile return. */
DOVETAIL_API dovetail_status dovetail_bind(dovetail_binder *binder, const dovetail_program *program,
                                           const dovetail_state *state, const dovetail_uniforms *uniforms,
                                           const dovetail_bind_options *options, const dovetail_variant **variant,
                                           dovetail_message *message);

/* Like dovetail_bind(), for a driver without state objects. description: as for dovetail_state_create(), with its
 * errors; the variant is the same as with such a state. The binder remembers the last description. An equal description
 * costs a compare of its fields and arrays; a different one is read and hashed. One thread at a time for each
 * binder. */
DOVETAIL_API dovetail_status dovetail_bind_pipeline_state(dovetail_binder *binder, const dovetail_program *program,
                                                          const dovetail_pipeline_state *description,
                                                          const dovetail_uniforms *uniforms,
                                                          const dovetail_bind_options *options,
                                                          const dovetail_variant **variant, dovetail_message *message);

/* Fetches the memory that dovetail_bind() with these arguments would wait for. It is for a driver that knows some time
 * before a draw what it will bind: when a pipeline is set, or while it goes through a list of draws. Returns at once,
 * and changes nothing, whatever is bound then. state and uniforms as for dovetail_bind(). Does nothing if binder or
 * program is NULL. One thread at a time for each binder. */
DOVETAIL_API void dovetail_binder_prefetch(const dovetail_binder *binder, const dovetail_program *program,
                                           const dovetail_state *state, const dovetail_uniforms *uniforms);

/* Cancels the builds for a program that wait in the background; running builds finish. The next bind may ask for them
 * again. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_program_cancel_builds(const dovetail_program *program, dovetail_message *message);

/* How a bind got its variant. */
typedef enum dovetail_bind_kind {
  DOVETAIL_BIND_NONE = 0,      /* nothing was bound yet, or the last bind failed */
  DOVETAIL_BIND_UNCHANGED = 1, /* the same as the last bind: a compare */
  DOVETAIL_BIND_KNOWN = 2,     /* was bound before: a look-up without locks */
  DOVETAIL_BIND_FOUND = 3,     /* a new state, whose variant was there */
  DOVETAIL_BIND_JOINED = 4,    /* a new variant of parts that were there */
  DOVETAIL_BIND_ENCODED = 5,   /* a new variant; parts were encoded for it, or read from the store */
  DOVETAIL_BIND_COMPILED = 6,  /* a new variant; the compiler made parts of it */
  DOVETAIL_BIND_FALLBACK = 7,  /* dovetail_bind_options::fallback */
  DOVETAIL_BIND_NOT_READY = 8  /* nothing: DOVETAIL_NOT_READY */
} dovetail_bind_kind;

/* Why a bind took as long as it did. */
typedef struct dovetail_bind_info {
  size_t size;
  uint32_t kind;                    /* dovetail_bind_kind */
  uint32_t waited;                  /* for another thread, which was making the variant or a part of it */
  uint32_t parts_encoded;           /* made without the compiler */
  uint32_t parts_compiled;          /* made by the compiler */
  uint32_t parts_stored;            /* read from the store */
  uint32_t longest_part;            /* dovetail_part_kind of the slowest part among those above */
  double longest_part_microseconds; /* wall time; 0: no part was encoded, compiled or read */
} dovetail_bind_info;

/* Tells how the last bind of this binder got its variant. Costs no more than filling in the struct. One thread at a
 * time for each binder. */
DOVETAIL_API dovetail_status dovetail_binder_get_last_bind(const dovetail_binder *binder, dovetail_bind_info *info,
                                                           dovetail_message *message);

/* What dovetail_build() makes. All may be 0. */
typedef struct dovetail_build_options {
  size_t size;
  uint32_t monolithic; /* compile each program of the hardware as a whole */
  uint32_t reserved;
} dovetail_build_options;

/* Returns a variant for tools: joined or monolithic as the options say, never optimized. Builds it now if it is not
 * known. The variant is retained; release it. state and options may be NULL. Thread-safe. Errors: as
 * dovetail_bind(). */
DOVETAIL_API dovetail_status dovetail_build(dovetail_device *device, const dovetail_program *program,
                                            const dovetail_state *state, const dovetail_build_options *options,
                                            const dovetail_variant **variant, dovetail_message *message);

/* ---- Variants ---- */

/* Keeps a valid variant until it has been released as often as it was retained. Retained variants may outlive the
 * device. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_retain(const dovetail_variant *variant, dovetail_message *message);

/* NULL: does nothing. Releasing more often than retaining is undefined. Thread-safe. */
DOVETAIL_API void dovetail_variant_release(const dovetail_variant *variant);

/* A hardware register and the value that the driver writes to it before a draw:
 * dovetail_variant_get_register_runs(). */
typedef struct dovetail_register {
  uint32_t address; /* in dwords, as in PAL metadata and register headers: 0xa000 + n is a context register */
  uint32_t value;   /* without the bits that are the driver's: dovetail_register_get_masks() */
} dovetail_register;

/* The size of a field, and its half of an address. */
typedef enum dovetail_relocation_kind {
  DOVETAIL_RELOCATION_ABS32 = 0,    /* a dword gets the low half of the address */
  DOVETAIL_RELOCATION_ABS32_LO = 1, /* the same */
  DOVETAIL_RELOCATION_ABS32_HI = 2, /* a dword gets the high half of the address */
  DOVETAIL_RELOCATION_ABS64 = 3     /* two dwords get the whole address */
} dovetail_relocation_kind;

/* A field of the code that depends on the address at which the code is placed. dovetail_variant_copy_code() deals with
 * them. */
typedef struct dovetail_relocation {
  uint32_t offset; /* of the field, bytes from the start of the code */
  uint32_t kind;   /* dovetail_relocation_kind */
  int64_t target;  /* bytes from the start of the code; the field becomes the address of this byte */
} dovetail_relocation;

/* Pointers live as long as the variant. Offsets are in bytes from the start of the code. */
typedef struct dovetail_variant_info {
  size_t size;
  const char *gpu;          /* LLVM's name */
  uint64_t key[2];          /* 128 bits; different for variants that differ */
  const uint8_t *code;      /* text, constants, padding for the instruction prefetch; all of it is to be uploaded */
  size_t code_size;         /* bytes */
  uint32_t code_alignment;  /* of the GPU address, in bytes; at least 256 */
  uint32_t text_size;       /* end of the last instruction */
  uint32_t constants_start; /* constants of all parts */
  uint32_t constants_end;   /* == constants_start: there are none */
  const dovetail_register *registers; /* each address once, in no order */
  size_t register_count;              /* of `registers` */
  uint32_t stage_count;               /* dovetail_variant_get_stage() */
  uint32_t part_count;                /* dovetail_variant_get_part() */
  uint32_t relocation_count;  /* dovetail_variant_get_relocation(); 0: the code runs at every address as it is */
  uint32_t instruction_count; /* of all parts */
  uint32_t is_monolithic; /* its programs were compiled as a whole. In an optimized variant, only those that gain by it;
                             if a state changes one program's code, only that program: dovetail_part_info::kind */
  uint32_t is_optimized;  /* it was compiled for this state in particular */
  uint32_t has_tessellation; /* dovetail_variant_get_tessellation() */
  uint32_t has_geometry;     /* dovetail_variant_get_geometry() */
  double join_microseconds;  /* wall time of the join, without making parts */
} dovetail_variant_info;

/* This function and all below need a valid variant. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_info(const dovetail_variant *variant, dovetail_variant_info *info,
                                                       dovetail_message *message);

/* The packet that writes a register. Its offsets count in dwords from the number next to the packet's name. */
typedef enum dovetail_register_space {
  DOVETAIL_REGISTER_SPACE_CONFIG = 0,  /* SET_CONFIG_REG, 0x2000; no variant that Dovetail builds has such */
  DOVETAIL_REGISTER_SPACE_SH = 1,      /* SET_SH_REG, 0x2c00 */
  DOVETAIL_REGISTER_SPACE_CONTEXT = 2, /* SET_CONTEXT_REG, 0xa000 */
  DOVETAIL_REGISTER_SPACE_UCONFIG = 3  /* SET_UCONFIG_REG, 0xc000 */
} dovetail_register_space;

/* Registers with consecutive addresses, which one packet writes: the header, `offset | index << 28`, `count` values. */
typedef struct dovetail_register_run {
  uint32_t space;       /* dovetail_register_space */
  uint32_t address;     /* of the first, as in dovetail_register */
  uint32_t offset;      /* of the first, from where the space begins */
  uint32_t index;       /* not 0 for IA_MULTI_VGT_PARAM and VGT_LS_HS_CONFIG, each of which is a run of its own */
  uint32_t count;       /* of registers */
  uint32_t first_value; /* index in the values of all runs, which lie one behind the other */
} dovetail_register_run;

/* Returns a variant's registers ready to be written: in runs, by ascending address. previous may be NULL, or a variant
 * for the same GPU whose registers were written before. The runs then have only the registers that previous lacks or
 * has with other values. Registers that only previous has may stay as they are: nothing that runs under this variant
 * reads them. Graphics and compute variants have no register in common, so a driver keeps one previous of each.
 *
 * Registers of user SGPRs are in no run: the driver writes its own values there, by dovetail_stage_info::user_data.
 *
 * `*run_count`, `*value_count`: on entry the runs and values that `runs` and `values` have room for; on return how many
 * there are. If runs or values is NULL, the call returns only its number. dovetail_variant_info::register_count of each
 * is always enough. The variants must be valid. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL; only the counts are
 * written then. */
DOVETAIL_API dovetail_status dovetail_variant_get_register_runs(const dovetail_variant *variant,
                                                                const dovetail_variant *previous,
                                                                dovetail_register_run *runs, size_t *run_count,
                                                                uint32_t *values, size_t *value_count,
                                                                dovetail_message *message);

/* Tells which bits of a register are the variant's and which are the driver's. A bit that is only in variant_bits is
 * written as the variant has it. A bit that is only in driver_bits is 0 in every variant, and the driver writes a value
 * of its own there, mostly 0. A bit in both is set if the variant or the driver wants it. A register of a user SGPR is
 * the driver's as a whole. */
typedef struct dovetail_register_mask {
  uint32_t address;      /* as in dovetail_register */
  uint32_t variant_bits; /* bits that variants set */
  uint32_t driver_bits;  /* bits that the driver sets */
} dovetail_register_mask;

/* Returns the masks of all registers that variants for a GPU have, by ascending address. gpu: see dovetail_gpu_name().
 * `*count`: on entry the masks that `masks` has room for; on return their number. With masks == NULL, the call returns
 * only the number. Thread-safe. Errors: DOVETAIL_UNKNOWN_GPU, with the names that are known; DOVETAIL_BUFFER_TOO_SMALL;
 * only the count is written then. */
DOVETAIL_API dovetail_status dovetail_register_get_masks(const char *gpu, dovetail_register_mask *masks, size_t *count,
                                                         dovetail_message *message);

/* Programs of the hardware. GFX9 has no LS and no ES: they are the first half of HS and GS. */
typedef enum dovetail_hardware_stage {
  DOVETAIL_HARDWARE_LS = 0, /* GFX8: vertex shaders in front of tessellation */
  DOVETAIL_HARDWARE_HS = 1, /* tessellation control shaders */
  DOVETAIL_HARDWARE_ES = 2, /* GFX8: the shader in front of a geometry shader */
  DOVETAIL_HARDWARE_GS = 3, /* geometry shaders */
  DOVETAIL_HARDWARE_VS = 4, /* the last shader in front of the rasterizer, or the copy shader behind a GS */
  DOVETAIL_HARDWARE_PS = 5, /* fragment shaders */
  DOVETAIL_HARDWARE_CS = 6  /* compute shaders */
} dovetail_hardware_stage;

/* The value that the driver writes to a user SGPR: a dword of the root table, by its index (below 0x10000000), or one
 * of these. An address is the low half of a 64-bit address; its high half is that of the code. Numbers below 0x40000000
 * are PAL's. */
typedef enum dovetail_user_data {
  DOVETAIL_USER_DATA_GLOBAL_TABLE = 0x10000000,    /* address of the descriptors in dovetail_global_table */
  DOVETAIL_USER_DATA_SPILL_TABLE = 0x10000002,     /* address of a copy of the whole root table in memory */
  DOVETAIL_USER_DATA_BASE_VERTEX = 0x10000003,     /* vertexOffset, or firstVertex if not indexed */
  DOVETAIL_USER_DATA_BASE_INSTANCE = 0x10000004,   /* firstInstance */
  DOVETAIL_USER_DATA_DRAW_INDEX = 0x10000005,      /* of the draw in a multi-draw */
  DOVETAIL_USER_DATA_WORKGROUP_COUNT = 0x10000006, /* address of three dwords; its high half goes into the next SGPR,
                                                      which is DOVETAIL_USER_DATA_UNMAPPED */
  DOVETAIL_USER_DATA_VIEW_INDEX = 0x1000000b,      /* of the view that is drawn; the driver draws once for each view */
  /* Address of four descriptors: transform feedback buffers. Their stride is that of VGT_STRMOUT_VTX_STRIDE; on GFX8
   * they have ADD_TID_ENABLE. */
  DOVETAIL_USER_DATA_STREAMOUT_TABLE = 0x1000000c,
  DOVETAIL_USER_DATA_VERTEX_BUFFER_TABLE = 0x1000000f, /* address of a descriptor for each vertex binding, by number */
  DOVETAIL_USER_DATA_ALPHA_REFERENCE = 0x40000000,     /* float that alpha is compared with */
  DOVETAIL_USER_DATA_DEVICE_INDEX = 0x40000001,        /* of the GPU in its group */
  /* Floats: in a shader with OriginLowerLeft, a fragment's y is the y of the target's row, times the scale (1 or -1),
   * plus the bias. For a target whose first row is the lowest, they are 1 and 0; else -1 and the target's height. */
  DOVETAIL_USER_DATA_FRAG_COORD_Y_SCALE = 0x40000002,
  DOVETAIL_USER_DATA_FRAG_COORD_Y_BIAS = 0x40000003, /* see DOVETAIL_USER_DATA_FRAG_COORD_Y_SCALE */
  /* Floats, this number and the five behind it: GL_PATCH_DEFAULT_OUTER_LEVEL (4) and INNER_LEVEL (2), of programs that
   * have no control shader. */
  DOVETAIL_USER_DATA_DEFAULT_TESS_LEVEL = 0x40000008
} dovetail_user_data;
#define DOVETAIL_USER_DATA_UNMAPPED 0xffffffffu /* nothing: no code reads the SGPR */

/* Entries of the global table: buffer descriptors (V#) of 16 bytes each, as far as programs use them. */
typedef enum dovetail_global_table {
  DOVETAIL_GLOBAL_TABLE_GRAPHICS_SCRATCH = 0,  /* swizzled by lane, as wide as a wave */
  DOVETAIL_GLOBAL_TABLE_COMPUTE_SCRATCH = 1,   /* the same for compute programs */
  DOVETAIL_GLOBAL_TABLE_ES_RING_OUT = 2,       /* GFX8: the ESGS ring, swizzled likewise, for the writing ES */
  DOVETAIL_GLOBAL_TABLE_GS_RING_IN = 3,        /* GFX8: the same memory, for the reading GS */
  DOVETAIL_GLOBAL_TABLE_GS_RING_OUT = 4,       /* the GSVS ring; only its base address counts */
  DOVETAIL_GLOBAL_TABLE_COPY_RING_IN = 8,      /* the same memory, for the reading copy shader (VS) */
  DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9,      /* tessellation factors */
  DOVETAIL_GLOBAL_TABLE_OFFCHIP = 10,          /* outputs of control shaders */
  DOVETAIL_GLOBAL_TABLE_SAMPLE_POSITIONS = 12, /* PAL's palette: 16 patterns of 16 samples of 16 bytes, of which the
                                                  first two floats are the offset from the pixel's centre; pattern n is
                                                  that of 2^n samples */
  DOVETAIL_GLOBAL_TABLE_POLYGON_STIPPLE = 32   /* 32 rows of 32 pixels, a dword each. Not one of PAL's */
} dovetail_global_table;

/* A program of the hardware. */
typedef struct dovetail_stage_info {
  size_t size;
  uint32_t stage; /* dovetail_hardware_stage */
  uint32_t entry; /* offset of the first instruction, a multiple of 256; the value for its SPI_SHADER_PGM_LO register is
                     (address of the code + entry) >> 8 */
  uint32_t text_size;   /* bytes, from the entry to the end of the program */
  uint32_t first_part;  /* index of its first dovetail_part_info */
  uint32_t part_count;  /* of its parts */
  uint32_t second_half; /* merged programs made of parts: index, from first_part on, of the part that begins the second
                           half */
  uint32_t sgprs;       /* that the code uses, VCC and other specials included */
  uint32_t vgprs;       /* that the code uses */
  uint32_t scratch_bytes;     /* for each lane */
  uint32_t lds_bytes;         /* for each group */
  uint32_t wave_size;         /* lanes: DOVETAIL_SUBGROUP_SIZE */
  uint32_t user_sgpr_count;   /* user SGPRs that the program is launched with */
  uint32_t user_data[32];     /* the value of each user SGPR: see dovetail_user_data */
  uint32_t spill_threshold;   /* the lowest root dword that is read through the spill table; 0xffff: none */
  uint32_t workgroup_size[3]; /* compute; else 0 */
  uint32_t writes_memory;     /* it has stores or atomics */
  uint32_t reserved;
  uint32_t spilled_sgprs; /* of all parts, as in dovetail_part_info */
  uint32_t spilled_vgprs; /* of all parts, as in dovetail_part_info */
} dovetail_stage_info;

/* index: below dovetail_variant_info::stage_count; in the order in which the stages run. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_stage(const dovetail_variant *variant, uint32_t index,
                                                        dovetail_stage_info *info, dovetail_message *message);

/* What a part is. */
typedef enum dovetail_part_kind {
  DOVETAIL_PART_VERTEX_PROLOG = 0,        /* fetches vertex attributes */
  DOVETAIL_PART_VERTEX_MAIN = 1,          /* a vertex shader */
  DOVETAIL_PART_TESS_CONTROL_MAIN = 2,    /* a tessellation control shader */
  DOVETAIL_PART_TESS_CONTROL_EPILOG = 3,  /* writes tessellation factors */
  DOVETAIL_PART_TESS_EVALUATION_MAIN = 4, /* a tessellation evaluation shader */
  DOVETAIL_PART_GEOMETRY_PROLOG = 5,      /* puts the vertices of strips with adjacency into the API's order */
  DOVETAIL_PART_GEOMETRY_MAIN = 6,        /* a geometry shader */
  DOVETAIL_PART_GEOMETRY_COPY = 7,        /* runs as VS and exports a geometry shader's vertices */
  DOVETAIL_PART_FRAGMENT_PROLOG = 8,      /* does what a state asks for in front of a fragment shader */
  DOVETAIL_PART_FRAGMENT_MAIN = 9,        /* a fragment shader */
  DOVETAIL_PART_FRAGMENT_EPILOG = 10,     /* exports colours */
  DOVETAIL_PART_COMPUTE_MAIN = 11,        /* a compute shader */
  DOVETAIL_PART_GLUE = 12,                /* between the halves of a merged program */
  DOVETAIL_PART_MONOLITHIC = 13,          /* a program that was compiled as a whole */
  DOVETAIL_PART_NULL_FRAGMENT = 14,       /* the whole PS of programs without a fragment shader */
  DOVETAIL_PART_COMPUTE_PROLOG = 15       /* puts invocations into squares */
} dovetail_part_kind;

/* Pointers live as long as the variant. */
typedef struct dovetail_part_info {
  size_t size;
  uint32_t kind;              /* dovetail_part_kind */
  uint32_t stage;             /* index of its dovetail_stage_info */
  uint32_t offset;            /* of its first instruction */
  uint32_t code_size;         /* bytes, without constants */
  uint32_t wait_states;       /* of the s_nop that the join put in front of it; 0: there is none */
  uint32_t constants_offset;  /* of its constants */
  uint32_t constants_size;    /* bytes */
  uint32_t instruction_count; /* without the s_nop in front */
  uint32_t was_made;          /* when this variant was built; 0: it was there already */
  uint32_t tier;              /* dovetail_code_tier of a main part; NONE also in a variant that was read from a file */
  double make_microseconds;   /* wall time that the build spent on getting it */
  uint64_t key[2];            /* 128 bits; parts with the same kind and key are the same */
  const char *description;    /* what it does, in words: "attr0 R32G32B32_SFLOAT.xyz binding 0 +12, ..." */
  char symbol[64];            /* "vs.vertex_prolog", unique in the variant */
  /* Registers that the compiler had no room for and stores elsewhere: SGPRs in lanes of VGPRs or in scratch memory,
   * VGPRs in scratch memory. 0 in a variant that was read from a file. */
  uint32_t spilled_sgprs;
  uint32_t spilled_vgprs; /* see spilled_sgprs */
} dovetail_part_info;

/* index: below dovetail_variant_info::part_count; in the order of their offsets. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_part(const dovetail_variant *variant, uint32_t index,
                                                       dovetail_part_info *info, dovetail_message *message);

/* index: below dovetail_variant_info::relocation_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_relocation(const dovetail_variant *variant, uint32_t index,
                                                             dovetail_relocation *relocation,
                                                             dovetail_message *message);

/* How patches form groups, and how a group shares LDS and its part of the off-chip buffer. */
typedef struct dovetail_tessellation_info {
  size_t size;
  uint32_t input_control_points;  /* of a patch */
  uint32_t output_control_points; /* of a patch */
  uint32_t patches_per_group;     /* the most that a group has */
  uint32_t ls_vertex_stride;      /* bytes from vertex to vertex in LDS */
  uint32_t lds_patch_stride;      /* bytes of a patch's outputs in LDS */
  uint32_t output_base;           /* LDS bytes: where the outputs of the group's patches begin */
  uint32_t offchip_patch_base;    /* bytes in the group's part of the off-chip buffer: where per-patch outputs begin */
  uint32_t lds_bytes;             /* of a group */
  uint32_t offchip_bytes;         /* of a group; at most the size of a block of the off-chip buffer, 32 KiB */
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
  uint32_t lds_bytes;                        /* of a group */
  uint32_t gsvs_item_dwords[4];              /* the GSVS ring: dwords that one lane of a wave takes for each stream */
  uint32_t reserved;
} dovetail_geometry_info;

/* Thread-safe. Errors: DOVETAIL_BAD_ARGUMENT if the variant has no geometry shader. */
DOVETAIL_API dovetail_status dovetail_variant_get_geometry(const dovetail_variant *variant,
                                                           dovetail_geometry_info *info, dovetail_message *message);

/* Writes the code for the GPU's memory at `gpu_address`, a multiple of code_alignment. `destination` has room for at
 * least code_size bytes; the call never reads it, so it may be write-combined. Thread-safe. Errors:
 * DOVETAIL_BUFFER_TOO_SMALL, and nothing is written. */
DOVETAIL_API dovetail_status dovetail_variant_copy_code(const dovetail_variant *variant, void *destination,
                                                        size_t destination_size, uint64_t gpu_address,
                                                        dovetail_message *message);

/* Writes the variant as a PAL pipeline ELF, for drivers and tools that read one: code, metadata, a symbol for each
 * program and each part. `*size`: on entry the bytes that `buffer` has room for; on return the size of the file. With
 * buffer == NULL, the call returns only the size. Each call makes the file, in about 100 microseconds. Thread-safe.
 * Errors: DOVETAIL_BUFFER_TOO_SMALL (only the size is written then); DOVETAIL_IO. */
DOVETAIL_API dovetail_status dovetail_variant_write_elf(const dovetail_variant *variant, void *buffer, size_t *size,
                                                        dovetail_message *message);

/* Makes a variant from such a file, to be drawn with as the file says. Its parts have their kind, code and constants,
 * but no key and no timing. The variant is retained; release it. It belongs to no device. Any bytes are safe to read.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT if the bytes are damaged, or no pipeline ELF for a known GPU. */
DOVETAIL_API dovetail_status dovetail_variant_read_elf(const void *data, size_t size, const dovetail_variant **variant,
                                                       dovetail_message *message);

/* Writes the parts of a variant as one run of bytes, for dovetail_device_import_parts(). A device with the parts of a
 * joined variant makes that variant again without compiling. For an optimised variant it is spared only code
 * generation: it finds the parts by what their shaders read, and must lower the shaders to know that. `*size` and
 * `buffer` as for dovetail_variant_write_elf(). Thread-safe. Errors: DOVETAIL_INVALID_INPUT for a variant that was read
 * from a file; DOVETAIL_BUFFER_TOO_SMALL; only the size is written then. */
DOVETAIL_API dovetail_status dovetail_variant_export_parts(const dovetail_variant *variant, void *buffer, size_t *size,
                                                           dovetail_message *message);

/* Writes the code as assembly text that shows where each part begins, its inputs and its outputs. UTF-8, with a final
 * 0, which *size includes; otherwise like dovetail_variant_write_elf(). Takes milliseconds. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_disassemble(const dovetail_variant *variant, char *buffer, size_t *size,
                                                          dovetail_message *message);

/* ---- For tools ---- */

/* A static estimate of what a program costs, for comparing one build with another: each instruction counts once,
 * whether it is in a loop or behind a branch. */
typedef struct dovetail_code_cost {
  size_t size;
  uint32_t instruction_count; /* of the program, or of the part */
  /* Cycles in which a SIMD issues these for one wave: 4 for most, more for instructions at a lower rate. Waits for
   * memory, LDS and other waves do not count. */
  uint32_t cycles;
  /* Instructions by their class. */
  uint32_t vector_count;
  uint32_t interpolate_count;   /* v_interp */
  uint32_t scalar_count;        /* with branches and waits */
  uint32_t scalar_load_count;   /* loads of SGPRs from memory */
  uint32_t vector_memory_count; /* loads, stores and atomics of VGPRs; images */
  uint32_t lds_count;           /* of LDS */
  uint32_t export_count;        /* exports */
  uint32_t reserved;
} dovetail_code_cost;

/* index: below dovetail_variant_info::stage_count. Decodes the code, which takes about as long as
 * dovetail_variant_disassemble(). Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_stage_cost(const dovetail_variant *variant, uint32_t index,
                                                             dovetail_code_cost *cost, dovetail_message *message);
/* index: below dovetail_variant_info::part_count. Decodes the code, like the function above. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_part_cost(const dovetail_variant *variant, uint32_t index,
                                                            dovetail_code_cost *cost, dovetail_message *message);

/* Of dovetail_code_place::part: there is none. */
#define DOVETAIL_NO_PART 0xffffffffu

/* The instruction at an offset of the code. The offset is a program counter of a trace or of a fault, minus the address
 * to which the code was copied. */
typedef struct dovetail_code_place {
  size_t size;
  uint32_t stage;              /* index of its dovetail_stage_info */
  uint32_t part;               /* index of its dovetail_part_info; DOVETAIL_NO_PART: an s_nop between two parts */
  uint32_t offset_in_part;     /* of the instruction, bytes; 0 without a part */
  uint32_t instruction_offset; /* in the code; the offset that was asked for may be in its middle */
  uint32_t instruction_size;   /* bytes */
  uint32_t reserved;
  char text[120]; /* "v_mov_b32_e32 v0, s3"; cut off if it is longer */
} dovetail_code_place;

/* offset: bytes from the start of the code. Thread-safe. Errors: DOVETAIL_INVALID_INPUT for an offset that is in no
 * program. */
DOVETAIL_API dovetail_status dovetail_variant_find_place(const dovetail_variant *variant, uint32_t offset,
                                                         dovetail_code_place *place, dovetail_message *message);

/* The source lines that the code of a variant's main parts comes from. Belongs to its device. */
typedef struct dovetail_source_lines dovetail_source_lines;

/* Code from this offset up to the next row comes from this line. */
typedef struct dovetail_source_line {
  uint32_t offset;  /* bytes from the start of the variant's code */
  uint32_t line;    /* from 1 on; 0: the module says no line */
  const char *file; /* as the module names it; lives as long as the dovetail_source_lines. "" without a line */
} dovetail_source_line;

/* Compiles the main parts of a variant again with debug information. The variant was bound or built for this program
 * and this state (NULL: the program's default state). Only main parts have rows, if their modules have lines (OpLine,
 * DebugLine); the parts of monolithic and optimised variants have none. Destroy the result. Thread-safe. Errors: those
 * of dovetail_build(); DOVETAIL_BAD_ARGUMENT for a variant of another GPU. */
DOVETAIL_API dovetail_status dovetail_source_lines_create(const dovetail_program *program, const dovetail_state *state,
                                                          const dovetail_variant *variant,
                                                          dovetail_source_lines **lines, dovetail_message *message);

/* Returns the rows, sorted by offset; *count becomes their number. The pointer is valid until `lines` is destroyed. For
 * NULL, returns NULL and 0. Thread-safe. */
DOVETAIL_API const dovetail_source_line *dovetail_source_lines_get(const dovetail_source_lines *lines, size_t *count);

/* Returns the line of the code at an offset: the last row that begins there or before, if it is in the same part; else
 * line 0. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_source_lines_find(const dovetail_source_lines *lines, uint32_t offset,
                                                        dovetail_source_line *line, dovetail_message *message);

/* Writes the variant's pipeline ELF like dovetail_variant_write_elf(), with these lines as DWARF's tables
 * (.debug_line), for debuggers, profilers and llvm-symbolizer. Addresses are offsets in .text. Without rows, there are
 * no tables. `buffer` and `size` as there. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_source_lines_write_elf(const dovetail_source_lines *lines, void *buffer,
                                                             size_t *size, dovetail_message *message);

/* Nobody may still use the lines. Thread-safe. */
DOVETAIL_API void dovetail_source_lines_destroy(dovetail_source_lines *lines);

/* Writes the LLVM IR from which code of the program's main parts is generated under a state (NULL: the program's
 * default state). A comment with the shader's name precedes each. UTF-8, with a final 0, which *size includes;
 * otherwise like dovetail_variant_write_elf(). Each call compiles the shaders again. Thread-safe. Errors: those of the
 * compiler; DOVETAIL_BUFFER_TOO_SMALL. */
DOVETAIL_API dovetail_status dovetail_program_print_ir(const dovetail_program *program, const dovetail_state *state,
                                                       char *buffer, size_t *size, dovetail_message *message);

#ifdef __cplusplus
}
#endif
