/** One timer for all listeners of a process: a thousand that wait have something to write every few seconds. */

/** Called about twice a second. */
type Beat = (nowMs: number) => void;

const BEAT_MS = 500;

const beats = new Set<Beat>();
let timer: NodeJS.Timeout | undefined;

/** Calls `beat` until the returned function is called. */
export function onHeartbeat(beat: Beat): () => void {
  beats.add(beat);
  timer ??= setInterval(() => {
    const nowMs = Date.now();
    for (const each of beats) each(nowMs);
  }, BEAT_MS);
  return () => {
    beats.delete(beat);
    if (beats.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
