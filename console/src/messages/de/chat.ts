import type { chat as english } from '../en/chat.ts';
import type { Translated } from '../texts.ts';

export const chat: Translated<typeof english> = {
  noChat: 'Kein Chat installiert',
  title: 'Testchat',
  installation: 'Installation',
  new: 'Neue Unterhaltung',
  signedKeys: 'Diese Installation verlangt signierte Nutzerschlüssel',
  openConversation: 'In den Unterhaltungen öffnen',
  start: 'Beginnen Sie die Unterhaltung',
  startAbout: 'Sie sprechen mit dem Bot wie ein Endnutzer, über die öffentliche Chat-API.',
  notSent: 'Die Nachricht wurde nicht gesendet',
  message: 'Nachricht',
  write: 'Nachricht schreiben',
  send: 'Senden',
  noChatAbout: '{link}, um mit dem Bot zu sprechen.',
  install: 'Installieren Sie den Chat',
  connecting: 'Verbindung wird hergestellt',
  live: 'Live',
  lost: 'Verbindung wird wiederhergestellt',
  signedKeysAbout:
    'Die Chat-Integration hat einen Verschlüsselungsschlüssel. Deshalb können nur Nutzer mit einem Schlüssel, den Ihr Server signiert, mit dem Bot sprechen. {message}',
  you: 'Sie',
  bot: 'Bot',
};
