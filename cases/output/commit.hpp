// The step in which a run's files take the place of an older run's.
//
// Its plan is written into the staging folder first. From then on it will be carried out, by this
// process or, where that is killed, by the next that opens the results directory: every part of it
// can be done twice. The old summary.json goes first and the new one comes last, so that at any
// moment a directory with a summary holds one run's files, all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rankine::cases {

inline constexpr auto summary_name = "summary.json";

/// How the names of staging folders begin; six letters follow.
inline constexpr auto staging_prefix = ".rankine-staging-";

/// Names that a run may have left in `folder`: those its summary lists, and those every run has.
std::vector<std::string> files_of_earlier_runs(const std::filesystem::path& folder);

/// Replaces the results in `folder` by the files `names` of `staging`, a folder within, and removes
/// it. Throws InputError where the file system refuses.
void commit(const std::filesystem::path& folder, const std::filesystem::path& staging,
            const std::vector<std::string>& names);

/// Has the commit from this staging folder begun?
bool commit_begun(const std::filesystem::path& staging);

/// Carries out or removes what runs that were killed left in `folder`. No other may be at work there.
void recover(const std::filesystem::path& folder);

}  // namespace rankine::cases
