/** One timer for all listeners of a process: a thousand that wait have something to write every few seconds. */
import { clock, type Timer } from '#shared/core/clock.ts';

/** Called about twice a second. */
type Beat = (nowMs: number) => void;

const BEAT_MS = 500;

const beats = new Set<Beat>();
let timer: Timer | undefined;

/** Calls `beat` until the returned function is called. */
export function onHeartbeat(beat: Beat): () => void {
  beats.add(beat);
  timer ??= clock.every(BEAT_MS, () => {
    const nowMs = clock.now();
    for (const each of beats) each(nowMs);
  });
  return () => {
    beats.delete(beat);
    if (beats.size > 0) return;
    timer?.stop();
    timer = undefined;
  };
}
