//! The messages of a batch and the places for their digests: [`Messages`] and [`Outputs`].
//!
//! Both are types and not functions: a batch over an Arrow column differs from one over a slice of
//! strings only in how message `i` is found, and a batch that writes hexadecimal only in how digest
//! `i` is written.
//!
//! Inside the library messages are `&dyn Messages` and outputs are [`Slots`], so that the lane
//! scheduler is compiled once for a family and not once for each pair of an input and an output
//! type. One virtual call returns a group of messages, as many as there are lanes
//! ([`Messages::gather`]).

use crate::buffer::copy_short;
use crate::digest::{Bytes, VarDigest};
use crate::error::Error;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// The messages of a batch, by index.
///
/// Messages have an index, and are not an iterator, because the lane scheduler reads messages out
/// of order, and threads begin in the middle.
///
/// The trait is implemented for slices, arrays and vectors of any type that is `AsRef<[u8]>`; for
/// [`Column`], [`Rows`], and the types that [`indexed`] and `many::threads` return; and for
/// references to all of them. It is sealed: other crates cannot implement it.
pub trait Messages: Sealed {
    /// Returns the number of messages.
    fn count(&self) -> usize;

    /// Returns message `index`.
    ///
    /// # Panics
    /// If `index` is not less than [`count`](Self::count).
    fn message(&self, index: usize) -> &[u8];

    /// Fills `into` with the messages from `first` on. This is one virtual call for a group of
    /// messages instead of one for each message.
    #[doc(hidden)]
    fn gather<'a>(&'a self, first: usize, into: &mut [&'a [u8]]) {
        for (i, message) in into.iter_mut().enumerate() {
            *message = self.message(first + i);
        }
    }

    /// Returns the length of the longest message. This is one virtual call for all messages, too.
    #[doc(hidden)]
    fn longest(&self) -> usize {
        (0..self.count()).map(|i| self.message(i).len()).max().unwrap_or(0)
    }

    /// Returns the same messages if they are to be split over threads.
    #[doc(hidden)]
    #[cfg(feature = "rayon")]
    fn for_threads(&self) -> Option<&(dyn Messages + Sync)> {
        None
    }
}

impl<T> Sealed for [T] {}
impl<T, const N: usize> Sealed for [T; N] {}
#[cfg(feature = "alloc")]
impl<T> Sealed for alloc::vec::Vec<T> {}

impl<M: AsRef<[u8]>> Messages for [M] {
    fn count(&self) -> usize {
        self.len()
    }
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

impl<M: AsRef<[u8]>, const N: usize> Messages for [M; N] {
    fn count(&self) -> usize {
        N
    }
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

#[cfg(feature = "alloc")]
impl<M: AsRef<[u8]>> Messages for alloc::vec::Vec<M> {
    fn count(&self) -> usize {
        self.len()
    }
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

impl<M: Messages + ?Sized> Sealed for &M {}
impl<M: Messages + ?Sized> Messages for &M {
    fn count(&self) -> usize {
        (**self).count()
    }
    fn message(&self, index: usize) -> &[u8] {
        (**self).message(index)
    }
    fn gather<'a>(&'a self, first: usize, into: &mut [&'a [u8]]) {
        (**self).gather(first, into);
    }
    fn longest(&self) -> usize {
        (**self).longest()
    }
    #[cfg(feature = "rayon")]
    fn for_threads(&self) -> Option<&(dyn Messages + Sync)> {
        (**self).for_threads()
    }
}

/// A type of offsets: `u32`, `u64`, `usize`, `i32` or `i64`. Arrow's offsets are signed.
pub trait Offset: Copy + Sealed + TryInto<usize> {}

impl Sealed for u32 {}
impl Sealed for u64 {}
impl Sealed for usize {}
impl Sealed for i32 {}
impl Sealed for i64 {}
impl<O: Copy + Sealed + TryInto<usize>> Offset for O {}

/// Messages in one buffer, so that a column of millions of messages needs no slice for each.
/// Message `i` is `values[offsets[i]..offsets[i + 1]]`, as in Arrow's binary columns.
///
/// ```
/// use hashmill::{Sha256, many};
///
/// let column = many::Column::new(b"onetwothree", &[0u32, 3, 6, 11])?;
/// let mut digests = [0; 3 * 32]; // packed: 32 bytes a message
/// many::hash::<Sha256>(&column, &mut digests)?;
/// assert_eq!(digests[32..64], *hashmill::sha256(b"two"));
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
}

impl<'a, O: Offset> Column<'a, O> {
    /// Creates a column, which has one message fewer than `offsets`, or none if there are no
    /// offsets.
    ///
    /// This function checks all offsets once, so that no later access can fail.
    ///
    /// # Errors
    /// [`Error::Offsets`] if an offset is negative, decreases or points past the end of `values`.
    pub fn new(values: &'a [u8], offsets: &'a [O]) -> Result<Self, Error> {
        let mut last = 0;
        for (at, &offset) in (0..).zip(offsets) {
            let offset = offset.try_into().map_err(|_| Error::Offsets { at })?;
            if offset < last || offset > values.len() {
                return Err(Error::Offsets { at });
            }
            last = offset;
        }
        Ok(Column { values, offsets })
    }
}

impl<O> Sealed for Column<'_, O> {}
impl<O: Offset> Messages for Column<'_, O> {
    fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    fn message(&self, index: usize) -> &[u8] {
        let at = |i: usize| self.offsets[i].try_into().unwrap_or_default();
        &self.values[at(index)..at(index + 1)]
    }
}

/// Messages of one length, one after the other in one buffer.
///
/// ```
/// use hashmill::{Digest, Sha3_256, many};
///
/// let rows = many::Rows::new(b"onetwosix", 3)?;
/// let mut digests = [Digest::default(); 3];
/// many::hash::<Sha3_256>(&rows, &mut digests)?;
/// assert_eq!(digests[2], hashmill::sha3_256(b"six"));
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    values: &'a [u8],
    width: usize,
    count: usize,
}

impl<'a> Rows<'a> {
    /// Creates rows of `width` bytes.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if `values` is not a whole number of rows. A width of 0 is allowed only
    /// for empty `values`, and then there are no rows.
    pub fn new(values: &'a [u8], width: usize) -> Result<Self, Error> {
        let count = values.len().checked_div(width).unwrap_or(0);
        if values.len() != count * width {
            return Err(Error::RowWidth { given: values.len() as u64, width: width as u64 });
        }
        Ok(Rows { values, width, count })
    }
}

impl Sealed for Rows<'_> {}
impl Messages for Rows<'_> {
    fn count(&self) -> usize {
        self.count
    }
    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        &self.values[index * self.width..][..self.width]
    }
    fn gather<'a>(&'a self, first: usize, into: &mut [&'a [u8]]) {
        let mut rows = self.values[first * self.width..].chunks_exact(self.width.max(1));
        into.iter_mut().for_each(|message| *message = rows.next().unwrap_or_default());
    }
}

/// Messages that a function returns: see [`indexed`].
pub struct Indexed<'a, B: ?Sized, F> {
    count: usize,
    find: F,
    messages: PhantomData<&'a B>,
}

/// Creates `count` messages, of which `find(i)` returns message `i`. String views, dictionaries,
/// selections of rows, and columns with nulls can be hashed this way without a vector of slices.
///
/// `find` is called a few times for each message, with an index less than `count`.
///
/// ```
/// use hashmill::{Digest, Sha256, many};
///
/// let dictionary = ["Berlin", "Paris"];
/// let rows = [1, 1, 0];
/// let mut digests = [Digest::default(); 3];
/// many::hash::<Sha256>(&many::indexed(rows.len(), |i| dictionary[rows[i]]), &mut digests)?;
/// assert_eq!(digests[1], hashmill::sha256(b"Paris"));
/// # Ok::<(), hashmill::Error>(())
/// ```
pub fn indexed<'a, B: AsRef<[u8]> + ?Sized + 'a, F: Fn(usize) -> &'a B>(
    count: usize,
    find: F,
) -> Indexed<'a, B, F> {
    Indexed { count, find, messages: PhantomData }
}

impl<B: ?Sized, F> core::fmt::Debug for Indexed<'_, B, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Indexed").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<B: ?Sized, F> Sealed for Indexed<'_, B, F> {}
impl<'a, B: AsRef<[u8]> + ?Sized, F: Fn(usize) -> &'a B> Messages for Indexed<'a, B, F> {
    fn count(&self) -> usize {
        self.count
    }
    fn message(&self, index: usize) -> &[u8] {
        (self.find)(index).as_ref()
    }
}

/// The `count` messages of `all` from `start` on.
pub(crate) struct Part<'a, M: ?Sized> {
    pub all: &'a M,
    pub start: usize,
    pub count: usize,
}

impl<M: ?Sized> Sealed for Part<'_, M> {}
impl<M: Messages + ?Sized> Messages for Part<'_, M> {
    fn count(&self) -> usize {
        self.count
    }
    fn message(&self, index: usize) -> &[u8] {
        self.all.message(self.start + index)
    }
    fn gather<'a>(&'a self, first: usize, into: &mut [&'a [u8]]) {
        self.all.gather(self.start + first, into);
    }
}

/// The length of a batch's outputs: `len` bytes each, or if `any` is true (extendable-output
/// functions) the length of their place.
#[derive(Clone, Copy)]
pub struct OutputLen {
    pub(crate) len: usize,
    pub(crate) any: bool,
}

impl OutputLen {
    /// The next bytes of readers. A place that has no length of its own receives 32 bytes.
    pub(crate) const OF_READERS: Self = OutputLen { len: 32, any: true };

    /// # Errors
    /// [`Error::OutputLength`] if an output must not have `len` bytes.
    pub(crate) fn check(self, len: usize) -> Result<(), Error> {
        match self.allows(len) {
            true => Ok(()),
            false => Err(Error::output_len(len, self.len)),
        }
    }

    fn allows(self, len: usize) -> bool {
        self.any || len == self.len
    }

    /// Returns the length of each of `count` outputs that are packed into `bytes` bytes.
    fn packed(self, count: usize, bytes: usize) -> Result<usize, Error> {
        let len = if self.any { bytes.checked_div(count).unwrap_or(0) } else { self.len };
        match len.checked_mul(count) == Some(bytes) {
            true => Ok(len),
            false => Err(Error::output_len(bytes, self.len.saturating_mul(count))),
        }
    }
}

/// The places for the outputs of a batch.
///
/// The trait is implemented for slices, arrays and vectors of [`Digest`](crate::Digest) and
/// [`VarDigest`]; for slices, arrays and vectors of `u8` and for slices of `MaybeUninit<u8>`, which
/// take the outputs packed one after the other; and for [`RowsMut`], [`Hex`] and [`Ordered`]. It is
/// sealed: other crates cannot implement it.
///
/// A packed buffer must have the length of a digest for each message. For an extendable-output
/// function that length may be any, the same for all messages.
pub trait Outputs: Sealed {
    /// Returns the places for `count` outputs.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if the number of places or their length is wrong.
    #[doc(hidden)]
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error>;
}

impl<D: Bytes> Outputs for [D] {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        if self.len() != count {
            return Err(Error::output_len(self.len(), count));
        }
        let (fits, place) = match D::LEN {
            Some(known) => (len.allows(known), known),
            None => (len.len <= VarDigest::MAX_LEN, VarDigest::MAX_LEN),
        };
        if !fits {
            return Err(Error::output_len(place, len.len));
        }
        let (stride, len) = (size_of::<D>(), D::LEN.unwrap_or(len.len));
        // `Slots` writes only bytes and no lengths.
        self.iter_mut().for_each(|place| place.set_len(len));
        let (start, bytes) = (self.as_mut_ptr().cast(), count * stride);
        // SAFETY: both kinds of digest begin with their bytes and have no padding; `Slots` writes
        // those alone.
        let bytes = unsafe { core::slice::from_raw_parts_mut(start, bytes) };
        Ok(Slots { stride, ..Slots::packed(bytes, len) })
    }
}

impl Outputs for [u8] {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        let len = len.packed(count, self.len())?;
        Ok(Slots::packed(self, len))
    }
}

impl Outputs for [MaybeUninit<u8>] {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        let len = len.packed(count, self.len())?;
        Ok(Slots { form: Form::Uninit, ..Slots::over(self, len) })
    }
}

impl<T, const N: usize> Outputs for [T; N]
where
    [T]: Outputs,
{
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        self[..].slots(count, len)
    }
}

impl<O: Outputs + ?Sized> Sealed for &mut O {}
impl<O: Outputs + ?Sized> Outputs for &mut O {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        (**self).slots(count, len)
    }
}

#[cfg(feature = "alloc")]
impl<T> Outputs for alloc::vec::Vec<T>
where
    [T]: Outputs,
{
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        self[..].slots(count, len)
    }
}

/// A part of each row of a buffer. Output `i` is written to bytes `part` of row `i`, the other bytes
/// of the rows are left as they are. A digest that is longer than the part is cut off: only its first
/// bytes are written. So rows that are hashed again need no copies: the outputs of one batch are
/// fields of the next batch's messages.
///
/// ```
/// use hashmill::{Sha256, many};
///
/// // Rows of a number and the first 16 bytes of the digest.
/// let mut rows = *b"1, ................2, ................";
/// many::hash::<Sha256>(&["one", "two"], &mut many::RowsMut::new(&mut rows, 19, 3..19)?)?;
/// assert_eq!(rows[19..22], *b"2, ");
/// assert_eq!(rows[22..], hashmill::sha256(b"two")[..16]);
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Debug)]
pub struct RowsMut<'a> {
    values: &'a mut [u8],
    width: usize,
    part: Range<usize>,
}

impl<'a> RowsMut<'a> {
    /// Creates rows of `width` bytes, of which outputs fill the bytes `part`.
    ///
    /// # Errors
    /// - [`Error::RowWidth`] if `values` is not a whole number of rows.
    /// - [`Error::OutputLength`] if `part` does not lie in a row.
    pub fn new(values: &'a mut [u8], width: usize, part: Range<usize>) -> Result<Self, Error> {
        Rows::new(values, width)?;
        if part.start > part.end || part.end > width {
            return Err(Error::output_len(part.end, width));
        }
        Ok(RowsMut { values, width, part })
    }
}

impl Sealed for RowsMut<'_> {}
impl Outputs for RowsMut<'_> {
    /// # Errors
    /// [`Error::OutputLength`] if there is not one row for each message, or if the part of a row is
    /// longer than a digest.
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        let RowsMut { values, width, part } = self;
        let rows = values.len().checked_div(*width).unwrap_or(0);
        if rows != count {
            return Err(Error::output_len(rows, count));
        }
        if !len.any && part.len() > len.len {
            return Err(Error::output_len(part.len(), len.len));
        }
        Ok(Slots { stride: *width, at: part.start, ..Slots::packed(values, part.len()) })
    }
}

/// A buffer for packed outputs in lower-case hexadecimal: two bytes for each byte of an output.
///
/// ```
/// use hashmill::{Sha256, many};
///
/// let mut hex = [0; 2 * 64];
/// many::hash::<Sha256>(&["abc", ""], &mut many::Hex(&mut hex))?;
/// assert!(hex.starts_with(b"ba7816bf8f01cfea"));
/// # Ok::<(), hashmill::Error>(())
/// ```
#[derive(Debug)]
pub struct Hex<'a>(pub &'a mut [u8]);

impl Sealed for Hex<'_> {}
impl Outputs for Hex<'_> {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        let bytes = self.0.len();
        let len = if bytes.is_multiple_of(2) {
            len.packed(count, bytes / 2)
        } else {
            Err(Error::output_len(bytes, (2 * len.len).saturating_mul(count)))
        }?;
        Ok(Slots { stride: 2 * len, form: Form::Hex(write_digits), ..Slots::packed(self.0, len) })
    }
}

/// Outputs in another order: output `i` is written to place `order[i]` of `outputs`, which has `count`
/// places. A caller that sorts messages by their lengths, so that lanes have equally much to do, needs
/// no second buffer. Such a batch runs on one thread.
///
/// ```
/// use hashmill::{Digest, Sha256, many};
///
/// let mut digests = [Digest::default(); 3];
/// let mut places = many::Ordered { outputs: &mut digests, count: 3, order: &[2, 0] };
/// many::hash::<Sha256>(&["two", "zero"], &mut places)?;
/// assert_eq!(digests[2], hashmill::sha256(b"two"));
/// # Ok::<(), hashmill::Error>(())
/// ```
///
/// # Errors
/// [`Error::OutputLength`] if there is not one index for each message, or if an index is not less than
/// `count`. Nothing is written then.
///
/// # Panics
/// If `outputs` is itself `Ordered`.
#[derive(Debug)]
pub struct Ordered<'a, O: ?Sized> {
    /// The places.
    pub outputs: &'a mut O,
    /// The number of places.
    pub count: usize,
    /// The index of each output's place.
    pub order: &'a [usize],
}

impl<O: ?Sized> Sealed for Ordered<'_, O> {}
impl<O: Outputs + ?Sized> Outputs for Ordered<'_, O> {
    fn slots(&mut self, count: usize, len: OutputLen) -> Result<Slots<'_>, Error> {
        if self.order.len() != count {
            return Err(Error::output_len(self.order.len(), count));
        }
        if let Some(&last) = self.order.iter().max().filter(|&&last| last >= self.count) {
            return Err(Error::output_len(self.count, last.saturating_add(1)));
        }
        let slots = self.outputs.slots(self.count, len)?;
        assert!(slots.indexes == ALL, "outputs are ordered once");
        Ok(Slots { indexes: [Some(self.order), None, None], ..slots })
    }
}

/// The places for outputs, by index. This is a struct with a form and not a trait, so that the
/// lanes are compiled once and not once for each form.
pub struct Slots<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    /// Bytes from the start of one place to the next.
    stride: usize,
    /// Bytes from the start of a place to its output.
    at: usize,
    /// The length of an output in bytes.
    len: usize,
    form: Form,
    /// The indexes of the selected places, those of the last selection first. The lanes select messages
    /// of one number of blocks, KangarooTwelve its short or its long messages, and the caller an order.
    indexes: [Option<&'a [usize]>; 3],
}

/// No selection.
const ALL: [Option<&[usize]>; 3] = [None; 3];

#[derive(Clone, Copy)]
enum Form {
    /// Initialised bytes.
    Bytes,
    /// Bytes that must be initialised before they are written.
    Uninit,
    /// Hexadecimal, two bytes for each byte of the output. The function writes the digits; a program
    /// that never makes this form is linked without it.
    Hex(fn(&mut [u8])),
}

impl<'a> Slots<'a> {
    /// Returns the places for outputs of `len` bytes, one after the other.
    pub(crate) fn packed(bytes: &'a mut [u8], len: usize) -> Self {
        let (start, count) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the same bytes; `Slots` writes initialised ones only.
        Slots::over(unsafe { core::slice::from_raw_parts_mut(start, count) }, len)
    }

    fn over(bytes: &'a mut [MaybeUninit<u8>], len: usize) -> Self {
        Slots { bytes, stride: len, at: 0, len, form: Form::Bytes, indexes: ALL }
    }

    /// Returns the places for outputs of `len` bytes, each at the beginning of `stride` bytes, that
    /// have these `indexes`.
    pub(crate) fn strided(
        bytes: &'a mut [u8],
        [stride, len]: [usize; 2],
        indexes: &'a [usize],
    ) -> Self {
        Slots { stride, indexes: [Some(indexes), None, None], ..Slots::packed(bytes, len) }
    }

    /// Returns the places that have these `indexes`.
    pub(crate) fn select<'b>(&'b mut self, indexes: &'b [usize]) -> Slots<'b> {
        let [last, before, none] = self.indexes;
        debug_assert!(none.is_none(), "there are three selections at most");
        Slots { indexes: [Some(indexes), last, before], ..self.part(0) }
    }

    /// Returns the places from `start` on.
    pub(crate) fn part(&mut self, start: usize) -> Slots<'_> {
        let Slots { stride, at, len, form, mut indexes, .. } = *self;
        let mut skipped = 0;
        match &mut indexes[0] {
            Some(places) => *places = &places[start..],
            None => skipped = start * stride,
        }
        Slots { bytes: &mut self.bytes[skipped..], stride, at, len, form, indexes }
    }

    /// Whether the places can be split.
    #[cfg(feature = "rayon")]
    pub(crate) fn are_split(&self) -> bool {
        self.indexes == ALL
    }

    /// Returns the first `count` places and the others.
    #[cfg(feature = "rayon")]
    pub(crate) fn split_at(self, count: usize) -> (Slots<'a>, Slots<'a>) {
        debug_assert!(self.are_split(), "a selection is not split");
        let (first, others) = self.bytes.split_at_mut(count * self.stride);
        (
            Slots { bytes: first, ..Slots { bytes: &mut [], ..self } },
            Slots { bytes: others, ..self },
        )
    }

    /// Returns the length of an output in bytes.
    pub(crate) fn output_len(&self) -> usize {
        self.len
    }

    /// Returns the places of `count` outputs from `first` on and the distance between them, if they
    /// are in order and take the bytes as they are. The places begin with the first output, and the
    /// last may be shorter than that distance.
    #[inline]
    pub(crate) fn in_place(&mut self, first: usize, count: usize) -> Option<(&mut [u8], usize)> {
        if matches!(self.form, Form::Hex(_))
            || self.indexes != ALL
            || self.stride == 0
            || count == 0
        {
            return None;
        }
        let bytes = &mut self.bytes[first * self.stride..][..count * self.stride][self.at..];
        if matches!(self.form, Form::Uninit) {
            bytes.fill(MaybeUninit::new(0));
        }
        // SAFETY: they are initialised, or have just been, and bytes can only be kept so.
        Some((unsafe { assume_init(bytes) }, self.stride))
    }

    /// Calls `write` for `count` outputs from `first` on, with the number of the output from 0 and
    /// its place.
    #[inline]
    pub(crate) fn write_group(
        &mut self,
        first: usize,
        count: usize,
        write: impl Fn(usize, &mut [u8]),
    ) {
        let len = self.len;
        if let Some((bytes, stride)) = self.in_place(first, count) {
            for (i, place) in bytes.chunks_mut(stride).enumerate() {
                write(i, &mut place[..len]);
            }
        } else {
            (0..count).for_each(|i| self.write(first + i, |out| write(i, out)));
        }
    }

    /// Writes the first bytes of `count` rows of `width` bytes as the outputs from `first` on.
    #[inline(never)]
    pub(crate) fn write_rows(&mut self, first: usize, count: usize, rows: &[u8], width: usize) {
        let len = self.len;
        self.write_group(first, count, |i, out| copy_short(out, &rows[i * width..][..len]));
    }

    /// Calls `write` with the place of output `index`.
    #[inline]
    pub(crate) fn write(&mut self, index: usize, write: impl FnOnce(&mut [u8])) {
        let indexes = self.indexes.iter().flatten();
        let start = indexes.fold(index, |index, indexes| indexes[index]) * self.stride;
        write(self.place(start));
        if let Form::Hex(write_digits) = self.form {
            self.rewrite(start, write_digits);
        }
    }

    /// Calls `write_digits` with the place that begins at `start`. This is a separate function because
    /// `write` is compiled for each of its many callers.
    #[inline(never)]
    fn rewrite(&mut self, start: usize, write_digits: fn(&mut [u8])) {
        // SAFETY: in this form the bytes are initialised.
        write_digits(unsafe { assume_init(&mut self.bytes[start..][..2 * self.len]) });
    }

    /// Returns the place of the output that begins at `start`. In hexadecimal this is the second
    /// half of the digits.
    #[inline]
    fn place(&mut self, start: usize) -> &mut [u8] {
        let first =
            if matches!(self.form, Form::Hex(_)) { start + self.len } else { start + self.at };
        let place = &mut self.bytes[first..][..self.len];
        // Zeros first, because a stream writes only to initialised bytes.
        if matches!(self.form, Form::Uninit) {
            place.fill(MaybeUninit::new(0));
        }
        // SAFETY: they are initialised, or have just been.
        unsafe { assume_init(place) }
    }
}

/// Replaces an output, which is in the second half of its place, by its digits.
fn write_digits(place: &mut [u8]) {
    // The digits of a part end before the next part begins. Without a table, and with parts of a
    // fixed length, the compiler uses vector instructions.
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|n| n + if n < 10 { b'0' } else { b'a' - 10 });
    let (len, mut start) = (place.len() / 2, 0);
    while let Some(&part) = place[len + start..].first_chunk::<16>() {
        place[2 * start..][..32].copy_from_slice(part.map(digits).as_flattened());
        start += part.len();
    }
    for start in start..len {
        let pair = digits(place[len + start]);
        place[2 * start..][..2].copy_from_slice(&pair);
    }
}

/// # Safety
/// The bytes must be initialised.
unsafe fn assume_init(bytes: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    let (start, count) = (bytes.as_mut_ptr().cast(), bytes.len());
    // SAFETY: the caller says so; the layouts are the same.
    unsafe { core::slice::from_raw_parts_mut(start, count) }
}
