"""Roles and content policies."""

from ncfilters.roles import DEFAULT_POLICY, POLICIES, ROLES


def test_policies_name_known_roles() -> None:
    for policy in POLICIES.values():
        assert policy.roles <= set(ROLES)
        assert "boilerplate" not in policy.roles


def test_default_policy_leaves_out_comments() -> None:
    roles = POLICIES[DEFAULT_POLICY].roles
    assert {"title", "text", "caption", "table", "code"} == roles
