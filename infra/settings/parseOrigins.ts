/** Limits the size of templates, which repeat them in each operation. */
export const ORIGINS_LIMIT = 12;
export const ORIGINS_LENGTH = 500;

/** Parses origins such as `https://example.com,http://localhost:3000`. @throws Error that names the invalid part */
export function parseOrigins(text: string): readonly string[] {
  const parts = text.split(',');
  if (parts.length > ORIGINS_LIMIT || text.length > ORIGINS_LENGTH) {
    throw new Error(`At most ${ORIGINS_LIMIT} origins, of ${ORIGINS_LENGTH} characters in total, are supported.`);
  }
  return parts.map(part => {
    const origin = part.trim();
    if (URL.parse(origin)?.origin === origin) return origin;
    throw new Error(`"${part}" is not an origin. Write them like https://example.com, without a path.`);
  });
}
