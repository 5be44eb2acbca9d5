import type { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '#infra/settings/settings.ts';
import type { Code } from './codeAccess.ts';
import type { Data } from './data.ts';
import type { Logs } from './logGroups.ts';
import type { Model } from './modelAccess.ts';
import type { Queues } from './queues.ts';
import type { ReservedConcurrency } from './reservedConcurrency.ts';
import type { Sealing } from './sealingSecret.ts';
import type { Search } from './search.ts';
import type { SocketAddress } from './socketAddress.ts';

export interface Resources {
  data: Data;
  logs: Logs;
  queues: Queues;
  search: Search;
  sealing: Sealing;
  model: Model;
  code: Code;
  socket: SocketAddress;
  reservedConcurrency: ReservedConcurrency | undefined;
  settings: Settings;
  tracing: ManagedPolicy | undefined;
}
