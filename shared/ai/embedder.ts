/** Turns texts into vectors whose closeness is closeness of meaning, of wording, or of both. */

export interface VectorSpace {
  /** Vectors of different spaces are not comparable. At most 20 characters of `a-z0-9-`. */
  id: string;
  dimensions: number;
}

export interface Embedder extends VectorSpace {
  /** What close vectors have in common; it decides their weight against keywords. */
  likeness: 'lexical' | 'semantic' | 'both';
  /**
   * @param kind some models embed queries and passages differently
   * @returns vectors of length 1, in the order of the texts; undefined for a text that the model cannot represent,
   *   which is found by keywords only
   * @throws ThrottledError when the service still asks to retry later after several attempts
   */
  embed(texts: readonly string[], kind: 'query' | 'passage'): Promise<(Float32Array | undefined)[]>;
  /** Returns the vector of the spelling of a text that `embed` cannot represent, for searches without keywords. */
  embedSpelling?(text: string): Float32Array;
}
