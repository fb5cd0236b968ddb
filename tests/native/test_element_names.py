from ncfilters.native.element_names import TAG_NAMES, TAG_NUMBERS, number_of_tag, tag_groups


def test_a_name_keeps_its_number() -> None:
    number = number_of_tag("ul")
    assert number_of_tag("ul") == number == TAG_NUMBERS["ul"]
    assert TAG_NAMES[number] == "ul"


def test_groups_are_bits() -> None:
    groups = tag_groups({1: "ul ol", 2: "ol"})
    assert (groups[number_of_tag("ul")], groups[number_of_tag("ol")], groups[0]) == (1, 3, 0)
