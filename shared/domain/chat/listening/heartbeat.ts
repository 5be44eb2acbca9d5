/** One timer for all listeners of a process, because thousands of them write every few seconds. */
import { clock, type Timer } from '#shared/core/clock.ts';

type Beat = (nowMs: number) => void;

const BEAT_MS = 500;

const beats = new Set<Beat>();
let timer: Timer | undefined;

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
