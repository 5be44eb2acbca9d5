import type { session as english } from '../en/session.ts';
import type { Translated } from '../texts.ts';

export const session: Translated<typeof english> = {
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signInTo: 'Bei Parley anmelden',
  accept: 'Annehmen',
  acceptInvitation: 'Einladung annehmen',
  haveToken: 'Ich habe einen Token',
  haveInvitation: 'Ich habe eine Einladung',
  token: 'Persönlicher Zugriffstoken',
  showToken: 'Token anzeigen',
  noToken: 'Das ist kein Token. Fügen Sie ihn vollständig ein, beginnend mit {start}.',
  tokenStays:
    'Der Token bleibt in diesem Tab, bis Sie ihn schließen. Ein Betreiber kann auch einen Anmeldelink mit {command} erstellen.',
  created: 'Ihr Konto wurde erstellt. Speichern Sie diesen Token für die Anmeldung. Er wird nicht wieder angezeigt.',
  copyToken: 'Token kopieren',
  saved: 'Ich habe den Token gespeichert',
  invitation: 'Einladung',
  yourName: 'Ihr Name',
  newAccount:
    'Damit entsteht ein neues Konto. Wenn Sie schon eines haben, melden Sie sich an und treten Sie dort dem Arbeitsbereich bei.',
  choose: 'Arbeitsbereich wählen',
  noWorkspace: 'Sie sind noch in keinem Arbeitsbereich Mitglied.',
  bots_one: '{count} Bot',
  bots_other: '{count} Bots',
  newWorkspace: 'Neuer Arbeitsbereich',
  create: 'Erstellen',
  join: 'Beitreten',
};
