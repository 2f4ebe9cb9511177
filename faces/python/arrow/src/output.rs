//! The digests of a column or of rows, chunk by chunk, as an array.

use crate::check::array_of;
use crate::function::Form;
use crate::rows::{self, Profile};
use crate::trouble::Trouble;
use arrow_array::array::AnyDictionaryArray;
use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    BinaryType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type, Utf8Type,
};
use arrow_array::{
    Array, ArrayRef, FixedSizeBinaryArray, GenericByteViewArray, LargeStringArray, StringArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::{ArrayData, ByteView};
use arrow_schema::DataType;
use hashmill::AnyHasher;
use hashmill::many::{Column, Messages, Offset, indexed};
use std::sync::Arc;

/// Returns an array of fixed_size_binary.
pub fn fixed_size(
    bytes: Buffer,
    width: usize,
    nulls: Option<NullBuffer>,
    count: usize,
) -> Result<ArrayRef, Trouble> {
    let width =
        i32::try_from(width).map_err(|_| Trouble::Value("Arrow's widths have 31 bits".into()))?;
    Ok(Arc::new(FixedSizeBinaryArray::try_new_with_len(width, bytes, nulls, count)?))
}

/// The digests computed so far.
pub struct Output<'a> {
    function: &'a AnyHasher,
    form: &'a Form,
    bytes: Vec<u8>,
    /// Which digests are not null. It is allocated at the first null.
    valid: Option<BooleanBufferBuilder>,
    count: usize,
}

impl<'a> Output<'a> {
    pub fn new(function: &'a AnyHasher, form: &'a Form) -> Self {
        Output { function, form, bytes: Vec::new(), valid: None, count: 0 }
    }

    /// Returns whether a digest is null.
    pub fn has_nulls(&self) -> bool {
        self.valid.is_some()
    }

    /// Hashes a chunk of `count` values. Value `i` is `value(i)`. `all`, if given, contains all of
    /// them, and is used instead if none is null.
    pub fn chunk<'v>(
        &mut self,
        nulls: Option<&NullBuffer>,
        count: usize,
        value: impl Fn(usize) -> &'v [u8],
        all: Option<&(dyn Messages + Sync)>,
    ) -> Result<(), Trouble> {
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let place = self.form.grow(count, &mut self.bytes)?;
        let lengths = || (0..count.min(ENOUGH)).map(|i| value(i).len());
        let differ = || lengths().zip(lengths().skip(1)).any(|(one, next)| one != next);
        // Values of different lengths are looked up, to be sorted by their lengths.
        let all = all.filter(|_| self.form.threads.is_some() || nulls.is_some() || !differ());
        match (nulls, all) {
            (None, Some(all)) => self.form.hash(self.function, all, place)?,
            (None, None) => found(self.form, self.function, count, value, place)?,
            (Some(nulls), _) => {
                // The bytes of a null value are not read, and its digest is filled with zeros.
                let value = |i| if nulls.is_valid(i) { value(i) } else { &[][..] };
                found(self.form, self.function, count, value, place)?;
                let (width, blank) = (self.form.width(), if self.form.hex { b'0' } else { 0 });
                for i in (0..count).filter(|&i| nulls.is_null(i)) {
                    place[i * width..][..width].fill(blank);
                }
            }
        }
        self.note(nulls, count);
        Ok(())
    }

    /// Records which of the next `count` digests are null.
    fn note(&mut self, nulls: Option<&NullBuffer>, count: usize) {
        if nulls.is_some() && self.valid.is_none() {
            let mut valid = BooleanBufferBuilder::new(self.count + count);
            valid.append_n(self.count, true);
            self.valid = Some(valid);
        }
        if let Some(valid) = &mut self.valid {
            match nulls {
                Some(nulls) => valid.append_buffer(nulls.inner()),
                None => valid.append_n(count, true),
            }
        }
        self.count += count;
    }

    /// Checks a chunk of text or binary values and hashes it.
    pub fn values(&mut self, data: &ArrayData) -> Result<(), Trouble> {
        self.array(&array_of(data)?)
    }

    /// Like [`Output::values`]. A table, or the result of a query, is hashed if it has one column.
    pub fn column(&mut self, data: &ArrayData) -> Result<(), Trouble> {
        let DataType::Struct(fields) = data.data_type() else {
            return self.values(data);
        };
        match &*rows::columns_of(data)? {
            [column] => self.values(column),
            columns => Err(Trouble::Type(match columns.len() {
                // A column of structs, or a table: both come as structs.
                0 => "the table has no column".into(),
                count => format!(
                    "there are {count} columns ({}), and one is hashed: choose one, or call hash_rows",
                    fields.iter().map(|it| it.name().as_str()).collect::<Vec<_>>().join(", ")
                ),
            })),
        }
    }

    /// Checks a chunk of a table and hashes its rows; see [`rows::each_part`].
    pub fn rows(
        &mut self,
        table: &ArrayData,
        columns: Option<&[String]>,
        profile: &Profile,
    ) -> Result<(), Trouble> {
        rows::each_part(table, columns, profile, |rows| {
            self.chunk(None, rows.count(), |i| rows.message(i), Some(rows))
        })
    }

    /// Hashes a chunk of any type whose values are byte strings or text.
    fn array(&mut self, array: &dyn Array) -> Result<(), Trouble> {
        let (nulls, count) = (array.nulls(), array.len());
        match array.data_type() {
            DataType::Utf8 => self.bytes::<Utf8Type>(array),
            DataType::LargeUtf8 => self.bytes::<LargeUtf8Type>(array),
            DataType::Binary => self.bytes::<BinaryType>(array),
            DataType::LargeBinary => self.bytes::<LargeBinaryType>(array),
            DataType::Utf8View => {
                let it = array.as_string_view();
                self.chunk(nulls, count, |i| it.value(i).as_bytes(), None)
            }
            DataType::BinaryView => {
                let it = array.as_binary_view();
                self.chunk(nulls, count, |i| it.value(i), None)
            }
            DataType::FixedSizeBinary(_) => {
                let it = array.as_fixed_size_binary();
                self.chunk(nulls, count, |i| it.value(i), None)
            }
            DataType::Dictionary(..) => self.dictionary(array.as_any_dictionary()),
            DataType::Null => {
                let nulls = NullBuffer::new_null(count);
                self.chunk(Some(&nulls), count, |_| &[], None)
            }
            other => Err(Trouble::Type(format!(
                "a column of {other} has no bytes that define its hash: cast it to a string or to binary, or \
                 call hash_rows, which defines them"
            ))),
        }
    }

    fn bytes<T: ByteArrayType<Offset: Offset>>(
        &mut self,
        array: &dyn Array,
    ) -> Result<(), Trouble> {
        let it = array.as_bytes::<T>();
        let all = Column::new(it.value_data(), it.value_offsets())?;
        self.chunk(it.nulls(), it.len(), |i| it.value(i).as_ref(), Some(&all))
    }

    /// Hashes a chunk of a dictionary type. Each value of the dictionary is hashed once.
    fn dictionary(&mut self, array: &dyn AnyDictionaryArray) -> Result<(), Trouble> {
        let (values, count) = (array.values(), array.len());
        let mut hashed = Output::new(self.function, self.form);
        hashed.array(values)?;
        let keys = if values.is_empty() { vec![] } else { array.normalized_keys() };
        let width = self.form.width();
        let blank = vec![if self.form.hex { b'0' } else { 0 }; width];
        let place = self.form.grow(count, &mut self.bytes)?;
        let mut valid = BooleanBufferBuilder::new(count);
        for (i, digest) in place.chunks_exact_mut(width).enumerate() {
            let key = keys.get(i).filter(|&&key| array.is_valid(i) && values.is_valid(key));
            valid.append(key.is_some());
            digest.copy_from_slice(match key {
                Some(key) => &hashed.bytes[key * width..][..width],
                None => &blank,
            });
        }
        let nulls = NullBuffer::new(valid.finish());
        self.note(Some(&nulls).filter(|nulls| nulls.null_count() > 0), count);
        Ok(())
    }

    /// Returns the digests as an array of fixed_size_binary or, in hexadecimal, of strings.
    pub fn finish(self) -> Result<ArrayRef, Trouble> {
        let nulls = self.valid.map(|mut valid| NullBuffer::new(valid.finish()));
        let (bytes, width) = (Buffer::from_vec(self.bytes), self.form.width());
        if !self.form.hex {
            return fixed_size(bytes, width, nulls, self.count);
        }
        // The offsets have 32 bits if that is enough for the last one.
        // SAFETY: hexadecimal digits are UTF-8, and the offsets are within them.
        Ok(match i32::try_from(bytes.len()) {
            Ok(_) => {
                let offsets = OffsetBuffer::from_repeated_length(width, self.count);
                Arc::new(unsafe { StringArray::new_unchecked(offsets, bytes, nulls) })
            }
            Err(_) => {
                let offsets = OffsetBuffer::from_repeated_length(width, self.count);
                Arc::new(unsafe { LargeStringArray::new_unchecked(offsets, bytes, nulls) })
            }
        })
    }

    /// Returns the digests as an array of views, `StringViewType` in hexadecimal and otherwise
    /// `BinaryViewType`.
    pub fn finish_views<V: ByteViewType>(self) -> ArrayRef {
        // Views have offsets of 31 bits, so the digests are split into buffers of at most 1 GiB.
        let width = self.form.width();
        let part = ((1 << 30) / width).max(1);
        let views = self
            .bytes
            .chunks_exact(width)
            .enumerate()
            .map(|(i, digest)| view(digest, (i / part) as u32, (i % part * width) as u32));
        let views: ScalarBuffer<u128> = views.collect();
        let nulls = self.valid.map(|mut valid| NullBuffer::new(valid.finish()));
        let bytes = Buffer::from_vec(self.bytes);
        let parts = (0..bytes.len()).step_by(part * width);
        let buffers: Arc<[Buffer]> = parts
            .map(|begin| bytes.slice_with_length(begin, (part * width).min(bytes.len() - begin)))
            .collect();
        // SAFETY: the views are those of the buffers, and hexadecimal digits are UTF-8.
        Arc::new(unsafe { GenericByteViewArray::<V>::new_unchecked(views, buffers, nulls) })
    }
}

/// Returns the view of a value. [`make_view`] is never inlined, and took 4 % of the time of a query in
/// DataFusion.
#[inline]
fn view(value: &[u8], buffer: u32, offset: u32) -> u128 {
    match value {
        &[a, b, c, d, _, _, _, _, _, _, _, _, _, ..] => {
            let view = ByteView::new(value.len() as u32, &[a, b, c, d]);
            view.with_buffer_index(buffer).with_offset(offset).as_u128()
        }
        short => make_view(short, buffer, offset),
    }
}

/// The number of messages of one length from which these are hashed by themselves.
const ENOUGH: usize = 16;

/// Hashes the values `0..count`. It looks up each value once, because the library reads a message
/// several times.
fn found<'v>(
    form: &Form,
    function: &AnyHasher,
    count: usize,
    value: impl Fn(usize) -> &'v [u8],
    place: &mut [u8],
) -> Result<(), Trouble> {
    // A part has 512 KiB of slices, which stay in the L2 cache.
    const PART: usize = 1 << 15;
    let mut slices = Vec::with_capacity(count.min(PART));
    for (part, place) in place.chunks_mut(PART * form.width()).enumerate() {
        let begin = part * PART;
        slices.clear();
        slices.extend((begin..count.min(begin + PART)).map(&value));
        match form.threads {
            None if slices.len() > ENOUGH => by_length(form, function, &slices, place)?,
            _ => form.hash(function, &slices, place)?,
        }
    }
    Ok(())
}

/// Hashes messages on one thread, sorted by their lengths.
///
/// In the lanes of a vector, messages of one length need no tails and no jobs of their own. So every
/// length that [`ENOUGH`] messages have is hashed by itself, and all other messages together, in
/// the order of their lengths. On Zen 5, SHA-256 of a column of 8 to 47 bytes takes 22 ns a value, and
/// of a column of lognormal lengths with a median of 100 bytes 55 ns.
fn by_length(
    form: &Form,
    function: &AnyHasher,
    slices: &[&[u8]],
    place: &mut [u8],
) -> Result<(), Trouble> {
    const LONGEST: usize = 2048;
    let class = |message: &[u8]| message.len().min(LONGEST);
    let mut counts = vec![0; LONGEST + 1];
    slices.iter().for_each(|message| counts[class(message)] += 1);
    if counts[class(slices[0])] == slices.len() {
        return Ok(form.hash(function, &slices, place)?);
    }
    // The place of each length's next message: first the lengths that are hashed by themselves.
    let is_own = |length: usize| length < LONGEST && counts[length] >= ENOUGH;
    let (own, others): (Vec<usize>, Vec<usize>) = (0..=LONGEST).partition(|&length| is_own(length));
    let (mut places, mut end) = (vec![0; LONGEST + 1], 0);
    for length in own.iter().chain(&others).copied() {
        places[length] = end;
        end += counts[length];
    }
    let own: usize = own.iter().map(|&length| counts[length]).sum();
    let mut order = vec![0; slices.len()];
    for (i, message) in slices.iter().enumerate() {
        let next = &mut places[class(message)];
        order[*next] = i;
        *next += 1;
    }
    // Without a sorted vector, whose new pages would take 20 ns a value.
    let sorted = |i: usize| slices[order[i]];
    let mut begin = 0;
    while begin < order.len() {
        let end = if begin < own { begin + counts[sorted(begin).len()] } else { order.len() };
        let messages = indexed(end - begin, |i| sorted(begin + i));
        let places = (order.len(), &order[begin..end]);
        form.hash_ordered(function, &messages, place, places)?;
        begin = end;
    }
    Ok(())
}
