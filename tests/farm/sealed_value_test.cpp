// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/programs/dovetail/farm/sealed_value.h"
#include <doctest/doctest.h>

using namespace dovetail;
using farm::Sealer;

namespace {

Sealer sealerWith(const TemporaryFolder &folder, const std::string &secret) {
  const std::string path = folder.write("secret", secret);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  return *Sealer::create(path);
}

} // namespace

TEST_CASE("a sealed value opens under its own key only, and only as it was") {
  const TemporaryFolder folder;
  for (const Sealer &sealer : {*Sealer::create(""), sealerWith(folder, "sixteen bytes or more")}) {
    const std::string sealed = sealer.seal("key", "a value");
    CHECK(*sealer.open("key", sealed) == "a value");
    CHECK_FALSE(sealer.open("other", sealed));
    for (size_t place = 0; place < sealed.size(); ++place) {
      CAPTURE(place);
      std::string flipped = sealed;
      flipped[place] ^= 1;
      const bool isUnusedHmac = place >= 20 && place < 52 && sealed[20] == '\0';
      CHECK(sealer.open("key", flipped).has_value() == isUnusedHmac);
      CHECK_FALSE(sealer.open("key", sealed.substr(0, place)));
    }
  }
}

TEST_CASE("with a key file, values of others do not open") {
  const TemporaryFolder folder;
  const Sealer ours = sealerWith(folder, "sixteen bytes or more"), others = sealerWith(folder, "sixteen bytes or less"),
               none = *Sealer::create("");
  CHECK_FALSE(ours.open("key", others.seal("key", "a value")));
  CHECK_FALSE(ours.open("key", none.seal("key", "a value")));
  CHECK(none.open("key", ours.seal("key", "a value")));
}
