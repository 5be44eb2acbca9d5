/** A person's choice of alerts, stored with the account, so that it applies in every browser. */

/** Changes that can alert a member. */
export const ALERT_EVENTS = ['waiting', 'assigned', 'message', 'mention'] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

export interface AlertSettings {
  sound: boolean;
  /** 0 to 100. */
  volume: number;
  /** Applies only in browsers that permit notifications. */
  desktop: boolean;
  events: Record<AlertEvent, boolean>;
}

/** Key of the account preference. */
export const ALERTS_PREFERENCE = 'console.alerts';

export const ONLY_MINE = { waiting: false, assigned: true, message: true, mention: true } as const;
export const EVERYTHING = { waiting: true, assigned: true, message: true, mention: true } as const;

const DEFAULTS: AlertSettings = { sound: true, volume: 60, desktop: true, events: EVERYTHING };

/** Reads the stored preference. Missing and invalid parts have their default. */
export function readAlertSettings(stored: unknown): AlertSettings {
  const { sound, volume, desktop, events } = objectOf(stored);
  const chosen = objectOf(events);
  const loudness = typeof volume === 'number' && volume >= 0 && volume <= 100 ? volume : DEFAULTS.volume;
  return {
    sound: flag(sound, DEFAULTS.sound),
    volume: loudness,
    desktop: flag(desktop, DEFAULTS.desktop),
    events: {
      waiting: flag(chosen.waiting, DEFAULTS.events.waiting),
      assigned: flag(chosen.assigned, DEFAULTS.events.assigned),
      message: flag(chosen.message, DEFAULTS.events.message),
      mention: flag(chosen.mention, DEFAULTS.events.mention),
    },
  };
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

export type Preset = 'everything' | 'mine' | 'custom';

export function presetOf(events: AlertSettings['events']): Preset {
  const equals = (other: AlertSettings['events']) => ALERT_EVENTS.every(event => events[event] === other[event]);
  if (equals(EVERYTHING)) return 'everything';
  return equals(ONLY_MINE) ? 'mine' : 'custom';
}
