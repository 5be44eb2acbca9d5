import type { alerts as english } from '../en/alerts.ts';
import type { Translated } from '../texts.ts';

export const alerts: Translated<typeof english> = {
  title: 'Benachrichtigungen',
  about:
    'Bei neuen Unterhaltungen und Nachrichten, auf jeder Seite und in Tabs im Hintergrund. Ihre Auswahl gilt in allen Browsern. Die Erlaubnis erteilen Sie in jedem Browser einzeln.',
  alertMe: 'Benachrichtigen bei',
  preset_everything: 'Allem',
  preset_mine: 'Nur mir zugewiesenen Unterhaltungen',
  preset_custom: 'Eigener Auswahl',
  event_waiting: 'Eine Unterhaltung wartet neu in der Warteschlange',
  event_assigned: 'Jemand weist mir eine Unterhaltung zu',
  event_message: 'Ein Kunde schreibt in einer Unterhaltung, die mir zugewiesen ist',
  sound: 'Ton abspielen',
  volume: 'Lautstärke',
  soundBlocked:
    'Ihr Browser blockiert den Ton, bis Sie diese Seite benutzen. Klicken Sie irgendwo, um ihn zu erlauben.',
  desktop: 'Desktop-Benachrichtigungen anzeigen',
  permission_default: 'Ihr Browser fragt zuerst um Erlaubnis.',
  permission_denied:
    'Ihr Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in den Browser-Einstellungen dieser Seite, neben der Adresse.',
  permission_unsupported:
    'Dieser Browser zeigt keine Benachrichtigungen von Webseiten. Sie brauchen HTTPS und einen Browser auf einem Computer.',
  allow: 'Benachrichtigungen erlauben',
  test: 'Testen',
  testTitle: 'Test der Benachrichtigung',
  testBody: 'So benachrichtigt Sie Parley.',
  tested_both: 'Ein Ton wurde abgespielt und eine Benachrichtigung angezeigt.',
  tested_sound: 'Ein Ton wurde abgespielt. Es wurde keine Benachrichtigung angezeigt.',
  tested_desktop: 'Eine Benachrichtigung wurde angezeigt. Es wurde kein Ton abgespielt.',
  tested_nothing: 'Es wurde weder ein Ton abgespielt noch eine Benachrichtigung angezeigt.',
  hint: 'Erhalten Sie eine Desktop-Benachrichtigung, wenn eine Unterhaltung Sie braucht.',
  turnOn: 'Einschalten',
  chooseAlerts: 'Einstellungen',
  dismiss: 'Nicht mehr anzeigen',
  waiting: 'Wartet: {name}',
  waitingFor: 'Wartet: {name} – {reason}',
  assigned: 'Ihnen zugewiesen: {name}',
  assignedBy: 'Von {name}',
  customer: 'Kunde',
  many_waiting_one: '{count} neue Unterhaltung',
  many_waiting_other: '{count} neue Unterhaltungen',
  many_assigned_one: '{count} Ihnen zugewiesene Unterhaltung',
  many_assigned_other: '{count} Ihnen zugewiesene Unterhaltungen',
  many_message_one: '{count} Unterhaltung mit neuen Nachrichten',
  many_message_other: '{count} Unterhaltungen mit neuen Nachrichten',
  assignedAutomatically: 'Automatisch zugewiesen',
};
