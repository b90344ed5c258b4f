#include "cases/interrupt.hpp"

#include <csignal>

namespace rankine::cases {
namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t interrupt_requested = 0;

void on_interrupt(int) {
  interrupt_requested = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requested = 0;
  std::signal(SIGINT, on_interrupt);
}

InterruptGuard::~InterruptGuard() { std::signal(SIGINT, SIG_DFL); }

bool InterruptGuard::requested() { return interrupt_requested != 0; }

void InterruptGuard::check() {
  if (requested()) throw Interrupted("interrupted before the solve began; nothing was written");
}

}  // namespace rankine::cases
