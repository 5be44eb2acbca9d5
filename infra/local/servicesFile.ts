import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';

export interface LocalServices {
  dynamodbEndpoint: string;
  tableName: string;
  s3Endpoint: string;
  bucketName: string;
  /** Secret access key that clients of the services use. */
  secret: string;
  apiBaseUrl: string;
  chatBaseUrl: string;
  webhookBaseUrl: string;
  /** The sealing keys in use, as `describeKeyRing` returns them. */
  keyRing?: string;
}

export const localServicesFile = () => join(stateDirectory, 'services.json');

export const readLocalServices = (): Promise<LocalServices | undefined> =>
  readFile(localServicesFile(), 'utf8').then(JSON.parse, () => undefined);
