// The text of view.py, of which every results directory gets a copy: of surfaces cases/view.py, of
// particles scripts/draw_particles.py.
#pragma once

#include <string_view>

namespace rankine::cases {

std::string_view view_script();
std::string_view particle_view_script();

}  // namespace rankine::cases
