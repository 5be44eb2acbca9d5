/** What runs DynamoDB on this machine. */
import type { ServerProcess } from '#infra/local/services/childProcess.ts';

export interface EngineOptions {
  port: number;
  /** Holds the data; without one, the engine keeps it for as long as it runs. */
  directory: string | undefined;
  /** The last sequence number that was read of each shard of a stream. */
  readTo: Record<string, string>;
  onOutput: ((text: string) => void) | undefined;
}

export interface Engine {
  /** Its name in messages. */
  name: string;
  /** Its value of the variable DYNAMODB. */
  id: 'dynoxide' | 'local';
  /** What to install where it is missing. */
  needs: string;
  isAvailable(): boolean;
  /** True for the name of a file that it made in its directory. */
  owns(fileName: string): boolean;
  /** @returns the server, which takes connections. @throws StartupError */
  start(options: EngineOptions): Promise<ServerProcess>;
}
