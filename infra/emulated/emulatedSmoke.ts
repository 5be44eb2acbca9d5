/** Runs `npm run smoke` against the emulated deployment in the environment of `npm run test:deploy`. */
import { VARIABLES } from '#shared/core/environment.ts';
import { setApiAddress } from './apiAddress.ts';

await setApiAddress(process.env[VARIABLES.apiBaseUrl]!);
await import('#infra/operator/smoke.ts');
