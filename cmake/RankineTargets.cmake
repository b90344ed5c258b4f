# What every library, program and test of the project shares: standard, warnings, sanitizers, include root.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_package(OpenMP REQUIRED COMPONENTS CXX)

add_library(rankine_settings INTERFACE)
target_include_directories(rankine_settings INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(rankine_settings INTERFACE cxx_std_20)
target_link_libraries(rankine_settings INTERFACE OpenMP::OpenMP_CXX)
target_compile_options(rankine_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${RANKINE_WERROR}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${RANKINE_NATIVE}>>:-march=native>)
# Messages name source files from the repository root, wherever it was built.
target_compile_options(rankine_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# GCC 12 takes the deliberately undefined registers inside its own AVX-512 intrinsics for mistakes (GCC PR 105593).
target_compile_options(rankine_settings INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
# CMake 3.25 does not know C++20 for nvcc, so the standard is an option there.
target_compile_options(rankine_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 -Werror=all-warnings -Xcompiler=-Wall,-Wextra>)
if(RANKINE_SANITIZE)
  target_compile_options(rankine_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
  target_link_options(rankine_settings INTERFACE -fsanitize=address,undefined)
endif()

# rankine_library(NAME SOURCES ... LINK ... PRIVATE_LINK ...): a static library with the shared settings.
function(rankine_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC rankine_settings ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
endfunction()

# rankine_test(NAME SOURCES ... LINK ... LABELS ...): a GoogleTest program whose tests ctest runs one by one. OpenMP
# threads wait passively, because several tests share the machine.
function(rankine_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE rankine_settings ${ARG_LINK} GTest::gtest_main)
  set(properties TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  if(RANKINE_SANITIZE)
    list(APPEND properties ENVIRONMENT_MODIFICATION
      LSAN_OPTIONS=set:suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks.txt:print_suppressions=0)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
