// A named range in the timeline of NVIDIA's profilers, from construction to the end of the scope.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace rankine::gpu {

class ProfileRange {
 public:
  explicit ProfileRange(const char* name) { nvtxRangePushA(name); }
  ~ProfileRange() { nvtxRangePop(); }
  ProfileRange(const ProfileRange&) = delete;
  ProfileRange& operator=(const ProfileRange&) = delete;
};

}  // namespace rankine::gpu
