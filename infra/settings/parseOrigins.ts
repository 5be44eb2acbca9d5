/** Parses origins such as `https://example.com,http://localhost:3000`. @throws Error that names the invalid part */
export const parseOrigins = (text: string): readonly string[] =>
  text.split(',').map(part => {
    const origin = part.trim();
    if (URL.parse(origin)?.origin === origin) return origin;
    throw new Error(`"${part}" is not an origin. Write them like https://example.com, without a path.`);
  });
