"""The ideas themselves, one a module, each short enough to read in a sitting. In an order in which they can be read:

1. Attention: softmax, attention, statistics, projections, heads, permutation, lookup, explanation, additive.
2. What came before: recurrent, convolution, reach, waiting.
3. Where a token is: positions, relative, rotary.
4. A whole layer: feed_forward, activations, normalization, norm_placement, residual, dropout, tiny, costs, layer_pass, stopwatch.
5. Learning: initial, initialization, losses, optimizers, training, next_token, precision.
6. BERT: word_list, tokenization, word_pieces, bert, tiny_bert, predictions, bert_sizes, model_sizes, checkpoint.
7. What a pronoun means: pronouns, coreference.
8. Serving: decoding, caching, serving, grouped, online_softmax, linear_attention, speculative, routing, lora, quantization.
"""
