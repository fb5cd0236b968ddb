"""What a page says and what was not chosen."""

from ncfilters.page.metadata.alternatives import MAX_ALTERNATIVES, alternative, unchosen, without_chosen
from ncfilters.page.metadata.statements import Reader


def test_statements_are_read_as_the_head_is() -> None:
    said = {
        "author": [("json-ld", ("By ANN LEE and Bob Ray", "x")), ("meta", ("Puddle Staff", "y"))],
        "date": [("time", ("3 May 2024", "time")), ("time", ("soon", "time"))],
    }
    found = [
        (one["field"], one["value"])
        for one in unchosen(Reader(said, ""), {"author": ["Bob Ray"]}, "Rain - Log", ["Rain"], ())
    ]
    assert found == [
        ("title", "Rain - Log"),
        ("title", "Rain"),
        ("author", "Ann Lee"),
        ("author", "Puddle Staff"),
        ("date", "2024-05-03"),
    ]


def test_what_was_chosen_and_repetitions_are_left_out() -> None:
    head = {"title": "Rain", "author": ["Ann Lee"], "site": 7}
    others = [alternative("title", text, "h1") for text in ("RAIN!", "Snow", "snow", "")]
    assert without_chosen([*others, alternative("author", "Ann Lee", "x")], head) == [others[1]]
    assert len(without_chosen([alternative("title", str(n), "h1") for n in range(99)], {})) == MAX_ALTERNATIVES
