import type { search as english } from '../en/search.ts';
import type { Translated } from '../texts.ts';

export const search: Translated<typeof english> = {
  search: 'Kunden und Nachrichten suchen',
  placeholder: 'Name, E-Mail, Text, Id oder Tag=Wert',
  results: 'Suchergebnisse',
  customers: 'Kunden',
  messages: 'Nachrichten',
  noCustomers: 'Kein Kunde passt.',
  noMessages: 'Keine Nachricht passt in den {count} neuesten Unterhaltungen.',
  noMessagesAtAll: 'Keine Nachricht passt.',
  searching: 'Suche läuft',
  moreCustomers: 'Weitere Kunden',
  older: 'Ältere Unterhaltungen durchsuchen',
  searchedTo: 'Unterhaltungen bis {time} durchsucht.',
  noConversations: 'Keine Unterhaltungen',
  tooShort: 'Geben Sie mindestens zwei Zeichen ein.',
  isPartial:
    'Nur die 100 zuletzt geänderten Bots werden durchsucht. Wählen Sie einen Bot, um einen anderen zu durchsuchen.',
  onlyLatest: 'Von jeder Unterhaltung werden die letzten 100 Nachrichten durchsucht.',
  waiting: 'Wartet',
  closed: 'Erledigt',
  bot: 'Bot',
  filterOff: 'Filter gelten nicht für eine Suche.',
};
