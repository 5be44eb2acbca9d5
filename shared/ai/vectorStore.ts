/** Stores vectors and finds the nearest neighbours of one. */

export interface StoredVector {
  key: string;
  vector: Float32Array;
  /** Searches can be restricted to groups: a passage's group is its file. */
  group: string;
}

export interface Match {
  key: string;
  /** Cosine similarity to the query, from -1 to 1. */
  similarity: number;
}

/** An index holds the vectors of one tenant and one embedder; the first `put` creates it. */
export interface VectorStore {
  /**
   * Inserts or replaces vectors.
   * @returns false when the store has no room for another index: nothing was stored, and searches of the index find
   * nothing
   */
  put(index: string, vectors: readonly StoredVector[]): Promise<boolean>;
  /** Ignores unknown keys. */
  remove(index: string, keys: readonly string[]): Promise<void>;
  /** Removes an index with all its vectors, if there is one. */
  removeIndex(index: string): Promise<void>;
  /**
   * @param limit at most 100
   * @param groups restricts the search to at most 100 groups
   * @returns the nearest vectors, nearest first; none for an unknown index
   */
  query(index: string, vector: Float32Array, options: { limit: number; groups?: readonly string[] }): Promise<Match[]>;
  /** The similarity of each of these keys that exists. */
  similarities(index: string, vector: Float32Array, keys: readonly string[]): Promise<Map<string, number>>;
}
