"""CoNLL-U that can be read back."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from made_segments import h, p

from ncfilters.selection.forms.conllu import conllu


def read(text: str) -> list[dict[str, Any]]:
    """The sentences of CoNLL-U, as strictly as its definition: comments by name, and the text of the tokens."""
    out = []
    for block in text.split("\n\n")[:-1]:
        comments, forms, pieces = {}, [], []
        for number, line in enumerate(lines := block.split("\n")):
            if line.startswith("# "):
                assert number == len(comments), f"a comment inside a sentence: {lines}"
                name, _, value = line[2:].partition(" = ")
                comments[name] = value
                continue
            fields = line.split("\t")
            assert len(fields) == 10
            assert fields[0] == str(len(forms) + 1)
            assert fields[1] == fields[1].strip() != ""
            assert fields[2:9] == ["_"] * 7
            forms.append(fields[1])
            pieces += [fields[1], "" if fields[9] == "SpaceAfter=No" else " "]
        assert forms
        assert comments["text"] == "".join(pieces).rstrip(" ")
        out.append({**comments, "forms": forms, "end": pieces[-1]})
    assert text == "" or text.endswith("\n\n")
    return out


def restored(sentences: list[dict[str, Any]]) -> str:
    """The text of all sentences, a paragraph on a line."""
    return "".join(
        ("\n" if "newpar id" in sentence else "") + sentence["text"] + sentence["end"] for sentence in sentences
    )


def test_a_document_has_its_metadata_paragraphs_and_sentences() -> None:
    document = {"id": "a 1", "url": "https://www.a.example/", "head": {"title": "Rain\nin town"}, "lang": "en"}
    text = conllu([h("Rain in town"), p("Dr. Lee came. It's 3.5 %.")], document)
    first, second, third = read(text)
    assert text.startswith(
        "# newdoc id = a 1\n# url = https://www.a.example/\n# site = a.example\n# title = Rain in town\n# lang = en\n"
        "# newpar id = a1-p1\n# sent_id = a1-s1\n# text = Rain in town\n1\tRain\t_\t_\t_\t_\t_\t_\t_\t_\n"
    )
    assert second["newpar id"] == "a1-p2"
    assert (second["text"], third["text"]) == ("Dr. Lee came.", "It's 3.5 %.")
    assert third["forms"] == ["It's", "3.5", "%", "."]
    assert [sentence["sent_id"] for sentence in (first, second, third)] == ["a1-s1", "a1-s2", "a1-s3"]
    assert "newdoc id" not in second


def test_chinese_has_no_spaces() -> None:
    one, two = read(conllu([p("今天下雨。明天晴。")], {"lang": "zh"}))
    assert (one["text"], one["end"], two["text"]) == ("今天下雨。", "", "明天晴。")
    assert re.fullmatch("doc-[0-9a-f]{16}", one["newdoc id"])


def test_sentences_of_documents_without_id_have_ids_of_their_own() -> None:
    assert read(conllu([p("a")], {"url": "http://a.example/"}))[0]["sent_id"] == "http://a.example/-s1"
    assert read(conllu([p("a")], {}))[0]["sent_id"] != read(conllu([p("b")], {}))[0]["sent_id"]


def test_a_document_without_tokens_is_empty() -> None:
    assert conllu([], {"id": "a"}) == ""
    assert conllu([p(" ")], {"id": "a"}) == ""
    assert len(read(conllu([p(""), p("a")], {"id": "a"}))) == 1


@given(st.lists(st.text("ab.!?#\t \n。今=\u2028\x00\x85"), max_size=4), st.text())
def test_any_text_can_be_restored(texts: list[str], name: str) -> None:
    found = read(conllu([p(text) for text in texts], {"id": name, "head": {"title": name}}))
    expected = [" ".join(text.replace("\x00", "").split()) for text in texts]
    assert re.sub(" +", " ", restored(found)).replace(" \n", "\n").strip() == "\n".join(filter(None, expected))
    assert len({sentence["sent_id"] for sentence in found}) == len(found)
