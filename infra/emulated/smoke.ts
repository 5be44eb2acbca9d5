/** `npm run smoke` against the emulated deployment. Started by `npm run test:deploy`, which sets the addresses in the environment. */
import { VARIABLES } from '#shared/environment.ts';
import { setCodeApiAddress } from './codeApiAddress.ts';

await setCodeApiAddress(process.env[VARIABLES.apiBaseUrl]!);
await import('#infra/operator/smoke.ts');
