import { startOf } from '#widget/parts/payloadValues.ts';
/** Transcripts of a conversation as text, HTML and JSON. */

export const TRANSCRIPT_FORMATS = ['text', 'html', 'json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export interface TranscriptEntry {
  id: string;
  /** ISO 8601. */
  at: string;
  author: string;
  kind: 'message' | 'note';
  text: string;
  /** JSON contains it as it is. */
  payload?: unknown;
}

export interface Transcript {
  title: string;
  conversationId: string;
  exportedAt: string;
  /** Oldest first. */
  entries: readonly TranscriptEntry[];
  /** Set if the conversation has older messages than the transcript. */
  limit?: string;
}

export interface TranscriptLabels {
  note: string;
  language: string;
  formatTime: (at: string) => string;
}

const EXTENSIONS = { text: 'txt', html: 'html', json: 'json' } as const;
const TYPES = { text: 'text/plain', html: 'text/html', json: 'application/json' } as const;

export const typeOf = (format: TranscriptFormat): string => `${TYPES[format]};charset=utf-8`;

const MAX_NAME = 80;

/** Returns a name without characters that file systems reserve, and without controls that reorder it. */
export function fileNameOf(title: string, at: string, format: TranscriptFormat): string {
  const name = title
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${startOf(name || 'conversation', MAX_NAME)} ${at.slice(0, 10)}.${EXTENSIONS[format]}`;
}

export function contentOf(transcript: Transcript, format: TranscriptFormat, labels: TranscriptLabels): string {
  switch (format) {
    case 'text':
      return textOf(transcript, labels);
    case 'html':
      return htmlOf(transcript, labels);
    case 'json':
      return `${JSON.stringify(transcript, undefined, 2)}\n`;
  }
}

function textOf({ title, entries, limit }: Transcript, { note, formatTime }: TranscriptLabels): string {
  const head = [title, ...(limit ? [limit] : [])];
  const lines = entries.map(
    ({ at, author, kind, text }) => `${formatTime(at)} · ${author}${kind === 'note' ? ` (${note})` : ''}\n${text}`,
  );
  return `${[head.join('\n'), ...lines].join('\n\n')}\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character]!);

/** Nothing in the page runs or loads, also if a name or message contains markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}' +
  'article{margin:1rem 0;padding-left:.75rem;border-left:3px solid #ccc}article.note{border-color:#e0a800}' +
  'header{color:#555;font-size:13px}p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}';

function htmlOf({ title, entries, limit }: Transcript, { note, language, formatTime }: TranscriptLabels): string {
  const articles = entries.map(
    ({ at, author, kind, text }) =>
      `<article class="${kind}"><header><bdi>${escaped(author)}</bdi>${kind === 'note' ? ` (${escaped(note)})` : ''} · ` +
      `<time datetime="${escaped(at)}">${escaped(formatTime(at))}</time></header><p dir="auto">${escaped(text)}</p></article>`,
  );
  return [
    `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body><h1 dir="auto">${escaped(title)}</h1>`,
    ...(limit ? [`<p>${escaped(limit)}</p>`] : []),
    ...articles,
    '</body></html>\n',
  ].join('\n');
}
