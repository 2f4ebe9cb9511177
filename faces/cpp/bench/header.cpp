// The header alone, although the rest of the program is linked with the library.
#undef HASHMILL_LINKED
#include <hashmill/hashmill.hpp>

#include "peers.hpp"

void bench::add_header() { BENCH_CLASSES("header"); }
