import type { replies as english } from '../en/replies.ts';
import type { Translated } from '../texts.ts';

export const replies: Translated<typeof english> = {
  title: 'Antwortvorlagen',
  about: 'Texte, die Agenten im Posteingang mit / und einem Namen einfügen.',
  new: 'Neue Antwortvorlage',
  none: 'Noch keine Antwortvorlagen',
  noneAbout: 'Speichern Sie Texte, die Sie oft schreiben. Im Posteingang fügt / sie ein.',
  search: 'Antwortvorlagen durchsuchen',
  noMatch: 'Keine Treffer',
  noMatchAbout: 'Keine Antwortvorlage enthält diesen Text.',
  name: 'Name',
  nameAbout: 'Was Agenten nach dem Schrägstrich eingeben, etwa begruessung.',
  text: 'Text',
  changed: 'Geändert',
  save: 'Speichern',
  saved: 'Die Antwortvorlage wurde gespeichert.',
  delete: 'Löschen',
  deleteTitle: '{name} löschen?',
  deleteAbout: 'Damit gesendete Nachrichten bleiben bestehen.',
  deleted: 'Die Antwortvorlage wurde gelöscht.',
};
