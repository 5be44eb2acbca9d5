import type { presence as english } from '../en/presence.ts';
import type { Translated } from '../texts.ts';

export const presence: Translated<typeof english> = {
  online: 'Online',
  lastSeen: 'Zuletzt gesehen {time}',
  people: 'Personen in dieser Unterhaltung',
  typing: '{name} schreibt …',
  viewing: '{name} liest mit',
  viewingMany: 'Lesen mit: {names}',
  writingReply: '{name} schreibt eine Antwort',
  writingNote: '{name} schreibt eine Notiz',
  visit: 'Besuch',
  page: 'Seite',
  earlierPages: 'Frühere Seiten',
  localTime: 'Ortszeit',
  language: 'Sprache',
  device: 'Gerät',
  referrer: 'Gekommen von',
  device_desktop: 'Computer',
  device_phone: 'Smartphone',
  device_tablet: 'Tablet',
  device_tv: 'Fernseher',
  device_bot: 'Automatischer Client',
};
