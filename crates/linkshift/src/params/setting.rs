//! Fields that can be set: how each type of field is read, shown and limited.

use super::value::Value;

/// A field of some parameters, whatever its type.
pub trait Setting {
    /// What it is set to.
    fn get(&self) -> Value;

    /// Takes a value that it understands; tells whether it did.
    fn set(&mut self, value: &Value) -> bool;

    /// The words that it may be.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What it may be besides words.
    fn form(&self) -> Form;

    /// The numbers in it, which must lie in the parameter's range.
    fn numbers(&self) -> Vec<f64> {
        self.get().as_number().into_iter().collect()
    }
}

/// What a parameter may be besides words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Nothing: it is one of its words.
    Words,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// Something like this.
    Like(&'static str),
    /// A number, or something like this.
    NumberOrLike(&'static str),
}

/// An enumeration whose members have names, the same in every door.
pub trait Named: Copy + 'static {
    /// All members; one that holds numbers stands there with its defaults.
    const ALL: &'static [Self];

    /// The member's name.
    fn name(self) -> &'static str;

    /// The member with a name.
    fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.name() == name)
    }
}

impl<N: Named> Setting for N {
    fn get(&self) -> Value {
        self.name().into()
    }

    fn set(&mut self, value: &Value) -> bool {
        let Some(word) = value.as_word() else { return false };
        // The numbers of a member that stays are kept.
        if self.name() == word {
            return true;
        }
        let chosen = N::parse(word);
        *self = chosen.unwrap_or(*self);
        chosen.is_some()
    }

    fn words(&self) -> Vec<&'static str> {
        N::ALL.iter().map(|member| member.name()).collect()
    }

    fn form(&self) -> Form {
        Form::Words
    }
}

impl Setting for f64 {
    fn get(&self) -> Value {
        Value::Number(*self)
    }

    fn set(&mut self, value: &Value) -> bool {
        value.as_number().map(|number| *self = number).is_some()
    }

    fn form(&self) -> Form {
        Form::Number
    }
}

impl Setting for Vec<f64> {
    fn get(&self) -> Value {
        Value::List(self.clone())
    }

    fn set(&mut self, value: &Value) -> bool {
        *self = match value {
            Value::List(numbers) => numbers.clone(),
            single => match single.as_number() {
                Some(number) => vec![number],
                None => return false,
            },
        };
        true
    }

    fn form(&self) -> Form {
        Form::Like("numbers between commas")
    }

    fn numbers(&self) -> Vec<f64> {
        self.clone()
    }
}

impl Setting for bool {
    fn get(&self) -> Value {
        Value::Flag(*self)
    }

    fn set(&mut self, value: &Value) -> bool {
        let Value::Flag(flag) = value else { return false };
        *self = *flag;
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["true", "false"]
    }

    fn form(&self) -> Form {
        Form::Words
    }
}

/// Whole numbers of any width; those that do not fit are not understood.
macro_rules! counts {
    ($($type:ty)*) => {$(
        impl Setting for $type {
            fn get(&self) -> Value {
                Value::Count(*self as u64)
            }

            fn set(&mut self, value: &Value) -> bool {
                let Value::Count(count) = value else { return false };
                <$type>::try_from(*count).map(|count| *self = count).is_ok()
            }

            fn form(&self) -> Form {
                Form::Count
            }
        }
    )*};
}

counts!(u32 u64 usize);

/// What may be left to the method: `auto` is none.
impl<V: Setting + Default> Setting for Option<V> {
    fn get(&self) -> Value {
        self.as_ref().map_or(Value::Auto, Setting::get)
    }

    fn set(&mut self, value: &Value) -> bool {
        if *value == Value::Auto {
            *self = None;
            return true;
        }
        let mut inner = V::default();
        let understood = inner.set(value);
        *self = if understood { Some(inner) } else { self.take() };
        understood
    }

    fn words(&self) -> Vec<&'static str> {
        let mut words = vec!["auto"];
        words.extend(V::default().words());
        words
    }

    fn form(&self) -> Form {
        V::default().form()
    }

    fn numbers(&self) -> Vec<f64> {
        self.as_ref().map_or(Vec::new(), Setting::numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Profile;

    #[test]
    fn whole_numbers_are_numbers_but_not_the_other_way() {
        let (mut number, mut count) = (0.5, 7_usize);
        assert!(number.set(&Value::Count(2)) && number == 2.0);
        assert!(!count.set(&Value::Number(2.5)) && count == 7);
        assert!(!count.set(&Value::Number(-1.0)));
    }

    #[test]
    fn auto_is_none_and_what_is_not_understood_changes_nothing() {
        let mut setting = Some(3_usize);
        assert!(!setting.set(&"many".into()) && setting == Some(3));
        assert!(setting.set(&Value::Auto) && setting.is_none());
    }

    #[test]
    fn a_member_that_stays_keeps_its_numbers() {
        let mut profile = Profile::Truncated { cut: 0.1 };
        assert!(profile.set(&"truncated".into()) && profile == Profile::Truncated { cut: 0.1 });
        assert!(profile.set(&"ball".into()) && profile == Profile::Ball);
        assert!(!profile.set(&"square".into()) && profile == Profile::Ball);
    }
}
