import { expect, it } from 'vitest';
import { presetOf, readAlertSettings } from '#console/src/alerts/alertSettings.ts';

it.each([undefined, null, 'on', [], { sound: 'yes', volume: 900, events: [] }])('reads %j as the defaults', stored => {
  expect(readAlertSettings(stored)).toEqual({
    sound: true,
    volume: 60,
    desktop: true,
    events: { waiting: true, assigned: true, message: true, mention: true },
  });
});

it('keeps the stored choice', () => {
  const stored = {
    sound: false,
    volume: 5,
    desktop: false,
    events: { waiting: true, assigned: false, message: true, mention: true },
  };

  expect(readAlertSettings(stored)).toEqual(stored);
});

it('recognizes a preset by its events', () => {
  expect(presetOf({ waiting: true, assigned: true, message: true, mention: true })).toBe('everything');
  expect(presetOf({ waiting: false, assigned: true, message: true, mention: true })).toBe('mine');
  expect(presetOf({ waiting: true, assigned: false, message: true, mention: true })).toBe('custom');
});
