/** What the views of this interface share. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';

/** Tags and properties. */
export const Names = z.record(z.string(), z.string());
/** JSON of the caller's own. */
export const Payload = trusted(z.record(z.string(), z.any()));

/** A record's version, for `If-Match`. */
export const etag = (version: number | string | undefined) => ({ etag: `"${version ?? 0}"` });
