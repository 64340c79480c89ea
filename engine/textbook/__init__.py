"""The ideas themselves, one a module, each short enough to read in a sitting. In an order in which they can be read:

1. Attention: softmax, attention, masks, statistics, projections, heads, permutation, lookup, explanation, additive, sinks.
2. What came before: recurrent, convolution, reach, waiting.
3. Where a token is: positions, relative, rotary, longer_context, windows.
4. A whole layer: feed_forward, activations, dead_units, normalization, running_statistics, norm_placement, residual, dropout, tiny.
5. What it costs: costs, layer_pass, stopwatch, serving.
6. Learning: initial, initialization, losses, perplexity, divergence, clipping, optimizers, training, next_token, precision.
7. BERT: word_list, tokenization, word_pieces, bert, tiny_bert, predictions, masking, bert_sizes, model_sizes, checkpoint.
8. What encoders are for: span_corruption, sentence_vectors, pronouns, coreference, reading.
9. Generating: decoding, search, caching, padding, grouped, online_softmax, linear_attention, speculative, routing, lora, quantization.
"""
