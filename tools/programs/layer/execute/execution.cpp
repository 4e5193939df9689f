// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/execution.h"
#include <chrono>
#include <csignal>
#include <stdexcept>

namespace dovetail::layer {

namespace {

constexpr uint32_t AfterBit = 1; // of a letter
constexpr VkDeviceSize MailboxBytes = 64;

uint64_t now() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

} // namespace

Execution::Execution(const Options &options, ExecutionLog &log, const DriverCommands &commands)
    : m_commands(commands), m_options(options), m_log(log), m_mailbox(m_commands, MailboxBytes), m_start(now()),
      m_judges(log, options.executeThreads) {
  std::fill_n(m_mailbox.data(), MailboxBytes, uint8_t(0));
  const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, 0};
  if (m_commands.vkCreateEvent(m_commands.device, &info, nullptr, &m_event) != VK_SUCCESS)
    throw std::runtime_error("the driver makes no event");
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  m_thread = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Execution::~Execution() {
  m_isEnding.store(true, std::memory_order_release);
  m_thread.join();
  m_judges.drain();
  m_commands.vkDestroyEvent(m_commands.device, m_event, nullptr);
}

bool Execution::choose(uint64_t pixels, bool isNew) {
  if (m_options.executesNewOnly && !isNew)
    return false;
  if (m_options.executePixels != 0 && pixels > m_options.executePixels)
    return false;
  std::scoped_lock lock(m_mutex);
  return m_candidates++ % std::max<uint64_t>(m_options.executeEvery, 1) == 0;
}

void Execution::add(const std::shared_ptr<DrawRecord> &record) {
  constexpr size_t Sweep = 4096; // of records that may be gone
  std::scoped_lock lock(m_mutex);
  if (m_records.size() % Sweep == Sweep - 1)
    std::erase_if(m_records, [](const auto &entry) { return entry.second.expired(); });
  do
    m_lastNumber = (m_lastNumber + 1) & (UINT32_MAX >> 1);
  while (m_lastNumber == 0 || m_records.contains(m_lastNumber));
  record->number = m_lastNumber;
  m_records[m_lastNumber] = record;
}

void Execution::recordCopies(VkCommandBuffer commands, const DrawRecord &record, bool isAfter) {
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  const auto wait = [&] {
    m_commands.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                                    nullptr, 0, nullptr);
  };
  wait();
  bool hasCopies = false;
  for (const ImageCopy &copy : record.copies)
    if (!isAfter || copy.isWritten) {
      m_commands.vkCmdCopyImageToBuffer(commands, copy.view->image->handle, VK_IMAGE_LAYOUT_GENERAL,
                                        copy.staging->handle(), uint32_t(copy.regions.size()), copy.regions.data());
      hasCopies = true;
    }
  if (hasCopies)
    wait();
}

void Execution::recordLetter(VkCommandBuffer commands, uint32_t letter) {
  m_commands.vkCmdFillBuffer(commands, m_mailbox.handle(), 0, sizeof letter, letter);
  m_commands.vkCmdWaitEvents(commands, 1, &m_event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                             nullptr, 0, nullptr, 0, nullptr);
  m_commands.vkCmdResetEvent(commands, m_event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

void Execution::recordBefore(VkCommandBuffer commands, const DrawRecord &record) {
  recordCopies(commands, record, false);
  recordLetter(commands, record.number << 1);
}

void Execution::recordAfter(VkCommandBuffer commands, const DrawRecord &record) {
  recordCopies(commands, record, true);
  recordLetter(commands, record.number << 1 | AfterBit);
}

// Empties the mailbox. The GPU waits for the event after each letter, so letters come one at a time.
void Execution::serve() {
  constexpr unsigned Looks = 1000; // before the thread sleeps
  constexpr auto LongestPause = std::chrono::microseconds(500);
  std::atomic_ref<uint32_t> mailbox(*reinterpret_cast<uint32_t *>(m_mailbox.data()));
  auto pause = std::chrono::microseconds(0);
  for (unsigned looks = 0; !m_isEnding.load(std::memory_order_acquire);) {
    const uint32_t letter = mailbox.load(std::memory_order_acquire);
    if (letter == 0) {
      if (++looks < Looks) {
        std::this_thread::yield();
        continue;
      }
      pause = std::min(pause + std::chrono::microseconds(20), LongestPause);
      std::this_thread::sleep_for(pause);
      continue;
    }
    looks = 0;
    pause = std::chrono::microseconds(0);
    try {
      answer(letter);
    } catch (const std::exception &exception) {
      m_log.noteRefused(m_current ? m_current->pipeline->facts->shaders : "", exception.what());
      m_current = nullptr;
    }
    mailbox.store(0, std::memory_order_release);
    (void)m_commands.vkSetEvent(m_commands.device, m_event);
  }
}

void Execution::answer(uint32_t letter) {
  if (letter & AfterBit) {
    if (m_current && m_live && m_current->number == letter >> 1)
      finish(*m_current);
    m_live.reset();
    m_current = nullptr;
    return;
  }
  m_live.reset();
  {
    std::scoped_lock lock(m_mutex);
    const auto found = m_records.find(letter >> 1);
    m_current = found == m_records.end() ? nullptr : found->second.lock();
  }
  if (!m_current)
    return;
  const std::string &pipeline = m_current->pipeline->facts->shaders;
  if (m_options.executeSeconds > 0 && double(now() - m_start) * 1e-9 > m_options.executeSeconds)
    return m_log.noteNotChosen(pipeline);
  if (Result<LiveScene> live = makeScene(*m_current))
    m_live = std::move(*live);
  else
    m_log.noteRefused(pipeline, live.error().text);
}

void Execution::finish(const DrawRecord &record) {
  DrawJob job;
  job.theirs = readResult(record, *m_live);
  job.scene = std::move(m_live->scene);
  job.variant = record.variant;
  job.isDamaged = ++m_executed == m_options.executeFault;
  m_judges.add(std::move(job));
}

} // namespace dovetail::layer
