// SPDX-License-Identifier: MIT
//
// Each module is validated once in a process. No other module may pass for it.
#include "src/spirv/validate/valid_modules.h"
#include "src/spirv/validate/validate.h"
#include "tests/spirv/assembled.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;
using dovetail::test::assemble;
using dovetail::test::Assembly;
using spirv::digestOf;
using spirv::Environment;
using spirv::isKnownValid;

namespace {

std::vector<uint32_t> validWords() {
  Assembly assembly;
  assembly.body = "%sum = OpFAdd %float %float_1 %float_half\n";
  return assemble(assembly);
}

} // namespace

TEST_CASE("a module that was validated is known, until it is forgotten") {
  const std::vector<uint32_t> words = validWords();
  const spirv::ModuleDigest digest = digestOf(words, Environment::Vulkan);
  spirv::forgetValidModules();
  CHECK_FALSE(isKnownValid(digest));
  REQUIRE(spirv::validate(words));
  CHECK(isKnownValid(digest));
  CHECK(spirv::validate(words)); // is not validated again
  spirv::forgetValidModules();
  CHECK_FALSE(isKnownValid(digest));
}

TEST_CASE("a module that was validated by one API's rules is not known by the other's") {
  const std::vector<uint32_t> words = validWords();
  REQUIRE(spirv::validate(words));
  const spirv::ModuleDigest openGl = digestOf(words, Environment::OpenGl);
  CHECK((openGl != digestOf(words, Environment::Vulkan)));
  CHECK_FALSE(isKnownValid(openGl));
}

TEST_CASE("a module that differs in one bit is not known") {
  const std::vector<uint32_t> words = validWords();
  REQUIRE(spirv::validate(words));
  for (size_t word = 0; word < words.size(); ++word) {
    std::vector<uint32_t> other = words;
    other[word] ^= 1u << word % 32;
    CHECK_FALSE(isKnownValid(digestOf(other, Environment::Vulkan)));
  }
  CHECK_FALSE(isKnownValid(digestOf(std::span(words).first(words.size() - 1), Environment::Vulkan)));
}

TEST_CASE("a refused module is refused each time, with the same Error") {
  std::vector<uint32_t> words = validWords();
  words.resize(words.size() - 1); // cuts OpFunctionEnd off
  const Result<void> first = spirv::validate(words), second = spirv::validate(words);
  REQUIRE_FALSE(first);
  REQUIRE_FALSE(second);
  CHECK((first.error().code == second.error().code));
  CHECK(first.error().text == second.error().text);
  CHECK_FALSE(isKnownValid(digestOf(words, Environment::Vulkan)));
}

TEST_CASE("no more than the maximum of modules is remembered") {
  spirv::forgetValidModules();
  std::vector<spirv::ModuleDigest> digests;
  for (uint32_t number = 0; number < 2 * spirv::MaxValidModules; ++number) {
    digests.push_back(digestOf(std::span(&number, 1), Environment::Vulkan));
    spirv::rememberValid(digests.back());
    CHECK(isKnownValid(digests.back()));
  }
  const auto known = std::ranges::count_if(digests, isKnownValid);
  CHECK(known > int64_t(spirv::MaxValidModules) / 2);
  CHECK(known <= int64_t(spirv::MaxValidModules));
  spirv::forgetValidModules();
}

namespace {

// Remembers one module.
struct OneModule final : spirv::ValidModuleStore {
  spirv::ModuleDigest known = {};
  unsigned puts = 0;

  bool hasValidModule(const spirv::ModuleDigest &digest) override { return digest == known; }
  void putValidModule(const spirv::ModuleDigest &digest) override {
    known = digest;
    ++puts;
  }
};

} // namespace

TEST_CASE("a store gets valid modules, and is believed") {
  spirv::forgetValidModules();
  const std::vector<uint32_t> words = validWords();
  OneModule store;
  REQUIRE(spirv::validate(words, Environment::Vulkan, &store));
  CHECK((store.known == digestOf(words, Environment::Vulkan)));
  CHECK(store.puts == 1);
  spirv::forgetValidModules();
  CHECK(spirv::validate(words, Environment::Vulkan, &store));
  CHECK(store.puts == 1);

  const std::span<const uint32_t> refused = std::span(words).first(words.size() - 1);
  CHECK_FALSE(spirv::validate(refused, Environment::Vulkan, &store));
  CHECK(store.puts == 1);
  store.known = digestOf(refused, Environment::Vulkan);
  CHECK(spirv::validate(refused, Environment::Vulkan, &store));
  spirv::forgetValidModules();
}
