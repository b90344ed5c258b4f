// The common part of rankine-reader and rankine-vtk-reader.
#pragma once

#include <span>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {

/// Answers the request of the parent by answer(job, request, send), in one thread.
template <class Answer>
void run_reader(int argc, char** argv, Answer answer) {
  Execution{.threads = 1}.run([&] {
    serve_parent(argc, argv, [&](std::span<const char> bytes, const SendProgress& send) {
      ByteReader request(bytes);
      const auto job = request.value<Job>();
      return answer(job, request, send);
    });
  });
}

[[noreturn]] inline void throw_other_version() {
  throw Error("a request of another version of rankine; install all programs of one version");
}

}  // namespace rankine::meshes
