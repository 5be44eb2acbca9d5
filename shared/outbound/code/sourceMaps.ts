/** Source maps of deployed code: inline in the stored code, and a file beside it in the deployment. */
import * as z from 'zod/mini';

const SourceMap = z.object({
  version: z.literal(3),
  sources: z.array(z.nullable(z.string())),
  mappings: z.string(),
});
type SourceMap = z.infer<typeof SourceMap>;

/** Bounds the memory of a deployment. A map of a bundle with the SDK has about 1 MB without the sources' text. */
const MAP_BYTES = 32 * 1024 * 1024;

/** Node.js and bundlers read the last comment. */
const COMMENT = '//# sourceMappingURL=';
const INLINE = /^data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

function parsedMap(text: string): SourceMap | undefined {
  try {
    return SourceMap.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const isWellFormedMap = (text: string): boolean => text.length <= MAP_BYTES && parsedMap(text) !== undefined;

/** Returns the code before its last comment about a source map, and the comment's address. */
function split(code: string): { code: string; address: string | undefined } {
  const at = code.lastIndexOf(COMMENT);
  // The comment is the last line. In any other place, it may be a part of a text.
  if (at < 0 || (code.indexOf('\n', at) >= 0 && code.slice(code.indexOf('\n', at)).trim() !== '')) {
    return { code, address: undefined };
  }
  return { code: code.slice(0, at), address: code.slice(at + COMMENT.length).trim() };
}

/** Replaces the comment of the code by a map without the text of the sources, which traces do not show. */
export function withInlineMap(code: string, map: string): string {
  const encoded = Buffer.from(JSON.stringify(parsedMap(map))).toString('base64');
  return `${split(code).code}${COMMENT}data:application/json;base64,${encoded}\n`;
}

/**
 * Moves an inline map to a file, so that a trace names `src/index.ts`, wherever the code was bundled.
 * @returns no map if the code has none that can be read
 */
export function extractMap(code: Uint8Array, file: string): { code: Uint8Array; map?: Uint8Array } {
  const { code: bare, address } = split(Buffer.from(code).toString());
  const [, encoded = ''] = INLINE.exec(address ?? '') ?? [];
  const map = encoded.length <= MAP_BYTES ? parsedMap(Buffer.from(encoded, 'base64').toString()) : undefined;
  if (!map) return { code };
  const sources = map.sources.map(source => source?.replace(/^(?:[a-z]+:\/*|\.{0,2}\/)+/, '') ?? null);
  return {
    code: Buffer.from(`${bare}${COMMENT}${file}\n`),
    // Node.js would name a minified function by its first parameter. The CLI's bundles keep the names of functions.
    map: Buffer.from(JSON.stringify({ ...map, sources, names: [] })),
  };
}
