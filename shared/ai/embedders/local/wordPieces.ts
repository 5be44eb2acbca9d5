/**
 * Splits a text into the most probable sequence of word pieces, as the unigram model of SentencePiece (Kudo, Subword
 * Regularization, 2018).
 */
import type { Vocabulary } from './readWeights.ts';

export const UNKNOWN = 0;
const RESERVED = 6;
const UNKNOWN_PENALTY = 10;
const SPACE = '\u2581';

export interface Pieces {
  ids: number[];
  characters: number;
  unknownCharacters: number;
  logProbability: number;
}

interface Node {
  next: Map<string, Node>;
  piece?: { id: number; score: number };
}

export function openWordPieces(vocabulary: Vocabulary): (text: string) => Pieces {
  const root: Node = { next: new Map() };
  let lowest = 0;
  for (const [id, [piece, score]] of vocabulary.entries()) {
    if (id < RESERVED) continue;
    let node = root;
    for (const character of piece) {
      const next = node.next.get(character) ?? { next: new Map() };
      node.next.set(character, next);
      node = next;
    }
    node.piece = { id, score };
    lowest = Math.min(lowest, score);
  }
  const unknownScore = lowest - UNKNOWN_PENALTY;

  return text => {
    const characters = [...simplify(text)];
    const best = findBest(characters, root, unknownScore);
    const ids: number[] = [];
    let unknownCharacters = 0;
    let logProbability = 0;
    for (let end = characters.length; end > 0; end -= best[end]!.length) {
      const { id } = best[end]!;
      if (id === UNKNOWN) unknownCharacters++;
      else logProbability += vocabulary[id]![1];
      if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id);
    }
    const visible = characters.filter(character => character !== SPACE).length;
    return { ids: ids.reverse(), characters: visible, unknownCharacters, logProbability };
  };
}

/** The model was trained on texts with a space before each word. */
const simplify = (text: string) => ` ${text.toWellFormed().normalize('NFKC').trim()}`.trimEnd().replace(/\s+/gu, SPACE);

interface Step {
  score: number;
  id: number;
  length: number;
}

/** Finds the last piece of the most probable sequence that ends at each position. */
function findBest(characters: readonly string[], root: Node, unknownScore: number): Step[] {
  const best: Step[] = Array.from({ length: characters.length + 1 }, () => ({
    score: Number.NEGATIVE_INFINITY,
    id: UNKNOWN,
    length: 1,
  }));
  best[0]!.score = 0;
  for (const [start, character] of characters.entries()) {
    const { score: before } = best[start]!;
    const offer = (end: number, id: number, score: number) => {
      if (before + score > best[end]!.score) best[end] = { score: before + score, id, length: end - start };
    };
    let node = root.next.get(character);
    if (!node?.piece) offer(start + 1, UNKNOWN, unknownScore);
    for (let end = start + 1; node; end++) {
      if (node.piece) offer(end, node.piece.id, node.piece.score);
      node = node.next.get(characters[end] ?? '');
    }
  }
  return best;
}
