// SPDX-License-Identifier: MIT
//
// `dovetail farm` on a real server: what comes out is what `dovetail warm` makes, and nobody brings in anything else.
#include "tests/farm/redis_server.h"
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// Shaders that differ, each a pipeline.
std::string writeShaders(const TemporaryFolder &folder, unsigned count) {
  for (unsigned number = 0; number < count; ++number)
    folder.write("many/" + std::to_string(number) + ".comp",
                 "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };\n"
                 "void main() { b = b * 3u + " +
                     std::to_string(number) + "u; }\n");
  return folder / "many";
}

// The parts of a store, with their sizes.
std::string entriesOf(const std::string &store) {
  const std::string file = store + ".archive";
  CHECK(runTool("archive make " + file + " --store " + store).status == 0);
  const Run list = runTool("archive list --parts --json " + file);
  return nlohmann::json::parse(list.output)[0]["entries"].dump();
}

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
  const std::string expected = entriesOf(folder / "warm");
  CHECK(entriesOf(folder / "farm") == expected);

  const nlohmann::json status = statusOf(server);
  CHECK(status["done"] == 42);
  CHECK(status["waiting"] == 0);
  CHECK(status["inWork"] == 0);
  CHECK(status["slowest"].size() == 20);

  // A player's machine gets them all without a compiler.
  const Run sync = runTool("farm sync --gpu gfx900,gfx803 --store " + (folder / "player") + queue);
  CHECK(sync.output == "48 parts pulled, 0 pushed, 0 refused\n");
  CHECK(entriesOf(folder / "player") == expected);
  // Another worker compiles nothing.
  CHECK(runTool("farm drop --all" + queue).output == "0 items dropped\n");
  CHECK(runTool(submit).output.find("42 items submitted") != std::string::npos);
  CHECK(runTool("farm work --jobs 1 --until-empty --store " + (folder / "other") + queue).output ==
        "42 items: 0 parts made, 48 known, 0 failed\n");
}

TEST_CASE("items that the compiler does not survive are dead after three failures, and named with their dumps") {
  RedisServer server;
  TemporaryFolder folder;
  std::string sum, lines;
  for (unsigned number = 0; number < 8000; ++number) {
    const std::string text = std::to_string(number);
    lines += "x = sin(x * " + text + ".5 + a[" + text + "]); a[" + text + "] = x;\n";
  }
  folder.write("many/large.comp", "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float "
                                  "a[]; };\nvoid main() { float x = a[0];\n" +
                                      lines + "}\n");
  const std::string many = writeShaders(folder, 3), queue = " --queue " + server.url();
  const std::string work = "farm work --jobs 2 --until-empty --store " + (folder / "store") + queue;
  CHECK(runTool("farm submit " + many + queue).status == 0);
  const Run slow = runTool(work + " --timeout 1");
  CHECK(slow.status == 1);
  nlohmann::json status = statusOf(server);
  CHECK(status["done"] == 3);
  CHECK(status["dead"] == 1);
  CHECK(status["failures"] == 3);
  CHECK(status["failuresByReason"]["took too long"] == 3);
  CHECK(status["deadItems"][0]["name"] == many + "/large.comp (gfx900)");
  CHECK(status["deadItems"][0]["error"] == "took too long");
  // It does not come back, not after a restart of the server either.
  server.end(SIGTERM);
  server.start();
  CHECK(runTool(work).output == "0 items: 0 parts made, 0 known, 0 failed\n");
  // Its dump compiles elsewhere.
  CHECK(runTool("farm status --dumps " + (folder / "dumps") + queue).output.find("large.comp") != std::string::npos);
  const std::filesystem::path dump = std::filesystem::directory_iterator(folder / "dumps")->path();
  CHECK(runTool("compile " + dump.string()).status == 0);

#ifndef __SANITIZE_ADDRESS__ // whose memory would count
  CHECK(runTool("farm retry" + queue).output == "1 items wait again\n");
  CHECK(runTool(work + " --memory 60M").status == 1);
  CHECK(statusOf(server)["deadItems"][0]["error"].get<std::string>().find("needed more than 60 MiB") == 0);
#endif
  CHECK(runTool("farm retry" + queue).output == "1 items wait again\n");
  const Run crashed = runTool(work, "ulimit -s 92;");
  status = statusOf(server);
  if (crashed.status != 0) // how much stack it takes is the compiler's affair
    CHECK(status["deadItems"][0]["error"].get<std::string>().find("crashed") == 0);
  CHECK(runTool("farm drop" + queue).status == 0);
  CHECK(statusOf(server)["dead"] == 0);
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
  const std::string expected = entriesOf(folder / "a");
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
  CHECK(entriesOf(folder / "c") == expected);

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
  CHECK(entriesOf(folder / "store") == entriesOf(folder / "warm"));
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
