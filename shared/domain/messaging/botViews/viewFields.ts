/** Field types shared by the views of bots, which appear in responses and delivered events. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';

export const Names = z.record(z.string(), z.string());
export const Payload = trusted(z.record(z.string(), z.any()));

export const etag = (version: number | string | undefined) => ({ etag: `"${version ?? 0}"` });
