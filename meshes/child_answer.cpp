#include "rankine/meshes/child_answer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine::meshes {
namespace {

enum class Outcome : std::uint64_t {
  result = 1,
  mesh_error,
  input_error,
  device_error,
  stopped,
  error,
  out_of_memory,
  other
};

/// What a child sends first; `size` bytes follow.
struct Header {
  Outcome outcome;
  std::uint64_t size;
};

void write_all(int descriptor, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(EXIT_FAILURE);
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(int descriptor, Outcome outcome, const char* data, std::size_t size) {
  const Header header{outcome, size};
  write_all(descriptor, &header, sizeof(header));
  write_all(descriptor, data, size);
}

void send(int descriptor, Outcome outcome, const std::exception& error) {
  send(descriptor, outcome, error.what(), std::strlen(error.what()));
}

[[noreturn]] void throw_again(Outcome outcome, const std::string& text) {
  switch (outcome) {
    case Outcome::mesh_error:
      throw MeshError(text);
    case Outcome::input_error:
      throw InputError(text);
    case Outcome::device_error:
      throw DeviceError(text);
    case Outcome::stopped:
      throw Stopped(text);
    case Outcome::error:
      throw Error(text);
    case Outcome::out_of_memory:
      throw std::bad_alloc();
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

void send_answer(int descriptor, const std::function<std::vector<char>()>& work) {
  try {
    const std::vector<char> result = work();
    send(descriptor, Outcome::result, result.data(), result.size());
  } catch (const MeshError& error) {
    send(descriptor, Outcome::mesh_error, error);
  } catch (const InputError& error) {
    send(descriptor, Outcome::input_error, error);
  } catch (const DeviceError& error) {
    send(descriptor, Outcome::device_error, error);
  } catch (const Stopped& error) {
    send(descriptor, Outcome::stopped, error);
  } catch (const Error& error) {
    send(descriptor, Outcome::error, error);
  } catch (const std::bad_alloc& error) {
    send(descriptor, Outcome::out_of_memory, error);
  } catch (const std::length_error& error) {
    send(descriptor, Outcome::out_of_memory, error);
  } catch (const std::exception& error) {
    send(descriptor, Outcome::other, error);
  } catch (...) {
    send(descriptor, Outcome::other, std::runtime_error("unknown exception"));
  }
  ::_exit(EXIT_SUCCESS);
}

std::optional<std::vector<char>> open_answer(std::vector<char> bytes) {
  Header header{};
  if (bytes.size() < sizeof(header)) return {};
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (bytes.size() - sizeof(header) != header.size) return {};
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(header));
  if (header.outcome != Outcome::result) throw_again(header.outcome, {bytes.begin(), bytes.end()});
  return bytes;
}

}  // namespace rankine::meshes
