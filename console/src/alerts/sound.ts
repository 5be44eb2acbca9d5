/** Alert sound: two short synthesized tones, so no file is loaded. */
import { useSyncExternalStore } from 'react';

const TONES = [
  { frequencyHz: 880, atSeconds: 0 },
  { frequencyHz: 1174.66, atSeconds: 0.13 },
] as const;
const TONE_SECONDS = 0.32;
const ATTACK_SECONDS = 0.012;
/** Gain at the full volume. */
const LOUDEST = 0.5;
/** Time limit for the output to start. A browser that blocks sound never starts it and reports no error. */
const START_MS = 500;

let context: AudioContext | undefined;
let isBlocked = false;
const listeners = new Set<() => void>();

function setBlocked(next: boolean): void {
  if (isBlocked === next) return;
  isBlocked = next;
  for (const listener of listeners) listener();
}

/** Browsers play no sound in a page until it receives a click or a key. */
function allowOnGesture(): void {
  const allow = () => {
    void context?.resume().then(() => {
      setBlocked(false);
      for (const type of ['pointerdown', 'keydown'] as const) removeEventListener(type, allow);
    });
  };
  for (const type of ['pointerdown', 'keydown'] as const) addEventListener(type, allow);
}

/**
 * @param volume 0 to 100
 * @returns false if the browser blocks sound
 */
export async function playSound(volume: number): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  context ??= new AudioContext();
  if (context.state !== 'running') {
    await Promise.race([context.resume().catch(() => undefined), new Promise(late => setTimeout(late, START_MS))]);
  }
  // A gesture changes the state meanwhile.
  if ((context.state as AudioContextState) !== 'running') {
    if (!isBlocked) allowOnGesture();
    setBlocked(true);
    return false;
  }
  setBlocked(false);
  for (const tone of TONES) playTone(context, tone, (volume / 100) ** 2 * LOUDEST);
  return true;
}

function playTone(into: AudioContext, { frequencyHz, atSeconds }: (typeof TONES)[number], loudness: number): void {
  const start = into.currentTime + atSeconds;
  const [oscillator, gain] = [into.createOscillator(), into.createGain()];
  oscillator.frequency.value = frequencyHz;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + ATTACK_SECONDS);
  gain.gain.setTargetAtTime(0, start + ATTACK_SECONDS, TONE_SECONDS / 4);
  oscillator.connect(gain).connect(into.destination);
  oscillator.start(start);
  oscillator.stop(start + TONE_SECONDS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** True from the first alert that the browser did not play, until the person uses the page. */
export const useSoundBlocked = (): boolean => useSyncExternalStore(subscribe, () => isBlocked);
