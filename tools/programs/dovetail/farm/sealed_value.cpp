// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/sealed_value.h"
#include "src/base/hash.h"
#include "tools/programs/dovetail/farm/redis.h"
#include <cstring>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <span>

namespace dovetail::farm {

namespace {

constexpr std::string_view Version = "dvt1";
constexpr size_t ChecksumBytes = sizeof(Hash128), HmacBytes = 32;
constexpr size_t SealBytes = Version.size() + ChecksumBytes + HmacBytes;
constexpr size_t MinSecretBytes = 16;

std::string checksumOf(std::string_view key, std::string_view value) {
  const Hash128 hash = Hasher().add(key).addBytes(std::as_bytes(std::span(value))).finish();
  return {reinterpret_cast<const char *>(&hash), sizeof(hash)};
}

} // namespace

Result<Sealer> Sealer::create(const std::string &keyFile) {
  Sealer sealer;
  if (keyFile.empty())
    return sealer;
  sealer.m_secret = DOVETAIL_TRY(readSecret(keyFile));
  if (sealer.m_secret.size() < MinSecretBytes)
    return makeError(ErrorCode::InvalidInput, "{}: a key has at least {} bytes", keyFile, MinSecretBytes);
  return sealer;
}

std::string Sealer::authenticate(std::string_view key, std::string_view value) const {
  std::string hmac(HmacBytes, '\0');
  if (m_secret.empty())
    return hmac;
  // The key's length keeps key and value apart.
  std::string text(Version);
  const uint64_t length = key.size();
  text.append(reinterpret_cast<const char *>(&length), sizeof(length)).append(key).append(value);
  unsigned size = 0;
  const auto *bytes = reinterpret_cast<const unsigned char *>(text.data());
  if (!HMAC(EVP_sha256(), m_secret.data(), int(m_secret.size()), bytes, text.size(),
            reinterpret_cast<unsigned char *>(hmac.data()), &size) ||
      size != HmacBytes)
    return {}; // fits no value
  return hmac;
}

std::string Sealer::seal(std::string_view key, std::string_view value) const {
  return std::string(Version) + checksumOf(key, value) + authenticate(key, value) + std::string(value);
}

Result<std::string> Sealer::open(std::string_view key, std::string_view sealed) const {
  if (sealed.size() < SealBytes)
    return makeError(ErrorCode::InvalidInput, "{}: the value is cut off", key);
  if (!sealed.starts_with(Version))
    return makeError(ErrorCode::InvalidInput, "{}: the value is of another version", key);
  const std::string_view value = sealed.substr(SealBytes);
  if (sealed.substr(Version.size(), ChecksumBytes) != checksumOf(key, value))
    return makeError(ErrorCode::InvalidInput, "{}: the value's checksum is wrong", key);
  const std::string hmac = authenticate(key, value);
  const std::string_view given = sealed.substr(Version.size() + ChecksumBytes, HmacBytes);
  if (!m_secret.empty() && (hmac.size() != HmacBytes || CRYPTO_memcmp(hmac.data(), given.data(), HmacBytes) != 0))
    return makeError(ErrorCode::InvalidInput, "{}: the value was written without the key", key);
  return std::string(value);
}

} // namespace dovetail::farm
