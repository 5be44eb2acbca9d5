/**
 * Descriptions of the fields of requests and responses. Functions do not load them.
 *
 * A field has a path: the operation, the place (`body`, `query`, `output`, `stream`), and the names of properties.
 * Lists add nothing, the values of a map add `*`, and a variant of a union adds its `type`, under which it has a
 * description itself. For example, the URL of an image in a created message is
 * `createMessage.output.message.payload.image.imageUrl`. A description applies to all paths that end with its key. The
 * one with the longest key wins.
 */
import type { Operation } from '#shared/api/operations/operations.ts';

type Group = Operation['group'];

export interface FieldTexts {
  /** Group of the operations, or all groups. */
  group?: Group;
  /** Ends of the paths of the objects that have the fields. Without them, the fields may be anywhere. */
  of: readonly string[];
  texts: Readonly<Record<string, string>>;
}

/** Describes fields that have the same meaning wherever they occur in the group. */
export const anywhereIn = (group: Group, texts: FieldTexts['texts']): FieldTexts => ({ group, of: [''], texts });

/** Describes fields of a shape, by the ends of the paths at which the shape occurs. */
export const shapeIn = (group: Group, of: FieldTexts['of'], texts: FieldTexts['texts']): FieldTexts => ({
  group,
  of,
  texts,
});
