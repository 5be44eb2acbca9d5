import { vi } from 'vitest';

/** Directs clients of the AWS SDK to a server of the test, without retries. `vi.unstubAllEnvs` ends it. */
export function useAwsEndpoint(url: string): void {
  const variables = {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_MAX_ATTEMPTS: '1',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}
