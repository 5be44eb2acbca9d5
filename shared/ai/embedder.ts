/** Turning text into vectors, whose closeness is that of meanings; and who does it. */

export interface Embedder {
  /** Names the vector space: vectors of one can't be compared with those of another. At most 20 of `a-z0-9-`. */
  id: string;
  dimensions: number;
  /** What close vectors have in common. It decides how much they count beside keywords. */
  likeness: 'ofWords' | 'ofMeaning';
  /**
   * Vectors of length 1, in the order of the texts.
   * @param kind some models tell what is looked for from what is found
   * @throws Throttled when the service asks to come back later, after having tried for a while
   */
  embed(texts: readonly string[], kind: 'query' | 'passage'): Promise<Float32Array[]>;
}
