//! Checks of arrays that come from outside. The library that passes an array may have read it from a
//! damaged file without checking its values.
//!
//! Arrow's C data interface passes pointers without the lengths of most buffers, so two things
//! cannot be checked here: the pointers themselves, and that a buffer is as long as the array's
//! length and last offset say. `hashmill.arrow` asks pyarrow to check the latter.

use crate::trouble::Trouble;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::{ArrayRef, ArrowPrimitiveType, OffsetSizeTrait, downcast_integer, make_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::{ArrayData, ByteView, layout};
use arrow_schema::{DataType, ffi::FFI_ArrowSchema};
use std::ffi::{CStr, c_char, c_void};

/// The largest number of bytes of a buffer. No machine has as much memory, and sums and products of
/// smaller numbers do not overflow.
const MOST: usize = 1 << 47;

fn damaged(kind: &DataType, what: impl std::fmt::Display) -> Trouble {
    Trouble::Value(format!("the column of {kind} is damaged: {what}"))
}

/// Checks the texts and the numbers of children of a schema.
pub fn schema(given: &FFI_ArrowSchema) -> Result<(), Trouble> {
    let texts = std::ptr::from_ref(given).cast::<[*const c_char; 2]>();
    // SAFETY: the struct begins with the format and the name, which may be absent.
    let [format, name] = unsafe { texts.read() };
    if format.is_null() {
        return Err(Trouble::Value("a column has no type".into()));
    }
    for text in [format, name].into_iter().filter(|text| !text.is_null()) {
        // SAFETY: the producer's texts end with a zero byte.
        if unsafe { CStr::from_ptr(text) }.to_str().is_err() {
            return Err(Trouble::Value("the name of a column is not UTF-8".into()));
        }
    }
    let children = match given.format() {
        "+r" => 2,
        format if format.starts_with("+s") || format.starts_with("+u") => 0,
        format => usize::from(format.starts_with('+')),
    };
    if given.children().count() < children {
        return Err(Trouble::Value("a column of lists has no type of its values".into()));
    }
    given.children().chain(given.dictionary()).try_for_each(schema)
}

/// Returns the array, if its structure is that of its type.
pub fn import(mut array: FFI_ArrowArray, kind: DataType) -> Result<ArrayData, Trouble> {
    structure(&array, &kind)?;
    without_buffers_of_nulls(&mut array, &kind);
    // SAFETY: the producer states the array's type; `structure` has checked what can be checked.
    Ok(unsafe { from_ffi_and_data_type(array, kind) }?)
}

/// The first fields of `FFI_ArrowArray`, as Arrow's C data interface lays them out.
#[repr(C)]
struct Fields {
    /// The length, the number of nulls, the offset, and the numbers of buffers and of children.
    _numbers: [i64; 5],
    _buffers: *mut *const c_void,
    children: *mut *mut FFI_ArrowArray,
    dictionary: *mut FFI_ArrowArray,
}

/// Replaces the arrays of type Null within the array by arrays without buffers. polars gives them a
/// buffer, which they do not have in Arrow and which the crate arrow does not import.
fn without_buffers_of_nulls(array: &mut FFI_ArrowArray, kind: &DataType) {
    if *kind == DataType::Null && array.num_buffers() > 0 {
        *array = FFI_ArrowArray::new(&ArrayData::new_null(kind, array.len()));
        return;
    }
    // SAFETY: the struct begins with these fields.
    let fields = unsafe { &*std::ptr::from_mut(array).cast::<Fields>() };
    // SAFETY: `structure` has checked that the children are there. They belong to the array, and a
    // consumer may release a child or put another in its place.
    let child = |i: usize| unsafe { &mut **fields.children.add(i) };
    for (i, kind) in children(kind).into_iter().enumerate() {
        without_buffers_of_nulls(child(i), kind);
    }
    if let DataType::Dictionary(_, values) = kind
        && !fields.dictionary.is_null()
    {
        // SAFETY: as for the children.
        without_buffers_of_nulls(unsafe { &mut *fields.dictionary }, values);
    }
}

/// Returns the types of the children of arrays of a type.
fn children(kind: &DataType) -> Vec<&DataType> {
    match kind {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => vec![],
    }
}

/// Checks that the array has the buffers and children of its type, and that the lengths that are
/// computed from its numbers are possible.
fn structure(array: &FFI_ArrowArray, kind: &DataType) -> Result<(), Trouble> {
    let wrong = |what: &str| Err(damaged(kind, what));
    let end = array.len().saturating_add(array.offset());
    let width = match kind {
        DataType::FixedSizeBinary(width) | DataType::FixedSizeList(_, width) => {
            usize::try_from(*width).map_err(|_| damaged(kind, "its width is negative"))?
        }
        _ => 32,
    };
    if array.len().max(array.offset()).max(end).saturating_mul(width.max(1)) > MOST {
        return wrong("its length is impossible");
    }
    let shape = layout(kind);
    let first = usize::from(shape.can_contain_null_mask);
    let buffers = first + shape.buffers.len() + usize::from(shape.variadic);
    if !(buffers..=MOST).contains(&array.num_buffers()) {
        return wrong("buffers are missing");
    }
    match kind {
        DataType::Utf8 | DataType::Binary | DataType::List(_) | DataType::Map(..) => {
            last_offset::<i32>(array, kind, end)?;
        }
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_) => {
            last_offset::<i64>(array, kind, end)?;
        }
        DataType::Utf8View | DataType::BinaryView => {
            let count = array.num_buffers() - 3;
            let lengths = array.buffer(array.num_buffers() - 1).cast::<i64>();
            if count > 0 && lengths.is_null() {
                return wrong("the lengths of its buffers are missing");
            }
            for i in 0..count {
                // SAFETY: the last buffer has a length for each buffer of data.
                let length = unsafe { lengths.add(i).read_unaligned() };
                if !(0..=MOST as i64).contains(&length) {
                    return wrong("the length of a buffer is impossible");
                }
            }
        }
        _ => {}
    }
    let children = children(kind);
    if array.num_children() != children.len() {
        return wrong("it has another number of children than its type");
    }
    for (i, child) in children.into_iter().enumerate() {
        structure(array.child(i), child)?;
        if matches!(kind, DataType::Struct(_)) && array.child(i).len() < end {
            return wrong("a child is shorter than it");
        }
    }
    match (kind, array.dictionary()) {
        (DataType::Dictionary(_, values), Some(dictionary)) => structure(dictionary, values),
        _ => Ok(()),
    }
}

/// Checks the offset that is the length of the values.
fn last_offset<O: OffsetSizeTrait>(
    array: &FFI_ArrowArray,
    kind: &DataType,
    end: usize,
) -> Result<(), Trouble> {
    let offsets = array.buffer(1).cast::<O>();
    if end == 0 {
        return Ok(());
    }
    if offsets.is_null() {
        return Err(damaged(kind, "its offsets are missing"));
    }
    // SAFETY: there is one offset more than there are values.
    let last = unsafe { offsets.add(end).read_unaligned() };
    match last.to_usize().is_some_and(|last| last <= MOST) {
        true => Ok(()),
        false => Err(damaged(kind, "its last offset is impossible")),
    }
}

/// Checks the values of a column and returns it as an array. A column of unions, of runs or of views
/// of lists is a `TypeError`.
pub fn array_of(data: &ArrayData) -> Result<ArrayRef, Trouble> {
    values(data)?;
    Ok(make_array(data.clone()))
}

fn values(data: &ArrayData) -> Result<(), Trouble> {
    let kind = data.data_type();
    if let Some(nulls) = data.nulls()
        && nulls.null_count() != nulls.len() - nulls.inner().count_set_bits()
    {
        return Err(damaged(kind, "it has another number of nulls than it says"));
    }
    match kind {
        DataType::Utf8 => offsets::<i32>(data, true),
        DataType::LargeUtf8 => offsets::<i64>(data, true),
        DataType::Binary => offsets::<i32>(data, false),
        DataType::LargeBinary => offsets::<i64>(data, false),
        DataType::Utf8View => views(data, true),
        DataType::BinaryView => views(data, false),
        DataType::Dictionary(keys, _) => {
            let [dictionary] = data.child_data() else {
                return Err(damaged(kind, "its dictionary is missing"));
            };
            values(dictionary)?;
            macro_rules! of_keys {
                ($Key:ty) => {
                    indices::<<$Key as ArrowPrimitiveType>::Native>(data, dictionary.len())
                };
            }
            downcast_integer! {
                **keys => (of_keys),
                _ => Err(damaged(kind, "its indices are not integers")),
            }
        }
        DataType::Struct(_) => {
            let (begin, count) = (data.offset(), data.len());
            data.child_data().iter().try_for_each(|child| values(&child.slice(begin, count)))
        }
        DataType::List(_) => lists::<i32>(data),
        DataType::LargeList(_) => lists::<i64>(data),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => lists::<i32>(data),
            _ => Err(damaged(kind, "its entries are not keys and values")),
        },
        DataType::FixedSizeList(_, width) => {
            let (child, width) = (&data.child_data()[0], *width as usize);
            let (begin, count) = (data.offset() * width, data.len() * width);
            match begin + count <= child.len() {
                true => values(&child.slice(begin, count)),
                false => Err(damaged(kind, "its values are missing")),
            }
        }
        kind if kind.is_nested() => Err(Trouble::Type(format!(
            "a column of {kind} cannot be hashed: cast it to a string or a list"
        ))),
        _ => Ok(()),
    }
}

/// Checks that offsets ascend and that text is UTF-8. The bytes under a null may be anything.
fn offsets<O: OffsetSizeTrait>(data: &ArrayData, text: bool) -> Result<(), Trouble> {
    if data.is_empty() {
        return Ok(());
    }
    let kind = data.data_type();
    let offsets = &data.buffers()[0].typed_data::<O>()[data.offset()..][..=data.len()];
    let bytes = data.buffers()[1].as_slice();
    if offsets[0] < O::zero() || offsets.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err(damaged(kind, "its offsets do not ascend"));
    }
    let (first, last) = (offsets[0].as_usize(), offsets[data.len()].as_usize());
    let Some(all) = bytes.get(first..last) else {
        return Err(damaged(kind, "its offsets are beyond its values"));
    };
    if !text || all.is_ascii() {
        return Ok(());
    }
    for (i, pair) in offsets.windows(2).enumerate() {
        let value = &bytes[pair[0].as_usize()..pair[1].as_usize()];
        if data.is_valid(i) && std::str::from_utf8(value).is_err() {
            return Err(not_text(kind, i));
        }
    }
    Ok(())
}

/// Checks the values of a column of lists.
fn lists<O: OffsetSizeTrait>(data: &ArrayData) -> Result<(), Trouble> {
    if data.is_empty() {
        return Ok(());
    }
    let (kind, child) = (data.data_type(), &data.child_data()[0]);
    let offsets = &data.buffers()[0].typed_data::<O>()[data.offset()..][..=data.len()];
    if offsets[0] < O::zero() || offsets.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err(damaged(kind, "its offsets do not ascend"));
    }
    let (first, last) = (offsets[0].as_usize(), offsets[data.len()].as_usize());
    match last <= child.len() {
        true => values(&child.slice(first, last - first)),
        false => Err(damaged(kind, "its offsets are beyond its values")),
    }
}

fn not_text(kind: &DataType, row: usize) -> Trouble {
    damaged(
        kind,
        format_args!("value {row} is not UTF-8; if it is meant, cast the column to binary"),
    )
}

/// Checks that views are within the buffers and that text is UTF-8.
fn views(data: &ArrayData, text: bool) -> Result<(), Trouble> {
    let kind = data.data_type();
    let [views, buffers @ ..] = data.buffers() else {
        return Err(damaged(kind, "its views are missing"));
    };
    let views = views.as_slice().chunks_exact(16).skip(data.offset()).take(data.len());
    for (i, raw) in views.enumerate() {
        if data.is_null(i) {
            continue;
        }
        let view = ByteView::from(u128::from_le_bytes(raw.try_into().expect("16 bytes")));
        let length = view.length as usize;
        let value = match length {
            0..=12 => Some(&raw[4..][..length]),
            _ => buffers
                .get(view.buffer_index as usize)
                .and_then(|buffer| buffer.get(view.offset as usize..))
                .and_then(|buffer| buffer.get(..length))
                .filter(|value| value[..4] == view.prefix.to_le_bytes()),
        };
        match value {
            None => return Err(damaged(kind, format_args!("view {i} is not of its values"))),
            Some(value) if text && std::str::from_utf8(value).is_err() => {
                return Err(not_text(kind, i));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Checks that the indices are those of values of the dictionary.
fn indices<K: ArrowNativeType>(data: &ArrayData, count: usize) -> Result<(), Trouble> {
    let keys = &data.buffers()[0].typed_data::<K>()[data.offset()..][..data.len()];
    let within = |key: &K| key.to_usize().is_some_and(|key| key < count);
    match keys.iter().enumerate().find(|(i, key)| !within(key) && data.is_valid(*i)) {
        None => Ok(()),
        Some((i, _)) => {
            let place = format_args!("position {i} is outside of the dictionary of {count} values");
            Err(damaged(data.data_type(), format_args!("its index at {place}")))
        }
    }
}
