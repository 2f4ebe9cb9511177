#include <hashmill/hashmill.hpp>

#include "peers.hpp"

static_assert(hashmill::detail::linked);

void bench::add_linked() { BENCH_CLASSES("linked"); }
