import { findPassages, type NumberedPassage, passageName } from '#shared/storage/dynamodb/files/passages.ts';
import type { FoundPassage } from './searchFiles.ts';

export interface PassageContext {
  passages: NumberedPassage[];
  breadcrumb: string[];
}

const BETWEEN = '\n\n';

/** @param depth number of neighbours on each side */
export async function readSurroundings(
  found: readonly FoundPassage[],
  botId: string,
  depth: number,
): Promise<PassageContext[]> {
  const numbers = ({ file, passage }: FoundPassage) => {
    const first = Math.max(0, passage.number - depth);
    const last = Math.min(file.indexed!.passages - 1, passage.number + depth);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  };
  const nameAt = ({ file, indexingId }: FoundPassage, number: number) => ({ fileId: file.id, indexingId, number });
  const names = depth === 0 ? [] : found.flatMap(each => numbers(each).map(number => nameAt(each, number)));
  const known = await findPassages(botId, names);
  return found.map(each => ({
    passages:
      depth === 0
        ? [each.passage]
        : numbers(each).flatMap(number => {
            if (number === each.passage.number) return [each.passage];
            return known.get(passageName(nameAt(each, number))) ?? [];
          }),
    breadcrumb: each.passage.breadcrumb,
  }));
}

export const textOf = ({ passages, breadcrumb }: PassageContext, withBreadcrumb: boolean): string =>
  [
    ...(withBreadcrumb && breadcrumb.length > 0 ? [breadcrumb.join(' > ')] : []),
    ...passages.map(({ content }) => content),
  ].join(BETWEEN);

export const piecesOf = ({ passages, breadcrumb }: PassageContext, found: FoundPassage, withBreadcrumb: boolean) => [
  ...(withBreadcrumb && breadcrumb.length > 0 ? [{ text: breadcrumb.join(' > '), type: 'breadcrumb' as const }] : []),
  ...passages.map(({ number, content }) => {
    const offset = number - found.passage.number;
    return {
      id: passageName({ fileId: found.file.id, indexingId: found.indexingId, number }),
      text: content,
      offset,
      type: offset < 0 ? ('preceding' as const) : offset > 0 ? ('subsequent' as const) : ('current' as const),
    };
  }),
];

export function consolidate(surroundings: readonly PassageContext[]): string {
  const passages = new Map(
    surroundings.flatMap(each => each.passages.map(passage => [passage.number, passage.content])),
  );
  return [...passages]
    .sort(([a], [b]) => a - b)
    .map(([, content]) => content)
    .join(BETWEEN);
}
