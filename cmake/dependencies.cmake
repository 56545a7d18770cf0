# Packages from the system first; the pinned sources where there is none.
include(FetchContent)
find_package(OpenMP REQUIRED COMPONENTS CXX)

find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
  FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.1.2)
  FetchContent_MakeAvailable(CLI11)
endif()

find_package(nlohmann_json 3.11 QUIET)
if(NOT nlohmann_json_FOUND)
  FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v3.11.2)
  FetchContent_MakeAvailable(nlohmann_json)
endif()

find_package(fmt 9 QUIET)
if(NOT fmt_FOUND)
  FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt.git GIT_TAG 9.1.0)
  FetchContent_MakeAvailable(fmt)
endif()

if(REDUX_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    FetchContent_Declare(googletest GIT_REPOSITORY https://github.com/google/googletest.git GIT_TAG release-1.12.1)
    FetchContent_MakeAvailable(googletest)
  endif()
endif()
