/** Filters parsed from the search field. */

export interface ConversationSearch {
  /** Conversation id. */
  id?: string;
  participant?: string;
  tags?: Record<string, string>;
  /** Searched in users and messages. */
  words?: string;
}

export function readSearch(text: string): ConversationSearch {
  const wanted = text.trim();
  if (wanted === '') return {};
  if (/^convo_\w+$/.test(wanted)) return { id: wanted };
  if (/^user_\w+$/.test(wanted)) return { participant: wanted };
  const [, name, value] = /^([^=\s]+)=(.+)$/.exec(wanted) ?? [];
  if (name && value) return { tags: { [name]: value.trim() } };
  return { words: wanted.toLowerCase() };
}
