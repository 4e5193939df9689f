// SPDX-License-Identifier: MIT
//
// The reference's process, and the scene that it works on when it misbehaves.
#include "tests/reference/shader_scene.h"
#include "tests/tools/temporary_folder.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/reference/reference_process.h"
#include <csignal>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Scene smallScene() {
  return graphicsScene(FullScreenVertex, "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
}

std::string scriptIn(const TemporaryFolder &folder, const std::string &text) {
  std::string path = folder.write("program", "#!/bin/sh\n" + text + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

// The Error of a program that is not the reference.
Error errorOf(const std::string &script, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  TemporaryFolder folder;
  ReferenceProcess process(scriptIn(folder, script), timeout);
  Result<SceneResult> result = process.draw(smallScene());
  REQUIRE_FALSE(result.has_value());
  // A process that broke the conversation must be gone.
  if (result.error().code == ErrorCode::Io)
    CHECK(process.pid() == 0);
  return result.error();
}

} // namespace

TEST_CASE("one process draws many scenes") {
  ReferenceProcess process(DOVETAIL_REFERENCE_PROGRAM, std::chrono::seconds(60));
  REQUIRE(process.draw(smallScene()).has_value());
  pid_t first = process.pid();
  REQUIRE(process.draw(smallScene()).has_value());
  CHECK(process.pid() == first);
}

TEST_CASE("a process that was killed between scenes is replaced") {
  ReferenceProcess process(DOVETAIL_REFERENCE_PROGRAM, std::chrono::seconds(60));
  REQUIRE(process.draw(smallScene()).has_value());
  pid_t first = process.pid();
  ::kill(first, SIGKILL);
  // Until the killed process is a zombie, the scene may still be sent to it. Then the Error says so, and the next scene
  // is drawn.
  Result<SceneResult> result = process.draw(smallScene());
  if (!result) {
    CHECK(result.error().text == "the reference (lavapipe) crashed: Killed");
    result = process.draw(smallScene());
  }
  REQUIRE(result.has_value());
  CHECK(process.pid() != first);
}

TEST_CASE("a crash during a scene is an Error that names the signal and the last words") {
  Error error = errorOf("head -c 8 > /dev/null; echo first >&2; echo the end >&2; kill -SEGV $$");
  CHECK((error.code == ErrorCode::Io));
  CHECK(error.text == "the reference (lavapipe) crashed: Segmentation fault: the end");
}

TEST_CASE("a process that ends without an answer is an Error") {
  Error error = errorOf("exit 3");
  CHECK((error.code == ErrorCode::Io));
  CHECK(error.text == "the reference (lavapipe) ended with status 3");
}

TEST_CASE("a process that does not answer in time is an Error, and gone") {
  Error error = errorOf("exec sleep 60", std::chrono::milliseconds(50));
  CHECK((error.code == ErrorCode::Io));
  CHECK(error.text == "the reference (lavapipe) did not answer in 50 ms");
}

TEST_CASE("an answer that is none is an Error") {
  CHECK((errorOf("printf '\\002\\000\\000\\000\\000\\000\\000\\000\\000x'; exec cat > /dev/null").code ==
         ErrorCode::InvalidInput));
  CHECK(errorOf("printf '\\377\\377\\377\\377\\377\\377\\377\\377'; exec cat > /dev/null").text ==
        "the reference (lavapipe) announces 18446744073709551615 bytes");
}

TEST_CASE("a program that is not there is an Error that names it") {
  ReferenceProcess process("/dev/null/reference", std::chrono::seconds(1));
  Result<SceneResult> result = process.draw(smallScene());
  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == ErrorCode::Io));
  CHECK(result.error().text == "cannot run the reference /dev/null/reference: Not a directory");
}

TEST_CASE("the reference is found beside a program, in the build tree, and in an installed tree") {
  for (const char *place : {"bin", "bin/proof/reference", DOVETAIL_LIBEXECDIR}) {
    CAPTURE(place);
    TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "bin");
    std::filesystem::create_directories(folder.path() / place);
    const std::string name = folder.write(std::string(place) + "/lavapipe-reference", "");
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
    CHECK(findReferenceProgram(folder.path() / "bin") == name);
  }
}

TEST_CASE("a reference that is nowhere, or that may not be run, is expected where it is to be installed") {
  TemporaryFolder folder;
  folder.write("lavapipe-reference", "");
  CHECK(findReferenceProgram(folder.path()).ends_with("/" DOVETAIL_LIBEXECDIR "/lavapipe-reference"));
}
