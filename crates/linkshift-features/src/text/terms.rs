//! A text cut into terms.

use super::params::TextParams;
use unicode_segmentation::UnicodeSegmentation;

/// What stands before a piece, so that it differs from the word of the same letters. No word has it.
const PIECE: char = '~';

/// Whether a term is a piece of a word.
pub(super) fn is_piece(term: &str) -> bool {
    term.starts_with(PIECE)
}

/// Calls `take` with every term of a text, as often as it occurs.
///
/// Words are those of Unicode's annex 29, in lower case. Neighbours are joined by a space. Pieces
/// are runs of characters of a word with a space before and after it, so that beginnings and ends
/// differ from what is inside; a word shorter than a piece gives none of that length.
pub(super) fn for_each(text: &str, params: &TextParams, mut take: impl FnMut(&str)) {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.unicode_words().collect();
    let mut term = String::new();
    for start in 0..words.len() {
        term.clear();
        for word in words[start..].iter().take(params.longest_phrase) {
            if !term.is_empty() {
                term.push(' ');
            }
            term.push_str(word);
            take(&term);
        }
    }
    if params.longest_piece == 0 {
        return;
    }
    let mut padded = Vec::new();
    for word in words {
        padded.clear();
        padded.push(' ');
        padded.extend(word.chars());
        padded.push(' ');
        for length in params.shortest_piece..=params.longest_piece.min(padded.len()) {
            for piece in padded.windows(length) {
                term.clear();
                term.push(PIECE);
                term.extend(piece);
                take(&term);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, longest_phrase: usize, pieces: (usize, usize)) -> Vec<String> {
        let params = TextParams {
            longest_phrase,
            shortest_piece: pieces.0,
            longest_piece: pieces.1,
            ..Default::default()
        };
        let mut found = Vec::new();
        for_each(text, &params, |term| found.push(term.to_owned()));
        found
    }

    #[test]
    fn words_follow_unicode_and_lose_their_capitals() {
        assert_eq!(terms("Don't PANIC, Zoë: 3.14!", 1, (1, 0)), ["don't", "panic", "zoë", "3.14"]);
        // Scripts without spaces: a word per character.
        assert_eq!(terms("日本 ΔΕΛΤΑΣ", 1, (1, 0)), ["日", "本", "δελτας"]);
    }

    #[test]
    fn neighbours_make_phrases_up_to_the_longest() {
        assert_eq!(terms("a b c", 2, (1, 0)), ["a", "a b", "b", "b c", "c"]);
        assert_eq!(terms("a b c", 3, (1, 0)), ["a", "a b", "a b c", "b", "b c", "c"]);
    }

    #[test]
    fn pieces_know_where_a_word_begins_and_ends() {
        assert_eq!(terms("cat", 1, (3, 4)), ["cat", "~ ca", "~cat", "~at ", "~ cat", "~cat "]);
        // With its two ends "a" has three characters.
        assert_eq!(terms("a", 1, (3, 5)), ["a", "~ a "]);
    }

    #[test]
    fn what_has_no_word_has_no_term() {
        assert!(terms("", 2, (3, 5)).is_empty());
        assert!(terms(" …!?\n", 2, (3, 5)).is_empty());
    }
}
