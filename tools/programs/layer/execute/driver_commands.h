// SPDX-License-Identifier: MIT
//
// DriverCommands: the driver's functions that the execution of draws calls itself.
#pragma once

#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

#define DOVETAIL_DRIVER_COMMANDS(COMMAND)                                                                              \
  COMMAND(vkAllocateMemory)                                                                                            \
  COMMAND(vkBindBufferMemory)                                                                                          \
  COMMAND(vkCmdCopyImageToBuffer)                                                                                      \
  COMMAND(vkCmdFillBuffer)                                                                                             \
  COMMAND(vkCmdPipelineBarrier)                                                                                        \
  COMMAND(vkCmdResetEvent)                                                                                             \
  COMMAND(vkCmdWaitEvents)                                                                                             \
  COMMAND(vkCreateBuffer)                                                                                              \
  COMMAND(vkCreateEvent)                                                                                               \
  COMMAND(vkDestroyBuffer)                                                                                             \
  COMMAND(vkDestroyEvent)                                                                                              \
  COMMAND(vkFreeMemory)                                                                                                \
  COMMAND(vkGetBufferMemoryRequirements)                                                                               \
  COMMAND(vkMapMemory)                                                                                                 \
  COMMAND(vkSetEvent)

struct DriverCommands {
  VkDevice device = VK_NULL_HANDLE;
#define DOVETAIL_DRIVER_COMMAND(name) PFN_##name name = nullptr;
  DOVETAIL_DRIVER_COMMANDS(DOVETAIL_DRIVER_COMMAND)
#undef DOVETAIL_DRIVER_COMMAND

  DriverCommands(VkDevice handle, PFN_vkGetDeviceProcAddr getDeviceProcAddr) : device(handle) {
#define DOVETAIL_DRIVER_COMMAND(name) name = reinterpret_cast<PFN_##name>(getDeviceProcAddr(handle, #name));
    DOVETAIL_DRIVER_COMMANDS(DOVETAIL_DRIVER_COMMAND)
#undef DOVETAIL_DRIVER_COMMAND
  }
};

} // namespace dovetail::layer
