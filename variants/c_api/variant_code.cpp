// SPDX-License-Identifier: MIT
//
// Gives out a variant's code in the forms in which it leaves the library.
#include "merge/elf/pal_elf.h"
#include "merge/image_metadata.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/retained_variants.h"
#include "variants/exchange_variant.h"
#include "variants/inspect/print_assembly.h"
#include <cstring>

using namespace dovetail;
using namespace dovetail::c_api;

dovetail_status dovetail_variant_copy_code(const dovetail_variant *variant, void *destination, size_t destination_size,
                                           uint64_t gpu_address, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    DOVETAIL_C_CHECK(checkNotNull(destination, "destination"));
    const Image &image = *fromHandle(variant)->image;
    if (gpu_address % codeAlignment(image) != 0)
      return badArgument("gpu_address is {:#x}; it is to be a multiple of {}", gpu_address, codeAlignment(image));
    size_t size = destination_size;
    DOVETAIL_C_CHECK(handOutBytes(image.code, destination, &size));
    applyLoadAddress(image, std::span(static_cast<uint8_t *>(destination), image.code.size()), gpu_address);
    return {};
  });
}

dovetail_status dovetail_variant_write_elf(const dovetail_variant *variant, void *buffer, size_t *size,
                                           dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::vector<uint8_t> file = DOVETAIL_C_TRY(writePalElf(*fromHandle(variant)->image));
    return handOutBytes(file, buffer, size);
  });
}

dovetail_status dovetail_variant_read_elf(const void *data, size_t size, const dovetail_variant **variant,
                                          dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    *variant = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(data, "data"));
    VariantRef read = DOVETAIL_C_TRY(readVariant({static_cast<const uint8_t *>(data), size}));
    const Variant *handle = read.get();
    retainVariant(std::move(read));
    *variant = toHandle(handle);
    return {};
  });
}

dovetail_status dovetail_variant_export_parts(const dovetail_variant *variant, void *buffer, size_t *size,
                                              dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::vector<uint8_t> bytes = DOVETAIL_C_TRY(exportParts(*fromHandle(variant)));
    return handOutBytes(bytes, buffer, size);
  });
}

dovetail_status dovetail_variant_disassemble(const dovetail_variant *variant, char *buffer, size_t *size,
                                             dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::string text = DOVETAIL_C_TRY(printAssembly(*fromHandle(variant)->image));
    // The text with its final 0.
    return handOut(std::span<const char>(text.c_str(), text.size() + 1), buffer, size, "bytes");
  });
}
