export interface StoredVector {
  key: string;
  vector: Float32Array;
  /** Restricts searches: a passage's group is its file. */
  group: string;
}

export interface Match {
  key: string;
  similarity: number;
}

/** An index contains the vectors of one tenant and one embedder. The first `put` creates it. */
export interface VectorStore {
  /**
   * Inserts or replaces vectors.
   * @returns false if the store has no room for another index: nothing is stored, and searches of the index return
   * nothing
   */
  put(index: string, vectors: readonly StoredVector[]): Promise<boolean>;
  remove(index: string, keys: readonly string[]): Promise<void>;
  removeIndex(index: string): Promise<void>;
  /**
   * @param limit at most 100
   * @param groups at most 100 groups to search
   * @returns nearest first; none for an unknown index
   */
  query(index: string, vector: Float32Array, options: { limit: number; groups?: readonly string[] }): Promise<Match[]>;
  similarities(index: string, vector: Float32Array, keys: readonly string[]): Promise<Map<string, number>>;
}
