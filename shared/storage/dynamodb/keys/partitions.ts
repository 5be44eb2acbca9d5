import { agentPartitions } from './agents.ts';
import { canaryPartitions } from './canary.ts';
import { chatPartitions } from './chat.ts';
import { connectionPartitions } from './connections.ts';
import { deadLetterPartitions } from './deadLetters.ts';
import { deliveryPartitions } from './deliveries.ts';
import { filePartitions } from './files.ts';
import { answerPartitions } from './idempotency.ts';
import { identifierPartitions } from './identifiers.ts';
import { mentionPartitions } from './mentions.ts';
import { migrationPartitions } from './migrations.ts';
import { oauthPartitions } from './oauth.ts';
import { openWorkPartitions } from './openWork.ts';
import { ratePartitions } from './rateLimits.ts';
import { registryPartitions } from './registry.ts';
import { stagedPartitions } from './staged.ts';
import { tablePartitions } from './tables.ts';
import { tagPartitions } from './tags.ts';
import { timerPartitions } from './timers.ts';
import { transferPartitions } from './transfers.ts';
import { userTermPartitions } from './userTerms.ts';
import { workspacePartitions } from './workspace.ts';

export const PARTITIONS = {
  ...agentPartitions,
  ...canaryPartitions,
  ...chatPartitions,
  ...connectionPartitions,
  ...deliveryPartitions,
  ...filePartitions,
  ...identifierPartitions,
  ...mentionPartitions,
  ...migrationPartitions,
  ...openWorkPartitions,
  ...oauthPartitions,
  ...deadLetterPartitions,
  ...tablePartitions,
  ...tagPartitions,
  ...timerPartitions,
  ...userTermPartitions,
  ...workspacePartitions,
  ...answerPartitions,
  ...ratePartitions,
  ...registryPartitions,
  ...stagedPartitions,
  ...transferPartitions,
};

export type Domain = keyof typeof PARTITIONS;
