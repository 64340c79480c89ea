"""What can go wrong between a request and its Result: one class for each reaction, one sentence for each language."""

from __future__ import annotations

from engine.label import ExperimentError

EXCERPT = 300  # characters of somebody else's text within a sentence of ours


class UnknownExperiment(ExperimentError):
    """There is no experiment of this name."""


class BrokenExperiment(ExperimentError):
    """The experiment's file cannot be loaded or described."""


class RunFailed(ExperimentError):
    """The experiment's own code raised, or returned something that it does not declare."""


class Superseded(ExperimentError):
    """A newer request took the place of this one; nothing is wrong."""


class Cancelled(ExperimentError):
    """Stopped on request."""


class DeadlineExceeded(ExperimentError):
    """It computed for longer than its experiment allows."""


class OutOfPatience(DeadlineExceeded):
    """It was not done although nobody can say that it computed for too long: the machine is busy, or something hangs."""


class WorkerDied(ExperimentError):
    """The process that computes ended by itself."""


class WorkerClosed(ExperimentError):
    """The worker was closed before."""


def excerpt(text: object) -> str:
    """The text on one line, at most EXCERPT characters, without control characters and the full stop that our sentence has itself."""
    line = " ".join("".join(char if char.isprintable() else " " for char in str(text)).split()).rstrip(".")
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


def superseded() -> Superseded:
    return Superseded("A newer request took its place.", "已被更新的请求取代。")


def cancelled() -> Cancelled:
    return Cancelled("Stopped.", "已停止。")


def closed() -> WorkerClosed:
    return WorkerClosed("The lab is closed; start the program again to compute.", "实验室已关闭；如需计算，请重新启动程序。")


def run_failed(name: str, error: Exception) -> RunFailed:
    reason = excerpt(f"{type(error).__name__}: {error}")
    return RunFailed(
        f"The experiment {name} failed: {reason}. Try other values.",
        f"实验 {name} 出错：{reason}。请换其他参数再试。",
    )


def not_as_declared(name: str, error: Exception) -> RunFailed:
    """An author's mistake, which no other value of a parameter mends."""
    reason = excerpt(error)
    return RunFailed(
        f"The experiment {name} does not measure what it declares: {reason}. Correct the experiment.",
        f"实验 {name} 的结果与声明不符：{reason}。请修正该实验。",
    )


def deadline_exceeded(name: str, seconds: float) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"{name} took longer than {seconds:g} s and was stopped. Choose smaller values.",
        f"{name} 超过 {seconds:g} 秒，已停止。请调小参数。",
    )


def out_of_patience(name: str, seconds: float) -> OutOfPatience:
    return OutOfPatience(
        f"{name} was not done after {seconds:g} s, as the machine is busy or the run hangs, and was stopped. Try once more.",
        f"{name} 运行 {seconds:g} 秒仍未完成，已停止：可能是电脑正忙，也可能是运行卡住了。请重试。",
    )


def not_started(error: OSError) -> WorkerDied:
    reason = excerpt(error)
    return WorkerDied(
        f"The computing process cannot be started: {reason}. Free some memory, then restart the program.",
        f"无法启动计算进程：{reason}。请释放一些内存，然后重启程序。",
    )


def silent(seconds: float) -> WorkerDied:
    return WorkerDied(
        f"The computing process did not answer within {seconds:g} s and is being started again. Try once more.",
        f"计算进程在 {seconds:g} 秒内没有响应，正在重新启动。请重试。",
    )


def silent_for_good(times: int, seconds: float) -> WorkerDied:
    return WorkerDied(
        f"The computing process did not answer within {seconds:g} s, {times} times in a row; it is not started again. "
        "Check PyTorch, then restart the program.",
        f"计算进程连续 {times} 次在 {seconds:g} 秒内没有响应，不再重新启动。请检查 PyTorch 是否可用，然后重启程序。",
    )


def died(cause: str) -> WorkerDied:
    return WorkerDied(
        f"The computing process ended ({cause}) and is being started again. Try once more, or with smaller values.",
        f"计算进程已退出（{cause}），正在重新启动。请重试，或调小参数。",
    )


def died_for_good(times: int, cause: str) -> WorkerDied:
    return WorkerDied(
        f"The computing process ended {times} times in a row ({cause}); it is not started again. Check PyTorch, then restart the program.",
        f"计算进程连续退出 {times} 次（{cause}），不再重新启动。请检查 PyTorch 是否可用，然后重启程序。",
    )
