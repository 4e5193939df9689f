// SPDX-License-Identifier: MIT
//
// Values on a server that others may write to. A seal in front of each value has a version, a checksum that reveals
// damage, and, with a key file, an HMAC-SHA256 over the value's key and the value, which reveals forgery: a value that
// was written without the key, or under another key of the server, is not opened.
//
//   4 bytes    "dvt1"
//   16 bytes   XXH3 of key and value
//   32 bytes   HMAC, or zeros
//   the value
#pragma once

#include "src/base/error.h"
#include <string>
#include <string_view>

namespace dovetail::farm {

class Sealer {
public:
  // Reads the key file; "": there is none. Errors: those of readSecret(); InvalidInput for fewer than 16 bytes.
  static Result<Sealer> create(const std::string &keyFile);

  std::string seal(std::string_view key, std::string_view value) const;
  // Errors: InvalidInput, with the reason.
  Result<std::string> open(std::string_view key, std::string_view sealed) const;

private:
  std::string authenticate(std::string_view key, std::string_view value) const;
  std::string m_secret;
};

} // namespace dovetail::farm
