//! Checks a case through every interface.

use super::source::{Case, Chain, Large, Monte};
use crate::common::answer::{Answer, Input, Message, Mode3, Params, to_hex};
use crate::common::{calls, takes_bits};
use hashmill::{Algorithm, AnyHasher, AsconCXof128, Customization, VarDigest, blake2b, blake2s};
use std::io::{Read, Write};

/// Messages of more than this many bytes are split in fewer ways.
const LONG: usize = 1 << 20;

/// The name of an interface, and the output that it computed.
type Computed<'a> = (&'a str, Vec<u8>);

/// Checks the cases and returns the failures.
pub fn cases(cases: &[&Case]) -> Vec<String> {
    let mut failures = Vec::new();
    let mut batches: Vec<Batch> = Vec::new();
    for case in cases {
        let result = match case {
            Case::Answer(answer) => one(answer),
            Case::Monte(monte) => chain(monte),
            Case::Large(large) => long(large),
        };
        failures.extend(result.err());
        let Case::Answer(answer) = case else { continue };
        let Some((setup, message)) = whole_bytes(answer) else { continue };
        let algorithm = answer.algorithm;
        match batches.iter_mut().find(|b| b.algorithm == algorithm && b.setup == setup) {
            Some(batch) => batch.answers.push((answer, message)),
            None => batches.push(Batch { algorithm, setup, answers: vec![(answer, message)] }),
        }
    }
    failures.extend(batches.iter().filter_map(|batch| together(batch).err()));
    failures
}

/// Messages that one hasher can hash in one batch, with their answers.
struct Batch<'a> {
    algorithm: Algorithm,
    setup: Setup<'a>,
    answers: Vec<(&'a Answer, &'a [u8])>,
}

/// The parameters that a hasher is constructed with.
#[derive(PartialEq)]
enum Setup<'a> {
    Plain,
    Domain(u8),
    Blake3(&'a Mode3),
    Blake2(&'a Params),
}

impl Setup<'_> {
    /// Returns whether the functions without parameters compute the same outputs.
    fn is_default(&self, algorithm: Algorithm) -> bool {
        match self {
            Setup::Plain => true,
            Setup::Domain(domain) => *domain == 0x1F,
            Setup::Blake3(_) => false,
            Setup::Blake2(params) => **params == Params::new(algorithm.output_len()),
        }
    }

    fn hasher(&self, algorithm: Algorithm) -> AnyHasher {
        let hasher = match self {
            Setup::Plain => Ok(algorithm.hasher()),
            Setup::Domain(domain) => calls::domain(algorithm, *domain),
            Setup::Blake3(mode) => Ok(calls::blake3(mode)),
            Setup::Blake2(params) => calls::blake2(algorithm, params),
        };
        hasher.unwrap_or_else(|error| panic!("{algorithm}: {error}"))
    }
}

/// Returns the parameters and the message of a digest or XOF output, if the message is a whole
/// number of bytes.
fn whole_bytes(answer: &Answer) -> Option<(Setup<'_>, &[u8])> {
    match &answer.input {
        Input::Hash { message } => (message.bits == 0).then_some((Setup::Plain, &message.bytes)),
        Input::Domain { domain, message } => Some((Setup::Domain(*domain), message)),
        Input::Blake3 { mode, message } => Some((Setup::Blake3(mode), message)),
        Input::Blake2 { params, message } => Some((Setup::Blake2(params), message)),
        Input::Blake2x { .. } | Input::AsconCxof { .. } | Input::Hmac { .. } => None,
    }
}

fn one(answer: &Answer) -> Result<(), String> {
    let algorithm = answer.algorithm;
    let len = answer.output.len();
    let computed = match &answer.input {
        Input::Hmac { key, message, valid } => return hmac(answer, key, message, *valid),
        Input::Hash { message } if message.bits > 0 => bits(algorithm, message, len),
        Input::Blake2x { params, known, message } => {
            blake2x(algorithm, params, *known, message, len)
        }
        Input::AsconCxof { customization, message } => ascon_cxof(customization, message, len),
        _ => {
            let (setup, message) = whole_bytes(answer).expect("whole bytes");
            let hasher = setup.hasher(algorithm);
            let mut computed = streamed(&hasher, message, len);
            let rounds = [vec![message]];
            for (how, mut outputs) in ["hash_many of one", "update_many of one"]
                .into_iter()
                .zip(calls::typed(&hasher, &[message], &rounds, len))
            {
                computed.push((how, outputs.remove(0)));
            }
            if matches!(setup, Setup::Plain) {
                computed.extend(bits(algorithm, &Message::from(message.to_vec()), len));
            }
            if setup.is_default(algorithm) {
                let digests = calls::digests(algorithm, &[message]);
                for (function, digest) in calls::calls(algorithm, message) {
                    defaults(answer, function, &digest)?;
                }
                let (begin, rest) = message.split_at(message.len() / 2);
                computed
                    .push(("the portable hasher", calls::portable(algorithm, &[begin, rest], len)));
                defaults(answer, "hash_many at run time", &digests[0])?;
                computed.push(("many of one", calls::packed(algorithm, &[message], len).remove(0)));
            }
            computed
        }
    };
    computed.iter().try_for_each(|computed| compare(answer, computed))
}

/// Computes BLAKE2X through each of its interfaces.
fn blake2x(
    algorithm: Algorithm,
    params: &Params,
    known: Option<u64>,
    message: &[u8],
    len: usize,
) -> Vec<Computed<'static>> {
    macro_rules! of {
        ($module:ident) => {{
            let given = $module::Params::new().key(&params.key).salt(&params.salt);
            let start = given.personal(&params.personal).build_xof(known).expect("parameters");
            let (mut one, mut many) = (vec![0; len], vec![0; len]);
            let (mut hasher, (begin, rest)) = (start.clone(), message.split_at(message.len() / 2));
            hasher.update(begin).update(rest).squeeze().try_fill(&mut one).expect("output");
            if known.is_none_or(|known| known == len as u64) {
                start.hash_many(&[message], &mut many).expect("room for one");
                vec![("squeeze", one), ("hash_many of one", many)]
            } else {
                vec![("squeeze", one)]
            }
        }};
    }
    match algorithm {
        Algorithm::Blake2b => of!(blake2b),
        _ => of!(blake2s),
    }
}

fn compare(answer: &Answer, (interface, computed): &Computed) -> Result<(), String> {
    match computed.len() == answer.output.len() && answer.output.agrees(computed) {
        true => Ok(()),
        false => Err(differs(answer, interface, computed)),
    }
}

/// Compares an output of default length with the answer. For an XOF, it compares only the bytes
/// that both contain.
fn defaults(answer: &Answer, interface: &str, computed: &[u8]) -> Result<(), String> {
    let whole = answer.output.len() - usize::from(answer.output.bits < 8);
    let len = whole.min(computed.len()).saturating_sub(answer.output.skip);
    let start = answer.output.skip.min(computed.len());
    match answer.output.bytes[..len] == computed[start..][..len] {
        true if computed.len() == answer.algorithm.output_len() => Ok(()),
        _ => Err(differs(answer, interface, computed)),
    }
}

fn differs(answer: &Answer, interface: &str, computed: &[u8]) -> String {
    let (algorithm, name, output) = (answer.algorithm, &answer.name, &answer.output);
    let expected = to_hex(&output.bytes);
    format!(
        "{algorithm}, {name}, {interface}: {}, not {expected} after {} bytes",
        to_hex(computed),
        output.skip
    )
}

/// Returns several lists of places at which to cut a message of `len` bytes.
fn splits(len: usize, block: usize) -> Vec<Vec<usize>> {
    let all = [vec![], vec![1], vec![len / 2], vec![block], vec![len / 3, len / 3, len / 2 + 1]];
    let more = [
        vec![block - 1, block + 1],
        vec![len.saturating_sub(1)],
        vec![0, block / 2, block * 2 + 1],
    ];
    let all = all.into_iter().chain(if len > LONG { vec![] } else { more.to_vec() });
    all.filter(|cuts| cuts.iter().all(|&cut| cut <= len)).collect()
}

fn pieces<'a>(message: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let ends = cuts.iter().copied().chain([message.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end)| &message[start..end]).collect()
}

fn squeeze(hasher: &AnyHasher, cuts: &[usize], len: usize) -> Vec<u8> {
    let mut reader = hasher.squeeze().expect("an XOF");
    let mut out = vec![0; len];
    let mut rest = &mut out[..];
    for cut in cuts {
        let (piece, left) = rest.split_at_mut((*cut).min(rest.len()));
        reader.try_fill(piece).expect("output");
        rest = left;
    }
    reader.try_fill(rest).expect("output");
    out
}

fn streamed(start: &AnyHasher, message: &[u8], len: usize) -> Vec<Computed<'static>> {
    let algorithm = start.algorithm().expect("an algorithm");
    let mut computed = Vec::new();
    let mut finish = |hasher: &AnyHasher, how: &'static str| {
        let mut out = vec![0; len];
        match hasher.hash_into(b"", &mut out) {
            Ok(()) => computed.push((how, out)),
            Err(error) => panic!("{algorithm}, {how}: {error}"),
        }
        if !algorithm.is_xof() {
            computed.push((how, hasher.finalize().to_vec()));
        }
    };
    for cuts in splits(message.len(), algorithm.block_len()) {
        let mut hasher = start.clone();
        for piece in pieces(message, &cuts) {
            hasher.update(piece);
        }
        finish(&hasher, "update");
    }
    let (begin, rest) = message.split_at(message.len() / 2);
    let mut hasher = start.clone();
    hasher.update(begin);
    let mut resumed =
        AnyHasher::import(hasher.export().expect("a state").as_ref()).expect("an exported state");
    resumed.update(rest);
    finish(&resumed, "export and import");
    let mut hasher = start.clone();
    hasher.write_all(begin).expect("hashers take every byte");
    let read = hasher.update_reader(rest).expect("slices read without error");
    assert_eq!(read, rest.len() as u64);
    finish(&hasher, "write and update_reader");
    if algorithm.is_xof() {
        let rate = algorithm.block_len();
        computed.push(("fill", squeeze(&hasher, &[], len)));
        computed.push(("fill in pieces", squeeze(&hasher, &[1, len / 2], len)));
        computed.push(("fill by the rate", squeeze(&hasher, &[rate - 1, 2, rate, rate + 1], len)));
        let reader = || hasher.squeeze().expect("an XOF");
        computed.push(("the iterator", Iterator::take(reader(), len).collect()));
        let mut out = vec![0; len];
        reader().read_exact(&mut out).expect("an XOF does not end");
        computed.push(("read", out));
    }
    computed
}

/// Computes Ascon-CXOF128.
fn ascon_cxof(customization: &[u8], message: &[u8], len: usize) -> Vec<Computed<'static>> {
    let mut hasher = AsconCXof128::new(Customization(customization)).expect("at most 256 bytes");
    let [mut many, mut out] = [vec![0; len], vec![0; len]];
    hasher.hash_many([message], &mut many).expect("room");
    hasher.update(message).squeeze().fill(&mut out);
    vec![("fill", out), ("hash_many of one", many)]
}

/// Computes a function of a message of any number of bits, and checks that those of whole bytes return
/// an error.
fn bits(algorithm: Algorithm, message: &Message, len: usize) -> Vec<Computed<'static>> {
    let mut computed = Vec::new();
    let takes_bits = takes_bits(algorithm);
    for cut in [0, message.bytes.len() / 2, message.bytes.len().saturating_sub(1)] {
        let mut hasher = algorithm.hasher();
        hasher.update(&message.bytes[..cut]);
        hasher.update(&message.bytes[cut..]);
        let xof = hasher.squeeze_bits(message.last, message.bits);
        let digest = hasher.finalize_bits(message.last, message.bits);
        assert_eq!(digest.is_ok(), takes_bits, "{algorithm}: finalize_bits");
        assert_eq!(xof.is_ok(), takes_bits && algorithm.is_xof(), "{algorithm}: squeeze_bits");
        match (digest, xof) {
            (_, Ok(mut reader)) => {
                let mut out = vec![0; len];
                let (begin, rest) = out.split_at_mut(len / 3);
                reader.try_fill(begin).expect("output");
                reader.try_fill(rest).expect("output");
                computed.push(("squeeze_bits", out));
            }
            (Ok(digest), _) => computed.push(("finalize_bits", digest.to_vec())),
            _ => {}
        }
    }
    computed
}

/// Checks all messages of a batch at once, through every interface for batches.
fn together(batch: &Batch) -> Result<(), String> {
    let (algorithm, setup) = (batch.algorithm, &batch.setup);
    let messages: Vec<&[u8]> = batch.answers.iter().map(|(_, message)| *message).collect();
    let answers = || batch.answers.iter().map(|(answer, _)| *answer);
    let len = answers().map(|answer| answer.output.len()).max().expect("a batch is not empty");
    let check = |interface: &str, outputs: calls::Outputs| {
        assert_eq!(outputs.len(), messages.len());
        answers().zip(outputs).try_for_each(|(answer, mut output)| {
            output.truncate(answer.output.len());
            compare(answer, &(interface, output))
        })
    };
    let hasher = setup.hasher(algorithm);
    let [many, updated] = calls::typed(&hasher, &messages, std::slice::from_ref(&messages), len);
    check("hash_many", many)?;
    check("update_many", updated)?;
    if setup.is_default(algorithm) {
        check("many", calls::packed(algorithm, &messages, len))?;
        let outputs = calls::columns(algorithm, &messages, len);
        check("many with offsets", outputs.map_err(|error| format!("{algorithm}: {error}"))?)?;
        let digests = calls::digests(algorithm, &messages);
        answers()
            .zip(&digests)
            .try_for_each(|(answer, digest)| defaults(answer, "hash_many at run time", digest))?;
    }
    Ok(())
}

fn hmac(answer: &Answer, key: &[u8], message: &[u8], valid: bool) -> Result<(), String> {
    let algorithm = answer.algorithm;
    let published = &answer.output.bytes[..];
    let fail = |what: &str| Err(differs(answer, what, &[]));
    let start = algorithm.hmac(key).map_err(|error| format!("{algorithm}: {error}"))?;
    for cuts in splits(message.len(), algorithm.block_len()) {
        let mut mac = start.clone();
        for piece in pieces(message, &cuts) {
            mac.update(piece);
        }
        let tag = mac.finalize();
        if tag.len() != algorithm.output_len() {
            return fail("HMAC's length");
        }
        if tag.starts_with(published) != valid {
            return Err(differs(answer, "HMAC", &tag));
        }
        let verifies = |tag: &[u8]| {
            let verifies = mac.verify(tag).is_ok();
            let typed = calls::hmacs(algorithm, key, &[message], &[tag]).verifies[0];
            assert_eq!(verifies, typed, "{algorithm}: AnyHmac and Hmac verify alike");
            verifies
        };
        if !verifies(&tag) {
            return fail("HMAC refuses its own tag");
        }
        if calls::hmacs(algorithm, key, &[message], &[]).many[0] != tag[..] {
            return fail("HMAC of many");
        }
        if calls::portable_hmac(algorithm, key, message) != tag[..] {
            return fail("portable HMAC");
        }
        let whole = valid && published.len() == tag.len();
        if verifies(published) != whole {
            return fail("HMAC verifies a tag that is false or cut, or refuses a true one");
        }
        for place in [0, tag.len() / 2, tag.len() - 1] {
            let mut corrupted = tag.to_vec();
            corrupted[place] ^= 1 << (place % 8);
            if verifies(&corrupted) {
                return fail("HMAC verifies a corrupted tag");
            }
        }
    }
    Ok(())
}

/// Computes one step of a Monte Carlo test. The steps alternate between three interfaces.
fn step(hasher: &AnyHasher, turn: usize, message: &[u8], len: usize) -> Vec<u8> {
    let begin = match turn % 3 {
        0 => 0,
        1 => message.len() / 2,
        _ => return calls::after(hasher, &[message], len).remove(0),
    };
    let mut hasher = hasher.clone();
    let (begin, rest) = message.split_at(begin);
    hasher.update(begin);
    hasher.update(rest);
    let mut out = vec![0; len];
    hasher.hash_into(b"", &mut out).expect("an output of the right length");
    out
}

fn chain(monte: &Monte) -> Result<(), String> {
    let algorithm = monte.algorithm;
    let hasher = algorithm.hasher();
    let mut seed = monte.seed.clone();
    let mut len = match monte.chain {
        Chain::Shake { max_len, .. } => max_len,
        _ => algorithm.output_len(),
    };
    for (number, answer) in monte.answers.iter().enumerate() {
        let mut last_three = [seed.clone(), seed.clone(), seed.clone()];
        for turn in 0..1000 {
            let mut message = match monte.chain {
                Chain::Sha2 | Chain::Sha2Alternate => last_three.concat(),
                Chain::Sha3 | Chain::Shake { .. } => last_three[2].clone(),
            };
            match monte.chain {
                Chain::Sha2Alternate => message.resize(monte.seed.len(), 0),
                Chain::Shake { .. } => message.resize(16, 0),
                Chain::Sha2 | Chain::Sha3 => {}
            }
            let output = step(&hasher, turn, &message, len);
            if let (Chain::Shake { min_len, max_len }, [.., high, low]) = (monte.chain, &output[..])
            {
                len = min_len
                    + usize::from(u16::from_be_bytes([*high, *low])) % (max_len - min_len + 1);
            }
            last_three.rotate_left(1);
            last_three[2] = output;
        }
        [_, _, seed] = last_three;
        if seed != *answer {
            let (got, wanted) = (to_hex(&seed), to_hex(answer));
            return Err(format!("{algorithm}, Monte Carlo answer {number}: {got}, not {wanted}"));
        }
    }
    Ok(())
}

/// The length of a piece in bytes. It is not a multiple of any block, so that the ends of the
/// pieces fall at changing places in the blocks.
const PIECE: usize = (1 << 20) + 8;

/// Hashes the message in pieces on one core and, on 64-bit Linux, in one call on another.
fn long(large: &Large) -> Result<(), String> {
    let one_call = one_call(large);
    let (pieces, whole) = rayon::join(|| in_pieces(large), || one_call.map(|call| call()));
    for (how, digest) in [("in pieces", Some(pieces)), ("in one call", whole)] {
        if let Some(digest) = digest.filter(|digest| digest[..] != large.digest[..]) {
            let (algorithm, len, expected) = (large.algorithm, large.len, to_hex(&large.digest));
            return Err(format!("{algorithm} of {len} bytes {how}: {digest}, not {expected}"));
        }
    }
    Ok(())
}

fn in_pieces(large: &Large) -> VarDigest {
    let piece = large.content.repeat(PIECE / large.content.len());
    let mut hasher = large.algorithm.hasher();
    let mut left = large.len;
    while left > 0 {
        let len = left.min(piece.len() as u64);
        hasher.update(&piece[..len as usize]);
        left -= len;
    }
    hasher.finalize()
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn one_call(large: &Large) -> Option<impl FnOnce() -> VarDigest + Send> {
    let message = crate::common::memory::Vast::repeated(&large.content, large.len as usize);
    let algorithm = large.algorithm;
    Some(move || algorithm.hash(&message))
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn one_call(_: &Large) -> Option<fn() -> VarDigest> {
    None
}
