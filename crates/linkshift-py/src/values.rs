//! Parameters and facts of the core as Python's values, and back.

use crate::arrays::{Number, rows};
use linkshift::Link;
use linkshift::auto::Suspect;
use linkshift::model::{Detail, Fact};
use linkshift::params::{Named, Value};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyFloat, PyString};

/// What a person set; `None` and `"auto"` leave it to the method.
pub(crate) fn from_python(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Auto);
    }
    if let Ok(word) = value.cast::<PyString>() {
        let word = word.to_cow()?;
        return Ok(if word == "auto" { Value::Auto } else { Value::Word(word.into_owned()) });
    }
    // NumPy's own flags and numbers are understood, too; a flag would also be a number.
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(Value::Flag(flag));
    }
    if !value.is_instance_of::<PyFloat>()
        && let Ok(count) = value.extract::<u64>()
    {
        return Ok(Value::Count(count));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Value::Number(number));
    }
    value.extract().map(Value::List).map_err(|_| {
        let shown = value.repr().map_or_else(|_| "it".into(), |shown| shown.to_string());
        let must = "a number, a word, True, False, None or a list of numbers";
        PyValueError::new_err(format!("{key} = {shown} cannot work: it must be {must}"))
    })
}

/// As an estimator has it.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Auto => Ok(py.None().into_bound(py)),
        Value::Flag(flag) => Ok(flag.into_pyobject(py)?.to_owned().into_any()),
        Value::Count(count) => Ok(count.into_pyobject(py)?.into_any()),
        Value::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
        Value::Word(word) => Ok(word.into_pyobject(py)?.into_any()),
        Value::List(numbers) => Ok(numbers.into_pyobject(py)?.into_any()),
    }
}

/// A link that is probably wrong, by the words of the command line's JSON.
fn suspect<'py>(py: Python<'py>, suspect: &Suspect) -> PyResult<Bound<'py, PyDict>> {
    let ends = |link: &Link| (link.a, link.b, link.kind.name());
    let told = PyDict::new(py);
    told.set_item("position", suspect.position)?;
    told.set_item("link", ends(&suspect.link))?;
    told.set_item("likely", suspect.likely().name())?;
    told.set_item("right", suspect.right)?;
    told.set_item("reason", suspect.reason.name())?;
    told.set_item("chain", suspect.chain.iter().map(ends).collect::<Vec<_>>())?;
    Ok(told)
}

/// What only some methods have to say, by name.
pub(crate) fn details<'py, T: Number>(
    py: Python<'py>,
    details: &[Detail<T>],
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for Detail { name, fact, .. } in details {
        match fact {
            Fact::None => all.set_item(name, py.None())?,
            Fact::Count(count) => all.set_item(name, count)?,
            Fact::Number(number) => all.set_item(name, number)?,
            Fact::Word(word) => all.set_item(name, word)?,
            Fact::Numbers(numbers) => all.set_item(name, PyArray1::from_slice(py, numbers))?,
            Fact::Named(numbers) => {
                // A number that is not known is None, which equals itself.
                let known = |&(key, number): &(_, f64)| (key, (!number.is_nan()).then_some(number));
                all.set_item(name, numbers.iter().map(known).into_py_dict(py)?)?;
            }
            Fact::Labels(labels) => all.set_item(name, PyArray1::from_slice(py, labels))?,
            Fact::Rows(found) => {
                let found: Vec<i64> = found.iter().map(|&row| row as i64).collect();
                all.set_item(name, PyArray1::from_vec(py, found))?;
            }
            Fact::Clusters(found) => {
                let found: Vec<i64> = found.iter().map(|&cluster| cluster as i64).collect();
                all.set_item(name, PyArray1::from_vec(py, found))?;
            }
            Fact::Suspects(suspects) => {
                let told =
                    suspects.iter().map(|it| suspect(py, it)).collect::<PyResult<Vec<_>>>()?;
                all.set_item(name, told)?;
            }
            Fact::Array(values, shape) => {
                all.set_item(name, PyArray1::from_slice(py, values).reshape(&shape[..])?)?;
            }
            Fact::Places(places) => all.set_item(name, rows(py, places)?)?,
            // One that this door does not know yet.
            _ => {}
        }
    }
    Ok(all)
}
