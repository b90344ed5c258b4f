// Balls that cover panels and all that is within reach of them: one for a panel that is not long, for a long one
// several along its longest edge, so that a search finds what is beside it and not what is as far away as it is long.
#pragma once

#include <span>

#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// `reach`: per panel, from its flat triangles, m. Balls of panel j are first[j] .. first[j + 1].
NearBalls balls_around(const Panels& panels, std::span<const double> reach);

}  // namespace rankine::bem
