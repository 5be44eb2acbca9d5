/** The filters that the text of the search field names. */

export interface ConversationSearch {
  /** The conversation of this id alone. */
  id?: string;
  participant?: string;
  tags?: Record<string, string>;
  /** Looked for in the conversations that are loaded: the API has no search of words. */
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
