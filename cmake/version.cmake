# What the result header says of this build. The git description is taken when CMake configures
# and again whenever HEAD moves.
find_package(Git QUIET)
set(REDUX_GIT "unknown")
if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE REDUX_GIT
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.hpp.in ${CMAKE_BINARY_DIR}/generated/redux_version.hpp @ONLY)
target_include_directories(redux_options INTERFACE ${CMAKE_BINARY_DIR}/generated)
