/** Finds the description of a field among those of `shared/api/reference/fields` and of the operation's reference. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { FIELD_TEXTS } from '#shared/api/reference/fields/index.ts';
import { findReference, referenceOf } from './operationReferences.ts';

type Named = Pick<Operation, 'group' | 'name'>;

interface Entry {
  group: string | undefined;
  /** The last segments of a path, from its end. */
  reversed: readonly string[];
  text: string;
  /** Where the text is declared, for the test that reports unused ones. */
  source: string;
}

const entriesByField = Map.groupBy(
  FIELD_TEXTS.flatMap(({ group, of, texts }) =>
    Object.entries(texts).flatMap(([field, text]) =>
      of.map((holder): Entry => {
        const key = holder ? `${holder}.${field}` : field;
        return { group, reversed: key.split('.').reverse(), text, source: `${group ?? 'every group'}: ${key}` };
      }),
    ),
  ),
  ({ reversed }) => reversed[0]!,
);

export interface FoundText {
  text: string;
  source: string;
}

/** @param path place and names, such as `['body', 'payload', 'text']` */
export function findFieldText(operation: Named, path: readonly string[]): FoundText | undefined {
  const own = findReference(operation)?.fields?.[path.join('.')];
  if (own !== undefined) return { text: own, source: ownSource(operation, path.join('.')) };
  const reversed = [operation.name, ...path].reverse();
  const matching = (entriesByField.get(reversed[0]!) ?? []).filter(
    entry =>
      (entry.group === undefined || entry.group === operation.group) &&
      entry.reversed.every((segment, index) => segment === reversed[index]),
  );
  return matching.sort(
    (a, b) => b.reversed.length - a.reversed.length || Number(b.group !== undefined) - Number(a.group !== undefined),
  )[0];
}

const ownSource = ({ group, name }: Named, field: string) => `${group}.${name}: ${field}`;

/** Returns the sources of all descriptions. */
export const fieldSources = (operations: readonly Named[]): string[] => [
  ...[...entriesByField.values()].flat().map(({ source }) => source),
  ...operations.flatMap(each => Object.keys(referenceOf(each).fields ?? {}).map(field => ownSource(each, field))),
];
