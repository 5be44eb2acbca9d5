import type { ServerProcess } from '#infra/local/runtime/childProcess.ts';

export interface EngineOptions {
  host: string;
  port: number;
  directory: string | undefined;
  readTo: Record<string, string>;
  onOutput: ((text: string) => void) | undefined;
}

export interface Engine {
  name: string;
  /** Value of the variable DYNAMODB. */
  id: 'dynoxide' | 'local';
  needs: string;
  isAvailable(): boolean;
  /** Returns true for the name of a file that the engine creates in its directory. */
  owns(fileName: string): boolean;
  start(options: EngineOptions): Promise<ServerProcess>;
}
