import type { common as english } from '../en/common.ts';
import type { Translated } from '../texts.ts';

export const common: Translated<typeof english> = {
  loading: 'Wird geladen',
  notLoaded: 'Das konnte nicht geladen werden',
  notAllowed: 'Ihre Rolle erlaubt das nicht',
  chooseWorkspace: 'Arbeitsbereich wählen',
  errorId: 'Fehler-Id: {id}',
  tryAgain: 'Erneut versuchen',
  showMore: 'Mehr anzeigen',
  unexpected: 'Es ist ein unerwarteter Fehler aufgetreten.',
  offline: 'Die API ist nicht erreichbar. Prüfen Sie die Verbindung. Die Konsole versucht es automatisch erneut.',
  actionFailed: 'Die Aktion ist fehlgeschlagen',
  withErrorId: '{message} (Fehler-Id {id})',
  filters: 'Filter',
  cancel: 'Abbrechen',
  unnamed: 'Besucher {id}',
  discardTitle: 'Änderungen verwerfen?',
  discardAbout: 'Die eingegebenen Werte sind nicht gespeichert.',
  discard: 'Verwerfen',
  keepEditing: 'Weiter bearbeiten',
  copied: 'Kopiert',
  dataLabel: 'Daten',
  actions: 'Aktionen',
  clearSearch: 'Suche löschen',
};
