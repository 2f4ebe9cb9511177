//! TurboSHAKE (RFC 9861 §2): SHAKE with 12 rounds and a domain separation byte.

use crate::error::Error;
use crate::keccak::Sponge;
use crate::sha3::xof;

/// RFC 9861 §2.1: the byte for those who have no domains to separate.
const DEFAULT_DOMAIN: u8 = 0x1F;

xof!(TurboShake128, turboshake128, "TurboSHAKE128", "RFC 9861 §2", rate 168, rounds 12, DEFAULT_DOMAIN);
xof!(TurboShake256, turboshake256, "TurboSHAKE256", "RFC 9861 §2", rate 136, rounds 12, DEFAULT_DOMAIN);

macro_rules! with_domain {
    ($Type:ident, rate $rate:literal) => {
        impl $Type {
            /// With a domain separation byte other than 0x1F.
            ///
            /// # Errors
            /// [`Error::Domain`] unless it is 0x01 to 0x7F.
            pub const fn with_domain(domain: u8) -> Result<Self, Error> {
                match domain {
                    0x01..=0x7F => Ok($Type { stream: Sponge::new($rate, 12, domain) }),
                    _ => Err(Error::Domain),
                }
            }
        }

        impl crate::portable::$Type {
            /// With a domain separation byte other than 0x1F.
            ///
            /// # Errors
            /// [`Error::Domain`] unless it is 0x01 to 0x7F.
            pub const fn with_domain(domain: u8) -> Result<Self, Error> {
                match domain {
                    0x01..=0x7F => Ok(Self { stream: Sponge::new($rate, 12, domain) }),
                    _ => Err(Error::Domain),
                }
            }
        }
    };
}
with_domain!(TurboShake128, rate 168);
with_domain!(TurboShake256, rate 136);
