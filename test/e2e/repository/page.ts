import type { Outcome } from './results.ts';
export function writePage(_outcomes: readonly Outcome[], _commit: string): void {}
