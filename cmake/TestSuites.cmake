# Read by ctest: a test per suite of the GoogleTest program `program`, which is asked for its list.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listed}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  add_test(${name} ${program} --gtest_filter=${suite}*)
  set_tests_properties(${name} PROPERTIES ${properties})
endforeach()
