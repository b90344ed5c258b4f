/* The header as C99 with every warning an error, and what C makes of its structs. */
#include <rankine/fmm.h>

extern const size_t c_sizes[5];
const size_t c_sizes[5] = {sizeof(rankine_fmm_options), sizeof(rankine_fmm_points),
                           sizeof(rankine_fmm_strengths), sizeof(rankine_fmm_results),
                           sizeof(rankine_fmm_info)};
