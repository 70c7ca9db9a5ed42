//! Dates as numbers: how long after the beginning of 1970, in universal time.

use crate::error::Problem;
use crate::number;
use crate::recipe::DateUnit;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{ArrowPrimitiveType, types::ArrowTimestampType};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use linkshift::Real;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// Dates with a time of day and no zone, which is then taken to be universal time.
const FORMS: [&str; 4] =
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];

/// The same with a zone.
const ZONED: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z"];

/// A date as ISO 8601 writes it, with or without a time of day and a zone, as a number.
pub(crate) fn parse(text: &str, unit: DateUnit) -> Option<f64> {
    let text = text.trim();
    let seconds = |moment: NaiveDateTime| {
        let moment = moment.and_utc();
        moment.timestamp() as f64 + f64::from(moment.timestamp_subsec_nanos()) * 1e-9
    };
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let plain = || FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    let zoned = || {
        let find = |form: &&str| DateTime::parse_from_str(text, form).ok();
        ZONED.iter().find_map(find).map(|moment| moment.naive_utc())
    };
    let moment = day().or_else(plain).or_else(zoned)?;
    Some(seconds(moment) / unit.seconds())
}

/// Whether a column of this type holds dates.
pub(crate) fn is_date(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// Converts a column of dates, NaN where there is none; an error comes with its row in the batch.
pub(crate) fn fill<'a, T: Real>(
    array: &dyn Array,
    unit: DateUnit,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)> {
    let unit = unit.seconds();
    match array.data_type() {
        DataType::Date32 => fill_from::<Date32Type, T>(array, SECONDS_PER_DAY / unit, target),
        DataType::Date64 => fill_from::<Date64Type, T>(array, 1e-3 / unit, target),
        DataType::Timestamp(TimeUnit::Second, _) => {
            fill_stamps::<TimestampSecondType, T>(array, 1.0 / unit, target)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            fill_stamps::<TimestampMillisecondType, T>(array, 1e-3 / unit, target)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            fill_stamps::<TimestampMicrosecondType, T>(array, 1e-6 / unit, target)
        }
        _ => fill_stamps::<TimestampNanosecondType, T>(array, 1e-9 / unit, target),
    }
}

fn fill_stamps<'a, P: ArrowTimestampType, T: Real>(
    array: &dyn Array,
    factor: f64,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)> {
    fill_from::<P, T>(array, factor, target)
}

fn fill_from<'a, P, T: Real>(
    array: &dyn Array,
    factor: f64,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)>
where
    P: ArrowPrimitiveType<Native: num_traits::ToPrimitive>,
{
    let numbers = array.as_primitive::<P>();
    for (row, (number, target)) in numbers.values().iter().zip(target).enumerate() {
        let value = num_traits::ToPrimitive::to_f64(number).unwrap_or(f64::NAN) * factor;
        *target = match numbers.is_null(row) {
            true => T::nan(),
            false => number::convert(value).map_err(|problem| (row, problem))?,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_since_1970() {
        let days = |text: &str| parse(text, DateUnit::Days);
        assert_eq!(days("1970-01-01"), Some(0.0));
        // 30 years of 365 days, and the 29 Februaries of 1972, …, 1996.
        assert_eq!(days("2000-01-01"), Some(30.0 * 365.0 + 7.0));
        assert_eq!(days("1970-01-02T12:00"), Some(1.5));
        assert_eq!(days("1970-01-02 12:00:00.000"), Some(1.5));
        // Noon in Rome was eleven o'clock in universal time.
        assert_eq!(parse("1970-01-01T12:00:00+01:00", DateUnit::Seconds), Some(11.0 * 3600.0));
        assert_eq!(parse("1970-01-01T00:00:01Z", DateUnit::Seconds), Some(1.0));
        assert_eq!(parse("1969-12-31", DateUnit::Days), Some(-1.0));
        for text in ["12", "2000-13-01", "2000-02-30", "soon", "", "01/02/2000"] {
            assert_eq!(days(text), None, "{text}");
        }
    }
}
