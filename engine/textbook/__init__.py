"""The ideas themselves, one a module, each short enough to read in a sitting. In an order in which they can be read:

1. Attention: softmax, attention, attention_checks, differences, mask_fills, mask_averages,
   empty_rows, weight_statistics, saturation_gradient, projections,
   multi_head_variants, many_layers, permutation_symmetry, lookup_task, weights_as_explanation,
   additive_attention, sink_tokens.
2. What came before: recurrent, convolution, dependence, attention_reach, critical_path.
3. Where a token is: absolute_positions, relative_positions, rotary_positions,
   longer_context, text_chunks.
4. A whole layer: feed_forward, xor, activations, dead_units, normalization,
   running_statistics, norm_placement, deep_transformers, residual_stack, dropout,
   tiny_transformer.
5. What it costs: layer_costs, layer_pass, stopwatch, serving_costs.
6. Learning: random_weights, initialization, losses, perplexity, bigram, divergence,
   clip_gradients, optimizers, training_loop, next_token, precision.
7. BERT: word_counts, subword_training, bert_tokenizer, bert, tiny_bert,
   trained_tiny_bert, pretraining_heads, masked_language_model, bert_sizes, model_sizes,
   counted_models, checkpoint.
8. What encoders are for: span_corruption, pretraining_objectives,
   sentence_vectors, pronoun_sentences, coreference_model, pretrained_weights.
9. Generating: decoding, sequence_search, cached_decoding, padding, grouped_attention,
   online_softmax, linear_attention, speculative_sampling, expert_routing, lora,
   quantization.
"""
