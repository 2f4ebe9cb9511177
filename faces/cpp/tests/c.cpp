// Every answer through hashmill.h, on every backend of this machine.

#include "c.hpp"

// Declares the same functions: compilers refuse if it does so otherwise.
#include <hashmill/core.hpp>

namespace {

using test::answer;
using test::octets;

#define OF_THE_LIBRARY(function) (&function)
const test::functions library = TEST_FUNCTIONS(OF_THE_LIBRARY);

// A whole message at once.
void whole(const answer &a) {
    hashmill_hasher empty;
    ASSERT_EQ(test::init(library, empty, a), HASHMILL_OK) << a.name();
    octets out(a.wanted());
    const hashmill_bytes message = {a.message.data(), a.message.size()};
    test::expect(a, hashmill_hasher_finish_many(&empty, &message, 1, out.data(), out.size()), out, "many");
    if (a.params.is_null() && a.domain == 0x1F) {
        test::expect(a, hashmill_hash(test::algorithm_of(a), message.data, message.len, out.data(), out.size()), out,
                     "one call");
    }
}

TEST(C, EveryAnswerOnEveryBackend) {
    ASSERT_GT(test::answers().size(), 600u);
    std::string found;
    for (std::size_t i = 0; const char *backend = hashmill_backend_name(i); i++) {
        if (hashmill_backend_force(backend) != HASHMILL_OK) {
            continue;
        }
        found += (found.empty() ? "" : ",") + std::string(backend);
        SCOPED_TRACE(backend);
        for (const auto &a : test::answers()) {
            test::check(library, a);
            if (!a.is_hmac() && a.bits == 0) {
                whole(a);
            }
        }
    }
    EXPECT_EQ(hashmill_backend_force(nullptr), HASHMILL_OK);
    // What this CPU is known to have.
    if (const char *known = std::getenv("HASHMILL_BACKENDS")) {
        EXPECT_EQ(found, known);
    }
}

} // namespace
