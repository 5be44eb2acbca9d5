/** Tags of AWS resources. They are in the environment of a function, which is 4 KB. */
export const TAGS_LIMIT = 20;
export const TAGS_LENGTH = 800;

/** AWS also permits letters beyond ASCII. Source: AWS tag editor, "Best practices and strategies". */
const TAG = /^(?!aws:|parley:)([\w .:/+@-]{1,128})=([\w .:/=+@-]{0,256})$/i;

/** Parses tags such as `CostCenter=1234,Team=Chat`. @throws Error that names the invalid part */
export function parseTags(text: string): Record<string, string> {
  const parts = text.split(',').map(part => part.trim());
  if (parts.length > TAGS_LIMIT || text.length > TAGS_LENGTH)
    throw new Error(`At most ${TAGS_LIMIT} tags, of ${TAGS_LENGTH} characters in total, are supported.`);
  const tags = parts.map((part): [string, string] => {
    const [, key, value] = TAG.exec(part) ?? [];
    if (key === undefined || value === undefined)
      throw new Error(
        `"${part}" is not a tag. Write key=value, with letters, digits, spaces and _ . : / = + - @. Keys cannot start with aws: or parley:.`,
      );
    return [key, value];
  });
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw new Error('A key occurs twice. Set each key once.');
  return Object.fromEntries(tags);
}
