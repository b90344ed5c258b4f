// Messages of errors.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace rankine::testing {

/// The message of the `Error` that the call must throw.
template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "the error expected was not thrown";
  return {};
}

/// The same, or "accepted" if the call does not throw.
template <class Error, class Call>
std::string answer_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// A text and the message that it gets.
struct Mistake {
  std::string text, message;
};

/// Whether a text has `part` in it.
inline ::testing::AssertionResult says(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  return ::testing::AssertionResult(found)
         << "\"" << text << (found ? "\" says \"" : "\" does not say \"") << part << "\"";
}

}  // namespace rankine::testing
