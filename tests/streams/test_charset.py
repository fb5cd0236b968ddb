"""The character encoding of pages: what the HTML standard says, and a detector where nothing was declared."""

from __future__ import annotations

import codecs
import sys

import pytest
import webencodings

from ncfilters.streams import charset
from ncfilters.streams.charset import PRESCAN, decode_bytes

FRENCH = (
    "Le pont est fermé depuis l’automne et les habitants font un détour pour aller au marché. Le maire a promis qu’il "
    "serait réparé avant le mois de mai ; « ça ira », dit-il. Mais le vieux passeur hoche la tête — cette année il n’y "
    "a pas eu de glace. Où iront les élèves ? À l’école, en bateau."
)
RUSSIAN = (
    "Мост через реку закрыли ещё осенью, и теперь жители ходят на рынок в обход. Мэр обещает, что ремонт закончат к "
    "маю, но старый паромщик только качает головой: льда в этом году не было, а значит, и работы начнут поздно."
)
POLISH = (
    "Most nad rzeką zamknięto już jesienią, więc mieszkańcy chodzą na targ okrężną drogą. Burmistrz obiecuje, że "
    "remont skończy się w maju; stary przewoźnik śmieje się i kręci głową. Później dzieci pójdą do szkoły łąką, a "
    "żołnierze źle śpią, bo słyszą wodę. „Wieść gminna niesie”, mówi sąsiadka."
)
GREEK = (
    "Η γέφυρα έκλεισε το φθινόπωρο και οι κάτοικοι πηγαίνουν στην αγορά από άλλο δρόμο. Ο δήμαρχος υπόσχεται ότι τα "
    "έργα θα τελειώσουν τον Μάιο, αλλά ο γέρος βαρκάρης κουνάει το κεφάλι του και χαμογελάει."
)
CHINESE = (
    "大桥从秋天起就关闭了，居民们只好绕路去市场。市长答应五月以前修好，"
    "可是老船夫摇摇头，说今年没有结冰，工程一定会晚开始。孩子们每天坐船上学。"
)
TAIWANESE = (
    "大橋從秋天起就關閉了，居民們只好繞路去市場。市長答應五月以前修好，"
    "可是老船夫搖搖頭，說今年沒有結冰，工程一定會晚開始。孩子們每天坐船上學。"
)
JAPANESE = (
    "橋は秋から閉まっていて、町の人々は遠回りをして市場へ行きます。市長は五月までに"
    "直すと約束しましたが、年老いた船頭は首を振るだけです。子どもたちは毎日、船で学校に通っています。"
)
KOREAN = (
    "다리는 가을부터 닫혀 있어서 주민들은 먼 길을 돌아 시장에 갑니다. 시장은 오월까지 "
    "고치겠다고 약속했지만 늙은 뱃사공은 고개를 저을 뿐입니다. 아이들은 매일 배를 타고 학교에 갑니다."
)


def page(text: str, head: str = "") -> str:
    """A page that has its text at the end, after much that is ASCII."""
    menu = "".join(f'<li class="menu-item"><a href="/section/{n}.html">Section {n}</a></li>\n' for n in range(300))
    script = "<script>var a = 1; if (a < 2) { document.write('<b>x</b>'); }</script>" * 20
    return f"<html><head>{head}<title>Page</title>{script}</head><body><ul>{menu}</ul><p>{text}</p></body></html>"


def found(data: bytes, header: str | None = None) -> tuple[str, str, str]:
    text, about = decode_bytes(data, header)
    return text, about["name"], about["evidence"]


def meta(charset: str) -> str:
    return f'<meta charset="{charset}">'


# ---- declared ----
MARKS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be")]


@pytest.mark.parametrize(("mark", "name"), MARKS)
def test_a_byte_order_mark_comes_first(mark: bytes, name: str) -> None:
    some = page(FRENCH, meta("koi8-r"))
    assert found(mark + some.encode(name), "windows-1251") == (some, name, "bom")
    assert found(mark)[0] == found(b"")[0] == ""


@pytest.mark.parametrize(("header", "codec", "name", "text"), [
    ("UTF8", "utf-8", "utf-8", RUSSIAN), ("latin1", "cp1252", "windows-1252", FRENCH),
    (" us-ascii ", "cp1252", "windows-1252", FRENCH), ("windows-1250", "cp1250", "windows-1250", POLISH),
    ("iso-8859-7", "iso-8859-7", "iso-8859-7", GREEK), ("gbk", "gb18030", "gb18030", TAIWANESE + "€"),
    ("gb2312", "gb18030", "gb18030", "镕朱 𠀀 ĳ"), ("big5", "big5hkscs", "big5", TAIWANESE),
    ("x-sjis", "cp932", "shift_jis", JAPANESE + "①㈱～"), ("euc-jp", "euc_jp", "euc-jp", JAPANESE),
    ("iso-2022-jp", "iso2022_jp", "iso-2022-jp", JAPANESE), ("ks_c_5601-1987", "cp949", "euc-kr", KOREAN + "똠방"),
    ("tis-620", "cp874", "windows-874", "สะพานปิดตั้งแต่ฤดูใบไม้ร่วง"), ('"utf-8"', "utf-8", "utf-8", FRENCH),
])  # fmt: skip
@pytest.mark.parametrize("where", ["http", "meta"])
def test_declared_names_are_read_as_browsers_do(where: str, header: str, codec: str, name: str, text: str) -> None:
    some = page(text, "" if where == "http" else meta(header.strip('" ')))
    assert found(some.encode(codec), header if where == "http" else None) == (some, name, where)


@pytest.mark.parametrize("declaration", [
    '<meta charset="windows-1251">', "<META CHARSET=windows-1251>", "<meta charset = 'windows-1251' />",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    "<meta content='text/html;charset=windows-1251' http-equiv=content-type>",
    '<meta name="viewport" content="width=1">\n<meta\n  charset="windows-1251">',
    "<!-- <meta charset=koi8-r> --><meta charset=windows-1251>",
    '<meta charset="no-such-thing"><meta charset="windows-1251">',
    '<meta name="description" content="how to set charset=koi8-r"><meta charset="windows-1251">',
])  # fmt: skip
def test_declarations_of_the_page_are_read(declaration: str) -> None:
    some = page(RUSSIAN, declaration)
    assert found(some.encode("cp1251")) == (some, "windows-1251", "meta")


def test_the_header_comes_before_the_page_and_xml_is_read() -> None:
    some = page(RUSSIAN, meta("koi8-r"))
    assert found(some.encode("cp1251"), "windows-1251") == (some, "windows-1251", "http")
    assert found(some.encode("koi8-r"), "x-nonsense") == (some, "koi8-r", "meta")
    some = '<?xml version="1.0" encoding="koi8-r"?>' + page(RUSSIAN)
    assert found(some.encode("koi8-r")) == (some, "koi8-r", "xml")
    some = page(FRENCH, meta("utf-16"))  # declared in ASCII: it cannot be
    assert found(some.encode()) == (some, "utf-8", "meta")
    some = page("Plain", meta("shift_jis"))
    assert found(some.encode(), "koi8-r") == (some, "utf-8", "ascii")


def test_only_the_first_1024_bytes_declare_an_encoding() -> None:
    assert PRESCAN == 1024
    declaration = meta("iso-8859-5")
    near = "<!doctype html>" + " " * (PRESCAN - 15 - len(declaration)) + declaration + FRENCH
    data = near.encode("cp1252")
    assert found(data)[1:] == ("iso-8859-5", "meta")
    far = b" " * 40 + data
    assert found(far)[1:] == ("windows-1252", "content")
    assert decode_bytes(far)[0].endswith(FRENCH)


# ---- declared wrongly ----
@pytest.mark.parametrize("wrong", ["iso-8859-1", "windows-1251", "shift_jis", "gb2312", "utf-16", "koi8-r", "big5"])
@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE])
def test_valid_utf_8_overrules_a_declaration(wrong: str, text: str) -> None:
    some = page(text)
    result, about = decode_bytes(some.encode(), wrong)
    assert (result, about["name"], about["evidence"]) == (some, "utf-8", "content")
    lookup = webencodings.lookup(wrong)
    assert lookup is not None and about["declared"] == lookup.name


@pytest.mark.parametrize(
    ("text", "codec"), [(RUSSIAN, "cp1251"), (FRENCH, "cp1252"), (CHINESE, "gb18030"), (KOREAN, "cp949")]
)
@pytest.mark.parametrize("where", ["http", "meta"])
def test_invalid_utf_8_overrules_a_declaration(where: str, text: str, codec: str) -> None:
    some = page(text, meta("utf-8") if where == "meta" else "")
    result, about = decode_bytes(some.encode(codec), "utf-8" if where == "http" else None)
    assert result == some
    assert (about["evidence"], about["declared"]) == ("content", "utf-8")


@pytest.mark.parametrize(
    ("valid", "invalid", "name", "evidence"),
    [
        (99, 1, "utf-8", "http"),
        (1, 1, "utf-8", "http"),  # a stray byte
        (0, 1, "windows-1252", "content"),
        (198, 2, "utf-8", "http"),
        (197, 2, "utf-8", "content"),  # the detector says so
    ],
)
def test_one_sequence_in_a_hundred_may_be_invalid(valid: int, invalid: int, name: str, evidence: str) -> None:
    text, about = decode_bytes("é ".encode() * valid + b"na\xefve " * invalid, "utf-8")
    assert (about["name"], about["evidence"]) == (name, evidence)
    assert about.get("replaced", 0) == (invalid if name == "utf-8" else 0)


def test_replacement_characters_of_the_page_are_not_counted_but_a_cut_one_is() -> None:
    some = page(RUSSIAN + "\ufffd\ufffd")
    assert decode_bytes(some.encode(), "utf-8") == (some, {"name": "utf-8", "evidence": "http"})
    text, about = decode_bytes(page(RUSSIAN).split(".</p>")[0].encode()[:-1], "utf-8")
    assert about == {"name": "utf-8", "evidence": "http", "replaced": 1} and RUSSIAN[:-2] in text


# ---- not declared ----
@pytest.mark.parametrize(("codec", "name", "text"), [
    ("cp1252", "windows-1252", FRENCH),
    ("iso-8859-1", "windows-1252", FRENCH.translate({0x2014: "-", 0x2019: "'"})),
    ("cp1251", "windows-1251", RUSSIAN), ("koi8-r", "koi8-r", RUSSIAN), ("cp866", "ibm866", RUSSIAN),
    ("mac-cyrillic", "x-mac-cyrillic", RUSSIAN), ("cp1250", "windows-1250", POLISH),
    ("iso-8859-2", "iso-8859-2", POLISH.translate({0x201E: '"', 0x201D: '"'})),
    ("iso-8859-7", "iso-8859-7", GREEK), ("gb18030", "gb18030", CHINESE), ("big5", "big5", TAIWANESE),
    ("cp932", "shift_jis", JAPANESE), ("euc_jp", "euc-jp", JAPANESE), ("iso2022_jp", "iso-2022-jp", JAPANESE),
    ("cp949", "euc-kr", KOREAN), ("utf-8", "utf-8", RUSSIAN),
])  # fmt: skip
@pytest.mark.parametrize("where", ["far down", "alone", "declared wrongly"])
def test_undeclared_encodings_are_detected(where: str, codec: str, name: str, text: str) -> None:
    is_wrong = where == "declared wrongly" and codec not in ("utf-8", "iso2022_jp")
    some = text if where == "alone" else page(text, meta("utf-8") if is_wrong else "")
    result, about = decode_bytes(some.encode(codec))
    assert result == some
    assert about == {"name": name, "evidence": "content", **({"declared": "utf-8"} if is_wrong else {})}


@pytest.mark.parametrize("text", [
    "The bridge’s been closed since autumn – “for good”, says Mrs. O’Neill.",
    "© 2005 The Bridge Company", "Señor, ¿dónde está?", "Smörgåsbord är på gång, 10 €",
    "Die Brücke ist geschlossen, sagt der Bürgermeister.", "Cost: £5 or 10 € – café",
    "Le café déjà fermé — « ça ira » — rouvrira à Noël, dit l’hôtelier.",
])  # fmt: skip
def test_a_few_western_characters_are_windows_1252(text: str) -> None:
    assert decode_bytes(page(text).encode("cp1252"))[0] == page(text)


@pytest.mark.parametrize("text", ["It’s for good – says Mrs. O’Neill.", "Copyright © 2005", "• One\xa0bullet"])
def test_signs_need_no_detector(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resiliparse.parse.encoding", None)
    assert found(text.encode("cp1252")) == (text, "windows-1252", "content")
    with pytest.raises(ImportError):
        decode_bytes(f"{text} é".encode("cp1252"))


@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")])
@pytest.mark.parametrize("text", ["Plain text.", FRENCH, RUSSIAN])
def test_utf_16_without_a_mark_is_detected(codec: str, name: str, text: str) -> None:
    assert found(page(text).encode(codec)) == (page(text), name, "content")


def test_rare_text_in_a_large_page_is_detected() -> None:
    some = page((page("") + "<p>" + RUSSIAN + "</p>") * 40)
    assert len(some) > 900_000
    assert found(some.encode("cp1251")) == (some, "windows-1251", "content")
    assert decode_bytes(GREEK.encode("cp1253"))[0] == GREEK
    assert decode_bytes(b"<" * 2_000_000 + b"\xe9")[0] == "<" * 2_000_000 + "é"


def test_scripts_and_comments_do_not_mislead_the_detector() -> None:
    some = page(RUSSIAN).encode("cp1251")
    noise = "<script>var é = 'ÉÈÊ ça là où';</script><!-- déjà être à côté où ça -->".encode("cp1252") * 30
    text, about = decode_bytes(some.replace(b"<p>", noise + b"<p>", 1))
    assert about["name"] == "windows-1251"
    assert RUSSIAN in text


HOSTILE = [b"\xff", bytes(range(256)) * 300, b"\0" * 1000, b"\x1b$B", b"\xc3", b"\xff\xfe\x00", b"\xfe\xff\xd8"]
UNCLOSED = [b"<" * 5000 + b"\xe9", b"<script>" * 500 + b"\xe9", b"<!--" * 500 + b"\xe9"]


@pytest.mark.parametrize("declared", [None, "utf-8", "gb2312", "utf-16", "iso-2022-jp", "hz-gb-2312", "x-user-defined"])
@pytest.mark.parametrize("data", [*HOSTILE, *UNCLOSED], ids=lambda data: repr(data[:6]))
def test_any_bytes_are_decoded(data: bytes, declared: str | None) -> None:
    text, about = decode_bytes(data, declared)
    assert isinstance(text, str)
    text.encode()  # no lone surrogates
    assert about["evidence"] in ("bom", "http", "meta", "xml", "content", "ascii")
    assert about.get("replaced", 1) > 0
    if about["name"] == "utf-8":
        assert about.get("replaced", 0) == text.count("\ufffd")


def test_every_byte_of_windows_1252_is_decoded() -> None:
    decoded = decode_bytes(b"caf\xe9 \x80 \x81\x8d\x8f\x90\x9d", "iso-8859-1")
    assert decoded == ("café € \x81\x8d\x8f\x90\x9d", {"name": "windows-1252", "evidence": "http"})


@pytest.mark.parametrize("place", [0, 9, -1])
def test_control_characters_do_not_change_the_encoding(place: int) -> None:
    data = bytearray(page(FRENCH).encode())
    data[place:place] = b"\0"
    assert found(bytes(data))[1:] == ("utf-8", "content")
    assert found(b"plain\0 text")[1:] == ("utf-8", "ascii")
    assert found(bytes(data), "utf-8")[1:] == ("utf-8", "http")
    assert found(page(FRENCH).encode("utf-16-le"))[1:] == ("utf-16le", "content")


@pytest.mark.parametrize("text", ["it’s", "café", "© 2026", "日本語", "naïve — “x”", "a\xa0b", "😀"])
def test_utf_8_that_was_decoded_as_latin_1_is_decoded_again(text: str) -> None:
    twice = f"<p>{text}".encode().decode("latin-1")
    assert charset.undo_latin1(twice) == charset.undo_latin1(twice.encode()) == f"<p>{text}"


@pytest.mark.parametrize("text", ["it’s", "Łódź i książę", "“café” …", "日本語", "₤ and ™"])
@pytest.mark.parametrize("errors", ["latin-1", "replace"])
def test_utf_8_that_was_decoded_as_windows_1252_is_decoded_again(text: str, errors: str) -> None:
    more = "„é”" * 9
    bytes_of_text = f"<p>{text} {more}".encode()
    controls = {byte: chr(byte) for byte in b"\x81\x8d\x8f\x90\x9d"}
    letters = [bytes([byte]).decode("cp1252", "replace") for byte in bytes_of_text]
    if errors == "latin-1":
        letters = [controls.get(byte, letter) for byte, letter in zip(bytes_of_text, letters)]
    elif "\x81" in text.encode().decode("latin-1"):
        text = text.replace("Ł", "Å\ufffd")
    twice = "".join(letters)
    assert charset.undo_latin1(twice) == charset.undo_latin1(twice.encode()) == f"<p>{text} {more}"


def test_a_few_characters_may_be_none_of_utf_8() -> None:
    twice = ("é" * 99).encode().decode("latin-1") + "Ã... © Müller –"
    assert charset.undo_latin1(twice) == "é" * 99 + "Ã... © Müller –"
    assert charset.undo_latin1(("é" * 5).encode().decode("latin-1") + "Ã...") is None


@pytest.mark.parametrize(
    "text",
    ["", "<p>x", "<p>café", "it’s", "Ã©, and it’s", "Ã© is no é", "NÃO\xa0SÃO", "\x93x\x94", "\ud83d Ã©", "日本語"],
)
def test_other_text_is_not_decoded_again(text: str) -> None:
    assert charset.undo_latin1(text) is None
    assert charset.undo_latin1(text.encode("utf-8", "surrogatepass")) is None
