#include "cases/output/phases.hpp"

#include <fmt/format.h>

#include "cases/output/show.hpp"

namespace rankine::cases {

void Phases::begin(const std::string& name) {
  current_ = name;
  log_.progress(name);
}

void Phases::stage(const std::string& name) {
  end_stage();
  begin(name);
  stage_.emplace();
}

void Phases::end_stage() {
  if (stage_)
    log_.fact("stage", fmt::format("{:<16} {}", current_, show_seconds(stage_->seconds())));
  stage_.reset();
}

double Phases::seconds(const std::string& name) const {
  double sum = 0.0;
  for (const auto& [each, seconds] : seconds_) sum += each == name ? seconds : 0.0;
  return sum;
}

}  // namespace rankine::cases
