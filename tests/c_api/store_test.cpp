// SPDX-License-Identifier: MIT
//
// A device's part store.
#include "tests/c_api/bad_calls.h"
#include "tests/tools/temporary_folder.h"
#include <filesystem>
#include <string>

using namespace dovetail::c_test;

namespace {

dovetail_device_options withStore(const char *path) {
  dovetail_device_options options = {};
  options.size = sizeof options;
  options.gpu = "gfx900";
  options.store_path = path;
  return options;
}

} // namespace

TEST_CASE("C: what was flushed is found by a device that is opened meanwhile") {
  dovetail::TemporaryFolder folder;
  const std::string path = folder / "store";
  Device first(withStore(path.c_str()));
  TexturedProgram program(first);
  Binder binder(first);
  binder.bind(program);
  CHECK_OK(dovetail_device_drain(first, message)); // LLVM's main parts come from the background
  CHECK_OK(dovetail_device_flush_store(first, message));
  CHECK(statisticsOf(first).store_written == 4);
  CHECK(statisticsOf(first).store_entries == 4);

  Device second(withStore(path.c_str()));
  TexturedProgram same(second);
  Binder otherBinder(second);
  otherBinder.bind(same);
  CHECK(statisticsOf(second).parts_made == 0);
}

TEST_CASE("C: there is nothing to flush without a store") {
  Device device;
  CHECK_OK(dovetail_device_flush_store(device, message));
}

TEST_CASE("C: a store that is turned off cannot be flushed") {
  Device device(withStore("/proc/no/store/can/be/here"));
  dovetail_message message;
  CHECK(dovetail_device_flush_store(device, &message) == DOVETAIL_IO);
  CHECK_MESSAGE(std::string_view(message.text).find("/proc/no") != std::string_view::npos, message.text);
}

TEST_CASE("C: a store's folder is made with its parents") {
  dovetail::TemporaryFolder folder;
  const std::string path = folder / "one/two/three";
  Device device(withStore(path.c_str()));
  CHECK(statisticsOf(device).store_is_writable == 1);
  CHECK(std::filesystem::is_directory(path));
}

TEST_CASE("C: an empty path is an error and not the lack of a store") {
  const dovetail_device_options options = withStore("");
  auto *device = garbage<dovetail_device>();
  dovetail_message message;
  checkBad(dovetail_device_create(&options, &device, &message), message, "options->store_path is empty");
  CHECK(device == nullptr);
}
