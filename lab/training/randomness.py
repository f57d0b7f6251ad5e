"""One random generator for everything that makes scenes; SEED in the environment makes a stream repeatable."""

import os

import numpy as np

rng = np.random.default_rng(int(os.environ["SEED"]) if "SEED" in os.environ else None)


def uniform(low, high):
    return float(rng.uniform(low, high))


def normal(mean, deviation):
    return float(rng.normal(mean, deviation))


def log_uniform(low, high):
    """Uniform in the logarithm: as often between 1 and 2 as between 2 and 4."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def integer(low, high):
    """low .. high - 1"""
    return int(rng.integers(low, high))


def pick(choices):
    return choices[int(rng.integers(len(choices)))]


def chance(probability):
    return rng.random() < probability
