#include "rankine/meshes/files/child_answer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"

namespace rankine::meshes {
namespace {

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

void send(int descriptor, AnswerKind kind, const char* data, std::size_t size) {
  const AnswerHeader header{kind, size};
  write_all(descriptor, &header, sizeof(header));
  write_all(descriptor, data, size);
}

void send(int descriptor, AnswerKind kind, const std::exception& error) {
  send(descriptor, kind, error.what(), std::strlen(error.what()));
}

[[noreturn]] void throw_again(AnswerKind kind, const std::string& text) {
  switch (kind) {
    case AnswerKind::mesh_error:
      throw MeshError(text);
    case AnswerKind::input_error:
      throw InputError(text);
    case AnswerKind::device_error:
      throw DeviceError(text);
    case AnswerKind::stopped:
      throw Stopped(text);
    case AnswerKind::error:
      throw Error(text);
    case AnswerKind::out_of_memory:
      throw std::bad_alloc();
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

void send_answer(int descriptor, const std::function<std::vector<char>()>& work) {
  try {
    const std::vector<char> result = work();
    send(descriptor, AnswerKind::result, result.data(), result.size());
  } catch (const MeshError& error) {
    send(descriptor, AnswerKind::mesh_error, error);
  } catch (const InputError& error) {
    send(descriptor, AnswerKind::input_error, error);
  } catch (const DeviceError& error) {
    send(descriptor, AnswerKind::device_error, error);
  } catch (const Stopped& error) {
    send(descriptor, AnswerKind::stopped, error);
  } catch (const Error& error) {
    send(descriptor, AnswerKind::error, error);
  } catch (const std::bad_alloc& error) {
    send(descriptor, AnswerKind::out_of_memory, error);
  } catch (const std::length_error& error) {
    send(descriptor, AnswerKind::out_of_memory, error);
  } catch (const std::exception& error) {
    send(descriptor, AnswerKind::other, error);
  } catch (...) {
    send(descriptor, AnswerKind::other, std::runtime_error("unknown exception"));
  }
  ::_exit(EXIT_SUCCESS);
}

std::span<char> Answer::room() {
  constexpr std::size_t most_at_once = std::size_t{1} << 26;
  if (header_bytes_ < sizeof(header_)) {
    return {reinterpret_cast<char*>(&header_) + header_bytes_, sizeof(header_) - header_bytes_};
  }
  if (bytes_ == text_.size()) {
    text_.resize(bytes_ + std::min<std::size_t>(header_.size - bytes_, most_at_once));
  }
  return std::span(text_).subspan(bytes_);
}

void Answer::add(std::size_t bytes) {
  (header_bytes_ < sizeof(header_) ? header_bytes_ : bytes_) += bytes;
}

std::optional<std::vector<char>> Answer::open() && {
  if (header_bytes_ < sizeof(header_) || bytes_ != header_.size) return {};
  if (header_.kind != AnswerKind::result) throw_again(header_.kind, {text_.begin(), text_.end()});
  return std::move(text_);
}

}  // namespace rankine::meshes
