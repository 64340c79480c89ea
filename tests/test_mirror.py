"""A test stands where its module stands: tests/quiz/study/test_queue.py is about quiz/study/queue.py."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
OF_SEVERAL = {  # what these are about is no module, or several together
    "tests/content/claims/test_claims_hostile.py": "a claim's whole way, from the text to the verdict",
    "tests/content/decks/test_notes.py": "the notes that the cards are about",
    "tests/content/decks/test_our_decks.py": "the decks together",
    "tests/content/decks/test_wrong_answers.py": "what the cards refute",
    "tests/content/test_attention_deck.py": "a deck",
    "tests/content/test_chinese.py": "whatever says something of a deck",
    "tests/content/test_fuzz.py": "whatever reads a deck",
    "tests/engine/computed/test_fuzz_expressions.py": "whatever reads and computes an expression",
    "tests/engine/computed/test_ours.py": "our experiments, as an author writes them",
    "tests/engine/experiments/test_contributing.py": "the guide for contributors",
    "tests/engine/experiments/test_every_caption.py": "the sentences below pictures, at every setting",
    "tests/engine/experiments/test_every_declaration.py": "what all experiments declare",
    "tests/engine/experiments/test_every_experiment.py": "what all experiments keep to",
    "tests/engine/experiments/test_every_label.py": "how all experiments name their numbers",
    "tests/engine/experiments/test_every_note.py": "what all experiments say beside their numbers",
    "tests/engine/experiments/test_every_preset.py": "the settings that experiments offer",
    "tests/engine/experiments/test_reference_numbers.py": "the numbers that cards quote",
    "tests/engine/experiments/test_reference_parameters.py": "the sizes that cards quote",
    "tests/quiz/charts/figures/test_every_experiment.py": "the figures that experiments declare, drawn",
    "tests/quiz/commands/test_lab_source.py": "lab's --source, as one reads and saves it",
    "tests/quiz/commands/test_not_files.py": "every command, at pipes, devices and sockets",
    "tests/quiz/commands/test_plain_hints.py": "hints in the plain session",
    "tests/quiz/commands/test_plain_steps.py": "the steps of a card in the plain session, and notes on it",
    "tests/quiz/commands/test_typed_numbers.py": "numbers and keys that are typed, in every command",
    "tests/quiz/golden/test_golden.py": "what others build on",
    "tests/quiz/progress/test_at_once.py": "several programs at one file",
    "tests/quiz/progress/test_fits.py": "fitted parameters, on their way through the log",
    "tests/quiz/progress/test_out_of_reach.py": "every command, in a folder that cannot be used",
    "tests/quiz/progress/test_stress.py": "windows beside each other, while things happen to their file",
    "tests/quiz/statistics/test_statistics_by_hand.py": "numbers of all modules, worked out by hand",
    "tests/quiz/study/test_day_table.py": "from the button over the file to the day: clocks, time zones, flights",
    "tests/quiz/study/test_study_leeches.py": "a session and what it promises to cards in trouble",
    "tests/quiz/card/test_models_of_decks.py": "every way from a deck's file to the engine",
    "tests/quiz/test_bundled_decks.py": "the decks that come with the program, run",
    "tests/quiz/test_guide.py": "the authors' guide, followed",
    "tests/quiz/test_layers.py": "what a fresh interpreter has loaded",
    "tests/quiz/tui/screens/test_early_keys.py": "keys that come before what they would do was seen, in a session",
    "tests/quiz/tui/screens/test_every_screen.py": "the screens beside home and card, as a text",
    "tests/quiz/tui/screens/test_hints.py": "hints, on the screen",
    "tests/quiz/tui/screens/test_pictures.py": "cards with their pictures, as a text",
    "tests/quiz/tui/screens/test_preview_saves.py": "a preview whose file is saved meanwhile",
    "tests/quiz/tui/test_every_slider.py": "the lab of the whole program, with every experiment",
    "tests/quiz/tui/test_selection.py": "text selected with the mouse, and ctrl+c, on every screen",
    "tests/quiz/tui/test_setting_aside.py": "cards set aside, on every screen",
    "tests/quiz/tui/test_small_screens.py": "every screen, in a small terminal",
    "tests/quiz/tui/test_smoothness.py": "the event loop of the whole program",
    "tests/quiz/tui/test_two_states.py": "what every screen keeps to while it is drawn",
    "tests/quiz/tui/test_unsaved.py": "progress that cannot be saved, on every screen",
    "tests/terminal/test_bytes.py": "the real program, and a terminal that sends anything",
    "tests/terminal/test_editor.py": "the real program, and an editor",
    "tests/terminal/test_program.py": "the real program",
    "tests/terminal/test_start.py": "the benchmark of the program's start",
    "tests/terminal/test_watch.py": "the real program, watching",
    "tests/test_benchmarks.py": "every benchmark",
    "tests/test_mirror.py": "the tests themselves",
}


def modules_of(test: Path) -> list[Path]:
    """Where the module of a test file may be: in the folder that its own mirrors, beside it, or its folder's __init__.py."""
    here, name = test.relative_to("tests"), test.name.removeprefix("test_")
    package = here.parent / "__init__.py" if here.parent.name == name.removesuffix(".py") else here.with_name(name)
    return [here.with_name(name), here.with_name(f"_{name}"), test.with_name(name), package]


def test_every_test_has_its_module() -> None:
    """A test file is named after its module, in the same folder, or is on the list above with what it is about; the list is no longer."""
    tests = [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    alone = [test.as_posix() for test in tests if not any((ROOT / module).is_file() for module in modules_of(test))]

    assert sorted(OF_SEVERAL) == alone
