// SPDX-License-Identifier: MIT
//
// The fault tests believe the reports of children, so this tests them.
#include "tests/faults/child.h"
#include <csignal>
#include <doctest/doctest.h>
#include <stdexcept>
#include <unistd.h>

using namespace dovetail::faults;

TEST_CASE("a child's last word arrives") {
  CHECK(inChild([] { return std::string(); }) == "");
  CHECK(inChild([] { return std::string("wrong = right\nand more"); }) == "wrong = right and more");
}

TEST_CASE("a child that crashes says how") {
  CHECK(inChild([]() -> std::string {
          raise(SIGSEGV);
          return "";
        }) == "killed by signal 11 (Segmentation fault)");
  CHECK(inChild([]() -> std::string { throw std::runtime_error("oh"); }) == "it threw: oh");
  CHECK(inChild([]() -> std::string { _exit(3); }) == "exit status 3");
}

TEST_CASE("a child that hangs is killed") {
  CHECK(inChild(
            []() -> std::string {
              for (;;)
                pause();
            },
            std::chrono::milliseconds(1000)) == "still running after 1 s");
}

TEST_CASE("a child's lines arrive one by one, and then its last word") {
  Child child([](const Child::Report &report) {
    report("one");
    report("two");
    return "end";
  });
  std::string line;
  CHECK(child.readLine(line));
  CHECK(line == "one");
  CHECK(child.readLine(line));
  CHECK(line == "two");
  CHECK_FALSE(child.readLine(line));
  CHECK(child.wait() == "end");
}
