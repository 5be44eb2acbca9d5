/** Keeping vectors, and finding those that are closest to another. */

export interface StoredVector {
  key: string;
  vector: Float32Array;
  /** What a search can be limited to: the file of a passage, say. */
  group: string;
}

/** A vector that was found. */
export interface Match {
  key: string;
  /** The cosine of the angle between it and what was looked for, from -1 to 1. */
  similarity: number;
}

/** An index holds the vectors of one tenant and one embedder, and is there as soon as something is put into it. */
export interface VectorStore {
  /** Puts vectors, or puts them anew. */
  put(index: string, vectors: readonly StoredVector[]): Promise<void>;
  /** Succeeds as well where there is none. */
  remove(index: string, keys: readonly string[]): Promise<void>;
  /** Removes an index with all its vectors. Succeeds as well where there is none. */
  removeIndex(index: string): Promise<void>;
  /**
   * The closest vectors, closest first; none of an index that is not there.
   * @param limit at most 100
   * @param groups only those of these groups, at most 100 of them
   */
  query(index: string, vector: Float32Array, options: { limit: number; groups?: readonly string[] }): Promise<Match[]>;
  /** How close just these are, where they are there. */
  similarities(index: string, vector: Float32Array, keys: readonly string[]): Promise<Map<string, number>>;
}
