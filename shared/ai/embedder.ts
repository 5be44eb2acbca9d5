/** Turns texts into vectors that are close if the texts are similar in meaning, wording or both. */

export interface EmbeddingModel {
  /** Vectors of different models are not comparable. At most 20 characters of `a-z0-9-`. */
  id: string;
  dimensions: number;
}

export interface Embedder extends EmbeddingModel {
  /** Kind of similarity. Determines the weight of vectors against keywords. */
  likeness: 'lexical' | 'semantic' | 'both';
  /**
   * Embeds texts. Some models embed queries and passages differently.
   * @param tenant the bot; one bot's backlog does not delay other bots
   * @returns unit vectors in the order of the texts; undefined for a text that the model cannot represent, which is
   * found by keywords only
   * @throws ThrottledError after several throttled attempts
   */
  embed(texts: readonly string[], kind: 'query' | 'passage', tenant: string): Promise<(Float32Array | undefined)[]>;
  /** Embeds the spelling of a text that `embed` cannot represent, for searches without keywords. */
  embedSpelling?(text: string): Float32Array;
}
