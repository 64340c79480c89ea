"""Card text: Markdown, live numbers and formulas, as blocks and spans for whoever draws them."""
