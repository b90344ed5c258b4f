// What happens to names in a folder, for tests of the order of steps.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace rankine::testing {

/// In order: "+name" put there, "-name" removed.
class FolderEvents {
 public:
  explicit FolderEvents(const std::filesystem::path& folder) {
    ::inotify_add_watch(watch_, folder.c_str(), IN_CREATE | IN_MOVED_TO | IN_DELETE);
  }
  ~FolderEvents() { ::close(watch_); }
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  std::vector<std::string> read() const {
    alignas(inotify_event) std::array<char, 1 << 14> bytes{};
    std::vector<std::string> events;
    for (ssize_t size; (size = ::read(watch_, bytes.data(), bytes.size())) > 0;) {
      for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(&bytes[std::size_t(at)]);
        events.emplace_back((event->mask & IN_DELETE) != 0 ? "-" : "+") += event->name;
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return events;
  }

 private:
  int watch_ = ::inotify_init1(IN_NONBLOCK);
};

}  // namespace rankine::testing
