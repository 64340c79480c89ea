"""`python -m quiz`, the same as `qkv`."""

from quiz.cli import main

if __name__ == "__main__":
    main()
