import type { CloudAccess, CloudClient } from './cloudClient.ts';
import type { Journal, Part, UnitResult } from './importJournal.ts';

export interface BotReading {
  id: string;
  cloudId: string;
  createdAtMs: number;
  client: CloudClient;
  states: Record<string, { type: string }>;
  access: CloudAccess;
  say(line: string): void;
  unit(name: string, run: (part: Part) => Promise<UnitResult>): Promise<UnitResult>;
}

export interface WorkspaceReading {
  id: string;
  cloudId: string;
  access: CloudAccess;
  client: CloudClient;
  journal: Journal;
}
