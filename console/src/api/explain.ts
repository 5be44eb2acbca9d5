/** Explains errors to users. */
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';

const t = translator('common', common);

export interface Explanation {
  message: string;
  /** Error id, which identifies the error in the log. */
  id?: string | undefined;
  type?: string | undefined;
  isOffline: boolean;
}

export function explain(error: unknown): Explanation {
  const { message, id, type } = (error ?? {}) as { message?: unknown; id?: unknown; type?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : t('unexpected');
  const isOffline = /network error|failed to fetch/i.test(text);
  return {
    message: isOffline ? t('offline') : text,
    isOffline,
    id: typeof id === 'string' ? id : undefined,
    type: typeof type === 'string' ? type : undefined,
  };
}

const TOO_EARLY = [408, 429];

/** Returns true for an error that a repetition does not fix. */
export function isFinal(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'number' && code >= 400 && code < 500 && !TOO_EARLY.includes(code);
}

export const isUnauthorised = (error: unknown) => explain(error).type === 'Unauthorized';
export const isForbidden = (error: unknown) => explain(error).type === 'Forbidden';
