"""Scripts that put no spaces between words: which they are, and how long a word is there.

    re.findall(f"[{UNSPACED}]", "我的 book")    # ['我', '的']

The strings of ranges stand between the brackets of a character class of `re`. They name Unicode blocks, which cost
less than a look-up of the script of each character. The sets differ where a model or a published figure depends on
the set it was made with: one more character, and the model scores other texts than it was trained on.
"""

from __future__ import annotations

# Hiragana and Katakana; Han in the Basic Multilingual Plane; Han in the planes 2 and 3, which few pages use.
KANA, HAN, RARE_HAN = "\u3040-\u30ff", "\u3400-\u9fff\uf900-\ufaff", "\U00020000-\U0003ffff"
# Thai and Lao, Myanmar, Khmer. They put spaces between phrases.
SOUTH_EAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
FULL_WIDTH = "\uff00-\uffef"  # forms of Latin letters and of punctuation

# Chinese and Japanese. Structure models are trained with this set: a word of other scripts is a run of letters.
EAST_ASIAN = KANA + HAN
# What evaluation takes for a word of one character. Without RARE_HAN, so that figures stay comparable.
UNSPACED = EAST_ASIAN + SOUTH_EAST_ASIAN
# What decision policies count. With RARE_HAN, since nothing was fitted to the set.
UNSPACED_ALL = UNSPACED + RARE_HAN
# A line break between two of these stands for no space.
UNSPACED_IN_LINES = EAST_ASIAN + FULL_WIDTH

# All of them by their Unicode scripts, as `regex` has them: slower, and exact. It goes between brackets, too.
UNSPACED_SCRIPTS = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}"
SOUTH_EAST_ASIAN_SCRIPTS = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# ISO 639 codes of languages that are written in these scripts.
UNSPACED_LANGUAGES = frozenset("zh ja th lo my km zho chi cmn yue wuu jpn tha lao mya bur khm".split())

# Characters a word. The mean in segmented Chinese is between 1.5 and 1.7; structure models are trained with 1.5.
# Decision policies weigh segments against each other, and take 2.
CHARS_PER_WORD, CHARS_PER_WORD_ROUNDED = 1.5, 2
# At least so many letters a word, where spaces stand between phrases (Thai).
LETTERS_PER_PHRASE = 10.0


def is_east_asian(character: str) -> bool:
    """Whether a character is of Chinese or Japanese, their punctuation and full-width forms included.

    These put no space between sentences either. False for the empty string.
    """
    return "\u2e80" <= character < "\ua4d0" or "\uf900" <= character < "\ufb00" or "\uff00" <= character < "\uff61"


def likely_language(text: str) -> str:
    """The ISO 639-1 code of the language that the script of *text* is most likely of; `en` where it does not tell.

    The first letter beyond Latin among the first 200 characters decides.
    """
    for character in text[:200]:
        if character > "\u036f" and character.isalpha():
            for end, code in _LANGUAGES:
                if character < end:
                    return code
            return "en"
    return "en"


# Up to which character a script goes, in ascending order, and its most frequent language.
_LANGUAGES = (
    ("\u0400", "el"),
    ("\u0530", "ru"),
    ("\u3040", "en"),
    ("\u3100", "ja"),
    ("\u4e00", "en"),
    ("\ua000", "zh"),
)
