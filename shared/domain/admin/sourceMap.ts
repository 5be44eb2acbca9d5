import * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';
import { isWellFormedMap, withInlineMap } from '#shared/outbound/code/sourceMaps.ts';

/** JSON of the file that `bp build --sourceMap` writes next to the bundle. */
export const sourceMap = () => z.optional(z.string());

/**
 * Returns the code with its source map, which the deployment uses for stack traces.
 * @throws ApiError InvalidPayload for a map without code, or for another format
 */
export function mappedCode({
  code,
  sourceMap,
}: {
  code?: string | undefined;
  sourceMap?: string | undefined;
}): string | undefined {
  if (sourceMap === undefined) return code;
  if (code === undefined) throw invalidPayload('Send the code together with its source map.', 'sourceMap');
  if (!isWellFormedMap(sourceMap)) {
    throw invalidPayload('Must be the JSON of a source map of version 3, without sections.', 'sourceMap');
  }
  return withInlineMap(code, sourceMap);
}
