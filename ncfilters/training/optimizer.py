"""Trains the network of a structure model: dropout, cross-entropy, Adam with decoupled weight decay.

network = train_network(examples, ("main",), passes=6)
logits = network.logits(Batch.of([examples[0]], network))

Annotators disagree about content. So the output of each content policy learns from the pages whose gold text follows
it, and the layers below learn from all pages. The outputs of roles learn from sets of roles that the gold standard
allows (partial labels, Jin and Ghahramani 2002): the loss is the negative log of the sum of their probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..roles import POLICIES, ROLES
from ..scoring.structure.inference import HIDDEN
from ..scoring.structure.network import Dropout, Inputs, Network, Pools
from .examples import Example, SparseRows

Floats = NDArray[np.float32]

# Chosen by cross-validation on the development sets: with more passes or less dropout, the network memorises sites.
# Half the weight decay is 0.9 points better on Dragnet's pages, of 2012, and 0.2 to 0.9 worse on English news of 2023
# to 2026, which no model learns from (fundus-dev).
PAGES_PER_STEP, RATE, WEIGHT_DECAY = 8, 3e-3, 0.3
DROPOUT, VOCABULARY_DROPOUT = 0.2, 0.3
# The weights of embeddings decay faster than the others.
EMBEDDINGS, EMBEDDING_DECAY = ("names", "words"), 3
# Steps in which the rate rises to RATE; the rate from which it does not fall.
WARM_UP, MIN_RATE = 100, 1e-6
# Adam: decay of the averages of gradients and of their squares, and what keeps the quotient finite.
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
MAX_LOGIT = 30.0
# The weight of the loss of roles, relative to that of the labels.
ROLE_SHARE = 1.5
# The weight of labels under other policies than that of the gold standard, relative to that of its own.
OTHER_POLICY_SHARE = np.float32(0.3)
# The weight of the expected F of pages, relative to the cross-entropy of labels.
F_SHARE = np.float32(2)
# Keeps the shares of allowed roles finite where the network excludes all of them.
SMALLEST_SHARE = 1e-9


@dataclass
class Batch(Inputs):
    """The inputs of several pages, and the sparse *rows* (names, phrases, phrases of headings) that their embeddings
    come from."""

    rows: tuple[SparseRows, SparseRows, SparseRows]

    @classmethod
    def of(cls, examples: Sequence[Example], network: Network, random: np.random.Generator | None = None) -> Batch:
        """The inputs of *examples*, with the embeddings of *network*. With *random*, names and phrases are dropped."""
        parts = zip(*((example.names, example.phrases, example.heading_phrases) for example in examples))
        rows = [sparse.vstack(part, "csr") for part in parts]
        if random is not None:
            for row in rows:
                kept = random.random(len(row.data)) >= VOCABULARY_DROPOUT
                row.data = row.data * kept / np.float32(1 - VOCABULARY_DROPOUT)
                row.data = row.data.astype(np.float32)
        names, own, heading = rows
        chars = np.concatenate([example.chars for example in examples])
        sizes = np.array([len(example.labels) for example in examples])
        starts = np.cumsum(sizes) - sizes
        first, last = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
        groups = []
        for ids in zip(*(example.groups for example in examples)):
            counts = [int(part.max()) + 1 if len(part) else 0 for part in ids]
            offsets = np.cumsum([0, *counts[:-1]])
            groups.append(np.concatenate([part + offset for part, offset in zip(ids, offsets)]))
        weights = np.log1p(chars).astype(np.float32) + np.float32(0.1)
        vectors = network.weights
        return cls(
            np.concatenate([example.numbers for example in examples]),
            names @ vectors["names"],
            np.hstack([own @ vectors["words"], heading @ vectors["words"]]),
            Pools.of(weights, groups, first, last),
            (names, own, heading),
        )

    def embedding_gradients(self, gradients: Floats) -> tuple[Floats, Floats]:
        """The gradients of the loss with respect to the vectors of names and of phrases, from those with respect to the
        inputs that are sums of them (side by side)."""
        names, own, heading = self.rows
        first, second = self.names.shape[1], self.phrases.shape[1] // 2
        phrases = own.T @ gradients[:, first : first + second] + heading.T @ gradients[:, first + second :]
        return names.T @ gradients[:, :first], phrases


class Adam:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019), on *weights* in place."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        self._means = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._steps = 0

    def step(self, gradients: dict[str, Any], rate: float) -> None:
        """Moves the weights against their gradients."""
        self._steps += 1
        for name, gradient in gradients.items():
            mean, square, weight = self._means[name], self._squares[name], self._weights[name]
            mean += np.float32(1 - BETA_1) * (gradient - mean)
            square += np.float32(1 - BETA_2) * (gradient * gradient - square)
            direction = mean / (1 - BETA_1**self._steps) / (np.sqrt(square / (1 - BETA_2**self._steps)) + EPSILON)
            decay = 0 if name.endswith("_bias") else WEIGHT_DECAY * (EMBEDDING_DECAY if name in EMBEDDINGS else 1)
            weight -= (rate * (direction + decay * weight)).astype(np.float32)


class Loss:
    """The weighted cross-entropy of examples, for *policies*. The mean weights over all examples make losses of steps
    comparable."""

    def __init__(self, examples: Sequence[Example], policies: tuple[str, ...]) -> None:
        self.policies = policies
        self.mean_weight = float(np.concatenate([example.weights for example in examples]).mean())
        self.mean_role_weight = float(np.concatenate([example.role_weights for example in examples]).mean()) or 1.0

    def gradients(self, logits: Floats, examples: Sequence[Example]) -> Floats:
        """The gradients of the loss with respect to the outputs for the segments of *examples*, of their shape."""
        count = len(self.policies)
        roles = np.concatenate([example.roles for example in examples])
        labels, weights = self._targets(examples, roles)
        probabilities = _probabilities(logits[:, :count])
        of_policies = (probabilities - labels) * weights / (self.mean_weight * len(labels))
        of_policies -= self._f_gradients(probabilities, examples) * (F_SHARE / (self.mean_weight * len(labels)))
        of_roles = logits[:, count:]
        shares = np.exp(of_roles - of_roles.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        allowed = shares * roles + SMALLEST_SHARE
        allowed /= allowed.sum(axis=1, keepdims=True)
        role_weights = np.concatenate([example.role_weights for example in examples])
        role_weights = role_weights * (ROLE_SHARE / (self.mean_role_weight * len(labels)))
        return np.hstack([of_policies, (shares - allowed) * role_weights[:, None]])

    def _f_gradients(self, probabilities: Floats, examples: Sequence[Example]) -> Floats:
        """The gradients of the expected F of each page under its own policy, times the weight of the page; 0 under
        other policies (shape: segments, policies).

        The expected F is the ratio of expectations, 2 E[matched words kept] / (E[words kept] + gold words) (Jansche
        2005). The cross-entropy alone treats an error in a long page as one in a short page.
        """
        out = np.zeros_like(probabilities)
        start = 0
        for example in examples:
            own = slice(start, start + len(example.labels))
            start = own.stop
            column = self.policies.index(example.policy)
            p, (words, matched, gold) = probabilities[own, column], example.words
            if gold > 0:
                total = float(p @ words) + gold
                slopes = 2 * (matched * total - words * float(p @ matched)) / total**2
                out[own, column] = example.weights.sum() * slopes * p * (1 - p)
        return out

    def _targets(self, examples: Sequence[Example], roles: Floats) -> tuple[Floats, Floats]:
        """The labels and the weights of segments under each policy (shape: segments, policies).

        Under the policy of their page's gold standard they are its own. Under another, a segment is labelled if all
        roles that it may have are content there, or none is; titles, which gold standards treat differently, are not.
        """
        sizes = [len(example.labels) for example in examples]
        own = np.repeat([self.policies.index(example.policy) for example in examples], sizes)[:, None]
        is_own = own == np.arange(len(self.policies))
        content = np.array([[name in POLICIES[policy].roles for policy in self.policies] for name in ROLES], np.float32)
        inside, allowed = roles @ content, roles.sum(axis=1, keepdims=True)
        known = ((inside == 0) | (inside == allowed)) & (roles[:, [ROLES.index("title")]] == 0)
        labels = np.concatenate([example.labels for example in examples])[:, None]
        weights = np.concatenate([example.weights for example in examples])[:, None]
        return (
            np.where(is_own, labels, inside > 0).astype(np.float32),
            weights * np.where(is_own, np.float32(1), OTHER_POLICY_SHARE * known.astype(np.float32)),
        )


def train_network(
    examples: Sequence[Example], policies: tuple[str, ...], passes: int, seed: int = 0, surroundings: bool = True
) -> Network:
    """A network trained in *passes* over examples to minimise the weighted cross-entropy of their labels and, by
    ROLE_SHARE, of their roles, and to maximise the expected F of their pages. It has an output for each of the content
    *policies* and then for each of ROLES. Without *surroundings*, it sees each segment alone.

    Each step takes PAGES_PER_STEP examples. The learning rate rises for WARM_UP steps and falls as a cosine.
    """
    random, first = np.random.default_rng(seed), examples[0]
    sizes = first.numbers.shape[1], first.names.shape[1], first.phrases.shape[1], len(policies) + len(ROLES)
    network = Network.initial(*sizes, seed)
    if not surroundings:  # if the weights on both sides of the averages are 0, so are their gradients
        network.weights["shared"][:] = network.weights["second"][HIDDEN:] = 0
    adam = Adam(network.weights)
    dropout = Dropout(DROPOUT, random)
    loss = Loss(examples, policies)
    steps_per_pass = len(examples) // PAGES_PER_STEP
    steps = passes * steps_per_pass
    for step in range(steps):
        if not step % steps_per_pass:
            order = random.permutation(len(examples))
        start = step % steps_per_pass * PAGES_PER_STEP
        some = [examples[place] for place in order[start : start + PAGES_PER_STEP]]
        batch = Batch.of(some, network, random)
        logits, activations = network.forward(batch, dropout)
        gradients, below = network.backward(batch, activations, loss.gradients(logits, some))
        gradients["names"], gradients["words"] = batch.embedding_gradients(below)
        cosine = 0.5 + 0.5 * float(np.cos(np.pi * step / steps))
        adam.step(gradients, RATE * min(1.0, step / WARM_UP) * cosine + MIN_RATE)
    return network


def _probabilities(logits: Floats) -> Floats:
    out: Floats = (1 / (1 + np.exp(-np.clip(logits, -MAX_LOGIT, MAX_LOGIT)))).astype(np.float32)
    return out
