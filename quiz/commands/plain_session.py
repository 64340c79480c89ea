"""The same session without a full-screen interface: a question, an answer, a grade, line by line. For screen readers and pipes."""

from __future__ import annotations

from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from content.deck.cards import Deck
from content.messages.sentence import in_language
from content.yaml.problems import render
from engine import Worker
from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import deck_folder
from quiz.card.card_run import CardRun, run_card
from quiz.card.deck_paths import MissingDeck, note_studied, resolve_decks
from quiz.card.follow_ups import follow_ups, with_names
from quiz.card.interval_text import interval_text
from quiz.card.planned_run import asked_experiment
from quiz.card.progress_sentences import clock_sentence, error_sentence, opening_warning, waiting_warning
from quiz.card.summary_parts import summary_parts
from quiz.card.today import count_misdated, nothing_to_ask
from quiz.commands.output import WIDTH, fail
from quiz.commands.picture import picture_rows, print_rows
from quiz.commands.plain_answers import read_confidence, read_points, read_response, tell_of_hints
from quiz.commands.plain_talk import AskedAside, Left, Talk
from quiz.commands.printer import Printer
from quiz.exit_codes import INTERRUPTED, OK, PROBLEM, UNSAVED, USAGE
from quiz.memory.card_ids import earlier_names
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress import backups
from quiz.progress.errors import ProgressError
from quiz.progress.open import Opened, open_for_session
from quiz.study import card_steps
from quiz.study.filter import Filter
from quiz.study.learner import LearnerState
from quiz.study.study import Study, begin_study
from quiz.study.turn import recalls, suggested_grade
from quiz.terminal.streams import OutputLost
from quiz.words.i18n import Words


def run(decks: tuple[str, ...], wanted: Filter, *, practise: bool, language: str) -> int:
    """A whole session; the exit code is 3 when a grade could not be saved, 130 when ctrl+c ended it."""
    words = Words.of(language)
    try:
        library = resolve_decks(decks)()
    except MissingDeck as error:
        return fail(in_language(error.sentence, words.language), USAGE)
    for problem in library.problems:
        fail(render(problem, words.language), USAGE)
    if decks and not library.decks:
        return USAGE
    read = [loaded.deck for loaded in library.decks]
    found = _open(read, words)
    _mind_the_clock(found, words)
    console = Printer()
    with closing(found.store), Worker() as worker:
        talk = Talk(console, words, worker, library)
        try:
            study = begin_study(read, found.store, Moment.now, wanted, practise=practise)
            why = "" if study else nothing_to_ask(read, LearnerState.of(found.store), Moment.now(), wanted, words, practise=practise)
        except ProgressError as error:
            return fail(error_sentence(error, words), PROBLEM)
        if study is None:
            talk.tell(why)
            return OK
        if study.progress and found.failure is None:
            note_studied(loaded.path for loaded in library.decks)
        talk.flag = partial(_flag, study, talk)
        code = _session(study, talk)
    if found.failure is None:
        _back_up(Path(found.store.path), words)
    return code if found.store.keeps else UNSAVED


def _say(sentence: str) -> None:
    fail(sentence, UNSAVED)


def _back_up(progress: Path, words: Words) -> None:
    """Today's backup, after the session: nobody waits for it then."""
    try:
        backups.make_daily(progress, datetime.now())
    except ProgressError as error:
        _say(words("backup.failed", reason=error_sentence(error, words)))


def _open(decks: list[Deck], words: Words) -> Opened:
    """The progress, or memory in its place; a failure is said before the first question."""
    found = open_for_session(earlier_names(decks), lambda error: _say(waiting_warning(error, words)))
    if sentence := opening_warning(found, words):
        fail(sentence, UNSAVED)
    return found


def _mind_the_clock(found: Opened, words: Words) -> None:
    """That the computer's clock is wrong or was, before a grade is dated by it."""
    with suppress(ProgressError):  # beginning the session says it
        today = Moment.now().day
        if sentence := clock_sentence(count_misdated(found.store.memories(), today), today, words):
            fail(sentence, UNSAVED)


def _session(study: Study, talk: Talk) -> int:
    """Card after card until none is left or the learner leaves; the exit code says when a grade was not saved, or ctrl+c ended it."""
    saved, code = True, OK
    try:
        while _next(study, talk):
            try:
                _turn_or_aside(study, talk)
            except ProgressError as error:
                saved = False
                fail(talk.words("store.failed", reason=error_sentence(error, talk.words)), UNSAVED)
    except (Left, KeyboardInterrupt, OutputLost) as left:  # nobody grades what nobody sees
        code = INTERRUPTED if isinstance(left, KeyboardInterrupt) else OK
        talk.tell()
    talk.tell()
    study.confirm()
    talk.show(summary_parts(study, talk.words))
    return code if saved else UNSAVED


def _flag(study: Study, talk: Talk, note: str) -> None:
    """Keeps what is wrong with the card that is asked. Raises ProgressError."""
    turn = study.session.turn
    if turn and study.flag(note):
        talk.tell(talk.say("flag.kept", card=turn.card.id))


def _next(study: Study, talk: Talk) -> bool:
    study.advance()
    if study.session.turn is None and study.session.returning:
        with suppress(AskedAside):  # there is no card that it could mean
            talk.ask("plain.hasten")
        study.hasten()
    return study.session.turn is not None


def _turn_or_aside(study: Study, talk: Talk) -> None:
    """One card, unless the learner sets it aside instead."""
    turn = study.session.turn
    assert turn is not None
    try:
        _turn(study, talk)
    except AskedAside as asked:
        done = study.set_aside(asked.kind)
        talk.tell(talk.say(f"aside.{asked.kind}" if done else "aside.practice", card=turn.card.id))
        if not done:
            _turn_or_aside(study, talk)


def _turn(study: Study, talk: Talk) -> None:
    """One card, from its question to its grade; undo goes back to the reveal of the card before."""
    turn = study.session.turn
    assert turn is not None
    card_run, state = CardRun(turn.card, beside=deck_folder(talk.library, turn.item.deck), language=talk.words.language), ""
    future = talk.worker.describe(asked_experiment(turn.card.verify.own)) if turn.card.verify else None  # gets ready while one thinks
    study.start_clock()
    if study.failed and future:
        card_run, state = run_card(card_run, talk.worker, talk.words)  # the detail may have numbers of the run
    if turn.stage == "ask":
        practice = "" if study.progress else f" ({talk.say('session.practice')})"
        talk.tell(f"\n[{study.session.position}/{study.session.total}] {turn.card.id}{practice}")
        talk.show(card_parts.question_parts(turn, talk.words, card_run.names, study.failed, ("detail",)))  # no lab to move here
        tell_of_hints(turn, talk)
        response = read_response(study, talk)  # first: hints that are shown meanwhile are part of the session
        study.session = card_steps.respond(study.session, response)
        confidence = read_confidence(study, talk)
        study.session = card_steps.leave_question(study.session, confidence)
    if grade := _recalled(study, talk, card_run):
        study.grade(grade)
        return
    if future:
        card_run, state = run_card(card_run, talk.worker, talk.words)
        study.session = card_steps.set_measured(study.session, card_run.measured())
    _revealed(study, talk, card_run, state)
    _graded(study, talk)


def _recalled(study: Study, talk: Talk, card_run: CardRun) -> Grade | None:
    """The key points, where the card has some to tick before its answer; a grade that was given there needs no answer."""
    turn = study.session.turn
    if turn is None or turn.stage != "recall":
        return None
    talk.show(card_parts.key_point_parts(turn, talk.words, card_run.names))
    given = read_points("plain.recall", study, talk)
    study.session = card_steps.reveal(study.session, None) if given is None else study.session
    return given


def _revealed(study: Study, talk: Talk, card_run: CardRun, state: str) -> None:
    turn = study.session.turn
    assert turn is not None
    talk.tell()
    links = with_names(follow_ups(turn.item, talk.decks))
    parts = answer_parts(turn, talk.words, card_run.names, card_run.verdicts(), state, links=links)
    parts = [part for part in parts if part.role not in ("question", "predicted")]  # they stand a few lines above
    place = next((i for i, part in enumerate(parts) if part.role == card_parts.PICTURE), 0)
    talk.show(parts[:place])
    width = min(talk.console.width, WIDTH)
    print_rows(talk.console, picture_rows(card_run, turn.response.number, width, talk.console.pen(talk.words)))
    talk.show(parts[place:])
    if turn.card.key_points and not recalls(turn.card):
        read_points("plain.points", study, talk)


def _graded(study: Study, talk: Talk) -> None:
    turn = study.session.turn
    assert turn is not None
    given = {grade: interval_text(interval, talk.words) for grade, interval in study.promises().items()}
    talk.tell("\n" + "  ".join(f"{int(grade)} {talk.say(f'grade.{int(grade)}')} {given.get(grade, '')}".rstrip() for grade in Grade))
    proposed = int(suggested_grade(turn))
    while True:
        said = talk.ask("plain.grade", suggested=proposed).lower() or str(proposed)
        if said == "u":
            if study.undo():
                return
            talk.tell(talk.say("undo.nothing"))
        elif said in {"1", "2", "3", "4"}:
            study.grade(Grade(int(said)))
            return
        else:
            talk.tell(talk.say("plain.bad_grade"))
