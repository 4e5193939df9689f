// SPDX-License-Identifier: MIT
//
// `dovetail farm` on a real server: what comes out is what `dovetail warm` makes, and nobody brings in anything else.
#include "parts/compile/toolchain_version.h"
#include "parts/kinds/null_fragment.h"
#include "parts/store/archive.h"
#include "parts/store/entry.h"
#include "tests/farm/many_shaders.h"
#include "tests/farm/redis_server.h"
#include "tests/farm/store_contents.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/programs/dovetail/farm/part_exchange.h"
#include "tools/programs/dovetail/farm/work_queue.h"
#include "variants/bind/binder.h"
#include "variants/state/default_state.h"
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

using namespace dovetail;
using namespace dovetail::test;

namespace {

nlohmann::json statusOf(const RedisServer &server) {
  return nlohmann::json::parse(runTool("farm status --json --queue " + server.url()).output)[0];
}

std::string secretIn(const TemporaryFolder &folder, const std::string &name, const std::string &text) {
  const std::string path = folder.write(name, text);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  return path;
}

} // namespace

TEST_CASE("a farm makes the parts that one process makes, and shares them") {
  RedisServer server;
  TemporaryFolder folder;
  const std::string many = writeShaders(folder, 20), queue = " --queue " + server.url();
  folder.write("many/pair.vert", Vertex);
  folder.write("many/pair.frag", Fragment);
  const std::string submit = "farm submit " + many + " --gpu gfx900,gfx803" + queue;
  CHECK(runTool(submit).output == "21 of 21 pipelines: 42 items submitted, 0 known, 0 failed\n");
  CHECK(runTool(submit).output == "21 of 21 pipelines: 0 items submitted, 42 known, 0 failed\n");
  const Run work = runTool("farm work --jobs 2 --until-empty --store " + (folder / "farm") + queue);
  CHECK(work.status == 0);
  CHECK(runTool("warm --jobs 1 --gpu gfx900,gfx803 --store " + (folder / "warm") + " " + many).status == 0);
  checkSameContents(folder / "farm", folder / "warm");

  const nlohmann::json status = statusOf(server);
  CHECK(status["done"] == 42);
  CHECK(status["waiting"] == 0);
  CHECK(status["inWork"] == 0);
  CHECK(status["slowest"].size() == 20);

  // A player's machine gets them all without a compiler.
  const Run sync = runTool("farm sync --gpu gfx900,gfx803 --store " + (folder / "player") + queue);
  CHECK(sync.output == "48 parts pulled, 0 pushed, 0 refused\n");
  checkSameContents(folder / "player", folder / "warm");
  // Another worker compiles nothing.
  CHECK(runTool("farm drop --all" + queue).output == "0 items dropped\n");
  CHECK(runTool(submit).output.find("42 items submitted") != std::string::npos);
  CHECK(runTool("farm work --jobs 1 --until-empty --store " + (folder / "other") + queue).output ==
        "42 items: 0 parts made, 48 known, 0 failed\n");
  CHECK(statusOf(server)["partsMade"] == 0);
}

TEST_CASE("a prolog or epilog that was damaged on the server is there again when a worker makes it") {
  RedisServer server;
  TemporaryFolder folder;
  folder.write("pair/pair.vert", Vertex);
  folder.write("pair/pair.frag", Fragment);
  const std::string queue = " --queue " + server.url();
  const std::string submit = "farm submit " + (folder / "pair") + queue;
  const std::string work = "farm work --jobs 1 --until-empty" + queue + " --store ";
  CHECK(runTool(submit).status == 0);
  CHECK(runTool(work + (folder / "a")).output == "1 items: 4 parts made, 0 known, 0 failed\n");
  CHECK(server
            .ask("--eval " + folder.write("tamper.lua", R"(
local keys = redis.call('KEYS', 'dovetail:part:*')
for i = 1, #keys do redis.call('SET', keys[i], string.sub(redis.call('GET', keys[i]), 1, -2)) end
return #keys)"))
            .find("4") != std::string::npos);
  CHECK(runTool("farm drop --all" + queue).status == 0);
  CHECK(runTool(submit).status == 0);
  CHECK(runTool(work + (folder / "b")).output == "1 items: 4 parts made, 0 known, 0 failed\n");
  CHECK(runTool("farm sync --pull --store " + (folder / "c") + queue).output ==
        "4 parts pulled, 0 pushed, 0 refused\n");
  checkSameContents(folder / "c", folder / "a");
}

TEST_CASE("a wrong password, a readable secret and a server that is not there are errors that say so") {
  RedisServer server({"--requirepass", "opensesame"});
  TemporaryFolder folder;
  const std::string many = writeShaders(folder, 1);
  const std::string submit = "farm submit " + many + " --patience 0 --queue ";
  checkError(runTool(submit + server.url()), "NOAUTH");
  checkError(runTool(submit + server.url() + " --password-file " + secretIn(folder, "wrong", "closed\n")), "WRONGPASS");
  const std::string good = secretIn(folder, "good", "opensesame\n");
  CHECK(runTool(submit + server.url() + " --password-file " + good).status == 0);
  std::filesystem::permissions(good, std::filesystem::perms(0644));
  checkError(runTool(submit + server.url() + " --password-file " + good), "others may read this secret");
  checkError(runTool(submit + "unix://" + (folder / "gone")), "No such file");
  checkError(runTool(submit + "redis://user:word@host"), "names no server");
  CHECK(runTool(submit + "redis://user:word@host").errors.find("word@") == std::string::npos);
  checkError(runTool(submit + server.url() + " --key-file " + secretIn(folder, "short", "abc")), "at least 16 bytes");
}

TEST_CASE("a worker with a wrong password takes nothing, and leaves everything to others") {
  RedisServer server({"--requirepass", "opensesame"});
  TemporaryFolder folder;
  const std::string many = writeShaders(folder, 5), queue = " --queue " + server.url() + " --password-file ";
  const std::string good = secretIn(folder, "good", "opensesame\n"), wrong = secretIn(folder, "wrong", "closed\n");
  CHECK(runTool("farm submit " + many + queue + good).status == 0);
  const std::string work = "farm work --jobs 1 --until-empty --store " + (folder / "store") + queue;
  checkError(runTool(work + wrong), "WRONGPASS");
  CHECK(runTool(work + good).output == "5 items: 5 parts made, 0 known, 0 failed\n");
  CHECK(runTool("warm --jobs 1 --store " + (folder / "warm") + " " + many).status == 0);
  checkSameContents(folder / "store", folder / "warm");
}

TEST_CASE("a worker that leaves without its items leaves them to others") {
  RedisServer server;
  TemporaryFolder folder;
  CHECK(runTool("farm submit " + writeShaders(folder, 3) + " --queue " + server.url()).status == 0);
  farm::RedisOptions options;
  options.url = server.url();
  const std::unique_ptr<farm::WorkQueue> queue = *farm::WorkQueue::open(options, "", toolchainVersion().toHex());
  CHECK(queue->take("forgetful", 10, std::chrono::milliseconds(0))->size() == 3);
  CHECK(queue->giveUp("forgetful", {})); // the reply with the items may have been lost
  CHECK(queue->takeOver("other", 10, std::chrono::milliseconds(0))->size() == 3);
  CHECK(*queue->left() == 3);
}

TEST_CASE("a killed worker is forgotten when others have its items, and one that waits is not") {
  RedisServer server;
  TemporaryFolder folder;
  CHECK(runTool("farm submit " + writeShaders(folder, 3) + " --queue " + server.url()).status == 0);
  farm::RedisOptions options;
  options.url = server.url();
  const std::unique_ptr<farm::WorkQueue> queue = *farm::WorkQueue::open(options, "", toolchainVersion().toHex());
  const auto workers = [&] {
    const std::string list = server.ask("xinfo consumers dovetail:" + toolchainVersion().toHex() + ":items workers");
    return std::pair(list.find("killed") != std::string::npos, list.find("waiting") != std::string::npos);
  };
  const auto silence = std::chrono::milliseconds(200);
  CHECK(queue->take("killed", 2, std::chrono::milliseconds(0))->size() == 2);
  CHECK(queue->takeOver("other", 10, silence)->empty());
  std::this_thread::sleep_for(2 * silence);
  CHECK(queue->take("waiting", 1, std::chrono::milliseconds(0))->size() == 1);
  CHECK(queue->takeOver("other", 1, silence)->size() == 1);
  CHECK((workers() == std::pair(true, true))); // it still has one
  CHECK(queue->takeOver("other", 10, silence)->size() == 1);
  CHECK((workers() == std::pair(false, true)));
  CHECK(*queue->left() == 3);
}

TEST_CASE("a part of another build is not used, although nobody but its key tells") {
  RedisServer server;
  TemporaryFolder folder;
  farm::RedisOptions options;
  options.url = server.url();
  const std::unique_ptr<farm::Redis> redis = *farm::Redis::connect(options);
  const farm::Sealer sealer = *farm::Sealer::create("");
  const std::string build = toolchainVersion().toHex();
  Part part = archivedPart(**makeNullFragment({"gfx900"}));
  const auto put = [&] {
    std::string key = "dovetail:part:" + build + ":gfx900:";
    for (uint8_t byte : driverCacheKey(part.key))
      key += fmt::format("{:02x}", byte);
    const std::vector<uint8_t> entry = store::encodeEntry(part);
    CHECK(redis->run({"SET", key, sealer.seal(key, {reinterpret_cast<const char *>(entry.data()), entry.size()})}));
  };
  const std::shared_ptr<PartStore> store = *PartStore::open({.path = folder / "store"});
  farm::PartExchange exchange(*redis, sealer, build);
  put();
  CHECK(exchange.pull(*store, {"gfx900"})->pulled == 1);
  part.key.hash.low ^= 1;
  put();
  CHECK(exchange.pull(*store, {"gfx900"})->refused == 1);
}

TEST_CASE("optimised items have the parts of optimised variants, too") {
  RedisServer server;
  TemporaryFolder folder;
  // The fragment shader reads one of two outputs, so the optimised variant leaves the other out.
  const std::string vertex = folder.write("many/a.vert", R"(#version 450
layout(location = 0) in vec4 p; layout(location = 0) out vec4 x; layout(location = 1) out vec4 y;
void main() { gl_Position = p; x = sin(p); y = cos(p * 3.0); })");
  const std::string fragment = folder.write("many/a.frag", R"(#version 450
layout(location = 0) in vec4 x; layout(location = 0) out vec4 c;
void main() { c = x; })");
  const std::string queue = " --queue " + server.url();
  const std::string submit = "farm submit " + (folder / "many") + queue + " --tier ";
  const std::string work = "farm work --jobs 1 --until-empty --store " + (folder / "store") + queue;
  const auto madeByDraws = [&] {
    DeviceOptions options;
    options.gpuName = "gfx900";
    options.policy = OptimizationPolicy::Always;
    options.store = {.path = folder / "store", .readOnly = true};
    const std::unique_ptr<Device> device = *Device::create(std::move(options));
    const ShaderSet set = *makeShaderSet(*readShaders({vertex, fragment}));
    std::vector<ShaderRef> shaders;
    for (const ShaderRef &shader : set.shaders)
      if (shader)
        shaders.push_back(shader);
    const ProgramRef program = *device->createProgram(shaders, &set.userDataNodes());
    CHECK(Binder(*device).bind(program, makeState(defaultState(set))));
    device->drain();
    CHECK(device->statistics().optimizedVariants == 1);
    return device->statistics().parts.made;
  };
  checkError(runTool(submit + "first"), "none of joined, optimized");
  CHECK(runTool(submit + "joined").output.find("1 items submitted") != std::string::npos);
  CHECK(runTool(work).status == 0);
  CHECK(madeByDraws() > 0);
  CHECK(runTool(submit + "optimized").output.find("1 items submitted") != std::string::npos);
  CHECK(runTool(work).status == 0);
  CHECK(madeByDraws() == 0);
}

TEST_CASE("values that were damaged, exchanged, of another build or forged without the key are not used") {
  RedisServer server;
  TemporaryFolder folder;
  const std::string many = writeShaders(folder, 6);
  const std::string key = secretIn(folder, "key", "a secret that only the farm has"),
                    other = secretIn(folder, "other", "a secret that somebody made up");
  const std::string queue = " --queue " + server.url();
  CHECK(runTool("farm submit " + many + queue + " --key-file " + key).status == 0);
  CHECK(runTool("farm work --jobs 1 --until-empty --store " + (folder / "a") + queue + " --key-file " + key).status ==
        0);
  CHECK(runTool("warm --jobs 1 --store " + (folder / "warm") + " " + many).status == 0);
  checkSameContents(folder / "a", folder / "warm");
  // One is cut off, one flipped, two exchanged, one of another version; the sixth stays.
  CHECK(server
            .ask("--eval " + folder.write("tamper.lua", R"(
local keys = redis.call('KEYS', 'dovetail:part:*')
table.sort(keys)
local function get(i) return redis.call('GET', keys[i]) end
local function set(i, value) redis.call('SET', keys[i], value) end
set(1, string.sub(get(1), 1, -5))
local value = get(2)
local byte = string.byte(value, 300)
set(2, string.sub(value, 1, 299) .. string.char(bit.bxor(byte, 1)) .. string.sub(value, 301))
local third, fourth = get(3), get(4)
set(3, fourth)
set(4, third)
set(5, 'dvt9' .. string.sub(get(5), 5))
return #keys)"))
            .find("6") != std::string::npos);
  const Run sync = runTool("farm sync --pull --store " + (folder / "b") + queue + " --key-file " + key);
  CHECK(sync.output == "1 parts pulled, 0 pushed, 5 refused\n");
  // A worker makes them itself.
  CHECK(runTool("farm drop --all" + queue).status == 0);
  CHECK(runTool("farm submit " + many + queue + " --key-file " + key).status == 0);
  CHECK(runTool("farm work --jobs 1 --until-empty --store " + (folder / "c") + queue + " --key-file " + key).output ==
        "6 items: 5 parts made, 1 known, 0 failed\n");
  checkSameContents(folder / "c", folder / "warm");
  // What it made has taken the place of what it refused.
  CHECK(runTool("farm sync --pull --store " + (folder / "e") + queue + " --key-file " + key).output ==
        "6 parts pulled, 0 pushed, 0 refused\n");
  checkSameContents(folder / "e", folder / "warm");

  // Whoever has another key, or none, gets in nothing: no parts, and no pipelines to compile.
  CHECK(runTool("farm drop --all --parts" + queue).status == 0);
  CHECK(runTool("farm sync --push --store " + (folder / "a") + queue + " --key-file " + other).output ==
        "0 parts pulled, 6 pushed, 0 refused\n");
  CHECK(runTool("farm sync --pull --store " + (folder / "d") + queue + " --key-file " + key).output ==
        "0 parts pulled, 0 pushed, 6 refused\n");
  CHECK(runTool("farm submit " + many + queue).status == 0);
  CHECK(runTool("farm work --jobs 1 --until-empty --store " + (folder / "d") + queue + " --key-file " + key).status ==
        0);
  const nlohmann::json status = statusOf(server);
  CHECK(status["dead"] == 6);
  CHECK(status["deadItems"][0]["error"].get<std::string>().find("was tampered with") != std::string::npos);
}

TEST_CASE("a full server refuses items, and workers go on without it for their parts") {
  RedisServer server({"--maxmemory", "3mb", "--maxmemory-policy", "volatile-lfu"});
  TemporaryFolder folder;
  const std::string many = writeShaders(folder, 10), queue = " --queue " + server.url();
  CHECK(runTool("farm submit " + many + queue).status == 0);
  server.ask("config set maxmemory 100kb");
  const Run work = runTool("farm work --jobs 1 --until-empty --store " + (folder / "store") + queue);
  CHECK(work.output == "10 items: 10 parts made, 0 known, 0 failed\n");
  CHECK(statusOf(server)["done"] == 10);
  CHECK(runTool("farm drop --all" + queue).status == 0);
  server.ask("config set maxmemory 3mb");
  CHECK(runTool("warm --jobs 1 --store " + (folder / "warm") + " " + many).status == 0);
  checkSameContents(folder / "store", folder / "warm");
}

TEST_CASE("the library needs no network") {
  const std::string library = std::string(DOVETAIL_TOOL).substr(0, std::string(DOVETAIL_TOOL).rfind("/tools/")) +
                              "/variants/c_api/libdovetail.so";
  const Run needed = runCommand("readelf", "--dynamic --dyn-syms --wide " + library);
  CHECK(needed.status == 0);
  CHECK(needed.output.find("libsqlite3") != std::string::npos);
  for (const char *foreign : {"hiredis", "libcrypto", "libssl", " connect@", " socket@", " getaddrinfo@"})
    CHECK_MESSAGE(needed.output.find(foreign) == std::string::npos, foreign);
}
