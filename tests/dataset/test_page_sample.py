"""Samples of complete sites."""

from __future__ import annotations

import pytest

from ncfilters.dataset.page_sample import registered_domain, split_by_site

RECORDS = [{"id": number, "url": f"http://www.site{number % 7}.example/{number}"} for number in range(40)]


def sites(records: list[dict[str, object]]) -> set[str]:
    return {str(record["url"]).split("/")[2] for record in records}


@pytest.mark.parametrize("host, expected", [("a.b.org", "b.org"), ("www.a.co.uk", "a.co.uk"), ("org", "org"), ("", "")])
def test_registered_domains(host: str, expected: str) -> None:
    assert registered_domain(host) == expected


def test_sites_are_complete() -> None:
    chosen, rest = split_by_site(RECORDS, 20)
    assert 10 < len(chosen) <= 20
    assert not sites(chosen) & sites(rest)
    assert sorted(record["id"] for record in chosen + rest) == list(range(40))


def test_the_sample_does_not_depend_on_the_order_of_pages() -> None:
    assert sites(split_by_site(RECORDS, 20)[0]) == sites(split_by_site(RECORDS[::-1], 20)[0])


def test_few_pages_are_all_chosen() -> None:
    chosen, rest = split_by_site(RECORDS, 40)
    assert len(chosen) == 40 and not rest
    assert split_by_site([], 5) == ([], [])
