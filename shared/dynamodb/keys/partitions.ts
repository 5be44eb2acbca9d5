/** The partitions of all domains: what a function's role can name. */
import { chatPartitions } from './chat.ts';
import { deliveryPartitions } from './deliveries.ts';
import { filePartitions } from './files.ts';
import { answerPartitions } from './idempotency.ts';
import { parkedPartitions } from './parked.ts';
import { ratePartitions } from './rateLimits.ts';
import { registryPartitions } from './registry.ts';
import { stagedPartitions } from './staged.ts';
import { tablePartitions } from './tables.ts';
import { tagPartitions } from './tags.ts';
import { timerPartitions } from './timers.ts';
import { workspacePartitions } from './workspace.ts';

export const PARTITIONS = {
  ...chatPartitions,
  ...deliveryPartitions,
  ...filePartitions,
  ...parkedPartitions,
  ...tablePartitions,
  ...tagPartitions,
  ...timerPartitions,
  ...workspacePartitions,
  ...answerPartitions,
  ...ratePartitions,
  ...registryPartitions,
  ...stagedPartitions,
};

export type Domain = keyof typeof PARTITIONS;
