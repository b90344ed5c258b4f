// What an error says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace rankine::testing {

/// What the call says when it throws an `Error`.
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

/// The same where a call may also be accepted, which is the answer then.
template <class Error, class Call>
std::string answer_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

inline ::testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << message << "\" does not say \"" << part << "\"";
}

}  // namespace rankine::testing
