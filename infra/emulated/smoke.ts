/**
 * Runs `npm run smoke` against the emulated deployment. `npm run test:deploy` sets the addresses in the environment.
 */
import { VARIABLES } from '#shared/core/environment.ts';
import { setApiAddress } from './apiAddress.ts';

await setApiAddress(process.env[VARIABLES.apiBaseUrl]!);
await import('#infra/operator/smoke.ts');
