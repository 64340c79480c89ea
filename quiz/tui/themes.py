"""Two quiet themes. Colour means something: query blue, key red, value green, attention purple."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="qkv-dark",
    dark=True,
    primary="#6cb0ff",
    secondary="#c8a2ff",
    accent="#c8a2ff",
    foreground="#d6d9e0",
    background="#12141a",
    surface="#191c24",
    panel="#222733",
    success="#7fd88f",
    warning="#f2b25c",
    error="#ff857a",
    variables={
        "query": "#6cb0ff",
        "key": "#ff857a",
        "value": "#7fd88f",
        "attention": "#c8a2ff",
        "quiet": "#8b93a3",
        "rule": "#343b49",
        "block-cursor-background": "#2b3446",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
    },
)

LIGHT = Theme(
    name="qkv-light",
    dark=False,
    primary="#0b5cc4",
    secondary="#6f36c9",
    accent="#6f36c9",
    foreground="#23262d",
    background="#fbfaf7",
    surface="#f1efe9",
    panel="#e6e3da",
    success="#1b7a35",
    warning="#9a5b00",
    error="#b4261c",
    variables={
        "query": "#0b5cc4",
        "key": "#b4261c",
        "value": "#1b7a35",
        "attention": "#6f36c9",
        "quiet": "#6a6e78",
        "rule": "#cfcabd",
        "block-cursor-background": "#dfe8f6",
        "block-cursor-foreground": "#101216",
        "block-cursor-text-style": "bold",
    },
)

THEMES = {"dark": DARK, "light": LIGHT}  # by what a person chooses
