/* SPDX-License-Identifier: MIT
 *
 * Part of dovetail.h: versions, the status of a call, and the device, from which shaders, programs, states and binders
 * are made.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
/* Marks the functions that the library exports. */
#define DOVETAIL_API __attribute__((visibility("default")))
#else
#define DOVETAIL_API
#endif

/* ---- Version ---- */

/* The version of this header. From 1 on, a new major version may break programs. */
#define DOVETAIL_VERSION_MAJOR 0
/* Below version 1.0, a new minor version may break programs. */
#define DOVETAIL_VERSION_MINOR 2
/* A new patch version breaks nothing. */
#define DOVETAIL_VERSION_PATCH 0
/* Versions as numbers that compare. */
#define DOVETAIL_MAKE_VERSION(major, minor, patch)                                                                     \
  ((uint32_t)(major)*1000000u + (uint32_t)(minor)*1000u + (uint32_t)(patch))
/* The version of this header as one number. */
#define DOVETAIL_VERSION DOVETAIL_MAKE_VERSION(DOVETAIL_VERSION_MAJOR, DOVETAIL_VERSION_MINOR, DOVETAIL_VERSION_PATCH)

/* The library's DOVETAIL_VERSION; the header's may differ. Libraries with the same major version (below 1.0: the same
 * minor version) serve all older headers. Thread-safe. */
DOVETAIL_API uint32_t dovetail_version(void);

/* Identifies everything that code depends on besides shaders and states: the versions of Dovetail and of LLVM, and the
 * build. 32 hexadecimal digits; static. A driver that keeps variants in a cache of its own puts this into its keys.
 * Thread-safe. */
DOVETAIL_API const char *dovetail_build_id(void);

/* The number of GPUs that Dovetail compiles for. Thread-safe. */
DOVETAIL_API size_t dovetail_gpu_count(void);

/* LLVM's name of a GPU's processor ("gfx900"). NULL if index is dovetail_gpu_count() or greater. Static.
 * Thread-safe. */
DOVETAIL_API const char *dovetail_gpu_name(size_t index);

/* ---- Status ---- */

/* How a call ended. */
typedef enum dovetail_status {
  DOVETAIL_OK = 0,               /* done */
  DOVETAIL_INVALID_INPUT = 1,    /* the input is malformed: SPIR-V that does not validate, for example */
  DOVETAIL_UNSUPPORTED = 2,      /* well formed, but Dovetail does not implement it */
  DOVETAIL_UNKNOWN_GPU = 3,      /* see dovetail_gpu_name() */
  DOVETAIL_STATE_MISMATCH = 4,   /* the pipeline state contradicts the shaders, or they contradict each other */
  DOVETAIL_COMPILE_FAILED = 5,   /* LLVM reported an error */
  DOVETAIL_JOIN_REFUSED = 6,     /* parts do not fit together, or do not fit into the hardware */
  DOVETAIL_CHECK_FAILED = 7,     /* a finished image has a defect */
  DOVETAIL_IO = 8,               /* a file could not be read or written */
  DOVETAIL_NOT_READY = 9,        /* it needs a compiler, and the caller does not wait for one; see never_compile */
  DOVETAIL_CANCELLED = 10,       /* nobody wants the result any more */
  DOVETAIL_INTERNAL = 11,        /* a defect of this library */
  DOVETAIL_OUT_OF_MEMORY = 12,   /* an allocation failed */
  DOVETAIL_BAD_ARGUMENT = 13,    /* the call itself is wrong; the message names the argument */
  DOVETAIL_BUFFER_TOO_SMALL = 14 /* the caller's buffer; the call returned the size that is needed */
} dovetail_status;

/* A few words for a status: "out of memory". Static, never NULL, also for numbers that are not in the enumeration.
 * Thread-safe. */
DOVETAIL_API const char *dovetail_status_text(dovetail_status status);

/* The text of an error, in UTF-8, with a final 0. A text that does not fit is cut off and ends in "...". The struct is
 * the caller's own, so threads do not disturb each other. */
typedef struct dovetail_message {
  char text[1024]; /* "" after a success */
} dovetail_message;

/* Returns LLVM's name of the GPU with a PCI device id of AMD (vendor 1002). external_revision: external_rev of the
 * kernel's drm_amdgpu_info_device, or 0; only the ids of Raven need it, because Raven2 has the same ones. *gpu is
 * static, and NULL after an error. Thread-safe. Errors: DOVETAIL_UNKNOWN_GPU. */
DOVETAIL_API dovetail_status dovetail_gpu_from_pci(uint16_t device_id, uint32_t external_revision, const char **gpu,
                                                   dovetail_message *message);

/* ---- Device ---- */

/* Everything that the programs of one GPU share: parts, variants, compilers, background threads. A process may have
 * several devices, for the same GPU or for different ones. */
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

/* When the background compiles variants again as a whole, to make them faster. */
typedef enum dovetail_policy {
  DOVETAIL_POLICY_OFF = 0,   /* never */
  DOVETAIL_POLICY_HOT = 1,   /* variants that were bound hot_binds times */
  DOVETAIL_POLICY_ALWAYS = 2 /* each variant, as soon as it is joined */
} dovetail_policy;

/* Whose code a main part is: first code is made in a fraction of LLVM's time, and LLVM's runs faster. Both compute the
 * same. */
typedef enum dovetail_code_tier {
  DOVETAIL_TIER_NONE = 0,       /* no main part; in options: the default */
  DOVETAIL_TIER_FIRST_CODE = 1, /* Dovetail's own code generator, for the first draws */
  DOVETAIL_TIER_LLVM = 2        /* LLVM */
} dovetail_code_tier;

/* Errors matter most, then warnings, then info, then debug. */
typedef enum dovetail_log_level {
  DOVETAIL_LOG_WARNING = 0, /* the library turned something off or gave up: the store, a background build */
  DOVETAIL_LOG_ERROR = 1,   /* draws are left out: the background could not build what they need */
  DOVETAIL_LOG_INFO = 2,    /* a device was made; an optimised variant was made or rejected */
  DOVETAIL_LOG_DEBUG = 3    /* each compile. A callback that gets these must call nothing of the device */
} dovetail_log_level;

/* Who waits for a compile. */
typedef enum dovetail_compile_purpose {
  DOVETAIL_COMPILE_FOR_CALLER = 0,     /* a call waits for it: a bind, a shader with DOVETAIL_COMPILE_NOW, a build */
  DOVETAIL_COMPILE_FOR_BACKGROUND = 1, /* a shader or a first variant that the background makes */
  DOVETAIL_COMPILE_FOR_OPTIMIZED = 2   /* an optimised variant */
} dovetail_compile_purpose;

/* A finished compile. Pointers are valid during the callback. */
typedef struct dovetail_compile_event {
  size_t size;
  uint32_t kind;           /* dovetail_part_kind of the part that was compiled */
  uint32_t purpose;        /* dovetail_compile_purpose */
  uint64_t key[2];         /* of the part, as in dovetail_part_info */
  const char *shaders;     /* their names: "phong.vert", or "a.tesc, b.tese" of a merged program; "" for copy shaders */
  uint64_t shader_hash[2]; /* of the SPIR-V words; of a merged program those of its last shader; 0 for copy shaders */
  uint32_t status;         /* dovetail_status that a call with this outcome returns */
  uint32_t instruction_count; /* this and the next five describe the part; 0 if there is none */
  uint32_t sgprs;             /* registers of the part */
  uint32_t vgprs;             /* registers of the part */
  uint32_t scratch_bytes;     /* for each lane */
  uint32_t spilled_sgprs;     /* as in dovetail_part_info */
  uint32_t spilled_vgprs;     /* as in dovetail_part_info */
  uint32_t tier;              /* dovetail_code_tier, also of a compile that failed */
  const char *error;          /* why it failed; "" if it did not */
  double microseconds;        /* wall time */
  /* CPU time of the three steps of a compile. */
  double front_microseconds;    /* SPIR-V to LLVM IR */
  double optimize_microseconds; /* IR, and the hardware's form of inputs and outputs */
  double codegen_microseconds;  /* machine code, and what is read from it */
  /* Why first code refused the shader, so that LLVM compiled it at once; "" if it was not asked or did not refuse. */
  const char *first_code_refusal;
} dovetail_compile_event;

/* The device has a new variant, or a better one. Binds find it from now on. */
typedef struct dovetail_publication {
  size_t size;
  const dovetail_variant *variant;  /* valid during the callback; retain it to keep it. NULL: a bind with never_compile
                                       left the build to the background, and the build failed (the next bind returns the
                                       error) or gave way to more urgent builds (the next bind asks again) */
  const dovetail_variant *replaced; /* the joined variant, that with first code, or the fallback; NULL: none. Valid
                                       during the callback */
  uint64_t generation;              /* of the device, this publication included */
  /* `user` of the program and of the state that were bound: dovetail_program_options, dovetail_pipeline_state. If
   * several programs or states lead to one variant, each pair of pointers gets its own publication. Equal programs and
   * equal states with the same pointers get one. A publication may come after program and state were destroyed, until
   * the device is drained. */
  void *program_user;
  void *state_user; /* of the state; see program_user */
} dovetail_publication;

/* Allocates the memory of the C layer's handles. It does NOT allocate the blocks for code, for the compiler, for the
 * parts and variants behind a handle, or for the bookkeeping of the C++ library: LLVM and the C++ standard library use
 * the process's own operator new and malloc, which no library can redirect. Set both functions or none. The library
 * calls them on the threads that create and destroy handles. */
typedef struct dovetail_allocator {
  void *user; /* handed to both functions */
  /* Returns a block aligned to `alignment`, a power of two; or NULL, and the call returns DOVETAIL_OUT_OF_MEMORY. */
  void *(*allocate)(void *user, size_t size, size_t alignment);
  /* Takes back a block of `allocate`. */
  void (*free)(void *user, void *block);
} dovetail_allocator;

/* Bytes of a key of dovetail_part_cache. */
#define DOVETAIL_PART_CACHE_KEY_SIZE 16

/* A cache of parts that the driver owns, such as Mesa's disk cache or the storage of a VkPipelineCache. It keeps bytes
 * by key (DOVETAIL_PART_CACHE_KEY_SIZE bytes), and may forget any entry. The library checks what the cache returns; a
 * damaged entry is a miss. A key covers everything that changes code, including the GPU and the build of Dovetail and
 * of LLVM.
 *
 * The library calls both functions on any thread, several at the same time, also while a bind waits. They must not call
 * functions of the device. */
typedef struct dovetail_part_cache {
  void *user; /* handed to both functions */
  /* Copies the entry of a key to `buffer` if it fits, and returns its size; 0: there is none. If it did not fit, the
   * library calls again with a larger buffer. */
  size_t (*get)(void *user, const uint8_t *key, void *buffer, size_t buffer_size);
  /* `data` is valid during the call. */
  void (*put)(void *user, const uint8_t *key, const void *data, size_t size);
} dovetail_part_cache;

/* What a device is made from. `gpu` is needed; all else may be 0. */
typedef struct dovetail_device_options {
  size_t size;
  const char *gpu;          /* name by LLVM ("gfx803"), of a chip ("polaris10") or of a product ("RX 580"). Needed. */
  uint32_t policy;          /* dovetail_policy */
  uint32_t hot_binds;       /* default 64 */
  uint32_t threads;         /* background threads that work at the same time; default 1 */
  uint32_t max_queued;      /* builds that may wait in the background; more are not enqueued. Default 64 */
  uint64_t memory_budget;   /* bytes of variants and parts; referenced ones are kept beyond it. Default 256 MiB */
  const char *store_path;   /* a folder for parts on disk, shared by processes; made if missing, with its parents.
                               Default: no store; "" is an error */
  uint64_t store_max_bytes; /* default 1 GiB */
  uint32_t store_read_only; /* 1: parts are read from the store and not written to it */
  /* Use the folder even if it is a link, belongs to somebody else, or others may write to it. Whoever may write to it
   * chooses the machine code that runs. */
  uint32_t store_trust_folder;
  void *log_user; /* handed to `log` */
  /* Called on any thread, several at the same time, also before dovetail_device_create() returns. */
  void (*log)(void *user, dovetail_log_level level, const char *text);
  void *publication_user; /* handed to `on_publication` */
  /* Called on background threads, also while dovetail_device_destroy() waits for them. May bind, with a binder of its
   * own. If the callback makes handles, drain the device before destroying it. */
  void (*on_publication)(void *user, const dovetail_publication *publication);
  /* Copied, and used until everything that was made from the device is destroyed. */
  dovetail_allocator allocator;
  /* The device looks for parts here, and puts them here, before it uses the store. Default: none. Copied. */
  dovetail_part_cache part_cache;
  void *compile_user; /* handed to `on_compile` */
  /* Called after each compile, on the thread that compiled, several at the same time, also while a bind waits. Must not
   * call functions of the device. Parts that are found or encoded (prologs, epilogs, glue) do not count as compiles. */
  void (*on_compile)(void *user, const dovetail_compile_event *event);
  /* A folder for files of builds that fail or take long: a shader, or shaders with layout and state. A warning names
   * each file, and `dovetail compile` reads it. A device writes each file once, and at most 100. The folder is made if
   * missing, with its parents; a folder that cannot be written to causes a warning. Default: none; "" is an error. */
  const char *dump_path;
  double dump_slow_milliseconds; /* wall time from which on a build is slow; default: only failed builds are written */
  uint32_t log_level; /* dovetail_log_level; messages that matter less are not logged. Default: warnings and errors */
  /* 1: the first program starts the first background thread, so that no bind with never_compile has to. Policies other
   * than DOVETAIL_POLICY_OFF do so anyway. */
  uint32_t start_background_early;
  uint32_t keep_unpacked; /* 1: optimised variants do not pack several locations into one parameter */
  uint32_t archive_count; /* of `archives`, at most 8 */
  /* Files of read-only parts, which `dovetail archive make` makes and a game or a distribution ships. The device looks
   * for parts there before it uses the store. A file that cannot be used, or that is for other builds or GPUs, causes a
   * warning. Whoever may write to a file chooses the machine code that runs, so it must belong to this user or to root,
   * and others must not be able to write to it. Copied. */
  const char *const *archives;
  /* dovetail_code_tier: which code binds draw with at first where neither the device, its store nor part_cache has
   * LLVM's. With DOVETAIL_TIER_FIRST_CODE, the background compiles LLVM's code at once, under any policy, and publishes
   * variants of it in the place of those with first code. First code gets into no store, cache or export. A process
   * that was forked off has no background, and gets LLVM's code. Default: DOVETAIL_TIER_FIRST_CODE. */
  uint32_t first_tier;
  uint32_t reserved; /* 0 */
} dovetail_device_options;

/* Thread-safe. A store that cannot be used causes a warning, not an error. Errors: DOVETAIL_UNKNOWN_GPU, with the names
 * that are known. */
DOVETAIL_API dovetail_status dovetail_device_create(const dovetail_device_options *options, dovetail_device **device,
                                                    dovetail_message *message);

/* Cancels waiting background work and waits for running work. Errors: DOVETAIL_BAD_ARGUMENT while shaders, programs,
 * states, uniforms, binders or source lines of the device exist; the message says how many, and the device stays as it
 * is. One thread, with nobody else using the device; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_destroy(dovetail_device *device, dovetail_message *message);

/* Waits until all background work is done. Thread-safe; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_drain(dovetail_device *device, dovetail_message *message);

/* Waits until the parts that were made so far are in the store on disk. Call it before the folder is copied, or before
 * the process may end without dovetail_device_destroy(). Does nothing without a store or with a read-only one.
 * Thread-safe. Errors: DOVETAIL_IO if the store is turned off. */
DOVETAIL_API dovetail_status dovetail_device_flush_store(dovetail_device *device, dovetail_message *message);

/* Writes the parts that the device holds as one run of bytes, for a file beside an application's pipelines. Its header
 * names the GPU and the build. `*size`: on entry the bytes that `buffer` has room for; on return the size of the run.
 * With buffer == NULL, the call returns only the size; there may be more parts by the next call. Thread-safe. Errors:
 * DOVETAIL_BUFFER_TOO_SMALL; only the size is written then. */
DOVETAIL_API dovetail_status dovetail_device_export_parts(dovetail_device *device, void *buffer, size_t *size,
                                                          dovetail_message *message);

/* What became of imported parts. */
typedef struct dovetail_import_info {
  size_t size;
  uint64_t imported; /* parts that are new to the device */
  uint64_t known;    /* parts that the device had already */
  uint64_t damaged;  /* parts left out because their checksum or encoding is wrong */
} dovetail_import_info;

/* Adds exported parts, of a device or of a variant, so that the device need not make them. info may be NULL.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT if the bytes are no such export, were cut off, or are for another GPU or
 * of another build of Dovetail or LLVM; no part is added then. */
DOVETAIL_API dovetail_status dovetail_device_import_parts(dovetail_device *device, const void *data, size_t size,
                                                          dovetail_import_info *info, dovetail_message *message);

/* The number of publications so far; 0 for NULL. Thread-safe, and as fast as reading a number. */
DOVETAIL_API uint64_t dovetail_device_generation(const dovetail_device *device);

/* What a device has done since it was made, and what it holds now. */
typedef struct dovetail_device_statistics {
  size_t size;
  uint64_t binds;                  /* of all binders */
  uint64_t unchanged_binds;        /* binds that cost a compare */
  uint64_t known_binds;            /* binds that found their variant in the table */
  uint64_t waited_binds;           /* binds that waited for another thread's build */
  uint64_t joined_variants;        /* built so far, like the next two */
  uint64_t monolithic_variants;    /* built so far */
  uint64_t optimized_variants;     /* built so far */
  uint64_t failed_builds;          /* of variants, so far; failed change-overs are among them */
  uint64_t rejected_optimizations; /* optimized variants that were no better */
  uint64_t fallbacks;              /* binds that got a fallback */
  uint64_t optimizer_overtaken;  /* parts and variants that a bind made itself, because the background had not finished
                                    them */
  uint64_t evicted_variants;     /* so far */
  uint64_t evicted_parts;        /* so far */
  uint64_t variants;             /* held now */
  uint64_t variant_bytes;        /* of the variants held now */
  uint64_t generation;           /* dovetail_device_generation() */
  uint64_t parts_made;           /* compiled or encoded */
  uint64_t parts_found;          /* in memory, also after a wait for the thread that was making the part */
  uint64_t part_bytes;           /* code and constants of the parts held now */
  uint64_t part_memory_bytes;    /* part_bytes and bookkeeping; memory_budget is for this plus variant_bytes */
  uint64_t background_queued;    /* builds that the background accepted */
  uint64_t background_finished;  /* with a result */
  uint64_t background_failed;    /* with an error */
  uint64_t background_cancelled; /* before they began */
  uint64_t background_refused;   /* not enqueued, because the queue was full */
  uint64_t background_waiting;   /* now */
  uint64_t background_running;   /* now */
  uint64_t store_hits;           /* parts that were asked for and there */
  uint64_t store_misses;         /* parts that were asked for and not there */
  uint64_t store_written;        /* parts */
  uint64_t store_damaged;        /* damaged entries that were removed; a damaged database counts as one */
  uint64_t store_evicted;        /* parts that had to go, because the store was full */
  uint64_t store_dropped; /* not written: too much was waiting already, there was no room, or the part is too large */
  uint64_t store_entries; /* now */
  uint64_t store_bytes;   /* of the database, in use now */
  uint32_t store_is_readable;     /* 0 also without a store */
  uint32_t store_is_writable;     /* 0 also without a store */
  uint64_t not_ready_binds;       /* binds that got nothing and left the build to the background */
  uint64_t parts_stored;          /* found in the driver's cache or the store instead of being made, or imported */
  uint64_t part_cache_damaged;    /* damaged entries that the driver's cache returned */
  uint64_t archives;              /* archives that are used */
  uint64_t archive_hits;          /* parts that were found in them */
  uint64_t archive_damaged;       /* damaged entries that they returned */
  uint64_t first_code_parts;      /* main parts that first code made */
  uint64_t first_code_refused;    /* main parts that first code refused, so that LLVM made them at once */
  uint64_t changed_over_variants; /* in which LLVM's code took the place of first code */
  uint64_t failed_change_overs;   /* of programs, in which first code stays because LLVM failed */
} dovetail_device_statistics;

/* Thread-safe; the numbers are not all from one moment. */
DOVETAIL_API dovetail_status dovetail_device_get_statistics(const dovetail_device *device,
                                                            dovetail_device_statistics *statistics,
                                                            dovetail_message *message);

#ifdef __cplusplus
}
#endif
