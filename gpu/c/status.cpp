#include "rankine/gpu/c/status.hpp"

#include <cstdio>

namespace rankine::c {
namespace {

thread_local char message_of_thread[2048] = "";

}  // namespace

int failed(int status, const char* message) noexcept {
  std::snprintf(message_of_thread, sizeof message_of_thread, "%s", message);
  return status;
}

const char* last_message() noexcept { return message_of_thread; }

}  // namespace rankine::c
