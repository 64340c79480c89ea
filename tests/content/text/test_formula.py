"""LaTeX in a terminal: one line where a line is enough, drawn rows where it is not, an error by name where neither can."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.text import formula
from content.text.formula import MathError, check, display, inline


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        ("x^2", "x²"),
        (r"\sqrt{d_k}", "√d_k"),
        (r"\frac{QK^\top}{\sqrt{d_k}}", "QKᵀ/√d_k"),
        (r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "softmax(QKᵀ/√d_k)V"),
        (r"\operatorname*{softmax}_i(x)", "softmax_i(x)"),
        (r"\mathrm{Attention}(Q,K,V)", "Attention(Q, K, V)"),
        (r"\sum_{i=1}^{n} x_i \le \infty", "∑_(i=1)ⁿ x_i ≤ ∞"),
        (r"p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}", "p_i = e^(x_i)/(∑_j e^(x_j))"),
        (r"\frac{a+b}{c d}", "(a + b)/(cd)"),
        (r"\frac{1}{2}x", "(1/2)x"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\frac12", "1/2"),
        (r"\frac{\partial L}{\partial x}", "∂L/∂x"),
        (r"\sqrt{x+1}", "√(x + 1)"),
        (r"\sqrt[3]{x}", "³√x"),
        (r"\sigma_q^2 \cdot d_{\text{model}}", "σ_q² · d_model"),
        (r"x_i x_j", "x_i x_j"),
        (r"n d_k + 4d_k", "n d_k + 4d_k"),
        (r"\log p(x_t \mid x_{<t})", "log p(x_t | x_(<t))"),
        (r"\max(0, xW_1 + b_1)", "max(0, xW₁ + b₁)"),
        (r"-x \le -1 - 2", "-x ≤ -1 - 2"),
        (r"10^{-4}", "10⁻⁴"),
        (r"x^12", "x¹2"),
        (r"{a+b}^2", "(a + b)²"),
        (r"e^{-x^2}", "e^(-x²)"),
        (r"h^{(l+1)}", "h⁽ˡ⁺¹⁾"),
        (r"\mathrm{PE}_{(pos,2i)}", "PE_(pos,2i)"),
        (r"\hat{x} \in \mathbb{R}^{n \times d}", "x̂ ∈ ℝ^(n×d)"),
        (r"\lVert x \rVert_2", "‖x‖₂"),
        (r"P(A|B) > 50\%", "P(A|B) > 50%"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "(1 2; 3 4)"),
        (r"\begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}", "{ x, x > 0; 0, otherwise"),
        (r"\text{准确率} = \frac{\text{对}}{\text{全部}}", "准确率 = 对/全部"),
        (r"1,234 \to 1.2e-16 ≤ ∞ …", "1,234 → 1.2e-16 ≤ ∞…"),
        (r"\nabla_\theta L \ne x'", "∇_θ L ≠ x′"),
        (r"\binom{n}{k}", "C(n, k)"),
        (r"KW_i^K + QW_i^Q", "K W_i^K + Q W_i^Q"),
        (r"W^O x", "W^O x"),
        (r"(x^Q)", "(x^Q)"),
        (r"\Theta(n) \lesssim \Omega(n^2)", "Θ(n) ≲ Ω(n²)"),
        (r"\underbrace{x+y}_{\text{sum}} = \overbrace{z}^{all}", "(x + y)_sum = z_all"),
        (r"X \xrightarrow{f} Y \xleftarrow{g} Z", "X →ᶠ Y ←ᵍ Z"),
        (r"\underset{\theta}{\arg\min} \overset{d}{=} \stackrel{d}{=}", "(arg min)_θ =ᵈ =ᵈ"),
        (r"\not= \not\in \not\equiv \not\subset", "≠ ∉ ≢ ⊄"),
        (r"\sum_{\substack{i<n \\ j}} x", "∑_(i<n,j) x"),
        (r"\begin{equation} x = y \end{equation}", "x = y"),
        (r"\begin{array}{cc} 1 & 2 \\ 3 & 4 \end{array}", "1 2; 3 4"),
        (r"\begin{dcases} 1 & x \\ 0 & y \end{dcases}", "{ 1, x; 0, y"),
        (r"\textcolor{red}{x} \color{blue} \boxed{y} \label{a} \tag{1} \nonumber", "xy"),
        (r"\left\langle x, y \right\rangle \left\lVert x \right\rVert", "⟨x, y⟩‖x‖"),
        (r"\left\{ x \middle| y \right\}", "{x|y}"),
        (r"\text{it’s 5\% – “x”}", "it’s 5% – “x”"),
        (r"\bigcup_{i=1}^n A_i \nleq \iint f", "⋃_(i=1)ⁿ A_i ≰ ∬ f"),
        (r"\nicefrac{1}{2} \leqslant \mathds{1} \Longrightarrow \dotsc", "1/2 ≤ 1 ⇒ …"),
        ("x · y – z × w", "x · y - z × w"),
        ("f（x）＝ｘ，ｙ", "f(x) = x, y"),
        ("x² + y₁ − 5€ ≲ ‖z‖", "x² + y₁ - 5€ ≲ ‖z‖"),
    ],
)
def test_math_in_a_line(tex: str, line: str) -> None:
    """Inline math is one line of Unicode that means the formula, with parentheses where the layout carried them."""
    assert line == inline(tex)


@pytest.mark.parametrize(
    ("tex", "rows"),
    [
        (
            r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
            """
                   ⎛  QKᵀ  ⎞
            softmax⎜╶─────╴⎟V
                   ⎜  ┌──╴ ⎟
                   ⎝ ╰┘dₖ  ⎠
            """,
        ),
        (
            r"\sigma(x) = \frac{1}{1+e^{-x}}",
            """
                      1
            σ(x) = ╶─────╴
                    1+e⁻ˣ
            """,
        ),
        (
            r"\sum_{i=1}^{n} x_i \le \infty",
            """
             ₙ
            ┰─╴
            ▐╸ xᵢ ≤ ∞
            ┸─╴
            ⁱ⁼¹
            """,
        ),
        (
            r"A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
            """
                ⎛1 2⎞
            A = ⎝3 4⎠
            """,
        ),
        (
            r"f(x) = \begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}",
            """
                   ⎧x  x > 0
            f(x) = ⎩0  otherwise
            """,
        ),
        (
            r"\text{准确率} = \frac{\text{对}}{\text{全部}}",
            """
                       对
            准确率 = ╶────╴
                      全部
            """,
        ),
        (r"\log p \cdot \sqrt{x}", "\nlog p⋅√x\n"),
        (r"Q = XW_Q", "\nQ = X W_Q\n"),
        (r"K = XW_K", "\nK = X W_K\n"),
        (r"x^2 + y_i^2", "\nx² + y_i²\n"),
        (r"\Theta(n) \lesssim x", "\nΘ(n) ≲ x\n"),
        (r"\underbrace{x+y}_{s}", "\n(x+y)ₛ\n"),
        (r"X \xrightarrow{f} Y", "\nX →ᶠ Y\n"),
        (r"x² · y – z", "\nx²⋅y-z\n"),
    ],
)
def test_math_in_rows(tex: str, rows: str) -> None:
    """Display math is drawn row by row; a wide character takes two cells, so that a fraction's line is as long as what it divides."""
    lines = rows.split("\n")[1:-1] if "            " in rows else [rows.strip()]
    margin = min(len(line) - len(line.lstrip()) for line in lines)

    assert tuple(line[margin:] for line in lines) == display(tex)


@pytest.mark.parametrize(
    ("tex", "message", "offset"),
    [
        (r"a + \foo", r"\foo cannot be shown", 4),
        (r"\cancel{x}_y", r"\cancel cannot be shown", 0),
        (r"\\frac{a}{b}", r"\\frac has two backslashes", 0),
        (r"x + \\theta", r"\\theta has two backslashes", 4),
        (r"x \\ y", r"\\ stands outside a matrix", 2),
        (r"x \not\alpha", r"\not before \alpha cannot be shown", 2),
        (r"\substack x", r"\substack lacks its braces", 10),
        (r"\underset{x}", r"\underset lacks what belongs to it", 12),
        (r"\begin{tikz} x \end{tikz}", r"\begin{tikz} cannot be shown", 0),
        (r"\begin{pmatrix} 1", r"\begin{pmatrix} has no \end", 0),
        (r"\begin{pmatrix} 1 \end{cases}", r"\begin{pmatrix} ends as something else", 0),
        (r"\frac{a}{b", "{ is never closed", 8),
        (r"a}", "} closes nothing", 1),
        (r"\left( x", r"\left has no \right", 0),
        ("\\left\x1b", "\\left U+001B cannot be shown", 5),
        ("\\\x1b", "\\U+001B cannot be shown", 0),
        (r"\left< x \right>", r"\left < cannot be shown", 5),
        (r"x^", "^ lacks what belongs to it", 2),
        (r"\frac{a}", r"\frac lacks what belongs to it", 8),
        (r"x_1_2", "a second _ on one letter", 3),
        (r"a & b", "& stands outside a matrix", 2),
        (r"a $ b", "a $ inside math", 2),
        (r"\text{a_b}", r"_ inside \text", 7),
        ("\\text{a\x1bb}", "\x1b inside \\text", 7),
        ("x\x1b", "U+001B cannot be shown in math", 1),
        ("注", "注 cannot be shown in math", 0),
        ("{" * 14 + "x" + "}" * 14, "more than 12 levels of nesting", 12),
        ("x" * 1001, "1,001 characters of math; the limit is 1,000", 1000),
        ("x\\", "a \\ without a command", 1),
    ],
)
def test_what_cannot_be_shown_is_refused_by_name(tex: str, message: str, offset: int) -> None:
    """An author reads which command or character it is, and where."""
    with pytest.raises(MathError) as refused:
        inline(tex)

    assert (message.replace("\x1b", "U+001B"), offset) == (refused.value.message, refused.value.offset)


@pytest.mark.parametrize(
    "tex", [r"\left(\begin{pmatrix} 1 \end{pmatrix}\right)", "{}", "x" * 200, r"\begin{matrix}" + r"1 \\ " * 60 + r"\end{matrix}"]
)
def test_what_cannot_be_drawn_is_an_error(tex: str) -> None:
    """Where TeXicode gives up, or the art is empty or too large, display says so instead of showing something else."""
    inline(tex)
    with pytest.raises(MathError):
        display(tex)


COMMANDS = [
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\sum", r"\text{hi}", r"\begin{pmatrix}", r"\end{pmatrix}", r"\\", r"\alpha", r"\hat"),
    *(
        r"\mathbb",
        r"\log",
        r"\,",
        r"\quad",
        r"\|",
        r"\{",
        r"\max",
        "{",
        "}",
        "^",
        "_",
        "[",
        "]",
        "(",
        ")",
        "&",
        "x",
        "2",
        "12",
        "+",
        "=",
        "-",
    ),
    *(",", " ", "'", "注", "\x1b", "\u202e", "\x9b", "%", "~", "😀", "\\"),
]


@settings(deadline=None)
@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(COMMANDS), max_size=25).flatmap(lambda parts: st.sampled_from([" ".join(parts), "".join(parts)]))
)
def test_any_text_is_shown_clean_or_refused(tex: str) -> None:
    """Nothing but MathError is raised, and nothing that a terminal obeys or hides comes out."""
    try:
        shown = [inline(tex), *display(tex)]
    except MathError as error:
        shown = [error.message, error.hint]

    assert all(character.isprintable() or unicodedata.category(character) == "Mn" for line in shown for character in line)


def test_a_command_whose_art_is_wrong_is_refused() -> None:
    """TeXicode draws a left triangle for \\rhd: a wrong symbol is worse than an error."""
    with pytest.raises(MathError):
        display(r"\rhd")


@pytest.mark.parametrize("tex", [r"K_i^\top", r"QK_i^\top", r"W_Q^\top", r"K^\top", r"K_{ij}^\top"])
def test_a_transpose_is_never_dropped(tex: str) -> None:
    """A letter with an index and a transpose shows both: TeXicode once left the transpose out without a word."""
    assert 1 == "".join(display(tex)).count("ᵀ")


SIGNS = st.sampled_from([*sorted(formula._SURE_SIGNS), "x", "Q", "12", "d_k", "q_{12}^\\top", "W_Q", "e^{-x}"])
FORMULAS = st.recursive(
    SIGNS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map(" ".join),
        st.builds(r"\frac{{{}}}{{{}}}".format, inner, inner),
        st.builds(r"\sqrt{{{}}}".format, inner),
        st.builds(r"x_{{{}}}^{{{}}}".format, inner, inner),
        st.builds(r"{{{}}}_k".format, inner),
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(FORMULAS)
def test_what_is_sure_to_be_drawn_is_drawn(tex: str) -> None:
    """A check without drawing finds what drawing would: the same refusal, or none."""
    assert refusal(display, tex) == refusal(check, tex)


@pytest.mark.parametrize("tex", ["", r"\frac{\begin{pmatrix} 1 \end{pmatrix}}{2}", "+".join(["x"] * 100), r"\rhd", r"\frac{1}{2", "x_"])
def test_a_check_refuses_what_drawing_refuses(tex: str) -> None:
    """Whatever is not plain is drawn to be checked."""
    assert None is not refusal(display, tex)
    assert refusal(display, tex) == refusal(check, tex)


def test_a_plain_formula_is_checked_without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formula of every other card takes no drawing to be found right."""
    monkeypatch.setattr(formula, "display", lambda tex: pytest.fail(f"{tex} was drawn"))

    assert None is refusal(check, r"x_{12} = \frac{q_{12}^\top k}{\sqrt{d_k}} + \sigma^2")


def refusal(judge: Callable[[str], object], tex: str) -> tuple[str, int, str] | None:
    try:
        judge(tex)
    except MathError as error:
        return error.message, error.offset, error.hint
    return None
