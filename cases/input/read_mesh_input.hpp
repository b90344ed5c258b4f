// The table [mesh] of a case file.
#pragma once

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

void mesh_keys(Keys& keys, MeshInput& mesh);

}  // namespace rankine::cases
