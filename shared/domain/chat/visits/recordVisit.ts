import { findVisit, type Page, putVisit, type Visit } from '#shared/storage/dynamodb/chat/visits.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** The current page and ten earlier ones. */
const MAX_PAGES = 11;
/** An unchanged visit within this time is not written again. */
const REPEATED_MS = 30_000;

export type Reported = Pick<Page, 'url' | 'title'> & Omit<Visit, 'pages' | 'pageId' | 'revision' | 'atMs'>;

/** Returns the write that records a page of a visit, or none if it is recorded already. */
export async function recordVisit(
  botId: string,
  conversationId: string,
  { url, title, ...about }: Reported,
  nowMs: number,
): Promise<Write[]> {
  const before = await findVisit(botId, conversationId);
  // Another user of the conversation replaces the visit, as does a conversation that was created again.
  const isSame = before?.userId === about.userId && before.generation === about.generation;
  const known = isSame ? before.pages : [];
  const [current, ...earlier] = known;
  const isSamePage = current?.url === url;
  const isKnown =
    isSamePage &&
    current.title === title &&
    before?.language === about.language &&
    before?.timeZone === about.timeZone &&
    nowMs - before!.atMs < REPEATED_MS;
  if (isKnown) return [];
  const page = { url, title, atMs: isSamePage ? current.atMs : nowMs };
  const visit: Visit = {
    ...about,
    // Pages of the same site do not replace the referrer that led to it.
    referrer: about.referrer ?? (isSame ? before.referrer : undefined),
    pages: [page, ...(isSamePage ? earlier : known)].slice(0, MAX_PAGES),
    pageId: page.atMs,
    revision: (before?.revision ?? 0) + 1,
    atMs: nowMs,
  };
  return [putVisit(botId, conversationId, visit, before)];
}
