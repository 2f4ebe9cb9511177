// HMAC (FIPS 198-1, RFC 2104) with every hash function that has a digest of fixed length.
#pragma once

#include "hashmill/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hashmill {

// A hash function for which HMAC is defined: the digest of a long key, followed by zeros, is a
// block (FIPS 198-1 §4, step 2). Ascon-Hash256's digest is longer than its block.
template <class H>
concept hmac_function = H::digest_length <= H::block_length;

// HMAC with the hash function H, for instance sha256. The constructor absorbs the key. For several
// messages, prepare one object and copy it for each message.
template <hmac_function H> class hmac {
public:
    static constexpr std::size_t digest_length = H::digest_length;

    // Absorbs a key of any length. A key longer than the hash's block is hashed first (FIPS 198-1
    // §4).
    constexpr explicit hmac(const bytes &key) {
        detail::below<stack>([&] { absorb_key(key); });
    }

    // Returns the tag of a message.
    static constexpr digest<digest_length> tag(const bytes &key, const bytes &message) {
        digest<digest_length> tag{};
        detail::below<stack>([&] {
            hmac one;
            one.absorb_key(key);
            one.inner_.update(message);
            tag = one.finish();
        });
        return tag;
    }

    // Absorbs the next part of the message.
    constexpr hmac &update(const bytes &data) {
        detail::below<stack>([&] { inner_.update(data); });
        return *this;
    }

    // Returns the tag of everything absorbed so far. The object does not change, and may absorb
    // more.
    constexpr digest<digest_length> finalize() const {
        digest<digest_length> tag{};
        detail::below<stack>([&] { tag = finish(); });
        return tag;
    }

    // Returns the tag of everything absorbed so far followed by `message`. The object does not
    // change, so that a key is prepared once for many messages.
    constexpr digest<digest_length> finish(const bytes &message) const {
        digest<digest_length> tag{};
        detail::below<stack>([&] {
            hmac one = *this;
            one.inner_.update(message);
            tag = one.finish();
        });
        return tag;
    }

    // Returns whether `tag` is the tag of everything absorbed so far. The time that it takes does
    // not reveal where the tags differ.
    constexpr bool verify(const bytes &tag) const { return equal(finalize(), tag); }

private:
    // The words of the stack that are overwritten: what a message needs, and four copies of a hasher.
    static constexpr std::size_t stack = 384 + sizeof(H) / 2;

    constexpr hmac() = default;

    // The caller overwrites the stack, here and in finish().
    constexpr void absorb_key(const bytes &key) {
        std::array<std::uint8_t, H::block_length> block{};
        if (key.size() <= block.size()) {
            detail::copy(key, block, 0);
        } else {
            const auto hashed = H::hash(key);
            detail::copy(bytes(hashed), block, 0);
        }
        for (auto &byte : block) {
            byte ^= ipad;
        }
        inner_.update(block);
        for (auto &byte : block) {
            byte ^= ipad ^ opad;
        }
        outer_.update(block);
        detail::wipe(block);
        if constexpr (requires { inner_.settle(); }) {
            inner_.settle();
            outer_.settle();
        }
    }

    constexpr digest<digest_length> finish() const {
        H outer = outer_;
        return outer.update(inner_.finalize()).finalize();
    }

    // The pads of FIPS 198-1 §2.3.
    static constexpr std::uint8_t ipad = 0x36;
    static constexpr std::uint8_t opad = 0x5C;

    // Has absorbed the key exclusive-or'ed with ipad, and then the message.
    H inner_;
    // Has absorbed the key exclusive-or'ed with opad.
    H outer_;
};

} // namespace hashmill
