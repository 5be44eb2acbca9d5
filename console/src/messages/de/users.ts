import type { users as english } from '../en/users.ts';
import type { Translated } from '../texts.ts';

export const users: Translated<typeof english> = {
  deleted: 'Der Nutzer wurde gelöscht.',
  users: 'Nutzer',
  about: 'Die Endnutzer, die mit dem Bot sprechen, und der Bot selbst.',
  conversation: 'Unterhaltung',
  conversationId: 'Id der Unterhaltung',
  delete: 'Löschen',
  deleteAbout: 'Die Schlüssel des Nutzers werden ungültig. Die Nachrichten bleiben in den Unterhaltungen.',
  id: 'Id',
  copyId: 'Id des Nutzers kopieren',
  created: 'Erstellt',
  data: 'Tags, Eigenschaften und Attribute',
  conversations: 'Unterhaltungen',
  noConversations: 'Keine Unterhaltungen.',
  noMatch: 'Keine Treffer',
  none: 'Noch keine Nutzer',
  noMatchAbout: 'Diese Unterhaltung hat keine Teilnehmer.',
  noneAbout: 'Noch niemand hat mit dem Bot gesprochen.',
  name: 'Name',
  changed: 'Geändert',
  tags: 'Tags',
  deleteTitle: '{name} löschen?',
  user: 'Nutzer',
};
