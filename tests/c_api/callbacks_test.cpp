// SPDX-License-Identifier: MIT
//
// Callbacks of the library: memory, publications, warnings.
#include "tests/c_api/objects.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>

using namespace dovetail::c_test;

namespace {

// Counts its blocks, and refuses to give out more than `limit` of them.
struct Memory {
  std::map<void *, size_t> blocks;
  size_t given = 0, limit = SIZE_MAX;

  static void *allocate(void *user, size_t size, size_t alignment) {
    auto *memory = static_cast<Memory *>(user);
    if (memory->given == memory->limit)
      return nullptr;
    ++memory->given;
    void *block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    memory->blocks[block] = size;
    return block;
  }
  static void free(void *user, void *block) {
    auto *memory = static_cast<Memory *>(user);
    CHECK(memory->blocks.erase(block) == 1);
    std::free(block);
  }
  dovetail_device_options options() {
    dovetail_device_options result = {};
    result.size = sizeof result;
    result.gpu = "gfx900";
    result.allocator = {this, allocate, free};
    return result;
  }
};

dovetail_pipeline_state stateWithoutInput() {
  return DOVETAIL_PIPELINE_STATE_INIT;
}

} // namespace

TEST_CASE("C: handles are allocated and freed by the caller's functions") {
  Memory memory;
  {
    Device device(memory.options());
    CHECK(memory.blocks.size() == 1);
    TexturedProgram program(device); // and two shaders
    CHECK(memory.blocks.size() == 4);
    State state(device, program);
    Binder binder(device);
    CHECK(memory.blocks.size() == 6);
    binder.bind(program, state);
    CHECK(memory.blocks.size() == 6);
  }
  CHECK(memory.blocks.empty());
  CHECK(memory.given == 6);
}

TEST_CASE("C: a failed allocation is an error, and nothing has changed") {
  Memory memory;
  dovetail_device_options options = memory.options();
  dovetail_device *none = nullptr;
  dovetail_message message;
  memory.limit = 0;
  CHECK(dovetail_device_create(&options, &none, &message) == DOVETAIL_OUT_OF_MEMORY);
  CHECK(none == nullptr);
  CHECK(message.text == std::string_view("out of memory"));
  memory.limit = SIZE_MAX;
  {
    Device device(options);
    TexturedProgram program(device);
    Binder binder(device);
    const dovetail_variant *bound = binder.bind(program);
    const size_t blocks = memory.blocks.size();
    memory.limit = memory.given;

    const dovetail_shader_description shaderDescription = describe(textured_frag, DOVETAIL_STAGE_FRAGMENT);
    dovetail_shader *shader = nullptr;
    CHECK(dovetail_shader_create(device, &shaderDescription, &shader, &message) == DOVETAIL_OUT_OF_MEMORY);
    dovetail_program *otherProgram = nullptr;
    CHECK(dovetail_program_create(device, program.shaders().data(), 2, nullptr, &otherProgram, &message) ==
          DOVETAIL_OUT_OF_MEMORY);
    dovetail_state *state = nullptr;
    const dovetail_pipeline_state description = stateWithoutInput();
    CHECK(dovetail_state_create(device, &description, &state, &message) == DOVETAIL_OUT_OF_MEMORY);
    CHECK(dovetail_state_create_default(device, program, &state, &message) == DOVETAIL_OUT_OF_MEMORY);
    dovetail_uniforms *uniforms = nullptr;
    CHECK(dovetail_uniforms_create(device, nullptr, 0, &uniforms, &message) == DOVETAIL_OUT_OF_MEMORY);
    dovetail_binder *otherBinder = nullptr;
    CHECK(dovetail_binder_create(device, &otherBinder, &message) == DOVETAIL_OUT_OF_MEMORY);

    // The failed calls left no block and no handle that would keep the device. Binding needs no new block.
    CHECK(memory.blocks.size() == blocks);
    CHECK(binder.bind(program) == bound);
  }
  CHECK(memory.blocks.empty());
}

TEST_CASE("C: optimized variants pack what goes to pixels, unless they are not to") {
  // The number of pixel inputs that the program sets up: SPI_PS_INPUT_CNTL_0, _1, ...
  const auto inputsOf = [](bool isKept) {
    dovetail_device_options options = {};
    options.gpu = "gfx900";
    options.policy = DOVETAIL_POLICY_ALWAYS;
    options.keep_unpacked = isKept;
    Device device(options);
    Program program(device,
                    {describe(packed_vert, DOVETAIL_STAGE_VERTEX), describe(packed_frag, DOVETAIL_STAGE_FRAGMENT)});
    Binder binder(device);
    binder.bind(program);
    CHECK_OK(dovetail_device_drain(device, message));
    const dovetail_variant_info info = infoOf(binder.bind(program));
    constexpr uint32_t firstInput = 0xa191, inputs = 32;
    return std::count_if(info.registers, info.registers + info.register_count, [](const dovetail_register &each) {
      return each.address >= firstInput && each.address < firstInput + inputs;
    });
  };
  CHECK(inputsOf(false) == 1);
  CHECK(inputsOf(true) == 2);
}

TEST_CASE("C: the optimized variant is published, announced and bound") {
  struct Told {
    std::mutex mutex;
    std::condition_variable changed;
    unsigned count = 0;
    uint64_t generation = 0;
    const dovetail_variant *variant = nullptr, *replaced = nullptr;
  } told;
  dovetail_device_options options = withLlvm();
  options.policy = DOVETAIL_POLICY_ALWAYS;
  options.publication_user = &told;
  options.on_publication = [](void *user, const dovetail_publication *publication) {
    Told &told = *static_cast<Told *>(user);
    std::lock_guard lock(told.mutex);
    CHECK(publication->size == sizeof *publication);
    told.variant = publication->variant;
    told.replaced = publication->replaced;
    told.generation = publication->generation;
    CHECK(dovetail_variant_retain(publication->variant, nullptr) == DOVETAIL_OK);
    ++told.count;
    told.changed.notify_all();
  };
  {
    Device device(options);
    TexturedProgram program(device);
    Binder binder(device);
    const dovetail_variant *joined = binder.bind(program);
    CHECK(infoOf(joined).is_optimized == 0);
    CHECK_OK(dovetail_variant_retain(joined, message));
    CHECK_OK(dovetail_device_drain(device, message));
    std::unique_lock lock(told.mutex);
    REQUIRE(told.count == 1);
    CHECK(told.replaced == joined);
    CHECK(told.generation == 1);
    CHECK(dovetail_device_generation(device) == 1);
    lock.unlock();
    const dovetail_variant *optimized = binder.bind(program);
    CHECK(optimized == told.variant);
    CHECK(infoOf(optimized).is_optimized == 1);
    CHECK(statisticsOf(device).optimized_variants == 1);
    dovetail_variant_release(joined);
  }
  CHECK(infoOf(told.variant).code_size > 0);
  dovetail_variant_release(told.variant);
}

namespace {

// The pairs of user pointers that publications handed back, sorted.
struct HandedBack {
  std::mutex mutex;
  std::vector<std::pair<void *, void *>> users;

  static void add(void *user, const dovetail_publication *publication) {
    auto &all = *static_cast<HandedBack *>(user);
    std::lock_guard lock(all.mutex);
    all.users.emplace_back(publication->program_user, publication->state_user);
    std::ranges::sort(all.users);
  }
  dovetail_device_options options() {
    dovetail_device_options options = withLlvm();
    options.policy = DOVETAIL_POLICY_ALWAYS;
    options.publication_user = this;
    options.on_publication = add;
    return options;
  }
};

using Users = std::vector<std::pair<void *, void *>>;

} // namespace

TEST_CASE("C: a publication hands back the user pointers of each program and state that it is for") {
  int objects[3];
  HandedBack handedBack;
  Device device(handedBack.options());
  TexturedProgram program(device, &objects[0]);
  State own(device, program);
  dovetail_pipeline_state fields = own.get();
  fields.user = &objects[1];
  State first(device, fields);
  CHECK(first.get().user == &objects[1]);
  fields.user = &objects[2];
  State second(device, fields); // equal but for the pointer
  Binder binder(device);
  const dovetail_variant *joined = binder.bind(program, first);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(handedBack.users == Users{{&objects[0], &objects[1]}});
  const dovetail_variant *optimized = binder.bind(program, first);
  CHECK(optimized != joined);
  CHECK(binder.bind(program, second) == optimized); // made once for both
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(statisticsOf(device).optimized_variants == 1);
  CHECK(statisticsOf(device).joined_variants == 1);
}

TEST_CASE("C: objects that wait for the same optimized variant are all told of it") {
  int objects[3];
  // Keeps the background busy with the publication of a program without a pointer until all others have asked.
  struct Gate {
    HandedBack handedBack;
    std::atomic<bool> isReached = false, isOpen = false;
  } gate;
  dovetail_device_options options = gate.handedBack.options();
  options.publication_user = &gate;
  options.on_publication = [](void *user, const dovetail_publication *publication) {
    auto &gate = *static_cast<Gate *>(user);
    if (publication->program_user)
      return HandedBack::add(&gate.handedBack, publication);
    gate.isReached = true;
    gate.isReached.notify_all();
    gate.isOpen.wait(false);
  };
  Device device(options);
  TexturedProgram busy(device), program(device, &objects[0]);
  State own(device, program);
  dovetail_pipeline_state fields = own.get();
  fields.user = &objects[1];
  State first(device, fields);
  fields.user = &objects[2];
  State second(device, fields);
  fields.rasterization_samples = 4;
  State another(device, fields);
  Binder binder(device);
  binder.bind(busy, another);
  gate.isReached.wait(false);
  binder.bind(program, first);
  binder.bind(program, second);
  binder.bind(program, second); // no third one
  gate.isOpen = true;
  gate.isOpen.notify_all();
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(gate.handedBack.users == Users{{&objects[0], &objects[1]}, {&objects[0], &objects[2]}});
}

TEST_CASE("C: without user pointers, equal states have one publication, with NULL") {
  HandedBack handedBack;
  Device device(handedBack.options());
  TexturedProgram program(device);
  State first(device, program), second(device, program);
  Binder binder(device);
  binder.bind(program, first);
  binder.bind(program, second);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(handedBack.users == Users{{nullptr, nullptr}});
}

TEST_CASE("C: the publication that ends a fallback hands back the user pointers") {
  int objects[2];
  HandedBack handedBack;
  dovetail_device_options deviceOptions = handedBack.options();
  deviceOptions.policy = DOVETAIL_POLICY_OFF;
  Device device(deviceOptions);
  TexturedProgram program(device, &objects[0]);
  State own(device, program);
  dovetail_pipeline_state fields = own.get();
  fields.rasterization_samples = 4;
  State plain(device, fields);
  fields.smoothing = 1; // changes the fragment shader's own code
  fields.user = &objects[1];
  State smooth(device, fields);
  Binder binder(device);
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.fallback = binder.bind(program, plain);
  const dovetail_variant *variant = nullptr;
  CHECK_OK(dovetail_bind(binder, program, smooth, nullptr, &options, &variant, message));
  CHECK(variant == options.fallback);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(handedBack.users == Users{{&objects[0], &objects[1]}});
}

TEST_CASE("C: a publication callback may use the device, as any thread may") {
  struct Work {
    dovetail_device *device = nullptr;
    dovetail_program *program = nullptr;
    std::atomic<unsigned> done = 0;
  } work;
  dovetail_device_options options = withLlvm();
  options.policy = DOVETAIL_POLICY_ALWAYS;
  options.publication_user = &work;
  options.on_publication = [](void *user, const dovetail_publication *publication) {
    Work &work = *static_cast<Work *>(user);
    Binder binder(work.device);
    // The optimized variant, which all binds find from now on.
    CHECK(binder.bind(work.program) == publication->variant);
    Program compute(work.device, {describe(triple_comp, DOVETAIL_STAGE_COMPUTE)});
    CHECK(infoOf(binder.bind(compute)).stage_count == 1);
    CHECK(dovetail_device_generation(work.device) >= publication->generation);
    CHECK(statisticsOf(work.device).optimized_variants >= 1);
    ++work.done;
  };
  Device device(options);
  TexturedProgram program(device);
  work.device = device;
  work.program = program;
  Binder binder(device);
  binder.bind(program);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(work.done == 1);
}

TEST_CASE("C: a device that is destroyed waits for a publication callback that uses it") {
  struct Work {
    dovetail_device *device = nullptr;
    std::atomic<bool> isCalled = false, isDestroying = false, isDone = false;
  } work;
  dovetail_device_options options = withLlvm();
  options.size = sizeof options;
  options.policy = DOVETAIL_POLICY_ALWAYS;
  options.publication_user = &work;
  options.on_publication = [](void *user, const dovetail_publication *publication) {
    Work &work = *static_cast<Work *>(user);
    work.isCalled = true;
    work.isDestroying.wait(false);
    // These 20 ms give the main thread time to call dovetail_device_destroy(), which must wait. If it calls later, the
    // test passes without testing the wait.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(statisticsOf(work.device).optimized_variants == 1);
    CHECK(infoOf(publication->variant).is_optimized == 1);
    work.isDone = true;
  };
  CHECK_OK(dovetail_device_create(&options, &work.device, message));
  {
    TexturedProgram program(work.device);
    Binder binder(work.device);
    binder.bind(program);
    while (!work.isCalled)
      std::this_thread::yield();
  }
  work.isDestroying = true;
  work.isDestroying.notify_all();
  CHECK_OK(dovetail_device_destroy(work.device, message));
  CHECK(work.isDone);
}

TEST_CASE("C: a warning's callback may use another device, also while its own is being created") {
  struct Log {
    unsigned partCount = 0;
  } log;
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.store_path = "/proc/no/store/can/be/here";
  options.log_user = &log;
  options.log = [](void *user, dovetail_log_level, const char *) {
    Device other("gfx900");
    TexturedProgram program(other);
    Binder binder(other);
    static_cast<Log *>(user)->partCount = infoOf(binder.bind(program)).part_count;
  };
  Device device(options);
  CHECK(log.partCount == 4);
}

TEST_CASE("C: a store that cannot be used is a warning") {
  struct Log {
    std::atomic<unsigned> count = 0;
    std::string text;
  } log;
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.store_path = "/proc/no/store/can/be/here";
  options.log_user = &log;
  options.log = [](void *user, dovetail_log_level level, const char *text) {
    CHECK(level == DOVETAIL_LOG_WARNING);
    auto *log = static_cast<Log *>(user);
    log->text = text;
    ++log->count;
  };
  Device device(options);
  TexturedProgram program(device);
  Binder binder(device);
  CHECK(infoOf(binder.bind(program)).part_count == 4);
  CHECK(log.count == 1);
  CHECK_MESSAGE(log.text.find("/proc/no") != std::string::npos, log.text);
  CHECK(statisticsOf(device).store_is_writable == 0);
}

TEST_CASE("C: binds are counted") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  for (int i = 0; i < 3; ++i)
    binder.bind(program);
  const dovetail_device_statistics statistics = statisticsOf(device);
  CHECK(statistics.binds == 3);
  CHECK(statistics.unchanged_binds == 2);
  CHECK(statistics.joined_variants == 1);
  CHECK(statistics.variants == 1);
  CHECK(statistics.parts_made == 4);
}
