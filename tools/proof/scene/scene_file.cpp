// SPDX-License-Identifier: MIT
//
// The writer and the reader go through the structs' lists of fields. Scalars are little-endian and as wide as in
// memory; lists begin with a 64-bit count. The file has no names: the reader uses them to say where an error is.
#include "tools/proof/scene/scene_file.h"
#include <cstring>
#include <optional>
#include <type_traits>

DOVETAIL_FIELDS(VkViewport, x, y, width, height, minDepth, maxDepth)
DOVETAIL_FIELDS(VkOffset2D, x, y)
DOVETAIL_FIELDS(VkExtent2D, width, height)
DOVETAIL_FIELDS(VkRect2D, offset, extent)

namespace dovetail {

namespace {

// The first word of a file; its last byte is the version of the format.
constexpr uint32_t SceneMark = 0x04435344;  // "DSC"
constexpr uint32_t ResultMark = 0x02525344; // "DSR"

constexpr unsigned MaxNameBytes = 1 << 16;

// A clear colour is 16 bytes, whatever the target's type makes of them.
template <typename T>
constexpr bool IsScalar = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, VkClearColorValue>;
template <typename T> constexpr bool IsVector = false;
template <typename T> constexpr bool IsVector<std::vector<T>> = true;
template <typename T> constexpr bool IsArray = false;
template <typename T, size_t N> constexpr bool IsArray<std::array<T, N>> = true;

class Writer {
public:
  std::vector<uint8_t> take() { return std::move(m_bytes); }

  template <typename T> void write(const T &value) {
    if constexpr (IsScalar<T>) {
      append(&value, sizeof(T));
    } else if constexpr (std::is_same_v<T, std::string>) {
      writeCount(value.size());
      append(value.data(), value.size());
    } else if constexpr (IsVector<T>) {
      writeCount(value.size());
      if constexpr (IsScalar<typename T::value_type>)
        append(value.data(), value.size() * sizeof(typename T::value_type));
      else
        for (const auto &element : value)
          write(element);
    } else if constexpr (IsArray<T>) {
      for (const auto &element : value)
        write(element);
    } else {
      forEachField(value, [this](std::string_view, const auto &field) { write(field); });
    }
  }

private:
  void append(const void *data, size_t size) {
    const auto *bytes = static_cast<const uint8_t *>(data);
    m_bytes.insert(m_bytes.end(), bytes, bytes + size);
  }
  void writeCount(uint64_t count) { append(&count, sizeof(count)); }

  std::vector<uint8_t> m_bytes;
};

// Keeps the first error; after it, nothing is read.
class Reader {
public:
  Reader(const char *what, std::span<const uint8_t> bytes) : m_rest(bytes), m_path(what) {}

  // Reads the mark, then the struct.
  template <typename T> Result<void> read(uint32_t mark, T &fields) {
    uint32_t found = 0;
    read(found);
    if (found != mark)
      complain("does not begin with the mark of this kind of file and version");
    read(fields);
    if (!m_rest.empty())
      complain("{} bytes are left over", m_rest.size());
    if (m_error)
      return tl::unexpected(*m_error);
    return {};
  }

private:
  template <typename... Args> void complain(fmt::format_string<Args...> format, Args &&...args) {
    if (!m_error)
      m_error = makeError(ErrorCode::InvalidInput, "{}{} {}", m_path, m_path.ends_with(':') ? "" : ":",
                          fmt::format(format, std::forward<Args>(args)...))
                    .value();
    m_rest = {};
  }

  bool take(void *data, size_t size) {
    if (m_error)
      return false;
    if (m_rest.size() < size) {
      complain("cut short: needs {} bytes, {} are left", size, m_rest.size());
      return false;
    }
    if (size > 0)
      std::memcpy(data, m_rest.data(), size);
    m_rest = m_rest.subspan(size);
    return true;
  }

  // Checks a count against the bytes that are left, before anything is allocated for it.
  size_t takeCount(size_t leastBytes) {
    uint64_t count = 0;
    if (!take(&count, sizeof(count)))
      return 0;
    if (count > m_rest.size() / leastBytes) {
      complain("cut short: {} elements, {} bytes are left", count, m_rest.size());
      return 0;
    }
    return count;
  }

  template <typename T> void read(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      take(&byte, 1);
      if (byte > 1)
        complain("a bool is 0 or 1, found {}", byte);
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      // Vulkan's enumerations end at 0x7fffffff; in C++, a larger value in one is undefined behaviour.
      std::underlying_type_t<T> number = 0;
      take(&number, sizeof(number));
      if (number > 0x7fffffff)
        return complain("{:#x} is no value of an enumeration", number);
      value = T(number);
    } else if constexpr (IsScalar<T>) {
      take(&value, sizeof(T));
    } else if constexpr (std::is_same_v<T, std::string>) {
      size_t count = takeCount(1);
      if (count > MaxNameBytes)
        return complain("a name has at most {} bytes, found {}", MaxNameBytes, count);
      value.resize(count);
      take(value.data(), count);
    } else if constexpr (IsVector<T>) {
      readVector(value);
    } else if constexpr (IsArray<T>) {
      readElements(value);
    } else {
      forEachField(value, [this](std::string_view name, auto &field) {
        const size_t length = m_path.size();
        m_path += m_path.ends_with(':') ? fmt::format(" {}", name) : fmt::format(".{}", name);
        read(field);
        m_path.resize(length);
      });
    }
  }

  template <typename T> void readVector(std::vector<T> &value) {
    static_assert(!std::is_enum_v<T>, "enumerators are read one by one");
    if constexpr (IsScalar<T>) {
      size_t count = takeCount(sizeof(T));
      value.resize(count);
      take(value.data(), count * sizeof(T));
    } else {
      // An element is at least as long as an empty list.
      value.resize(takeCount(sizeof(uint64_t)));
      readElements(value);
    }
  }

  template <typename List> void readElements(List &list) {
    size_t length = m_path.size();
    for (size_t index = 0; index < list.size() && !m_error; ++index) {
      m_path += fmt::format("[{}]", index);
      read(list[index]);
      m_path.resize(length);
    }
  }

  std::span<const uint8_t> m_rest;
  std::string m_path;
  std::optional<Error> m_error;
};

} // namespace

std::vector<uint8_t> writeScene(const Scene &scene) {
  Writer writer;
  writer.write(SceneMark);
  writer.write(scene);
  return writer.take();
}

std::vector<uint8_t> writeSceneResult(const SceneResult &result) {
  Writer writer;
  writer.write(ResultMark);
  writer.write(result);
  return writer.take();
}

Result<Scene> readScene(std::span<const uint8_t> bytes) {
  Scene scene;
  DOVETAIL_CHECK(Reader("scene:", bytes).read(SceneMark, scene));
  DOVETAIL_CHECK(checkScene(scene));
  return scene;
}

Result<SceneResult> readSceneResult(std::span<const uint8_t> bytes) {
  SceneResult result;
  DOVETAIL_CHECK(Reader("result:", bytes).read(ResultMark, result));
  return result;
}

} // namespace dovetail
