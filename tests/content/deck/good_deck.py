"""A deck in which nothing is wrong."""

from __future__ import annotations

GOOD = """\
deck: attention
title: {en: Attention, zh: 注意力机制}
defaults: {level: 3, tags: [attention]}
cards:
  - id: one
    question: {en: "Why?", zh: 为什么？}
    answer: Because.
    checked: 2026-11-29
    predict: {ask: How many?, quantity: rows, within: 5%}
    verify:
      experiment: softmax_saturation
      set: {d_k: 512, scaled: no}
      claims:
        - {says: It grows., check: a < b}
  - id: two
    level: 5
    tags: []
    kind: choice
    question: Which?
    options: [{text: 4, right: yes}, {text: no, why: 为什么}]
"""
